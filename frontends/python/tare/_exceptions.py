"""The diagnoser `exceptions`: how often a body raises one. The interpreter calls a function for each, in this pass alone."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable

NAME = "exceptions"


def described() -> list[dict[str, Any]]:
    metrics = [{"name": "thrown", "better": "lower", "per": "operation"}]
    return [{"name": NAME, "metrics": metrics}] if hasattr(sys, "settrace") else []


def counted(run: Callable[[], Any]) -> int:
    """Exceptions that a call raises in this thread, those that are caught included. The end of an iterator is none."""
    raised = 0

    def trace(frame: FrameType, event: str, what: Any) -> Any:
        nonlocal raised
        frame.f_trace_lines = False
        # It is told of each frame that the exception goes through: the first has nothing below it.
        if event == "exception" and what[0] is not StopIteration and (what[2] is None or what[2].tb_next is None):
            raised += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return raised
