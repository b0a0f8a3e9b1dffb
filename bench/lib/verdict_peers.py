"""Verdicts of other tools on the same benchmarks: Google Benchmark's compare.py, criterion's baselines, BenchmarkDotNet's rule.

All three measure the base, then the new side, as their users do. Each function returns (verdicts by kind of case, seconds per verdict).
"""

import json
import math
import os
import re
import tempfile

import planted as p
import tarebench as t

CASES = t.BENCH / "cases"
REPETITIONS_U = 9
ITERATIONS_BDN = 15


def u_test_p(a, b, shift=0.0, sides=2):
    """Mann-Whitney U of b against a + shift, normal approximation with continuity: two-sided, or one-sided for b greater."""
    a = [x + shift for x in a]
    u = sum((y > x) + 0.5 * (x == y) for x in a for y in b)
    mean, sd = len(a) * len(b) / 2, math.sqrt(len(a) * len(b) * (len(a) + len(b) + 1) / 12)
    if sides == 2:
        return math.erfc(max(abs(u - mean) - 0.5, 0) / sd / math.sqrt(2))
    return math.erfc((u - mean - 0.5) / sd / math.sqrt(2)) / 2


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def without_upper_outliers(values):
    """BenchmarkDotNet's default: values above the upper Tukey fence are taken out."""
    ordered = sorted(values)
    last = len(ordered) - 1
    at = lambda share: ordered[int(share * last)] + share * last % 1 * (
        ordered[min(int(share * last) + 1, last)] - ordered[int(share * last)])
    return [v for v in values if v <= at(0.75) + 1.5 * (at(0.75) - at(0.25))]


def u_rule(base, new):
    """compare.py: U test at 5 % over at least 9 repetitions; the direction is the medians'."""
    if u_test_p(base[:REPETITIONS_U], new[:REPETITIONS_U]) >= 0.05:
        return "same"
    return "slower" if median(new) > median(base) else "faster"


def bdn_rule(base, new, threshold=0.01):
    """ResultsComparer: one-sided U tests beyond the threshold at 5 %, upper outliers removed."""
    base, new = without_upper_outliers(base), without_upper_outliers(new)
    if u_test_p(base, new, shift=threshold * median(base), sides=1) < 0.05:
        return "slower"
    if u_test_p(new, base, shift=threshold * median(base), sides=1) < 0.05:
        return "faster"
    return "same"


def gbench_samples(items, names, rounds, seconds):
    """(kernel, base, new) of sequential runs with iterations of so many seconds, and the seconds that each of them took."""
    lean = [] if "regex" in names else ["-DKERNELS_WITHOUT_REGEX"]
    programs = [t.cxx(f"gbench-kernels-{n}", t.BENCH / "peers/gbench_kernels.cpp", flags=[f"-DKERNEL_ITEMS={n}", *lean],
                      libraries=["-lbenchmark", "-lpthread"], includes=[CASES]) for n in (p.ITEMS, items)]
    pairs, start = [], t.clock()
    for _ in range(rounds):
        sides = []
        for program in programs:
            out = t.run([program, f"--benchmark_repetitions={ITERATIONS_BDN}", f"--benchmark_filter=^({'|'.join(names)})$",
                         f"--benchmark_min_time={seconds}",
                         "--benchmark_format=json"])
            found = {}
            for b in json.loads(out.stdout)["benchmarks"]:
                if b["run_type"] == "iteration":
                    found.setdefault(b["run_name"], []).append(b["real_time"])
            sides.append(found)
        pairs += [(name, sides[0][name], sides[1][name]) for name in sides[0]]
    return pairs, (t.clock() - start) / max(len(pairs), 1)


def criterion_program():
    command = ["cargo", "bench", "--bench", "kernels", "--no-run", "--quiet", "--message-format=json", "--target-dir",
               t.CACHE / "criterion-target"]
    lines = [json.loads(x) for x in t.run(command, cwd=t.BENCH / "peers/criterion").stdout.splitlines() if x.startswith("{")]
    return next(m["executable"] for m in lines if m.get("executable") and m["target"]["name"] == "kernels")


def criterion_words(items, names, rounds):
    """Criterion's own words: `--save-baseline`, then `--baseline`."""
    program, words, start = criterion_program(), [], t.clock()
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as home:
            for n, flag in ((p.ITEMS, "--save-baseline"), (items, "--baseline")):
                environment = {**os.environ, "CRITERION_HOME": home, "KERNEL_ITEMS": str(n)}
                command = [program, "--bench", "--noplot", f"^({'|'.join(names)})$", flag, "a"]
                out = t.run(command, cwd=home, env=environment).stdout
        for line in re.findall(r"Performance has \w+|No change in performance|Change within noise", out):
            words.append({"Performance has regressed": "slower", "Performance has improved": "faster"}.get(line, "same"))
    return words, (t.clock() - start) / max(len(words), 1)
