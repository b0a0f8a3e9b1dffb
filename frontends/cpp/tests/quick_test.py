"""The quick style, and how a program handles its arguments and a `tare` on the PATH."""
import csv, json, os, re, shutil, subprocess, unittest
import support
from support import ROOT, build, direct

ROW = re.compile(r"\| +(?P<less>< )?(?P<time>[0-9.]+) (?P<unit>ns|µs|ms|s) \| (?: +(?P<rate>[0-9.]+(?: [kMGTP])?|-) \| )? *(?P<cycles>[0-9.]+|-) \| +(?P<error>[0-9.]+ %|-) \| +"
                 r"(?P<ratio>[0-9.]+|> 1e5|-) \| `(?P<name>.*)`(?: \((?P<warning>.*)\))?")
BODIES = """
#include <tare/bench.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>
int main() {
    tare::Bench bench("a title");
    uint64_t x = 1;
    bench.run("x += x", [&] { x += x; tare::keep_state(x); });
    bench.run("ten | times", [&] { for (int i = 0; i < 10; ++i) { x += x; tare::keep_state(x); } });
    bench.run("empty", [] {});
    bench.run("sleep", [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
    bench.run("throws", [] { if (tare::opaque(true)) throw std::runtime_error("on purpose"); });
}
"""


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=1200, **more)


class Quick(unittest.TestCase):
    def test_style(self):
        source = support.SCRATCH / "bodies.cpp"
        source.write_text(BODIES)
        program = build(source, support.PLAIN)
        done = run(program)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertIn("| a title", lines[1])
        bars = [[i for i, c in enumerate(line) if c == "|"][:5] for line in lines[1:]]
        self.assertEqual(bars, [bars[0]] * len(bars), done.stdout)  # aligned
        rows = {m["name"]: m for m in map(ROW.match, lines) if m}
        self.assertEqual(list(rows), ["x += x", "ten \\| times", "empty", "sleep"])
        self.assertEqual(rows["x += x"]["ratio"], "1.000")
        # The ratio matches the times, whatever they are on a busy machine.
        time = {name: float(row["time"]) for name, row in rows.items()}
        if rows["x += x"]["unit"] == rows["ten \\| times"]["unit"]:
            self.assertAlmostEqual(float(rows["ten \\| times"]["ratio"]) / (time["ten \\| times"] / time["x += x"]), 1, delta=0.1)
        # The other numbers are tested with made-up windows in tests/quick_result.cpp.
        self.assertEqual((rows["sleep"]["unit"], rows["sleep"]["cycles"]), ("ms", "-"))
        self.assertIn("on purpose", done.stdout)

    def test_results_from_windows_that_are_known(self):
        """Bounds and intervals cover the true times; disturbed or short bodies are not reported as optimised away."""
        done = run(build(ROOT / "tests/quick_result.cpp"))
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    @support.first_compiler
    def test_invalid_declarations_cost_their_own_rows(self):
        done = run(build(ROOT / "tests/invalid.cpp", support.PLAIN), env=direct())
        self.assertEqual((done.returncode, done.stdout.count("  failed: "), done.stderr), (1, 13, ""), done.stdout)
        self.assertIn("g/last  ran  2\n", done.stdout)
        done = run(build(ROOT / "tests/quick_style.cpp", support.PLAIN))
        self.assertEqual((done.returncode, done.stdout.count("failed")), (0, 4), done.stdout)
        self.assertIn("`future`: it returns a future: return its value", done.stdout)
        self.assertIn("`failing`: no table", done.stdout)
        self.assertIn("`a name that is made at run time 1`", done.stdout)

    @unittest.skipUnless(support.FIRST, "the second compiler reads the program; ./test all runs it too")
    def test_what_nanobench_can(self):
        """nanobench's tutorials and examples, with its names; the tools for these formats read the files that they write."""
        folder = support.SCRATCH / "files"
        folder.mkdir(exist_ok=True)
        program = build(ROOT / "tests/nanobench.cpp", support.PLAIN)
        self.assertEqual(run(program, "endless").returncode, 0)
        endless = run(program, "endless", env=dict(os.environ, NANOBENCH_ENDLESS="endless"))
        self.assertEqual((endless.returncode, endless.stderr), (7, "note: NANOBENCH_ENDLESS: running `endless` until it is ended\n"))
        done = run(program, cwd=folder)
        self.assertEqual((done.returncode, [line for line in done.stderr.splitlines() if line.startswith("wrong")]), (0, []))
        for line in done.stdout.splitlines():
            if line.startswith("skipped"):
                print(line)
        self.assertEqual(done.stdout.count("| O(n log n)"), 3)
        self.assertIn("| benchmark", done.stdout)
        self.assertIn("|      ms/byte |    cycles |      ± |    total |  ratio |  threads | a \\| title", done.stdout)
        results = json.loads((folder / "mustache.json").read_text())["results"]
        self.assertEqual([r["name"] for r in results], ["std::mt19937_64 </script>", 'std::knuth_b "quoted"; \\'])
        self.assertEqual([len(r["measurements"]) for r in results], [11, 11])
        self.assertGreater(results[0]["median(elapsed)"], 0)
        with open(folder / "mustache.csv", newline="") as file:
            rows = list(csv.reader(file, delimiter=";"))
        self.assertEqual((len(rows), {len(row) for row in rows}, rows[2][1]), (3, {10}, 'std::knuth_b "quoted"; \\'))
        timed = json.loads((folder / "mustache.pyperf").read_text())["benchmarks"]
        self.assertEqual([len(b["runs"][0]["values"]) for b in timed], [11, 11])
        page = (folder / "mustache.html").read_text()
        self.assertNotIn("</script>\"", page)
        self.assertEqual((page.count("<script>"), page.count("</script>"), page.count("http")), (1, 1, 0))

    @support.first_compiler
    def test_names_that_are_markup(self):
        source = support.SCRATCH / "markup.cpp"
        names = ["new\\nline", "esc\\x1b[31m", "back`tick", "two``of them", "a|b"]
        source.write_text("#include <tare/bench.hpp>\n" + "".join(f'TARE_BENCH("g|`/{name}", [] {{ return 1; }});\n' for name in names)
                          + 'int main(int c, char** v) { int x = 1; tare::Bench b("t|"); for (const char* n : {'
                          + ", ".join(f'"{name}"' for name in names) + "}) b.run(n, [&] { return x; }); return tare_main(c, v); }\n")
        program = build(source, support.PLAIN)
        table = run(program, env=direct()).stdout
        shown = ["`new line`", "`esc [31m`", "`` back`tick ``", "``` two``of them ```", "`a\\|b`"]
        self.assertEqual([name for name in shown if f"| {name} (" not in table and f"| {name}\n" not in table], [], table)
        self.assertIn("| t\\|\n", table)
        listed = run(program, "--list", env=direct()).stdout.splitlines()
        self.assertIn("g|`/new?line", listed)
        self.assertEqual(run(program, "--list", "--filter", "g|`/new?line", env=direct()).stdout.splitlines()[-1], "g|`/new?line")

    def test_debug_build(self):
        source = support.SCRATCH / "bodies.cpp"
        source.write_text(BODIES)
        self.assertIn("without optimisation", run(build(source, "-O0", name="debug")).stderr)

    def test_one_file(self):
        """The output of `one-header` can replace the folder."""
        folder = support.SCRATCH / "one-header"
        folder.mkdir(exist_ok=True)
        (folder / "tare.h").write_text(run(str(ROOT / "one-header")).stdout)
        for example in ("01-hello.cpp", "07-c.c"):
            program = folder / example.split(".")[0]
            shutil.copy(ROOT / "examples" / example, folder)
            done = run(*(part for part in support.command(folder / example, program, *support.WARNINGS) if part != f"-I{support.INCLUDE}"), f"-I{folder}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("  ran", run(str(program), env=direct()).stdout)

    def test_arguments(self):
        program = build(ROOT / "examples/04-fixture.cpp", support.PLAIN)
        names = run(program, "--list").stdout.splitlines()
        self.assertEqual(len(names), 10)
        self.assertEqual(names[1], "Select/smallest[size=100, order=shuffled]")
        self.assertEqual(run(program, "--list", "--filter", "*size=100,*").stdout.splitlines(), names[0:2] + names[4:6])
        self.assertEqual(run(program, "--list", "--filter", "t/medi").stdout.splitlines(), names[4:8])
        self.assertEqual(run(program, "--list", "--filter", "push_back/*").stdout.splitlines(), names[8:])
        self.assertEqual(run(program, "--list", "--filter", "medi*").returncode, 2)  # as in `tare run`, a glob is of all
        self.assertEqual(run(program, "--lists").returncode, 2)
        self.assertIn("hint", run(program, "--lists").stderr)
        self.assertIn("--filter GLOB", run(program, "--help").stdout)
        ran = run(program, "--filter", "Select/*").stdout.splitlines()
        self.assertEqual([line.split("  ")[0] for line in ran[:-1]], names[:8])
        self.assertTrue(all("  ran  " in line for line in ran[:-1]) and ran[-1].startswith("hint: "), ran)

    def test_a_failure_ends_with_status_1(self):
        done = run(build(ROOT / "tests/cases.cpp"), "--filter", "fails/*")
        self.assertEqual(done.returncode, 1)
        self.assertIn('fails/body  failed: no "good"', done.stdout)
        self.assertGreaterEqual(done.stdout.count("  failed: "), 6)

    def test_hands_itself_to_tare(self):
        program = build(ROOT / "examples/01-hello.cpp")
        folder = support.SCRATCH / "bin"
        folder.mkdir(exist_ok=True)
        fake = folder / "tare"
        fake.write_text('#!/bin/sh\necho "$@"\n')
        fake.chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        self.assertEqual(run(program, env=dict(os.environ, PATH=path)).stdout, f"run {os.path.realpath(program)}\n")
        self.assertIn("strtol", run(program, env=direct(PATH=path)).stdout)
        self.assertIn("strtol", run(program, "--list", env=dict(os.environ, PATH=path)).stdout)
        fake.unlink()
        alone = run(program, env=dict(os.environ, PATH=f"{folder}"))
        self.assertEqual((alone.returncode, alone.stderr, alone.stdout.count("hint: `tare` on the PATH")), (0, "", 1))

    def test_c(self):
        done = run(build(ROOT / "examples/07-c.c"), env=direct())
        self.assertEqual(done.stdout.count("  ran"), 2, done.stdout)

    def test_main_of_its_own(self):
        """TARE_MAIN() and cmake/main.cpp are weak: two of them, or one with a main of the user, can be linked together."""
        one, two = support.SCRATCH / "one.cpp", support.SCRATCH / "two.cpp"
        one.write_text('#include <tare.h>\nTARE_BENCH("one", [] { return 1; });\nTARE_MAIN()\n')
        two.write_text('#include <tare.h>\nTARE_BENCH("twö", [] { return 2; });\nTARE_MAIN()\n')
        program = build(one, "-O0", str(two), str(ROOT / "cmake/main.cpp"))
        self.assertEqual(sorted(run(program, "--list").stdout.split()), ["one", "twö"])
        self.assertEqual(run(program, "--list", "--filter", "tw?").stdout, "twö\n")  # a character, not a byte
        two.write_text('#include <tare.h>\nint main() { puts("mine"); }\n')
        self.assertEqual(run(build(one, "-O0", str(two), str(ROOT / "cmake/main.cpp"))).stdout, "mine\n")


support.main()
