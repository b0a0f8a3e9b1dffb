"""The rules of spec/protocol.md, one by one, by number."""
import os, pathlib, signal, subprocess, tempfile, time, unittest
import support
from child import Child
from support import ROOT, build

COLUMNS = ["elapsed_ns", "cpu_ns", "process_cpu_ns", "probe_before_ns", "probe_after_ns", "switches", "waits"]


class Protocol(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = build(ROOT / "tests/cases.cpp")
        cls.c_program = build(ROOT / "examples/07-c.c")
        cls.quick = build(ROOT / "examples/06-quick.cpp", support.PLAIN)

    def setUp(self):
        self.child = Child([self.program], stdout=subprocess.DEVNULL)
        self.addCleanup(self.child.end)

    def ready(self):
        self.assertEqual(self.child.ask("hello 1")["reply"], "hello")

    def open(self, name, seed=0):
        self.assertEqual(self.child.ask(f"open {self.child.index(name)} {seed}"), {"reply": "opened"})

    def refused(self, request, kind):
        reply = self.child.ask(request)
        self.assertEqual((reply["reply"], reply.get("kind")), ("error", kind), request)
        return reply

    def test_hello(self):
        hello = self.child.ask("hello 1")
        self.assertEqual((hello["protocol"], hello["language"], hello["optimised"]), (1, "c++", True))
        self.assertEqual((hello["unroll"], hello["rolled_unroll"], hello["probe_cycles"]), (8, 2, 32768))
        self.assertTrue(hello["front_end"].startswith("tare-cpp "))
        self.assertTrue(hello["compiler"].startswith(support.FAMILY))
        self.assertGreater(hello["clock_resolution_ns"], 0)
        self.assertEqual(hello["width_additions"], 14400)
        self.assertLessEqual({"cpu", "probe", "switches", "waits", "windows", "rolled", "check"}, set(hello["capabilities"]))
        self.assertEqual(self.child.ask("hello 1")["reply"], "hello")  # again, when ready
        for words in ("windows", "of-the-future x-fast 7", "1" + " x" * 122):  # what the host can changes nothing
            again = self.child.ask("hello 1 " + words)
            again["clock_resolution_ns"] = hello["clock_resolution_ns"]  # measured anew
            self.assertEqual(again, hello)
        self.assertEqual(self.child.bye(), 0)

    def test_version(self):
        self.assertEqual(self.refused("hello 2", "version")["versions"], [1])
        self.ready()

    def test_set(self):  # R22
        self.ready()
        def values():
            return [[p["value"] for p in b["parameters"]] for b in self.child.list() if b["group"] == "Steps"]
        declared = values()
        for request in ("set size 1.5", "set size 99999999999", "set size -", "set shape square", "set number x", "set size 3 4 x"):
            self.refused(request, "bad-value")
            self.assertEqual(values(), declared, request)
        self.assertEqual(self.child.ask("set nobody 1"), {"reply": "set", "benchmarks": 0})
        for request in ("set size -5", "set shape flat", "set text b%20%C3%A4 %", "set number 2.5e-7"):
            self.assertEqual(self.child.ask(request), {"reply": "set", "benchmarks": 1})
        self.assertEqual(values(), [["-5", "flat", "b ä", "2.5e-7"], ["-5", "flat", "", "2.5e-7"]])
        self.open("Steps/run")
        self.assertTrue(self.child.ask("check")["text"].endswith(" -5 b ä"))
        self.child.ask("close")
        self.child.ask("set size 8 9")
        self.assertEqual([v[0] for v in values()], ["8", "8", "9", "9"])

    def test_digests(self):  # R21
        table = ROOT.parent.parent / "spec/digests.txt"
        program = build(ROOT / "tests/digests.cpp", "-ffinite-math-only")  # a part of -ffast-math: NaN stays NaN all the same
        with open(table, "rb") as values:
            told = subprocess.run([program], stdin=values, capture_output=True, text=True, check=True).stdout
        lines = [line for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        self.assertEqual(told, f"{len(lines)} values\n")

    def test_requests_in_pieces(self):
        for piece in (b"hel", b"lo 1\nli", b"st", b"\nbye\n"):
            os.write(self.child.requests, piece)
            time.sleep(0.02)
        self.assertEqual(self.child.receive()["reply"], "hello")
        while self.child.receive()["reply"] == "benchmark":
            pass
        self.assertEqual(self.child.receive(), {"reply": "bye"})

    def test_list(self):  # R13
        self.ready()
        found = self.child.list()
        self.assertEqual([b["index"] for b in found], list(range(len(found))))
        keys = [(b["group"], b["name"], str(b["parameters"])) for b in found]
        self.assertEqual(len(set(keys)), len(keys))
        body, so_far = found[0], found[1]
        self.assertEqual((body["group"], body["name"], body["returns"], body["threads"]), ("count", "body", False, 1))
        self.assertEqual((body["categories"], body["description"]), (["one", "two"], 'counts, and "quotes"'))
        self.assertTrue(body["file"].endswith("cases.cpp"))
        self.assertGreater(so_far["line"], body["line"])
        self.assertEqual((so_far["baseline"], so_far["operations"], so_far["unit"], so_far["threads"], so_far["returns"]),
                         (True, 3, "byte", 0, True))
        names = [f"{b['group']}/{b['name']}" for b in found]
        for name in ("types/int", "types/std::vector<std::pair<int, int>>", "types/std::string", "inner/answer", "Steps/run"):
            self.assertIn(name, names)
        steps = [b for b in found if b["group"] == "Steps"]
        self.assertEqual(len(steps), 8)
        self.assertEqual([p["value"] for p in steps[0]["parameters"]], ["1", "round", "a", "0.5"])
        self.assertEqual([p["value"] for p in steps[1]["parameters"]], ["1", "round", "b ä", "0.5"])
        self.assertEqual([p["value"] for p in steps[7]["parameters"]], ["20", "flat", "b ä", "0.5"])
        self.assertEqual([p["name"] for p in steps[7]["parameters"]], ["size", "shape", "text", "number"])
        self.assertEqual((steps[0]["operations"], steps[7]["operations"]), (1, 20))
        self.assertEqual(steps[0]["set_ups"], ["global", "global-clean-up", "iteration", "iteration-clean-up"])
        self.assertEqual(self.child.list(), found)

    def declared(self, source):
        child = Child([build(ROOT / source, support.PLAIN)], stdout=subprocess.DEVNULL)
        self.addCleanup(child.end)
        hello = child.ask("hello 1 metrics")
        return child, hello, {b["name"]: b for b in child.list()}

    def test_declared(self):
        for source in ("tests/declared.cpp", "tests/declared.c"):
            child, hello, found = self.declared(source)
            plain = {"waits": None, "strategy": None, "invocations_max": None, "launch": None}
            for name, expected in {"waits": {"waits": True}, "batch": {"invocations_max": 100}, "cold": {"strategy": "cold-start"},
                                   "launch": {"launch": {"environment": {"COLOUR": "red=1", "EMPTY": ""},
                                                         "arguments": ["--one", "two words"]}}}.items():
                self.assertEqual({key: found[name].get(key) for key in plain}, {**plain, **expected}, source)
                self.assertNotIn("invalid", found[name])
            self.assertIn("variable" if source.endswith("pp") else "NAME=VALUE", found["bad variable"]["invalid"])

    def test_places_and_caches(self):
        for source in ("tests/declared.cpp", "tests/declared.c"):
            child, hello, found = self.declared(source)
            self.assertEqual(found["cold data"]["set_ups"], ["iteration"], source)
            for name in ("cold data", "cold input") if source.endswith("pp") else ("cold data",):
                self.assertEqual(found[name]["invocations_max"], 1, name)
                self.assertNotIn("invalid", found[name])
            for name in ("half cold", "once cold"):
                self.assertIn("one invocation per iteration", found[name]["invalid"], name)
            self.assertEqual(found["moved"]["policy"], {"memory_randomization": True}, source)
            child.ask(f"open {found['cold data']['index']} 7")
            self.assertEqual(child.ask("measure workload 3 1 1")["reply"], "measured")
            child.ask("close")
            if "short file" in found:
                self.assertEqual(child.ask(f"open {found['short file']['index']} 7")["reply"], "opened")
                self.assertEqual(child.ask("measure workload 3 1 1")["reply"], "measured")

    def test_inputs(self):
        child, hello, found = self.declared("tests/declared.cpp")
        self.assertEqual(found["fed"]["invocations_max"], 16384)
        opened = child.ask(f"open {found['fed']['index']} 7")
        self.assertIn(opened["input_bytes"], range(4, 9))  # an int, and what the heap has around many of them
        child.ask("measure workload 2 10 3 4")
        self.assertEqual(child.ask("check")["text"], "39")  # one for each invocation of the iteration
        child.ask("measure rolled 1 100 0")
        self.assertEqual(child.ask("check")["text"], "99")
        child.ask("close")
        child.ask(f"open {found['fed apart']['index']} 7")
        child.ask("measure workload 1 10 0")
        self.assertEqual(child.ask("check")["text"], "4160")  # 4 KiB and a line of the caches
        child.ask("close")
        child.ask(f"open {found['turned']['index']} 7")
        self.assertEqual([child.ask("check")["text"] for _ in range(5)], ["x", "xx", "xxx", "x", "xx"])
        child.ask("measure workload 1 2 0")
        self.assertEqual(child.ask("check")["text"], "xx")
        child.ask("close")
        self.assertIn("no inputs", child.ask(f"open {found['nothing in turn']['index']} 7")["message"])
        self.assertIn("threads cannot share", [b for b in child.list() if b["name"] == "fed threads"][0]["invalid"])
        self.assertIn("more than a million", found["many combinations"]["invalid"])

    def test_rows(self):
        child, hello, found = self.declared("tests/declared.cpp")
        rows = [b for b in child.list() if b["group"] == "rows"]
        values = [tuple(p["value"] for p in b["parameters"]) for b in rows]
        self.assertEqual(values, [(adds, a, b) for adds in ("false", "true") for a, b in (("3", "1"), ("4", "2"), ("5", "3"))]
                         + [("10", "0.5", "half"), ("20", "0.25", "quarter"), ()])
        self.assertEqual([(p["name"], p["type"]) for p in rows[6]["parameters"]], [("size", "integer"), ("share", "float"), ("name", "text")])
        self.assertIn("no values", rows[8]["invalid"])
        for at, text in ((1, "2"), (5, "53"), (7, "quarter20")):
            child.ask(f"open {rows[at]['index']} 7")
            self.assertEqual(child.ask("check")["text"], text)
            child.ask("close")
        self.assertIn("declared in rows with others", child.ask("set b 7")["message"])

    def test_without_an_instance(self):
        child, hello, found = self.declared("tests/declared.cpp")
        self.assertEqual(child.ask(f"open {found['once']['index']} 7")["reply"], "opened")
        self.assertEqual(child.ask("check")["text"], "2")
        self.assertIn("it was there before", child.ask("randomize 8")["message"])
        self.assertEqual(child.ask("close"), {"reply": "closed"})
        child.ask(f"open {found['skips late']['index']} 7")
        reply = child.ask("measure workload 1 1 0")
        self.assertEqual((reply["kind"], reply["step"]), ("exception", "body"))
        self.assertIn('skip("too late") in a body: call it in the set-up', reply["message"])
        child.ask("close")
        child.ask(f"open {found['skips once']['index']} 7")
        reply = child.ask("randomize 8")
        self.assertEqual((reply["kind"], reply["step"]), ("exception", "set-up"))
        self.assertIn('skip("only once") in a set-up', reply["message"])

    def test_once_per_run(self):  # R27
        program = build(ROOT / "tests/declared.cpp", support.PLAIN)
        with tempfile.TemporaryDirectory() as folder:
            children = [Child([program], {"TARE_RUN_FOLDER": folder}, stdout=subprocess.DEVNULL) for _ in range(3)]
            for child in children:
                self.addCleanup(child.end)
                child.ask("hello 1")
            index = {b["name"]: b for b in children[0].list()}
            self.assertEqual((index["made once"]["results"], index["not made"]["results"]), ("change", "differ"))
            for child in children:  # all at the same time
                child.send(f"open {index['made once']['index']} 1")
            for child in children:
                self.assertEqual(child.receive(), {"reply": "opened"})
            texts = {child.ask("check")["text"] for child in children}
            self.assertEqual(len(texts), 1, texts)
            self.assertTrue(any(texts == {f"{child.process.pid}{folder}/a file"} for child in children), texts)
            whys = set()
            for child in children:
                child.ask("close")
                reply = child.ask(f"open {index['not made']['index']} 1")
                self.assertEqual((reply["kind"], reply["step"]), ("exception", "set-up"))
                whys.add(reply["message"])
            self.assertEqual(len(whys), 1, whys)
            self.assertIn("`broken` could not be made for the run: no room, try 1 of ", whys.pop())
            for name, why in (("half made", "`half` could not be made for the run: done"),
                              ("skips while it makes", 'could not be made for the run: `skip("no network")` in its function'),
                              ("failed before", "it failed before")):
                for child in children[:2]:
                    reply = child.ask(f"open {index[name]['index']} 1")
                    self.assertEqual((reply["kind"], reply["step"]), ("exception", "set-up"), reply)
                    self.assertIn(why, reply["message"])
            self.assertEqual(pathlib.Path(folder, ".whole.state").read_text(), "done")
            self.assertEqual([child.bye() for child in children], [0, 0, 0])
        # Without a host's folder, the process has its own and removes it.
        with tempfile.TemporaryDirectory() as place:
            child = Child([program], {"TARE_RUN_FOLDER": "", "TMPDIR": place}, stdout=subprocess.DEVNULL)
            self.addCleanup(child.end)
            child.ask("hello 1")
            child.ask(f"open {index['made once']['index']} 1")
            self.assertTrue(child.ask("check")["text"].startswith(f"{child.process.pid}{place}/tare-once-"))
            self.assertEqual(child.bye(), 0)
            self.assertEqual(os.listdir(place), [])

    def test_once_per_run_in_c(self):  # R27
        program = build(ROOT / "tests/declared.c", support.PLAIN)
        with tempfile.TemporaryDirectory() as folder:
            children = [Child([program], {"TARE_RUN_FOLDER": folder}, stdout=subprocess.DEVNULL) for _ in range(3)]
            for child in children:
                self.addCleanup(child.end)
                child.ask("hello 1")
            index = {b["name"]: b["index"] for b in children[0].list()}
            for child in children:  # all at the same time
                child.send(f"open {index['made once']} 1")
            for child in children:
                self.assertEqual(child.receive(), {"reply": "opened"})
            texts = {child.ask("check")["text"] for child in children}
            self.assertIn(texts, [{f"{child.process.pid} and more {folder}/folder"} for child in children])
            self.assertTrue(pathlib.Path(folder, "folder/inner").is_file())
            for child in children:
                child.ask("close")
            for name, why in (("not made", "`broken` could not be made for the run: no room, try 1 of "),
                              ("makes nothing", "`none` could not be made for the run: its function created nothing at the given path"),
                              ("skips while it makes", 'could not be made for the run: `skip("no network")` in its function'),
                              ("failed before", "it failed before"),
                              ("says done", "`says done` could not be made for the run: done"),
                              ("elsewhere", "`../x` could not be made for the run: the name must be a file name")):
                whys = set()
                for child in children[:2]:
                    reply = child.ask(f"open {index[name]} 1")
                    self.assertEqual((reply["kind"], reply["step"]), ("exception", "set-up"), reply)
                    whys.add(reply["message"])
                self.assertEqual(len(whys), 1, whys)
                self.assertIn(why, whys.pop())
            self.assertEqual(pathlib.Path(folder, ".whole.state").read_text(), "done")
            self.assertEqual([child.bye() for child in children], [0, 0, 0])
        with tempfile.TemporaryDirectory() as place:
            for gone, wanted in (("", True), ("/nowhere", False)):
                child = Child([program], {"TARE_RUN_FOLDER": "", "TMPDIR": place + gone}, stdout=subprocess.DEVNULL)
                self.addCleanup(child.end)
                child.ask("hello 1")
                reply = child.ask(f"open {index['made once']} 1")
                self.assertEqual(reply["reply"] == "opened", wanted, reply)
                if wanted:
                    self.assertIn(f" and more {place}/tare-once-", child.ask("check")["text"])
                else:
                    self.assertIn(f"cannot make a folder in `{place}/nowhere`: No such file or directory", reply["message"])
                self.assertEqual(child.bye(), 0)
                self.assertEqual(os.listdir(place), [])
            # Without a host, the program removes it on exit.
            done = subprocess.run([program], env=support.direct(TMPDIR=place), capture_output=True, text=True)
            self.assertIn("no room, try 1 of ", done.stdout + done.stderr)
            self.assertEqual(os.listdir(place), [])

    def test_declared_in_cxx_alone(self):
        child, hello, found = self.declared("tests/declared.cpp")
        self.assertEqual(found["monitoring"]["strategy"], "monitoring")
        self.assertEqual({p["name"]: p["type"] for p in found["run"]["parameters"]},
                         {"whole": "integer", "number": "float", "truth": "boolean", "text": "text", "letter": "text"})
        self.assertIn("less than 1", found["no batch"]["invalid"])
        self.assertIn("more than 8 variables", found["many variables"]["invalid"])

    def test_metrics(self):  # R19
        child, hello, found = self.declared("tests/declared.cpp")
        self.assertEqual(hello["metrics"], [
            {"name": "total", "unit": "B", "better": "lower", "per": "operation"},
            {"name": "level", "unit": "", "better": "higher", "per": "iteration"},
            {"name": "plain", "unit": "", "per": "operation"}])
        child.ask(f"open {found['run']['index']} 0")
        for request, count in (("workload 2 5 9", 15), ("rolled 2 5 0", 15), ("workload 2 5 3 4", 60), ("single 2 5 9", 15)):
            reply = child.ask("measure " + request)
            self.assertEqual(reply["metrics"], {"total": [count] * 2, "level": [0.5] * 2, "plain": [0] * 2}, request)
        self.assertNotIn("metrics", child.ask("measure overhead 1 1 0"))
        child.ask("close")
        child.ask(f"open {found['falls']['index']} 0")
        reply = child.ask("measure workload 1 1 0")
        self.assertEqual((reply["kind"], reply["step"]), ("exception", "body"))
        self.assertIn("the metric level is -1", reply["message"])
        self.assertEqual(child.ask("close"), {"reply": "closed"})
        child, hello, found = self.declared("tests/declared.c")
        self.assertEqual(hello["metrics"], [{"name": "total", "unit": "B", "better": "lower", "per": "iteration"}])
        child.ask(f"open {found['waits']['index']} 0")
        self.assertEqual(child.ask("measure workload 2 5 3")["metrics"], {"total": [2.5, 2.5]})

    def test_a_metric_that_throws_costs_its_case(self):
        child, hello, found = self.declared("tests/declared.cpp")
        for name, kind, message in (("throws", "std::runtime_error", "the metric plain: no value"),
                                    ("throws a number", "", "the metric plain: an exception that is not a std::exception")):
            child.ask(f"open {found[name]['index']} 0")
            for request in ("measure workload 1 1 0", "measure workload 1 1 0"):  # after the body, then before it
                reply = child.ask(request)
                self.assertEqual((reply["kind"], reply["step"], reply.get("type", "")), ("exception", "body", kind), reply)
                self.assertEqual(reply["message"], message)
            self.assertEqual(child.ask("close"), {"reply": "closed"})
            child.ask(f"open {found['run']['index']} 0")
            self.assertEqual(child.ask("measure workload 1 1 0")["reply"], "measured")
            child.ask("close")

    def check(self, name):
        self.open(name)
        reply = self.child.ask("check")
        self.assertEqual(reply["reply"], "checked", reply)
        self.child.ask("close")
        return reply

    def test_check(self):
        self.ready()
        for name, text in {"int": "-42", "unsigned": "18446744073709551615", "bool": "true", "double": "0.1",
                           "string": 'ä\t"\ufffd', "literal": "text", "list": "[1,2,3]", "pairs": '[[1,"a"],[2,"b"]]',
                           "optional": "3",
                           "long": "x" * 200, "umlauts": "x" + "ä" * 199}.items():
            self.assertEqual(self.check("value/" + name)["text"], text, name)
        self.assertEqual(self.check("value/int"), self.check("value/int"))
        self.assertNotEqual(self.check("value/long")["digest"], self.check("value/longer")["digest"])
        for name in ("count/body", "value/opaque"):
            self.assertEqual(self.check(name), {"reply": "checked", "digest": None, "text": None})

    def test_instances_and_steps(self):
        self.ready()
        first = self.child.index("Steps/run")
        self.child.ask(f"open {first + 7} 0")
        self.assertEqual(self.child.ask("check")["text"], "made set-up ( run 20 b ä")
        self.assertEqual(self.child.ask("check")["text"], "made set-up ( run) ( run 20 b ä")
        self.assertEqual(self.child.ask("measure workload 2 3 1")["reply"], "measured")
        runs = " ( run) ( run) ( run) ( run run run) ( run run run) ( run 20 b ä"
        self.assertEqual(self.child.ask("check")["text"], "made set-up" + runs)
        self.child.ask("measure overhead 1 5 5")
        self.assertEqual(self.child.ask("randomize 5"), {"reply": "randomized"})
        self.assertRegex(self.child.ask("check")["text"], r"^made set-up \( run")  # a new instance
        self.child.ask("close")
        self.child.ask(f"open {first} 9")
        self.assertEqual(self.child.ask("check")["text"], "made set-up ( run 1 a")
        self.child.ask("close")
        for name, texts in {"state/of a list": ("[7,1]", "[7,1,1]"), "state/mutable": ("1", "2"), "Immovable/run": ("1", "2")}.items():
            for _ in range(2):  # every open makes a new instance
                self.open(name)
                self.assertEqual((self.child.ask("check")["text"], self.child.ask("check")["text"]), texts)
                self.child.ask("close")

    def test_state_goes_through_measure(self):
        self.ready()
        self.open("state/mutable")
        self.child.ask("measure workload 2 37 5")
        self.child.ask("measure rolled 1 3 0")
        self.child.ask("measure workload 1 10001 1")
        self.child.ask("measure rolled 1 10003 0")
        self.assertEqual(self.child.ask("check")["text"], str(2 * 37 + 5 + 3 + 10001 + 1 + 10003 + 1))

    def test_measure(self):  # R15, R18, R19
        self.ready()
        done = 0
        for loop in ("workload", "rolled", "overhead"):
            for iterations, invocations, lead in ((1, 1, 0), (3, 16, 1), (2, 17, 33), (5, 1000, 15), (1, 3, 0), (2, 8192, 7), (3, 8197, 9000), (1, 9999, 1)):
                self.open("count/body", 3)
                reply = self.child.ask(f"measure {loop} {iterations} {invocations} {lead}")
                self.assertEqual(reply["reply"], "measured")
                for column in COLUMNS:
                    self.assertEqual(len(reply[column]), iterations, column)
                    self.assertTrue(all(v >= 0 for v in reply[column]))
                done += (lead + iterations * invocations) * (loop != "overhead")
                self.child.ask("close")
                self.assertEqual(self.check("count/so far")["text"], str(done))

    def test_windows(self):
        self.ready()
        done = 0
        for loop in ("workload", "rolled", "overhead"):
            for iterations, invocations, lead, windows in ((1, 1, 0, 1), (3, 16, 1, 5), (2, 17, 33, 64), (2, 1000, 0, 20), (1, 9999, 1, 2), (2, 1, 0, 1024)):
                self.open("count/body", 3)
                reply = self.child.ask(f"measure {loop} {iterations} {invocations} {lead} {windows}")
                for column in COLUMNS:
                    self.assertEqual(len(reply[column]), iterations, column)
                times, widths = reply["window_ns"], reply["width_ns"]
                self.assertEqual((len(times), len(widths)), (iterations * windows, iterations * (windows + 1)))
                self.assertTrue(all(t >= 0 for t in times) and all(w > 100 for w in widths), reply)
                sums = [sum(times[i * windows:(i + 1) * windows]) for i in range(iterations)]
                self.assertEqual(sums, reply["elapsed_ns"])
                for i in range(iterations):
                    of_all = sums[i] + sum(widths[i * (windows + 1):(i + 1) * (windows + 1)])
                    # Windows and readings cover the iteration: no CPU time is between them. On a busy machine they take longer.
                    self.assertLess(reply["cpu_ns"][i], of_all + 1e6)
                done += (lead + iterations * invocations * windows) * (loop != "overhead")
                self.child.ask("close")
                self.assertEqual(self.check("count/so far")["text"], str(done))
        self.open("value/int")
        self.assertNotIn("window_ns", self.child.ask("measure workload 2 3 1"))
        self.child.ask("close")
        self.open("fails/body")
        self.assertEqual(self.child.ask("measure workload 2 3 0 4")["step"], "body")

    def test_no_number_of_invocations_changes_the_loop(self):
        self.ready()
        for loop, single in (("workload", "false"), ("single", "true")):
            for numbers in ("1 1 0", "1 100000 0", "1 1 0 1024", "1 8192 0 1"):
                self.open("loop/body")
                self.child.ask(f"measure {loop} {numbers}")
                self.child.ask("close")
                self.assertEqual(self.check("loop/was single")["text"], single, numbers)

    def test_many_iterations(self):
        self.ready()
        self.open("value/int")
        reply = self.child.ask("measure workload 20000 1 0")
        self.assertEqual({len(reply[c]) for c in COLUMNS}, {20000})

    def test_failures(self):  # R12
        self.ready()
        for step in ("set-up", "body", "clean-up", "iteration-set-up", "iteration-clean-up"):
            index = self.child.index("fails/" + step)
            opened = self.child.ask(f"open {index} 0")
            failure = {"set-up": lambda: opened, "clean-up": lambda: self.child.ask("close")}.get(
                step, lambda: self.child.ask("check"))()
            self.assertEqual((failure["reply"], failure["kind"], failure["step"]), ("error", "exception", step))
            self.assertEqual((failure["message"], failure["type"]), ('no "good"\n', "std::invalid_argument"))
            self.assertTrue(failure["file"].endswith("cases.cpp"))
            if step not in ("set-up", "clean-up"):  # still open
                self.assertEqual(self.child.ask("measure workload 2 3 1")["step"], step)
                self.assertEqual(self.child.ask("measure overhead 2 3 1")["reply"], "measured")
                self.assertEqual(self.child.ask("close"), {"reply": "closed"})
        self.open("fails/body with a number")
        self.assertEqual(self.child.ask("check")["step"], "body")
        self.child.ask("close")
        self.open("fails/said")
        failure = self.child.ask("check")
        self.assertEqual((failure["step"], failure["message"]), ("body", "it is said"))
        self.assertNotIn("type", failure)
        self.assertEqual(self.child.ask("measure workload 1 1 0")["message"], "it is said")
        self.child.ask("close")
        self.open("fails/clean-up")
        self.assertEqual(self.child.bye(), 0)

    def test_stdout_is_the_users(self):  # R3
        self.ready()
        self.open("prints/to stdout")
        self.assertEqual(self.child.ask("measure workload 1 5 0")["reply"], "measured")
        self.assertEqual(self.child.bye(), 0)

    def test_end_of_the_requests(self):  # R4
        self.ready()
        self.open("count/body")
        self.child.end()  # waits for it

    def test_links_that_are_none(self):  # R2
        for link in ("fd:3", "fd:a,b", "pipe:3,4", "fd:77,78", "", "fd:3,4,5"):
            done = subprocess.run([self.program], env=dict(os.environ, TARE_LINK=link), capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), link)

    @support.first_compiler
    def test_invalid_declarations(self):
        """Each affects only its own case; all others are listed and can be opened."""
        child = Child([build(ROOT / "tests/invalid.cpp", support.PLAIN)], stdout=subprocess.DEVNULL)
        child.ask("hello 1")
        found = {f"{b['group']}/{b['name']}" + "".join(p["value"] for p in b["parameters"]): b for b in child.list()}
        wrong = {"/without a name, invalid.cpp:11": "name is empty", "g/zero": "less than 1", "g/minus": "less than 1",
                 "Throws/run": "its constructor threw std::runtime_error: no file", "Nine/run11111111": "more than 8 parameters",
                 "None/run": "no values", "NoOperations/run": "less than 1",
                 "options/bytes": "not a number of at least 0", "options/nothing": "not a number of at least 0",
                 "options/invocations": "at least 1", "options/visit": "above 0", "options/warm-up": "less than 0",
                 "options/threads": "threads cannot share"}
        sized = {"Unsized/run1": {"items": 7}, "Unsized/run1000": {"bytes": 1000, "items": 7}}  # what the set-up changed
        long = [name for name in found if name.startswith("Long/run")]
        self.assertEqual(len(long), 3, "alike in 63 characters and three cases all the same")
        self.assertNotIn("\ufffd", "".join(long))  # no half of a character
        self.assertEqual(sorted(found), sorted([*wrong, *long, *sized, "Unsized/run-1", "options/fraction", "g/first", "g/last"]))
        for name, benchmark in found.items():
            self.assertIn(wrong.get(name, ""), benchmark.get("invalid", ""), name)
            self.assertEqual("invalid" in benchmark, name in wrong, name)
            opened = child.ask(f"open {benchmark['index']} 1")
            self.assertEqual(opened["reply"], "error" if name in wrong or name == "Unsized/run-1" else "opened")
            self.assertEqual(opened.get("rates"), sized.get(name), name)
            if opened["reply"] == "opened":
                self.assertEqual(child.ask("check")["reply"], "checked")
                child.ask("close")
        self.assertEqual((found["g/last"]["unit"], found["g/zero"]["operations"]), ("byte", 1))
        self.assertEqual(child.bye(), 0)

    @support.first_compiler
    def test_coroutines_and_lazy_results(self):
        if not support.has_coroutines():
            self.skipTest(f"{support.cxx()} has no coroutines")
        child = Child([build(ROOT / "tests/coroutine.cpp", standard="c++20")], stdout=subprocess.DEVNULL)
        self.addCleanup(child.end)
        child.ask("hello 1")
        found = {b["name"]: b for b in child.list()}
        for name, text in {"value": "42", "on a thread": "14", "plain": "7", "nothing": None, "container": "[1,2]"}.items():
            self.assertEqual(child.ask(f"open {found[name]['index']} 3"), {"reply": "opened"}, name)
            self.assertEqual(child.ask("check")["text"], text, name)
            self.assertEqual(child.ask("measure workload 2 50 3")["reply"], "measured", name)
            child.ask("close")
        self.assertEqual(child.ask(f"open {found['throws']['index']} 3"), {"reply": "opened"})
        self.assertEqual(child.ask("check")["message"], "on purpose")
        child.ask("close")
        for name, words in {"coroutine": "never resumed", "future": "it returns a future: return its value", "view": "computes nothing"}.items():
            self.assertIn(words, found[name]["invalid"], name)
            self.assertEqual(child.ask(f"open {found[name]['index']} 3")["reply"], "error", name)
        self.assertEqual(child.bye(), 0)

    @support.first_compiler
    def test_threads_states_types_and_what_is_added(self):
        child = Child([build(ROOT / "tests/threads.cpp", support.PLAIN)], stdout=subprocess.DEVNULL)
        self.addCleanup(child.end)
        hello = child.ask("hello 1")
        self.assertEqual([m["per"] for m in hello["metrics"]], ["second", "operation"])
        said = [("data", 'big "1".txt'), ("size", "4096"), ("half", "0.5"), ("long", "ä" * 1000), ("last", "b")]
        self.assertEqual([(entry["name"], entry["value"]) for entry in hello["context"]], said)
        found = {(b["name"], *(p["value"] for p in b["parameters"])): b for b in child.list()}
        other = Child([build(ROOT / "tests/threads.cpp", support.PLAIN)], {"OTHER_ORDER": "1"}, stdout=subprocess.DEVNULL)
        self.addCleanup(other.end)
        other.ask("hello 1")
        names = [b["name"] for b in child.list()]
        self.assertEqual(names, [b["name"] for b in other.list()])
        self.assertEqual(names[-6:], ["0", "1", "n=9", "n=10", "n=100", "both"])
        self.assertEqual([found["count", n]["threads"] for n in ("1", "3")], [1, 3])
        self.assertEqual([found["count", n]["rates"][0]["per_invocation"] for n in ("1", "3")], [10, 30])  # of all threads
        self.assertIn("1 to 256", found["too many",]["invalid"])
        self.assertEqual(child.ask(f"open {found['count', '3']['index']} 3"), {"reply": "opened"})
        self.assertEqual(child.ask("check")["text"], "3")
        for loop, count in (("workload", 7), ("workload", 20000), ("rolled", 9000)):
            measured = child.ask(f"measure {loop} 2 {count} 5")
            self.assertEqual(measured["metrics"], {"calls": [3 * count] * 2, "indices": [(0 + 1 + 2) * count] * 2}, loop)
        self.assertEqual(child.ask("measure overhead 1 100 0")["reply"], "measured")
        self.assertEqual(child.ask("randomize 5"), {"reply": "randomized"})
        self.assertEqual(child.ask("measure workload 1 4 0")["metrics"]["calls"], [12])
        self.assertEqual(child.ask("close"), {"reply": "closed"})
        self.assertEqual(child.ask(f"open {found['throws', '2']['index']} 3"), {"reply": "opened"})
        for _ in range(2):
            self.assertEqual(child.ask("measure workload 1 10 0")["message"], "on a thread: on purpose")
        child.ask("close")
        results = {"by reference": "3", "const": "4", "by value": "5", "generic": "6", "without default": "7", "int, char": "5",
                   "std::array<int, 4>, long": "24", "1": "1", "both": "8 16 32 64 100 0 25 50 75 100 "}
        for name, text in results.items():
            self.assertEqual(child.ask(f"open {found[name,]['index']} 3"), {"reply": "opened"}, name)
            self.assertEqual(child.ask("check")["text"], text, name)
            child.ask("randomize 4")
            self.assertEqual(child.ask("check")["text"], text, name)
            child.ask("close")
        self.assertIn("no default constructor", child.ask(f"open {found['missing',]['index']} 3")["message"])
        typed = [b for b in found.values() if b["group"] == "types"]
        self.assertEqual([(b["baseline"], b["unit"], b["categories"]) for b in typed],
                         [(True, "pair", ["typed"]), (False, "pair", ["typed"])])
        self.assertEqual([found[name,]["operations"] for name in ("0", "1")], [1, 2])
        self.assertEqual(child.ask("set threads 2")["benchmarks"], 2)
        self.assertEqual([b["threads"] for b in child.list() if b["name"] == "count"], [2])
        self.assertEqual(child.bye(), 0)

    def test_rates_own_time_and_skipped(self):
        child = Child([build(ROOT / "examples/10-threads-and-rates.cpp", support.PLAIN)], stdout=subprocess.DEVNULL)
        self.addCleanup(child.end)
        child.ask("hello 1")
        found = {(b["name"], *(p["value"] for p in b["parameters"])): b for b in child.list()}
        self.assertEqual([found["memcpy", n]["rates"] for n in ("1024", "8192", "65536")],
                         [[{"name": "bytes", "unit": "B", "per_invocation": n}] for n in (1024, 8192, 65536)])
        self.assertEqual(found["std::deque<int>",]["rates"], [{"name": "items", "per_invocation": 1000}])
        self.assertEqual((found["format",]["own_time"], found["format",]["policy"]),
                         (True, {"visit_ns": 2000000, "warmup_ns": 5000000}))
        self.assertEqual(found["upload",]["skipped"], "no device here")
        refusal = child.ask(f"open {found['download',]['index']} 3")
        self.assertEqual((refusal["kind"], refusal["message"]), ("skipped", "no driver"))
        self.assertEqual(child.ask(f"open {found['fill',]['index']} 3")["reply"], "opened")
        measured = child.ask("measure workload 20 1000 0 4")
        # An interrupted visit reports a longer time of its own.
        self.assertTrue(any(own < cpu for own, cpu in zip(measured["elapsed_ns"], measured["cpu_ns"])), measured)
        self.assertLess(abs(sum(measured["window_ns"][:4]) - measured["elapsed_ns"][0]), 5)
        child.ask("close")
        self.assertEqual(child.ask(f"open {found['format',]['index']} 3")["reply"], "opened")
        measured = child.ask("measure workload 2 1000 0")
        self.assertEqual(measured["elapsed_ns"], measured["cpu_ns"])
        self.assertEqual(child.bye(), 0)
        shown = subprocess.run([build(ROOT / "examples/10-threads-and-rates.cpp", support.PLAIN), "--filter", "device/*"],
                               capture_output=True, text=True, env=support.direct())
        self.assertEqual((shown.returncode, shown.stdout.count("skipped")), (0, 2), shown.stdout)
        self.assertIn("device/upload  skipped: no device here", shown.stdout)

    def test_what_does_not_compile(self):
        """Mistakes that can be detected at compile time are errors with a reason."""
        cases = [('TARE_BENCH("a", [] { return 1; }).operations(1.5);', "operations is a whole number"),
                 ("struct F { float operations() { return 2.5f; } int run() { return 1; } }; TARE_BENCH(&F::run);",
                  "operations is a whole number"),
                 ("void f() { tare::Bench().operations(\"two\"); }", "operations is a number"),
                 ('void g() { tare::Bench().run("a", [](long& state) { return ++state; }); }', "the body of run() takes no argument")]
        source = support.SCRATCH / "refused.cpp"
        source.write_text("#include <tare/bench.hpp>\n" + "".join(code + "\n" for code, _ in cases))
        done = subprocess.run([*support.command(source, os.devnull, "-fsyntax-only")], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        for line, (code, reason) in enumerate(cases, 2):
            self.assertIn(reason, done.stderr, code)
            self.assertIn(f"refused.cpp:{line}:", done.stderr, code)

    def test_the_seed_moves_one_allocation_against_the_next(self):
        """Two blocks allocated in a row alias in the caches in some launches but not in others, whatever their size."""
        source = support.SCRATCH / "offsets.cpp"
        source.write_text("""#include <tare.h>
template <int Size> struct Pair {
    char *a = nullptr, *b = nullptr;
    void set_up() { a = static_cast<char*>(malloc(Size)), b = static_cast<char*>(malloc(Size)); }
    void clean_up() { free(a), free(b); }
    long run() { return static_cast<long>((reinterpret_cast<uintptr_t>(b) - reinterpret_cast<uintptr_t>(a)) % 4096); }
};
using Small = Pair<2000>; using Page = Pair<4096>; using Large = Pair<400000>;
TARE_BENCH(&Small::run); TARE_BENCH(&Page::run); TARE_BENCH(&Large::run); TARE_MAIN()
""")
        child = Child([build(source, support.PLAIN)])
        child.ask("hello 1")
        for index in range(3):
            seen, again = set(), set()
            for seed in range(1, 13):
                child.ask(f"open {index} {seed}")
                seen.add(child.ask("check")["text"])
                child.ask(f"randomize {seed + 100}")
                again.add(child.ask("check")["text"])
                child.ask("close")
            self.assertGreaterEqual(min(len(seen), len(again)), 6, (index, seen, again))
        self.assertEqual(child.bye(), 0)

    def test_c(self):
        child = Child([self.c_program])
        self.assertEqual(child.ask("hello 1")["language"], "c")
        found = child.list()
        self.assertEqual([(b["group"], b["name"], b["baseline"]) for b in found],
                         [("parse", "strtol", True), ("parse", "by hand", False)])
        self.assertEqual(found[0]["set_ups"], ["global"])
        self.assertEqual(child.ask("open 1 4"), {"reply": "opened"})
        self.assertEqual(child.ask("check")["digest"], None)
        self.assertEqual(child.ask("measure rolled 2 37 1")["reply"], "measured")
        self.assertEqual(child.bye(), 0)

    def test_quick_style(self):
        child = Child([self.quick], stdout=subprocess.DEVNULL)
        child.ask("hello 1")
        found = child.list()
        self.assertEqual([b["group"] for b in found], ["addition"] * 2 + ["random numbers"] * 3)
        self.assertEqual(child.list(), found)
        for index in (4, 0, 2, 0):  # forwards and backwards
            self.assertEqual(child.ask(f"open {index} 3"), {"reply": "opened"})
            self.assertEqual(len(child.ask("measure workload 2 1000 1")["elapsed_ns"]), 2)
            self.assertEqual(child.ask("close"), {"reply": "closed"})
        self.assertEqual(child.ask("open 1 0"), {"reply": "opened"})
        self.assertEqual(child.bye(), 0)
        child = Child([self.quick], stdout=subprocess.DEVNULL)
        child.ask("hello 1")
        self.assertEqual(child.bye(), 0)

    @support.first_compiler
    def test_quick_style_with_fixtures_and_made_up_names(self):
        child = Child([build(ROOT / "tests/quick_style.cpp", support.PLAIN)], stdout=subprocess.DEVNULL)
        child.ask("hello 1")
        found = child.list()
        self.assertEqual({b["group"] for b in found}, {"a title that is made at run time"})
        self.assertEqual([b["unit"] for b in found], ["a unit that is made at run time"] * 8 + ["op", "two lines"])
        self.assertEqual([b["name"] for b in found], [f"a name that is made at run time {i}" for i in range(2)] +
                         ["without a name", "fixture", "failing", "future", "zero", "last", "no unit", "two lines"])
        self.assertEqual([b["name"] for b in found if "invalid" in b], ["without a name", "future", "zero"])
        self.assertEqual(found[3]["set_ups"], ["global", "global-clean-up", "iteration", "iteration-clean-up"])
        self.assertEqual((found[3]["operations"], found[4]["set_ups"], found[7]["operations"]), (10, ["global"], 1))
        self.assertEqual(child.ask("open 3 7")["reply"], "opened")
        self.assertEqual(child.ask("check")["text"], "made set-up ( run")
        self.assertEqual(child.ask("check")["text"], "made set-up () ( run")
        self.assertEqual(child.ask("close")["reply"], "closed")
        failure = child.ask("open 4 7")
        self.assertEqual((failure["kind"], failure["step"], failure["message"]), ("exception", "set-up", "no table"))
        self.assertIn("it returns a future", child.ask("open 5 7")["message"])
        self.assertEqual(child.ask("open 6 7")["reply"], "error")
        self.assertEqual(child.ask("open 7 7")["reply"], "opened")  # the others go on
        self.assertEqual(child.bye(), 0)

    def test_quick_style_leaves_nothing(self):  # R4, R20
        child = Child([self.quick], stdout=subprocess.DEVNULL, start_new_session=True)
        child.ask("hello 1")
        child.ask("open 2 0")
        child.end()
        with self.assertRaises(ProcessLookupError):
            for _ in range(5000):  # what is killed needs a moment to go
                os.killpg(child.process.pid, 0)
                time.sleep(0.01)

    def test_quick_style_dies_as_its_walker(self):
        child = Child([build(ROOT / "tests/quick_style.cpp", support.PLAIN)], {"ABORTS": "1"}, stderr=subprocess.DEVNULL)
        child.ask("hello 1")
        child.ask(f"open {child.index('aborts')} 0")
        child.send("check")
        self.assertEqual(child.lines.readline(), b"")
        self.assertEqual(child.process.wait(1200), -signal.SIGABRT)
        child.end()


support.main()
