"""Where the times of managed code differ: between processes, copies of the code in a process, or visits.

    python3 copies.py [--processes N] [--copies N] [--rounds N] -- COMMAND...

COMMAND is `java -cp OUT Copies` or `dotnet OUT/Copies.dll`, to which the numbers are added. Prints a standard
deviation in per cent for each body and level. Visits whose probe found a neighbour on the core are left out.
"""

import argparse
import math
import os
import statistics
import subprocess
from collections import defaultdict

Visits = dict[tuple[str, int], list[float]]

# A probe that takes longer than this times the shortest has a neighbour beside it.
SHARED = 1.03
# A visit that takes longer than this times the shortest was preempted.
PREEMPTED = 1.5


def run(command: list[str]) -> Visits:
    """Logarithms of the undisturbed times of one process, by body and copy."""
    lines = [line.split() for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()]
    quiet = statistics.quantiles([float(line[3]) for line in lines], n=20)[0]
    visits: Visits = defaultdict(list)
    for body, copy, ns, probe in lines:
        if float(probe) <= quiet * SHARED:
            visits[body, int(copy)].append(math.log(float(ns)))
    return {cell: [v for v in all if v < min(all) + math.log(PREEMPTED)] for cell, all in visits.items()}


def levels(processes: list[Visits], body: str) -> tuple[float, float, float] | None:
    """Standard deviations of processes, copies and visits, in per cent (nested analysis of variance on medians)."""
    cells = [[v for (name, _), v in one.items() if name == body and len(v) >= 5] for one in processes]
    cells = [one for one in cells if len(one) > 1]
    if len(cells) < 4:
        return None
    medians = [[statistics.median(visits) for visits in one] for one in cells]
    # Half of the range that holds 68 %: a visit with a collection in it is no measure of the others.
    spread = [(q[83] - q[15]) / 2 for one in cells for v in one if (q := statistics.quantiles(v, n=100))]
    visit = statistics.median(spread)
    # The variance of a median is pi / 2 times the variance of a mean (normal errors).
    of_median = math.pi / 2 * visit**2 / statistics.mean(len(v) for one in cells for v in one)
    within = statistics.mean(statistics.variance(one) for one in medians)
    between = statistics.variance(statistics.mean(one) for one in medians)
    copy = max(0, within - of_median)
    process = max(0, between - within / statistics.mean(map(len, medians)))
    return 100 * math.sqrt(process), 100 * math.sqrt(copy), 100 * visit


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=12)
    parser.add_argument("--copies", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=24)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    command = [*options.command, str(options.copies), str(options.rounds)]
    processes = [run(command) for _ in range(options.processes)]
    print(f"{'body':10} process    copy   visit   (standard deviations, %)")
    for body in dict.fromkeys(body for body, _ in processes[0]):
        found = levels(processes, body)
        print(f"{body:10}", "too few undisturbed visits" if found is None else "{:7.1f} {:7.1f} {:7.1f}".format(*found))


if __name__ == "__main__":
    main()
