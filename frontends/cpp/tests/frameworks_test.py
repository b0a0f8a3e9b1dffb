"""The quick style inside the test cases of doctest, GoogleTest and Catch2: alone, and as a child of a host."""
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
        program = build(source, "-O1", *flags, warnings=[])
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


support.main()
