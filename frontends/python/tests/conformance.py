"""The conformance benchmarks (spec/protocol.md, section 8): `tare conformance` checks counts and results with them."""

import os

import tare

TRACE = []
TRACE_MAX = 1000
PROCESS = {"cold-start": 0, "monitoring": 0}


def declare(name, **options):
    return tare.bench(name, group="conformance", **options)


@declare("count")
def count():
    invocations = 0

    def body():
        nonlocal invocations
        invocations += 1
        return invocations

    yield body


def of_process(name):
    def body():
        PROCESS[name] += 1
        return PROCESS[name]

    return body


tare.add("conformance/cold-start", of_process("cold-start"), cold_start=True)
tare.add("conformance/monitoring", of_process("monitoring"), monitoring=True)


class Steps:
    throws = ""

    def leave(self, letter):
        if len(TRACE) < TRACE_MAX:
            TRACE.append(letter)
        if letter == self.throws:
            raise ValueError("it throws")

    def set_up(self):
        self.leave("S")

    def iteration_set_up(self):
        self.leave("s")

    def iteration_clean_up(self):
        self.leave("c")

    def clean_up(self):
        self.leave("C")


def steps(name, letter=""):
    class One(Steps):
        throws = letter

        @declare(name)
        def body(self):
            self.leave("b")
            return "".join(TRACE)

    return tare.bench()(One)


steps("trace")
for step, letter in [
    ("set-up", "S"),
    ("iteration-set-up", "s"),
    ("body", "b"),
    ("iteration-clean-up", "c"),
    ("clean-up", "C"),
]:
    steps("throws-" + step, letter)


class Operations:
    operations = 12

    @declare("operations")
    def body(self):
        return self.operations


class IterationOperations:
    def set_up(self):
        self.found = 0

    def iteration_set_up(self):
        self.found += 1

    @declare("iteration-operations")
    def body(self):
        return self.found

    def iteration_operations(self):
        return self.found


def write_process(path):
    with open(path, "w") as file:
        file.write(str(os.getpid()))


@declare("once")
def once():
    with open(tare.once_per_run("maker", write_process)) as file:
        maker = file.read()
    yield lambda: maker


@declare("parameter", params={"n": [7]})
def parameter(n):
    return n


def cost(times):
    x = 0
    for i in range(100 * times):
        x += i
    return x


@declare("cost-1")
def cost_1():
    return cost(1)


@declare("cost-8")
def cost_8():
    return cost(8)


TEXTS = {
    "integer": -42,
    "big": 2**64 - 1,
    "float": 0.1,
    "whole": 2.0,
    "exponent": 1e21,
    "true": True,
    "text": '\u00e4 "\t',
    "long": "\u00e4" * 300,
    "list": [1, 2, 3],
    "texts": ["a", '"\n'],
    "nothing": None,
}
for name, value in TEXTS.items():
    tare.add("conformance/text-" + name, lambda value=value: value)
