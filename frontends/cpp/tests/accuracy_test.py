"""Known costs, by the protocol and the host's arithmetic: an addition is one cycle, a multiplication three, nothing is nothing.

Cycles are those of the clock probe. A busy machine is forgiven by the median, and by many attempts
with pauses: a neighbour on the core's other thread shares its ports for a while, a wrong loop is wrong every time.
"""
import platform, statistics, time, unittest
import support
from child import Child
from support import build

SOURCE = """
#include <tare.h>
template <int Length> struct Chain {
    uint64_t x = 3;
    void operator()() { for (int i = 0; i < Length; ++i) { x *= 0x9e3779b97f4a7c15; tare::keep_state(x); } }
};
TARE_BENCH("1", Chain<1>());
TARE_BENCH("10", Chain<10>());
TARE_BENCH("100", Chain<100>());
TARE_BENCH("1000", Chain<1000>());
TARE_BENCH("addition", [x = uint64_t{1}]() mutable { x += x; tare::keep_state(x); });
TARE_BENCH("nothing", [] {});
TARE_BENCH("a constant", [] { return 1; });
TARE_MAIN()
"""


def cycles(child, loop, invocations, iterations=40):
    reply = child.ask(f"measure {loop} {iterations} {invocations} {invocations // 4}")
    found = []
    for elapsed, cpu, *probes in zip(reply["elapsed_ns"], reply["cpu_ns"], reply["probe_before_ns"], reply["probe_after_ns"]):
        if elapsed - cpu > max(elapsed * 0.02, 10000):
            continue  # preempted
        probe = min(probes) if max(probes) > 1.1 * min(probes) else sum(probes) / 2
        found.append(elapsed / invocations * 32768 / probe)
    return statistics.median(found)


def net(child, name, rough):
    child.ask(f"open {child.index(name)} 1")
    invocations = max(16, int(800000 / max(rough, 0.07)) // 16 * 16)
    turn16, turn4 = cycles(child, "workload", invocations), cycles(child, "rolled", invocations)
    empty = cycles(child, "overhead", invocations) * 16
    child.ask("close")
    return turn16 - min(max((turn4 - turn16) * 16 / 3, 0), empty) / 16


@unittest.skipUnless(support.LONG, "known costs are measured by ./test all, on a machine that is not busy")
@unittest.skipUnless(platform.machine() == "x86_64", "knows the latencies of x86-64")
class Accuracy(unittest.TestCase):
    def test_known_costs(self):
        source = support.SCRATCH / "accuracy.cpp"
        source.write_text(SOURCE)
        child = Child([build(source)])
        child.ask("hello 1")
        for name, expected, tolerance in (("1", 3, 0.01), ("10", 30, 0.01), ("100", 300, 0.01), ("1000", 3000, 0.01),
                                          ("addition", 1, 0.01), ("nothing", 0, 0.02), ("a constant", 0, 0.02)):
            error = None
            for attempt in range(25):
                time.sleep(min(0.02 * attempt, 0.2))
                found = net(child, name, expected)
                error = abs(found - expected) / (expected or 1)
                if error <= tolerance:
                    break
            print(f"{name}: {found:.4f} cycles, expected {expected}")
            self.assertLessEqual(error, tolerance, name)
        self.assertEqual(child.bye(), 0)


support.main()
