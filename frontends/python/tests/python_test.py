"""Tests of `tare` with Python files."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
FRONT_END = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(FRONT_END))
TARE = os.environ.get("TARE_PROGRAM") or os.path.join(ROOT, "target", "debug", "tare")
LONG = os.environ.get("TARE_TEST_LONG")
FEW = ["--launches", "1", "--rounds", "2", "--no-save", "-o", "r.json"]


def other_python(version):
    """Another interpreter, if one is installed."""
    folder = os.path.join(os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv")), "versions")
    kept = [name for name in (os.listdir(folder) if os.path.isdir(folder) else []) if name.startswith(version + ".")]
    found = [os.path.join(folder, name, "bin", "python" + version) for name in kept]
    return next((path for path in found if os.path.exists(path)), shutil.which("python" + version))


class Place(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.path = tempfile.mkdtemp(prefix="tare-python-")
        self.addCleanup(shutil.rmtree, self.path)

    def write(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def tare(self, *words, code=0, **more):
        environment = {**os.environ, **more.pop("env", {})}
        for name in more.pop("without", ["VIRTUAL_ENV", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE"]):
            environment.pop(name, None)
        done = subprocess.run([TARE, *words], cwd=self.path, capture_output=True, text=True, env=environment, **more)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def compare(self, *words):
        """Compares with few visits: on a busy machine there may be too few for a ratio, so tests only check what both sides ran."""
        self.tare("compare", *words, "--launches", "2", "--rounds", "2", "--no-save", "-o", "r.json", code=None)
        return json.dumps(self.report())

    def report(self):
        with open(os.path.join(self.path, "r.json")) as file:
            return json.load(file)

    def cases(self):
        return {case["name"]: case for case in self.report()["report"]["cases"]}

    def listed(self, *words, **more):
        return json.loads(self.tare("list", "--json", *words, **more).stdout)


BENCH = """\
import tare

@tare.bench(group="sum", baseline=True, params={"n": [10, 20]})
def built_in(n):
    return sum(range(n))

@tare.bench(group="sum", params={"n": [10, 20]})
def loop(n):
    total = 0
    for i in range(n):
        total += i
    return total

@tare.bench(bytes=8)
async def awaited():
    return b"12345678"

if __name__ == "__main__":
    tare.main()
"""

FAILING = """\
import os, signal, sys, tare

@tare.bench(group="g")
def good(): return 12

@tare.bench(group="g")
def throws(): return [][7]

@tare.bench(group="g")
def leaves(): sys.exit("bye")

@tare.bench(group="g")
def gone(): os._exit(3)

@tare.bench(group="g")
def killed(): os.kill(os.getpid(), signal.SIGKILL)

@tare.bench(group="g")
def set_up():
    raise KeyError("no such table")
    yield lambda: 1

@tare.bench(group="g")
def clean_up():
    yield lambda: 1
    raise OSError("still open")
"""


class Runs(Place):
    def test_a_file_is_measured_and_nothing_is_left_beside_it(self):
        self.write("helper.py", "LIMIT = 3\n")
        self.write("bench.py", "import helper\n" + BENCH)
        self.tare("run", "bench.py", *FEW)
        cases = self.report()["report"]["cases"]
        self.assertEqual([case["outcome"]["outcome"] for case in cases], ["measured"] * 5)
        self.assertEqual(sorted(os.listdir(self.path)), ["bench.py", "helper.py", "r.json"])
        self.assertNotIn("different-results", json.dumps(self.report()))

    def test_what_fails_is_named_and_costs_only_itself(self):
        self.write("fails.py", FAILING)
        self.write("lacks.py", "import tare\nimport no_such_module\n")
        self.write("wrong.py", "import tare\n\ndef f(:\n")
        self.tare("run", "fails.py", "lacks.py", "wrong.py", *FEW, code=101)
        cases = self.cases()
        failures = {name: json.dumps(case["outcome"].get("failure", {})) for name, case in cases.items()}
        self.assertEqual(cases["good"]["outcome"]["outcome"], "measured")
        for name, words in {
            "throws": ["IndexError", "list index out of range", "fails.py", "7"],
            "leaves": ["SystemExit", "sys.exit('bye')"],
            "gone": ["early-exit", '"status": 3'],
            "killed": ["signal", "9"],
            "set_up": ["set-up", "KeyError", "no such table"],
            "clean_up": ["clean-up", "still open"],
            "lacks": ["there is no module `no_such_module` (lacks.py:2); install it: `"],
            "wrong": ["SyntaxError", "(wrong.py:3)"],
        }.items():
            for word in words:
                self.assertIn(word, failures[name], name)

    def test_folders_and_packages(self):
        self.write("pyproject.toml", "[project]\nname = 'x'\nversion = '1'\n")
        self.write("src/pkg/__init__.py", "def answer(): return 42\n")
        self.write("src/pkg/bench_inner.py", "import tare\nfrom . import answer\ntare.add('inner', answer)\n")
        self.write("benchmarks/bench_outer.py", "import tare\nfrom pkg import answer\ntare.add('outer', answer)\n")
        self.write("benchmarks/timing_bench.py", "def time_sorted(): sorted([2, 1])\n")
        self.write("other.py", "raise SystemExit('never run')\n")
        self.write("src/pkg/times.py", "def time_of(x): return x\n")
        names = [program["name"] for program in self.listed(".")["programs"]]
        self.assertEqual(names, ["benchmarks/bench_outer.py", "benchmarks/timing_bench.py", "src/pkg/bench_inner.py"])
        names = [program["name"] for program in self.listed("pkg.bench_inner")["programs"]]
        self.assertEqual(names, ["bench_inner.py"])

    @unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
    def test_a_byte_order_mark(self):
        self.write("test_speed.py", "\ufeffdef test_upper(benchmark):\n    benchmark('line'.upper)\n")
        self.write("bench_upper.py", "\ufeffimport tare\n\n\n@tare.bench\ndef upper():\n    return 'line'.upper()\n")
        self.assertEqual(
            self.tare("list", ".").stdout.split(), ["upper", "bench_upper.py", "test_upper", "test_speed.py"]
        )

    def test_the_virtual_environment_of_the_project(self):
        self.write("bench.py", BENCH)
        venv.create(os.path.join(self.path, ".venv"), symlinks=True)
        program = self.listed("bench.py")["programs"][0]
        self.assertIn("child", program)
        own = os.path.join(self.path, ".venv", "bin", "python")
        self.tare("run", "bench.py", "--dry", "-v", env={"PATH": "/nonexistent:/usr/bin:/bin"})
        shutil.rmtree(os.path.join(self.path, ".venv"))
        self.write(
            "which.py", "import sys, tare\ntare.context('python', sys.executable)\ntare.add('x', lambda: sys.prefix)\n"
        )
        venv.create(os.path.join(self.path, ".venv"), symlinks=True)
        self.assertIn(own, json.dumps(self.listed("which.py")))

    def test_another_version_is_a_job(self):
        other = other_python("3.8") or other_python("3.13")
        if other is None:
            self.skipTest("there is one version of Python")
        version = os.path.basename(other)
        self.write("bench.py", BENCH)
        jobs = ["--job", version, "--job", "own: python=" + sys.executable]
        self.tare("run", "bench.py", "--filter", "built_in[n=10]", *jobs, *FEW)
        cases = self.report()["report"]["cases"]
        self.assertEqual([case["job"] for case in cases], [version, "own"])

    def test_a_version_that_is_not_there(self):
        self.write("bench.py", BENCH)
        told = self.tare("run", "bench.py", "--job", "python3.99", code=96).stderr
        self.assertIn("`python3.99` was not found", told)

    def test_statements(self):
        self.tare("run", "--python", "sorted(x)", "--python", "x.copy()", "--set-up", "x = [3, 1, 2]", *FEW)
        cases = self.cases()
        self.assertEqual(list(cases), ["sorted(x)", "x.copy()"])
        self.tare("run", "--python", "x +", *FEW, code=100)
        self.assertIn("the statement is not valid", json.dumps(self.cases()))

    def test_memory_is_counted_exactly(self):
        if not shutil.which("cc") or not sys.platform.startswith("linux"):
            self.skipTest("it needs Linux and a C compiler")
        self.write(
            "bench.py",
            "import tare\n"
            "@tare.bench\ndef number(): return int('123456789')\n"
            "@tare.bench\ndef block(): return bytes(1000)\n"
            "@tare.bench\ndef nothing(): return 1\n",
        )
        self.tare("run", "bench.py", "--diagnose", "memory", *FEW)
        found = {}
        for name, case in self.cases().items():
            metrics = {
                metric["name"]: metric["value"] for metric in case["outcome"].get("metrics", case.get("metrics"))
            }
            found[name] = (metrics["memory/allocations"], metrics["memory/allocated_bytes"])
        # In CPython: an object of one digit, and one of 1000 bytes with its header.
        self.assertEqual(found["nothing"], (0, 0))
        self.assertEqual(found["number"][0], 1)
        self.assertEqual(found["block"], (1, 1000 + sys.getsizeof(b"")))

    def test_a_profile_and_bytecode_of_each_body(self):
        self.write(
            "bench.py",
            "import tare\n\ndef inner(): return sum(range(200))\n\n@tare.bench\ndef outer(): return inner()\n",
        )
        few = ["--launches", "1", "--rounds", "2", "-o", "r.json"]
        self.tare("run", "bench.py", "--diagnose", "profile,code", "--diagnose-for", "0.2s", *few)
        found = {one["name"] for one in self.report()["report"]["attachments"]}
        self.assertLessEqual({"profile.folded", "code.txt"}, found)
        self.assertIn("LOAD_GLOBAL", self.tare("show", "latest", "--code").stdout)
        self.assertIn("inner", self.tare("show", "latest", "--flame").stdout)

    def test_two_files_are_compared(self):
        self.write("old/bench.py", BENCH)
        self.write("new/bench.py", BENCH)
        self.assertIn("built_in", self.compare("old/bench.py", "new/bench.py", "--filter", "built_in[n=10]"))

    def test_conformance(self):
        start = os.path.join(FRONT_END, "start.py")
        # Without `-S`, each of a hundred processes would scan the installed packages, which takes longer than everything else.
        child = [sys.executable, "-S", start, os.path.join(HERE, "conformance.py")]
        done = self.tare("conformance", "--quick", "--", *child)
        self.assertIn("25 passed, 0 failed", done.stdout)


class Revisions(Place):
    def git(self, *words):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *identity, *words], cwd=self.path, check=True, capture_output=True)

    def test_each_side_has_its_own_code(self):
        self.write("pyproject.toml", "[project]\nname = 'x'\nversion = '1'\n")
        self.write("src/pkg/__init__.py", "def answer(): return ''.join(sorted('before'))\n")
        self.write("benchmarks/bench_it.py", "import tare, pkg\ntare.add('answer', pkg.answer)\n")
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")
        self.write("src/pkg/__init__.py", "def answer(): return ''.join(sorted('after'))\n")
        text = self.compare("HEAD", "worktree", "benchmarks")
        self.assertIn("beefor", text)
        self.assertIn("aefrt", text)


TESTS = """\
import pytest

@pytest.fixture
def numbers():
    yield [3, 1, 2]

@pytest.mark.benchmark(group="sort", min_rounds=5)
@pytest.mark.parametrize("reverse", [False, True])
def test_sort(benchmark, numbers, reverse):
    assert benchmark(sorted, numbers, reverse=reverse)[1] == 2

class TestOthers:
    def test_pedantic(self, benchmark):
        benchmark.pedantic(lambda x: x.sort(), setup=lambda: (([2, 1],), {}), rounds=10)

    def test_wrong(self, benchmark):
        assert benchmark(lambda: 3) == 4

    def test_left_out(self, benchmark):
        pytest.skip("not here")

    def test_woven(self, benchmark):
        benchmark.weave(sorted)

    def test_told(self, benchmark):
        benchmark.extra_info["size"] = 3
        benchmark.group = "later"
        assert benchmark(lambda: 5) == 5 and benchmark.stats is None

    def test_twice(self, benchmark):
        benchmark(lambda: 1)
        benchmark(lambda: 2)

    @pytest.mark.xfail(reason="not written yet")
    def test_expected(self, benchmark):
        benchmark(lambda: 1 / 0)

    def test_coroutine(self, benchmark):
        async def fetch():
            return 1
        benchmark(fetch)

    def test_plain(self):
        raise AssertionError("never run")

def test_sort_more(benchmark):
    benchmark(sorted, [])

@pytest.mark.parametrize("f", [lambda: 1, lambda: 2])
def test_unnamed(benchmark, f):
    benchmark(f)
"""

# How pytest-benchmark treats a fixture that is not its own, for systems where it is not installed.
LIBRARY = """\
import pytest

class Library:
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        yield
        raise TypeError("unexpected type for `benchmark` in funcargs")

def pytest_configure(config):
    if not config.pluginmanager.hasplugin("benchmark"):
        config.pluginmanager.register(Library(), "benchmark")
"""


class Suites(Place):
    def test_pytest_benchmark(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed")
        self.write("test_it.py", TESTS)
        self.write("conftest.py", LIBRARY)
        self.tare("run", "test_it.py", *FEW, code=100)
        cases = self.report()["report"]["cases"]
        outcomes = {case["name"] + json.dumps(case.get("parameters", [])): case["outcome"] for case in cases}
        self.assertEqual(len(outcomes), 13, outcomes)
        states = {name.split("[")[0]: outcome["outcome"] for name, outcome in outcomes.items()}
        self.assertEqual(states["test_sort"], "measured")
        self.assertEqual(states["test_pedantic"], "measured")
        self.assertEqual(states["test_wrong"], "failed")
        self.assertEqual((states["test_woven"], states["test_told"]), ("skipped", "measured"))
        self.assertEqual(states["test_expected"], "skipped")
        self.assertIn("assert 3 == 4", json.dumps(cases))
        told = {case["name"]: json.dumps(case["outcome"]) for case in cases}
        self.assertIn("it calls `benchmark` twice", told["test_twice"])
        self.assertIn('test_it.py:32"', told["test_twice"])
        self.assertIn("pytest expects it to fail: not written yet", told["test_expected"])
        self.assertIn("is a coroutine function", told["test_coroutine"])

    def test_marks_of_pytest_codspeed(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed")
        marked = """\
import pytest
{}

def test_sum():
    assert sum(range(100)) == 4950

def test_given(tmp_path):
    assert tmp_path is not None

def test_fixture(benchmark):
    benchmark(sorted, [])
"""
        single = """\
import pytest

@pytest.mark.{}
def test_sum():
    assert sum(range(100)) == 4950

def test_left():
    raise AssertionError("never run")
"""
        self.write("suite/test_all.py", marked.format("pytestmark = pytest.mark.benchmark()"))
        self.write("suite/test_several.py", marked.format("pytestmark = [pytest.mark.benchmark(group='g')]"))
        self.write("suite/test_one.py", single.format("benchmark"))
        self.write("suite/test_own.py", single.format("codspeed_benchmark"))
        self.write("suite/test_class.py", single.format("benchmark\nclass TestIt:\n    def test_in(self): pass\n"))
        self.write("suite/test_of.py", "def test_other(codspeed_benchmark): codspeed_benchmark(sorted, [])\n")
        self.write("suite/test_none.py", "def test_none(): raise AssertionError('never run')\n")
        self.tare("run", "suite", *FEW)
        names = sorted(case["group"] + "/" + case["name"] for case in self.report()["report"]["cases"])
        both = ["test_fixture", "test_given", "test_sum"]
        wanted = ["/" + name for name in [*both, "test_sum", "test_sum", "test_other"]] + ["g/" + name for name in both]
        self.assertEqual(names, sorted([*wanted, "TestIt/test_in"]))

    def test_a_fixture_of_pytest_that_is_not_there_is_named(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed")
        self.write("test_it.py", "def test_sort(benchmark, values): benchmark(sorted, values)\n")
        done = self.tare("run", "--dry", "test_it.py", code=100)
        self.assertIn("its set-up failed: fixture 'values' not found", done.stderr)

    def test_the_plugin_of_pytest(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed")
        self.write("test_it.py", TESTS)
        words = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "tare.pytest_plugin",
            "-p",
            "no:cacheprovider",
            "test_it.py::test_sort[False]",
            "test_it.py::test_unnamed[<lambda>1]",
            "-q",
        ]
        environment = {**os.environ, "PYTHONPATH": FRONT_END, "TARE": TARE, "PYTHONDONTWRITEBYTECODE": "1"}

        def run(*more):
            return subprocess.run([*words, *more], cwd=self.path, capture_output=True, text=True, env=environment)

        once = run()
        self.assertIn("2 passed", once.stdout, once.stdout + once.stderr)
        measured = run("--tare", "--tare-options", " ".join(FEW))
        self.assertEqual(measured.returncode, 0, measured.stdout + measured.stderr)
        cases = [(case["name"], case["parameters"][0]["value"]) for case in self.report()["report"]["cases"]]
        self.assertEqual(cases, [("test_sort", "false"), ("test_unnamed", "<lambda>1")])

    def test_a_file_that_one_side_cannot_import_is_no_rename(self):
        text = "import tare\n@tare.bench\ndef work(): return 1\n"
        self.write("old/bench_w.py", text)
        self.write("new/bench_w.py", "import no_such_module\n" + text)
        done = self.tare("compare", "old", "new", "--no-save", code=101)
        self.assertIn("the file cannot be imported: there is no module `no_such_module`", done.stderr)
        self.assertNotIn("--rename", done.stderr + done.stdout)

    def test_a_file_that_cannot_be_imported_is_a_failed_build(self):
        self.write("benches/bench_w.py", "import tare, acme\n@tare.bench\ndef work(): return acme.N\n")
        self.write("lib/acme.py", "N = 5\n")
        for words in ["list"], ["run", "--dry"]:
            done = self.tare(*words, "benches/bench_w.py", code=101)
            self.assertRegex(done.stderr, "there is no module `acme` .*: set `PYTHONPATH=[^`]*/lib`")
            # What is relative is meant from here, wherever the file is.
            self.tare(*words, "benches/bench_w.py", env={"PYTHONPATH": "lib"})

    def test_what_is_looked_for_may_be_in_a_file_that_cannot_be_imported(self):
        self.write("bench_w.py", "import tare\n@tare.bench(setup=1)\ndef work(n): return 1\n")
        for words, code in (["--filter", "work"], 4), (["--baseline", "n=1"], 2), (["--param", "n=1"], 2):
            done = self.tare("run", "bench_w.py", *words, code=code)
            self.assertIn("warning: `bench_w`: the file cannot be imported: TypeError", done.stderr, words)

    def test_pyperf_and_asv(self):
        self.write("bm_x.py", "import pyperf\nr = pyperf.Runner()\nr.timeit('adds', stmt='a + 1', setup='a = 1')\n")
        self.write(
            "suite.py",
            "class S:\n    params = [1, 2]\n    def setup(self, n): self.n = n\n    def time_it(self, n): return self.n\n",
        )
        self.tare("run", "bm_x.py", "suite.py", *FEW)
        self.assertEqual([case["name"] for case in self.report()["report"]["cases"]], ["adds", "time_it", "time_it"])


class Package(Place):
    def pip(self, *words, **more):
        done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_built_package_gives_the_command(self):
        try:
            import pip
        except ImportError:
            self.skipTest("pip is not installed")
        if int(pip.__version__.split(".")[0]) < 23:
            self.skipTest("pip 23 or later is needed, which installs into an environment without itself")
        # A stand-in, because the program itself is large; it starts the real one.
        program = self.write("program", "#!/bin/sh\nexec '{}' \"$@\"\n".format(TARE))
        words = ["-q", "--no-deps", "--no-build-isolation", "--no-index", "-w", self.path, FRONT_END]
        self.pip("wheel", *words, env={**os.environ, "TARE_PROGRAM": program})
        wheel = next(name for name in os.listdir(self.path) if name.endswith(".whl"))
        with zipfile.ZipFile(os.path.join(self.path, wheel)) as file:
            names = file.namelist()
        self.assertTrue(wheel.startswith("tare_bench-"), wheel)
        self.assertIn("tare/py.typed", names)
        for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
            self.assertEqual(sum(name.endswith("licenses/" + licence) for name in names), 1, names)
        self.assertFalse([name for name in names if "__pycache__" in name or "tests/" in name])
        folder = os.path.join(self.path, "env")
        venv.create(folder, symlinks=True)
        python, command = (os.path.join(folder, "bin", name) for name in ("python", "tare"))
        self.pip("--python", python, "install", "-q", "--no-index", os.path.join(self.path, wheel))
        self.write("bench.py", BENCH)
        listed = subprocess.run([command, "list", "bench.py"], cwd=self.path, capture_output=True, text=True)
        self.assertIn("sum/built_in[n=10]", listed.stdout, listed.stderr)
        typed = [python, "-c", "import tare; print(tare.__version__)"]
        self.assertEqual(subprocess.run(typed, cwd="/", capture_output=True, text=True).stdout, "0.1.0\n")
