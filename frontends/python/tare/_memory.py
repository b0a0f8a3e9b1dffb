"""The diagnoser `memory`: the allocations of an iteration. It never runs while timing.

If the host has put a counting allocator in front of the C library's, every allocation of the interpreter is counted exactly, because the
interpreter was restarted with `PYTHONMALLOC=malloc`. Otherwise `tracemalloc` reports the peak of memory in use.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

NAME = "memory"
_PEAK = {"name": "peak_bytes", "unit": "B", "better": "lower", "per": "iteration"}
_EXACT = [
    {"name": "allocations", "better": "lower", "per": "operation"},
    {"name": "allocated_bytes", "unit": "B", "better": "lower", "per": "operation"},
    _PEAK,
]
_MALLOC = "PYTHONMALLOC"
_MARK = "TARE_PYTHON_COUNTS"


def library() -> Any | None:
    """The functions of the counting allocator, if it is loaded and sees the interpreter's allocations."""
    if not os.environ.get("LD_PRELOAD"):
        return None
    import ctypes

    loaded = ctypes.PyDLL(None)
    if not hasattr(loaded, "tare_memory_begin"):
        return None
    loaded.tare_memory_end.argtypes = [ctypes.c_void_p]
    loaded.tare_memory_end.restype = None
    works = loaded.tare_memory_begin()
    counted = (ctypes.c_uint64 * 3)()
    loaded.tare_memory_end(ctypes.addressof(counted))
    return loaded if works else None


def start_again() -> None:
    """Restarts the interpreter with the C library's allocator, if there is a counting one in front of that."""
    if os.environ.get(_MARK) or os.environ.get(_MALLOC) or library() is None or sys.implementation.name != "cpython":
        return
    os.environ[_MARK] = "1"
    os.environ[_MALLOC] = "malloc"
    os.execv(sys.executable, [sys.executable, *flags(), *sys.argv])


def flags() -> list[str]:
    """The interpreter's options, such as `-O` and `-X`."""
    import subprocess

    return subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined, no-any-return]


_LIBRARY = library() if os.environ.get(_MARK) else None


def described() -> dict[str, Any]:
    return {"name": NAME, "metrics": _EXACT if _LIBRARY else [_PEAK]}


def counted(run: Callable[[], Any]) -> dict[str, int]:
    if _LIBRARY is None:
        import tracemalloc

        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            run()
            return {"peak_bytes": max(0, tracemalloc.get_traced_memory()[1] - before)}
        finally:
            tracemalloc.stop()
    import ctypes

    values = (ctypes.c_uint64 * 3)()
    address = ctypes.addressof(values)
    begin, end = _LIBRARY.tare_memory_begin, _LIBRARY.tare_memory_end
    begin()
    try:
        run()
    finally:
        end(address)
    return {metric["name"]: int(value) for metric, value in zip(_EXACT, values)}


def without(found: dict[str, int], empty: dict[str, int]) -> dict[str, int]:
    """Subtracts the allocations of the loop itself."""
    return {name: max(0, value - empty[name]) for name, value in found.items()}


def size_of(value: Any, depth: int = 3) -> int:
    """An estimate of the bytes of an object and its content, limited in depth and in the number of elements inspected."""
    size = sys.getsizeof(value, 64)
    if depth and isinstance(value, (list, tuple, set, frozenset)):
        parts = list(value)[:100]
        size += sum(size_of(part, depth - 1) for part in parts) * max(1, len(value)) // max(1, len(parts))
    elif depth and isinstance(value, dict):
        pairs = list(value.items())[:100]
        size += (
            sum(size_of(part, depth - 1) for pair in pairs for part in pair) * max(1, len(value)) // max(1, len(pairs))
        )
    return size
