"""The forms of benchmarks: functions, set-ups that yield a body, methods of classes."""

from __future__ import annotations

import inspect
import sys

from ._declare import REGISTRY, Declared, Marked, Options, called_with, matching
from ._helpers import Input, first_line
from ._loop import INPUT, Call
from ._opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from ._declare import Values
    from ._opened import Serve

_STEPS = {
    "set_up": "global",
    "clean_up": "global-clean-up",
    "iteration_set_up": "iteration",
    "iteration_clean_up": "iteration-clean-up",
}


class EventLoop:
    """The event loop of an asynchronous benchmark, created when something is first awaited."""

    def __init__(self, make: Callable[[], Any] | None) -> None:
        self.make = make
        self.loop: Any = None

    def run(self, awaitable: Any) -> Any:
        if self.loop is None:
            import asyncio

            self.loop = (self.make or asyncio.new_event_loop)()
            asyncio.set_event_loop(self.loop)
        return self.loop.run_until_complete(awaitable)

    def settled(self, result: Any) -> Any:
        """The result of a set-up, awaited if necessary."""
        return self.run(result) if inspect.isawaitable(result) else result

    def close(self) -> None:
        if self.loop is not None:
            import asyncio

            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()
            asyncio.set_event_loop(None)


class FunctionForm:
    """A function, or a method of an instance created for it."""

    def __init__(self, function: Callable[..., Any], options: Options, owner: type | None = None) -> None:
        self.function, self.options, self.owner = function, options, owner
        self.has_input = options.get("input") is not None
        # A context manager wraps its generator.
        generators = (function, getattr(function, "__wrapped__", None))
        self.is_set_up = any(inspect.isgeneratorfunction(one) or inspect.isasyncgenfunction(one) for one in generators)

    @property
    def set_ups(self) -> list[str]:
        names = [step for name, step in _STEPS.items() if self.options.get(name) or hasattr(self.owner, name)]
        return sorted({*names, *(["global", "global-clean-up"] if self.is_set_up else [])})

    def wrong(self, values: Values) -> str:
        """An error in the declaration, or an empty text."""
        missing = self.parameters(values)[1]
        if missing and not (self.has_input and not self.is_set_up and len(missing) == 1):
            return f"`{missing[0]}` of `{self.function.__qualname__}` has no value: name it in `params`"
        if self.has_input and not self.is_set_up and not missing:
            return f"`input` makes the argument of each invocation, and `{self.function.__qualname__}` takes none that has no value"
        unknown = [name for name in values if name not in self.taken()]
        if unknown:
            return (
                f"the parameter `{unknown[0]}` is not used: no argument of `{self.function.__qualname__}` has its name"
            )
        return ""

    def taken(self) -> list[str]:
        """The names of all arguments that a parameter may provide."""
        functions = [
            self.function,
            getattr(self.function, "__wrapped__", None),
            *(self.options.get(n) for n in [*_STEPS, "input"]),
        ]
        if self.owner is not None:
            functions += [getattr(self.owner, name, None) for name in _STEPS] + [getattr(self.owner, "__init__", None)]
            functions += [getattr(self.owner, "__annotations__", None)]
        names: list[str] = []
        for function in functions:
            if isinstance(function, dict):
                names += function
            elif callable(function):
                try:
                    names += inspect.signature(function).parameters
                except (TypeError, ValueError):
                    continue
        return names

    def parameters(self, values: Values) -> Any:
        """The positional arguments of the call, and the names of those without a value."""
        try:
            parameters = list(inspect.signature(self.function).parameters.values())
        except (TypeError, ValueError):
            return list(values.values()), []
        if self.owner is not None and not isinstance(
            inspect.getattr_static(self.owner, self.function.__name__, None), staticmethod
        ):
            parameters = parameters[1:]
        given, missing = {}, []
        for parameter in parameters:
            if parameter.name in values:
                given[parameter.name] = values[parameter.name]
            elif parameter.default is parameter.empty and parameter.kind not in (
                parameter.VAR_POSITIONAL,
                parameter.VAR_KEYWORD,
            ):
                missing.append(parameter.name)
        return given, missing

    def run(self, values: Values, serve: Serve) -> None:
        event_loop = EventLoop(self.options.get("event_loop"))
        instance = self.instance(values)
        step = self.steps(instance, values, event_loop)
        set_up, clean_up = step("set_up"), step("clean_up")
        if set_up:
            set_up()
        if self.is_set_up:
            self.run_set_up(instance, values, serve, event_loop, step)
        else:
            serve(self.opened(instance, values, event_loop, step))
        if clean_up:
            clean_up()
        event_loop.close()

    def instance(self, values: Values) -> Any:
        if self.owner is None:
            return None
        instance = (
            called_with(self.owner, values)
            if getattr(self.owner, "__init__", None) is not object.__init__
            else self.owner()
        )
        for name in getattr(self.owner, "__annotations__", {}):
            if name in values:
                setattr(instance, name, values[name])
        return instance

    def steps(self, instance: Any, values: Values, event_loop: EventLoop) -> Callable[[str], Any]:
        def step(name: str) -> Any:
            function = self.options.get(name) or getattr(instance, name, None)
            if function is None:
                return None
            given = matching(function, values)
            return lambda: event_loop.settled(function(**given))

        return step

    def bound(self, instance: Any) -> Callable[..., Any]:
        bound: Callable[..., Any] = self.function if instance is None else getattr(instance, self.function.__name__)
        return bound

    def opened(self, instance: Any, values: Values, event_loop: EventLoop, step: Any) -> Opened:
        given, missing = self.parameters(values)
        body = self.bound(instance)
        make = self.options.get("input")
        call = Call(body, *arguments_of(body, given, missing[:1] if make else []))
        make_input = (lambda made=matching(make, values): make(**made)) if make else None
        return self.around(Opened(call=call, make_input=make_input, run_async=event_loop.run), instance, values, step)

    def around(self, opened: Opened, instance: Any, values: Values, step: Any) -> Opened:
        """Adds the steps of an iteration, and values known only after the set-up."""
        opened.iteration_set_up, opened.iteration_clean_up = step("iteration_set_up"), step("iteration_clean_up")
        opened.iteration_operations = step("iteration_operations")
        counted = getattr(instance, "operations", None)
        if counted is not None:
            opened.operations = called_with(counted, values) if callable(counted) else counted
        rates = getattr(instance, "rates", None)
        if rates is not None:
            opened.rates = called_with(rates, values) if callable(rates) else rates
        return opened

    def run_set_up(self, instance: Any, values: Values, serve: Serve, event_loop: EventLoop, step: Any) -> None:
        given, _ = self.parameters(values)
        running = self.bound(instance)(**given)
        enter, leave = entered(running, event_loop)
        yielded = enter()
        make, body = (
            (yielded.make, yielded.body) if isinstance(yielded, Input) else (self.options.get("input"), yielded)
        )
        if not callable(body):
            raise TypeError(
                f"`{self.function.__qualname__}` yields {body!r}: a set-up yields the body, which is a function"
            )
        make_input = (lambda made=matching(make, values): make(**made)) if make else None
        opened = Opened(call=Call(body, [INPUT] if make else []), make_input=make_input, run_async=event_loop.run)
        serve(self.around(opened, instance, values, step))
        if leave() is not _END:
            raise TypeError(f"`{self.function.__qualname__}` yields more than once")


def arguments_of(body: Callable[..., Any], given: Values, taken: list[str]) -> Any:
    """The arguments of a call, positional as far as possible; those in `taken` are inputs."""
    positional: list[Any] = []
    named: Values = {}
    if not given and not taken:
        return positional, named
    for parameter in inspect.signature(body).parameters.values():
        is_named = named or parameter.kind is parameter.KEYWORD_ONLY
        if parameter.name in taken:
            positional.append(INPUT)
        elif parameter.name in given and not is_named:
            positional.append(given[parameter.name])
        elif parameter.name in given:
            named[parameter.name] = given[parameter.name]
        elif parameter.default is not parameter.empty:
            named = named or {}
    return positional, named


_END = object()


def entered(running: Any, event_loop: EventLoop) -> Any:
    """Two functions: one begins a set-up and returns its body, the other ends it."""
    if inspect.isgenerator(running):
        return (lambda: begun(next(running, _END))), (lambda: next(running, _END))
    if inspect.isasyncgen(running):

        async def following() -> Any:
            async for value in running:
                return value
            return _END

        return (lambda: begun(event_loop.run(following()))), (lambda: event_loop.run(following()))
    if hasattr(running, "__aenter__"):
        return (lambda: event_loop.run(running.__aenter__())), (
            lambda: (event_loop.run(running.__aexit__(None, None, None)), _END)[1]
        )
    return running.__enter__, (lambda: (running.__exit__(None, None, None), _END)[1])


def begun(value: Any) -> Any:
    if value is _END:
        raise TypeError("the set-up ends without a `yield` of the body")
    return value


def declared() -> list[Declared]:
    """All benchmarks, in declaration order."""
    found: list[Declared] = []
    marked = [entry for entry in REGISTRY if isinstance(entry, Marked)]
    methods = {id(entry.what): entry for entry in marked if not inspect.isclass(entry.what)}
    classes = [entry.what for entry in marked if inspect.isclass(entry.what)]
    called = [entry.what for entry in marked if entry.is_added and not has_any(entry.what, methods)]
    classes = [owner for owner in classes if owner not in called]
    of_classes = {id(function) for owner in classes for function in functions_of(owner).values()}
    for entry in REGISTRY:
        if isinstance(entry, Declared):
            found.append(entry)
        elif entry.what in classes:
            found += of_class(entry.what, entry.options, methods)
        elif id(entry.what) not in of_classes:
            found.append(of_function(entry, entry.options, owner_of(entry.what)))
    return found


def has_any(owner: Any, methods: dict[int, Marked]) -> bool:
    """Whether this is a class with marked methods."""
    return inspect.isclass(owner) and any(id(function) in methods for function in functions_of(owner).values())


def is_bound(function: Any) -> bool:
    """Whether this is a bound method, which can be called as is."""
    own = getattr(function, "__self__", None)
    return own is not None and not inspect.ismodule(own)


def functions_of(owner: type) -> dict[str, Any]:
    """The functions of a class, including inherited ones."""
    static = {name: inspect.getattr_static(owner, name) for base in reversed(owner.__mro__) for name in vars(base)}
    return {name: getattr(method, "__func__", method) for name, method in static.items()}


def of_class(owner: type, options: Options, methods: dict[int, Marked]) -> list[Declared]:
    """The benchmarks of a class, including inherited ones."""
    found = []
    for function in functions_of(owner).values():
        entry = methods.get(id(function))
        if entry is not None:
            found.append(of_function(entry, entry.options.over(options), owner))
    if not found:
        wrong = Declared(options.get("name") or owner.__name__, options, None, *place_of(owner))
        wrong.invalid = f"`{owner.__qualname__}` has no benchmark: mark methods with `@tare.bench`"
        found.append(wrong)
    return found


def of_function(entry: Marked, options: Options, owner: type | None) -> Declared:
    function = entry.what
    if owner is not None and options.get("group") is None and "/" not in entry.name:
        options = Options({"group": owner.__name__}).over(options)
    name = entry.name or getattr(function, "__name__", None) or type(function).__name__
    found = Declared(
        name,
        options,
        FunctionForm(function, options, owner),
        *place_of(function),
        first_line(getattr(function, "__doc__", "")),
    )
    found.code = {
        "namespace": getattr(function, "__module__", None) or "",
        "method": getattr(function, "__name__", name),
    }
    if owner is not None:
        found.code["type"] = owner.__qualname__
    elif is_bound(function) or inspect.isclass(function):
        pass  # it needs no instance
    elif "." in getattr(function, "__qualname__", "").rpartition("<locals>.")[2]:
        found.invalid = "its class is local to a function: mark the class with `@tare.bench()` too"
    return found


def owner_of(function: Any) -> type | None:
    """The class whose instance a function needs, if it is a method."""
    if is_bound(function) or inspect.isclass(function):
        return None
    path = getattr(function, "__qualname__", "").split(".")[:-1]
    if not path or "<locals>" in path:
        return None
    what: Any = sys.modules.get(getattr(function, "__module__", ""))
    for name in path:
        what = getattr(what, name, None)
    return what if inspect.isclass(what) else None


def place_of(what: Any) -> tuple[str, int]:
    try:
        what = inspect.unwrap(what)
    except ValueError:
        pass
    code = getattr(what, "__code__", None)
    if code is not None:
        return code.co_filename, code.co_firstlineno
    try:
        return inspect.getsourcefile(what) or "", inspect.getsourcelines(what)[1]
    except (TypeError, OSError):
        return "", 0
