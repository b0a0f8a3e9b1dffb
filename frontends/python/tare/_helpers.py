"""What bodies and set-ups call."""

from __future__ import annotations

import fcntl
import itertools
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Sequence, TypeVar

    T = TypeVar("T")


class Skipped(Exception):
    """The benchmark should not be measured here; this is not a failure."""


class BenchmarkError(Exception):
    """The benchmark says itself that it failed."""


class Input:
    """A body with what makes the input of each of its invocations."""

    def __init__(self, make: Callable[[], Any], body: Callable[[Any], Any]) -> None:
        self.make = make
        self.body = body


def skip(reason: str) -> None:
    """Ends a set-up: the benchmark is not measured here, and the table says why."""
    raise Skipped(reason)


def fail(reason: str) -> None:
    """Ends a set-up or a body: the benchmark fails for this reason."""
    raise BenchmarkError(reason)


def keep(value: T) -> T:
    """Returns its argument. CPython computes everything but arithmetic of literals; this hides a literal from it."""
    return value


def input(make: Callable[[], Any], body: Callable[[Any], Any]) -> Input:
    """For a set-up: `yield tare.input(make, body)`. Each invocation gets its own input, made before the clock starts."""
    return Input(make, body)


def rotate(values: Iterable[T]) -> Callable[[], T]:
    """A function that returns the values in turn, so that neither caches nor branch predictors learn one of them by heart."""
    kept = list(values)
    if not kept:
        raise ValueError("`tare.rotate` needs at least one value")
    return itertools.cycle(kept).__next__


def linear(first: int, last: int, step: int) -> list[int]:
    """`first`, `first + step`, ..., and `last`."""
    if step < 1:
        raise ValueError("the step must be at least 1")
    values = list(range(first, last + 1, step))
    return values if values and values[-1] == last else values + [last]


def geometric(first: int, last: int, factor: int) -> list[int]:
    """`first`, `first * factor`, ..., and `last`."""
    if first < 1 or factor < 2:
        raise ValueError("the first value must be at least 1, and the factor at least 2")
    values = []
    while first < last:
        values.append(first)
        first *= factor
    return values + [last]


class OwnTime:
    """What bodies with `own_time` report, in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.reports = 0


OWN = OwnTime()


def took(seconds: float) -> None:
    """Reports how long an invocation took, in a benchmark with `own_time`."""
    OWN.seconds += seconds
    OWN.reports += 1


def once_per_run(name: str, make: Callable[[str], Any]) -> str:
    """The path of something that one process of the run makes for all of them: `make(path)` writes a file or a folder there.

    The name is that of a file. If parameters change the data, include them in the name.
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
    """The name that was meant; None if no known one is like it."""
    import difflib

    found = difflib.get_close_matches(name, known, 1, 0.7)
    return found[0] if found else None
