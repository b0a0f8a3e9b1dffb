"""The functions that declare benchmarks."""

from __future__ import annotations

import inspect
import itertools
import sys

from ._helpers import first_line
from ._texts import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Mapping, NoReturn, Sequence, Union

    Values = Dict[str, Any]
    Amount = Union[int, float, Callable[..., Union[int, float]]]

_UNSET: Any = object()
_TYPES = {bool: "boolean", int: "integer", float: "float", str: "text"}


class Value:
    """A value of a parameter, with its text."""

    __slots__ = ("value", "text", "type")

    def __init__(self, value: Any, text: str, type: str | None) -> None:
        self.value, self.text, self.type = value, text, type


_RENAMED = {"describe": "description", "diagnosers": "diagnose", "results": "results_change` or `results_differ"}


class Options:
    """The options of a declaration, by the names of the arguments of `bench`."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = {name: value for name, value in given.items() if value is not _UNSET}

    def get(self, name: str, default: Any = None) -> Any:
        return self.given.get(name, default)

    def over(self, others: Options) -> Options:
        """These options, with the others as the fallback."""
        return Options({**others.given, **self.given})

    def of(self, name: str, values: Values, default: Any = None) -> Any:
        """The value of an option that may be a function of the parameters."""
        option = self.get(name, default)
        return called_with(option, values) if inspect.isfunction(option) else option


class Declared:
    """A declared benchmark, with all values of its parameters."""

    def __init__(self, name: str, options: Options, form: Any, file: str = "", line: int = 0, about: str = "") -> None:
        group = options.get("group")
        if group is None and "/" in name:
            group, _, name = name.rpartition("/")
        self.group: str = str(group or "")
        self.name = name
        self.options = options
        self.form = form
        self.file, self.line = file, line
        self.description = str(options.get("description") or about)
        self.code: dict[str, str] | None = None
        texts = ((option, options.get(option)) for option in ("group", "description"))
        wrong = [
            f"`{option}` is {value!r}, which is not a text"
            for option, value in texts
            if not isinstance(value, (str, type(None)))
        ]
        for option in ("categories", "arguments", "diagnose"):
            wrong += [f"`{option}` is {text}" for text in one_text(options.get(option))]
        self.invalid: str | None = wrong[0] if wrong else None
        self.rows: list[dict[str, Value]] | None = None
        self.notes: list[str] = []  # notes about how it was found

    def parameters(self) -> list[dict[str, Value]]:
        """The declared rows of values; without parameters, a single empty row."""
        if self.rows is None:
            try:
                self.rows = rows_of(self.options.get("params"))
            except Exception as wrong:
                self.rows, self.invalid = [{}], f"its parameters are wrong: {wrong}"
            if not self.rows:
                self.rows, self.invalid = [{}], "a parameter has no values: give it at least one"
        return self.rows


class Marked:
    """A function or a class with options. A function may be a method whose class does not exist yet."""

    def __init__(self, what: Any, name: str, options: Options) -> None:
        self.what, self.name, self.options = what, name, options
        self.is_added = False  # by `add`, which makes a class a body itself


REGISTRY: list[Declared | Marked] = []
CONTEXT: dict[str, str] = {}
METRICS: list[Metric] = []


class Metric:
    """A metric other than time."""

    def __init__(self, name: str, unit: str | None, better: str | None, per: str, read: Callable[[], float]) -> None:
        self.name, self.unit, self.better, self.per, self.read = name, unit, better, per, read

    def described(self) -> dict[str, str]:
        members = {"name": self.name, "unit": self.unit, "better": self.better, "per": self.per}
        return {name: value for name, value in members.items() if value}


def bench(
    name: Any = None,
    *,
    group: str | None = _UNSET,
    baseline: bool = _UNSET,
    params: Any = _UNSET,
    operations: Amount = _UNSET,
    unit: str = _UNSET,
    bytes: Amount = _UNSET,
    items: Amount = _UNSET,
    rates: Mapping[str, Any] = _UNSET,
    categories: Sequence[str] = _UNSET,
    description: str = _UNSET,
    skip: str = _UNSET,
    skip_if: Callable[..., Any] = _UNSET,
    input: Callable[..., Any] = _UNSET,
    set_up: Callable[..., Any] = _UNSET,
    clean_up: Callable[..., Any] = _UNSET,
    iteration_set_up: Callable[..., Any] = _UNSET,
    iteration_clean_up: Callable[..., Any] = _UNSET,
    iteration_operations: Callable[..., Any] = _UNSET,
    threads: int = _UNSET,
    event_loop: Callable[[], Any] = _UNSET,
    waits: bool = _UNSET,
    own_time: bool = _UNSET,
    results_change: bool = _UNSET,
    results_differ: bool = _UNSET,
    cold_start: bool = _UNSET,
    monitoring: bool = _UNSET,
    visit_time: float = _UNSET,
    warm_up_time: float = _UNSET,
    invocations: int = _UNSET,
    invocations_max: int = _UNSET,
    environment: Mapping[str, str] = _UNSET,
    arguments: Sequence[str] = _UNSET,
    diagnose: Sequence[str] = _UNSET,
    **others: NoReturn,
) -> Any:
    """Declare a benchmark: a function, an asynchronous function, a method, or a set-up that yields the body.

    A generator is a set-up: it yields the body, and the code after the `yield` is the clean-up. The same holds for asynchronous
    generators and for functions decorated with `contextlib.contextmanager`. On a class, the options apply to all its benchmarks; its
    methods `set_up`, `clean_up`, `iteration_set_up`, `iteration_clean_up` and `iteration_operations` run at these points.

    name: the name in the table, optionally as `group/name`; by default the name of the function.
    baseline: others of the group with the same parameters are compared with this one.
    params: values by name, `{"n": [10, 1000]}`; rows of several, `{("n", "load"): [(10, 0.5), (100, 0.9)]}`.
    operations, bytes, items: amounts per invocation: a number, or a function of the parameters. rates: others by name, or (amount, unit).
    skip: the reason not to measure it. skip_if: a function of the parameters; True or a reason skips this combination.
    input: makes the argument of each invocation before the clock starts; it may take parameters.
    threads: threads that the body itself uses; 0 if unknown.
    waits: the body blocks, so that only its wall time counts. own_time: the body reports its time with `tare.took(seconds)`.
    results_change: each invocation returns a different result. results_differ: results differ from the others of the group.
    visit_time, warm_up_time: in seconds. environment, arguments: for the processes of this benchmark.
    """
    given = {option: value for option, value in locals().items() if option not in ("name", "others")}
    refuse("bench", others)
    options = Options(given)

    def declare(what: Any) -> Any:
        function = what.__func__ if isinstance(what, (staticmethod, classmethod)) else what
        REGISTRY.append(Marked(function, name or "", options))
        return what

    if name is not None and not isinstance(name, str):
        what, name = name, None
        return declare(what)
    return declare


def add(name: str, function: Callable[..., Any], **options: Any) -> None:
    """Declare a benchmark without decorating a function, for example in a loop. The options are those of `bench`."""
    bench(name, **options)(function)
    added = REGISTRY[-1]
    if isinstance(added, Marked):
        added.is_added = True


def statement(
    name: str,
    code: str,
    set_up: str = "",
    clean_up: str = "",
    namespace: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """Declare source text as a benchmark, like `timeit`: it runs in the loop itself, without a call.

    Names bound by `set_up` are local variables. `namespace` provides other names.
    """
    from ._statement import StatementForm

    refuse("statement", [option for option in options if option not in inspect.signature(bench).parameters])
    caller = sys._getframe(1)
    form = StatementForm(code, set_up, clean_up, dict(namespace or {}))
    REGISTRY.append(
        Declared(name, Options(options), form, caller.f_code.co_filename, caller.f_lineno, first_line(code))
    )


def refuse(function: str, options: Iterable[str]) -> None:
    """Raises an error for unknown options."""
    for option in options:
        hint = f": it is called `{_RENAMED[option]}`" if option in _RENAMED else ""
        raise TypeError(f"{function}() got an unexpected keyword argument '{option}'{hint}")


def context(name: str, value: Any) -> None:
    """Add context to the run, such as the data set. It is shown above the table and kept with the result."""
    CONTEXT[name] = str(value)


def metric(
    name: str, *, unit: str | None = None, better: str | None = None, per: str = "operation"
) -> Callable[..., Any]:
    """Declare a metric: a function that returns a total, read before and after each iteration.

    With `per="iteration"`, it returns a value that is only read after each iteration.
    """

    def declare(function: Callable[[], float]) -> Callable[[], float]:
        METRICS.append(Metric(name, unit, better, per, function))
        return function

    return declare


def rows_of(params: Any) -> list[dict[str, Value]]:
    if not params:
        return [{}]
    if callable(params):
        params = params()
    if not isinstance(params, dict):
        of_rows = [dict(row) for row in params]
        named = {
            name: iter(values_of([row[name] for row in of_rows if name in row])) for row in of_rows for name in row
        }
        return [{name: next(named[name]) for name in row} for row in of_rows]
    columns: list[list[dict[str, Value]]] = []
    for name, given in params.items():
        given = given() if callable(given) else given
        for text in one_text(given):
            raise TypeError(f"the values of `{name}` are {text}")
        given = list(given)
        if isinstance(name, tuple):
            texts = [values_of([row[at] for row in given]) for at in range(len(name))]
            columns.append([dict(zip(name, row)) for row in zip(*texts)] if given else [])
        else:
            columns.append([{name: value} for value in values_of(given)])
    return [{name: value for part in row for name, value in part.items()} for row in itertools.product(*columns)]


def one_text(given: Any) -> list[str]:
    """Advice where a text is given in place of a list, which would become a list of its letters."""
    return [f"the text {given!r}, not a list: write `[{given!r}]`"] if isinstance(given, (str, bytes)) else []


def values_of(given: Iterable[Any]) -> list[Value]:
    """Values with their texts; different values with the same text are numbered."""
    values: list[Value] = []
    for value in given:
        text, base, number = name_of(value), name_of(value), 2
        while any(known.text == text and not same(known.value, value) for known in values):
            text, number = f"{base} ({number})", number + 1
        values.append(Value(value, text, _TYPES.get(type(value))))
    return values


def same(one: Any, other: Any) -> bool:
    return one is other or (type(one) in _TYPES and type(one) is type(other) and one == other)


def name_of(value: Any) -> str:
    """The text of a parameter's value."""
    if value is None:
        return "None"
    name = getattr(value, "__qualname__", None) or getattr(value, "name", None)
    if isinstance(name, str) and not isinstance(value, (int, float, str)):
        return name.replace("<locals>.", "")
    text = text_of(value)
    return text if text else type(value).__name__ if text is None else '""'


def called_with(function: Callable[..., Any], values: Values) -> Any:
    """Calls a function with those values that it has parameters for."""
    return function(**matching(function, values))


def matching(function: Callable[..., Any], values: Values) -> Values:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return dict(values)
    return {parameter.name: values[parameter.name] for parameter in parameters if parameter.name in values}
