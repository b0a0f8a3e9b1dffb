"""Functions for use in bodies and set-ups."""

from __future__ import annotations

import fcntl
import itertools
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Sequence, TypeVar

    T = TypeVar("T")


class Clocks:
    """The clocks, whatever the user's code puts in their place. Libraries that fake the time replace the names of modules."""

    perf_counter_ns, process_time_ns, thread_time_ns = time.perf_counter_ns, time.process_time_ns, time.thread_time_ns
    monotonic, sleep = time.monotonic, time.sleep


class Skipped(Exception):
    """The benchmark should not be measured here; not a failure."""


class BenchmarkError(Exception):
    """The benchmark reports that it failed."""


class Input:
    """A body, with the function that makes the input of each invocation."""

    def __init__(self, make: Callable[[], Any], body: Callable[[Any], Any]) -> None:
        self.make = make
        self.body = body


def skip(reason: str) -> None:
    """Leave a set-up: the benchmark is skipped, and the table shows the reason."""
    raise Skipped(reason)


def fail(reason: str) -> None:
    """Leave a set-up or a body: the benchmark fails with this reason."""
    raise BenchmarkError(reason)


def keep(value: T) -> T:
    """Return the argument. CPython only precomputes arithmetic on literals; this hides a literal from it."""
    return value


def input(make: Callable[[], Any], body: Callable[[Any], Any]) -> Input:
    """Give each invocation its own input, made before the clock starts: `yield tare.input(make, body)` in a set-up."""
    return Input(make, body)


def rotate(values: Iterable[T]) -> Callable[[], T]:
    """Return a function that cycles through the values, so that caches and branch predictors cannot learn a single one."""
    kept = list(values)
    if not kept:
        raise ValueError("`tare.rotate` needs at least one value")
    return itertools.cycle(kept).__next__


def linear(first: int, last: int, step: int) -> list[int]:
    """Return `first`, `first + step`, ..., and `last`."""
    if step < 1:
        raise ValueError("the step must be at least 1")
    values = list(range(first, last + 1, step))
    return values if values and values[-1] == last else values + [last]


def geometric(first: int, last: int, factor: int) -> list[int]:
    """Return `first`, `first * factor`, ..., and `last`."""
    if first < 1 or factor < 2:
        raise ValueError("the first value must be at least 1, and the factor at least 2")
    values = []
    while first < last:
        values.append(first)
        first *= factor
    return values + [last]


class OwnTime:
    """The times reported by bodies with `own_time`, in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.reports = 0


OWN = OwnTime()


def took(seconds: float) -> None:
    """Report how long an invocation took, in seconds. For benchmarks with `own_time`."""
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"`tare.took` got {seconds!r}: it takes a number of seconds, at least 0")
    OWN.seconds += seconds
    OWN.reports += 1


def once_per_run(name: str, make: Callable[[str], Any]) -> str:
    """Make a file or folder in one process of the run for all of them, and return its path. `make(path)` creates it.

    The name is a file name. If parameters change the data, include them in the name.
    """
    if not name or "/" in name or name.startswith("."):
        raise ValueError(f"`{name}` is not the name of a file")
    folder = os.environ.get("TARE_RUN_FOLDER") or _own_folder()
    path = os.path.join(folder, name)
    with open(os.path.join(folder, "." + name + ".lock"), "a+") as state:
        fcntl.flock(state, fcntl.LOCK_EX)
        state.seek(0)
        known = state.read()
        if known == "made":
            return path
        if known:
            raise BenchmarkError(known)
        try:
            make(path)
            if not os.path.exists(path):
                raise FileNotFoundError("it made nothing at its path")
        except BaseException as thrown:
            reason = f"making `{name}` failed: {type(thrown).__name__}: {thrown}"
            state.write(reason)
            raise BenchmarkError(reason) from thrown
        state.write("made")
    return path


_OWN_FOLDERS: list[str] = []


def _own_folder() -> str:
    if not _OWN_FOLDERS:
        import tempfile

        _OWN_FOLDERS.append(tempfile.mkdtemp(prefix="tare-"))
    return _OWN_FOLDERS[0]


def remove_own_folder() -> None:
    for folder in _OWN_FOLDERS:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
    _OWN_FOLDERS.clear()


def first_line(text: str | None) -> str:
    lines: Sequence[str] = (text or "").strip().splitlines()
    return lines[0].strip() if lines else ""


def nearest(name: str, known: list[str]) -> str | None:
    """The known name that is most similar; None if none is close."""
    import difflib

    found = difflib.get_close_matches(name, known, 1, 0.7)
    return found[0] if found else None
