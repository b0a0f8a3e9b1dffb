"""Source text as a benchmark. It is part of the measuring loop itself, so its time includes no call."""

from __future__ import annotations

import ast
import itertools

from ._helpers import Clocks
from ._loop import ROLLED_UNROLL, UNROLL, WIDTH
from ._opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generator

    from ._opened import Serve

# A generator keeps the names bound by the set-up as local variables between requests.
_TEMPLATE = """\
def _tare_statement():
    SET_UP
    _tare_what, _tare_invocations, _tare_marks = yield
    _tare_result = None
    while True:
        _tare_turns, _tare_rest = divmod(_tare_invocations, {unroll})
        if _tare_what == "check":
            RESULT
        elif _tare_what == "rolled":
            _tare_turns, _tare_rest = divmod(_tare_invocations, {rolled})
            LOOP_ROLLED
        elif _tare_what == "overhead":
            LOOP_EMPTY
        else:
            LOOP
        _tare_what, _tare_invocations, _tare_marks = yield _tare_result
        _tare_result = None
        if _tare_what == "end":
            break
    CLEAN_UP
    yield
"""

_LOOP = """\
if len(_tare_marks) > 2:
    _tare_a, _tare_b, _tare_m = _tare_width
    _tare_marks[0] = _tare_clock()
    _tare_a * _tare_b % _tare_m
    _tare_marks[1] = _tare_clock()
    for _tare_end in range(2, len(_tare_marks), 2):
        for _tare_i in _tare_repeat(None, _tare_turns):
            CALLS
        for _tare_i in _tare_repeat(None, _tare_rest):
            CALL
        _tare_marks[_tare_end] = _tare_clock()
        _tare_a * _tare_b % _tare_m
        _tare_marks[_tare_end + 1] = _tare_clock()
else:
    _tare_marks[0] = _tare_clock()
    for _tare_i in _tare_repeat(None, _tare_turns):
        CALLS
    for _tare_i in _tare_repeat(None, _tare_rest):
        CALL
    _tare_marks[1] = _tare_clock()
"""


class _Fill(ast.NodeTransformer):
    """Replaces names that stand alone with statements."""

    def __init__(self, parts: dict[str, list[ast.stmt]]) -> None:
        self.parts = parts

    def visit_Expr(self, node: ast.Expr) -> Any:
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        return self.parts.get(name, node)


def parsed(code: str, what: str) -> list[ast.stmt]:
    """The statements of a text that is complete in itself: `return`, `yield` or `break` would affect the loop around it."""
    code = code.strip("\n")
    compile(code, f"<{what}>", "exec")
    return ast.parse(code, f"<{what}>").body or [ast.Pass()]


def ast_of(code: str) -> list[ast.stmt]:
    """The statements of a text; an invalid text counts as one."""
    try:
        return ast.parse(code.strip("\n")).body
    except (SyntaxError, ValueError):
        return [ast.Pass()]


def loop_of(calls: list[ast.stmt], call: list[ast.stmt]) -> list[ast.stmt]:
    filled = _Fill({"CALLS": calls, "CALL": call}).visit(ast.parse(_LOOP))
    return filled.body  # type: ignore[no-any-return]


def generator_of(code: str, set_up: str, clean_up: str, namespace: dict[str, Any]) -> Generator[Any, Any, Any]:
    """The measuring generator. The first `next` runs its set-up. Raises SyntaxError if one of the texts is invalid."""
    body = parsed(code, "statement")
    result = list(body)
    if isinstance(result[-1], ast.Expr):
        name = ast.Name("_tare_result", ast.Store())
        result[-1] = ast.Assign([name], result[-1].value, lineno=1)
    empty: list[ast.stmt] = [ast.Pass()]
    parts = {
        "SET_UP": parsed(set_up, "set-up"),
        "CLEAN_UP": parsed(clean_up, "clean-up"),
        "RESULT": result,
        "LOOP": loop_of(body * UNROLL, body),
        "LOOP_ROLLED": loop_of(body * ROLLED_UNROLL, body),
        "LOOP_EMPTY": loop_of(empty * UNROLL, empty),
    }
    tree = _Fill(parts).visit(ast.parse(_TEMPLATE.format(unroll=UNROLL, rolled=ROLLED_UNROLL)))
    names = {**namespace, "_tare_clock": Clocks.perf_counter_ns, "_tare_repeat": itertools.repeat, "_tare_width": WIDTH}
    exec(compile(ast.fix_missing_locations(tree), "<statement>", "exec"), names)
    return names["_tare_statement"]()  # type: ignore[no-any-return]


class StatementForm:
    """Source text with its set-up."""

    set_ups: list[str] = []

    def __init__(self, code: str, set_up: str = "", clean_up: str = "", namespace: Any = None) -> None:
        self.code, self.set_up, self.clean_up = code, set_up, clean_up
        self.namespace: dict[str, Any] = namespace or {}

    def wrong(self, values: dict[str, Any]) -> str:
        """An error in it, or an empty text."""
        if not ast_of(self.code):
            return "the statement is empty: there is nothing to measure"
        try:
            generator_of(self.code, self.set_up, self.clean_up, {})
        except ValueError as error:
            return f"the statement is not valid: {error}"
        except SyntaxError as error:
            place = (error.filename or "").strip("<>") or "statement"
            source = {"set-up": self.set_up, "clean-up": self.clean_up}.get(place, self.code).strip("\n")
            lines = source.splitlines()
            at = error.lineno or 1
            # Only the parser knows which of the texts it was reading.
            line = error.text or (lines[at - 1] if at <= len(lines) else "")
            return f"the {place} is not valid: {error.msg} in line {at}: `{line.strip()}`"
        return ""

    def run(self, values: dict[str, Any], serve: Serve) -> None:
        running = generator_of(self.code, self.set_up, self.clean_up, {**self.namespace, **values})
        next(running)
        serve(Opened(statement=running, text=self.code))
        try:
            running.send(("end", 0, []))
        except StopIteration:
            pass  # it has failed before, which ended it
