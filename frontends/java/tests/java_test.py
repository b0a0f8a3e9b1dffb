#!/usr/bin/env python3
"""Tests of the Java front end with a JDK. `run` starts it; it needs a built `tare` and `javac` on the PATH.

Most tests talk to one child over its link, since a virtual machine takes a third of a second to start.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
TARE = os.environ["TARE_PROGRAM"]
LONG = os.environ.get("TARE_TEST_LONG")
JMH = "1.37"


def skip(what, why):
    print("skipped: {}: {}".format(what, why))


class Child:
    """A process that is asked over its link."""

    def __init__(self, command):
        to_child, requests = os.pipe()
        replies, from_child = os.pipe()
        environment = {**os.environ, "TARE_LINK": "fd:{},{}".format(to_child, from_child)}
        self.process = subprocess.Popen(
            command, pass_fds=[to_child, from_child], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        os.close(to_child)
        os.close(from_child)
        self.requests = os.fdopen(requests, "w")
        self.replies = os.fdopen(replies)
        self.hello = self.ask("hello 1 metrics events windows")

    def ask(self, request):
        self.requests.write(request + "\n")
        self.requests.flush()
        return self.reply()

    def reply(self):
        line = self.replies.readline()
        if not line:
            raise AssertionError("the child has ended: " + self.process.stdout.read().decode())
        return json.loads(line)

    def list(self):
        found = [self.ask("list")]
        while found[-1]["reply"] == "benchmark":
            found.append(self.reply())
        self.notes = found[-1].get("notes", [])
        return found[:-1]

    def end(self):
        said = self.ask("bye")
        self.requests.close()
        output = self.process.stdout.read().decode()
        self.process.stdout.close()
        self.replies.close()
        return said["reply"], self.process.wait(), output

    def stop(self):
        self.process.kill()
        self.process.wait()
        for file in (self.requests, self.replies, self.process.stdout):
            file.close()


def options(version):
    found = ["-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,*TareLoop::run"]
    if version >= 17:
        found += ["-XX:+UnlockExperimentalVMOptions", "-XX:CompileCommand=blackhole,tare.child.Sink::keep", "-Dtare.blackhole=true"]
    return found


def version_of(java):
    text = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    return int(text.split('"')[1].split(".")[0])


OPTIONS = options(version_of("java"))


def tare(*words, folder):
    return subprocess.run([TARE, *words], cwd=folder, capture_output=True, text=True)


def compiled_front_end():
    """The folder of its classes, which `tare list` makes."""
    folder = tempfile.mkdtemp(prefix="tare-java-")
    try:
        shutil.copy(os.path.join(HERE, "Declared.java"), folder)
        done = tare("list", "--json", "Declared.java", folder=folder)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
    finally:
        shutil.rmtree(folder)
    found = glob.glob(os.path.join(os.environ["XDG_CACHE_HOME"], "tare/frontends/java-*/classes"))
    return max(found, key=os.path.getmtime)


class Java(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.classes = compiled_front_end()
        cls.place = tempfile.mkdtemp(prefix="tare-java-")
        cls.addClassCleanup(shutil.rmtree, cls.place)
        sources = [os.path.join(HERE, name) for name in ("Declared.java", "Misbehaving.java", "Conformance.java", "DigestsTest.java")]
        cls.compile(sources, "own", cls.classes)

    @classmethod
    def compile(cls, sources, name, class_path, *more):
        to = os.path.join(cls.place, name)
        command = ["javac", "--release", "11", "-g", "-nowarn", *more, "-cp", class_path, "-d", to, *sources]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        return to

    def child(self, places, class_path="", options=()):
        path = ":".join([self.classes, places, *([class_path] if class_path else [])])
        child = Child(["java", *OPTIONS, *options, "-cp", path, "tare.child.Main", places])
        self.addCleanup(lambda: child.process.poll() is None and child.stop())
        return child

    def only(self, *names):
        """The compiled classes of these sources alone."""
        to = tempfile.mkdtemp(dir=self.place)
        for name in names:
            for path in glob.glob(os.path.join(self.place, "own", name + "*.class")):
                shutil.copy(path, to)
        return to

    def open(self, child, lines, name):
        line = next(line for line in lines if line["name"] == name)
        return child.ask("open {} 7".format(line["index"]))

    def test_digests(self):
        command = ["java", "-cp", self.classes + ":" + os.path.join(self.place, "own"), "DigestsTest", os.path.join(ROOT, "spec/digests.txt")]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(LONG, "some seventy processes")
    def test_conformance(self):
        place = self.only("Conformance")
        javas = {os.path.realpath(shutil.which("java"))} | {os.path.realpath(path) for path in glob.glob("/usr/lib/jvm/*/bin/java")}
        by_version = {version_of(java): java for java in javas}
        wanted = sorted(version for version in by_version if version >= 11)
        for version in wanted:
            command = [by_version[version], *options(version), "-cp", self.classes + ":" + place, "tare.child.Main", place]
            done = tare("conformance", "--quick", *command, folder=self.place)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("0 failed", done.stdout)

    def test_what_is_declared(self):
        child = self.child(self.only("Declared"))
        lines = child.list()
        named = {line["name"]: line for line in lines}
        values = [line for line in lines if line["name"] == "values"]
        self.assertEqual(len(values), 2 * 1 * 2 * 2)
        first = values[0]
        self.assertEqual([(p["name"], p["value"], p["type"]) for p in first["parameters"]], [
            ("n", "1", "integer"), ("x", "0.5", "float"), ("flag", "false", "boolean"), ("size", "SMALL", "text")])
        self.assertEqual((first["baseline"], first["description"], first["categories"], first["unit"]), (True, "one line", ["a", "b"], "row"))
        self.assertEqual((first["threads"], first["waits"], first["group"], first["file"]), (0, True, "Declared", "Declared.java"))
        self.assertEqual(named["rows"]["rates"], [{"name": "items", "per_invocation": 3}, {"name": "bytes", "per_invocation": 0}])
        self.assertEqual((named["rows"]["set_ups"], named["rows"]["invocations_max"]), (["iteration"], 1))
        self.assertEqual(named["skipped"]["skipped"], "needs a server")
        self.assertEqual((named["single"]["strategy"], named["single"]["results"]), ("cold-start", "differ"))
        wrong = {line["name"]: line["invalid"] for line in lines if line.get("invalid")}
        for name, said in {
            "hidden": "is private", "lazy": "may have done nothing yet", "foreign": "has no `@State`", "fixed": "is there twice",
            "inner": "declare it `static`", "wrong": "`one` is not a value of `n`, which is of type `int`",
        }.items():
            self.assertIn(said, wrong.get(name, ""), name)
        with open(os.path.join(HERE, "Declared.java")) as file:
            text = file.read().split("\n")
        self.assertIn("return values.n", text[first["line"] - 1])

        self.assertEqual(self.open(child, lines, "rows"), {"reply": "opened", "operations": 5, "rates": {"bytes": 50}})
        self.assertEqual(child.ask("check")["text"], "1")
        measured = child.ask("measure workload 3 1 0")
        self.assertEqual(child.ask("check")["text"], "5", "a set-up for each call")
        self.assertEqual(len(measured["elapsed_ns"]), 3)
        child.ask("close")
        self.open(child, lines, "own")
        self.assertEqual(child.ask("measure workload 2 10 0")["elapsed_ns"], [770, 770])
        child.ask("close")
        refused = self.open(child, lines, "refusing")
        self.assertEqual((refused["kind"], refused["message"]), ("skipped", "no data here"))
        self.open(child, lines, "inherited")
        self.assertEqual(child.ask("check")["text"], "20", "what overrides a marked method is called in its place, as in JMH")
        child.ask("close")
        self.open(child, lines, "blackhole")
        measured = child.ask("measure workload 1 1000 100 2")
        self.assertEqual((len(measured["window_ns"]), len(measured["width_ns"])), (2, 3))
        self.assertEqual(measured["metrics"]["allocated_bytes"], [0])
        child.ask("close")
        self.assertEqual(child.ask("set n 7 8"), {"reply": "set", "benchmarks": 1})
        self.assertEqual(child.ask("set n x")["kind"], "bad-request")
        self.assertIn("7 0.5 false SMALL", (self.open(child, child.list(), "values"), child.ask("check"))[1]["text"])
        self.assertEqual(child.end(), ("bye", 0, ""))

    def test_bytes_are_exact_and_collections_counted(self):
        place = tempfile.mkdtemp(dir=self.place)
        source = os.path.join(place, "Allocating.java")
        with open(source, "w") as file:
            file.write("import tare.*;\nclass Allocating { int n = 100; @Benchmark byte[] make() { return new byte[n]; } }\n")
        self.compile([source], "allocating", self.classes)
        child = self.child(os.path.join(self.place, "allocating"))
        self.open(child, child.list(), "make")
        for invocations in (1, 1000):
            measured = child.ask("measure workload 1 {} 0".format(invocations))
            self.assertEqual(measured["metrics"]["allocated_bytes"], [120 * invocations])
        self.assertGreater(sum(child.ask("measure workload 1 20000000 0")["metrics"]["collections_0"]), 0)
        self.assertIn("live_bytes", child.ask("collect"))
        counted = child.ask("diagnose memory 2 1000 10")["metrics"]
        self.assertEqual(len(counted["kept_bytes"]), 2)
        self.assertGreaterEqual(min(counted["allocated_bytes_all_threads"]), 120 * 1000)
        self.assertEqual(child.ask("diagnose magic 1 1 0")["kind"], "not-supported")

    def test_samples_begin_at_the_body(self):
        place = tempfile.mkdtemp(dir=self.place)
        source = os.path.join(place, "Sampled.java")
        with open(source, "w") as file:
            file.write("import tare.*;\nclass Sampled { int n = 1000; int more(int y, int i) { return y * y + i; }\n"
                       "@Benchmark int body() { int y = n; for (int i = 0; i < n; i++) { y = more(y, i); } return y; } }\n")
        self.compile([source], "sampled", self.classes)
        child = self.child(os.path.join(self.place, "sampled"))
        self.open(child, child.list(), "body")
        child.ask("measure workload 1 50000 0")
        lines = [line.rsplit(" ", 1) for line in child.ask("diagnose profile 2 300000 0")["stacks"]]
        self.assertGreater(sum(int(count) for _, count in lines), 0)
        self.assertTrue(any(stack.startswith("Sampled.body") for stack, _ in lines), lines)
        self.assertFalse(any("tare.child" in stack or "TareLoop" in stack for stack, _ in lines), lines)
        self.assertEqual(child.end()[0], "bye")

    def test_steps_and_their_failures(self):
        child = self.child(self.only("Conformance"))
        lines = child.list()
        text = ""
        self.open(child, lines, "trace")
        text += "S"
        for request, steps in [("measure workload 2 3 0", 2 * "sbbbc"), ("measure workload 1 1 2", "sbbcsbc"), ("measure overhead 2 5 1", "")]:
            self.assertEqual(child.ask(request)["reply"], "measured")
            text += steps
        self.assertEqual(child.ask("check")["text"], text + "sb")
        child.ask("close")
        text += "sbcC"
        for name, step, letters in [
            ("throws-set-up", "set-up", "S"), ("throws-iteration-set-up", "iteration-set-up", "Ss"), ("throws-body", "body", "Ssb"),
            ("throws-iteration-clean-up", "iteration-clean-up", "Ssbc"),
        ]:
            said = self.open(child, lines, name)
            if step != "set-up":
                said = child.ask("measure workload 1 1 0")
                child.ask("close")
                letters += "C"
            self.assertEqual((said["kind"], said["step"], said["message"], said["file"]), ("exception", step, "it throws", "Conformance.java"))
            text += letters
        self.open(child, lines, "trace")
        self.assertEqual(child.ask("check")["text"], (text + "Ssb")[:200])
        child.stop()

    def test_bodies_that_go_wrong(self):
        """Each is one failure, which says what happened and where; a process goes on where the runtime can."""
        place = self.only("Misbehaving")
        child = self.child(place, options=["-Xmx64m", "-Xss512k"])
        lines = child.list()
        for name, kind, said in [
            ("throwing", "ArrayIndexOutOfBoundsException", "Index 3 out of bounds"), ("endless", "StackOverflowError", "look for endless recursion"),
            ("filling", "OutOfMemoryError", "the heap may have 6"), ("straying", "IllegalStateException", "in another thread"),
            ("wrapping", "ExceptionInInitializerError", 'caused by java.lang.NumberFormatException: For input string: "none"'),
        ]:
            self.open(child, lines, name)
            thrown = child.ask("measure workload 1 1 0")
            self.assertEqual((thrown["kind"], thrown["step"], thrown["type"], thrown["file"]), ("exception", "body", kind, "Misbehaving.java"), thrown)
            self.assertIn(said, thrown["message"])
            self.assertGreater(thrown["line"], 10)
            child.ask("close")
        self.open(child, lines, "silent")
        self.assertIsNone(child.ask("check")["text"], "its text throws")
        child.ask("close")
        child.stop()
        folder = tempfile.mkdtemp(dir=self.place)
        shutil.copy(os.path.join(HERE, "Misbehaving.java"), folder)
        with open(os.path.join(folder, "Fine.java"), "w") as file:
            file.write("import tare.*;\npublic class Fine { int x = 3; @Benchmark public int fine() { return x; } }\n")
        few = ["--launches", "1", "--rounds", "2", "--no-save", "-v", "--flags", "-Xmx64m -Dtare.watch=300"]
        done = tare("run", ".", *few, "--filter", "*/locking", "--filter", "*/fine", "--filter", "*/exiting", folder=folder)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 100, said)
        for wanted in ["in the body: it calls `System.exit`, which ends the process at Misbehaving.java:31", "Found one Java-level deadlock", "holds, at Misbehaving.java:80", "take locks in the same order", "fine"]:
            self.assertIn(wanted, said)

    def test_a_file_without_a_class_has_no_benchmark(self):
        folder = tempfile.mkdtemp(dir=self.place)
        with open(os.path.join(folder, "Empty.java"), "w") as file:
            file.write("// later\n")
        done = tare("list", "Empty.java", folder=folder)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("no benchmark in `Empty.java`", done.stderr)

    def jmh(self):
        """The jars of JMH, from Maven's own folder; downloaded where `mvn` can."""
        repository = os.path.expanduser("~/.m2/repository")
        jars = ["org/openjdk/jmh/jmh-core/{0}/jmh-core-{0}.jar", "net/sf/jopt-simple/jopt-simple/5.0.4/jopt-simple-5.0.4.jar",
                "org/apache/commons/commons-math3/3.6.1/commons-math3-3.6.1.jar"]
        paths = [os.path.join(repository, jar.format(JMH)) for jar in jars]
        if not all(os.path.isfile(path) for path in paths) and shutil.which("mvn"):
            words = ["mvn", "-q", "-B", "dependency:get", "-Dartifact=org.openjdk.jmh:jmh-core:" + JMH]
            try:
                subprocess.run(words, capture_output=True, timeout=300)
            except subprocess.TimeoutExpired:
                pass
        return ":".join(paths) if all(os.path.isfile(path) for path in paths) else None

    def test_a_project_of_jmh(self):
        jars = self.jmh()
        if jars is None:
            skip("a project of JMH", "there is neither JMH below ~/.m2 nor a Maven that can download it")
            return
        sources = glob.glob(os.path.join(HERE, "jmh/src/main/java/shop/*.java"))
        place = self.compile(sources, "jmh", jars, "-proc:none")
        child = self.child(place, jars)
        lines = child.list()
        named = {line["name"]: line for line in lines}
        self.assertTrue(any("`@Warmup` has no effect" in note for note in child.notes), child.notes)
        self.assertFalse([line["invalid"] for line in lines if line.get("invalid")])
        self.assertEqual({line["group"] for line in lines if line["name"] == "inherited"}, {"Cheap", "Dear"})
        states = [line for line in lines if line["name"] == "states"]
        self.assertEqual([[p["value"] for p in line["parameters"]] for line in states], [["3", "SMALL"], ["3", "LARGE"], ["5", "SMALL"], ["5", "LARGE"]])
        self.assertEqual(named["operations"]["operations"], 10)
        self.assertEqual((named["single"]["strategy"], named["repeated"]["strategy"]), ("cold-start", "monitoring"))
        self.assertEqual(named["forked"]["launch"]["environment"], {"JDK_JAVA_OPTIONS": "-Dshop.open=yes -Xmx200m"})
        for name, said in {"threads": "@Threads(4)", "pair.grouped": "@Group", "params": "BenchmarkParams"}.items():
            self.assertIn(said, named[name]["skipped"])
        child.ask("open {} 0".format(states[1]["index"]))
        self.assertEqual(child.ask("check")["text"], "300TIv")
        child.ask("close")
        for name in ("blackhole", "field", "inherited"):
            self.open(child, lines, name)
            measured = child.ask("measure workload 1 1000 0")
            self.assertGreater(measured["elapsed_ns"][0], 0, name)
            child.ask("close")
        self.open(child, lines, "inherited")
        self.assertEqual(child.ask("check")["text"], "1", "of the first class")
        self.assertEqual(child.end()[:2], ("bye", 0))

    def test_nested_benchmarks_of_a_jar_of_jmh(self):
        jars = self.jmh()
        if jars is None:
            skip("a jar of JMH", "there is neither JMH below ~/.m2 nor a Maven that can download it")
            return
        place = tempfile.mkdtemp(dir=self.place)
        source = os.path.join(place, "Outer.java")
        state = "@org.openjdk.jmh.annotations.State(org.openjdk.jmh.annotations.Scope.Benchmark)"
        with open(source, "w") as file:
            file.write("package shop;\npublic class Outer {{ public abstract static class Base {{ abstract int n();\n"
                       "@org.openjdk.jmh.annotations.Benchmark public int twice() {{ return 2 * n(); }} }}\n"
                       "{0} public static class Inner extends Base {{ int n() {{ return 3; }} }} }}\n".format(state))
        classes = self.compile([source], "nested", jars, "-proc:none")
        os.makedirs(os.path.join(classes, "META-INF"))
        with open(os.path.join(classes, "META-INF/BenchmarkList"), "w") as file:
            file.write("JMH S 16 shop.Outer.Inner S 42 shop.jmh_generated.Outer_Inner_twice_jmhTest S 5 twice\n")
        jar = os.path.join(place, "nested.jar")
        subprocess.run(["jar", "cf", jar, "-C", classes, "."], check=True)
        child = self.child(jar, jars)
        lines = child.list()
        self.assertEqual([line["name"] for line in lines if line["group"].endswith("Inner")], ["twice"], (lines, child.notes))
        self.assertFalse([note for note in child.notes if "cannot be loaded" in note])
        child.stop()

    @unittest.skipUnless(LONG, "several builds")
    def test_maven_and_jars(self):
        if shutil.which("mvn") is None:
            skip("Maven projects", "mvn is not installed")
            return
        place = os.path.join(self.place, "maven")
        shutil.copytree(os.path.join(HERE, "jmh"), place)
        few = ["--launches", "1", "--rounds", "2", "--no-save"]
        done = tare("run", ".", "--filter", "*/forked", "--filter", "*/inherited", *few, folder=place)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("forked", done.stdout)
        jar = os.path.join(self.place, "shop.jar")
        subprocess.run(["jar", "cf", jar, "-C", os.path.join(place, "target/classes"), "."], check=True)
        done = tare("list", jar, "--flags", "-cp " + self.jmh(), folder=self.place)
        self.assertIn("Dear/inherited", done.stdout, done.stderr)

    @unittest.skipUnless(LONG, "the documentation of the front end, and two builds by Maven")
    def test_the_artifact_is_built_and_used(self):
        if shutil.which("mvn") is None:
            skip("the Maven artifact", "mvn is not installed")
            return
        root = os.path.abspath(os.path.join(HERE, "..", "..", ".."))
        packages = os.path.join(self.place, "packages")
        command = [os.path.join(root, "packaging", "build"), "maven"]
        built = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TARE_PACKAGES": packages})
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.assertEqual(built.stdout.count(".jar"), 3, "its sources and its documentation too: " + built.stdout)
        place = os.path.join(self.place, "user")
        os.makedirs(os.path.join(place, "src", "test", "java"))
        with open(os.path.join(place, "pom.xml"), "w") as file:
            file.write("""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>user</artifactId><version>1</version>
<properties><maven.compiler.release>11</maven.compiler.release></properties>
<repositories><repository><id>folder</id><url>file://{}/maven</url></repository></repositories>
<dependencies><dependency><groupId>dev.tare</groupId><artifactId>tare</artifactId><version>0.1.0</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin></plugins></build>
</project>
""".format(packages))
        with open(os.path.join(place, "src", "test", "java", "Sum.java"), "w") as file:
            file.write("public class Sum {\n    @tare.Benchmark\n    public int nine() {\n        return 9;\n    }\n}\n")
        # A copy of an earlier test would be used in place of this one.
        shutil.rmtree(os.path.expanduser("~/.m2/repository/dev/tare"), ignore_errors=True)
        try:
            done = tare("run", ".", "--dry", folder=place)
        finally:
            shutil.rmtree(os.path.expanduser("~/.m2/repository/dev/tare"), ignore_errors=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"nine +ran")

    @unittest.skipUnless(LONG, "several builds")
    def test_kotlin_and_scala(self):
        """Projects of Maven whose compilers are plug-ins."""
        if shutil.which("mvn") is None:
            skip("Kotlin and Scala", "mvn is not installed")
            return
        for language, names in (("kotlin", ["each", "split"]), ("scala", ["mapped", "split"])):
            place = os.path.join(self.place, language)
            shutil.copytree(os.path.join(HERE, language), place)
            done = tare("run", ".", "--launches", "1", "--rounds", "2", "--no-save", "--format", "csv", folder=place)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            for name in names:
                self.assertEqual(done.stdout.count(",{},".format(name)), 2, "with both values of `n`: " + done.stdout)

    @unittest.skipUnless(LONG, "a build by Gradle")
    def test_gradle(self):
        if shutil.which("gradle") is None or self.jmh() is None:
            skip("projects of Gradle", "it needs `gradle`, and JMH below ~/.m2")
            return
        place = os.path.join(self.place, "gradle")
        shutil.copytree(os.path.join(HERE, "gradle"), place)
        shutil.copytree(os.path.join(HERE, "jmh/src/main/java"), os.path.join(place, "src/jmh/java"))
        done = tare("list", ".", folder=place)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("Cheap/inherited", "Features/forked"):
            self.assertIn(name, done.stdout)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    failed = len(result.failures) + len(result.errors)
    print("{} passed, {} failed".format(result.testsRun - failed - len(result.skipped), failed))
    sys.exit(1 if failed else 0)
