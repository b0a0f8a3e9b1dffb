"""The diagnoser `code`: the bytecode of a body, as the interpreter has specialised it."""

from __future__ import annotations

import dis
import functools
import io
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "code"


def described() -> list[dict[str, Any]]:
    return [{"name": NAME, "metrics": [], "gives": ["attachments"]}]


def code_of(body: Any) -> Any:
    """The code object to disassemble; None for native code."""
    while isinstance(body, functools.partial):
        body = body.func
    body = getattr(body, "__func__", body)
    body = getattr(body, "__wrapped__", body)
    if hasattr(body, "__code__"):
        return body.__code__
    call = vars(type(body)).get("__call__")
    return getattr(call, "__code__", None)


def listing(code: Any) -> str:
    """The instructions of a code object and of the functions in it."""
    text = io.StringIO()
    # The code object contains what the interpreter has specialised in the calls so far.
    adaptive: dict[str, Any] = {"adaptive": True} if sys.version_info >= (3, 11) else {}
    dis.dis(code, file=text, **adaptive)
    return text.getvalue()


def found(body: Any, statement: str | None) -> dict[str, Any] | None:
    """The attachment; None for native code."""
    code = compile(statement, "<statement>", "exec") if statement is not None else code_of(body)
    if code is None:
        return None
    version = "{}.{}".format(*sys.version_info[:2])
    title = f"bytecode of {sys.implementation.name} {version}"
    file = {"name": "code.txt", "title": title, "media_type": "text/plain", "text": listing(code)}
    return {"attachments": [file]}
