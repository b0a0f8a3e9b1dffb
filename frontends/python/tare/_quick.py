"""Without `tare`: a table from this one process."""
import statistics
import sys
import time
from typing import Any, List, Optional

from ._declare import Declared
from ._opened import Opened

BATCH_NS = 1e6
BATCHES = 21


def table(benchmarks: Optional[List[Declared]] = None) -> int:
    """Measures each benchmark for a moment; gives the exit code."""
    from ._child import line_of, run
    from ._forms import declared

    failures = 0
    for benchmark in declared() if benchmarks is None else benchmarks:
        for row in benchmark.parameters():
            title = "/".join(filter(None, (benchmark.group, benchmark.name)))
            title += "".join("[{}={}]".format(name, value.text) for name, value in row.items())
            line = line_of(benchmark, row)
            if line.get("skipped") or line.get("invalid"):
                failures += bool(line.get("invalid"))
                print("{:<40} {}".format(title, line.get("invalid") or "skipped: " + line["skipped"]))
                continue
            found: List[float] = []
            try:
                run("body", benchmark.form.run, {name: value.value for name, value in row.items()}, lambda opened: found.append(measured(opened)))
                print("{:<40} {:>14}".format(title, shown(found[0])))
            except Exception as thrown:
                failures += 1
                print("{:<40} failed: {}".format(title, thrown))
    print("hint: one process, no interval: `tare run {}` measures them".format(sys.argv[0]))
    return 1 if failures else 0


def measured(opened: Opened) -> float:
    """The median time of an invocation, ns, without that of the loop."""
    marks = [0, 0]

    def batch(which: str, count: int) -> float:
        if opened.iteration_set_up:
            opened.iteration_set_up()
        opened.run(which, count, marks, opened.inputs(count) or [None])
        if opened.iteration_clean_up:
            opened.iteration_clean_up()
        return marks[1] - marks[0]

    count, is_single = 1, bool(opened.iteration_set_up or opened.iteration_clean_up)
    begin = time.perf_counter_ns()
    while not is_single and batch("workload", count) < BATCH_NS / 2 and time.perf_counter_ns() - begin < 1e9:
        count *= 2
    loops: Any = {which: statistics.median(batch(which, count) for _ in range(BATCHES)) for which in ("workload", "overhead")}
    return max(0.0, loops["workload"] - loops["overhead"]) / count


def shown(ns: float) -> str:
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= size:
            return "{:.3g} {}".format(ns / size, unit)
    return "{:.3g} ns".format(ns)
