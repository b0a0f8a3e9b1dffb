"""Kernels timed by events on a simulated device, whose times are known exactly."""
import subprocess, unittest

import support
from child import Child
from support import ROOT, SCRATCH, build

GPU = ROOT / "tests/gpu"


class Gpu(unittest.TestCase):
    def child(self, **environment):
        child = Child([build(GPU / "gpu.cpp", f"-isystem{GPU}", "-ldl")], environment, stdout=subprocess.DEVNULL)
        self.addCleanup(child.end)
        self.hello = child.ask("hello 1")
        return child

    def measured(self, child, name):
        child.ask(f"open {child.index(name)} 1")
        reply = child.ask("measure workload 3 10 1")
        child.ask("close")
        return reply

    @support.first_compiler
    def test_the_time_is_of_the_device(self):
        child = self.child()
        benchmarks = {b["name"]: b for b in child.list()}
        self.assertTrue(benchmarks["cold"]["own_time"])
        for name, ns in {"cold": 7000, "warm": 3000}.items():
            with self.subTest(name):
                elapsed = self.measured(child, name)["elapsed_ns"]
                # Device events report milliseconds as 32-bit floats.
                for of_ten in elapsed: self.assertAlmostEqual(of_ten / 10, ns, delta=2)
        self.assertIn("tare::took", self.measured(child, "nothing")["message"])
        self.assertIn("declared with own_time", self.measured(child, "undeclared")["message"])
        self.assertEqual(child.bye(), 0)

    @support.first_compiler
    def test_what_the_device_refuses_is_said(self):
        child = self.child()
        refused = self.measured(child, "refused")
        self.assertEqual((refused["reply"], refused["message"]), ("error", "launch: invalid configuration argument (cudaErrorInvalidConfiguration)"))
        self.assertEqual(self.measured(child, "cold")["reply"], "measured")
        lacking = self.child(NO_MEMORY="1")
        opened = lacking.ask(f"open {lacking.index('set up')} 1")
        self.assertEqual((opened["kind"], opened["message"]), ("skipped", "the GPU cannot be used: out of memory"))

    @support.first_compiler
    def test_without_a_device_it_is_skipped_with_the_reason(self):
        child = self.child(NO_DEVICE="1")
        opened = child.ask(f"open {child.index('set up')} 1")
        self.assertEqual((opened["kind"], opened["message"]), ("skipped", "no GPU: no CUDA-capable device is detected"))
        self.assertEqual(self.measured(child, "cold")["message"], "no GPU: no CUDA-capable device is detected")

    @support.first_compiler
    def test_the_clock_and_what_holds_it_back_are_columns(self):
        folder = SCRATCH / "nvml"
        folder.mkdir(exist_ok=True)
        subprocess.run([support.cc(), "-shared", "-fPIC", str(GPU / "nvml.c"), "-o", str(folder / "libnvidia-ml.so.1")], check=True)
        child = self.child(LD_LIBRARY_PATH=str(folder))
        self.assertEqual([(m["name"], m["per"]) for m in self.hello["metrics"]], [("gpu_mhz", "iteration"), ("gpu_held_back", "iteration")])
        metrics = self.measured(child, "cold")["metrics"]
        self.assertEqual(metrics, {"gpu_mhz": [1410] * 3, "gpu_held_back": [1] * 3})


if __name__ == "__main__":
    support.main()
