"""An open benchmark: the code that the loops call, and the steps around them."""

from __future__ import annotations

from ._helpers import BenchmarkError
from ._loop import Call, Loop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Generator, Optional, Sequence

    Step = Optional[Callable[[], Any]]
    Serve = Callable[["Opened"], None]


class Opened:
    """The parts of an open benchmark; missing ones are None."""

    def __init__(
        self,
        call: Call | None = None,
        statement: Generator[Any, Any, Any] | None = None,
        whole: Callable[[int], float] | None = None,
        make_input: Step = None,
        iteration_set_up: Step = None,
        iteration_clean_up: Step = None,
        iteration_operations: Step = None,
        operations: int | None = None,
        rates: dict[str, float] | None = None,
        run_async: Callable[[Any], Any] | None = None,
        text: str | None = None,
    ) -> None:
        self.call, self.statement, self.whole, self.text = call, statement, whole, text
        self.make_input = make_input
        self.iteration_set_up, self.iteration_clean_up = iteration_set_up, iteration_clean_up
        self.iteration_operations = iteration_operations
        self.operations, self.rates = operations, rates
        self.run_async = run_async
        self.loops: dict[str, Loop] = {}

    def inputs(self, count: int) -> list[Any]:
        return [self.make_input() for _ in range(count)] if self.make_input else []

    @property
    def name(self) -> str:
        """The name of the body in profiles where it has no frame of its own."""
        if self.call is None:
            return "statement"
        return str(getattr(self.call.body, "__qualname__", type(self.call.body).__qualname__))

    def once(self, inputs: Sequence[Any]) -> Any:
        """The result of one invocation."""
        if self.statement is not None:
            return self._of_statement("check", 1, [])
        if self.whole is not None:
            return self.whole(1) and None
        assert self.call is not None
        result = self.call.once(inputs)
        return self._awaited(result) if self.call.is_async else result

    def run(self, kind: str, invocations: int, marks: list[int], inputs: Sequence[Any]) -> None:
        if self.statement is not None:
            self._of_statement(kind, invocations, marks)
            return
        if self.whole is not None:
            seconds = 0.0 if kind == "overhead" else self.whole(invocations)
            marks[0], marks[1] = 0, max(0, round(seconds * 1e9))
            return
        assert self.call is not None
        if kind not in self.loops:
            self.loops[kind] = self.call.loop(kind)
        running = self.loops[kind].run(invocations, marks, inputs)
        if self.call.is_async:
            self._awaited(running)

    def _awaited(self, running: Any) -> Any:
        if self.run_async is None:
            running.close()
            raise BenchmarkError(
                f"`{self.name}` is a coroutine function, and what calls it here does not await it: "
                "mark it with `@tare.bench`, or pass a function that calls `asyncio.run`"
            )
        return self.run_async(running)

    def _of_statement(self, kind: str, invocations: int, marks: list[int]) -> Any:
        assert self.statement is not None
        try:
            return self.statement.send((kind, invocations, marks))
        except StopIteration:
            raise RuntimeError("the statement failed before, and its set-up is gone") from None
