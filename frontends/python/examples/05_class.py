"""A class with set-ups and several bodies. The options of the class apply to all its benchmarks."""

import tare


@tare.bench(group="queue", params={"n": [100]})
class Queue:
    def set_up(self, n):
        self.size = n

    def iteration_set_up(self):
        self.items = list(range(self.size))

    @tare.bench(baseline=True)
    def from_the_end(self):
        return self.items.pop()

    @tare.bench
    def from_the_front(self):
        return self.items.pop(0)
