"""The header under every standard, with and without exceptions and RTTI, without a warning."""
import subprocess, unittest
import support
from support import ROOT, SCRATCH, WARNINGS, command

NO_EXCEPTIONS = ROOT / "examples/04-fixture.cpp"
CXX = sorted((ROOT / "examples").glob("*.cpp")) + [f for folder in ("examples/cpp", "traps") for f in sorted((ROOT / "../.." / folder).resolve().glob("*.cpp"))]


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
        """Warnings that need the optimiser are looked for in what the tests themselves use; in every example by ./test all."""
        cases = ROOT / "tests/cases.cpp"
        self.compiles(cases, "-O2", standard="c++17")
        for source in CXX + [cases]:
            if support.LONG:
                self.compiles(source, "-O2", standard="c++17")
            for standard in standards() if support.LONG else ("c++17", standards()[-1]):
                self.compiles(source, standard=standard)
        self.compiles(cases, "-O0", "-Wold-style-cast", "-Wuseless-cast" if support.FAMILY == "gcc" else "-O0", standard="c++17")

    def test_without_exceptions_and_rtti(self):
        some = (["-fno-exceptions"], ["-fno-rtti"]) if support.LONG else ()
        for standard in standards() if support.LONG else ("c++17", standards()[-1]):
            for flags in (*some, ["-fno-exceptions", "-fno-rtti"]):
                self.compiles(NO_EXCEPTIONS, *flags, standard=standard)

    def test_c(self):
        for standard in ("c11", "gnu11", "c17", "gnu17"):
            for level in ("-O0", "-O2"):
                self.compiles(ROOT / "examples/07-c.c", level, standard=standard)
            self.compiles(ROOT / "tests/declared.c", "-O2", standard=standard)

    def test_other_levels(self):
        some = (["-O1"], ["-Os"], ["-O2", "-flto"], ["-Og", "-g"]) if support.LONG else ()
        for flags in (["-O0"], ["-O3", "-march=native"], *some):
            self.compiles(ROOT / "examples/06-quick.cpp", *flags, standard="c++17")


support.main()
