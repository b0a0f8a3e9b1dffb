"""Five ordinary bodies in Python, JavaScript and Go, measured by Tare and by the tools of each language."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import tarebench as t

# How much a body does.
SIZES = {"chain": 200, "list": 200, "map": 200, "text": 200, "hash": 20000}


@dataclass
class Case:
    """A benchmark: its group, which side of a pair it is, its body, and how often an operation calls it.

    More work is more calls: a list of 210 numbers costs less than 5 % more than one of 200, since both grow to the same capacity.
    """

    group: str
    side: str
    body: str
    calls: int = 1

    @property
    def size(self):
        return SIZES[self.body]


class Python:
    file = "bench_bodies.py"
    bodies = {
        "chain": "total = 0\n    for i in range(n): total = (total * 31 + i) & 1048575\n    return total",
        "list": "return [i * i for i in range(n)]",
        "map": "return {i: i for i in range(n)}",
        "text": "return ' '.join(map(str, range(n)))",
        "hash": "return hashlib.sha256(data[:n]).digest()",
    }
    head = "import hashlib\ndata = bytes(100000)\n"
    flags = ["--job", f"python={sys.executable}"]

    def function(self, name, case):
        return f"def {name}(n={case.size}):\n    {self.bodies[case.body]}\n"

    def program(self, cases):
        lines = [self.head, "import tare"]
        for at, case in enumerate(cases):
            lines += [self.function(f"body{at}", case)]
            if case.calls > 1:
                lines += [f"def body{at}(once=body{at}):\n    for _ in range({case.calls}): once()"]
            lines += [f"tare.add('{case.group}/{case.side}', body{at}, baseline={case.side == 'base'})"]
        return "\n".join(lines) + "\n"


class JavaScript:
    file = "bodies.bench.mjs"
    bodies = {
        "chain": "let v = 0; for (let i = 0; i < n; i += 1) { v = (Math.imul(v, 31) + i) | 0; } return v;",
        "list": "return Array.from({ length: n }, (_, i) => i * i);",
        "map": "const m = new Map(); for (let i = 0; i < n; i += 1) { m.set(i, i); } return m;",
        "text": "let s = ''; for (let i = 0; i < n; i += 1) { s += i; s += ' '; } return s.length + s.charCodeAt(n);",
        "hash": "return createHash('sha256').update(data.subarray(0, n)).digest();",
    }
    head = "import { createHash } from 'node:crypto';\nconst data = Buffer.alloc(100000);\n"
    flags = []

    def function(self, case):
        return f"(n) => {{ {self.bodies[case.body]} }}"

    def program(self, cases):
        lines = [self.head, "import { bench } from 'tare';", "globalThis.kept = undefined;"]
        for at, case in enumerate(cases):
            baseline = str(case.side == "base").lower()
            body = self.function(case)
            if case.calls > 1:
                lines.append(f"const once{at} = {body};")
                body = f"(n) => {{ for (let call = 0; call < {case.calls}; call += 1) globalThis.kept = once{at}(n); }}"
            lines.append(f"bench('{case.group}/{case.side}', {body}, {{ setup: () => {case.size}, baseline: {baseline} }});")
        return "\n".join(lines) + "\n"


class Go:
    file = "bodies_test.go"
    bodies = {
        "chain": "v := uint32(0); for i := 0; i < n; i++ { v = v*31 + uint32(i) }; sink = int(v)",
        "list": "list := []int{}; for i := 0; i < n; i++ { list = append(list, i*i) }; sink = len(list)",
        "map": "m := map[int]int{}; for i := 0; i < n; i++ { m[i] = i }; sink = len(m)",
        "text": "var s strings.Builder; for i := 0; i < n; i++ { s.WriteString(strconv.Itoa(i)) }; sink = s.Len()",
        "hash": "h := sha256.Sum256(data[:n]); sink = int(h[0])",
    }
    head = "package bodies\n\nimport (\n\t\"crypto/sha256\"\n\t\"strconv\"\n\t\"strings\"\n\t\"testing\"\n)\n\nvar sink int\nvar data [100000]byte\n"
    flags = ["--baseline", "side=base"]

    def program(self, cases):
        lines = [self.head]
        for body, text in self.bodies.items():
            lines.append(f"func {body}Of(b *testing.B, n, calls int) {{ for i := 0; i < b.N; i++ {{ for call := 0; call < calls; call++ {{ {body}Once(n) }} }} }}")
            lines.append(f"//go:noinline\nfunc {body}Once(n int) {{ {text} }}")
        lines.append("func BenchmarkBodies(b *testing.B) {")
        for case in cases:
            lines.append(f'\tb.Run("{case.group}/side={case.side}", func(b *testing.B) {{ {case.body}Of(b, {case.size}, {case.calls}) }})')
        return "\n".join([*lines, "}"]) + "\n"


LANGUAGES = {"python": Python(), "javascript": JavaScript(), "go": Go()}


def side_of(case):
    """Which side of its pair a case of a report is."""
    return next((p["value"] for p in case["parameters"] if p["name"] == "side"), case["name"])


def folder_with(language, text):
    """A folder that goes, with the program."""
    folder = tempfile.TemporaryDirectory()
    (Path(folder.name) / LANGUAGES[language].file).write_text(text)
    if language == "go":
        (Path(folder.name) / "go.mod").write_text("module bodies\n\ngo 1.21\n")
    return folder


def report(language, cases, flags, compares=True):
    own = LANGUAGES[language].flags if compares or language != "go" else []
    return report_of(language, LANGUAGES[language].program(cases), [*own, *flags])


def report_of(language, text, flags):
    """The report of a program."""
    with folder_with(language, text) as folder:
        path = folder if language == "go" else Path(folder) / LANGUAGES[language].file
        command = [t.tare(), "run", path, "--format", "json", "--no-save", *flags]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, cwd=folder)
    if not done.stdout:
        t.note(done.stderr)
        raise SystemExit(1)
    return json.loads(done.stdout)["report"]


def alone():
    return [Case(body, "only", body) for body in SIZES]


def by_tare(language, flags):
    cases = report(language, alone(), flags, compares=False)["cases"]
    found = {}
    for case in cases:
        group = case["group"].rsplit("/", 1)[-1] if case["group"] not in SIZES else case["group"]
        name = group if group in SIZES else case["name"]
        ns = t.net_ns(case)
        if ns is not None:
            found[name] = ns
    return found


def peers(language):
    """What measures the five bodies, by the names of the tools that are here."""
    found = {"python": python_peers, "javascript": javascript_peers, "go": go_peers}[language]()
    return found


def has_module(name):
    return subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True).returncode == 0


def python_peers():
    language, found = LANGUAGES["python"], {}

    def by_pyperf():
        lines = [language.head, "import pyperf", "runner = pyperf.Runner()"]
        for case in alone():
            lines += [language.function(case.body, case), f"runner.bench_func('{case.body}', {case.body})"]
        with folder_with("python", "\n".join(lines) + "\n") as folder:
            out = os.path.join(folder, "r.json")
            subprocess.run([sys.executable, language.file, "--fast", "-q", "-o", out], cwd=folder, capture_output=True, check=True)
            suites = json.loads(Path(out).read_text())
        values = {}
        for bench in suites["benchmarks"]:
            name = bench.get("metadata", {}).get("name") or suites["metadata"]["name"]
            all_values = [value for run in bench["runs"] for value in run.get("values", [])]
            values[name] = sum(all_values) / len(all_values) * 1e9
        return values

    def by_pytest():
        lines = [language.head]
        for case in alone():
            lines += [language.function(case.body, case), f"def test_{case.body}(benchmark): benchmark({case.body})"]
        with folder_with("python", "\n".join(lines) + "\n") as folder:
            out = os.path.join(folder, "r.json")
            words = [sys.executable, "-m", "pytest", "-q", "-p", "no:tare", language.file, f"--benchmark-json={out}"]
            subprocess.run(words, cwd=folder, capture_output=True, check=True)
            read = json.loads(Path(out).read_text())
        return {bench["name"].removeprefix("test_"): bench["stats"]["median"] * 1e9 for bench in read["benchmarks"]}

    for name, module, by in (("pyperf", "pyperf", by_pyperf), ("pytest-benchmark", "pytest_benchmark", by_pytest)):
        if has_module(module):
            found[name] = by
        else:
            t.say(f"skipped: {name} is not installed")
    return found


def npm_folder(*packages):
    """Where packages are installed; None without npm, or if it fails."""
    folder = t.CACHE / f"javascript-{t.digest(*packages)}"
    if (folder / "installed").is_file():
        return folder
    if shutil.which("npm") is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text("{}")
    done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        t.note(done.stderr)
        return None
    (folder / "installed").touch()
    return folder


def javascript_peers():
    language = LANGUAGES["javascript"]
    folder = npm_folder("mitata@1.0.34", "tinybench@6.2.3")
    if folder is None:
        t.say("skipped: mitata and tinybench could not be installed")
        return {}

    def by_node(name, lines):
        path = folder / f"whole-{name}.mjs"
        path.write_text("\n".join(lines) + "\n")
        return json.loads(t.run(["node", path], cwd=folder).stdout.splitlines()[-1])

    def by_mitata():
        lines = [language.head, "import { bench, run } from 'mitata';"]
        lines += [f"{{ const n = {c.size}; const body = {language.function(c)}; bench('{c.body}', () => body(n)); }}" for c in alone()]
        lines += ["const { benchmarks } = await run({ format: 'quiet' });",
                  "console.log(JSON.stringify(Object.fromEntries(benchmarks.map((b) => [b.alias, b.runs[0].stats.avg]))));"]
        return by_node("mitata", lines)

    def by_tinybench():
        lines = [language.head, "import { Bench } from 'tinybench';", "const all = new Bench();"]
        lines += [f"{{ const n = {c.size}; const body = {language.function(c)}; all.add('{c.body}', () => body(n)); }}" for c in alone()]
        lines += ["await all.run();",
                  "console.log(JSON.stringify(Object.fromEntries(all.tasks.map((task) => [task.name, task.result.latency.mean * 1e6]))));"]
        return by_node("tinybench", lines)

    return {"mitata": by_mitata, "tinybench": by_tinybench}


def go_program():
    return shutil.which("go") or "/usr/local/go/bin/go"


def go_peers():
    def by_go():
        with folder_with("go", LANGUAGES["go"].program(alone())) as folder:
            words = [go_program(), "test", "-bench=.", "-count=10", "-run=^$", "-benchtime=100ms", "."]
            text = t.run(words, cwd=folder).stdout
        values = {}
        for line in text.splitlines():
            words = line.split()
            if line.startswith("BenchmarkBodies/") and "ns/op" in words:
                values.setdefault(line.split("/")[1], []).append(float(words[words.index("ns/op") - 1]))
        return {name: sorted(all_values)[len(all_values) // 2] for name, all_values in values.items()}

    return {"go test -count 10": by_go}


C_HASH = """
#include <openssl/evp.h>
#include <stdio.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
int main(void) {
    static unsigned char data[100000]; unsigned char out[32]; double best = 1e18;
    for (int r = 0; r < 400; r++) {
        double begin = now();
        for (int i = 0; i < 50; i++) EVP_Digest(data, 20000, out, 0, EVP_sha256(), 0);
        double took = (now() - begin) / 50;
        if (took < best) best = took;
    }
    printf("%f\\n", best);
}
"""


def hash_by_c():
    """The least time of the hash of 20,000 bytes by OpenSSL, ns; None without a compiler or its headers."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "hash.c"
        source.write_text(C_HASH)
        built = subprocess.run(["cc", "-O2", "-o", f"{folder}/hash", str(source), "-lcrypto"], capture_output=True)
        if built.returncode != 0:
            t.say("the hash has no reference: there is no C compiler, or OpenSSL has no headers here")
            return None
        return float(t.run([f"{folder}/hash"]).stdout)


# Functions whose loops differ by ten load/store pairs of a local variable in bytecode.
BYTECODES = """def moves{count}(a=1, n=100):
    for _ in range(n):
{body}
"""
MOVES = (10, 20)
# The least of many short times of each: no process waits in all of them.
LEAST = """
import time
clock = time.perf_counter_ns
for move in (moves10, moves20):
    least = 1e18
    for _ in range(4000):
        begin = clock()
        for _ in range(4): move()
        least = min(least, (clock() - begin) / 4)
    print(least)
"""


def bytecodes_of_python(flags):
    """Ten pairs of bytecodes in each of a hundred turns: what one function takes longer than the other, by Tare and by short times."""
    functions = "\n".join(BYTECODES.format(count=count, body="        b = a\n" * count) for count in MOVES)
    before = least_of_moves(functions)
    added = "\n".join(f"tare.add('moves{count}', moves{count})" for count in MOVES)
    found = report_of("python", f"import tare\n{functions}\n{added}\n", [*LANGUAGES["python"].flags, *flags])
    own = {case["name"]: t.net_ns(case) for case in found["cases"]}
    first, second = (own.get(f"moves{count}") for count in MOVES)
    least = [min(pair) for pair in zip(before, least_of_moves(functions))]
    return [
        ("a hundred turns of twenty pairs of bytecodes, and a call", second, least[1]),
        ("a thousand pairs of bytecodes", second - first if first and second else None, least[1] - least[0]),
    ]


def least_of_moves(functions):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "moves.py"
        path.write_text(functions + LEAST)
        return [float(line) for line in t.run([sys.executable, path]).stdout.split()]


def known(language, flags):
    """Bodies of known cost: name, time by Tare, time that it should be, both ns."""
    if language == "go":
        return [chain_of_go(flags)]
    return [*hash_by_both(language, flags), *(bytecodes_of_python(flags) if language == "python" else [])]


def hash_by_both(language, flags):
    before = hash_by_c()
    own = by_tare(language, flags).get("hash")
    after = hash_by_c()
    return [("SHA-256 of 20,000 bytes", own, min(before, after) if before and after else None)]


C_CHAIN = """
#include <stdio.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
int main(void) {
    unsigned long x = 3; double best = 1e18;
    for (int r = 0; r < 2000; r++) {
        double begin = now();
        for (int i = 0; i < 100; i++) for (int j = 0; j < 1000; j++) { x *= 0x9e3779b97f4a7c15ul; __asm__ volatile("" : "+r"(x)); }
        double took = (now() - begin) / 100;
        if (took < best) best = took;
    }
    printf("%f %lu\\n", best, x);
}
"""


def chain_of_go(flags):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "chain.c"
        source.write_text(C_CHAIN)
        t.run(["cc", "-O2", "-o", f"{folder}/chain", source])
        before = float(t.run([f"{folder}/chain"]).stdout.split()[0])
        command = [t.tare(), "run", t.BENCH / "cases/go", "--filter", "Chain", "--format", "json", "--no-save", *flags]
        case = json.loads(t.run(command).stdout)["report"]["cases"][0]
        after = float(t.run([f"{folder}/chain"]).stdout.split()[0])
    return ("a thousand multiplications, each with the one before", t.net_ns(case), min(before, after))


def version(language):
    command = {"python": [sys.executable, "--version"], "javascript": ["node", "--version"], "go": [go_program(), "version"]}[language]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()
