"""The header compiles without warnings under every standard, with and without exceptions and RTTI."""
import subprocess, unittest
import support
from support import ROOT, SCRATCH, WARNINGS, command

NO_EXCEPTIONS = ROOT / "examples/04-fixture.cpp"
CXX = sorted((ROOT / "examples").glob("*.cpp")) + [f for folder in ("examples/cpp", "traps") for f in sorted((ROOT / "../.." / folder).resolve().glob("*.cpp"))]

# Built by the tests of the protocol and of the quick style, with -O2 in C++17 and all warnings.
BUILT = [ROOT / f"examples/{name}.cpp" for name in ("01-hello", "04-fixture", "06-quick", "10-threads-and-rates")] + [ROOT / "tests/cases.cpp"]


def standards():
    newest = "c++23" if subprocess.run([support.cxx(), "-std=c++23", "-E", "-x", "c++", "/dev/null"], capture_output=True,
                                       ).returncode == 0 else "c++2b"
    return ["c++17", "c++20", newest]


class Matrix(unittest.TestCase):
    def compiles(self, source, *flags, standard):
        flags = flags or ["-fsyntax-only"]
        key = support.PROGRAMS / support.key_of(source, *WARNINGS, *flags, "-c", standard)
        if key.exists():
            return
        done = subprocess.run([*command(source, SCRATCH / "out.o", *WARNINGS, *flags, standard=standard), "-c"],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{source} {standard} {flags}")
        key.parent.mkdir(parents=True, exist_ok=True)
        key.touch()

    def test_cxx(self):
        """The header in C++17 and in the newest standard. ./test all also compiles the examples that other tests build anyway, and all of them in
        each standard with the optimiser's warnings. One compiler suffices for the examples, because the header is the same."""
        cases, newest = ROOT / "tests/cases.cpp", standards()[-1]
        for source in CXX + [cases]:
            if support.LONG:
                self.compiles(source, "-O2", standard="c++17")
                for standard in standards():
                    self.compiles(source, standard=standard)
            elif support.FIRST and source not in BUILT:
                self.compiles(source, standard="c++17")
        for source in (cases, ROOT / "tests/nanobench.cpp", ROOT / "examples/10-threads-and-rates.cpp"):
            self.compiles(source, standard=newest)
        if not support.FIRST:
            # The first one builds these.
            for name in ("invalid", "quick_style", "threads"):
                self.compiles(ROOT / f"tests/{name}.cpp", standard="c++17")
            if support.has_coroutines():
                self.compiles(ROOT / "tests/coroutine.cpp", standard="c++20")
            print("skipped: the examples by the second compiler: ./test all")
        self.compiles(cases, "-O0", "-Wold-style-cast", "-Wuseless-cast" if support.FAMILY == "gcc" else "-O0", standard="c++17")

    def test_without_exceptions_and_rtti(self):
        some = (["-fno-exceptions"], ["-fno-rtti"]) if support.LONG else ()
        for standard in standards() if support.LONG else ["c++17"]:
            for flags in (*some, ["-fno-exceptions", "-fno-rtti"]):
                self.compiles(NO_EXCEPTIONS, *flags, standard=standard)

    def test_c(self):
        """C11 is left out, because other tests build it."""
        levels = [(standard, level) for standard in ("c11", "gnu11", "c17", "gnu17") for level in ("-O0", "-O2")]
        for standard, level in levels if support.LONG else [("c11", "-O0"), ("gnu17", "-O2")]:
            self.compiles(ROOT / "examples/07-c.c", level, standard=standard)
            self.compiles(ROOT / "tests/declared.c", level, standard=standard)

    def test_other_levels(self):
        some = (["-O0"], ["-O1"], ["-Os"], ["-O2", "-flto"], ["-Og", "-g"]) if support.LONG else ()
        for flags in (["-O3", "-march=native"], *some) if support.FIRST else ():
            self.compiles(ROOT / "examples/06-quick.cpp", *flags, standard="c++17")


support.main()
