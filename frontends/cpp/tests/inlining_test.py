"""This header does not affect what a compiler inlines into a body: the loop is the same machine code with and without TARE_MAIN(), alone in
its file and together with a hundred others, and the functions it calls are inlined at every size or at none."""
import functools, platform, re, shutil, subprocess, unittest
import support
from support import SCRATCH, command

SIZES = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64) if support.LONG else (1, 8, 16, 48)  # of three to four instructions each
FEW = (1, 16, 48)  # beside other kinds, levels, files
LEVELS = (("-O2",), ("-O3",), ("-Os",)) if support.LONG else (("-O2",),)
STEP = "x = (x ^ (x >> {shift})) * a + b; if (x == {stop}u) return x;"


TASK = """
struct Task {
    struct promise_type {
        uint64_t value = 0;
        std::coroutine_handle<> next;
        struct Last {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> it) noexcept { return it.promise().next; }
            void await_resume() noexcept {}
        };
        Task get_return_object() { return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        Last final_suspend() noexcept { return {}; }
        void return_value(uint64_t it) { value = it; }
        void unhandled_exception() {}
    };
    explicit Task(std::coroutine_handle<promise_type> it) : handle(it) {}
    Task(Task&& other) noexcept : handle(other.handle) { other.handle = nullptr; }
    ~Task() { if (handle) handle.destroy(); }
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> next) { handle.promise().next = next; return handle; }
    uint64_t await_resume() { return handle.promise().value; }
    std::coroutine_handle<promise_type> handle;
};
"""


def work(name, size, is_c, shift=7):
    steps = "\n    ".join(STEP.format(shift=shift + i % 20, stop=i + 12345) for i in range(size))
    if is_c:
        return f"static uint64_t {name}(uint64_t x) {{\n    const uint64_t a = factor, b = term;\n    {steps}\n    return x;\n}}\n"
    # In an anonymous namespace: clang inlines a large function into its only caller if it can then drop it.
    return f"namespace {{\nstruct {name} {{\n  uint64_t a = 77, b = 5;\n  uint64_t find(uint64_t x) const {{\n    {steps}\n    return x;\n  }}\n}};\n}} // namespace\n"


def source(size, kind, others, main):
    """A file with one benchmark named `Probe`, and `others` more."""
    is_c = kind == "c"
    text = ("#include <tare/coroutine.hpp>\n" + TASK if kind == "coroutine" else "#include <tare.h>\n") + ("uint64_t factor = 77, term = 5, input = 3;\n" if is_c else "")
    for i in range(others):
        text += work(f"Other{i}", i % 8 + 1, is_c, 8)  # gcc makes one of functions that are alike
        if is_c: text += f'TARE_C_BENCH("others/{i}") {{ uint64_t r = Other{i}(input); tare_keep(r); }}\n'
        else: text += f'static Other{i} other{i};\nTARE_BENCH("others/{i}", [] {{ return other{i}.find(tare::opaque(3u)); }});\n'
    text += work("Probe", size, is_c)
    if kind == "lambda": text += 'static Probe probe;\nTARE_BENCH("g/probe", [] { return probe.find(tare::opaque(3u)); });\n'
    if kind == "method": text += "struct Fixture { Probe probe; uint64_t run() { return probe.find(tare::opaque(3u)); } };\nTARE_BENCH(&Fixture::run);\n"
    if kind == "function": text += "static Probe probe;\nstatic uint64_t run() { return probe.find(tare::opaque(3u)); }\nTARE_BENCH(run);\n"
    if kind == "coroutine":
        text += "static Probe probe;\nstatic Task compute(uint64_t x) { co_return probe.find(x); }\n"
        text += 'TARE_BENCH("g/probe", [] { return tare::wait(compute(tare::opaque(3u))); });\n'
    if kind == "c": text += 'TARE_C_BENCH("g/probe") { uint64_t r = Probe(input); tare_keep(r); }\n'
    return text + ("TARE_MAIN()\n" if main else "")


def loop_of(program, kind, others):
    """The loop of the probe as instructions without addresses, and whether it calls anything but the function that reports results. For a
    coroutine, also its own code after the loop, which no loop inlines."""
    text = subprocess.run(["objdump", "-dC", "--no-show-raw-insn", program], capture_output=True, text=True, check=True).stdout
    last = rf"\$_{others}\b|tare_benchmark_\d+_{others}\b|lambda\(\)#{others + 1}\b"
    names = {"lambda": rf"tare::detail::loop<[^>]*?(?:{last})", "method": r"tare::detail::loop<tare::detail::Method", "c": rf"tare_body_\d+_{others}_loop",
             "function": r"tare::detail::loop<tare::detail::Function"}
    names["coroutine"] = names["lambda"]
    blocks = [b for b in re.split(r"\n(?=[0-9a-f]{8,} <)", text) if ".cold" not in b.split("\n")[0]]
    of = lambda pattern: [b for b in blocks if re.match(rf"[0-9a-f]+ <(?:void )?{pattern}", b)]
    found = of(names[kind])
    assert len(found) == 1, (kind, [b.split("\n")[0] for b in found])
    if kind != "coroutine": return plain(found[0])
    own = of(r"compute\((?:unsigned long|compute\()") or of("compute")
    assert own, [b.split("\n")[0] for b in blocks]
    code = [plain(block) for block in sorted(own, key=lambda block: block.split("<")[1])]
    return [plain(found[0])[0], *(text for text, _ in code)], any(calls_probe for _, calls_probe in code)


def plain(block):
    """The code of a function without addresses, and whether it calls a function by name."""
    code = re.findall(r"^\s*[0-9a-f]+:\s+(.*)$", block, re.M)
    code = [re.sub(r"#.*|<.*", "", t) for t in code if not re.search(r"\bnop|xchg\s+%ax,%ax", t)]
    code = [re.sub(r"^((?:j\w+|call)\s+)[0-9a-f]+", r"\1", re.sub(r"-?0x[0-9a-f]+\(%rip\)", "(%rip)", t)).strip() for t in code]
    return code, any(re.match(r"call(?!\s+\*)", t) for t in code)


@unittest.skipUnless(platform.machine() == "x86_64", "reads x86-64 machine code")
class Inlining(unittest.TestCase):
    @staticmethod
    @functools.lru_cache(maxsize=None)
    def loop(size, kind, flags, others=0, main=False, link=False):
        file = SCRATCH / f"probe.{'c' if kind == 'c' else 'cpp'}"
        file.write_text(source(size, kind, others, main))
        output = SCRATCH / "probe.o"
        standard = "c++20" if kind == "coroutine" else None
        done = subprocess.run([*command(file, output, *flags, standard=standard), *([] if link else ["-c"])], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return loop_of(output, kind, others)

    def test_the_optional_main_changes_nothing(self):
        kinds = ("lambda", "method", "function", "c", "coroutine") if support.LONG else ("lambda", "c")
        if not support.has_coroutines(): kinds = [kind for kind in kinds if kind != "coroutine"]
        for flags in LEVELS:
            for kind in kinds:
                for size in SIZES if kind in ("lambda", "c") and flags == LEVELS[0] else FEW:
                    with self.subTest(flags=flags, kind=kind, size=size):
                        self.assertEqual(self.loop(size, kind, flags), self.loop(size, kind, flags, main=True))

    def test_what_is_called_is_inlined_at_every_size(self):
        for flags in (f for f in LEVELS if f != ("-Os",)):
            for kind in ("lambda", "method", "function", "c") if support.LONG else ("lambda", "c"):
                calls = {size: self.loop(size, kind, flags)[1] for size in (SIZES if kind in ("lambda", "c") else FEW)}
                self.assertEqual(len(set(calls.values())), 1, f"{flags} {kind}: {calls}")

    def test_others_in_the_file_change_nothing(self):
        for flags in LEVELS:
            for kind in ("lambda", "c") if support.LONG else ("lambda",):
                for size in FEW if support.LONG else (16,):
                    with self.subTest(flags=flags, kind=kind, size=size):
                        self.assertEqual(self.loop(size, kind, flags), self.loop(size, kind, flags, others=100 if support.LONG else 10))

    @unittest.skipUnless(support.LONG, "what a linker optimises: ./test all")
    def test_a_linker_that_optimises_inlines_the_same(self):
        for kind in ("lambda", "c"):
            calls = {size: self.loop(size, kind, ("-O2", "-flto"), main=True, link=True)[1] for size in SIZES}
            self.assertEqual(len(set(calls.values())), 1, f"{kind}: {calls}")


support.skip("objdump is not installed") if not shutil.which("objdump") else support.main()
