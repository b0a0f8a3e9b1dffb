"""A fresh input for each invocation, made before the clock starts; rotating inputs, so that the branch predictor cannot learn one."""

import random

import tare


def shuffled(n):
    numbers = list(range(n))
    random.shuffle(numbers)
    return numbers


@tare.bench(params={"n": [100]}, input=shuffled, results_change=True)
def sort_in_place(numbers, n):
    numbers.sort()


@tare.bench(results_change=True)
def sort_in_turn():
    following = tare.rotate([shuffled(64) for _ in range(50)])
    yield lambda: sorted(following())
