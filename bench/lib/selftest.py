#!/usr/bin/env python3
"""Tests that the executables of bench/ start, know their flags and refuse others; that their shared code computes correctly; and that the
kernels do the same work in both languages. The measurements themselves are not tested here."""

import contextlib
import io
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import traceback
import zlib
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
CASES = BENCH / "cases"
sys.path.insert(0, str(BENCH / "lib"))
sys.dont_write_bytecode = True
import planted as p  # noqa: E402
import tarebench as t  # noqa: E402
import verdict_peers as peers  # noqa: E402

passed, failed = 0, []


def test(name, body):
    global passed
    try:
        # Their output is not this script's result.
        with contextlib.redirect_stdout(io.StringIO()):
            body()
        passed += 1
    except Exception:  # each by itself
        failed.append(f"{name}: {traceback.format_exc(limit=-2)}")


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"{found!r}, not {wanted!r}")


def near(found, wanted, by=1e-9):
    if not abs(found - wanted) <= by:
        raise AssertionError(f"{found!r}, not {wanted!r}")


def refuses_flags(path):
    if path.read_text().startswith("#!/usr/bin/env python3"):
        compile(path.read_text(), str(path), "exec")
    done = subprocess.run([str(path), "--no-such-flag"], capture_output=True, text=True, timeout=1200)
    if done.returncode != 2 or "--no-such-flag" not in done.stderr:
        raise AssertionError(f"exit {done.returncode}, {done.stderr[-200:]!r}")


# ---- shared code of the executables

def core_of_reports():
    core = t.Core()
    equal(str(core), "no windows were judged")
    core.add_report({"cases": []})
    core.add_summary(None)
    equal((core.windows, core.shares), (0, []))
    core.add_report({"core": {"windows": 400, "alone_share": 0.625}, "cases": []})
    other = t.Core()
    other.add_summary({"windows": 400, "alone_share": 0.125})
    core.add_all(other)
    equal((core.windows, core.alone, core.shares), (800, 300.0, [0.625, 0.125]))
    if "62 % of 800 windows" not in str(core):
        raise AssertionError(str(core))


def constants_of_the_host():
    near(t.constant("crates/stats/src/sharing.rs", "TOLERANCE"), 0.05, 0.03)


def figures():
    case = {"outcome": {"outcome": "measured", "time": {"kind": "resolved", "value_ns": 50.0, "interval": {"lower": 49.0, "upper": 51.0}}}}
    near(t.half_width(case), 0.02)
    equal(t.net_ns(case), 50.0)
    equal(t.half_width({"outcome": {"outcome": "measured", "time": {"kind": "below", "upper_ns": 1.0}}}), None)
    near(t.cv([9, 10, 11]), 0.1)
    equal(math.isnan(t.cv([1])), True)


def host_by_variable():
    program = "import sys; sys.path.insert(0, sys.argv[1]); import tarebench as t; print(t.tare())"
    command = [sys.executable, "-c", program, str(BENCH / "lib")]
    done = subprocess.run(command, env={**os.environ, "TARE_BENCH_HOST": "/bin/sh"}, capture_output=True, text=True)
    equal(done.stdout, "/bin/sh\n")
    done = subprocess.run(command, env={**os.environ, "TARE_BENCH_HOST": "/none"}, capture_output=True, text=True)
    equal((done.returncode, "TARE_BENCH_HOST" in done.stderr), (1, True))


def peers_rules():
    dice = random.Random(1)
    base = [100 + dice.gauss(0, 0.5) for _ in range(15)]
    equal((peers.u_rule(base, base), peers.bdn_rule(base, base)), ("same", "same"))
    more, less = [1.05 * x for x in base], [0.95 * x for x in base]
    equal((peers.u_rule(base, more), peers.bdn_rule(base, more)), ("slower", "slower"))
    equal((peers.u_rule(base, less), peers.bdn_rule(base, less)), ("faster", "faster"))
    # A difference below the threshold of 1 % is none to BenchmarkDotNet's rule, though the U test sees it.
    tight = [100 + i / 1000 for i in range(15)]
    equal((peers.u_rule(tight, [x + 0.3 for x in tight]), peers.bdn_rule(tight, [x + 0.3 for x in tight])), ("slower", "same"))
    equal(peers.without_upper_outliers([1, 2, 3, 2, 1, 50]), [1, 2, 3, 2, 1])


def planted_programs():
    for language, chain in ((p.CPP, "Chain<409>{409}"), (p.RUST, "Chain::<409>::new(409)")):
        text = p.program(language, 409)
        for kind in p.KERNELS.values():
            if kind not in text:
                raise AssertionError(f"{language}: no {kind}")
        equal((chain in text, text.count("401")), (True, 0))
        equal(p.program(language, padding=random.Random(1)), p.program(language, padding=random.Random(1)))
        dice = random.Random(1)
        equal(p.program(language, padding=dice) == p.program(language, padding=dice), False)
        equal(p.program(language, names=("sum",), copies=10).count("sum_"), 10)
    equal("KERNELS_WITHOUT_REGEX" in p.program(p.CPP, names=p.FEW), True)
    for name, n in p.MORE.items():
        near(n / p.ITEMS - 1, float(name.strip("+ %")) / 100, 0.001)
        equal(n % 4 in (1, 2, 3), True)
    equal("sort" in p.GROWING, False)


def verdict_bounds():
    v = t.load("verdicts")
    equal(t.limit(100, 0.0), 0)
    # Of 300 comparisons, more than 8 alarms would be by chance below 1 % at a rate of 1 %.
    equal(t.limit(300, 0.01), 8)
    good = [v.row("A/A", 95 * ["same"] + 5 * ["unclear"], [2.0]), v.row("+2 %", 100 * ["slower"], [4.0])]
    equal(v.missed(good), [])
    equal(len(v.missed([v.row("A/A", 95 * ["same"] + 5 * ["slower"], [2.0])])), 1)
    equal(len(v.missed([v.row("A/A' (moved)", 70 * ["same"] + 30 * ["unclear"], [9.0])])), 2)
    equal(len(v.missed([v.row("+5 %", 90 * ["slower"] + 9 * ["unclear"] + ["faster"], [2.0])])), 2)
    both = v.added([*good, *good])
    equal([(r["name"], r["n"], r["same"]) for r in both], [("A/A", 200, 190), ("+2 %", 200, 0)])


def accuracy_bounds():
    a = t.load("accuracy")
    mean, sd = a.spread([221_000, 320_000] * 6)
    near(mean, math.sqrt(221_000 * 320_000), 1e-6)
    near(sd, 0.193, 0.001)
    equal(a.spread([1.0]), (1.0, 0.0))
    # Two speeds: twelve processes a side know the mean to a fifth, and the body is named.
    bound, differ = a.bound_of(0.03, (sd, 12), (sd, 12))
    near(bound, 0.205, 0.001)
    equal(differ, sd)
    # Processes alike: the bound is the body's own.
    equal(a.bound_of(0.03, (0.004, 12), (0.01, 12)), (0.03, None))


def dotnet_bounds():
    d = t.load("dotnet")

    def words(name, *said):
        made = d.Words(name, [])
        made.said, made.seconds = [("k", word) for word in said], [3.0]
        made.asked = len(said)
        return made

    equal(d.missed_words(words("A/A", *95 * ["same"], *5 * ["unclear"]), [words("+5 %", *99 * ["slower"], "unclear")], 15), [])
    equal(len(d.missed_words(words("A/A", *95 * ["same"], *5 * ["faster"]), [words("+2 %", *80 * ["slower"], *20 * ["same"]), words("+5 %", *80 * ["slower"], *20 * ["same"])], 15)), 2)
    nothing, part = words("A/A"), words("+5 %", *99 * ["slower"])
    nothing.asked, part.asked, part.failed = 5, 100, ["k"]
    equal(d.missed_words(nothing, [part], 15), ["A/A: 0 of 5 compared", "+5 %: 99 of 100 compared", "+5 %: 1 failed"])
    equal(p.csharp().count("[Benchmark]"), p.KERNELS_CSHARP)
    equal(words("A/A", "same", "unclear").row()[:6], ["A/A", 2, "0.0 %", "0.0 %", "50.0 %", "50.0 %"])
    equal("N = 420;" in p.csharp(p.MORE_CSHARP["+5 %"]) and "N = 400;" in p.csharp(), True)
    near(p.MORE_CSHARP["+2 %"] / p.ITEMS_CSHARP, 1.02)
    near(p.MORE_CSHARP["+5 %"] / p.ITEMS_CSHARP, 1.05)
    # Twice as long until 0.3 s; a neighbour that slows one process for a while does not count as warm-up.
    of = lambda busy: (0.1, [(0.1 + i / 1000, 2.0 if i < 200 else 1.3 if busy and 600 < i < 700 else 1.0, 1.0) for i in range(1200)])
    near(d.steady_after([of(False), of(True), of(False)]), 0.3, 0.05)
    equal(d.steady_after([(0.1, [(0.1 + i / 1000, 1.0, 1.0) for i in range(1200)])]), 0.1)


def repeatability_bounds():
    r = t.load("repeatability")
    # Ten runs of a case; the last has times of all windows, which is another kind of time.
    runs = [(100.0 + i % 3, 0.015, 0.5, "alone") for i in range(9)] + [(150.0, 0.01, 0.05, "any")]
    equal(r.held({"a": runs}), (9, 9))
    equal(r.held({"a": [(ns, 0.001, share, times) for ns, _, share, times in runs]})[0] < 9, True)
    equal(r.judge_held(190, 200, "x"), [])
    equal(len(r.judge_held(160, 200, "x")), 1)
    equal(len(r.judge_held(800, 800, "x")), 1)
    said = {"a": runs, "b": [(100.0 + 5 * (i % 2), 0.01, 0.9, "alone") for i in range(10)], "c": [(1.0, 0.1, 0.0, "any")] * 10}
    values = {"tare": {}, "gbench": {"a": [100.0, 104.0] * 5, "b": [100.0, 130.0] * 5}}
    misses, own = r.judge(values, said, "x", 1.0)
    equal((len(own), [m.split(":")[0] for m in misses if "CV" in m and ":" in m]), (2, ["b"]))


def kernels_agree():
    """The same sums in C++ and in Rust, and those of an independent CRC."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        # Without optimisation: the sums are the same, and the compilers are done sooner.
        subprocess.run([os.environ.get("CXX", "g++"), "-O0", "-std=c++17", f"-I{CASES}", CASES / "kernels.cpp", "-o", folder / "cpp"], check=True)
        rust = [(CASES / "kernels.rs").read_text(), "fn show<K: Kernel>(name: &str) {",
                f"    let mut kernel = K::new({p.ITEMS});", '    println!("{name} {} {}", kernel.call(), kernel.call());', "}", "fn main() {"]
        rust += [f'    show::<{kind}{f"<{p.ITEMS}>" if name == "chain" else ""}>("{name}");' for name, kind in p.KERNELS.items()]
        (folder / "rust.rs").write_text("\n".join([*rust, "}"]))
        subprocess.run(["rustc", "--edition", "2021", "-C", "debug-assertions=off", "-D", "warnings", folder / "rust.rs", "-o", folder / "rust"], check=True)
        run = lambda name: subprocess.run([folder / name], check=True, capture_output=True, text=True).stdout.splitlines()
        cpp = run("cpp")
        equal(cpp, run("rust"))
    equal([line.split()[0] for line in cpp], list(p.KERNELS))
    sums = {line.split()[0]: int(line.split()[1]) for line in cpp}
    state, data = 2, bytearray()
    for _ in range(8 * p.ITEMS):
        state ^= state << 13 & 2**64 - 1
        state ^= state >> 7
        state ^= state << 17 & 2**64 - 1
        data.append(state >> 32 & 255)
    equal(sums["crc"], zlib.crc32(data))


def without_warnings(compiler):
    flags = ["-O2", "-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-fsyntax-only", f"-I{CASES}",
             f"-I{BENCH.parent / 'frontends/cpp/include'}"]
    files = [CASES / f"{name}.cpp" for name in ("accuracy", "copies", "kernels", "repeatability", "short", "truth")]
    if t.has_header("benchmark/benchmark.h"):
        files += [BENCH / "peers/gbench.cpp", BENCH / "peers/gbench_kernels.cpp"]
    for file in files:
        # std::regex dominates the compile time: once is enough.
        less = [] if file.name == "kernels.cpp" else ["-DKERNELS_WITHOUT_REGEX"]
        done = subprocess.run([compiler, *flags, *less, file], capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(done.stderr[:2000])


for path in sorted(path for path in BENCH.iterdir() if path.is_file() and path.stat().st_mode & 0o111):
    test(path.name, lambda path=path: refuses_flags(path))
for body in (core_of_reports, constants_of_the_host, figures, host_by_variable, peers_rules, planted_programs,
             verdict_bounds, accuracy_bounds, dotnet_bounds, repeatability_bounds, kernels_agree):
    test(body.__name__, body)
for compiler in ("g++", "clang++"):
    if shutil.which(compiler):
        test(f"without_warnings {compiler}", lambda compiler=compiler: without_warnings(compiler))
    else:
        print(f"skipped: {compiler} is not installed")
print("\n".join(failed))
print(f"{passed} passed, {len(failed)} failed")
sys.exit(bool(failed))
