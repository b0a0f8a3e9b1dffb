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
from typing import TYPE_CHECKING, Any

from .._declare import Declared, Options, values_of
from .._forms import place_of
from .._helpers import first_line, once_per_run
from .._loop import Call
from .._opened import Opened

if TYPE_CHECKING:
    from .._opened import Serve

_NAME = re.compile(r"^(time|timeraw|mem|peakmem|track)_\w+|^(Time|Timeraw|Mem|PeakMem|Track)[A-Z_]\w+")
_KINDS = {"timeraw": "timeraw", "time": "time", "mem": "mem", "peakmem": "mem", "track": "track"}
# What the fresh interpreter of a `timeraw_*` does: the code comes on its standard input.
_FRESH = "import sys; from timeit import timeit; b, c, n = eval(sys.stdin.read()); print(repr(timeit(c, b, number=n)))"
_FRONT_END = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOTE = "asv's `number`, `repeat`, `rounds`, `sample_time` and `warmup_time` have no effect: `tare` decides how much to measure"


class AsvForm:
    """A benchmark with its set-ups: those of the module come before those of its class."""

    def __init__(self, function: Any, owner: Any, module: Any, kind: str) -> None:
        self.function, self.owner, self.module, self.kind = function, owner, module, kind
        self.is_single = self.attribute("number") == 1 and hasattr(owner or function, "setup") and kind != "timeraw"
        self.set_ups = ["iteration", "iteration-clean-up"] if self.is_single else ["global", "global-clean-up"]
        self.notes = (
            [NOTE]
            if any(self.attribute(name) is not None for name in ("repeat", "rounds", "sample_time", "warmup_time"))
            else []
        )
        self.notes += [NOTE] if self.attribute("number") not in (None, 1) and not self.notes else []

    def attribute(self, name: str) -> Any:
        return getattr(self.function, name, getattr(self.owner, name, None))

    def run(self, values: dict[str, Any], serve: Serve) -> None:
        instance = self.owner() if self.owner is not None else None
        arguments = [*self.cached(instance), *values.values()]
        body = getattr(instance, self.function.__name__) if instance is not None else self.function
        sources = [self.module, instance if instance is not None else self.function]
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
                from .._helpers import Skipped

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
        """What `setup_cache` returns, made once per run."""
        make = getattr(instance if instance is not None else self.function, "setup_cache", None) or getattr(
            self.module, "setup_cache", None
        )
        if make is None:
            return []
        name = "asv-{}.pickle".format(getattr(make, "__qualname__", "setup_cache").replace("<", "").replace(">", ""))

        def write(path: str) -> None:
            with open(path, "wb") as file:
                pickle.dump(make(), file)

        with open(once_per_run(name, write), "rb") as file:
            value = pickle.load(file)
        return [] if value is None else [value]


def in_fresh_interpreter(code: str, before: str) -> float:
    """Seconds that the code takes in a new process, in which nothing is imported: neither the suite nor this front end."""
    path = [entry for entry in sys.path if entry and os.path.abspath(entry) != _FRONT_END]
    environment = {name: value for name, value in os.environ.items() if name != "TARE_LINK"}
    environment["PYTHONPATH"] = os.pathsep.join(path)
    done = subprocess.run(
        [sys.executable, "-c", _FRESH],
        input=repr((before or "pass", code, 1)),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
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
        if inspect.isclass(what) and not name.startswith("_"):
            found += [declared(getattr(what, method), what, module) for method in dir(what) if kind_of(method)]
        elif inspect.isfunction(what) and kind_of(name):
            found.append(declared(what, None, module))
    return found


def kind_of(name: str) -> str:
    match = _NAME.match(name)
    return _KINDS[(match.group(1) or match.group(2)).lower()] if match else ""


def declared(function: Any, owner: Any, module: Any) -> Declared:
    kind = kind_of(function.__name__)
    form = AsvForm(function, owner, module, kind)
    options: dict[str, Any] = {"group": owner.__name__ if owner is not None else ""}
    if kind == "track":
        options["skip"] = "it returns a number that is not a time"
    if kind == "mem":
        options["diagnosers"] = ["memory"]
    if kind == "timeraw":
        options.update(own_time=True, waits=True, invocations_max=1)
    about = form.attribute("pretty_name") or first_line(function.__doc__)
    benchmark = Declared(function.__name__, Options(options), form, *place_of(function), about)
    benchmark.code = {
        "namespace": module.__name__,
        "method": function.__name__,
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
