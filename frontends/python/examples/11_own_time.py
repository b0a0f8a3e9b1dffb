"""A body that reports its own time: of a device, of some of its steps, of a simulation. And a body that waits."""

import time

import tare


@tare.bench(own_time=True)
def second_half():
    data = [i % 7 for i in range(200)]
    begin = time.perf_counter()
    data.sort()
    tare.took(time.perf_counter() - begin)


@tare.bench(waits=True)
def sleeps():
    time.sleep(0.0001)
