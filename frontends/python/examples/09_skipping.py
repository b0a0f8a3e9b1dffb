"""Skipping with a reason: in the declaration, or when the set-up finds out."""

import sys

import tare


@tare.bench(skip="" if sys.version_info >= (3, 9) else "needs Python 3.9")
def merge():
    return len({"a": 1} | {"b": 2})


@tare.bench
def needs_data():
    if not sys.argv[0].endswith(".data"):
        tare.skip("there is no data here")
    yield lambda: 1


@tare.bench(cold_start=True)
def first_import():
    import fractions

    return fractions.Fraction(1, 2) + 1
