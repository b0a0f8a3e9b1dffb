"""The measuring loops, generated for each open benchmark, so that inline caches are not shared with other benchmarks."""

from __future__ import annotations

import inspect
import itertools
import sys

from ._helpers import Clocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

UNROLL = 8
ROLLED_UNROLL = 4
INPUT: Any = object()
IS_CPYTHON = sys.implementation.name == "cpython"

# A compiler may remove a call whose result is unused, or the first of two stores to the same place. CPython does neither.
_KEEP = "{call}" if IS_CPYTHON else "kept[{at}] = {call}"

_TEMPLATE = """\
{word}def measure(invocations, marks, body, empty, take, spare, kept{parameters}):
    turns, rest = divmod(invocations, {unroll})
    if len(marks) > 2:
        width_a, width_b, width_m = WIDTH
        marks[0] = clock()
        width_a * width_b % width_m
        marks[1] = clock()
        for end in range(2, len(marks), 2):
            for _ in repeat(None, turns):
                {calls}
            for _ in repeat(None, rest):
                {call}
            marks[end] = clock()
            width_a * width_b % width_m
            marks[end + 1] = clock()
    elif invocations == 1:
        marks[0] = clock()
        {call}
        marks[1] = clock()
    else:
        marks[0] = clock()
        for _ in repeat(None, turns):
            {calls}
        for _ in repeat(None, rest):
            {call}
        marks[1] = clock()
"""

# The width probe: one long call into native code that fills the core with independent work.
WIDTH_STEPS = 3200
WIDTH = (2**1200 - 12345678901, 2**1201 // 3, 2**1200 - 987654321987)
# The clock probe: one long call with dependent steps, of an unknown number of cycles.
PROBE_STEPS = 400
_DIVIDEND = 2**12000 - 987654321


def probe_ns(clock: Callable[[], int] = Clocks.perf_counter_ns) -> int:
    begin = clock()
    _DIVIDEND % 7
    return clock() - begin


class Call:
    """How a body is called: its arguments, and whether it is awaited. `INPUT` is a placeholder for the input of the invocation."""

    def __init__(
        self, body: Callable[..., Any], arguments: Sequence[Any] = (), named: dict[str, Any] | None = None
    ) -> None:
        named = named or {}
        self.body = body
        self.positional, self.named = list(arguments), named
        self.has_input = any(argument is INPUT for argument in arguments)
        self.values = [argument for argument in [*arguments, *named.values()] if argument is not INPUT]
        self.names = [f"a{at}" for at in range(len(self.values))]
        self.is_async = inspect.iscoroutinefunction(body)
        # The cost of a call is only known for functions written in Python.
        self.empty = self._empty() if inspect.isfunction(getattr(body, "__func__", body)) else None

    def _empty(self) -> Callable[..., Any]:
        """A function with the same parameters that does nothing."""
        word = "async " if self.is_async else ""
        parameters = [f"p{at}" for at in range(len(self.positional))] + list(self.named)
        names: dict[str, Any] = {}
        if inspect.ismethod(self.body):
            exec("class Empty:\n {}def empty({}): pass".format(word, ", ".join(["self", *parameters])), names)
            return names["Empty"]().empty  # type: ignore[no-any-return]
        exec("{}def empty({}): pass".format(word, ", ".join(parameters)), names)
        return names["empty"]  # type: ignore[no-any-return]

    def source(self, which: str) -> str:
        """The text of the call in a loop: of the body, or of the empty function instead."""
        taken = "take()" if which == "body" else "spare()"
        if which == "empty" and self.empty is None:
            return taken if self.has_input else "pass"
        names = iter(self.names)
        words = [taken if argument is INPUT else next(names) for argument in self.positional]
        words += [f"{name}={next(names)}" for name in self.named]
        return "{}{}({})".format("await " if self.is_async else "", which, ", ".join(words))

    def once(self, inputs: Sequence[Any]) -> Any:
        given = [inputs[0] if argument is INPUT else argument for argument in self.positional]
        return self.body(*given, **self.named)

    def loop(self, kind: str) -> Loop:
        return Loop(self, kind)


class Loop:
    """One of the loops of a body: `workload`, `overhead` or `rolled`."""

    def __init__(self, call: Call, kind: str) -> None:
        self.call = call
        unroll = ROLLED_UNROLL if kind == "rolled" else UNROLL
        one = [call.source("empty" if kind == "overhead" else "body")]
        if kind == "rolled" and call.source("empty") != "pass":
            one.append(call.source("empty"))
        calls = [_kept(text, at) for at in range(unroll) for text in one]
        source = _TEMPLATE.format(
            word="async " if call.is_async else "",
            parameters="".join(", " + name for name in call.names),
            unroll=unroll,
            calls="; ".join(calls),
            call="; ".join(_kept(text, 0) for text in one),
        )
        names: dict[str, Any] = {"clock": Clocks.perf_counter_ns, "repeat": itertools.repeat, "WIDTH": WIDTH}
        exec(compile(source, "<measuring loop of tare>", "exec"), names)
        self.measure: Any = names["measure"]

    def run(self, invocations: int, marks: list[int], inputs: Sequence[Any] = ()) -> Any:
        """Runs the loop, or returns a coroutine that does if the body is asynchronous. The clock readings go into `marks`."""
        spare = itertools.repeat(None).__next__
        take = iter(inputs).__next__ if self.call.has_input and inputs else spare
        return self.measure(
            invocations, marks, self.call.body, self.call.empty, take, spare, [None] * UNROLL, *self.call.values
        )


def _kept(text: str, at: int) -> str:
    return text if text == "pass" else _KEEP.format(call=text, at=at)
