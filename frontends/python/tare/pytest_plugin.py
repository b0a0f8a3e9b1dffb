"""The pytest plugin: `pytest --tare` measures the tests with the fixture `benchmark`, using the command `tare`.

Without the option, and if pytest-benchmark is not installed, the fixture runs its function once.
"""

import os
import shlex
import shutil
import subprocess
from typing import Any, Callable, Dict, List, Optional

import pytest

FIXTURES = {"benchmark", "benchmark_weave"}


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("tare", "benchmarks measured by tare")
    group.addoption(
        "--tare",
        action="store_true",
        help="measure the tests that use the fixture `benchmark`, with the command `tare`",
    )
    group.addoption(
        "--tare-options", default="", metavar="WORDS", help="options of `tare run`, such as '--quick -o report.html'"
    )


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "benchmark: options of a benchmark")
    if not config.pluginmanager.hasplugin("benchmark"):
        config.pluginmanager.register(Once(), "tare-once")


class Once:
    """The fixture if pytest-benchmark is not installed."""

    @pytest.fixture
    def benchmark(self, request: Any) -> "OneCall":
        return OneCall(request.node.name)


class OneCall:
    """Runs its function once."""

    disabled, enabled, stats = True, False, None

    def __init__(self, name: str) -> None:
        self.name = name
        self.group: Optional[str] = None
        self.extra_info: Dict[str, Any] = {}

    def __call__(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        return function(*arguments, **named)

    def pedantic(
        self,
        target: Callable[..., Any],
        args: Any = (),
        kwargs: Any = None,
        setup: Any = None,
        teardown: Any = None,
        **_: Any,
    ) -> Any:
        given = setup() if setup else None
        args, kwargs = given if given is not None else (args, kwargs or {})
        result = target(*args, **kwargs)
        if teardown:
            teardown(*args, **kwargs)
        return result


def file_of(item: Any) -> str:
    return str(getattr(item, "path", item.fspath))


ALL: Dict[str, Any] = {}


@pytest.hookimpl(hookwrapper=True)
def pytest_pycollect_makeitem(collector: Any) -> Any:
    """Records all tests, even those deselected later, because `tare` names cases in view of all tests of a file."""
    made = (yield).get_result()
    for item in made if isinstance(made, list) else [made]:
        if FIXTURES & set(getattr(item, "fixturenames", ())):
            ALL[item.nodeid] = item


def patterns(items: List[Any]) -> List[str]:
    """Filters that match exactly these tests: program, name and parameters, as shown by `tare`."""
    from .suites.pytest import Plugin, declared, distinct

    selected = {item.nodeid: item for item in items}
    files = {file_of(item) for item in items}
    of_files: Dict[str, List[Any]] = {}
    for item in {**ALL, **selected}.values():
        if file_of(item) in files:
            of_files.setdefault(file_of(item), []).append(item)
    found = []
    for file, of_file in of_files.items():
        name = os.path.basename(file)
        if [os.path.basename(other) for other in of_files].count(name) > 1:
            name = os.path.join(os.path.basename(os.path.dirname(file)), name)
        plugin = Plugin()
        for one in distinct([declared(plugin, item) for item in of_file]):
            if one.form.item.nodeid not in selected:
                continue
            row = one.parameters()[0]
            values = ", ".join("{}={}".format(key, value.text) for key, value in row.items())
            shown = "/".join(filter(None, (one.group, one.name))) + ("[{}]".format(values) if values else "")
            # A pattern with `*` has to match the whole name. Any `*` in the name becomes `?`.
            found.append("*{}:{}".format(name, shown.replace("*", "?")))
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: Any) -> Optional[bool]:
    if not session.config.getoption("--tare"):
        return None
    items = [item for item in session.items if FIXTURES & set(getattr(item, "fixturenames", ()))]
    if not items:
        raise pytest.UsageError("no test uses the fixture `benchmark`")
    program = os.environ.get("TARE") or shutil.which("tare")
    if program is None:
        raise pytest.UsageError("the command `tare` is not on the PATH; the variable TARE may name it")
    files = list(dict.fromkeys(map(file_of, items)))
    chosen = [word for pattern in patterns(items) for word in ("--filter", pattern)]
    words = [program, "run", *files, *chosen, *shlex.split(session.config.getoption("--tare-options"))]
    session.config.get_terminal_writer().line("")
    status = subprocess.run(words, check=False).returncode
    if status:
        pytest.exit(f"`tare` ended with exit code {status}", returncode=status)
    return True
