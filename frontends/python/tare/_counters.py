"""Readings around each iteration, outside its time: CPU clocks, context switches, collections, and the user's metrics."""

from __future__ import annotations

import sys
from gc import get_stats

from ._declare import METRICS
from ._helpers import Clocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    import resource
    from resource import getrusage

    _usage: Any = getattr(resource, "RUSAGE_THREAD", None)
except ImportError:
    _usage = None

SWITCHES = [] if _usage is None else ["switches", "waits"]
COLLECTIONS = (
    [f"collections_{generation}" for generation in range(len(get_stats()))]
    if sys.implementation.name == "cpython"
    else []
)

# CPython specialises code within about ten calls, which finding the number of invocations takes anyway.
COMPILES_LATE = sys.implementation.name != "cpython" or bool(
    getattr(getattr(sys, "_jit", None), "is_enabled", lambda: False)()
)


def read(ended: bool = False) -> tuple[Any, ...]:
    """Reads the counters. The clocks are read closest to the timed part, the thread's inside the process's."""
    thread, process = (Clocks.thread_time_ns(), Clocks.process_time_ns()) if ended else (0, 0)
    usage = getrusage(_usage) if SWITCHES else None
    collected = collections() if COLLECTIONS else []
    counted = [metric.read() for metric in METRICS]
    if not ended:
        process, thread = Clocks.process_time_ns(), Clocks.thread_time_ns()
    return usage, collected, counted, process, thread


def collections() -> list[int]:
    """The collections by generation. One of an older generation also counts for the younger ones."""
    counts = [generation["collections"] for generation in get_stats()]
    return [sum(counts[generation:]) for generation in range(len(counts))]


def columns(before: Any, after: Any) -> dict[str, int]:
    values = {"cpu_ns": after[4] - before[4], "process_cpu_ns": after[3] - before[3]}
    if SWITCHES:
        values["switches"] = after[0].ru_nivcsw - before[0].ru_nivcsw
        values["waits"] = after[0].ru_nvcsw - before[0].ru_nvcsw
    return values


def metrics(before: Any, after: Any) -> dict[str, float]:
    values: dict[str, float] = {name: last - first for name, first, last in zip(COLLECTIONS, before[1], after[1])}
    for metric, first, last in zip(METRICS, before[2], after[2]):
        values[metric.name] = last if metric.per == "iteration" else last - first
    return values


def resolution_ns() -> int:
    """The smallest step of the clock. If a read takes longer than a step: the smallest difference between pairs of reads."""
    clock = Clocks.perf_counter_ns
    pairs = sorted({later - earlier for earlier, later in [(clock(), clock()) for _ in range(1000)]})
    if len(pairs) < 2:
        return max(1, *pairs)
    return pairs[1] if pairs[0] == 0 else min([pairs[0]] + [b - a for a, b in zip(pairs, pairs[1:])])


def is_traced() -> bool:
    """Whether a debugger or a coverage tool watches each line."""
    monitoring = getattr(sys, "monitoring", None)
    tools = [monitoring.get_tool(number) for number in range(6)] if monitoring else []
    return sys.gettrace() is not None or sys.getprofile() is not None or any(tools)
