#!/usr/bin/env python3
"""Tests of the C# front end and of what `tare` builds with it. `run` starts it."""
import csv
import glob
import hashlib
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
TARE = os.environ["TARE_PROGRAM"]
LONG = os.environ.get("TARE_TEST_LONG")
# The second .NET: only what a program does, and not how it is built.
SECOND = os.environ.get("TARE_TEST_SECOND")
# Programs run on the newest runtime that is here, in place of the one that they are built for: see `install`.
NEWEST = os.environ.get("TARE_TEST_NEWEST")
MONO = shutil.which("mono")


def told(*words):
    return subprocess.run(["dotnet", *words], capture_output=True, text=True).stdout


# What is installed, and what programs are built for where they do not say it.
VERSIONS = re.findall(r"Microsoft\.NETCore\.App (\S+)", told("--list-runtimes"))
SERIES = re.findall(r"^(\d+\.\d+)\.", told("--list-sdks"), re.M)[-1]
IS_NEW = SERIES == "10.0"
OWN, FRAMEWORK, MONIKER = (".NET 10.0", "net10.0", "Net10_0") if IS_NEW else (".NET Core 3.1", "netcoreapp3.1", "NetCoreApp31")
# Packages that projects name need not be downloaded.
HAS_PACKAGES = IS_NEW and os.path.isdir(os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("dotnet")))), "feed"))
FEW = ["--quick", "--launches", "1", "--rounds", "2", "--no-save", "-o", "r.json"]


class Place:
    """A folder of its own."""

    def __init__(self, test):
        self.path = tempfile.mkdtemp(prefix="tare-csharp-")
        test.addCleanup(shutil.rmtree, self.path)

    def write(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def tare(self, *words, **more):
        return subprocess.run([TARE, *words], cwd=self.path, capture_output=True, text=True, **more)

    def report(self):
        with open(os.path.join(self.path, "r.json")) as file:
            return json.load(file)


def assembly(name):
    """The newest program of this name in the cache, where `tare` has put it."""
    found = glob.glob(os.path.join(os.environ["XDG_CACHE_HOME"], "tare", "programs", "*", name + ".dll"))
    # Mono's has no configuration. A program that is found again is not written again, and its folder says when it was used.
    found = [path for path in found if os.path.exists(path[:-len(".dll")] + ".runtimeconfig.json")]
    return max(found, key=lambda path: os.path.getmtime(os.path.dirname(path)))


def built(name):
    """The program of a file of this folder, built by `tare list`."""
    source = os.path.join(HERE, name + ".cs")
    listed = subprocess.run([TARE, "list", source, "--json"], capture_output=True, text=True)
    if listed.returncode != 0:
        raise AssertionError(listed.stdout + listed.stderr)
    return assembly(name), json.loads(listed.stdout)


class Child:
    """A process that speaks the protocol."""

    def __init__(self, program, words=(), after=(), listed=True, **variables):
        read, to_child = os.pipe()
        from_child, write = os.pipe()
        environment = dict(os.environ, TARE_LINK="fd:{},{}".format(read, write), **variables)
        self.process = subprocess.Popen(["dotnet", *words, program, *after], pass_fds=(read, write), env=environment)
        os.close(read)
        os.close(write)
        self.requests, self.replies = os.fdopen(to_child, "w"), os.fdopen(from_child)
        self.hello = self.ask("hello 1")
        self.list = []
        line = self.ask("list") if listed else {"reply": "end"}
        while line["reply"] != "end":
            self.list.append(line)
            line = json.loads(self.replies.readline())

    def ask(self, request):
        self.requests.write(request + "\n")
        self.requests.flush()
        return json.loads(self.replies.readline())

    def of(self, group, name):
        return next(b for b in self.list if (b["group"], b["name"]) == (group, name))

    def text(self, group, name):
        """What the body returns, measured too."""
        opened = self.ask("open {} 7".format(self.of(group, name)["index"]))
        assert opened == {"reply": "opened"}, opened
        text = self.ask("check")["text"]
        measured = self.ask("measure workload 2 17 1")
        assert measured["reply"] == "measured", measured
        self.ask("close")
        return text

    def end(self):
        self.ask("bye")
        self.requests.close()
        self.replies.close()
        return self.process.wait()


class Declared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program, cls.listed = built("Declared")
        cls.child = Child(cls.program)

    @classmethod
    def tearDownClass(cls):
        assert cls.child.end() == 0

    def test_results_of_every_shape(self):
        texts = {"Reference": "1", "Span": "[1,2]", "Tuple": '[3,"x"]', "Big": "4.5", "Static": "5", "Later": "7", "LaterValue": "8",
                 "NowValue": "9", "LaterNothing": None, "NowNothing": None, "OfSpan": "3", "OfReference": "4"}
        self.assertEqual({name: self.child.text("Shapes", name) for name in texts}, texts)

    def test_generic_inherited_and_private(self):
        self.assertEqual(self.child.text("Generic<Int32>", "Name"), "Int32")
        self.assertEqual(self.child.text("Generic<String>", "Name"), "String")
        # A set-up by name stands in for the general ones.
        self.assertEqual(self.child.text("Derived", "Inherited"), "-")
        self.assertEqual(self.child.text("Derived", "Own"), "-")
        self.assertEqual(self.child.text("Derived", "Third"), "ab")
        self.assertEqual(self.child.text("Private", "Hidden"), "6")

    def test_all_combinations_of_parameters(self):
        rows = [b["parameters"] for b in self.child.list if b["group"] == "Parameters"]
        self.assertEqual(len(rows), 2 * 2 * 2 * 2)
        self.assertEqual({p["name"]: p["value"] for p in rows[0]}, {"N": "2", "Size": "Small", "Text": "a", "x": "1", "y": "true"})
        self.assertEqual({p["name"]: p.get("type") for p in rows[0]}, {"N": "integer", "Size": None, "Text": "text", "x": "float", "y": "boolean"})
        self.assertEqual(self.child.text("Parameters", "All"), "2Smalla1True")

    def test_wrong_declarations_say_what_to_do(self):
        invalid = {b["group"] + "/" + b["name"]: b["invalid"] for b in self.child.list if "invalid" in b}
        self.assertIn("return `.ToList()`", invalid["Wrong/Lazy"])
        self.assertIn("add `[Arguments(...)]`", invalid["Wrong/WithoutArguments"])
        self.assertIn("the value `x` does not fit `n`", invalid["Wrong/WrongArgument"])
        self.assertIn("no member `Nobody`", invalid["Wrong/NoSource"])
        self.assertIn("[GenericTypeArguments(typeof(...))]", invalid["Open<T>/One"])
        self.assertEqual(invalid["Wrong/NoOperation"], "`OperationsPerInvoke` is less than 1: an invocation does at least one")
        self.assertEqual(invalid["WrongTarget/One"], "`WrongTarget.It` is for `Nope`, which is not a benchmark of `WrongTarget`")
        self.assertEqual(invalid["Baselines/Second"], "`First` is also a baseline: a class, or each of its categories, has only one")
        self.assertEqual(invalid["Categories, y/Y2"], "`Y1` is also a baseline: a class, or each of its categories, has only one")
        self.assertIn("read it with `await foreach`", invalid["Wrong/LazyLater"])
        self.assertIn("only a `Task` or a `ValueTask` is", invalid["Wrong/Awaitable"])
        self.assertEqual(invalid["TwoSteps/One"], "`First` and `Second` are both for `One`: join them, or name other benchmarks with `Target`")
        self.assertRegex(invalid["WrongCode/OfFile"], r"^`WrongCode\.Lines` threw \w+Exception: .*missing\.txt'\.( \(\S+Declared\.cs:\d+\))?$")
        self.assertRegex(invalid["WrongCode/OfNameless"], r"^a value of the type `Nameless` has no text: its code threw InvalidOperationException: no name \(\S+Declared\.cs:\d+\)$")
        self.assertEqual(len(invalid), 14)

    def test_a_type_that_cannot_be_initialized_says_why(self):
        self.child.ask("open {} 7".format(self.child.of("Initialized", "Never")["index"]))
        error = self.child.ask("measure workload 1 1 0")
        self.assertEqual((error["kind"], error["type"]), ("exception", "TypeInitializationException"))
        self.assertRegex(error["message"], r"threw an exception\. FormatException: .")
        self.child.ask("close")

    def test_benchmarks_of_one_title_are_told_apart(self):
        self.assertEqual([self.child.text("Titles", name) for name in ("parse (Old)", "parse (New)")], ["1", "2"])

    def test_code_is_called_as_other_tools_call_it(self):
        code = self.child.of("Titles", "Odd")["code"]
        full = "Titles.Odd(text: \"a\\tb\", one: 'x', many: [1, 2, 3, 4, 5, ...], type: typeof(System.Collections.Generic.List<Int32>), nothing: null)"
        self.assertEqual(code, {"type": "Titles", "method": "Odd", "full": full})
        self.assertEqual(self.child.of("Generic<Int32>", "Name")["code"]["full"], "Generic<Int32>.Name")

    def test_groups_and_settings(self):
        groups = {b["name"]: (b["group"], b["baseline"], b["categories"]) for b in self.child.list}
        self.assertEqual(groups["X1"], ("Categories, x", True, ["both", "x"]))
        self.assertEqual(groups["Y1"], ("Categories, y", True, ["both", "y"]))
        self.assertEqual(self.child.of("Settings", "Environment_")["launch"], {"environment": {"DECLARED_VALUE": "here"}})

    def test_jobs_without_a_name_have_one(self):
        found = [job["name"] for b in self.child.list if b["group"] == "UnnamedJobs" for job in b["jobs"]]
        self.assertEqual(found, ["Job", "Job#2"])

    def test_values_that_are_given(self):
        child = Child(self.program)
        self.assertEqual(child.ask("set N 5 6")["benchmarks"], 1)
        self.assertIn("not a value of `N`", child.ask("set N x")["message"])
        self.assertIn("not a value of `Size`", child.ask("set Size Huge")["message"])
        self.assertEqual(child.ask("set x 0.5")["benchmarks"], 1)
        line, values = child.ask("list"), set()
        while line["reply"] != "end":
            values.update((p["name"], p["value"]) for p in line["parameters"] if p["name"] in "Nx")
            line = json.loads(child.replies.readline())
        self.assertEqual(values, {("N", "5"), ("N", "6"), ("x", "0.5")})
        child.end()

    def test_memory_is_exact(self):
        for name, each in ("Eight", 32), ("SixtyFour", 88), ("Nothing", 0):
            self.child.ask("open {} 7".format(self.child.of("Memory", name)["index"]))
            measured = self.child.ask("measure workload 3 1000 1")
            self.assertEqual(measured["metrics"]["allocated_bytes"], [1000 * each] * 3)
            self.assertEqual(measured["metrics"]["collections_2"], [0, 0, 0])
            diagnosed = self.child.ask("diagnose memory 1 1000 1")["metrics"]
            self.assertTrue(1000 * each <= diagnosed["allocated_bytes_all_threads"][0] <= 1000 * each + 10000, diagnosed)
            self.child.ask("close")

    def test_what_other_threads_allocate_counts(self):
        self.child.ask("open {} 7".format(self.child.of("Memory", "Elsewhere")["index"]))
        for bytes in self.child.ask("measure workload 3 10 1")["metrics"]["allocated_bytes"]:
            # A thread that has ended may count the rest of its allocation context, 8 KB, which depends on when it is cleared away.
            self.assertTrue(10000000 <= bytes <= 10500000, bytes)
        self.child.ask("close")

    def test_the_body_runs_as_often_as_it_is_asked_for(self):
        child = Child(built("Conformance")[0])
        child.ask("open {} 0".format(child.of("conformance", "count")["index"]))
        self.assertEqual(child.ask("check")["text"], "1")
        child.ask("measure workload 3 37 5")
        child.ask("measure overhead 3 37 5")
        child.ask("measure workload 2 20 3 7")
        child.ask("measure rolled 3 37 5")
        self.assertEqual(child.ask("check")["text"], str(1 + 2 * (3 * 37 + 5) + 2 * 20 * 7 + 3 + 1))
        child.ask("close")
        self.assertEqual(child.text("conformance", "trace"), "Ssb")
        child.ask("open {} 0".format(child.of("conformance", "throws-body")["index"]))
        error = child.ask("measure workload 1 1 0")
        self.assertEqual((error["kind"], error["step"], error["type"]), ("exception", "body", "InvalidOperationException"))
        self.assertTrue(error["file"].endswith("Conformance.cs"), error)
        child.end()

    def test_the_stack_is_elsewhere_in_each_request(self):
        child, positions = Child(built("Declared")[0]), {}
        for seed in 0, 7:
            child.ask("open {} {}".format(child.of("Frames", "Positions")["index"], seed))
            for _ in range(100):
                child.ask("measure workload 1 1 0")
            positions[seed] = int(child.ask("check")["text"])
            child.ask("close")
        child.end()
        # A call from `check` is in a place of its own. Code that the runtime compiles anew in between has other frames: some more places, or a
        # few that are the same.
        self.assertLess(positions[0], 10)
        self.assertGreater(positions[7], 90)

    def test_the_machine_knows_the_width_of_a_core_alone(self):
        place = Place(self)
        state = os.path.join(place.path, "state")
        environment = dict(os.environ, XDG_STATE_HOME=state)
        truth = os.path.join(ROOT, "bench", "cases", "truth.cs")
        place.write(".tare/keep", "")

        def run():
            done = place.tare("run", truth, "--quick", "--launches", "1", "-f", "Multiply100", env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            newest = max(glob.glob(os.path.join(place.path, ".tare", "runs", "*", "run.json")), key=os.path.getmtime)
            with open(newest) as file:
                return json.load(file)

        before = run()
        child = before["artifacts"][0]["child"]
        self.assertTrue(child["width_per_runtime"] and child["probe_cycles"] > 0, child)
        profile = os.path.join(state, "tare", "machine.json")
        with open(profile) as file:
            known = json.load(file)
        # On a core so narrow nobody was ever alone, whatever this run reads.
        (machine,) = known["machines"].values()
        machine["cycles_per_addition_of"] = {child["front_end"] + ", " + child["runtime"]: 0.05}
        place.write(profile, json.dumps(known))
        after = run()
        with open(profile) as file:
            if len(json.load(file)["machines"]) > 1:
                self.skipTest("another number of processors was allowed meanwhile")
        (width,) = after["parts"][0]["environment"]["core_width_of"].values()
        self.assertEqual(width, {"cycles_per_addition": 0.05, "source": "machine profile"})
        shown = json.loads(place.tare("show", "latest", "--format", "json", env=environment).stdout)["report"]
        self.assertEqual((shown["core"]["alone_share"], shown["core"]["cycles_per_addition"]), (0.0, 0.05))

    def test_revisions_are_compared(self):
        place = Place(self)
        git = lambda *words: subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=place.path, check=True, capture_output=True)
        body = ("using Tare;\npublic class Parse\n{\n    [Benchmark] public int Number()\n    {\n        var sum = 0;\n"
                "        for (var i = 0; i < %d; i++) sum += int.Parse(\"123\" + (1000 + i));\n        return sum;\n    }\n}\n")
        git("init", "--quiet")
        for count in 4, 12:
            place.write("parse.cs", body % count)
            git("add", "parse.cs")
            git("commit", "--quiet", "-m", "parse {}".format(count))
        done = place.tare("compare", "HEAD~1", "HEAD", "parse.cs", "--quick", "--no-save", "-o", "r.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = {(row.get("metric") or {}).get("unit", "time"): row for row in place.report()["comparison"]["rows"]}
        self.assertEqual({row["name"] for row in rows.values()}, {"Number"}, rows)
        # Times are not judged here; bytes are counted and the same everywhere.
        self.assertIn("time", rows)
        self.assertEqual(round(rows["allocated_bytes B/op"]["ratio"], 6), 3, rows)
        # Few launches have visits on a busy machine.
        self.assertIn(rows["allocated_bytes B/op"]["verdict"], ("slower", "unclear"), rows)

    def test_a_run(self):
        place = Place(self)
        os.mkdir(os.path.join(place.path, ".tare"))
        done = place.tare("run", os.path.join(HERE, "Declared.cs"), "--filter", "Young/*", *[word for word in FEW if word != "--no-save"],
                          env=dict(os.environ, TMPDIR=place.path))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Ports for debuggers, which stay behind where a process is ended at once.
        self.assertEqual(glob.glob(os.path.join(place.path, "dotnet-diagnostic-*")) + glob.glob(os.path.join(place.path, "clr-debug-pipe-*")), [])
        for case in place.report()["report"]["cases"]:
            # On a busy machine both visits may have been interrupted.
            self.assertIn(case["outcome"]["outcome"], ("measured", "not-measured"))
        # Both wait for the compiler together.
        with open(glob.glob(os.path.join(place.path, ".tare", "runs", "*", "run.json"))[0]) as file:
            run = json.load(file)
        self.assertEqual([group["cases"] for group in run["plan"]["groups"]], [[0, 1]])
        self.assertEqual([launch["wave"] for launch in run["launches"]], [0, 0])
        self.assertTrue(all(any(s["stage"] == "warmup" for s in launch["series"]) for launch in run["launches"]))

    def test_what_a_project_sets_is_named(self):
        place = Place(self)
        with open(self.program[:-len("dll")] + "runtimeconfig.json") as file:
            config = json.load(file)
        config["runtimeOptions"]["configProperties"] = {"System.Runtime.TieredPGO": False, "System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeSupported": False}
        path = place.write("x.json", json.dumps(config))
        child = Child(self.program, ["exec", "--runtimeconfig", path], DOTNET_gcServer="0", DOTNET_NOLOGO="1", DOTNET_EnableDiagnostics="0")
        self.assertIn("TieredPGO=false DOTNET_gcServer=0", child.hello["flags"])
        self.assertNotIn("NOLOGO", child.hello["flags"])
        self.assertNotIn("Diagnostics", child.hello["flags"])
        self.assertIn("built for ahead-of-time compilation", child.of("Young", "Computes")["invalid"])
        child.end()

    def test_young_memory_is_filled_while_a_body_that_allocates_warms_up(self):
        child = Child(self.program)
        for group, name, collections in ("Young", "Allocates", True), ("Young", "Computes", False), ("Monitored", "AllocatesAlone", False):
            child.ask("open {} 0".format(child.of(group, name)["index"]))
            child.ask("measure workload 1 1 0")
            before = int(child.ask("check")["text"])
            child.ask("measure workload 1 1 0")
            self.assertEqual(int(child.ask("check")["text"]) > before, collections, name)
            child.ask("close")
        child.end()

    def test_without_tare_there_is_a_quick_look(self):
        environment = dict(os.environ, PATH=os.path.dirname(shutil.which("dotnet")) + ":/usr/bin:/bin")
        environment.pop("TARE", None)
        done = subprocess.run(["dotnet", self.program, "--filter", "*Memory.Ei*"], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"Memory +time +allocated\n  Eight +\S+ ns +32 B\n$")
        self.assertIn("hint: install it", done.stderr)

    def test_a_program_hands_itself_to_tare(self):
        place = Place(self)
        stand_in = place.write("stand-in", "#!/bin/sh\necho \"$BENCHMARK_RUN_CALL: $*\"\nexit 10\n")
        os.chmod(stand_in, 0o755)
        done = subprocess.run(["dotnet", self.program, "--quick"], env=dict(os.environ, TARE=stand_in), capture_output=True, text=True)
        self.assertEqual(done.returncode, 10)
        self.assertRegex(done.stdout, r"^1: run --quick -- \S+/dotnet \S+/Declared.dll --quick\n$")

    def test_a_program_with_a_host_of_its_own_hands_itself_to_tare(self):
        # What `dotnet build` makes of a project: `My.Bench` starts `My.Bench.dll`.
        place = Place(self)
        stand_in = place.write("stand-in", "#!/bin/sh\necho \"$*\"\n")
        for file in glob.glob(os.path.join(os.path.dirname(self.program), "*.dll")):
            shutil.copy(file, place.path)
        shutil.move(os.path.join(place.path, "Declared.dll"), os.path.join(place.path, "My.Bench.dll"))
        shutil.copy(self.program[:-len("dll")] + "runtimeconfig.json", os.path.join(place.path, "My.Bench.runtimeconfig.json"))
        version, folder = re.findall(r"^(\S+) \[(.*)\]$", subprocess.run(["dotnet", "--list-sdks"], capture_output=True, text=True).stdout, re.M)[-1]
        with open(os.path.join(folder, version, "AppHostTemplate", "apphost"), "rb") as file:
            host = file.read()
        place_of_name = host.index(hashlib.sha256(b"foobar").hexdigest().encode())
        name = b"My.Bench.dll"
        host = host[:place_of_name] + name + bytes(64 - len(name)) + host[place_of_name + 64:]
        path = os.path.join(place.path, "My.Bench")
        with open(path, "wb") as file:
            file.write(host)
        for program in (path, stand_in):
            os.chmod(program, 0o755)
        environment = dict(os.environ, TARE=stand_in, DOTNET_ROOT=os.path.dirname(folder), DOTNET_SYSTEM_GLOBALIZATION_INVARIANT="1")
        done = subprocess.run([path, "--quick"], env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "run --quick -- {0} --quick\n".format(path)), done.stderr)


@unittest.skipUnless(HAS_PACKAGES, "there is no SDK that builds files, with packages")
class Compatible(unittest.TestCase):
    """Source as it is written for BenchmarkDotNet: the library itself is in front."""

    @classmethod
    def setUpClass(cls):
        cls.program, _ = built("Compatible")
        hook = os.path.join(os.path.dirname(cls.program), "Tare.dll")
        cls.child = Child(cls.program, after=["--filter", "*"], DOTNET_STARTUP_HOOKS=hook)

    @classmethod
    def tearDownClass(cls):
        assert cls.child.end() == 0

    def test_what_it_means(self):
        groups = {}
        for b in self.child.list:
            self.assertNotIn("invalid", b)
            groups.setdefault(b["group"], []).append(b)
        self.assertEqual(sorted(groups), ["Cold", "Collected, fast", "Concat", "Make<DateTime>", "Make<Int32>", "Monitored", "OnPlatforms", "Values"])
        # Two jobs that differ by their runtime alone are one line; 2 values of N times 1 + 1 + 1 + 2 + 2 rows.
        self.assertEqual(len(groups["Concat"]), 14)
        self.assertEqual([(j["name"], j["runtime"], j.get("base", False)) for j in groups["Concat"][0]["jobs"]],
                         [(OWN, SERIES, True), (".NET 7.0", "7.0", False)])
        plus = self.child.of("Concat", "plus sign")
        self.assertEqual((plus["baseline"], plus["set_ups"]), (True, ["global"]))
        # The job that the program gives is one more.
        self.assertEqual([b.get("strategy") for b in groups["Cold"]], ["cold-start", None])
        monitored = groups["Monitored"][0]
        self.assertEqual((monitored["strategy"], monitored["invocations_max"]), ("monitoring", 4))
        self.assertEqual(monitored["launch"]["environment"]["COMPlus_gcServer"], "1")
        jobs = {b["parameters"][-1]["value"]: b.get("launch", {}).get("environment", {}).get("DOTNET_gcServer") for b in groups["Collected, fast"]}
        self.assertEqual(jobs, {"Server": "1", "Workstation": "0", OWN: None})
        self.assertEqual({str(b.get("diagnosers")) for b in groups["Collected, fast"]}, {"['threading']"})
        # The class has a baseline among its methods: within each job.
        self.assertFalse(any(job.get("base") for b in groups["Collected, fast"] for job in b["jobs"]))

    def test_processes_find_their_values_again(self):
        for benchmark, wanted in zip((b for b in self.child.list if b["group"] == "Values"),
                                     ("100000 300000 637135310450000000 Utc 7", "3 300000 637135310450000000 Utc 7", "System.Int32 2c2.5nullFriday", "System.Int32 2c2.5nullFriday")):
            child = Child(self.program, listed=False, **benchmark["launch"]["environment"])
            self.assertEqual(child.ask("open {} 7".format(benchmark["index"])), {"reply": "opened"})
            self.assertEqual(child.ask("check")["text"], wanted)
            child.ask("close")
            self.assertEqual(child.end(), 0)
        self.assertEqual(benchmark["parameters"][0]["value"], "[0,0,0]")

    def test_results(self):
        self.assertEqual(self.child.text("Concat", "Lazily"), None)
        self.assertEqual(self.child.text("Concat", "Length"), "3")
        self.assertEqual(self.child.text("Collected, fast", "Later"), "1")
        self.assertEqual(self.child.text("Make<Int32>", "Value"), "0")

    def test_a_platform_is_a_runtime(self):
        jobs = self.child.of("OnPlatforms", "Bits")["jobs"]
        self.assertEqual([(job["name"], job.get("runtime")) for job in jobs[:3]], [("own", None), (OWN, SERIES), (OWN + ",X86", SERIES + "-x86")])
        self.assertEqual((jobs[3]["name"], jobs[3]["runtime"]), ("thumb", "arm"))
        place = Place(self)
        source = os.path.join(HERE, "Compatible.cs")
        done = place.tare("run", source, "--filter", "OnPlatforms/*", *FEW)
        self.assertIn("`thumb`", done.stderr)
        # Its class asks for diagnosers of the host by the library's attributes. What the machine lacks is no mistake.
        self.assertEqual(self.child.of("OnPlatforms", "Bits")["diagnosers"], ["code", "counters"])
        report = place.report()["report"]
        if any(case["outcome"]["outcome"] == "measured" for case in report["cases"]):
            texts = json.dumps([finding["evidence"] for finding in report["findings"] if finding["code"] in ("diagnoser-remark", "not-diagnosed")])
            self.assertRegex(texts, r"the body is \d+ instruction|list the machine code|machine code can only be read")
            self.assertTrue("cannot be counted" in texts or "counters/" in done.stdout, texts)
        # A variable of .NET's own says where another architecture is installed; here it is the same one.
        own = os.path.dirname(os.path.realpath(shutil.which("dotnet")))
        done = place.tare("run", "--dry", source, "--filter", "OnPlatforms/*", env=dict(os.environ, DOTNET_ROOT_X86=own, DOTNET_ROOT_ARM=own))
        self.assertNotIn("`thumb`", done.stderr)
        done = place.tare("run", source, "--filter", "Concat/*", "--job", "dotnet=" + SERIES + "-x86", *FEW)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("there is no .NET for x86 here", done.stderr)
        self.assertIn("hint: set `DOTNET_ROOT_X86` to its folder", done.stderr)

    def test_filters_choose(self):
        place = Place(self)
        place.write("chosen.cs", """using System;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;
public class MineAttribute : Attribute { }
[AnyCategoriesFilter("fast")] public class ByCategory
{
    [Benchmark, BenchmarkCategory("Fast"), Mine] public int Wanted() => 1;
    [Benchmark, BenchmarkCategory("slow")] public int NotWanted() => 2;
}
[Config(typeof(Settings))] public class ByName
{
    private class Settings : ManualConfig
    {
        public Settings()
        {
            AddFilter(new NameFilter(name => name.StartsWith("Wanted")));
            AddJob(Job.Default.WithGcServer(true).WithGcForce(true).WithId("forced"), Job.Default.WithGcServer(true).WithGcForce(false).WithId("server"));
        }
    }
    [Benchmark] public int Wanted() => 1;
    [Benchmark] public int NotWanted() => 2;
}
namespace N { public class Outer { public class Inner { [Benchmark, Arguments(true), Arguments(false)] public bool B(bool b) => b; } } }
public static class Program { public static void Main(string[] args) => BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args); }
""")
        done = place.tare("list", "chosen.cs")
        self.assertEqual(done.stdout.split(), ["ByCategory/Wanted", "ByName/Wanted", "Inner/B[b=true]", "Inner/B[b=false]"], done.stderr)
        self.assertIn("note: the jobs `forced`, `server` of `ByName` differ only in settings without effect: they are measured as one", done.stderr)

    def test_a_program_with_ways_of_its_own(self):
        # `Main` does something else without arguments, and measures twice; what one class does wrong costs it alone.
        place = Place(self)
        place.write("own.cs", """using System;
using System.Collections.Generic;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Code;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;
if (args.Length == 0) System.Threading.Thread.Sleep(-1);
BenchmarkRunner.Run<ByRunner>();
BenchmarkSwitcher.FromAssembly(typeof(ByRunner).Assembly).Run(args);
public class ByRunner { [Benchmark] public int R() => 5; }
public class Custom : IParam { public object Value => "c"; public string DisplayText => "custom!"; public string ToSourceCode() => "new Custom()"; public override string ToString() => "it"; }
public class Endless : IParam { public object Value => this; public string DisplayText => "endless"; public string ToSourceCode() => "new Endless()"; }
public class OfItself { [ParamsSource(nameof(All))] public Endless V; public IEnumerable<Endless> All() { yield return new Endless(); } [Benchmark] public int F() => 3; }
public class A
{
    public IEnumerable<Custom> Customs() { yield return new Custom(); }
    public IEnumerable<object> Lists() { yield return new int[1000]; yield return new int[3000]; }
    public IEnumerable<object[]> Rows() { yield return new object[] { new[] { 1, 2 }, "b" }; }
    public IEnumerable<object> Wrong() { yield return "x"; }
    [ParamsSource(nameof(Customs))] public Custom C;
    [Benchmark] public string Own() => C.ToString();
    [Benchmark, ArgumentsSource(nameof(Lists))] public int Long(int[] a) => a.Length;
    [Benchmark, ArgumentsSource(nameof(Rows))] public string Span(ReadOnlySpan<int> a, string b) => a.Length + b;
    [Benchmark, ArgumentsSource(nameof(Wrong))] public int Misfit(DateTime d) => 1;
}
public class Bad { public override string ToString() => throw new Exception("no text"); }
public class BadText { [ParamsSource(nameof(P))] public Bad N; public IEnumerable<Bad> P() { yield return new Bad(); } [Benchmark] public int F() => 1; }
[SimpleJob(launchCount: 1), SimpleJob(launchCount: 2)] public class Alike { [Benchmark] public int F() => 1; }
public class Says : IValidator
{
    public bool TreatsWarningsAsErrors => true;
    public IEnumerable<ValidationError> Validate(ValidationParameters p) { yield return new ValidationError(true, "no, says mine", p.Benchmarks[0]); }
}
[Config(typeof(Settings))] public class Validated
{
    private class Settings : ManualConfig { public Settings() => AddValidator(new Says()); }
    [Benchmark] public int X() => 1;
    [Benchmark] public int Y() => 2;
}
""")
        done = place.tare("run", "--dry", "own.cs")
        self.assertEqual(done.returncode, 100, done.stdout + done.stderr)
        self.assertEqual(dict(re.findall(r"^(.*?) +ran(?: +(\S+))?$", done.stdout, re.M)), {
            "ByRunner/R": "5", "A/Own[C=custom!]": "it", "A/Long[C=custom!, a=Int32[1000]]": "1000", "A/Long[C=custom!, a=Int32[3000]]": "3000",
            "A/Span[C=custom!, a=[1,2], b=b]": "2b", "Alike/F": "1", "OfItself/F[V=endless]": "3", "Validated/Y": "2"}, done.stderr)
        for said in ("the value `x` does not fit `d`", "a value of the type `Bad` has no text: its code threw Exception: no text", "Validated/X  invalid declaration: no, says mine",
                     "note: `Main` threw Exception: no text", "note: `Alike` has 2 jobs; jobs that differ only in settings without effect are measured as one"):
            self.assertIn(said, done.stderr)

    def test_what_has_no_effect_is_said_once_by_name(self):
        place = Place(self)
        listed = place.tare("list", os.path.join(HERE, "Compatible.cs"))
        notes = [line for line in listed.stderr.splitlines() if "no effect" in line]
        self.assertEqual(len(notes), len(set(notes)))
        self.assertIn("note: `LaunchCount` has no effect: there are always several processes; `--launches N` sets their number", notes)
        # What this project shows too is asked for by the declaration.
        self.assertFalse([note for note in notes if "Diagnoser" in note or "HardwareCounters" in note], notes)


@unittest.skipUnless(HAS_PACKAGES, "there is no SDK that builds files, with packages")
class InFront(unittest.TestCase):
    """A program that BenchmarkDotNet runs, with Tare under every job."""

    PROGRAM = """using System;
using System.Linq;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
[assembly: Tare.BenchmarkDotNet.UseTare("--quick --launches 2 --rounds 2 --no-save")]
[MemoryDiagnoser, ThreadingDiagnoser, ExceptionDiagnoser]
public class Make
{
    [Params(64)] public int N { get; set; }
    [Benchmark(Baseline = true)] public byte[] Bytes() => new byte[N];
    [Benchmark] public byte[] Clears() { var all = new byte[N]; Array.Clear(all, 0, N); return all; }
    [Benchmark] public int Throws() => throw new InvalidOperationException("on purpose");
}
public static class Program
{
    public static void Main(string[] args)
    {
        var config = DefaultConfig.Instance.AddColumn(StatisticColumn.P95).AddExporter(JsonExporter.Full).AddJob(Job.Default.WithLaunchCount(2));
        var summary = BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args, config).Single();
        foreach (var report in summary.Reports)
        {
            Console.WriteLine(report.BenchmarkCase.Descriptor.WorkloadMethod.Name + " " + (report.ResultStatistics?.Mean > 0) + " " + report.ResultStatistics?.N + " "
                + report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) + " " + report.Success
                + string.Concat(new[] { "ExceptionFrequency", "CompletedWorkItemCount" }.Where(report.Metrics.ContainsKey).Select(id => " " + Math.Round(report.Metrics[id].Value))));
        }
    }
}
"""
    PROJECT = ("<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework></PropertyGroup>\n"
               "<ItemGroup><PackageReference Include=\"BenchmarkDotNet\" Version=\"{}\" />{}</ItemGroup>\n</Project>\n")

    @unittest.skipUnless(LONG, "takes long")
    def test_f_sharp_and_visual_basic(self):
        place = Place(self)
        place.write("f/f.fsproj", self.PROJECT.format("0.15.8", "<Compile Include=\"a.fs\" />"))
        place.write("f/a.fs", "module F\nopen BenchmarkDotNet.Attributes\nopen BenchmarkDotNet.Running\ntype Lists() =\n    [<Params(10, 20)>]\n"
                    "    member val N = 0 with get, set\n    [<Benchmark>]\n    member this.Fold() = List.fold (+) 0 [ 1 .. this.N ]\n"
                    "[<EntryPoint>]\nlet main args = BenchmarkSwitcher.FromAssembly(typeof<Lists>.Assembly).Run(args) |> ignore; 0\n")
        place.write("v/v.vbproj", self.PROJECT.format("0.15.8", ""))
        place.write("v/a.vb", "Imports BenchmarkDotNet.Attributes\nImports BenchmarkDotNet.Running\nPublic Class Sums\n    <Params(3)> Public Property N As Integer\n"
                    "    <Benchmark> Public Function Twice() As Integer\n        Return 2 * N\n    End Function\nEnd Class\n"
                    "Module Program\n    Sub Main(args As String())\n        BenchmarkSwitcher.FromAssembly(GetType(Sums).Assembly).Run(args)\n    End Sub\nEnd Module\n")
        done = place.tare("run", "--dry", "f/f.fsproj", "v/v.vbproj")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(dict(re.findall(r"^(.*?) +ran(?: +(\S+))?$", done.stdout, re.M)), {"Lists/Fold[N=10]": "55", "Lists/Fold[N=20]": "210", "Sums/Twice[N=3]": "6"})

    def check(self, place, threads=True, **variables):
        built = subprocess.run(["dotnet", "build", "-c", "Release", "-nologo", "-v", "quiet", "-p:UseSharedCompilation=false"], cwd=os.path.join(place.path, "p"), capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        program = os.path.join(place.path, "p", "bin", "Release", "net10.0", "p.dll")
        done = subprocess.run(["dotnet", program, "--filter", "*Make*"], cwd=place.path, env=dict(os.environ, TARE=TARE, **variables), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        more = " 0" if threads else ""
        self.assertEqual(done.stdout.splitlines()[-3:], ["Bytes True 2 88 True 0" + more, "Clears True 2 88 True 0" + more, "Throws False   False"], done.stdout + done.stderr)
        header = next(line for line in done.stdout.splitlines() if line.startswith("| Method"))
        for column in ("P95", "95 %", "Verdict", "Ratio", "Allocated", "Exceptions", *(("Completed Work Items", "Lock Contentions") if threads else ())):
            self.assertIn(" " + column + " ", header)
        self.assertIn("in the body: threw InvalidOperationException: on purpose", done.stdout)
        with open(os.path.join(place.path, "BenchmarkDotNet.Artifacts", "results", "Make-report-full.json")) as file:
            self.assertEqual(len(json.load(file)["Benchmarks"]), 3)
        return program

    def test_the_library_prints_and_exports_what_tare_measures(self):
        place = Place(self)
        place.write("p/a.cs", self.PROGRAM)
        place.write("p/p.csproj", self.PROJECT.format("0.15.8", ""))
        # `tare` measures the project too, whose `Main` cannot do without results.
        listed = place.tare("list", "p/p.csproj")
        self.assertEqual(listed.stdout.split(), ["Make/Bytes[N=64]", "Make/Clears[N=64]", "Make/Throws[N=64]"], listed.stderr)
        self.assertIn("note: `Main` threw InvalidOperationException: Sequence contains no elements", listed.stderr)
        self.assertEqual(sorted(os.listdir(os.path.join(place.path, "p"))), ["a.cs", "p.csproj"])
        # Where it is asked for, `Main` runs once more, with the results of what was measured.
        few = ["--quick", "--launches", "2", "--rounds", "2", "--no-save"]
        done = place.tare("run", "p/p.csproj", "--filter", "Make/Bytes*", "--as-benchmarkdotnet", *few)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "Bytes True 2 88 True 0 0"), done.stdout + done.stderr)
        self.assertNotIn("Clears", done.stdout)
        # A form that a program reads stays alone on the standard output.
        done = place.tare("run", "p/p.csproj", "--filter", "Make/Bytes*", "--as-benchmarkdotnet", "--format", "json", *few)
        self.assertEqual(len(json.loads(done.stdout)["report"]["cases"]), 1, done.stdout + done.stderr)
        self.assertIn("Bytes True 2 88 True 0 0", done.stderr)
        own = os.path.dirname(assembly("p"))
        references = "".join("<Reference Include=\"{0}\" HintPath=\"{1}/{0}.dll\" />".format(name, own) for name in ("Tare", "Tare.BenchmarkDotNet"))
        place.write("p/p.csproj", self.PROJECT.format("0.15.8", references))
        program = self.check(place)
        lost = subprocess.run(["dotnet", program, "--filter", "*Bytes*"], cwd=place.path, env=dict(os.environ, TARE="", PATH=os.path.dirname(shutil.which("dotnet"))), capture_output=True, text=True)
        self.assertIn("`tare` was not found: put it on the PATH, or set the variable TARE to its path", lost.stdout)

    @unittest.skipUnless(LONG, "takes long")
    def test_a_program_that_was_built_without_tare(self):
        place = Place(self)
        place.write("p/a.cs", self.PROGRAM.replace("[assembly: Tare", "// [assembly: Tare"))
        place.write("p/p.csproj", self.PROJECT.format("0.15.8", "").replace("net10.0", "net8.0"))
        built = subprocess.run(["dotnet", "build", "-c", "Release", "-nologo", "-v", "quiet", "-p:UseSharedCompilation=false"], cwd=os.path.join(place.path, "p"), capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        done = place.tare("run", "p/bin/Release/net8.0/p.dll", "--filter", "Make/Bytes*", *FEW)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("note: the program was built without `tare`: any configuration in its `Main` is ignored; to use it, name the project instead", done.stderr)
        allocated = next(m for m in place.report()["report"]["cases"][0]["outcome"]["metrics"] if m["name"] == "allocated_bytes")
        self.assertEqual(allocated["value"], 88.0)

    @unittest.skipUnless(LONG, "takes long")
    def test_the_packages_are_built_and_used(self):
        place = Place(self)
        packages = os.path.join(place.path, "packages", "nuget")
        done = subprocess.run([os.path.join(ROOT, "packaging", "build"), "nuget"], capture_output=True, text=True, env={**os.environ, "TARE_PACKAGES": os.path.dirname(packages)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("Tare", "Tare.BenchmarkDotNet"):
            with zipfile.ZipFile(os.path.join(packages, name + ".0.1.0.nupkg")) as file:
                self.assertLessEqual({"README.md", "LICENSE-MIT", "LICENSE-APACHE"}, set(file.namelist()))
        place.write("nuget.config", "<configuration><packageSources><add key=\"own\" value=\"packages/nuget\" /></packageSources></configuration>\n")
        # The older one does not know .NET 10, and refuses to count its threads' work.
        for version, threads in (("0.15.8", True), ("0.14.0", False)):
            place.write("p/a.cs", self.PROGRAM if threads else self.PROGRAM.replace("ThreadingDiagnoser, ", ""))
            place.write("p/p.csproj", self.PROJECT.format(version, "<PackageReference Include=\"Tare.BenchmarkDotNet\" Version=\"0.1.0\" />"))
            os.environ["NUGET_PACKAGES"] = os.path.join(place.path, "cache")
            try:
                self.check(place, threads)
            finally:
                del os.environ["NUGET_PACKAGES"]
            shutil.rmtree(os.path.join(place.path, "BenchmarkDotNet.Artifacts"))
        # `Tare` alone, as an IDE or `dotnet run` uses it.
        place.write("plain/a.cs", "using Tare;\nBenchmarkSwitcher.FromTypes(new[] { typeof(Sum) }).Run(args);\npublic class Sum { [Benchmark] public int Nine() => 9; }\n")
        place.write("plain/plain.csproj", self.PROJECT.format("", "").replace("<PackageReference Include=\"BenchmarkDotNet\" Version=\"\" />", "<PackageReference Include=\"Tare\" Version=\"0.1.0\" />"))
        done = subprocess.run(["dotnet", "run", "-c", "Release", "--", "--list"], cwd=os.path.join(place.path, "plain"), capture_output=True, text=True, env={**os.environ, "NUGET_PACKAGES": os.path.join(place.path, "cache")})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Nine", done.stdout)


@unittest.skipUnless(HAS_PACKAGES, "there is no SDK that builds files, with packages")
class Twenty(unittest.TestCase):
    """Classes in the styles of many authors."""

    def test_all_of_them_compile_and_can_be_measured(self):
        program, listed = built("Twenty")
        benchmarks = listed["programs"][0]["benchmarks"]
        self.assertEqual([b["invalid"] for b in benchmarks if "invalid" in b], [])
        of = lambda group: [b for b in benchmarks if b["group"] == group]
        self.assertEqual({job["name"] for b in of("Configured") for job in b["jobs"]}, {"ServerGC", "Workstation"})
        self.assertEqual([job["name"] for job in of("Monikers")[0]["jobs"]], [".NET Framework 4.7.2", ".NET Core 3.1", ".NET 9.0", "Mono with .NET 10.0", "NativeAOT 8.0"])
        # The variables of a mutator take the place of those of a job.
        environment = of("TieredOrNot")[0]["launch"]["environment"]
        self.assertEqual({name for name in environment if name not in ("BENCHMARK_CASE", "DOTNET_STARTUP_HOOKS")}, {"MUTATED"})
        self.assertEqual(of("Randomized")[0]["policy"], {"memory_randomization": True})
        self.assertEqual({b["group"] for b in benchmarks if b["baseline"]},
                         {"Asynchronous", "TieredOrNot", "ByCategory, A", "ByCategory, B"})
        self.assertEqual(len(of("AllParams")), 2 * 2 * 3 * 2 * 2)

    @unittest.skipUnless(LONG, "takes long")
    def test_all_of_them_run(self):
        place = Place(self)
        done = place.tare("run", "--dry", os.path.join(HERE, "Twenty.cs"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Jobs(unittest.TestCase):
    """Jobs that stand at declarations are jobs of the run."""

    def test_of_several_collectors(self):
        place = Place(self)
        source = os.path.join(ROOT, "examples", "csharp", "collector.cs")
        done = place.tare("run", source, "--filter", "@server", "--filter", "@background workstation", *FEW)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        report = place.report()["report"]
        self.assertEqual([job["name"] for job in report["jobs"]], ["background workstation", "workstation", "background server", "server"])
        self.assertEqual([(case["job"], case["baseline"]) for case in report["cases"]], [("background workstation", True), ("server", False)])

    @unittest.skipUnless(HAS_PACKAGES, "there is no SDK that builds files, with packages")
    def test_a_job_whose_runtime_is_not_installed_is_left_out(self):
        place = Place(self)
        done = place.tare("run", "--dry", os.path.join(HERE, "Compatible.cs"), "--filter", "Concat/plus*")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("warning: job `.NET 7.0` is left out: the .NET runtime `7.0` is not installed", done.stderr)
        self.assertEqual(re.findall(r"plus sign\S*\[N=(\d)\]@(.*?) +ran", done.stdout), [("2", OWN), ("3", OWN)])

    def test_runtimes_that_are_not_installed_are_named(self):
        place = Place(self)
        # A benchmark of which all jobs are left out is not measured under another one.
        place.write("left.cs", "using Tare;\n[SimpleJob(RuntimeMoniker.Net461)] public class Left { [Benchmark] public int A() => 1; }\n")
        left = place.tare("run", "left.cs", "--dry")
        self.assertEqual(left.returncode, 100, left.stdout + left.stderr)
        self.assertIn("none of its jobs can be measured here: `.NET Framework 4.6.1` needs the .NET runtime `net461`", left.stderr)
        ahead = place.tare("run", "left.cs", "--dry", "--runtimes", "nativeaot")
        self.assertNotEqual(ahead.returncode, 0, ahead.stdout)
        self.assertIn("programs compiled ahead of time cannot be measured (`nativeaot`)", ahead.stderr)

    def test_under_the_names_of_benchmarkdotnet(self):
        place = Place(self)
        # What a process is started with: on one processor no collector is one of servers.
        mode = 'Environment.GetEnvironmentVariable("DOTNET_gcServer") == "1" || Environment.GetEnvironmentVariable("COMPlus_gcServer") == "1"'
        place.write("known.cs", "using System;\nusing Tare;\n[SimpleJob(RuntimeMoniker." + MONIKER + ", baseline: true), SimpleJob(RuntimeMoniker.Net70), DryJob, ShortRunJob, MemoryDiagnoser]\n"
                    "public class Known\n{\n    [Benchmark, GcServer(true)] public bool Mode() => " + mode + ";\n"
                    "    [IterationSetup(Target = \"One\")] public void Set() { }\n    [Benchmark, RunOncePerIteration] public int One() => 1;\n}\n"
                    "[SimpleJob(Strategy.ColdStart), SimpleJob(strategy: Strategy.Monitoring, id: \"each\"), SimpleJob(Strategy.Throughput, RuntimeMoniker.Net48), GcServer(true)]\n"
                    "public class Base\n{\n    [Benchmark, InvocationCount(3)] public bool Mode() => System.Runtime.GCSettings.IsServerGC;\n}\n"
                    "[GcServer(false)] public class Derived : Base\n{\n}\n")
        done = place.tare("run", "--dry", "known.cs")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("warning: job `.NET 7.0` is left out: the .NET runtime `7.0` is not installed", done.stderr)
        jobs = [OWN, "ShortRun", "Dry"]
        self.assertEqual(re.findall(r"Known/Mode@(.*?) +ran +(\S+)", done.stdout), [(job, "true") for job in jobs])
        self.assertEqual(re.findall(r"(Base|Derived)/Mode@(.*?) +ran +(\S+)", done.stdout),
                         [(group, job, mode) for group, mode in (("Base", "true"), ("Derived", "false")) for job in ("ColdStart", "each")])
        self.assertIn("`[InvocationCount]` has no effect: without an iteration set-up or clean-up, as many calls as fill a visit are timed together", done.stderr)
        # One call each: no iteration has more.
        place.tare("run", "known.cs", "--filter", "Known/One@*" + SERIES, *FEW)
        child = Child(assembly("known"))
        self.assertEqual((child.of("Known", "One").get("invocations_max"), child.of("Known", "Mode").get("invocations_max")), (1, None))
        self.assertEqual(child.end(), 0)


class Diagnosers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program, _ = built("Counted")

    def diagnosed(self, child, name, invocations):
        """Threading and exceptions of each iteration, an invocation."""
        values = {}
        for diagnoser in "threading", "exceptions":
            child.ask("open {} 7".format(child.of("Counted", name)["index"]))
            # What is compiled meanwhile may be work of the pool (.NET Core 3.1).
            child.ask("measure workload 3 100 0")
            metrics = child.ask("diagnose {} 3 {} 5".format(diagnoser, invocations))["metrics"]
            values.update({name: [count / invocations for count in counts] for name, counts in metrics.items()})
            child.ask("close")
        return values["lock_contentions"], values["work_items"], values["thrown"]

    def test_counts_are_exact(self):
        child = Child(self.program)
        self.assertEqual([b.get("diagnosers") for b in child.list], 5 * [["threading", "exceptions"]] + 5 * [None])
        for name, items, thrown in ("Nothing", 0, 0), ("Catches", 0, 2), ("Queues", 3, 0), ("Leaves", 1, 1):
            contentions, done, found = self.diagnosed(child, name, 100)
            # .NET Core 3.1 compiles in the pool, for as long as a busy machine makes it wait.
            done = statistics.median(done) if IS_NEW else round(statistics.median(done))
            self.assertEqual((done, found), (items, 3 * [thrown]), name)
            # The pool has locks of its own.
            self.assertTrue(items or contentions == [0, 0, 0], (name, contentions))
        contentions, _, _ = self.diagnosed(child, "Contends", 10)
        self.assertTrue(all(count >= 1 for count in contentions), contentions)
        self.assertEqual(child.end(), 0)

    def test_a_quick_look_names_what_it_leaves_out(self):
        environment = dict(os.environ, PATH=os.path.dirname(shutil.which("dotnet")) + ":/usr/bin:/bin")
        environment.pop("TARE", None)
        done = subprocess.run(["dotnet", self.program, "--filter", "*Counted.Nothing"], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: diagnosers run only with `tare`, so these columns are missing: threading, exceptions\n", done.stderr)

    def test_a_class_asks_for_itself(self):
        place = Place(self)
        files = ["-o", "r.csv", "--filter", "Unasked/*", "--filter", "*Catches"]
        done = place.tare("run", os.path.join(HERE, "Counted.cs"), *FEW, *files)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # On a busy machine both visits may have been interrupted.
        measured = {case["name"] for case in place.report()["report"]["cases"] if case["outcome"]["outcome"] == "measured"}
        is_there = "Catches" in measured
        self.assertEqual("exceptions/*, threading/*: measured in a separate pass after the times" in done.stdout, is_there, done.stdout)
        names = ["threading/lock_contentions", "threading/work_items", "exceptions/thrown"]
        with open(os.path.join(place.path, "r.csv")) as file:
            rows = {row["name"]: [row.get(name, "") for name in names] for row in csv.DictReader(file)}
        # The compiler of .NET Core 3.1 is work of the pool.
        found = [value and round(float(value)) for value in rows["Catches"]]
        self.assertEqual(found, [0, 0, 2] if is_there else ["", "", ""])
        self.assertEqual(rows["Nothing"], ["", "", ""])

    @unittest.skipUnless(platform.machine() == "x86_64", "machine code is only read on x86-64")
    def test_code_that_the_runtime_compiled_has_its_tier(self):
        place = Place(self)
        # On a busy machine the runtime may not have compiled the body in its last tier by then: Tare says so, and a longer pass waits for it.
        for seconds in (0.3, 3, 30):
            few = ["--quick", "--launches", "1", "--rounds", "2", "--diagnose", "code,inlining,allocations", "--diagnose-for", f"{seconds}s", "-o", "r.folded"]
            done = place.tare("run", os.path.join(HERE, "Counted.cs"), "--filter", "Told/Makes", *few)
            if "had not compiled it in its last tier yet" not in place.tare("show", "--inlining").stdout:
                break
        if not IS_NEW and not NEWEST:
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("3.1", done.stderr)
            return self.assertRegex(done.stderr, r"does not (list|tell) .*; \.NET [57] and later do")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        shown = place.tare("show", "--code").stdout
        self.assertRegex(shown, r"^Told/Makes\n\nbody \((Tier1|Tier0|Instrumented Tier0)[^)]*\): \d+ instructions?, ")
        self.assertIn("  ret\n", shown)
        shown = place.tare("show", "--inlining").stdout
        self.assertRegex(shown, r"\n  inlined   Told\.Twice\n")
        self.assertRegex(shown, r"\n  called    Told\.Made  \(.*noinline")
        # Each sample has the whole stack from the body on, with the type behind it.
        with open(os.path.join(place.path, "r.folded")) as file:
            stacks = [line.rsplit(" ", 1) for line in file if "Told.Makes;Told.Made;new System.Byte[]" in line]
        self.assertTrue(stacks and int(stacks[0][1]) >= 100000, stacks)


    @unittest.skipUnless(sys.platform == "linux" and platform.machine() == "x86_64", "code is only followed on Linux on x86-64")
    def test_instructions_are_followed_one_by_one(self):
        place = Place(self)

        def measured():
            done = place.tare("run", os.path.join(HERE, "Counted.cs"), "--filter", "Stepped/*", *FEW, "--diagnose", "instructions", "-v")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return done, {case["name"]: case["outcome"].get("metrics", []) for case in place.report()["report"]["cases"]}

        def count(case, name):
            return next((metric["value"] for metric in cases[case] if metric["name"] == "instructions/" + name), None)

        # Whatever the runtime compiled it to, a thousand turns more are a thousand times what one turn executes.
        def turn_of(name):
            return (count("Twice", name) - count("Once", name)) / 1000

        bounds = (("executed", 3, 40), ("branches", 1, 5))

        def is_whole(name, least, most):
            return least <= round(turn_of(name)) <= most and abs(turn_of(name) - round(turn_of(name))) < 0.1

        # On a busy machine the runtime may do something beside the body in each round of a loop: a wrong count is wrong every time.
        for _ in range(3):
            done, cases = measured()
            if "cannot be followed" in done.stdout:
                return self.skipTest("this machine does not let a process trace its own: " + done.stdout)
            if all(is_whole(*each) for each in bounds):
                break
        self.assertIn("each instruction was followed", done.stdout)
        for name, least, most in bounds:
            self.assertTrue(is_whole(name, least, most), (name, turn_of(name), done.stdout))
        # The end of a loop of a thousand turns is mispredicted once or twice.
        self.assertLess(count("Once", "mispredicted"), 20)
        # One invocation of it would take a minute to follow.
        self.assertIsNone(count("Endless", "executed"))
        self.assertRegex(" ".join(done.stdout.split()), r"Stepped/Endless.*too many to follow")

    @unittest.skipUnless(sys.platform == "linux" and platform.machine() == "x86_64", "machine code is only read on x86-64")
    @unittest.skipUnless(IS_NEW or NEWEST, "the runtime does not list its code")
    def test_samples_are_laid_over_code_that_the_runtime_compiled(self):
        place = Place(self)
        few = ["--quick", "--launches", "1", "--rounds", "2", "--diagnose", "code,profile", "--diagnose-for", "0.5s"]
        done = place.tare("run", os.path.join(HERE, "Counted.cs"), "--filter", "Stepped/Endless", *few)
        if done.returncode == 2:
            return self.skipTest("samples cannot be taken here: " + done.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = place.tare("show", "--code")
        # It may be compiled to other code in the process of the profile; then that is said.
        inside = re.search(r"(\d+) of (\d+) samples .* are in this code", found.stdout)
        self.assertTrue(inside, found.stdout + found.stderr)
        self.assertTrue(int(inside[1]) > 0 or "but in other code" in found.stdout, found.stdout)
        self.assertNotIn("cannot be laid", found.stdout + found.stderr)


@unittest.skipUnless(MONO, "there is no Mono")
class Mono(unittest.TestCase):
    @unittest.skipUnless(LONG or not IS_NEW, "takes long: the front end is compiled for it")
    def test_what_it_does_not_count_is_said(self):
        place = Place(self)
        done = place.tare("run", os.path.join(HERE, "Counted.cs"), "--runtimes", "mono", "--filter", "Counted/Catches", *FEW)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        said = [finding["evidence"]["values"] for finding in place.report()["report"]["findings"] if finding["code"] == "not-diagnosed"]
        self.assertRegex(said[0]["why"]["text"], r"^Mono 6\S+ does not count lock contentions and completed work items: ")
        self.assertRegex(said[0]["why'"]["text"], r"^Mono 6\S+ does not report when an exception is thrown: ")

    @unittest.skipUnless(LONG or not IS_NEW, "takes long: the front end is compiled for it")
    def test_it_is_a_job_beside_dotnet(self):
        place = Place(self)
        done = place.tare("run", "--dry", os.path.join(ROOT, "examples", "csharp", "hash.cs"), "--runtimes", SERIES + ",mono", "--filter", "*Md5*")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(re.findall(r"Hash/Md5@(.*?) +ran", done.stdout), [OWN, "Mono"])

    @unittest.skipUnless(LONG, "takes long")
    def test_conformance(self):
        place = Place(self)
        done = place.tare("run", "--dry", os.path.join(HERE, "Conformance.cs"), "--runtimes", "mono", "--filter", "*count*")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = subprocess.run([TARE, "conformance", "--", "mono", assembly("Conformance")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Whole(unittest.TestCase):
    @unittest.skipUnless(LONG, "takes long")
    def test_conformance(self):
        program, _ = built("Conformance")
        done = subprocess.run([TARE, "conformance", "--", "dotnet", program], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(" 0 failed, 0 undecided, 0 advice, 3 not applicable", done.stdout)

    def test_digests_are_those_of_all_languages(self):
        # Its own `Main`: the compiler sees two and takes that of the file.
        subprocess.run([TARE, "list", os.path.join(HERE, "Digests.cs")], capture_output=True, text=True)
        done = subprocess.run(["dotnet", assembly("Digests"), os.path.join(ROOT, "spec", "digests.txt")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"^[6-9]\d lines, 0 wrong|^\d{3} lines, 0 wrong")

    def test_an_error_of_the_compiler_is_shown(self):
        place = Place(self)
        place.write("bad.cs", "using Tare;\npublic class B { private int unused; }\npublic class C { [Benchmark] public int F() => nothing; }\n")
        done = place.tare("run", "bad.cs")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("error CS0103: The name 'nothing' does not exist"), 1, done.stderr)
        self.assertLess(done.stderr.index("error CS0103"), done.stderr.index("warning CS0169"), done.stderr)

    @unittest.skipUnless(HAS_PACKAGES, "there is no SDK that builds files, with packages")
    def test_a_file_that_the_sdk_builds(self):
        # A package, another file, a property of its own and one of the folder, no `Main`.
        place = Place(self)
        place.write("Directory.Build.props", "<Project><PropertyGroup><DefineConstants>$(DefineConstants);OF_FOLDER</DefineConstants></PropertyGroup></Project>")
        place.write("other.cs", "public static class Other { public static int F() => 42; }\n")
        place.write("a.cs", "#!/usr/bin/env dotnet\n#:package BenchmarkDotNet@0.15.8\n#:package Newtonsoft.Json@13.0.3\n#:include other.cs\n#:property InvariantTimezone=true\n"
                    "// tare-flags: -define:OF_FLAGS\nusing BenchmarkDotNet.Attributes;\npublic class C\n{\n#if OF_FOLDER && OF_FLAGS\n"
                    "    [Benchmark] public string F() => Newtonsoft.Json.JsonConvert.SerializeObject(new[] { Other.F() });\n#endif\n}\n")
        done = place.tare("run", "--dry", "a.cs")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"^C/F +ran +\[42\]\n$")
        self.assertNotIn("no effect", done.stderr)
        # Nothing is left beside the file.
        self.assertEqual(sorted(os.listdir(place.path)), ["Directory.Build.props", "a.cs", "other.cs"])

    @unittest.skipUnless(LONG and HAS_PACKAGES, "takes long, or there is no SDK that builds files, with packages")
    def test_a_file_with_a_project(self):
        place = Place(self)
        place.write("Lib/Lib.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>")
        place.write("Lib/L.cs", "namespace Lib { public static class L { public static int F(int n) => n * n; } }\n")
        text = "#:package BenchmarkDotNet@0.15.8\n#:project Lib/Lib.csproj\nusing BenchmarkDotNet.Attributes;\n{}public class J {{ [Benchmark] public int Square() => Lib.L.F(3); }}\n"
        place.write("a.cs", text.format("BenchmarkDotNet.Running.BenchmarkRunner.Run<J>();\n"))
        done = place.tare("run", "--dry", "a.cs")
        self.assertEqual((done.returncode, done.stdout), (0, "J/Square  ran      9\n"), done.stderr)
        place.write("web.cs", "#:sdk Nobody.Sdk\n" + text.format(""))
        done = place.tare("list", "web.cs")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Nobody.Sdk", done.stderr)

    @unittest.skipIf(IS_NEW, "this SDK builds files")
    def test_a_file_that_stands_for_a_project(self):
        place = Place(self)
        place.write("a.cs", "#!/usr/bin/env dotnet\n#:package Other@1.0\n#:property PublishAot=false\n#:property TieredCompilation=false\n"
                    "using Tare;\npublic class C\n{\n#if NETCOREAPP3_1_OR_GREATER && !NET5_0_OR_GREATER && RELEASE\n"
                    "    [Benchmark] public int F() => new List<int>().Count();\n#endif\n}\n")
        done = place.tare("list", "a.cs", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        (benchmark,) = json.loads(done.stdout)["programs"][0]["benchmarks"]
        self.assertEqual((benchmark["name"], benchmark["file"], benchmark["line"]), ("F", os.path.join(place.path, "a.cs"), 9))
        self.assertIn("`#:package Other@1.0` has no effect: an SDK before .NET 10, and Mono, can only build a single file", done.stderr)
        with open(assembly("a")[:-len("dll")] + "runtimeconfig.json") as file:
            self.assertEqual(json.load(file)["runtimeOptions"]["configProperties"], {"System.Runtime.TieredCompilation": False})
        self.assertNotIn("BenchmarkDotNet@", done.stderr)

    def test_imports_of_a_project_are_there_where_names_are_missing(self):
        place = Place(self)
        place.write("a.cs", "public class C\n{\n    [Tare.Benchmark] public int F() => new List<int>().Count();\n}\n")
        done = place.tare("list", "a.cs")
        self.assertEqual((done.returncode, done.stdout), (0, "C/F\n"), done.stderr)

    def test_code_that_is_not_optimised_is_refused(self):
        place = Place(self)
        place.write("debug.cs", "// tare-flags: -optimize- -debug+\nusing Tare;\npublic class C { [Benchmark] public int F() => 1; }\n")
        done = place.tare("run", "debug.cs", *FEW)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("was built without optimisation", done.stdout + done.stderr)

    def test_runtimes_are_jobs_of_one_table(self):
        place = Place(self)
        declared = os.path.join(HERE, "Declared.cs")
        # The front end is compiled for each: two show it.
        versions = VERSIONS if LONG or not IS_NEW else VERSIONS[-2:]
        versions = [v for v in versions if LONG or v.split(".")[0] in ("3", "8", "10")]
        jobs = ["--job=dotnet=" + version for version in versions]
        done = place.tare("run", declared, "--filter", "Runtimes/Version", *FEW, *jobs)
        # The body throws the version.
        self.assertEqual(done.returncode, 100, done.stdout + done.stderr)
        found = re.findall(r"threw InvalidOperationException: (\S+)", done.stdout)
        self.assertEqual(list(dict.fromkeys(found)), versions, done.stdout)
        done = place.tare("run", declared, "--job", "dotnet=9.9", *FEW)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("there is no .NET runtime `9.9` here", done.stderr)
        self.assertIn("hint: use one of " + ", ".join(VERSIONS), done.stderr)

    @unittest.skipUnless(IS_NEW, "there is one runtime")
    def test_one_source_on_several_runtimes(self):
        place = Place(self)
        place.write("a.cs", "using Tare;\npublic class C\n{\n    public string Text = \"123\";\n#if NET10_0_OR_GREATER\n    [Benchmark] public int New() => 10;\n#elif NET8_0\n    [Benchmark] public int Old() => 8;\n"
                    "#endif\n    [Benchmark] public int Parse() => int.Parse(Text);\n}\n")
        every = [series for series in ("8.0", "10.0", "3.1", "9.0") if any(v.startswith(series + ".") for v in VERSIONS)]
        wanted = every + ["mono"] * bool(MONO) if LONG else ["8.0", "10.0"]
        done = place.tare("run", "a.cs", "--runtimes", ",".join(wanted), *FEW)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        cases = place.report()["report"]["cases"]
        names = {"3.1": ".NET Core 3.1", "mono": "Mono"}
        self.assertEqual([case["job"] for case in cases if case["name"] == "Parse"], [names.get(word, ".NET " + word) for word in wanted])
        self.assertEqual([(case["name"], case["job"]) for case in cases if case["name"] != "Parse"], [("Old", ".NET 8.0"), ("New", ".NET 10.0")])
        self.assertEqual([case["baseline"] for case in cases if case["name"] == "Parse"], [word == wanted[0] for word in wanted])

    @unittest.skipUnless(HAS_PACKAGES, "there are no packages")
    def test_a_library_for_an_older_framework_is_measured_and_keeps_its_output(self):
        place = Place(self)
        place.write("p/p.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>\n"
                    "<ItemGroup><PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" /></ItemGroup>\n</Project>\n")
        place.write("p/b.cs", "using BenchmarkDotNet.Attributes;\npublic class B { private int unused; [Benchmark] public int Of() => System.Environment.Version.Major; }\n")
        assets = place.write("p/obj/project.assets.json", "{}")
        done = place.tare("run", "--dry", "-v", "p")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"B/Of +ran +8\n")
        self.assertNotIn("warning MSB", done.stderr)
        with open(assets) as file:
            self.assertEqual(file.read(), "{}")
        self.assertEqual((os.listdir(os.path.join(place.path, "p", "obj")), sorted(os.listdir(os.path.join(place.path, "p")))), (["project.assets.json"], ["b.cs", "obj", "p.csproj"]))

    @unittest.skipUnless(LONG and HAS_PACKAGES, "takes long, or there are no packages")
    def test_a_project_has_the_outputs_of_an_ordinary_build(self):
        # A generator that is named by path, and a library of two frameworks that another one refers to in the older.
        place = Place(self)
        project = "<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup>{}</PropertyGroup>\n<ItemGroup>{}</ItemGroup>\n</Project>\n"
        refers = "<ProjectReference Include=\"../{0}/{0}.csproj\" {1}/>"
        place.write("Gen/Gen.csproj", project.format("<TargetFramework>netstandard2.0</TargetFramework>", ""))
        place.write("Gen/g.cs", "namespace Gen { public static class G { } }\n")
        place.write("Lib/Lib.csproj", project.format("<TargetFrameworks>netstandard2.0;net8.0</TargetFrameworks>", ""))
        place.write("Lib/l.cs", "public static class Lib\n{\n#if NETSTANDARD\n    public static string Of => \"standard\";\n#else\n    public static string Of => \"net8.0\";\n#endif\n}\n")
        place.write("Old/Old.csproj", project.format("<TargetFramework>netstandard2.0</TargetFramework>", refers.format("Lib", "") + "<PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" />"))
        place.write("Old/o.cs", "using BenchmarkDotNet.Attributes;\npublic abstract class Old { [Benchmark] public string Inherited() => Lib.Of; }\n")
        place.write("Bench/Bench.csproj", project.format(
            "<TargetFrameworks>net8.0;net10.0</TargetFrameworks>",
            "<PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" />" + refers.format("Lib", "") + refers.format("Old", "")
            + refers.format("Gen", "ReferenceOutputAssembly=\"false\" ") + "<Analyzer Include=\"../Gen/bin/$(Configuration)/netstandard2.0/Gen.dll\" />"))
        place.write("Bench/b.cs", "using BenchmarkDotNet.Attributes;\npublic class B : Old { [Benchmark] public string Of() => Lib.Of + \" \" + System.Environment.Version.Major; }\n")
        done = place.tare("run", "--dry", "-v", "Bench", "--runtimes", "8.0,10.0")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(sorted(re.findall(r"B/Of@(\S+ \S+) +ran +(.*)\n", done.stdout)), [(".NET 10.0", "net8.0 10"), (".NET 8.0", "net8.0 8")])
        self.assertEqual(re.findall(r"B/Inherited\S* \S+ +ran +(.*)\n", done.stdout), ["net8.0", "net8.0"])
        self.assertNotIn("warning MSB", done.stderr)
        self.assertEqual([os.path.exists(os.path.join(place.path, name, "bin")) for name in ("Gen", "Lib", "Old", "Bench")], [True, True, False, False])

    @unittest.skipUnless(LONG and HAS_PACKAGES, "takes long, or there are no packages")
    def test_what_comes_with_the_package_stays(self):
        place = Place(self)
        place.write("p/p.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><IsTestProject>true</IsTestProject></PropertyGroup>\n"
                    "<ItemGroup><PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" /></ItemGroup>\n</Project>\n")
        # The `Main` of a test project is not that of its benchmarks.
        place.write("p/a.cs", "using BenchmarkDotNet.Attributes;\nusing Microsoft.CodeAnalysis.CSharp;\n"
                    "public class C { [Benchmark] public string F() => CSharpSyntaxTree.ParseText(\"class D { }\").GetRoot().ToString(); }\npublic static class P { public static void Main() { } }\n")
        done = place.tare("run", "--dry", "p")
        self.assertEqual((done.returncode, done.stdout), (0, "C/F  ran      class D { }\n"), done.stderr)

    def test_what_is_missing_is_named(self):
        place = Place(self)
        place.write("a.cs", "using Tare;\npublic class C { [Benchmark] public int F() => 1; }\n")
        environment = {k: v for k, v in os.environ.items() if k != "DOTNET_ROOT"}
        done = place.tare("run", "a.cs", env=dict(environment, PATH="/usr/bin:/bin"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("`dotnet` was not found on the PATH", done.stderr)
        self.assertIn("hint: install the .NET SDK", done.stderr)

    @unittest.skipUnless(LONG, "takes long")
    def test_every_misbehaviour_is_one_failure_by_name(self):
        place = Place(self)
        done = place.tare("run", os.path.join(HERE, "Misbehaving.cs"), *FEW)
        self.assertEqual(done.returncode, 100, done.stdout + done.stderr)
        causes = {}
        for case in place.report()["report"]["cases"]:
            failure = case["outcome"].get("failure")
            causes[case["name"]] = failure["cause"]["kind"] if failure else None
        self.assertEqual({name for name, cause in causes.items() if cause is None}, {"Fine", "PrintsFrames"}, causes)
        for said in "killed by SIGABRT", "exited unexpectedly with status 3", "threw ArgumentException: wrong at ", "Stack overflow":
            self.assertIn(said, done.stdout)

    @unittest.skipUnless(LONG, "takes long")
    def test_a_project(self):
        place = Place(self)
        place.write("p/p.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup><OutputType>Exe</OutputType>"
                    "<TargetFramework>" + FRAMEWORK + "</TargetFramework></PropertyGroup>\n"
                    "<ItemGroup><PackageReference Include=\"BenchmarkDotNet\" Version=\"0.13.12\" /></ItemGroup>\n</Project>\n")
        place.write("p/a.cs", "using BenchmarkDotNet.Attributes;\nusing BenchmarkDotNet.Running;\npublic class C { [Benchmark] public int F() => 1; }\n"
                    "class P { static void Main(string[] a) => BenchmarkSwitcher.FromAssembly(typeof(P).Assembly).Run(a); }\n")
        # NuGet keeps a file of this name too, asked to or not.
        lock = place.write("p/packages.p.lock.json", "{\"version\": 1, \"dependencies\": {}}")
        done = place.tare("list", "p/p.csproj")
        self.assertEqual((done.returncode, done.stdout), (0, "C/F\n"), done.stderr)
        with open(lock) as file:
            self.assertEqual(file.read(), "{\"version\": 1, \"dependencies\": {}}")

    @unittest.skipUnless(LONG, "takes long")
    def test_projects_of_other_languages(self):
        place = Place(self)
        project = ("<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup><OutputType>Exe</OutputType>"
                   "<TargetFramework>" + FRAMEWORK + "</TargetFramework></PropertyGroup>\n"
                   "<ItemGroup>{}<PackageReference Include=\"Tare\" Version=\"0.1.0\" /></ItemGroup>\n</Project>\n")
        place.write("f/f.fsproj", project.format("<Compile Include=\"a.fs\" />"))
        place.write("f/a.fs", "module Bench\nopen Tare\ntype C() =\n    [<Benchmark>]\n    member _.Fold() = List.fold (+) 0 [ 1 .. 9 ]\n"
                    "    [<Benchmark>]\n    member _.Later() = async { return 1 }\n"
                    "[<EntryPoint>]\nlet main args = BenchmarkSwitcher.FromTypes([| typeof<C> |]).Run(args).ExitCode\n")
        place.write("v/v.vbproj", project.format(""))
        place.write("v/a.vb", "Imports Tare\nPublic Class C\n    <Benchmark>\n    Public Function Add() As Integer\n        Return 1\n    End Function\nEnd Class\n"
                    "Module Program\n    Sub Main(args As String())\n        BenchmarkSwitcher.FromAssembly(GetType(C).Assembly).Run(args)\n    End Sub\nEnd Module\n")
        done = place.tare("run", "--dry", "f", "v")
        self.assertEqual(done.returncode, 100, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"C/Fold +ran")
        self.assertRegex(done.stdout, r"C/Add +ran")
        self.assertIn("it returns `Async`, which computes nothing until it is started", done.stdout + done.stderr)
        listed = json.loads(place.tare("list", "f", "v", "--json").stdout)
        self.assertEqual([program["language"] for program in listed["programs"]], ["f#", "vb"])


class Newest(unittest.TestCase):
    def test_the_programs_run_on_it(self):
        child = Child(built("Declared")[0])
        self.assertEqual(child.hello["runtime"], ".NET " + VERSIONS[-1])
        self.assertFalse(child.hello["compiles_by_count"], "it waits as long as the runtime does")
        self.assertEqual(child.end(), 0)


class Warm(unittest.TestCase):
    """On runtimes that count what they compile."""

    def test_when_nothing_is_left_to_compile_the_body_is_in_its_last_tier(self):
        child = Child(built("Tiers")[0], DOTNET_TC_CallCountingDelayMs="8")
        self.assertTrue(child.hello["compiles_by_count"])
        self.assertIn("DOTNET_TC_CallCountingDelayMs=8", child.hello["flags"])
        child.ask("open {} 7".format(child.of("Tiers", "OfBody")["index"]))
        quiet = 0.0
        while quiet < 0.04:
            reply = child.ask("measure workload 4 100000 0 1")
            is_busy = any(event["kind"] == "compiling" for event in reply.get("events", []))
            # A process that is stopped for a while is not quiet meanwhile.
            quiet = 0 if is_busy or any(reply["compilations"]) else quiet + min(1e-9 * sum(reply["elapsed_ns"]), 0.002)
        # What the runtime says comes later. Few calls are made meanwhile: no other tier follows from them.
        last_tier, said = 4, None
        for tries in range(20):
            said = child.ask("check")["text"]
            if said == str(last_tier):
                break
            # A minute in all.
            time.sleep(0.25 * 1.23 ** tries)
        self.assertEqual(said, str(last_tier))
        self.assertEqual(child.end(), 0)

    def test_a_run_names_the_pause_and_the_user_has_the_last_word(self):
        place = Place(self)
        source = os.path.join(HERE, "Declared.cs")
        for own, wanted in ({}, "8"), ({"DOTNET_TC_CallCountingDelayMs": "20"}, "20"):
            done = place.tare("run", source, "--filter", "Memory/Nothing", *FEW, env=dict(os.environ, **own))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            said = re.findall(r"CallCountingDelayMs=(\w+)", done.stdout)
            self.assertEqual(set(said), {wanted}, done.stdout)


def chosen():
    """All tests; on the second .NET those of what a benchmark program does, and not those of how it is built."""
    loader = unittest.TestLoader()
    if not SECOND:
        cases = [Declared, Compatible, InFront, Diagnosers, Twenty, Jobs, Mono, Whole, *([Warm] if IS_NEW else [])]
        return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)
    whole = [Whole(name) for name in ("test_conformance", "test_every_misbehaviour_is_one_failure_by_name", "test_runtimes_are_jobs_of_one_table")]
    newest = [loader.loadTestsFromTestCase(case) for case in (Newest, Warm)] if NEWEST else []
    return unittest.TestSuite([*newest, *(loader.loadTestsFromTestCase(case) for case in (Declared, Compatible, Diagnosers, Twenty)), *whole])


if __name__ == "__main__":
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(chosen())
    for test, reason in result.skipped:
        print("skipped: {}: {}".format(test.id().split(".")[-1], reason))
    failed = len(result.failures) + len(result.errors)
    print("{} passed, {} failed".format(result.testsRun - failed - len(result.skipped), failed))
    sys.exit(bool(failed))
