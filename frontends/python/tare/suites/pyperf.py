"""Scripts of pyperf: `Runner().bench_func`, `timeit` and the like.

The script runs to its end once to find its benchmarks, and again for the opened benchmark, which is measured where the script declares
it. Only pyperf's `Runner` is replaced; if pyperf is not installed, a substitute provides the names that scripts use.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import runpy
import sys
import time
import types
from typing import TYPE_CHECKING, Any, Callable

from .._declare import Declared, Options
from .._forms import EventLoop
from .._loop import Call
from .._opened import Opened
from .._statement import StatementForm

if TYPE_CHECKING:
    from .._opened import Serve

NOTE = "pyperf's options of a `Runner` (values, processes, loops, warmups) have no effect: `tare` decides how much to measure"


class Found(BaseException):
    """Raised when the opened benchmark has been measured, because the rest of the script need not run."""


class NeedsChoice(BaseException):
    """Raised when the script needs arguments that were not given, with all available choices."""

    def __init__(self, choices: list[tuple[str, ...]]) -> None:
        self.choices = choices


class Script:
    """A script, and the purpose of its runs."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.benchmarks: list[Declared] = []
        self.wanted: int | None = None  # the benchmark to open in this run of the script
        self.next = 0
        self.serve: Serve | None = None
        self.has_options = False
        self.given = sys.argv[1:]
        self.chosen: tuple[str, ...] = ()  # required arguments, from the choices that the script offers

    def run(self) -> None:
        self.next = 0
        sys.argv = [self.file, *self.chosen, *self.given]
        runpy.run_path(self.file, run_name="__main__")

    def run_with_all_choices(self) -> None:
        """Runs the script; if it requires one of several arguments, once for each of them."""
        try:
            self.run()
        except NeedsChoice as needed:
            self.benchmarks.clear()
            for self.chosen in needed.choices:
                self.run()
            self.tell_apart()

    def tell_apart(self) -> None:
        """Makes the arguments a parameter if benchmarks with different arguments have the same name."""
        names = [declared.name for declared in self.benchmarks]
        for declared in self.benchmarks:
            if names.count(declared.name) > 1:
                words = [word for word in declared.form.chosen if not word.startswith("-")]
                declared.options = Options({**declared.options.given, "params": {"argument": [" ".join(words)]}})

    def benchmark(self, name: str, form: Any, options: dict[str, Any] | None = None, skip: str = "") -> None:
        """Records a benchmark, or measures it if it is the wanted one."""
        index, self.next = self.next, self.next + 1
        if self.wanted is None:
            place = sys._getframe(2)
            declared = Declared(
                name,
                Options({"group": "", **(options or {}), **({"skip": skip} if skip else {})}),
                OfScript(self, index, form),
                place.f_code.co_filename,
                place.f_lineno,
            )
            self.benchmarks.append(declared)
        elif index == self.wanted:
            assert self.serve is not None
            form.run({}, self.serve)
            raise Found()


class OfScript:
    """A benchmark of a script, which is run again up to it."""

    def __init__(self, script: Script, index: int, form: Any) -> None:
        self.script, self.index, self.form, self.chosen = script, index, form, script.chosen
        self.notes = [NOTE] if script.has_options else []

    def wrong(self, values: dict[str, Any]) -> str:
        wrong = getattr(self.form, "wrong", None)
        return wrong(values) if wrong else ""

    def run(self, values: dict[str, Any], serve: Serve) -> None:
        self.script.wanted, self.script.serve, self.script.chosen = self.index, serve, self.chosen
        try:
            self.script.run()
        except Found:
            pass


class CallForm:
    """A function with its arguments. If it is asynchronous, each call is awaited."""

    def __init__(self, function: Callable[..., Any], arguments: Any = (), loop_factory: Any = None) -> None:
        self.function, self.arguments, self.loop_factory = function, arguments, loop_factory

    def run(self, values: dict[str, Any], serve: Serve) -> None:
        event_loop = EventLoop(self.loop_factory)
        serve(Opened(call=Call(self.function, self.arguments), run_async=event_loop.run))
        event_loop.close()


class WholeForm:
    """A function that takes the number of loops and returns their total time in seconds."""

    def __init__(self, function: Callable[..., float], arguments: Any) -> None:
        self.function, self.arguments = function, arguments

    def run(self, values: dict[str, Any], serve: Serve) -> None:
        serve(Opened(whole=lambda loops: self.function(loops, *self.arguments)))


def runner_of(script: Script) -> type:
    class Runner:
        """Replaces pyperf's `Runner`: declares benchmarks instead of measuring them."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            script.has_options = script.has_options or any(
                value is not None for name, value in options.items() if name not in ("metadata", "program_args")
            )
            self.metadata: dict[str, Any] = dict(options.get("metadata") or {})
            self.argparser = argparse.ArgumentParser()
            self.args: Any = None

        def parse_args(self, arguments: list[str] | None = None) -> Any:
            if self.args is None:
                if arguments is None and not script.chosen:
                    choose(self.argparser, script.given)
                self.args, _ = self.argparser.parse_known_args(arguments)
            return self.args

        def bench_func(self, name: str, function: Any, *arguments: Any, **options: Any) -> None:
            script.benchmark(name, CallForm(function, arguments), counted(options))

        def bench_async_func(self, name: str, function: Any, *arguments: Any, **options: Any) -> None:
            script.benchmark(name, CallForm(function, arguments, options.get("loop_factory")), counted(options))

        def bench_time_func(self, name: str, function: Any, *arguments: Any, **options: Any) -> None:
            script.benchmark(
                name, WholeForm(function, arguments), {**counted(options), "own_time": True, "restarts": True}
            )

        def bench_command(self, name: str, command: Any) -> None:
            script.benchmark(name, None, skip="it is a whole command: measure it with `tare time`")

        bench_sample_func = bench_time_func

        def timeit(
            self,
            name: str,
            stmt: Any = None,
            setup: Any = "pass",
            teardown: Any = "pass",
            inner_loops: Any = None,
            duplicate: Any = None,
            metadata: Any = None,
            globals: Any = None,
        ) -> None:
            code = name if stmt is None else stmt
            joined = [
                text if isinstance(text, str) else "\n".join(text) for text in (code, setup or "", teardown or "")
            ]
            script.benchmark(
                name,
                StatementForm(joined[0], joined[1], joined[2], dict(globals or {})),
                counted({"inner_loops": inner_loops}),
            )

    return Runner


def choose(parser: argparse.ArgumentParser, given: list[str]) -> None:
    """Raises `NeedsChoice` if the script requires more arguments than are given."""
    needed = [
        action
        for action in parser._actions
        if action.required
        and action.nargs in (None, 1, "+")
        and not any(word in given for word in action.option_strings)
    ]
    positional = [word for word in given if not word.startswith("-")]
    needed = [action for action in needed if action.option_strings or not positional]
    if not needed:
        return
    for action in needed:
        if action.choices is None:
            name = action.option_strings[0] if action.option_strings else action.dest
            raise ValueError(
                f"the script needs an argument, `{name}`: give it a default, or `choices`, each of which is then measured"
            )
    each = [[(*action.option_strings[:1], str(choice)) for choice in (action.choices or ())] for action in needed]
    raise NeedsChoice([tuple(itertools.chain(*words)) for words in itertools.product(*each)])


def counted(options: dict[str, Any]) -> dict[str, Any]:
    return {"operations": options["inner_loops"]} if options.get("inner_loops") else {}


def read(file: str) -> list[Declared]:
    script = Script(file)
    try:
        module = importlib.import_module("pyperf")
    except ModuleNotFoundError:
        module = types.ModuleType("pyperf")
        module.perf_counter = time.perf_counter  # type: ignore[attr-defined]
        module.python_implementation = lambda: sys.implementation.name  # type: ignore[attr-defined]
        module.python_has_jit = lambda: sys.implementation.name == "pypy"  # type: ignore[attr-defined]
        sys.modules["pyperf"] = module
    module.Runner = runner_of(script)  # type: ignore[attr-defined]
    try:
        script.run_with_all_choices()
    except BaseException as thrown:
        if not script.benchmarks:
            raise
        from .._load import failed

        # What it does with results, which are not there, does not cost what it has declared before.
        is_end = isinstance(thrown, SystemExit) and not thrown.code
        return script.benchmarks if is_end else [*script.benchmarks, failed(file, thrown)]
    return script.benchmarks
