"""The diagnosers of a program, which observe iterations."""

from __future__ import annotations

import functools

from . import _bytecode as bytecode
from . import _exceptions as exceptions
from . import _memory as memory
from . import _profile as profile
from ._refused import RequestError, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from ._opened import Opened


def described() -> list[dict[str, Any]]:
    """Their declarations for `hello`."""
    return [memory.described(), *profile.described(), *bytecode.described(), *exceptions.described()]


class Observed:
    def __init__(
        self, opened: Opened, step: Callable[[str], None], iterations: int, invocations: int, lead: int
    ) -> None:
        self.opened, self.step = opened, step
        self.iterations, self.invocations, self.lead = iterations, invocations, lead
        self.operations: list[Any] = []

    def all(self, around: Callable[[Callable[..., None]], Any], with_lead: bool = False) -> list[Any]:
        """The results of `around` for each iteration, and for the lead-in only on request. `around` gets the loop, which runs `workload` by
        default, or the named loop."""
        opened, given = self.opened, []
        for iteration in range(-1 if self.lead else 0, self.iterations):
            is_lead = iteration < 0
            count = self.lead if is_lead else self.invocations
            self.step("iteration-set-up")
            inputs = run("iteration-set-up", opened.inputs, count)
            loop = functools.partial(self.loop, count, inputs or [None])
            if is_lead and not with_lead:
                loop()
            else:
                given.append(around(loop))
            if opened.iteration_operations:
                done = run("body", opened.iteration_operations)
                self.operations += [] if is_lead else [done]
            self.step("iteration-clean-up")
        return given[1:] if self.lead and with_lead else given

    def loop(self, count: int, inputs: list[Any], which: str = "workload") -> None:
        run("body", self.opened.run, which, count, [0, 0], inputs)


def diagnose(name: str, observed: Observed) -> dict[str, Any]:
    """The members of the reply for a diagnoser."""
    ways = {memory.NAME: of_memory, profile.NAME: of_profile, bytecode.NAME: of_code, exceptions.NAME: of_exceptions}
    found = ways[name](observed)
    if observed.operations:
        found["operations"] = observed.operations
    return {"metrics": {}, **found}


def of_memory(observed: Observed) -> dict[str, Any]:
    def counted(loop: Callable[..., None]) -> dict[str, int]:
        # The first run of a loop allocates too, which would show in its counts.
        workload, empty = [memory.counted(functools.partial(loop, which)) for which in ("workload", "overhead")]
        return memory.without(workload, empty)

    # One-time allocations fall into the lead-in.
    values = observed.all(counted, with_lead=True)
    names = [metric["name"] for metric in memory.described()["metrics"]]
    return {"metrics": {name: [of[name] for of in values] for name in names}}


def of_exceptions(observed: Observed) -> dict[str, Any]:
    return {"metrics": {"thrown": observed.all(exceptions.counted)}}


def of_profile(observed: Observed) -> dict[str, Any]:
    samples = profile.Profile(observed.opened.name, observed.iterations)
    try:
        samples.start()
        observed.all(samples.run)
        return samples.found()
    except OSError as why:
        raise RequestError("not-supported", f"`{profile.PY_SPY}` took no samples: {why}") from None
    finally:
        samples.end()


def of_code(observed: Observed) -> dict[str, Any]:
    opened = observed.opened
    observed.all(lambda loop: loop())
    found = bytecode.found(opened.call.body if opened.call else opened.whole, opened.text)
    if found is None:
        raise RequestError("not-supported", "the body is native code, which has no bytecode")
    return found
