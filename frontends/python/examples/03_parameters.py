"""Parameters: each value is a case. Also rows of several parameters, and a skipped combination."""

import tare


@tare.bench(group="sum", params={"n": [10, 1000]}, operations=lambda n: n)
def numbers(n):
    return sum(range(n))


@tare.bench(group="fill", params={("n", "share"): [(100, 0.5), (1000, 0.1)]})
def fill(n, share):
    return len([i for i in range(n) if i < share * n])


@tare.bench(
    group="sort",
    params={"n": tare.geometric(10, 1000, 10), "how": [sorted, list]},
    skip_if=lambda n, how: how is list and n > 100,
)
def sort(n, how):
    return len(how(range(n, 0, -1)))
