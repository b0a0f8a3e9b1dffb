"""The diagnoser `exceptions`: how often a body raises one. The interpreter calls a trace function for each, only in this pass."""

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
    """The exceptions that a call raises in this thread, including caught ones. `StopIteration` does not count."""
    raised = 0

    def trace(frame: FrameType, event: str, what: Any) -> Any:
        nonlocal raised
        frame.f_trace_lines = False
        # Called for each frame that the exception passes through; in the first one, the traceback has no next entry.
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
