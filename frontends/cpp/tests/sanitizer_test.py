"""The protocol, the quick style and direct starts under AddressSanitizer and UndefinedBehaviorSanitizer."""
import subprocess, unittest
import support
from child import Child
from support import ROOT, SCRATCH, build, direct

FIXTURE = ["examples/04-fixture.cpp"] if support.LONG else []
FLAGS = ["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@unittest.skipUnless(support.FIRST, "both compilers find the same mistakes; the second one by ./test all")
class Sanitizer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (SCRATCH / "probe.cpp").write_text("int main() {}\n")
        try:
            subprocess.run([build(SCRATCH / "probe.cpp", *FLAGS, warnings=[])], check=True, capture_output=True)
        except (AssertionError, subprocess.CalledProcessError):
            support.skip(f"{support.cxx()} has no sanitizers here")

    def test_protocol(self):
        # The first one has benchmarks of every form; the examples with a fixture add nothing.
        for source in ("tests/cases.cpp", "examples/07-c.c", *FIXTURE):
            child = Child([build(ROOT / source, *FLAGS, warnings=[])], stdout=subprocess.DEVNULL)
            hello = child.ask("hello 1")
            # The sanitizer keeps freed memory for a while, so growth is not a leak.
            self.assertEqual((hello["debugger"], hello["collects"]), (False, True))
            for benchmark in child.list():
                if child.ask(f"open {benchmark['index']} {benchmark['index'] * 77}")["reply"] == "error":
                    continue
                for request in ("check", "measure workload 3 37 5", "measure rolled 2 5 0", "measure overhead 1 17 1"):
                    child.ask(request)
                # Without an instance there is nothing to measure, and no host requests it.
                if child.ask("randomize 8")["reply"] != "error":
                    child.ask("measure workload 1 1 0")
                child.ask("close")
            child.ask("open 0 1")
            self.assertEqual(child.bye(), 0, source)

    def test_direct(self):
        names = ["examples/02-results.cpp", "examples/06-quick.cpp", "examples/07-c.c", *FIXTURE]
        for source, *arguments in (*((name,) for name in names), ("tests/cases.cpp", "--filter", "value/*"), ("tests/cases.cpp", "--list")):
            done = subprocess.run([build(ROOT / source, *FLAGS, warnings=[]), *arguments], env=direct(), capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("Sanitizer", done.stderr)

    def test_marks_are_aligned(self):
        # They are read as 4-byte numbers, wherever the linker puts them.
        program = build(ROOT / "examples/02-results.cpp", *FLAGS, warnings=[])
        sections = subprocess.run(["readelf", "-SW", program], capture_output=True, text=True, check=True).stdout
        marks = [line for line in sections.splitlines() if " tare_marks " in line]
        self.assertEqual([line.split()[-1] for line in marks], ["4"], sections)


support.main()
