"""Tests with the fixture `benchmark` of pytest-benchmark or pytest-codspeed, or with their marks, whether or not these are installed.

pytest collects them. To open one, its set-up and the test run as in pytest, and the call of `benchmark` is measured. A test with the mark
but without the fixture is measured as a whole, as in pytest-codspeed.
"""

from __future__ import annotations

import inspect
import os
import sys
from typing import TYPE_CHECKING, Any, Callable

from .._declare import Declared, Options, values_of
from .._forms import EventLoop
from .._helpers import BenchmarkError, Skipped, first_line
from .._loop import INPUT, Call
from .._opened import Opened
from .._refused import is_users

if TYPE_CHECKING:
    from .._opened import Serve

FIXTURES = ("benchmark", "benchmark_weave", "codspeed_benchmark")
MARKS = ("benchmark", "codspeed_benchmark")
NOTE = "pytest-benchmark's rounds, times and iterations have no effect: `tare` decides how much to measure"


class Fixture:
    """The fixture `benchmark`: measures the function it is called with, and returns the function's result."""

    disabled = False
    enabled = True
    stats = None  # as with --benchmark-disable

    def __init__(self, plugin: Plugin, item: Any) -> None:
        self._plugin = plugin
        self.name = item.name
        self.fullname = item.nodeid
        self.group: str | None = None
        self.extra_info: dict[str, Any] = {}
        self.params = dict(getattr(getattr(item, "callspec", None), "params", {}))
        self.param = None
        self._is_used = False

    def __call__(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        return self._measured(Call(function, arguments, named), lambda: function(*arguments, **named))

    def pedantic(
        self,
        target: Callable[..., Any],
        args: Any = (),
        kwargs: Any = None,
        setup: Any = None,
        teardown: Any = None,
        rounds: int = 1,
        warmup_rounds: int = 0,
        iterations: int = 1,
    ) -> Any:
        self._plugin.notes.append(NOTE)
        if setup is None and teardown is None:
            return self._measured(Call(target, args, kwargs), lambda: target(*args, **(kwargs or {})))

        made: list[Any] = []

        def make_input() -> Any:
            given = setup() if setup else None
            made.append(given if given is not None else (args, kwargs or {}))
            return made[-1]

        def body(given: Any) -> Any:
            return target(*given[0], **given[1])

        def clean_up() -> None:
            for given in made:
                if teardown is not None:
                    teardown(*given[0], **given[1])
            made.clear()

        opened = Opened(call=Call(body, [INPUT]), make_input=make_input, iteration_clean_up=clean_up)
        return self._measured(opened, lambda: body(make_input()))

    def weave(self, *arguments: Any, **named: Any) -> None:
        import pytest

        pytest.skip("`benchmark.weave` replaces functions of other code, which cannot be measured here")

    patch = weave

    def _measured(self, what: Any, once: Callable[[], Any]) -> Any:
        serve = self._plugin.serve
        if self._is_used:
            raise RuntimeError("it calls `benchmark` twice: each test measures one function")
        self._is_used = True
        if serve is not None:
            serve(what if isinstance(what, Opened) else Opened(call=what))
        return once()


def has_fixture(item: Any) -> bool:
    return bool(set(FIXTURES) & set(getattr(item, "fixturenames", ())))


def is_measured_whole(item: Any) -> bool:
    """Whether it has the mark but not the fixture."""
    return any(item.get_closest_marker(name) for name in MARKS) and not has_fixture(item)


def cannot_be_called(item: Any) -> str:
    """The reason why a marked test is not measured; empty if it is."""
    import pytest

    is_function = isinstance(item, pytest.Function) and not is_of_unittest(item)
    return "" if is_function or has_fixture(item) else "its runner is not pytest's own: make it a function of pytest"


def is_of_unittest(item: Any) -> bool:
    import unittest

    return isinstance(getattr(item, "cls", None), type) and issubclass(item.cls, unittest.TestCase)


class Plugin:
    """Changes pytest's behaviour: provides the fixtures, and runs no test until it is opened."""

    def __init__(self) -> None:
        self.session: Any = None
        self.items: list[Any] = []
        self.serve: Serve | None = None
        self.notes: list[str] = []
        self.errors: list[BaseException] = []
        self.skipped: dict[str, str] = {}  # reasons, by pytest's name of a file or class

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        if report.when == "collect":
            # pytest's import error has the original exception as its cause.
            self.errors.append(call.excinfo.value.__cause__ or call.excinfo.value)

    def pytest_collectreport(self, report: Any) -> None:
        if report.skipped:
            self.skipped[report.nodeid] = reason_of(report)

    def pytest_runtestloop(self, session: Any) -> bool:
        self.session = session
        self.items = [item for item in session.items if has_fixture(item) or is_measured_whole(item)]
        self.opened_later(session)
        return True

    def pyfunc_call(self, pyfuncitem: Any) -> bool | None:
        """Calls a test, or measures it as a whole. A coroutine test that no plugin has wrapped gets its own event loop."""
        is_whole = is_measured_whole(pyfuncitem)
        if self.serve is None or not (is_whole or inspect.iscoroutinefunction(pyfuncitem.obj)):
            return None
        names = pyfuncitem._fixtureinfo.argnames
        call = Call(pyfuncitem.obj, (), {name: pyfuncitem.funcargs[name] for name in names})
        event_loop = EventLoop(None)
        try:
            opened = Opened(call=call, run_async=event_loop.run)
            if is_whole:
                self.serve(opened)
            else:
                opened.once([])
        finally:
            event_loop.close()
        return True

    def opened_later(self, session: Any) -> None:
        """Replaced by `read`, to answer the host while the pytest session is open."""

    def fixture_of(self, item: Any) -> Fixture:
        return Fixture(self, item)


class TestForm:
    __test__ = False
    set_ups = ["global", "global-clean-up"]

    def __init__(self, plugin: Plugin, item: Any) -> None:
        self.plugin, self.item, self.notes = plugin, item, plugin.notes

    def run(self, values: dict[str, Any], serve: Serve) -> None:
        from _pytest.runner import call_and_report

        item, failures = self.item, []
        self.plugin.serve = serve
        if not hasattr(item, "_request") or not item._request:
            item._initrequest()
        try:
            reports = [call_and_report(item, "setup", log=False)]
            if reports[0].passed:
                reports.append(call_and_report(item, "call", log=False))
            reports.append(call_and_report(item, "teardown", log=False, nextitem=None))
        finally:
            self.plugin.serve = None
            item._request, item.funcargs = False, None  # allows opening it again
        for report in reports:
            if report.skipped and hasattr(report, "wasxfail"):
                raise Skipped("pytest expects it to fail" + (": " + report.wasxfail if report.wasxfail else ""))
            if report.skipped:
                raise Skipped(reason_of(report))
            if report.failed:
                failures.append(report)
        if failures:
            raise PytestError(failures[0])


def reason_of(report: Any) -> str:
    """The reason why pytest skipped something."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.replace("Skipped: ", "", 1)


class PytestError(BenchmarkError):
    """A failure of a test as reported by pytest."""

    def __init__(self, report: Any) -> None:
        crash = getattr(report.longrepr, "reprcrash", None)
        # Of a fixture that is not there, and of others.
        words = getattr(report.longrepr, "errorstring", "") if crash is None else crash.message
        text = words.splitlines()[0] if words else str(report.longrepr).splitlines()[-1]
        self.place = place_of(report.longrepr)
        step = {"setup": "its set-up", "call": "the test", "teardown": "its clean-up"}[report.when]
        super().__init__("{} failed: {}".format(step, text))


def place_of(found: Any) -> tuple[str, int] | None:
    """The last line of a traceback outside the front end."""
    crash = getattr(found, "reprcrash", None)
    entries = getattr(getattr(found, "reprtraceback", None), "reprentries", [])
    places = [entry.reprfileloc for entry in entries if getattr(entry, "reprfileloc", None) is not None]
    if crash is not None and (is_users(str(crash.path)) or not places):
        return str(crash.path), crash.lineno
    users = [place for place in places if is_users(str(place.path))]
    return (os.path.abspath(str(users[-1].path)), users[-1].lineno) if users else None


def expected_to_fail(item: Any) -> str | None:
    """The reason why pytest expects a test to fail (`xfail`), if it does."""
    try:
        from _pytest.skipping import evaluate_xfail_marks
    except ImportError:
        return None  # before pytest 6
    expected = evaluate_xfail_marks(item)
    return None if expected is None else "pytest expects it to fail" + (expected.reason and ": " + expected.reason)


def read(file: str) -> list[Declared]:
    """Reads the tests of a file that use the fixture. Normally it does not return: the host is answered within the pytest session."""
    try:
        import pytest
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"its tests need pytest, which `{sys.executable}` does not have") from None
    from .. import _main

    plugin = Plugin()

    class Fixtures:
        @pytest.fixture
        def benchmark(self, request: Any) -> Fixture:
            return plugin.fixture_of(request.node)

        @pytest.fixture
        def codspeed_benchmark(self, request: Any) -> Fixture:
            return plugin.fixture_of(request.node)

        @pytest.fixture
        def benchmark_weave(self, request: Any) -> Fixture:
            return plugin.fixture_of(request.node)

        @pytest.hookimpl(tryfirst=True)
        def pytest_pyfunc_call(self, pyfuncitem: Any) -> Any:
            return plugin.pyfunc_call(pyfuncitem)

    class Start:
        @pytest.hookimpl(trylast=True)
        def pytest_configure(self, config: Any) -> None:
            for name in MARKS:
                config.addinivalue_line("markers", name + ": options of a benchmark")
            # pytest-benchmark rejects any other fixture of this name after each step of a test. Its declarations (options, hooks, fixtures)
            # remain available.
            if config.pluginmanager.hasplugin("benchmark"):
                config.pluginmanager.unregister(name="benchmark")
            # Registered after pytest-benchmark's fixtures, so that it overrides them.
            config.pluginmanager.register(Fixtures(), "tare-fixtures")

    found: list[Declared] = []

    def opened_later(session: Any) -> None:
        found.extend(distinct([declared(plugin, item) for item in plugin.items]))
        found.extend(passed_over(file, place, reason) for place, reason in plugin.skipped.items())
        if not found and plugin.errors:
            raise plugin.errors[0]
        link = _main._LINK[0] if _main._LINK else None
        if link is not None:
            _main.serve(link, found)
        from .._once import each

        os._exit(each(found))

    plugin.opened_later = opened_later  # type: ignore[method-assign]
    mode = "importlib" if needs_importlib(file) else "prepend"
    blocked = [word for name in ("tare", "cacheprovider", "xdist", "cov") for word in ("-p", "no:" + name)]
    words = [*blocked, "-q", "--capture=no", "-o", "addopts=", "--import-mode=" + mode, file]
    pytest.main(words, plugins=[plugin, Start()])
    if plugin.errors:
        raise plugin.errors[0]
    return found


def needs_importlib(file: str) -> bool:
    """Whether a module of that name is already loaded, by the front end or the standard library."""
    return os.path.splitext(os.path.basename(file))[0] in sys.modules


def declared(plugin: Plugin, item: Any) -> Declared:
    marks: dict[str, Any] = {}
    for name in MARKS:
        for mark in item.iter_markers(name):
            marks = {**mark.kwargs, **marks}
    if set(marks) - {"group"} and NOTE not in plugin.notes:
        plugin.notes.append(NOTE)
    owner = getattr(item, "cls", None)
    group = marks.get("group") or (owner.__name__ if owner is not None else "")
    options: dict[str, Any] = {"group": group}
    reason = expected_to_fail(item) or cannot_be_called(item)
    if reason:
        options["skip"] = reason
    name = getattr(item, "originalname", None) or item.name
    found = Declared(
        name,
        Options(options),
        TestForm(plugin, item),
        str(item.path if hasattr(item, "path") else item.fspath),
        item.location[1] + 1,
        first_line(getattr(item.function, "__doc__", "")),
    )
    found.code = {"namespace": item.module.__name__, "method": name, **({"type": owner.__qualname__} if owner else {})}
    found.code["full"] = item.nodeid  # as selected in pytest
    params = getattr(getattr(item, "callspec", None), "params", {})
    found.rows = [{name: values_of([value])[0] for name, value in params.items()}]
    return found


def passed_over(file: str, place: str, reason: str) -> Declared:
    """A whole file or class that pytest does not collect, because of `pytest.importorskip` or `pytest.skip`."""
    name = place.rpartition("::")[2] if "::" in place else os.path.splitext(os.path.basename(file))[0]
    found = Declared(name, Options({"skip": reason}), None, file, 1)
    found.rows = [{}]
    return found


def distinct(benchmarks: list[Declared]) -> list[Declared]:
    """Distinguishes cases whose parameters have the same texts, by pytest's ids."""
    known: dict[Any, int] = {}
    keys = [
        (one.group, one.name, tuple((name, value.text) for name, value in one.parameters()[0].items()))
        for one in benchmarks
    ]
    for key in keys:
        known[key] = known.get(key, 0) + 1
    for key, one in zip(keys, benchmarks):
        if known[key] > 1:
            callspec = getattr(one.form.item, "callspec", None)
            one.rows = [{"id": values_of([callspec.id if callspec is not None else one.form.item.nodeid])[0]}]
    return benchmarks
