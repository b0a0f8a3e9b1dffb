"""A generator is a set-up: it yields the body, and the code after the `yield` is the clean-up."""

import contextlib
import os
import tempfile

import tare


@tare.bench(group="lookup", baseline=True, params={"n": [1000]})
def in_list(n):
    values = list(range(n))
    yield lambda: n // 2 in values


@tare.bench(group="lookup", params={"n": [1000]})
def in_set(n):
    values = set(range(n))
    yield lambda: n // 2 in values


@tare.bench
@contextlib.contextmanager
def stat():
    with tempfile.TemporaryDirectory() as folder:
        yield lambda: os.path.isdir(folder)
