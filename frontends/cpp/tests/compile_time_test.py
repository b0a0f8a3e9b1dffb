"""What the header costs a compilation, in CPU time over a file with the same standard headers."""
import resource, statistics, subprocess, unittest
import support
from support import ROOT, SCRATCH, command

BASE = "#include <cstdlib>\n#include <string>\nint main(int n, char** a) { return std::stoi(std::string(a[n - 1])) == 0; }\n"


def seconds(source):
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command(source, SCRATCH / "out.o", "-O2"), "-c"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


@unittest.skipUnless(support.LONG, "the time of compilations is measured by ./test all")
class CompileTime(unittest.TestCase):
    def test_ratio(self):
        base, included, hello = (SCRATCH / name for name in ("base.cpp", "included.cpp", "hello.cpp"))
        base.write_text(BASE)
        included.write_text("#include <tare.h>\n" + BASE)
        hello.write_text((ROOT / "examples/01-hello.cpp").read_text().replace("TARE_MAIN()", ""))
        least = seconds(base)
        ratios = {"included": seconds(included) / least, "two benchmarks": seconds(hello) / least,
                  "two benchmarks and main": seconds(ROOT / "examples/01-hello.cpp") / least}
        print({name: f"{ratio:.2f} x {least:.3f} s" for name, ratio in ratios.items()})
        self.assertLess(ratios["included"], 2)
        self.assertLess(ratios["two benchmarks"], 3.5)
        self.assertLess(ratios["two benchmarks and main"], 5)


support.main()
