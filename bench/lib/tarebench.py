"""Shared code of the executables in bench/: building both sides once, running them, a busy neighbour, ratios.

Builds are kept in a cache (XDG_CACHE_HOME or ~/.cache, tare-bench), so that a second run starts measuring at once. TARE_BENCH_HOST names
a built `tare` to measure instead of the release build of these sources.
"""

import contextlib
import hashlib
import importlib.machinery
import importlib.util
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tare-bench"


def say(text=""):
    print(text, flush=True)


def note(text):
    print(text, file=sys.stderr, flush=True)


def run(command, **options):
    """Runs a command; on failure shows what it printed and stops."""
    options.setdefault("capture_output", True)
    options.setdefault("text", True)
    result = subprocess.run([str(c) for c in command], **options)
    if result.returncode != 0:
        note(f"error: {' '.join(map(str, command))} ended with {result.returncode}\n{result.stdout}\n{result.stderr}")
        raise SystemExit(1)
    return result


_tare = None


def tare():
    """The release build of the host, or the one that TARE_BENCH_HOST names."""
    global _tare
    if _tare is None and os.environ.get("TARE_BENCH_HOST"):
        _tare = Path(os.environ["TARE_BENCH_HOST"]).absolute()
        if not os.access(_tare, os.X_OK):
            note(f"error: TARE_BENCH_HOST names `{_tare}`, which is no program")
            raise SystemExit(1)
    if _tare is None:
        run(["cargo", "build", "--release", "--quiet", "-p", "tare-cli"], cwd=ROOT)
        metadata = json.loads(run(["cargo", "metadata", "--format-version", "1", "--no-deps"], cwd=ROOT).stdout)
        _tare = Path(metadata["target_directory"]) / "release" / "tare"
    return _tare


def digest(*parts):
    total = hashlib.sha256()
    for part in parts:
        total.update(Path(part).read_bytes() if isinstance(part, Path) else str(part).encode())
    return total.hexdigest()[:16]


def cxx(name, source, flags=(), libraries=(), includes=()):
    """Compiles a C++ file into the cache, once for each content."""
    CACHE.mkdir(parents=True, exist_ok=True)
    compiler = os.environ.get("CXX", "g++")
    depends = [source, *(p for i in includes for p in sorted(Path(i).glob("*.h")))]
    program = CACHE / f"{name}-{digest(compiler, *flags, *libraries, *depends)}"
    if not program.exists():
        temporary = program.with_suffix(".tmp")
        command = [compiler, "-O2", "-DNDEBUG", "-std=c++17", *flags, *(f"-I{i}" for i in includes)]
        run([*command, source, "-o", temporary, *libraries])
        temporary.rename(program)
    return program


def has_header(header):
    probe = subprocess.run(
        [os.environ.get("CXX", "g++"), "-std=c++17", "-fsyntax-only", "-x", "c++", "-"],
        input=f"#include <{header}>\n", text=True, capture_output=True)
    return probe.returncode == 0


def nanobench_include():
    """nanobench is in no registry: NANOBENCH_INCLUDE names the folder of its header."""
    folder = os.environ.get("NANOBENCH_INCLUDE")
    if folder and (Path(folder) / "nanobench.h").exists():
        return Path(folder)
    return None


def report(program, *flags, check=True, kept_in=None):
    """The report of a run of a built program or a source, as JSON. A run that is kept in a folder is one of those that the machine's
    profile learns from."""
    keep = [] if kept_in else ["--no-save"]
    result = subprocess.run(
        [str(tare()), "run", str(program), "--format", "json", *keep, *map(str, flags)],
        capture_output=True, text=True, cwd=kept_in)
    if check and result.returncode not in (0, 100):
        note(f"error: tare run {program} ended with {result.returncode}\n{result.stderr}")
        raise SystemExit(1)
    return json.loads(result.stdout)["report"]


def name_of(case):
    parameters = ",".join(f"{p['name']}={p['value']}" for p in case["parameters"])
    name = f"{case['group']}/{case['name']}" if case["group"] else case["name"]
    return f"{name}[{parameters}]" if parameters else name


def net_ns(case):
    """Net time in ns; None when it cannot be distinguished from zero or was not measured."""
    if case["outcome"]["outcome"] != "measured":
        return None
    time_of = case["outcome"]["time"]
    return time_of["value_ns"] if time_of["kind"] == "resolved" else None


def half_width(case):
    """Half of the 95 % interval of the time, as a share of it; None where it has none."""
    time_of = case["outcome"].get("time", {})
    between = time_of.get("interval")
    if not between or between["lower"] is None or between["upper"] is None:
        return None
    return (between["upper"] - between["lower"]) / 2 / time_of["value_ns"]


def cv(values):
    """Coefficient of variation, a share."""
    return statistics.stdev(values) / statistics.mean(values) if len(values) > 1 else math.nan


def constant(file, name):
    """A constant of the host, from its source, so that there is one place for it."""
    return float(re.search(rf"\bconst {name}: f64 = ([0-9._e-]+);", (ROOT / file).read_text())[1])


class Core:
    """How much of what was measured others used the core too, by the windows of its runs."""

    def __init__(self):
        self.windows, self.alone, self.shares = 0, 0.0, []

    def add(self, windows, alone_share):
        if windows:
            self.windows += windows
            self.alone += windows * alone_share
            self.shares.append(alone_share)

    def add_all(self, other):
        self.windows, self.alone, self.shares = self.windows + other.windows, self.alone + other.alone, self.shares + other.shares

    def add_report(self, found):
        """The windows of a report."""
        self.add_summary(found.get("core"))

    def add_summary(self, summary):
        """What the host says of a whole run; None where it judged no windows."""
        if summary:
            self.add(summary["windows"], summary["alone_share"])

    def __str__(self):
        if not self.windows:
            return "no windows were judged"
        ordered = sorted(self.shares)
        shared = lambda share: f"{100 * (1 - share):.0f} %"
        return (f"others used it in {shared(self.alone / self.windows)} of {self.windows} windows "
                f"(by run: least {shared(ordered[-1])}, median {shared(statistics.median(ordered))}, most {shared(ordered[0])})")


def core_of(case):
    """Who used the core while a case was measured; None where that was not judged."""
    return case["outcome"].get("core")


@contextlib.contextmanager
def busy_neighbour(cpu=0, duty=1.0):
    """Keeps one processor busy, all of the time or a share of it (0.25 s and 0.75 s phases on average)."""
    code = (
        "import os,random,time\n"
        f"os.sched_setaffinity(0, {{{cpu}}})\n"
        "r=random.Random(1)\n"
        f"duty={duty}\n"
        "while True:\n"
        " end=time.monotonic()+r.expovariate(1/0.5)*duty\n"
        " while time.monotonic()<end: pass\n"
        " time.sleep(r.expovariate(1/0.5)*(1-duty))\n")
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def limit(n, probability, level=0.99):
    """Greatest number out of n that a rate of `probability` exceeds with at most 1 - level."""
    total = 0.0
    for k in range(n + 1):
        total += math.comb(n, k) * probability**k * (1 - probability) ** (n - k)
        if total >= level:
            return k
    return n


def table(header, rows):
    """Prints aligned columns: the first to the left, the others to the right."""
    cells = [list(map(str, header)), *[list(map(str, row)) for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    for row in cells:
        first = row[0].ljust(widths[0])
        say("  ".join([first, *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]).rstrip())


def figure(value):
    """Four significant digits."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:.4g}"


def percent(value):
    return "-" if value is None or math.isnan(value) else f"{100 * value:.2f} %"


def processor():
    """What the figures were measured on, in the system's own words."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return "unknown processor"


def finish(holds, text):
    """The last line is the figure that decides; the exit status says whether the bound holds."""
    say(f"measured on {processor()}, {os.cpu_count()} processors")
    say(("ok: " if holds else "MISSED: ") + text)
    raise SystemExit(0 if holds else 1)


def quick(*others):
    """Whether --quick was given; only it and the flags `others` are known."""
    known = ("--quick", *others)
    unknown = [a for a in sys.argv[1:] if a not in known]
    if unknown:
        note(f"error: unknown option {unknown[0]!r}; usage: {Path(sys.argv[0]).name} " + " ".join(f"[{flag}]" for flag in known))
        raise SystemExit(2)
    return "--quick" in sys.argv


def which(program):
    return shutil.which(program)


def clock():
    return time.monotonic()


def load(name):
    """An executable of bench/ as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(BENCH / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module
