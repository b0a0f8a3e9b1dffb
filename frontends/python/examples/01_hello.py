"""A function; each call is an invocation."""

import tare


@tare.bench
def parse():
    return int("123456789")
