#!/usr/bin/env python3
"""The conformance benchmarks (spec/protocol.md, section 8) on top of spec/reference_child.py.

    tare conformance -- python3 spec/conformance/child.py
"""
import fcntl
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.dont_write_bytecode = True
import reference_child  # noqa: E402

TRACE = []
TRACE_MAX = 1000


def step(letter):
    if len(TRACE) < TRACE_MAX:
        TRACE.append(letter)


class Conformance:
    group, baseline = "conformance", False


class Count(Conformance):
    """Counts its invocations."""

    def set_up(self):
        self.invocations = 0

    def body(self):
        self.invocations += 1
        return self.invocations


class Process(Conformance):
    """Counts its invocations since the start of the process."""

    invocations = 0

    def body(self):
        Process.invocations += 1
        return Process.invocations


class Steps(Conformance):
    """Each step of the user's code leaves its letter."""

    throws = ""

    def leave(self, letter):
        step(letter)
        if letter == self.throws:
            raise ValueError("it throws")

    def set_up(self):
        self.leave("S")

    def iteration_set_up(self):
        self.leave("s")

    def body(self):
        self.leave("b")
        return "".join(TRACE)

    def iteration_clean_up(self):
        self.leave("c")

    def clean_up(self):
        self.leave("C")


class Operations(Conformance):
    """How many operations it does, only the set-up knows."""

    def set_up(self):
        self.operations = 12

    def body(self):
        return self.operations


class IterationOperations(Conformance):
    """Each iteration does one operation more."""

    def set_up(self):
        self.found = 0

    def iteration_set_up(self):
        self.found += 1

    def body(self):
        return self.found

    def iteration_operations(self):
        return self.found


class Once(Conformance):
    """Returns the number of the process that was first in the run (R27); without a folder its own."""

    def set_up(self):
        self.maker = str(os.getpid())
        if os.environ.get("TARE_RUN_FOLDER"):
            with open(os.path.join(os.environ["TARE_RUN_FOLDER"], "maker"), "a+") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.seek(0)
                self.maker = file.read() or self.maker
                if file.tell() == 0:
                    file.write(self.maker)

    def body(self):
        return self.maker


class Parameter(Conformance):
    """Returns its parameter."""

    def set_up(self, n):
        self.n = n

    def body(self):
        return self.n


class Cost(Conformance):
    """Does `times` times a hundred additions."""

    times = 1

    def body(self):
        x = 0
        for i in range(100 * self.times):
            x += i
        return x


def returning(name, value):
    return type("text-" + name, (Conformance,), {"body": lambda self: value, "__doc__": "Returns a value."})


STEPS = {"set-up": "S", "iteration-set-up": "s", "body": "b", "iteration-clean-up": "c", "clean-up": "C"}
TEXTS = {
    "integer": -42, "big": 2**64 - 1, "float": 0.1, "whole": 2.0, "exponent": 1e21, "true": True, "text": '\u00e4 "\t',
    "long": "\u00e4" * 300, "list": [1, 2, 3], "texts": ["a", '"\n'], "nothing": None,
}
BENCHMARKS = [
    type("count", (Count,), {}), *(type(name, (Process,), {"strategy": name}) for name in ("cold-start", "monitoring")),
    type("trace", (Steps,), {}), type("operations", (Operations,), {}), type("iteration-operations", (IterationOperations,), {}),
    type("once", (Once,), {}),
    *(type("throws-" + name, (Steps,), {"throws": letter}) for name, letter in STEPS.items()),
    type("cost-1", (Cost,), {}), type("cost-8", (Cost,), {"times": 8}),
    *(returning(name, value) for name, value in TEXTS.items()),
]

CASES = [(benchmark, {}) for benchmark in BENCHMARKS] + [(type("parameter", (Parameter,), {}), {"n": 7})]

if __name__ == "__main__":
    reference_child.CASES = CASES
    reference_child.main()
