"""Unit tests of the front end: a fake host talks to a child in this process. They run on every interpreter that is installed."""

import contextlib
import functools
import gc
import importlib.util
import inspect
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
FRONT_END = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(FRONT_END))
sys.path.insert(0, FRONT_END)
sys.dont_write_bytecode = True

import tare  # noqa: E402
from tare import _bytecode, _child, _counters, _declare, _exceptions, _forms, _loop, _profile, _texts  # noqa: E402
from tare._helpers import BenchmarkError  # noqa: E402
from tare._load import checkout_of, import_paths, module_name, move, reader_of, strange  # noqa: E402


@contextlib.contextmanager
def registry():
    """Empties the list of benchmarks for the duration of a test."""
    kept = _declare.REGISTRY[:]
    _declare.REGISTRY.clear()
    try:
        yield
    finally:
        _declare.REGISTRY[:] = kept


HOSTS = []  # a child ends its process when its host closes the link


class Host:
    """Talks to a child that runs in a thread of this process."""

    def __init__(self, benchmarks):
        requests, self.write = os.pipe()
        self.read, replies = os.pipe()
        self.requests, self.replies = os.fdopen(requests, "rb"), os.fdopen(replies, "wb")
        self.to, self.back = os.fdopen(self.write, "wb"), os.fdopen(self.read, "rb")
        self.child = _child.Child(self.requests, self.replies, benchmarks)
        threading.Thread(target=self.child.serve, daemon=True).start()
        HOSTS.append(self)

    def raw(self, line):
        self.to.write(line.encode() + b"\n")
        self.to.flush()
        return self.back.readline()

    def ask(self, line):
        found = [json.loads(self.raw(line))]
        while found[-1]["reply"] == "benchmark":
            found.append(json.loads(self.back.readline()))
        return found if len(found) > 1 or found[0]["reply"] == "end" else found[0]


def hosted():
    host = Host(_forms.declared())
    host.ask("hello 1")
    return host


class Texts(unittest.TestCase):
    def test_values_of_the_specification(self):
        with open(os.path.join(ROOT, "spec", "digests.txt")) as file:
            lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        import struct

        def text(digits):
            return "" if digits == "-" else bytes.fromhex(digits).decode("utf-8", "surrogateescape")

        def double(digits):
            return struct.unpack(">d", bytes.fromhex(digits))[0]

        def elements(value, read):
            return [] if value == "-" else [read(part) for part in value.split(",")]

        readers = {
            "integer": int,
            "float": double,
            "boolean": lambda value: value == "true",
            "text": text,
            "integers": lambda value: elements(value, int),
            "floats": lambda value: elements(value, double),
            "booleans": lambda value: elements(value, lambda part: part == "true"),
            "texts": lambda value: elements(value, text),
            "lists": lambda value: [] if value == "-" else [elements(part, int) for part in value.split(";")],
            "pairs": lambda value: elements(value, lambda part: (int(part.split(":")[0]), text(part.split(":")[1]))),
        }
        tested = 0
        for kind, value, digest, expected in lines:
            if kind in readers:
                given = readers[kind](value)
                if isinstance(given, str) and any("\ud800" <= character <= "\udfff" for character in given):
                    continue  # invalid UTF-8, which a Python string does not hold
                found = _texts.text_of(given)
                self.assertEqual((found, _texts.digest_of(found)), (json.loads(expected), digest), (kind, value))
                tested += 1
        self.assertGreater(tested, 60)

    def test_what_has_no_text(self):
        class Plain:
            pass

        class Silent:
            def __repr__(self):
                raise ValueError("asked")

        cyclic = []
        cyclic.append(cyclic)
        for value in (None, {1, 2}, Plain(), [Plain()], lambda: 1, Silent(), [Silent()], cyclic):
            self.assertIsNone(_texts.text_of(value), type(value))
        self.assertEqual(_texts.text_of({"a": 1, "b": None}), '[["a",1],["b",null]]')
        self.assertEqual(_texts.text_of(b"ab"), "[97,98]")
        self.assertEqual(_texts.text_of(range(3)), "[0,1,2]")
        self.assertEqual(len(_texts.text_of(7**10000)), 8451)

    def test_an_array_is_its_list(self):
        import array

        self.assertEqual(_texts.text_of(array.array("d", [1, 0.5])), "[1,0.5]")


class Parameters(unittest.TestCase):
    def texts(self, params):
        return [{name: value.text for name, value in row.items()} for row in _declare.rows_of(params)]

    def test_products_and_rows(self):
        self.assertEqual(self.texts({"n": [1, 2], "k": ["a"]}), [{"n": "1", "k": "a"}, {"n": "2", "k": "a"}])
        self.assertEqual(
            self.texts({("n", "load"): [(10, 0.5), (20, 1.0)]}), [{"n": "10", "load": "0.5"}, {"n": "20", "load": "1"}]
        )
        self.assertEqual(self.texts([{"n": 1}, {"n": 3}]), [{"n": "1"}, {"n": "3"}])
        self.assertEqual(self.texts({"n": lambda: range(2)}), [{"n": "0"}, {"n": "1"}])
        rows = [{"a": 1, "b": "1"}, {"a": "1", "b": "1"}, {"b": 2}]
        self.assertEqual(self.texts(rows), [{"a": "1", "b": "1"}, {"a": "1 (2)", "b": "1"}, {"b": "2"}])

    def test_names_of_values(self):
        class Kind:
            pass

        one, other = Kind(), Kind()
        self.assertEqual(self.texts({"f": [sorted, list, None]}), [{"f": "sorted"}, {"f": "list"}, {"f": "None"}])
        self.assertEqual([row["x"] for row in self.texts({"x": [one, other]})], ["Kind", "Kind (2)"])

    def test_ranges(self):
        self.assertEqual(tare.linear(0, 100, 40), [0, 40, 80, 100])
        self.assertEqual(tare.geometric(1, 10, 2), [1, 2, 4, 8, 10])
        turn = tare.rotate([1, 2])
        self.assertEqual([turn(), turn(), turn()], [1, 2, 1])


class Loops(unittest.TestCase):
    def test_exactly_the_invocations_run(self):
        for windows in (0, 3):
            for count in (1, 2, 7, 8, 9, 100):
                for kind in ("workload", "rolled", "overhead"):
                    calls = []
                    call = _loop.Call(lambda: calls.append(1))
                    marks = [0] * (2 * windows + 2)
                    call.loop(kind).run(count, marks)
                    expected = 0 if kind == "overhead" else count * max(1, windows)
                    self.assertEqual(len(calls), expected, (kind, count, windows))
                    self.assertTrue(all(b >= a > 0 for a, b in zip(marks, marks[1:])), marks)

    def test_arguments_are_those_of_the_call(self):
        seen = []

        def body(a, given, b=0, *, c):
            seen.append((a, given, b, c))

        call = _loop.Call(body, [1, _loop.INPUT, 2], {"c": 3})
        call.loop("workload").run(3, [0, 0], ["x", "y", "z"])
        call.loop("overhead").run(3, [0, 0], [None])
        self.assertEqual(seen, [(1, "x", 2, 3), (1, "y", 2, 3), (1, "z", 2, 3)])
        self.assertEqual(call.once(["w"]), None)

    def test_what_is_not_written_in_python_keeps_its_call(self):
        self.assertIsNone(_loop.Call(sorted, [[2, 1]]).empty)
        self.assertIsNotNone(_loop.Call(lambda: 1).empty)
        self.assertIn("pass", _loop.Call(sorted, [[1]]).source("empty"))

    def test_each_loop_has_its_own_code(self):
        call = _loop.Call(lambda: 1)
        codes = {call.loop(kind).measure.__code__ for kind in ("workload", "overhead", "rolled")}
        self.assertEqual(len(codes), 3)


class Counted:
    """A class whose instances differ."""

    def __init__(self, start=1):
        self.start = start

    def value(self):
        return self.start

    @classmethod
    def made(cls):
        return cls().start

    def __repr__(self):
        return "Counted({})".format(self.start)


class Asked(unittest.TestCase):
    def test_forms_of_bodies(self):
        log = []

        with registry():

            @tare.bench(params={"n": [3]})
            def plain(n, factor=2):
                return n * factor

            @tare.bench("g/set-up", params={"n": [4]})
            def set_up(n):
                log.append("begin")
                yield lambda: n
                log.append("end")

            @tare.bench
            @contextlib.contextmanager
            def managed():
                yield lambda: "inside"

            @tare.bench
            async def awaited():
                return "done"

            @tare.bench
            async def awaited_set_up():
                async def body():
                    return 5

                yield body

            @tare.bench(input=lambda: [2, 1])
            def with_input(numbers):
                numbers.sort()
                return numbers

            tare.statement("statement", "x + 1", set_up="x = 41")
            host = hosted()
            listed = host.ask("list")
            names = [line["name"] for line in listed[:-1]]
            self.assertEqual(
                names, ["plain", "set-up", "managed", "awaited", "awaited_set_up", "with_input", "statement"]
            )
            self.assertEqual(listed[0]["parameters"], [{"name": "n", "value": "3", "type": "integer"}])
            self.assertFalse([line for line in listed if "invalid" in line])
            for index, text in enumerate(["6", "4", "inside", "done", "5", "[1,2]", "42"]):
                self.assertEqual(host.ask("open {} 7".format(index))["reply"], "opened", names[index])
                self.assertEqual(host.ask("check")["text"], text)
                for loop in ("workload", "rolled", "overhead"):
                    measured = host.ask("measure {} 2 9 3".format(loop))
                    self.assertEqual(len(measured["elapsed_ns"]), 2, measured)
                self.assertEqual(len(host.ask("measure workload 2 5 0 3")["window_ns"]), 6)
                self.assertEqual(host.ask("close")["reply"], "closed")
            self.assertEqual(log, ["begin", "end"])

    def test_a_class_with_its_steps(self):
        log = []

        class Base:
            def set_up(self, n):
                self.n = n
                log.append("S")

            def iteration_set_up(self):
                log.append("s")

            @tare.bench
            def body(self):
                log.append("b")
                return self.n

        with registry():
            _declare.REGISTRY.append(_declare.Marked(Base.body, "", _declare.Options({})))

            @tare.bench(group="derived", params={"n": [1, 2]})
            class Derived(Base):
                def clean_up(self):
                    log.append("C")

            host = hosted()
            lines = host.ask("list")[:-1]
            self.assertEqual([(line["group"], line["name"]) for line in lines], [("derived", "body")] * 2)
            self.assertEqual(lines[0]["set_ups"], ["global", "global-clean-up", "iteration"])
            host.ask("open 1 0")
            host.ask("measure workload 1 2 1")
            host.ask("close")
        self.assertEqual("".join(log), "SsbsbbC")

    def test_what_is_added_is_called_as_it_is(self):
        with registry():
            tare.add("of an object", Counted(5).value)
            tare.bench("marked")(Counted(6).value)
            tare.add("of its class", Counted.made)
            tare.add("class", Counted, params={"start": [7]})
            tare.add("built-in class", dict)
            tare.add("built-in method", "a-b".split, params={"sep": ["-"]})
            host = hosted()
            lines = host.ask("list")[:-1]
            self.assertFalse([line for line in lines if "invalid" in line])
            found = []
            for index in range(len(lines)):
                self.assertEqual(host.ask("open {} 0".format(index))["reply"], "opened")
                found.append(host.ask("check")["text"])
                self.assertIn("elapsed_ns", host.ask("measure workload 1 3 0"))
                host.ask("close")
            self.assertEqual(found, ["5", "6", "1", "Counted(7)", "[]", '["a","b"]'])
            self.assertEqual(lines[3]["name"], "class")

    def test_given_parameters(self):
        with registry():

            @tare.bench(params={"n": [1, 2], "f": [sorted, list]})
            def one(n, f):
                return f(range(n))

            host = hosted()
            self.assertEqual(host.ask("set n x")["kind"], "bad-value")
            self.assertEqual(host.ask("set f sorted")["benchmarks"], 1)
            self.assertEqual(host.ask("set n 9")["benchmarks"], 1)
            values = [[parameter["value"] for parameter in line["parameters"]] for line in host.ask("list")[:-1]]
            self.assertEqual(
                values, [["9", "sorted"]], "of values that no text gives, those that were not named are left out"
            )
            self.assertEqual(host.ask("set f tuple")["kind"], "bad-value")

    def test_options_that_were_renamed_name_the_new_one(self):
        for old, new in (("describe", "description"), ("diagnosers", "diagnose"), ("results", "results_change")):
            for declare in (tare.bench, lambda **options: tare.statement("s", "1", **options)):
                with self.assertRaisesRegex(TypeError, f"unexpected keyword argument '{old}': it is called `{new}"):
                    declare(**{old: "x"})

    def test_what_is_declared_wrongly_is_told(self):
        with registry():

            @tare.bench
            def unknown(n):
                return n

            @tare.bench(params={"n": []})
            def empty(n):
                return n

            @tare.bench(params={"m": [1]})
            def unused():
                return 1

            @tare.bench("twice")
            def first():
                return 1

            @tare.bench("twice")
            def second():
                return 2

            tare.statement("broken", "1 +")
            tare.statement("empty text", "# nothing")
            tare.statement("inner return", "x = 1\nreturn x")
            tare.statement("inner yield", "x = yield", set_up="")
            tare.statement("inner break", "1", set_up="break")
            lines = hosted().ask("list")[:-1]
            told = {line["name"]: line.get("invalid", "") for line in lines}
            self.assertIn("`n` of", told["unknown"])
            self.assertIn("no values", told["empty"])
            self.assertIn("not used", told["unused"])
            self.assertIn("declared twice", told["twice"])
            self.assertIn("not valid", told["broken"])
            self.assertIn("nothing to measure", told["empty text"])
            self.assertIn("in line 2: `return x`", told["inner return"])
            self.assertIn("'yield' outside function", told["inner yield"])
            self.assertIn("the set-up is not valid: 'break' outside loop", told["inner break"])

    def test_a_text_is_no_list(self):
        with registry():
            for option in ("arguments", "categories", "diagnose"):
                tare.add(option, len, **{option: "abc"})
            tare.add("params", lambda n: n, params={"n": "abc"})
            for line in hosted().ask("list")[:-1]:
                self.assertIn("the text 'abc', not a list: write `['abc']`", line["invalid"])

    def test_a_value_that_json_lacks_costs_its_benchmark_alone(self):
        with registry():
            for options in ({"bytes": float("nan")}, {"categories": {1}}, {"description": "\udc80"}):
                tare.add(next(iter(options)), len, **options)
            lines = hosted().ask("list")[:-1]
            self.assertEqual([line["name"] for line in lines], ["bytes", "categories", "description"])
            self.assertEqual((lines[0]["rates"][0]["per_invocation"], lines[1]["categories"]), ("NaN", "{1}"))

    def test_a_benchmark_is_found_in_any_order(self):
        with registry():
            for name in ("one", "two"):
                tare.add(name, lambda name=name: name)
            keys = [line["key"] for line in hosted().ask("list")[:-1]]
            for at, name in enumerate(("one", "two")):
                host = hosted()
                host.child.benchmarks.reverse()  # as another process may have it
                self.assertEqual(host.ask(f"open {at} 0 {keys[at]}"), {"reply": "opened"})
                self.assertEqual(host.ask("check")["text"], name)
            self.assertIn("does not declare it", hosted().ask("open 0 0 nosuchkey")["message"])

    def test_a_body_may_replace_what_the_front_end_uses(self):
        modules = [gc, json, resource, time]
        kept = [dict(vars(module)) for module in modules]

        def fake(*_, **__):
            raise AssertionError("the front end calls what the user has put there")

        def body():
            for module, real in zip(modules, kept):
                vars(module).update({name: fake for name, value in real.items() if inspect.isroutine(value)})
            return ["a"]

        with registry():
            tare.add("fake", body)
            host = hosted()
            host.ask("open 0 0")
            try:
                lines = [host.raw(line) for line in ("check", "measure workload 1 1000 0", "collect", "close", "list")]
            finally:
                for module, real in zip(modules, kept):
                    vars(module).update(real)
            checked, measured, collected, closed, listed = map(json.loads, lines)
            self.assertEqual(checked["text"], '["a"]')
            self.assertEqual([collected, closed], [{"reply": "collected"}, {"reply": "closed"}])
            self.assertEqual(listed["name"], "fake")
            self.assertGreater(measured["elapsed_ns"][0], 0)
            self.assertGreater(measured["probe_before_ns"][0], 0)

    def test_failures_name_their_step(self):
        with registry():

            @tare.bench
            def set_up():
                raise KeyError("no table")
                yield

            @tare.bench
            def skipped():
                tare.skip("no data")
                yield

            @tare.bench
            def body():
                sys.exit(3)

            @tare.bench
            def clean_up():
                yield lambda: 1
                raise OSError("still open")

            @tare.bench
            def lazy():
                return (i for i in range(3))

            @tare.bench
            def silent():
                return
                yield

            host = hosted()
            failed = host.ask("open 0 0")
            self.assertEqual((failed["step"], failed["type"], failed["line"] > 1), ("set-up", "KeyError", True))
            self.assertTrue(failed["file"].endswith("unit_test.py"))
            self.assertEqual(host.ask("open 1 0")["kind"], "skipped")
            host.ask("open 2 0")
            failed = host.ask("measure workload 1 1 0")
            self.assertEqual((failed["step"], failed["type"]), ("body", "SystemExit"))
            host.ask("close")
            host.ask("open 3 0")
            self.assertEqual(host.ask("close")["step"], "clean-up")
            host.ask("open 4 0")
            self.assertIn("return a list", host.ask("check")["message"])
            host.ask("close")
            self.assertIn("without a `yield`", host.ask("open 5 0")["message"])

    def test_own_time_and_operations(self):
        with registry():

            @tare.bench(own_time=True)
            def own():
                tare.took(0.25)

            @tare.bench(own_time=True)
            def forgets():
                pass

            @tare.bench(bytes=lambda n: 8 * n, operations=lambda n: n, rates={"words": (3, "w")}, params={"n": [5]})
            def rated(n):
                return n

            host = hosted()
            lines = host.ask("list")
            self.assertEqual(
                (lines[2]["operations"], lines[2]["rates"][0]),
                (5, {"name": "bytes", "per_invocation": 40, "unit": "B"}),
            )
            host.ask("open 0 0")
            self.assertEqual(host.ask("measure workload 1 4 0")["elapsed_ns"], [1000000000])
            host.ask("close")
            host.ask("open 1 0")
            self.assertIn("tare.took", host.ask("measure workload 1 1 0")["message"])

    def test_collections_and_metrics(self):
        total = [0]

        with registry():

            @tare.bench
            def cycles():
                total[0] += 2
                a = []
                a.append(a)

            try:
                tare.metric("rounds", better="lower")(lambda: total[0])
                host = hosted()
                host.ask("open 0 0")
                metrics = host.ask("measure workload 1 5000 0")["metrics"]
            finally:
                _declare.METRICS.clear()
        self.assertEqual(metrics["rounds"], [10000])
        if sys.implementation.name == "cpython" and sys.version_info < (3, 14):
            self.assertGreaterEqual(metrics["collections_0"][0], metrics["collections_1"][0])
            self.assertGreater(metrics["collections_0"][0], 0)


class Loading(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tare-python-")
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_a_file_of_a_package_has_its_full_name(self):
        self.write("project/pyproject.toml", "")
        self.write("project/src/pkg/__init__.py", "")
        self.write("project/src/pkg/sub/__init__.py", "")
        inner = self.write("project/src/pkg/sub/bench_it.py", "")
        outer = self.write("project/benchmarks/bench.py", "")
        top = os.path.join(self.folder.name, "project")
        self.assertEqual(module_name(inner), "pkg.sub.bench_it")
        self.assertEqual(import_paths(inner), [os.path.join(top, "src"), top])
        self.assertEqual(import_paths(outer), [os.path.join(top, "benchmarks"), os.path.join(top, "src"), top])

    def test_what_a_file_is_written_for(self):
        def of(text):
            return reader_of("x.py", text).__module__

        self.assertEqual(of("import tare\nimport pyperf\n"), "tare._load")
        self.assertEqual(of("import pyperf\n"), "tare.suites.pyperf")
        self.assertEqual(of("def test_x(\n    benchmark,\n):\n    pass\n"), "tare.suites.pytest")
        self.assertEqual(of("def speed_x(benchmark): pass\n"), "tare.suites.pytest")
        self.assertEqual(of("def test_x(timed): timed(len, '')\n"), "tare.suites.pytest")
        self.assertEqual(of("class A:\n    def time_x(self): pass\n"), "tare.suites.asv")

    def started(self, *words, **variables):
        command = [sys.executable, os.path.join(FRONT_END, "start.py"), *words]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables}
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.folder.name)

    def test_a_clone_may_lack_the_module_with_its_submodule(self):
        self.write(".git/HEAD", "")
        self.write(
            ".gitmodules",
            '[submodule "x"]\n\tpath = libs/x\n\turl = ../x\n[submodule "y"]\n\tpath = y\n\turl = ../y\n',
        )
        self.write("y/there", "")
        os.makedirs(os.path.join(self.folder.name, "libs/x"))
        file = self.write("benches/bench.py", "import no_such_module\n")
        advice = (
            "; if it is in `libs/x`, which your clone lacks: `git submodule update --init`; otherwise install it: `"
        )
        self.assertIn(advice, self.started(file).stdout)
        self.write("libs/x/there", "")
        self.assertIn("(bench.py:1); install it: `", self.started(file).stdout)

    def test_errors_of_a_file_have_their_line(self):
        for text, told in [
            (
                "import tare\nimport no_such_module\n",
                "there is no module `no_such_module` (bench.py:2); install it: `",
            ),
            ("import tarre\n", "there is no module `tarre` (bench.py:1); did you mean `tare`?"),
            ("@tare.bench\ndef f(): return 1\n", "name 'tare' is not defined (bench.py:1); add `import tare`"),
            ("import tare\n@tare.bench(basline=True)\ndef f(): return 1\n", "(bench.py:2); did you mean `baseline`?"),
            ("import tare\ntare.add('f', len, basline=True)\n", "(bench.py:2); did you mean `baseline`?"),
            ("import tare\ntare.statement('f', '1', basline=True)\n", "(bench.py:2); did you mean `baseline`?"),
            ("from tare import bnech\n", "(bench.py:1); did you mean `bench`?"),
            ("import tare\ntare.benchmark\n", "no attribute 'benchmark' (bench.py:2); did you mean `bench`?"),
            ("import tare\ndef f(:\n", "(bench.py:2)"),
            ("import tare, sys\n\nsys.exit('no data')\n", "it called `sys.exit('no data')` (bench.py:3)"),
        ]:
            done = self.started(self.write("bench.py", text))
            self.assertIn("the file cannot be imported: ", done.stdout)
            self.assertIn(told, done.stdout)
            self.assertNotIn("_load.py", done.stderr)

    def test_a_group_that_is_no_text_is_named(self):
        path = self.write(
            "bench.py", "import tare\n@tare.bench(group=5)\ndef one(): return 1\n@tare.bench\ndef two(): return 2\n"
        )
        done = self.started(path)
        self.assertIn("5/one  `group` is 5, which is not a text\ntwo  ran  2\n", done.stdout)

    def test_a_program_that_calls_main_runs_each_body_once_by_itself(self):
        text = "import tare\ncalls = []\n@tare.bench('g/one')\ndef one(): calls.append(1); return len(calls)\ntare.main()\n"
        path = self.write("bench.py", text)
        environment = {**os.environ, "PYTHONPATH": FRONT_END, "TARE_DIRECT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, path], capture_output=True, text=True, env=environment)
        self.assertRegex(done.stdout, r"^g/one  ran  1\nhint: `tare` on the PATH measures them; .*\n$")
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
    def test_no_test_of_pytest_is_lost(self):
        text = (
            "import asyncio, pytest, unittest\n"
            "pytestmark = pytest.mark.benchmark\n"
            "async def test_coroutine(): await asyncio.sleep(0)\n"
            "async def test_within(benchmark): benchmark(len, '')\n"
            "class TestOther(unittest.TestCase):\n    def test_it(self): pass\n"
        )
        done = self.started(self.write("test_async.py", text))
        self.assertRegex(done.stdout, "TestOther/test_it +skipped: its runner is not pytest's own")
        for name in ("test_coroutine", "test_within"):
            self.assertRegex(done.stdout, name + r"  ran( |\n)")
        for code, why in [
            ("raise ValueError('boom')", r"ValueError: boom \(test_broken.py:4\)"),
            ("import tare_no_such", r"there is no module `tare_no_such` \(test_broken.py:4\)"),
            ("def f(:", r"SyntaxError: .* \(test_broken.py:4\)"),
        ]:
            done = self.started(self.write("test_broken.py", f"import pytest\n\n\n{code}\n"))
            self.assertRegex(done.stdout, "the file cannot be imported: " + why)
        for code, why in [
            ("pytest.importorskip('tare_no_such')", "could not import 'tare_no_such'"),
            ("pytest.skip('later', allow_module_level=True)", "later"),
        ]:
            text = f"import pytest\n{code}\ndef test_a(benchmark): benchmark(len, '')\n"
            done = self.started(self.write("test_skipped.py", text))
            self.assertRegex(done.stdout, "test_skipped +skipped: " + why)

    def test_a_suite_of_asv(self):
        text = (
            "class Suite:\n    params = ([1, 2], ['a'])\n    param_names = ['n', 'k']\n"
            "    def setup_cache(self): return 40\n"
            "    def setup(self, cached, n, k):\n        if n == 2: raise NotImplementedError('too large')\n        self.n = cached + n\n"
            "    def time_it(self, cached, n, k): return self.n\n"
            "    def track_it(self, cached, n, k): return 3\n"
            "def mem_list(): return [1]\n"
            "def timeraw_import(): return 'import json', 'import sys'\n"
            "def time_named(): return 1\ntime_named.pretty_name = 'a better name'\ntime_named.repeat = 3\n"
        )
        done = self.started(self.write("benchmarks.py", text))
        from tare.suites import asv

        named = next(one for one in asv.read(self.write("asv_named.py", text)) if one.name == "time_named")
        self.assertEqual((named.description, named.form.notes), ("a better name", [asv.NOTE]))
        for told in ("Suite/time_it[n=1][k=a]", "too large", "not a time", "mem_list", "timeraw_import"):
            self.assertIn(told, done.stdout, done.stderr)

    def test_what_else_suites_of_asv_have(self):
        text = (
            "import abc\nn = 3\nparams = [1, 2]\nlog = []\n"
            "def made(k):\n    def body(self, n): return n + k\n    return body\n"
            "class Base:\n    def setup(self, n): log.append('class')\n"
            "class Made(Base):\n    time_limit = 5\n    time_one = made(1)\n    time_two = made(2)\n"
            "    time_two.setup = lambda n: log.append('function')\n    time_two.skip_params = [(2,)]\n"
            "    def time_left_out(self, n): return 1\n    time_left_out.skip_benchmark = True\n"
            "class Abstract(abc.ABC):\n    @abc.abstractmethod\n    def time_x(self, n): pass\n"
            "class Files:\n    params = [1]\n"
            "    def setup_cache(self):\n        with open('made.txt', 'w') as file: file.write('x')\n"
            "    def time_files(self, n): return len(open('made.txt').read())\n"
            "async def time_async(n): return 1\n"
        )
        done = self.started(self.write("benchmarks.py", text))
        lines = {line.split()[0]: line for line in done.stdout.splitlines() if line}
        for name, returned in (
            ("Made/time_one[param1=1]", "2"),
            ("Made/time_one[param1=2]", "3"),
            ("Made/time_two[param1=1]", "3"),
            ("Files/time_files[param1=1]", "1"),
        ):
            self.assertEqual(lines[name], f"{name}  ran  {returned}", done.stdout + done.stderr)
        self.assertIn("`skip_params` has these values", lines["Made/time_two[param1=2]"])
        self.assertIn("marked with `skip_benchmark`", lines["Made/time_left_out[param1=1]"])
        self.assertIn("`time_async` is a coroutine function", lines["time_async[param1=1]"])
        self.assertFalse([name for name in lines if "time_limit" in name or "Abstract" in name])
        self.assertNotIn("made.txt", os.listdir(self.folder.name))

        sys.path.insert(0, self.folder.name)
        try:
            from tare.suites import asv

            two = next(one for one in asv.read(self.write("asv_steps.py", text)) if one.name == "time_two")
            two.form.run({"param1": 1}, lambda opened: None)
            self.assertEqual(sys.modules["asv_steps"].log, ["class", "function"])
        finally:
            sys.path.remove(self.folder.name)

    def test_caches_of_two_files_of_asv_are_two(self):
        text = (
            "class Suite:\n    def setup_cache(self): return {}\n    def time_it(self, cached): assert cached == {}\n"
        )
        folder = os.path.join(self.folder.name, "run")
        os.mkdir(folder)
        for value in (1, 2):
            file = self.write("{}/bench.py".format(value), text.format(value, value))
            done = self.started(file, TARE_RUN_FOLDER=folder)
            self.assertNotIn("failed", done.stdout, done.stderr)
            self.assertIn("Suite/time_it", done.stdout, done.stderr)

    def test_raw_code_of_asv_runs_in_a_fresh_interpreter(self):
        from tare._helpers import Skipped
        from tare.suites import asv

        text = (
            "import json\nclass Suite:\n    params = [1, 2]\n"
            "    def setup(self, n):\n        if n == 2: raise NotImplementedError('not two')\n"
            "    def timeraw_new(self, n): return 'assert \"json\" not in sys.modules and \"tare\" not in sys.modules', 'import sys'\n"
            "def timeraw_wrong(): return 'import no_such_module'\n"
        )
        found = {one.name: one for one in asv.read(self.write("asv_raw.py", text))}
        opened = []
        found["timeraw_new"].form.run({"param1": 1}, opened.append)
        self.assertGreater(opened[0].whole(2), 0)
        with self.assertRaisesRegex(Skipped, "not two"):
            found["timeraw_new"].form.run({"param1": 2}, opened.append)
        found["timeraw_wrong"].form.run({}, opened.append)
        with self.assertRaisesRegex(RuntimeError, "No module named 'no_such_module'"):
            opened[1].whole(1)

    def test_a_project_whose_compiled_part_is_not_built(self):
        for folder, text in (
            ("src/compiled", "from . import native\n"),
            ("installed/compiled", "def twice(n): return 2 * n\n"),
        ):
            os.makedirs(os.path.join(self.folder.name, folder))
            self.write(folder + "/__init__.py", text)
        self.write("pyproject.toml", "[project]\nname = 'compiled'\n")
        os.makedirs(os.path.join(self.folder.name, "benchmarks"))
        file = self.write(
            "benchmarks/bench_twice.py",
            "import tare\nimport compiled\n@tare.bench\ndef twice(n=3): return compiled.twice(n)\n",
        )
        done = self.started(file, PYTHONPATH=os.path.join(self.folder.name, "installed"))
        self.assertRegex(done.stdout, "(?m)^twice  ran  6$", done.stdout + done.stderr)
        done = self.started(file)
        self.assertIn("cannot import name 'native'", done.stdout + done.stderr)

    def test_a_script_of_pyperf(self):
        text = (
            "import pyperf, os\nrunner = pyperf.Runner()\n"
            "runner.argparser.add_argument('--size', type=int, default=3)\n"
            "size = runner.parse_args().size\nrunner.metadata['size'] = str(size)\n"
            "with open('made', 'w') as file: file.write('x')\n"
            "runner.bench_func('reads', lambda: open('made').close())\n"
            "runner.timeit('adds', stmt='a + 1', setup='a = 1')\n"
            "runner.bench_time_func('whole', lambda loops: loops * 1e-6)\n"
            "runner.bench_command('command', ['true'])\n"
            "os.remove('made')\n"
        )
        done = self.started(self.write("bench.py", text))
        lines = {line.split()[0]: line for line in done.stdout.splitlines()}
        self.assertIn("ran", lines["whole"])
        self.assertIn("skipped", lines["command"])
        for name in ("reads", "adds"):
            self.assertNotIn("failed", lines[name])
        for end, count in (("print(runner.bench_func('b', len, '').mean())", 3), ("import sys; sys.exit(0)", 1)):
            script = "import pyperf\nrunner = pyperf.Runner()\nrunner.bench_func('a', len, '')\n"
            told = self.started(self.write("ends.py", script + end + "\n")).stdout.splitlines()[:-1]
            self.assertEqual((len(told), told[0].split()), (count, ["a", "ran", "0"]), told)
            self.assertTrue(count == 1 or "(ends.py:4)" in told[2], told)

    def test_a_script_of_pyperf_that_needs_an_argument(self):
        head = "import pyperf\nrunner = pyperf.Runner()\nrunner.argparser.add_argument('kind'{})\nkind = runner.parse_args().kind\n"
        offers = ", choices=['list', 'dict']"
        done = self.started(self.write("bm_named.py", head.format(offers) + "runner.bench_func(kind, eval(kind))\n"))
        self.assertEqual(
            [line.split()[0] for line in done.stdout.splitlines() if line[0] in "ld"],
            ["list", "dict"],
            done.stdout + done.stderr,
        )
        text = head.format(offers) + "def make(): return eval(kind)()\nrunner.bench_func('make', make)\n"
        done = self.started(self.write("bm_same.py", text))
        for named in ("make[argument=list]", "make[argument=dict]"):
            self.assertIn(named, done.stdout, done.stderr)
        done = self.started(self.write("bm_lacking.py", head.format("") + "runner.bench_func('make', list)\n"))
        self.assertIn("the script needs an argument, `kind`", done.stdout + done.stderr)


class Exceptions(unittest.TestCase):
    def test_each_is_counted_where_it_is_raised(self):
        def deep(depth):
            return deep(depth - 1) if depth else {}["missing"]

        def body():
            for depth in range(3):
                try:
                    deep(depth)
                except KeyError:
                    pass
            return list(iter([1, 2])) + [1, 2]

        self.assertEqual(_exceptions.counted(body), 3)
        self.assertEqual(_exceptions.counted(lambda: sum(range(10))), 0)


class Counters(unittest.TestCase):
    def test_readings_are_no_time_of_the_body(self):
        """Each clock reading takes 1 ns of the thread, and each other reading 1000 ns."""
        now = [0]

        def taking(ns, value=None):
            def read(*_):
                now[0] += ns
                return now[0] if value is None else value

            return read

        usage = unittest.mock.Mock(ru_nivcsw=0, ru_nvcsw=0)
        clocks = unittest.mock.Mock(process_time_ns=taking(1), thread_time_ns=taking(1))
        told = {
            "collections": taking(1000, [0]),
            "resource": unittest.mock.Mock(getrusage=taking(1000, usage)),
            "Clocks": clocks,
        }
        with unittest.mock.patch.multiple(_counters, **told):
            before = _counters.read()
            now[0] += 5000
            after = _counters.read(ended=True)
        read = _counters.columns(before, after)
        self.assertEqual([read["cpu_ns"], read["process_cpu_ns"]], [5001, 5003])


class Once(unittest.TestCase):
    def test_made_once_and_its_failure_is_that_of_all(self):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TARE_RUN_FOLDER"] = folder
            self.addCleanup(os.environ.pop, "TARE_RUN_FOLDER")
            made = []

            def make(path):
                made.append(path)
                with open(path, "w") as file:
                    file.write("data")

            self.assertEqual(tare.once_per_run("a", make), tare.once_per_run("a", make))
            self.assertEqual(len(made), 1)

            def fails(path):
                made.append(path)
                raise OSError("disk is full")

            for _ in range(2):
                with self.assertRaisesRegex(BenchmarkError, "disk is full"):
                    tare.once_per_run("b", fails)
            self.assertEqual(len(made), 2)


class Output(unittest.TestCase):
    def test_help_of_the_options_is_complete(self):
        import inspect

        documentation = tare.bench.__doc__
        for name in inspect.signature(tare.bench).parameters:
            self.assertTrue(name in documentation or name in OBVIOUS, name)


class Diagnosers(unittest.TestCase):
    """Profiles of made-up stacks, and listings of functions in this file."""

    def test_a_stack_begins_with_the_body(self):
        own, loop = os.path.join(FRONT_END, "tare", "_opened.py"), "<measuring loop of tare>"
        around = [("serve", own), ("run", "asyncio/runners.py"), ("measure", loop)]
        for frames, wanted in (
            ([*around, ("body", "a.py"), ("inner", "b.py")], ["body", "inner"]),
            # Front-end functions called by the body belong to it.
            ([*around, ("body", "a.py"), ("keep", own)], ["body", "keep"]),
            # Native code has no frame of its own.
            (around, ["sorted"]),
            ([("serve", own), ("loops", "bm.py")], ["loops"]),
            ([("serve", own)], ["tare"]),
            ([("worker", "threading.py")], ["[runtime]", "worker"]),
        ):
            self.assertEqual(_profile.trimmed(frames, "sorted"), wanted)

    def test_stacks_of_py_spy_are_read(self):
        around = "serve (tare/_child.py:12);measure (<measuring loop of tare>:1);body (a.py:5);"
        text = f"{around}sha256 (_hash.c:3);0x7f12 (libcrypto.so.3);0x7f13 (libcrypto.so.3) 12\nnonsense\n"
        text += f"{around}sha256 (_hash.c:3);0x7f14 (libcrypto.so.3) 3\n"
        self.assertEqual(_profile.lines(_profile.of_py_spy(text, "f")), ["body;sha256;[libcrypto.so.3] 15"])

    def test_a_timer_takes_samples_while_a_loop_runs(self):
        def body():
            while not taken():
                sum(range(1000))

        def taken():
            return timer.file.seek(0, os.SEEK_END)

        call = _loop.Call(body)
        timer = _profile.Timer()
        timer.start()
        timer.run(lambda: call.loop("workload").run(1, [0, 0], []))
        timer.stop()
        found = timer.found("body", _profile.Values().text)
        self.assertTrue(any("body" in stack for stack in found["stacks"]), found)
        where = [
            fact for fact in found["facts"] if re.fullmatch(r"samples at unit_test\.py:\d+: .+ in .*(body|taken)", fact)
        ]
        self.assertTrue(where, found)

    def test_a_line_of_generated_code_is_named_by_what_it_reads(self):
        scope = {}
        exec("def made(one):\n  return one.upper() + str(scope)", scope)
        values = _profile.Values()
        scope["scope"] = 1
        values.look(lambda: scope["made"](""))
        self.assertEqual(values.text(("<string>", "made", 2)), "upper str scope")

    def test_samples_of_the_handler_are_read(self):
        text = 'Stack (most recent call first):\n  File "a.py", line 3 in g\n  File "b c.py", line 12 in f\n'
        text += 'Current thread 0x1 (most recent call first):\n  File "a.py", line 4 in g\n'
        self.assertEqual(list(_profile.samples(text)), [[("a.py", "g", 3), ("b c.py", "f", 12)], [("a.py", "g", 4)]])
        code = Diagnosers.test_a_stack_begins_with_the_body.__code__
        own = _profile.Names().of((__file__, code.co_name, code.co_firstlineno + 1))
        self.assertEqual(own, _profile.name_of(code))

    def test_the_types_of_what_lines_work_on_are_known(self):
        words = ("a", "b")

        def body(key):
            return key in words

        values = _profile.Values()
        values.look(lambda: [body(1), body("b")])
        facts = {fact.replace(_profile.name_of(body.__code__), "body"): n for fact, n in values.facts().items()}
        self.assertEqual((facts["values of key in body: int or str"], facts["values of words in body: tuple"]), (1, 1))
        self.assertIs(sys.gettrace(), None)

    def test_bytecode_is_that_of_the_body(self):
        def body():
            return [n * n for n in range(3)]

        for code, statement in ((body, None), (functools.partial(body), None), (None, "sorted(x)")):
            (file,) = _bytecode.found(code, statement)["attachments"]
            self.assertIn("RETURN_VALUE" if sys.version_info < (3, 12) else "RETURN_", file["text"])
            self.assertEqual((file["name"], file["media_type"]), ("code.txt", "text/plain"))
        self.assertIsNone(_bytecode.found(len, None))


OBVIOUS = {
    "group",
    "unit",
    "categories",
    "description",
    "set_up",
    "clean_up",
    "event_loop",
    "cold_start",
    "monitoring",
    "invocations",
    "invocations_max",
    "diagnose",
}


class Revisions(unittest.TestCase):
    """A revision measures its own code, wherever the environment points."""

    def setUp(self):
        kept = [sys.path[:], sys.meta_path[:], dict(sys.modules)]
        self.addCleanup(
            lambda: (sys.path.__setitem__(slice(None), kept[0]), sys.meta_path.__setitem__(slice(None), kept[1]))
        )
        self.addCleanup(lambda: [sys.modules.pop(name) for name in set(sys.modules) - set(kept[2])])
        self.folder = os.path.realpath(self.enterContext(tempfile.TemporaryDirectory()))
        self.users, self.top = os.path.join(self.folder, "mono"), os.path.join(self.folder, "cache", "mono")
        for top in (self.users, self.top):
            self.write(os.path.join(top, "core", "tare_test_core.py"), "")
        self.write(os.path.join(self.top, ".git", "tare-root"), self.users)

    def enterContext(self, context):  # before 3.11
        self.addCleanup(context.__exit__, None, None, None)
        return context.__enter__()

    def write(self, path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_imports_that_lead_to_the_users_files_lead_into_the_checkout(self):
        site = os.path.join(self.folder, "site")
        for name in ("linked", "mapped", "spread"):
            file = "deep.py" if name == "spread" else "__init__.py"
            for top in (self.users, self.top):
                self.write(os.path.join(top, "parts", "tare_test_" + name, file), f"place = {top!r}")
        self.write(os.path.join(site, "tare_test_other.py"), "")
        os.symlink(os.path.join(self.users, "parts", "tare_test_linked"), os.path.join(site, "tare_test_linked"))
        os.symlink(os.path.join(self.users, "parts", "tare_test_spread"), os.path.join(site, "tare_test_spread"))

        class Finder:  # of an editable package, as a build tool writes it
            @staticmethod
            def find_spec(name, path=None, target=None):
                place = os.path.join(self.users, "parts", name, "__init__.py")
                return importlib.util.spec_from_file_location(name, place) if name == "tare_test_mapped" else None

        sys.meta_path.append(Finder)
        sys.path[:] = [os.path.join(self.users, "core"), os.path.join(self.users, "made"), *sys.path, site]
        checkout = checkout_of(os.path.join(self.top, "core", "bench.py"))
        self.assertEqual(checkout, (self.top, self.users))
        move(*checkout)
        # Paths that the revision lacks stay, and fail when imported.
        self.assertEqual(sys.path[:2], [os.path.join(self.top, "core"), os.path.join(self.users, "made")])
        for name in ("tare_test_linked", "tare_test_mapped", "tare_test_spread.deep"):
            self.assertEqual(importlib.import_module(name).place, self.top, name)
        self.assertTrue(importlib.import_module("tare_test_other").__file__.startswith(site))
        self.assertEqual(strange(*checkout), "")

    def test_code_of_the_working_tree_is_refused(self):
        module = sys.modules["tare_test_made"] = type(sys)("tare_test_made")
        module.__file__ = os.path.join(self.top, "made.py")
        self.assertEqual(strange(self.top, self.users), "")
        module.__file__ = os.path.join(self.users, "made.py")
        self.assertIn("`tare_test_made` is imported from the working tree", strange(self.top, self.users))
        # A link among the installed packages.
        link = os.path.join(self.folder, "linked.py")
        self.write(module.__file__, "")
        os.symlink(module.__file__, link)
        module.__file__ = link
        self.assertIn("is imported from the working tree", strange(self.top, self.users))
        # An installed copy of it.
        site = os.path.join(self.folder, "site")
        module.__file__ = os.path.join(site, "tare_test_made.py")
        self.write(
            os.path.join(site, "made-1.dist-info", "direct_url.json"),
            f'{{"dir_info": {{}}, "url": "file://{self.users}/made"}}',
        )
        self.write(
            os.path.join(site, "made-1.dist-info", "RECORD"),
            "tare_test_made.py,sha256=x,1\nmade-1.dist-info/RECORD,,\n",
        )
        sys.path.append(site)
        self.assertIn("as it is installed", strange(self.top, self.users))
        # A copy from a registry, if it is named like a project of the repository.
        self.write(os.path.join(site, "made-1.dist-info", "direct_url.json"), "{}")
        self.assertEqual(strange(self.top, self.users), "")
        self.write(os.path.join(self.top, "parts", "made", "pyproject.toml"), '[project]\nname = "Made"\n')
        self.assertIn("as it is installed", strange(self.top, self.users))
