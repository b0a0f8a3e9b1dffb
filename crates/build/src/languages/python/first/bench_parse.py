"""Which way to parse a number is faster? `tare run` measures both and says so."""

import tare

TEXT = "123456789"


@tare.bench(group="parse", baseline=True)
def library():
    return int(TEXT)


@tare.bench(group="parse")
def by_hand():
    number = 0
    for digit in TEXT:
        number = number * 10 + ord(digit) - 48
    return number
