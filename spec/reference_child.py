#!/usr/bin/env python3
"""A complete child of the Tare protocol (spec/protocol.md; R1, R2, ... are its rules), standard library only.

    tare run reference_child.py

To write your own: replace the benchmarks of the first part; the second part need not change.
"""
import decimal
import gc
import itertools
import json
import os
import re
import sys
import time
import tracemalloc
import urllib.parse

# ----------------------------------------------------------------------------------------------- the benchmarks


class Sort:
    """sorted() of numbers in a mixed order."""

    group, baseline = "sort", True

    def set_up(self, n):
        self.numbers = [i * 7919 % n for i in range(n)]

    def body(self):
        return sorted(self.numbers)


class Sum:
    """Adds the bytes of a block up, whose number is shown per second."""

    group, baseline = "bytes", False
    rates = [{"name": "bytes", "unit": "B", "per_invocation": 4096}]

    def set_up(self):
        self.block = bytes(range(256)) * 16

    def body(self):
        return sum(self.block)


class SortKey(Sort):
    """The same with a key."""

    baseline = False

    def body(self):
        return sorted(self.numbers, key=abs)


class Append:
    """Grows a list, which is emptied before each iteration."""

    group, baseline = "list", False

    def set_up(self):
        self.items = []

    def iteration_set_up(self):
        self.items.clear()

    def body(self):
        self.items.append(None)

    def clean_up(self):
        del self.items


class Pop(Append):
    """Takes the last one off a list of 1000, which is filled before each iteration."""

    invocations_max = 1000

    def iteration_set_up(self):
        self.items[:] = range(1000)

    def body(self):
        return self.items.pop()


class SortHashed(Sort):
    """Sorts texts by their hash; a launch with PYTHONHASHSEED=0, so that all of them have the same order."""

    group, baseline = "hash", False
    launch = {"environment": {"PYTHONHASHSEED": "0"}}

    def set_up(self, n):
        self.texts = [str(i) for i in range(n)]

    def body(self):
        return sorted(self.texts, key=hash)


class Compile:
    """Compiles a pattern; the second call in a process finds it in the module's cache, so only the first one counts."""

    group, baseline, strategy = "pattern", False, "cold-start"

    def body(self):
        return re.compile("(a|b)*c{2,5}[d-m]+").groups


class Sleep:
    """Waits: only its wall time counts."""

    group, baseline, waits = "sleep", False, True

    def set_up(self):
        self.seconds = 0.0002

    def body(self):
        time.sleep(self.seconds)


CASES = [(Sort, {"n": 10}), (Sort, {"n": 1000}), (SortKey, {"n": 10}), (SortKey, {"n": 1000}), (SortHashed, {"n": 1000}),
         (Append, {}), (Pop, {}), (Compile, {}), (Sleep, {}), (Sum, {})]

# ------------------------------------------------------------------------------------------------- the protocol

UNROLL = 8
LOOP = """
def loop(invocations, body):
    for _ in repeat(None, invocations // {unroll}):
        {calls}
    for _ in repeat(None, invocations % {unroll}):
        body()
""".format(unroll=UNROLL, calls="; ".join(["body()"] * UNROLL))
names = {"repeat": itertools.repeat}
exec(LOOP, names)  # R15, and R16: nothing in it but the calls
loop = names["loop"]


def nothing():
    """The body of the loop `overhead`."""


# The width probe: something that fills the core with work that does not wait for itself, always the same, of 0.5 µs or more. In
# an interpreter a loop is not that, since most of its work is the interpreter's own, which the body changes. A single call that
# works in native code for long enough is: here one product of big integers and its remainder, 3200 products of digits. It takes
# 3.1 µs alone on a core and 4.4 µs on one that is shared. To write one for another language see spec/protocol.md; look whether the
# readings have two levels at least a quarter apart, and whether the lower one repeats within 1 %.
WIDTH_STEPS = 3200
A, B, MODULUS = 2**1200 - 12345678901, 2**1201 // 3, 2**1200 - 987654321987


# The clock probe, of a length that nobody knows in cycles (`probe_steps`): what it takes follows the clock of the core and little else.
# An interpreted chain does not, and one long call whose steps wait for each other does: the remainder of a big integer by a small
# number is a division for each of its 400 digits, each of which needs the one before.
PROBE_STEPS = 400
DIVIDEND = 2**12000 - 987654321


def probe_ns(clock=time.perf_counter_ns):
    begin = clock()
    DIVIDEND % 7
    return clock() - begin


def windows_of(invocations, body, marks, clock=time.perf_counter_ns):
    """An iteration of windows, with a reading of the width probe before, between and after: clock reads around all of them."""
    marks[0] = clock()
    A * B % MODULUS
    marks[1] = clock()
    for end in range(2, len(marks), 2):
        loop(invocations, body)
        marks[end] = clock()
        A * B % MODULUS
        marks[end + 1] = clock()


def float_text(x):
    """As JavaScript and RFC 8785 write it: the shortest digits that read back as the same double."""
    if x != x or x in (float("inf"), float("-inf")):
        return "NaN" if x != x else "Infinity" if x > 0 else "-Infinity"
    sign, digits, exponent = decimal.Decimal(repr(float(x))).normalize().as_tuple()
    if x == 0:
        return "0"
    digits = "".join(map(str, digits))
    point = len(digits) + exponent  # the value is 0.DIGITS times 10 to the power of this
    if 0 < point <= 21:
        whole, rest = digits[:point].ljust(point, "0"), digits[point:]
        text = whole + ("." + rest if rest else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if digits[1:] else "") + "e{:+d}".format(point - 1)
    return "-" * sign + text


def text_of(value, inside=False):
    """The text of a result, as R21 defines it; None when it has none."""
    if value is None:
        return "null" if inside else None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, str):
        value = re.sub("[\ud800-\udfff]", "\ufffd", value)  # halves of pairs, which UTF-8 cannot hold
        return json.dumps(value, ensure_ascii=False) if inside else value
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (list, tuple, bytes, bytearray)):
        texts = [text_of(element, True) for element in value]
        return None if None in texts else "[" + ",".join(texts) + "]"
    if isinstance(value, (set, frozenset)) or type(value).__repr__ is object.__repr__:
        return None  # no order; or an address, which differs from process to process
    return json.dumps(repr(value), ensure_ascii=False) if inside else repr(value)


def digest_of(text):
    """FNV-1a, 64 bits."""
    hash = 14695981039346656037
    for byte in text.encode("utf-8", "replace"):
        hash = (hash ^ byte) * 1099511628211 % 2**64
    return "{:016x}".format(hash)


class Refused(Exception):
    """What becomes an `error` reply: its kind, and its members."""

    def __init__(self, kind, message, **members):
        super().__init__(message)
        self.members = dict(members, kind=kind, message=message)


def run(step, function, *arguments, **named):
    """Runs the user's code; whatever it throws, also SystemExit, is reported and ends nothing."""
    try:
        return function(*arguments, **named)
    except BaseException as thrown:
        raise Refused("exception", str(thrown), step=step, type=type(thrown).__name__)


class Child:
    def __init__(self, write):
        self.replies = write
        self.opened = None
        self.given = {}  # values of parameters that the host has set

    def reply(self, name, /, **members):
        line = json.dumps(dict(reply=name, **members), ensure_ascii=False)
        self.replies.write(line.encode("utf-8", "replace") + b"\n")  # R7: also of a text that UTF-8 cannot hold
        self.replies.flush()  # R5

    def answer(self, line):
        verb, *arguments = line.split(" ")
        verbs = OPENED if self.opened else READY
        if verb not in verbs:  # R9
            print("error: tare cannot answer `{}` here".format(line), file=sys.stderr, flush=True)
            os._exit(2)
        try:
            verbs[verb](self, *arguments)
        except Refused as refused:
            self.reply("error", **refused.members)

    def hello(self, version, *words):  # words: what the host can; none of them matters here
        if int(version) != 1:
            raise Refused("version", "this child speaks version 1", versions=[1])
        self.reply("hello", protocol=1, language="python", front_end="reference-child 1", optimised=None,
                   runtime=sys.implementation.name + " " + sys.version.split()[0], debugger=sys.gettrace() is not None,
                   clock="perf_counter", clock_resolution_ns=resolution_ns(), unroll=UNROLL, calls_body=True,
                   compiles_late=True, collects=True,  # the interpreter specialises what runs often; and `gc`
                   width_additions=WIDTH_STEPS, width_per_process=True,  # not the native loop: a level of its own
                   metrics=[dict(name=name, better="lower", per="operation") for name in METRICS],
                   probe_steps=PROBE_STEPS, diagnosers=[dict(name="memory", metrics=[dict(name="peak_bytes", unit="B", better="lower", per="iteration")])],
                   capabilities=["cpu", "collect", "probe", "windows", "parameters", "diagnose"])

    def list(self):
        cases = self.cases()
        for index, (case, parameters) in enumerate(cases):
            steps = {"set_up": "global", "clean_up": "global-clean-up", "iteration_set_up": "iteration",
                     "iteration_clean_up": "iteration-clean-up"}
            self.reply("benchmark", index=index, group=case.group, name=case.__name__, baseline=case.baseline,
                       parameters=[{"name": k, "value": text_of(v), "type": TYPES[type(v)]} for k, v in parameters.items()],
                       description=case.__doc__ or "", file=__file__, line=case.body.__code__.co_firstlineno,
                       set_ups=[name for step, name in steps.items() if hasattr(case, step)],
                       **{name: getattr(case, name) for name in ("waits", "strategy", "invocations_max", "launch", "rates", "diagnosers")
                          if hasattr(case, name)})
        self.reply("end", count=len(cases))

    def set(self, name, *words):
        name, words = unquoted(name), [unquoted(word) for word in words]
        values = {}  # by the type of the declared value
        for _, parameters in CASES:
            kind = type(parameters.get(name))
            if name in parameters and kind not in values:
                values[kind] = [read(kind, name, word) for word in words]
        if values:
            self.given[name] = values
        self.reply("set", benchmarks=len({case for case, parameters in CASES if name in parameters}))

    def cases(self):
        found = []
        for case, parameters in CASES:
            choices = [self.given.get(name, {}).get(type(value), [value]) for name, value in parameters.items()]
            for chosen in itertools.product(*choices):
                one = (case, dict(zip(parameters, chosen)))
                if one not in found:  # several declared values have become one
                    found.append(one)
        return found

    def open(self, index, seed):
        case, parameters = self.cases()[int(index)]
        self.offset = bytearray(16 * (int(seed) % 1024))  # moves what the set-up allocates
        instance = case()
        if hasattr(instance, "set_up"):
            run("set-up", instance.set_up, **parameters)
        self.opened = instance  # R12: not when the set-up threw
        counted = {"operations": instance.operations} if hasattr(instance, "operations") else {}
        self.reply("opened", **counted)  # R25

    def step(self, name):
        method = name.replace("-", "_")
        if hasattr(self.opened, method):
            run(name, getattr(self.opened, method))

    def counted(self):
        """R25: operations of an invocation of the iteration that has just run, where the benchmark counts them."""
        return [run("body", self.opened.iteration_operations)] if hasattr(self.opened, "iteration_operations") else []

    def check(self):
        self.step("iteration-set-up")
        text = run("body", lambda: text_of(self.opened.body()))
        self.step("iteration-clean-up")
        self.reply("checked", digest=None if text is None else digest_of(text), text=None if text is None else text[:200])

    def measure(self, which, iterations, invocations, lead, windows="0"):
        iterations, invocations, lead, windows = int(iterations), int(invocations), int(lead), int(windows)
        workload = which == "workload"  # or `overhead`
        body = self.opened.body if workload else nothing
        columns = {"elapsed_ns": [], "cpu_ns": [], "probe_before_ns": [], "probe_after_ns": []}
        metrics = {name: [] for name in METRICS}
        counted = []
        all_times, all_widths = [], []
        for iteration in range(-1 if lead else 0, iterations):
            count = invocations if iteration >= 0 else lead
            if workload:  # R18: the loop `overhead` runs no user code
                self.step("iteration-set-up")
            cut = windows if iteration >= 0 else 0  # the lead-in is not
            marks = [0] * (2 * cut + 2)
            probe_before, before, cpu = probe_ns(), collections(), time.thread_time_ns()
            begin = time.perf_counter_ns()
            if cut:
                run("body", windows_of, count, body, marks)
            else:
                run("body", loop, count, body)
            end = time.perf_counter_ns()
            cpu, after, probe_after = time.thread_time_ns() - cpu, collections(), probe_ns()
            if workload:
                counted += self.counted()[:iteration + 1]  # also asked after the lead-in, which it then leaves out
                self.step("iteration-clean-up")
            if iteration >= 0:
                steps = [later - earlier for earlier, later in zip(marks, marks[1:])]
                elapsed = sum(steps[1::2]) if cut else end - begin
                for name, value in zip(columns, (elapsed, cpu, probe_before, probe_after)):
                    columns[name].append(value)
                for name, first, last in zip(METRICS, before, after):
                    metrics[name].append(last - first)
                all_times += steps[1::2]
                all_widths += steps[0::2]
        if counted:
            columns.update(operations=counted)
        if windows:
            columns.update(window_ns=all_times, width_ns=all_widths)
        self.reply("measured", **columns, metrics=metrics)

    def diagnose(self, name, iterations, invocations, lead):
        """The diagnoser `memory`: most bytes in use at a time. `tracemalloc` makes code several times slower: it never runs beside timing."""
        iterations, invocations, lead = int(iterations), int(invocations), int(lead)
        peaks, counted = [], []
        for iteration in range(-1 if lead else 0, iterations):
            self.step("iteration-set-up")
            tracemalloc.start()
            try:
                run("body", loop, invocations if iteration >= 0 else lead, self.opened.body)
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            counted += self.counted()[:iteration + 1]
            self.step("iteration-clean-up")
            if iteration >= 0:
                peaks.append(peak)
        self.reply("diagnosed", **({"operations": counted} if counted else {}), metrics={"peak_bytes": peaks})

    def collect(self):
        gc.collect()
        self.reply("collected")

    def close(self):
        instance, self.opened = self.opened, None  # R12: `ready`, also when the clean-up throws
        if hasattr(instance, "clean_up"):
            run("clean-up", instance.clean_up)
        self.reply("closed")

    def bye(self):
        try:
            run("clean-up", getattr(self.opened, "clean_up", nothing))
        except Refused as refused:
            print("error in clean-up:", refused, file=sys.stderr)
        self.reply("bye")
        sys.stdout.flush()
        os._exit(0)


# R11: what is answered in which state.
READY = {"hello": Child.hello, "list": Child.list, "set": Child.set, "open": Child.open, "bye": Child.bye}
OPENED = {
    "hello": Child.hello, "check": Child.check, "measure": Child.measure, "diagnose": Child.diagnose, "collect": Child.collect,
    "close": Child.close, "bye": Child.bye,
}


TYPES = {bool: "boolean", int: "integer", float: "float", str: "text"}


def unquoted(word):
    return "" if word == "%" else urllib.parse.unquote(word)


def read(kind, name, text):
    """The value of a parameter whose declared value is of this type."""
    try:
        return {"true": True, "false": False}[text] if kind is bool else kind(text) if kind in (int, float) else text
    except (ValueError, KeyError):
        wanted = {bool: "true or false", int: "a whole number"}.get(kind, "a number")
        raise Refused("bad-value", "{} is {}, and {} is not".format(name, wanted, repr(text)))


# What else is measured of each iteration: nothing but these names and `collections` knows it. Here it is how often each generation
# of the garbage collector ran.
METRICS = ["collections_{}".format(generation) for generation in range(len(gc.get_stats()))]


def collections():
    return [generation["collections"] for generation in gc.get_stats()]


def resolution_ns():
    """Smallest step that the clock makes; where a read takes longer than a step, the smallest difference between reads shows it."""
    reads = [time.perf_counter_ns() for _ in range(1000)]
    steps = sorted({b - a for a, b in zip(reads, reads[1:])})
    if len(steps) < 2:
        return max(1, *steps)
    return steps[1] if steps[0] == 0 else min([steps[0]] + [b - a for a, b in zip(steps, steps[1:])])


def main():
    link = os.environ.pop("TARE_LINK", None)
    if link is None:  # R1
        for case, parameters in CASES:
            instance = case()
            if hasattr(instance, "set_up"):
                instance.set_up(**parameters)
            print(case.group, case.__name__, parameters, "returns", repr(instance.body())[:40])
        return print("hint: `tare run PROGRAM` measures them")
    try:  # R2
        form, descriptors = link.split(":")
        read, write = (int(text) for text in descriptors.split(","))
        if form != "fd":
            raise ValueError
        os.set_inheritable(read, False)  # so that processes of the user's code do not hold the link
        os.set_inheritable(write, False)
    except (ValueError, OSError):
        print("error: TARE_LINK={} has an unknown form, or is not open".format(link), file=sys.stderr)
        sys.exit(2)
    child = Child(os.fdopen(write, "wb"))
    for line in os.fdopen(read, "rb"):
        child.answer(line.decode("ascii", "replace").rstrip("\n"))
    os._exit(0)  # R4


if __name__ == "__main__":
    main()
