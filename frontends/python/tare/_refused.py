"""Errors that become `error` replies, and running steps of the user's code that may raise them."""

from __future__ import annotations

import os

from ._helpers import BenchmarkError, Skipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))


class RequestError(Exception):
    """An `error` reply: its kind and its members."""

    def __init__(self, kind: str, message: str, **members: Any) -> None:
        super().__init__(message)
        self.members = dict(members, kind=kind, message=message)


def thrown_in(step: str, thrown: BaseException) -> RequestError:
    """The reply for an exception of the user's code."""
    if isinstance(thrown, Skipped) and step == "set-up":
        return RequestError("skipped", str(thrown))
    message = str(thrown)
    if isinstance(thrown, SystemExit):
        message = "it called `sys.exit({})`".format("" if thrown.code is None else repr(thrown.code))
    members: dict[str, Any] = {"step": step}
    if not isinstance(thrown, BenchmarkError):
        members["type"] = type(thrown).__qualname__
    import traceback

    frames = [frame for frame in traceback.extract_tb(thrown.__traceback__) if is_users(frame.filename)]
    if getattr(thrown, "place", None):
        members.update(zip(("file", "line"), thrown.place))  # type: ignore[attr-defined]
    elif isinstance(thrown, SyntaxError) and thrown.filename:
        members.update(file=thrown.filename, line=thrown.lineno or 1)
    elif frames:
        members.update(file=frames[-1].filename, line=frames[-1].lineno or 1)
    return RequestError("exception", message, **members)


def is_users(file: str) -> bool:
    return not os.path.abspath(file).startswith(HERE) and not file.startswith("<")


def run(step: str, function: Any, *arguments: Any) -> Any:
    """Runs the user's code. Whatever it raises, including SystemExit, is reported and does not end the process."""
    try:
        return function(*arguments)
    except BaseException as thrown:
        raise thrown_in(step, thrown) from None
