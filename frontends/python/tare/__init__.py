"""Benchmarks of Python code, measured by the command `tare`.

    import tare

    @tare.bench(group="parse", baseline=True)
    def library():
        return int("123456789")

`tare run FILE` measures them. See `bench` for everything that can be declared.
"""

from ._declare import add, bench, context, metric, statement
from ._helpers import fail, geometric, input, keep, linear, once_per_run, rotate, skip, took
from ._main import main
from ._version import __version__

__all__ = [
    "__version__",
    "add",
    "bench",
    "context",
    "fail",
    "geometric",
    "input",
    "keep",
    "linear",
    "main",
    "metric",
    "once_per_run",
    "rotate",
    "skip",
    "statement",
    "took",
]
