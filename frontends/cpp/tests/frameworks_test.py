"""The quick style inside the test cases of doctest, GoogleTest and Catch2, alone and as a child of a host; counterparts of Google Benchmark's tests."""
import pathlib, subprocess, unittest
import support
from child import Child
from support import build

BODY = """
    std::uint64_t x = 1;
    tare::Bench bench("in a test case");
    bench.run("addition", [&] { tare::keep_state(x += x); }).run("multiplication", [&] { tare::keep_state(x *= 3); });
    """
FRAMEWORKS = {  # package, header, text before and after the body, flags
    "doctest": ("doctest-dev", "/usr/include/doctest/doctest.h",
                "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\nTEST_CASE(\"numbers\") {",
                "CHECK(bench.results().size() == 2); }", []),
    "GoogleTest": ("libgtest-dev", "/usr/include/gtest/gtest.h", "#include <gtest/gtest.h>\nTEST(Numbers, Measured) {",
                   "ASSERT_EQ(bench.results().size(), 2u); }", ["-lgtest_main", "-lgtest", "-pthread"]),
    "Catch2": ("catch2", "/usr/include/catch2/catch.hpp",
               "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\nTEST_CASE(\"numbers\") {",
               "REQUIRE(bench.results().size() == 2); }", []),
}


class Frameworks(unittest.TestCase):
    def in_framework(self, name):
        package, header, before, after, flags = FRAMEWORKS[name]
        if not pathlib.Path(header).exists():
            self.skipTest(f"{name} is not installed (Debian: apt-get install {package})")
        source = support.SCRATCH / f"{name}.cpp"
        source.write_text(f"#include <tare/bench.hpp>\n{before}{BODY}{after}\n")
        program = build(source, support.PLAIN, *flags, warnings=[])
        done = subprocess.run([program], capture_output=True, text=True, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("| in a test case", done.stdout)
        self.assertIn("`multiplication`", done.stdout)
        child = Child([program], stdout=subprocess.DEVNULL)
        child.ask("hello 1")
        self.assertEqual([(b["group"], b["name"], b["baseline"]) for b in child.list()],
                         [("in a test case", "addition", True), ("in a test case", "multiplication", False)])
        self.assertEqual(child.ask("open 1 3"), {"reply": "opened"})
        self.assertEqual(len(child.ask("measure workload 2 1000 1")["elapsed_ns"]), 2)
        self.assertEqual(child.ask("close"), {"reply": "closed"})
        self.assertEqual(child.bye(), 0)

    def test_doctest(self):
        self.in_framework("doctest")

    def test_google_test(self):
        self.in_framework("GoogleTest")

    @unittest.skipUnless(support.LONG, "Catch2 takes 16 s to compile: ./test all")
    def test_catch2(self):
        self.in_framework("Catch2")


class GoogleBenchmark(unittest.TestCase):
    """tests/google_benchmark.cpp."""

    @classmethod
    def setUpClass(cls):
        cls.program = build(support.ROOT / "tests/google_benchmark.cpp", support.PLAIN)

    def setUp(self):
        self.child = Child([self.program], stdout=subprocess.DEVNULL)
        self.addCleanup(self.child.end)
        self.child.ask("hello 1")
        self.found = self.child.list()

    def cases(self, group, name):
        """The values of the parameters of each case, and its index."""
        return {tuple(p["value"] for p in b["parameters"]): b["index"] for b in self.found if (b["group"], b["name"]) == (group, name)}

    def texts(self, index, times=1, requests=()):
        """What the body of an open case returns."""
        self.assertEqual(self.child.ask(f"open {index} 5")["reply"], "opened")
        for request in requests:
            self.assertEqual(self.child.ask(request)["reply"], "measured")
        texts = [self.child.ask("check")["text"] for _ in range(times)]
        self.assertEqual(self.child.ask("close"), {"reply": "closed"})
        return texts

    def test_basic(self):
        self.assertEqual([b["name"] for b in self.found if "invalid" in b], ["downwards", "no rate"])
        self.assertEqual(list(self.cases("basic", "empty")), [("1",), ("2",)])
        for name, set_ups in {"spin_empty": [], "spin_pause_before": ["global"], "spin_pause_during": ["iteration"],
                              "spin_pause_before_and_after": ["global", "global-clean-up"]}.items():
            cases = self.cases("basic", name)
            self.assertEqual(list(cases), [("8",), ("512",), ("8192",)])
            for index in cases.values():
                self.assertEqual(self.found[index]["set_ups"], set_ups)
                self.texts(index, requests=["measure workload 2 3 1"])
        self.assertEqual(self.texts(self.cases("basic", "counted")[()], requests=["measure workload 3 1009 7"]), [str(3 * 1009 + 7 + 1)])
        names = [f"{b['group']}/{b['name']}" for b in self.found if b["group"].startswith("basic_")]
        self.assertEqual(names, ["basic_one/int", "basic_one/double", "basic_two/int, double", "basic_two/double, int"])
        for name, text in (("int", "3"), ("double", "3")):
            self.assertEqual(self.texts(self.cases("basic_one", name)[()], 3)[-1], text)

    def test_filter(self):
        for pattern, count in (("*Foo*", 3), ("BM_*", 4), ("BM_Ba*", 1), ("*Foo", 1), ("NoPrefix", 1), ("BM_Foo?ar", 1), ("Foo*", 0), ("BM_FooB*", 2)):
            shown = subprocess.run([self.program, "--list", "--filter", pattern], capture_output=True, text=True)
            self.assertEqual(len(shown.stdout.splitlines()), count, pattern)

    def test_fixture(self):
        for name in ("foo", "bar"):
            index = self.cases("MyFixture", name)[()]
            self.assertEqual(self.texts(index, 2, ["measure workload 2 100 1"]), ["42", "42"])
            self.assertEqual(self.found[index]["rates"], [{"name": "items", "per_invocation": 42}])

    def test_map(self):
        for name, step in (("fresh", "iteration"), ("same", "global")):
            cases = self.cases("map", name)
            self.assertEqual(list(cases), [("8",), ("64",), ("512",), ("4096",)])
            for (size,), index in cases.items():
                self.assertIn(step, self.found[index]["set_ups"])
                self.assertEqual(self.found[index]["rates"], [{"name": "items", "per_invocation": int(size)}])
                self.texts(index, requests=["measure workload 1 1 0"])

    def test_ranges_and_products(self):
        wanted = {(a, b, c) for a in (1, 2) for b in (3, 4, 7) for c in (5, 8, 15)} | {(7, 6, 3)}
        found = self.cases("ranges", "product")
        self.assertEqual({tuple(map(int, values)) for values in found}, wanted)
        self.assertEqual(self.texts(found["7", "6", "3"]), ["126"])
        found = self.cases("args", "product")
        self.assertEqual([tuple(map(int, values)) for values in found], [(a, 15, c, d) for a in (1, 2) for c in (3, 7, 10) for d in (8, 9)])
        self.assertEqual(self.texts(found["2", "15", "10", "9"]), [str(2 * 15 * 10 * 9)])

    def test_options(self):
        for name, values in {"dense": range(10, 16), "negative": range(-2, 3), "doubled": (1, 2, 4, 8), "below": (-64, -8, -1),
                             "across": (-8, -4, -1, 0, 1, 4, 8), "from zero": (0, 1, 2, 4, 8)}.items():
            found = self.cases("options", name)
            self.assertEqual([int(value) for value, in found], list(values))
            for (value,), index in found.items():
                self.assertEqual(self.texts(index), [value])
        self.assertEqual(list(self.cases("options", "threads")), [("2",), ("4",)])
        policy = lambda name: self.found[self.cases("options", name)[()]]["policy"]
        self.assertEqual(policy("times"), {"visit_ns": 700_000_000, "warmup_ns": 800_000_000})
        self.assertEqual(policy("invocations"), {"invocations": 42})
        of = lambda name: self.found[self.cases("options", name)[()]]
        self.assertEqual(of("rate")["rates"], [{"name": "foo", "per_invocation": 0.0001}, {"name": "bytes", "unit": "B", "per_invocation": 4096}])
        self.assertIn("is not a number of at least 0", of("no rate")["invalid"])
        self.assertIn("the parameter n has no values", of("downwards")["invalid"])
        self.assertEqual(self.texts(of("volatile")["index"], requests=["measure workload 2 20 1"]), ["3"])
        self.assertEqual(self.texts(of("volatile number")["index"], requests=["measure workload 2 20 1"]), ["0.5"])

    def test_set_up_and_clean_up(self):
        at = [*self.cases("steps", "alone").values(), *self.cases("steps", "in threads").values()]
        self.assertEqual(len(at), 3)
        for done, index in enumerate(at):
            self.assertEqual(self.texts(index, requests=["measure workload 3 100 1"]), [str(10 * (done + 1) + done)])


support.main()
