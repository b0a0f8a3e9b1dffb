"""The machine code of the measuring loops (x86-64)."""
import collections, itertools, platform, re, subprocess, unittest
import support
from support import build

SOURCE = """
#include <tare/bench.hpp>
#include <atomic>
#include <cstring>
#include <string>
long seen = 0;
const std::string words("a text that does not fit into the object");
// Says of each body whether the loop that is measured leaves it alone: 1 if the body says itself what is used.
struct Bodies {
    tare::Bench bench{""};
    bool measures;
    template <class Body> void run(const char* name, Body body) {
        constexpr const tare::detail::Kind& kind = tare::detail::kind_of<Body>;
        std::printf("%d", kind.has_mark != nullptr && kind.has_mark(kind.loop) ? 1 : 0);
        if (measures) bench.run(name, body);
    }
};
int main(int argc, char**) {
    Bodies bench;
    bench.measures = argc > 1;
    uint64_t x = 1;
    double sum = 1;
    std::atomic<int> shared(0);
    int expected = 0;
    const char* text = tare::opaque("some text");
    bench.run("a", [&] { x += x; tare::keep_state(x); });
    bench.run("b", [&] { x *= 0x9e3779b97f4a7c15; tare::keep_state(x); });
    bench.run("c", [&] { sum += 1.5; tare::keep_state(sum); });
    bench.run("d", [&] { return x + 7; });
    bench.run("e", [&] { return shared.compare_exchange_strong(expected, 0); });
    bench.run("f", [&] { return std::strlen(text); });
    bench.run("g", [] {});
    bench.run("h", [] { return 1; });
    bench.run("i", [&] { return sum + 7.5; });
    // The idioms of other libraries: DoNotOptimize of a result, and of an input.
    uint32_t y = tare::opaque(1000000007u), z = tare::opaque(77u); // 64 bits would be two divisions and a branch
    bench.run("j", [&] { auto q = y / z; tare::keep(q); });
    bench.run("k", [&] { auto q = sum / 3.7; tare::keep(q); });
    bench.run("l", [&] { auto n = std::strlen(text); tare::keep(n); });
    bench.run("m", [&] { auto h = y * 0x9e3779b97f4a7c15; h ^= h >> 29; tare::keep(h); });
    bench.run("n", [y, z]() mutable { auto q = y / z; tare::keep(q); });
    bench.run("o", [&] { uint32_t k = 1000000007u; tare::keep(k); auto q = k / z; tare::keep(q); });
    bench.run("p", [&] { return tare::opaque(1000000007u) / tare::opaque(77u); });
    bench.run("q", [&] { return tare::opaque(2.5) / 3.7; });
    bench.run("r", [&] { x *= tare::opaque(3u); tare::keep_state(x); });
    // No result: what is written counts as read, though the next invocation writes it again.
    bench.run("s", [] { ++seen; });
    double product = 0;
    bench.run("t", [&] { product = y / 3.7; });
    bench.run("u", [to = &product, from = &y] { *to = *from / 3.7; });
    bench.run("v", [&] { product = tare::opaque(2.5) / 3.7; });
    // It says what is used, and nothing else is forced to memory. The second is like the first body in all but its name.
    bench.run("w", [&] { x += x; tare::keep(x); });
    bench.run("x", [&] { x += x; tare::keep_state(x); });
    bench.run("y", [&] { product = y / 3.7; tare::clobber(); });
    bench.run("z", [] { return tare::opaque(words).size(); });
    tare::keep(product);
}
"""
REGISTER = """
#include <tare.h>
#include <cstdio>
struct Fixture {
    uint64_t y = 1;
    void run() { y += y; tare::keep_state(y); }
};
auto lambda = [x = uint64_t{1}]() mutable { x += x; tare::keep_state(x); };
template <class Body> void say(const Body&) {
    constexpr const tare::detail::Kind& kind = tare::detail::kind_of<Body>;
    std::printf("%d", kind.has_mark != nullptr && kind.has_mark(kind.loop) ? 1 : 0);
}
int main() {
    say(lambda);
    say(tare::detail::Method<&Fixture::run, Fixture>());
}
"""
# One digit per body, as the program prints them.
MARKED = "11100000011111100100001110"
LEVELS = ("-O1", "-O2", "-O3") if support.LONG else ("-O2", "-O3")
# Copies of a body per turn of its loop, and of the shorter one.
UNROLL, ROLLED = 8, 2
STATE_LEVELS = ("-O2", "-O3")  # -O1 has no type-based aliasing: what is captured is loaded and stored every time


def turns(code, per_turn):
    """The loops of a function, as lists of instructions, that a run with `per_turn` invocations a turn can go round in. A comparison with 1
    or ROLLED asks for that number; every other jump may go either way."""
    at = {address: i for i, (address, _) in enumerate(code)}
    found, seen = [], set()

    def walk(i, path, asked):
        while i is not None and i < len(code):
            if i in path:
                loop = path[path.index(i):]
                if frozenset(loop) not in seen:
                    seen.add(frozenset(loop))
                    found.append([code[j][1] for j in loop])
                return
            path, text = path + [i], code[i][1]
            number = re.match(rf"cmp\w*\s+\$0x([1{ROLLED}]),%", text)
            asked = int(number.group(1)) if number else None if re.match(r"(cmp|test|sub|add|dec|inc|and|or|xor)", text) else asked
            jump = re.match(r"(j\w+)\s+([0-9a-f]+)", text)
            if re.match(r"ret|ud2", text): return
            if not jump:
                i += 1
                continue
            target = at.get(int(jump.group(2), 16))
            if jump.group(1) == "jmp": i = target
            elif asked is not None and jump.group(1) in ("je", "jne"): i = target if (asked == per_turn) == (jump.group(1) == "je") else i + 1
            else:
                if target is not None: walk(target, path, asked)
                i += 1

    walk(0, [], None)
    return found


def functions(program, is_marked=lambda body: body is not None and MARKED[body] == "1"):
    """The turns of every function detail::loop, as {(kind, body, unroll): [instructions]}. A body that may hold a state in registers has two.
    The measured one writes to memory in each invocation, or rarely if the body declares what is used."""
    text = subprocess.run(["objdump", "-dC", "--no-show-raw-insn", program], capture_output=True, text=True, check=True).stdout
    found = {}
    for block in re.split(r"\n(?=[0-9a-f]{8,} <)", text):
        head = re.match(r"[0-9a-f]+ <(?:[^<]* )?tare::detail::(overhead_loop|loop)<(.*?)>\(.*>:", block)
        if not head:
            continue
        code = [(int(a, 16), t.split("#")[0].strip()) for a, t in re.findall(r"^\s*([0-9a-f]+):\s+(.*)$", block, re.M)]
        number = re.search(r"lambda\(\)#(\d+)|\$_(\d+)", head.group(2))
        body = None if number is None else int(number.group(1)) - 1 if number.group(1) else int(number.group(2))
        of = body if head.group(1) == "loop" else head.group(2)
        for unroll in (UNROLL, ROLLED, 1):
            # The indirect call reports the result, which no measured iteration does.
            loops = [loop for loop in turns(code, unroll) if not any(re.match(r"call\s+\*", t) for t in loop)]
            if not loops: continue
            choose = min if is_marked(body) else max
            found[head.group(1), of, str(unroll)] = choose(loops, key=lambda loop: (len(stores(loop)), len(loop)))
    return found


def kinds(loop):
    return collections.Counter(" ".join(t.split()[:2]) if t.startswith("lock") else t.split()[0] for t in loop)


def stores(loop):
    return [t for t in loop if re.match(r"(mov|add|sub|xor|inc|dec|vmov|sto)\w* .*,\S*\(.*\)$|.*,%fs:\S+$", t) and "lea" not in t]


@unittest.skipUnless(platform.machine() == "x86_64", "reads x86-64 machine code")
class Disassembly(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        source = support.SCRATCH / "loops.cpp"
        source.write_text(SOURCE)
        cls.programs = {level: build(source, level, name="loops" + level) for level in LEVELS}
        cls.found = {level: functions(program) for level, program in cls.programs.items()}

    def each(self, body, unroll=UNROLL, levels=LEVELS):
        for level in levels:
            yield level, self.found[level][("loop", body, str(unroll))]

    def test_an_addition_is_one_instruction(self):
        for unroll in (UNROLL, ROLLED):
            for level, loop in self.each(0, unroll, STATE_LEVELS):
                with self.subTest(level=level, unroll=unroll):
                    additions = [t for t in loop if re.match(r"add\s+(%r\w+),\1$|lea\s+\((%r\w+),\2,1\),", t)]
                    self.assertEqual(len(additions), unroll, loop)
                    self.assertNotIn("call", kinds(loop))
                    if support.FAMILY == "gcc":
                        self.assertEqual(stores(loop), [])
                        self.assertLessEqual(len(loop), unroll + 7, loop)  # the count, three jumps, what two ask, perhaps a register moved
                    else:  # clang stores the state before each jump, and does not wait for it
                        self.assertLessEqual(len(stores(loop)), 3)
                        self.assertLessEqual(len(loop), unroll + 9)

    def test_an_addition_stays_in_its_register_whatever_optimises(self):
        """Optimised for size, and with link-time optimisation: one addition per copy, and memory access at most once per turn."""
        source = support.SCRATCH / "register.cpp"
        source.write_text(REGISTER)
        for flags in (["-Os"], ["-O2", "-flto"], ["-O3", "-flto"]):
            if support.FAMILY == "clang" and "-O3" in flags and not support.LONG: continue
            if "-flto" in flags and not support.links_with("-flto"):
                print(f"skipped: {' '.join(flags)}: {support.cxx()} has no linker for it here")
                continue
            program = build(source, *flags, name="register" + "".join(flags))
            self.assertEqual(subprocess.run([program], capture_output=True, text=True, check=True).stdout, "11", flags)
            # The first is a lambda, the second a method.
            for body, unroll in itertools.product((0, None), (UNROLL, ROLLED)):
                with self.subTest(flags=flags, body=body, unroll=unroll):
                    loop = functions(program, lambda body: True)["loop", body, str(unroll)]
                    additions = [t for t in loop if re.match(r"add\s+(%r\w+),\1$|(add|shl|sal)\s+(\$0x1,)?%r\w+$|lea\s+\((%r\w+),\4,1\),", t)]
                    self.assertEqual(len(additions), unroll, loop)
                    self.assertEqual(kinds(loop)["call"], 0, loop)
                    memory = [t for t in loop if "(%r" in t and not t.startswith("lea")]
                    # gcc's -Os reads and writes it once per turn; clang also writes it where a turn may end.
                    self.assertLessEqual(len(memory), 2 if support.FAMILY == "gcc" else 4, loop)

    def test_a_multiplication_waits_in_its_register(self):
        for level, loop in self.each(1, levels=STATE_LEVELS):
            with self.subTest(level=level):
                self.assertEqual(len([t for t in loop if t.startswith("imul")]), UNROLL, loop)
                self.assertLessEqual(len(stores(loop)), 0 if support.FAMILY == "gcc" else 3)

    def test_a_double_waits_in_its_register(self):
        for level, loop in self.each(2, levels=STATE_LEVELS):
            with self.subTest(level=level):
                self.assertEqual(kinds(loop)["addsd"], UNROLL, loop)
                self.assertLessEqual(len(stores(loop)), 0 if support.FAMILY == "gcc" else 3)

    def test_a_returned_value_is_not_stored(self):
        for body in (3, 8):
            for level, loop in self.each(body):
                with self.subTest(level=level, body=body):
                    self.assertEqual(stores(loop), [])
                    self.assertEqual(kinds(loop)["call"], 0)

    def test_compare_exchange_does_not_spill(self):  # anchors/cpp.md 1.2.6
        for level, loop in self.each(4):
            with self.subTest(level=level):
                self.assertGreaterEqual(kinds(loop)["lock cmpxchg"], UNROLL)
                self.assertEqual([t for t in stores(loop) if "(%rsp" in t], [], loop)

    def test_a_result_is_computed_every_time(self):
        for level, loop in self.each(5):
            with self.subTest(level=level):
                self.assertEqual(kinds(loop)["call"] or kinds(loop)["repnz"], UNROLL, loop)

    def test_a_kept_variable_is_computed_every_time(self):
        """`auto q = y / z; tare::keep(q);` computes in every invocation, and leaves the result in its register."""
        for body, work in ((9, r"divl? "), (10, r"divsd "), (11, r"call|repnz"), (12, r"imul "), (13, r"divl? "), (14, r"divl? ")):
            for unroll in (UNROLL, ROLLED, 1):
                for level, loop in self.each(body, unroll):
                    with self.subTest(level=level, body=body, unroll=unroll):
                        self.assertEqual(len([t for t in loop if re.match(work, t)]), unroll, loop)
                        self.assertEqual(stores(loop), [])

    def test_an_opaque_value_waits_for_nothing(self):
        """No memory access between invocations: a store and a load would cost at least five cycles."""
        for body, work in ((15, "div"), (16, "divsd")):
            for level, loop in self.each(body):
                with self.subTest(level=level, body=body):
                    self.assertEqual(kinds(loop)[work], UNROLL, loop)
                    self.assertEqual([t for t in loop if re.search(r"%fs:|\(%r(?!ip)", t)], [])

    def test_a_state_beside_an_opaque_value(self):
        for level, loop in self.each(17, levels=STATE_LEVELS):
            with self.subTest(level=level):
                self.assertEqual(kinds(loop)["imul"], UNROLL, loop)
                if support.FAMILY == "gcc":
                    self.assertEqual(stores(loop), [])

    def test_a_hidden_object_is_not_copied(self):
        for level, loop in self.each(25):
            with self.subTest(level=level):
                self.assertEqual([t for t in loop if t.startswith("call")], [])
                self.assertEqual(len([t for t in loop if re.search(r"0x8\(%r", t)]), UNROLL, loop)

    def test_what_a_body_without_result_writes_is_written_every_time(self):
        for unroll in (UNROLL, ROLLED):
            for level, loop in self.each(18, unroll):
                with self.subTest(level=level, unroll=unroll):
                    written = [t for t in loop if re.match(r"(add|inc|mov)\w*\s+(\S+,)?\S*\(%rip\)$", t)]
                    self.assertEqual(len(written), unroll, loop)

    def test_a_body_that_says_what_is_used_is_left_alone(self):
        for level, program in self.programs.items():
            with self.subTest(level=level):
                self.assertEqual(subprocess.run([program], capture_output=True, text=True, check=True).stdout, MARKED)

    def test_what_a_body_writes_through_references_is_written_every_time(self):
        """It is also computed again, because its inputs have to be read again."""
        for body in (19, 20, 21, 24):
            for unroll in (UNROLL, ROLLED, 1):
                for level, loop in self.each(body, unroll):
                    with self.subTest(level=level, body=body, unroll=unroll):
                        written = [t for t in loop if re.match(r"movsd\s+%xmm\d+,\S*\(%r\w+\)$", t)]
                        self.assertEqual((kinds(loop)["divsd"], len(written)), (unroll, unroll), loop)

    def test_what_a_body_in_c_writes_is_written_every_time(self):
        source = support.SCRATCH / "writes.c"
        source.write_text("""#include <tare.h>
double product, factor = 2.5;
TARE_C_BENCH("writes") { product = factor / 3.7; }
TARE_C_BENCH("keeps a state") { factor /= 3.7; tare_keep_state(factor); }
TARE_MAIN()
""")
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", build(source)], capture_output=True, text=True, check=True).stdout
        for name, times in (("_0_loop", UNROLL), ("_1_loop", UNROLL)):
            body = re.search(rf"<tare_body_\d+{name}>:\n(.*?)\n\n", text, re.S).group(1)
            written = re.findall(r"\smovsd\s+%xmm\d+,\S*\(%rip\)", body)
            with self.subTest(name=name):
                self.assertGreaterEqual(len(re.findall(r"\sdivsd\s", body)), times, body)
                if name == "_1_loop": self.assertLess(len(written), times, body)
                else: self.assertGreaterEqual(len(written), times, body)

    def test_a_body_like_another_has_a_loop_of_its_own(self):
        for level, loop in self.each(23, levels=STATE_LEVELS):
            with self.subTest(level=level):
                self.assertEqual(kinds(loop), kinds(self.found[level]["loop", 0, str(UNROLL)]))

    def test_additions_of_the_width_probe_wait_for_nothing(self):
        # The probe is the same assembly for both languages. Other tests build these programs too.
        for name in ("examples/01-hello.cpp", "examples/07-c.c"):
            for level in LEVELS if support.LONG else ("-O2",):
                program = build(support.ROOT / name, level)
                text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], capture_output=True, text=True, check=True).stdout
                body = re.search(r"<(?:_ZL?\d+)?tare_width_[^>+]*>:\n(.*?)\n\n", text, re.S).group(1)
                turn = re.search(r"((?:\s+\w+:\s+add\s+%r\w+,%r\w+\s*\n)+)\s+\w+:\s+dec\s", body).group(1)
                additions = re.findall(r"add\s+(%r\w+),(%r\w+)", turn)
                self.assertEqual(len(additions), 96, body)
                self.assertEqual(len({step for step, _ in additions}), 1, additions[:6])
                self.assertEqual([sum_ for _, sum_ in additions], [sum_ for _, sum_ in additions[:6]] * 16)
                self.assertEqual(len({*additions[0], *(sum_ for _, sum_ in additions[:6])}), 7, additions[:6])

    def test_nothing_is_nothing_and_still_a_loop(self):
        for level in LEVELS:
            empty = [loop for (kind, body, unroll), loop in self.found[level].items() if kind == "overhead_loop" or body == 6]
            self.assertTrue(empty)
            for loop in empty:
                self.assertIsNotNone(loop)
                # Two of them move the length of a turn, which gcc has to check again in each turn.
                self.assertLessEqual(len(loop), 10, loop)


support.skip("objdump is not installed") if not support.shutil.which("objdump") else support.main()
