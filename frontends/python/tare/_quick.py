"""Without `tare`: a table from this one process."""

from __future__ import annotations

import re
import statistics
import sys
import time

from ._declare import Declared
from ._opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What tells a terminal how to show what follows, and other characters that are none.
_SEQUENCES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x1f\x7f-\x9f]")
BATCH_NS = 1e6
BATCHES = 21


def table(benchmarks: list[Declared] | None = None) -> int:
    """Measures each benchmark for a moment; gives the exit code."""
    from ._child import line_of
    from ._forms import declared
    from ._refused import Refused, run

    failures = 0
    for benchmark in declared() if benchmarks is None else benchmarks:
        for row in benchmark.parameters():
            title = "/".join(filter(None, (benchmark.group, benchmark.name)))
            title += "".join(f"[{name}={value.text}]" for name, value in row.items())
            line = line_of(benchmark, row)
            if line.get("skipped") or line.get("invalid"):
                failures += bool(line.get("invalid"))
                print("{:<40} {}".format(title, line.get("invalid") or "skipped: " + line["skipped"]))
                continue
            found: list[float] = []
            try:
                run(
                    "set-up",
                    benchmark.form.run,
                    {name: value.value for name, value in row.items()},
                    lambda opened: found.append(measured(opened)),
                )
                print(f"{title:<40} {shown(found[0]):>14}")
            except Refused as refused:
                is_failure = refused.members["kind"] != "skipped"
                failures += is_failure
                text = _SEQUENCES.sub("", str(refused))
                print("{:<40} {}: {}{}".format(title, "failed" if is_failure else "skipped", text, at(refused)))
            except IndexError:
                failures += 1
                print(f"{title:<40} failed: it ended without a body to measure")
    print(f"hint: one process, no interval: `tare run {sys.argv[0]}` measures them")
    return 1 if failures else 0


def at(refused: Any) -> str:
    file, line = refused.members.get("file"), refused.members.get("line")
    return f" at {file}:{line}" if file and line else ""


def measured(opened: Opened) -> float:
    """The median time of an invocation, ns, without that of the loop."""
    from ._child import checked
    from ._refused import run

    marks = [0, 0]

    def batch(which: str, count: int) -> float:
        if opened.iteration_set_up:
            opened.iteration_set_up()
        opened.run(which, count, marks, opened.inputs(count) or [None])
        if opened.iteration_clean_up:
            opened.iteration_clean_up()
        return marks[1] - marks[0]

    if opened.iteration_set_up:
        opened.iteration_set_up()
    # What computes nothing is refused here as it is by `tare`.
    run("body", checked, opened, opened.inputs(1) or [None], False)
    if opened.iteration_clean_up:
        opened.iteration_clean_up()
    count, is_single = 1, bool(opened.iteration_set_up or opened.iteration_clean_up)
    begin = time.perf_counter_ns()
    while not is_single and batch("workload", count) < BATCH_NS / 2 and time.perf_counter_ns() - begin < 1e9:
        count *= 2
    loops: Any = {
        which: statistics.median(batch(which, count) for _ in range(BATCHES)) for which in ("workload", "overhead")
    }
    return float(max(0.0, loops["workload"] - loops["overhead"]) / count)


def shown(ns: float) -> str:
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"
