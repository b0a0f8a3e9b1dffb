"""Suites of asv: `time_*`, `timeraw_*`, `mem_*`, `peakmem_*` and `track_*`, as functions and as methods of classes, with `params`,
`setup`, `teardown` and `setup_cache`."""

from __future__ import annotations

import inspect
import itertools
import os
import pickle
import re
import subprocess
import sys
import zlib
from typing import TYPE_CHECKING, Any

from .._declare import Declared, Options, values_of
from .._forms import place_of
from .._helpers import Skipped, first_line, once_per_run
from .._loop import Call
from .._opened import Opened

if TYPE_CHECKING:
    from .._opened import Serve

_NAME = re.compile(r"^(time|timeraw|mem|peakmem|track)_\w+|^(Time|Timeraw|Mem|PeakMem|Track)[A-Z_]\w+")
_KINDS = {"timeraw": "timeraw", "time": "time", "mem": "mem", "peakmem": "mem", "track": "track"}
# The code for the fresh interpreter of `timeraw_*`, which gets the benchmark on its standard input.
_FRESH = "import sys; from timeit import timeit; b, c, n = eval(sys.stdin.read()); print(repr(timeit(c, b, number=n)))"
_FRONT_END = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOTE = "asv's `number`, `repeat`, `rounds`, `sample_time` and `warmup_time` have no effect: `tare` decides how much to measure"


_CACHED = ".tare-setup-cache.pickle"


class AsvForm:
    """A benchmark with its set-ups; those of the module come before those of the class."""

    def __init__(self, function: Any, owner: Any, module: Any, kind: str, method: str = "") -> None:
        self.function, self.owner, self.module, self.kind = function, owner, module, kind
        self.method = method or function.__name__
        has_set_up = any(hasattr(one, "setup") for one in (owner, function) if one)
        self.is_single = self.attribute("number") == 1 and has_set_up and kind != "timeraw"
        self.set_ups = ["iteration", "iteration-clean-up"] if self.is_single else ["global", "global-clean-up"]
        self.notes = (
            [NOTE]
            if any(self.attribute(name) is not None for name in ("repeat", "rounds", "sample_time", "warmup_time"))
            else []
        )
        self.notes += [NOTE] if self.attribute("number") not in (None, 1) and not self.notes else []

    def attribute(self, name: str) -> Any:
        """An attribute of the function, its class or its module; the first one wins."""
        sources = (source for source in (self.function, self.owner, self.module) if hasattr(source, name))
        return getattr(next(sources, None), name, None)

    def run(self, values: dict[str, Any], serve: Serve) -> None:
        here = os.getcwd()
        try:
            self.run_here(values, serve)
        finally:
            os.chdir(here)

    def run_here(self, values: dict[str, Any], serve: Serve) -> None:
        instance = self.owner() if self.owner is not None else None
        if tuple(values.values()) in [tuple(row) for row in self.attribute("skip_params") or []]:
            raise Skipped("`skip_params` has these values")
        arguments = [*self.cached(instance), *values.values()]
        body = getattr(instance, self.method) if instance is not None else self.function
        sources = [self.module, *([instance] if instance is not None else []), self.function]
        steps = {
            name: [getattr(source, name) for source in sources if hasattr(source, name)]
            for name in ("setup", "teardown")
        }

        def set_up() -> None:
            for step in steps["setup"]:
                step(*arguments)

        def tear_down() -> None:
            for step in reversed(steps["teardown"]):
                step(*arguments)

        if self.is_single:
            serve(Opened(call=Call(body, arguments), iteration_set_up=set_up, iteration_clean_up=tear_down))
        else:
            try:
                set_up()
            except NotImplementedError as reason:
                raise Skipped(str(reason) or "its set-up raises NotImplementedError") from None
            if self.kind == "timeraw":
                code = body(*arguments)
                code, before = code if isinstance(code, tuple) else (code, "")
                code, before = inspect.cleandoc(code), inspect.cleandoc(before)
                serve(Opened(whole=lambda count: sum(in_fresh_interpreter(code, before) for _ in range(count))))
            else:
                serve(Opened(call=Call(body, arguments)))
            tear_down()

    def cached(self, instance: Any) -> list[Any]:
        """The result of `setup_cache`, made once per run. It may write files too, so it and the benchmark run in a folder of their own."""
        make = self.attribute("setup_cache") if instance is None else getattr(instance, "setup_cache", None)
        make = make or getattr(self.module, "setup_cache", None)
        if make is None:
            return []
        unique = zlib.crc32(str(getattr(self.module, "__file__", "")).encode("utf-8", "replace"))
        place = "{}-{}".format(self.module.__name__, getattr(make, "__qualname__", "setup_cache"))
        name = "asv-{}-{:08x}".format(re.sub(r"[^\w.-]", "", place), unique)

        def write(path: str) -> None:
            os.mkdir(path)
            os.chdir(path)
            with open(_CACHED, "wb") as file:
                pickle.dump(make(), file)

        os.chdir(once_per_run(name, write))
        with open(_CACHED, "rb") as file:
            value = pickle.load(file)
        return [] if value is None else [value]


def in_fresh_interpreter(code: str, before: str) -> float:
    """The seconds that the code takes in a new process that has imported neither the suite nor this front end."""
    path = [entry for entry in sys.path if entry and os.path.abspath(entry) != _FRONT_END]
    environment = {name: value for name, value in os.environ.items() if name != "TARE_LINK"}
    environment["PYTHONPATH"] = os.pathsep.join(path)
    done = subprocess.run(
        [sys.executable, "-c", _FRESH],
        input=repr((before or "pass", code, 1)),
        env=environment,
        capture_output=True,
        text=True,
    )
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        said = done.stderr.strip().splitlines()
        raise RuntimeError(said[-1] if said else "its interpreter ended with status {}".format(done.returncode))
    return float(lines[-1])


def read(file: str) -> list[Declared]:
    from .._load import imported

    module = imported(file)
    found: list[Declared] = []
    for name, what in vars(module).items():
        if getattr(what, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(what) and not name.startswith("_") and not inspect.isabstract(what):
            methods = [(method, getattr(what, method)) for method in dir(what) if kind_of(method)]
            found += [declared(f, what, module, method) for method, f in methods if inspect.isroutine(f)]
        elif inspect.isfunction(what) and kind_of(name):
            found.append(declared(what, None, module, name))
    return found


def kind_of(name: str) -> str:
    match = _NAME.match(name)
    return _KINDS[(match.group(1) or match.group(2)).lower()] if match else ""


def declared(function: Any, owner: Any, module: Any, method: str) -> Declared:
    kind = kind_of(method)
    form = AsvForm(function, owner, module, kind, method)
    options: dict[str, Any] = {"group": owner.__name__ if owner is not None else ""}
    if getattr(function, "skip_benchmark", False):
        options["skip"] = "it is marked with `skip_benchmark`"
    if kind == "track":
        options["skip"] = "it returns a number that is not a time"
    if kind == "mem":
        options["diagnose"] = ["memory"]
    if kind == "timeraw":
        options.update(own_time=True, waits=True, invocations_max=1)
    about = form.attribute("pretty_name") or first_line(function.__doc__)
    benchmark = Declared(method, Options(options), form, *place_of(function), about)
    benchmark.code = {
        "namespace": module.__name__,
        "method": method,
        **({"type": owner.__qualname__} if owner else {}),
    }
    params = form.attribute("params")
    if params:
        columns = list(params) if isinstance(params[0], (tuple, list)) else [params]
        names = list(form.attribute("param_names") or []) + [f"param{at + 1}" for at in range(len(columns))]
        benchmark.rows = [
            dict(zip(names, row)) for row in itertools.product(*(values_of(column) for column in columns))
        ]
    return benchmark
