"""Bytes, items and other amounts per second, shown beside the time of a call; operations per invocation."""

import hashlib

import tare

TEXT = "the quick brown fox"


@tare.bench(group="hash", params={"n": [100, 10000]}, bytes=lambda n: n)
def sha256(n):
    block = bytes(range(250)) * (n // 250 + 1)
    block = block[:n]
    yield lambda: hashlib.sha256(block).hexdigest()


@tare.bench(group="words", items=4, rates={"letters": (16, "letters")})
def split():
    return TEXT.split()


@tare.bench(operations=100, unit="number")
def squares():
    return sum(i * i for i in range(100))
