# How long does it take to parse an integer?
#
#   tare run examples/python/parse.py

import re

import tare

DIGITS = re.compile(r"\d+")


@tare.bench(group="parse", baseline=True)
def library():
    return int("123456789")


@tare.bench(group="parse")
def by_hand():
    value = 0
    for digit in "123456789":
        value = value * 10 + ord(digit) - 48
    return value


@tare.bench(group="parse")
def checked():
    return int("123456789") if DIGITS.fullmatch("123456789") else None
