"""Starts a file for the host: finds the library it is written for, sets import paths, and reports errors in it."""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import importlib.util
import os
import re
import sys

from . import _main
from ._declare import Declared, Options
from ._helpers import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List

    Benchmarks = List[Declared]


STATEMENTS = "--statements"
_PROJECT = ("pyproject.toml", "setup.py", "setup.cfg")
PROJECT_DEPTH = 3  # the maximum depth of folders in which to look for projects of a repository


def start(words: list[str]) -> None:
    """Reads the file and answers the host. Without a host, runs each body once."""
    link = _main.claimed_link()
    if words[0] == STATEMENTS:
        sys.path.insert(0, os.getcwd())
        finish(link, statements(words[1], words[2:]))
    file = os.path.abspath(words[0])
    sys.argv = words[:]
    checkout = checkout_of(file)
    if checkout:
        move(*checkout)
        _main._CHECKOUT.append(checkout)
    sys.path[:0] = [path for path in import_paths(file) if path not in sys.path]
    _main._LOADING.append(file)
    with open(file, "rb") as source:
        text = source.read().decode("utf-8-sig", "replace")
    finish(link, loaded(file, lambda: reader_of(file, text)(file)))


def finish(link: Any, benchmarks: Benchmarks) -> None:
    """Answers the host; without one, runs each body once."""
    if link is None:
        from ._once import each

        sys.exit(each(benchmarks))
    _main.serve(link, benchmarks)


def statements(set_up: str, code: list[str]) -> Benchmarks:
    """Benchmarks of the command line, which are compared with the first."""
    from ._statement import StatementForm

    found = []
    for at, text in enumerate(code):
        name = " ".join(text.split())
        options = Options({"group": "statement", "baseline": at == 0 and len(code) > 1})
        found.append(Declared(name, options, StatementForm(text, set_up)))
    return found


def reader_of(file: str, text: str) -> Callable[[str], Benchmarks]:
    """The function that reads a file: ours, or one for the library that it is written for."""
    if re.search(r"^\s*(import tare\b|from tare\b)", text, re.M):
        return own
    if re.search(r"^\s*(import pyperf\b|from pyperf\b)", text, re.M):
        from .suites.pyperf import read
    elif re.search(
        r"^\s*(async\s+)?def (?:test|bench)\w*\([^)]*\b(codspeed_)?benchmark\w*\b", text, re.M | re.S
    ) or re.search(r"^[^#\n]*\bmark\.(codspeed_)?benchmark\b", text, re.M):
        from .suites.pytest import read
    elif re.search(r"^\s*def (time|timeraw|mem|peakmem|track)_?\w*\(", text, re.M | re.I):
        from .suites.asv import read
    elif re.search(r"^\s*(async\s+)?def (test|\w+\([^)]*\bbenchmark\b)", text, re.M):
        from .suites.pytest import read  # with a fixture from `conftest.py`, or names that pytest's settings tell
    else:
        return own
    return read


def own(file: str) -> Benchmarks:
    from ._forms import declared

    imported(file)
    return declared()


def import_paths(file: str) -> list[str]:
    """The folders to search first for a file's imports: its own and those of its project. So the code of a revision is measured with the
    benchmarks of that revision, whatever version of it is installed."""
    folder = package_root(file)
    paths = [folder]
    above = folder
    while True:
        if any(os.path.isfile(os.path.join(above, name)) for name in _PROJECT):
            paths += [path for path in (os.path.join(above, "src"), above) if os.path.isdir(path)]
            break
        parent = os.path.dirname(above)
        if parent == above or os.path.exists(os.path.join(above, ".git")):
            break
        above = parent
    return list(dict.fromkeys(paths))


def checkout_of(file: str) -> tuple[str, str] | None:
    """The root of the checkout that contains a file, and of the user's files; None if the file is in no checkout."""
    top = os.path.dirname(file)
    while True:
        for mark in (os.path.join(".git", "tare-root"), ".tare-root"):
            try:
                with open(os.path.join(top, mark), encoding="utf-8", errors="surrogateescape") as root:
                    return top, root.read()
            except OSError:
                pass
        if os.path.dirname(top) == top:
            return None
        top = os.path.dirname(top)


def in_users(path: str, top: str, users: str) -> str:
    """The relative path within the user's files, except for installed packages; empty if it is outside."""
    real = os.path.realpath(path)
    others = [os.path.realpath(other) + os.sep for other in (top, sys.prefix, sys.base_prefix)]
    inside = os.path.relpath(real, users)
    return "" if real.startswith(tuple(others)) or inside.split(os.sep)[0] == os.pardir else inside


def moved(path: str, top: str, users: str) -> str:
    """The corresponding path in the checkout, if there is one; else the path itself."""
    inside = in_users(path, top, users) if os.path.isabs(path) else ""
    there = os.path.normpath(os.path.join(top, inside)) if inside else ""
    return there if there and os.path.exists(there) else path


class Moved:
    """Redirects imports of the user's files into the checkout, however they are found: a path, a link, the finder of an editable package."""

    def __init__(self, top: str, users: str) -> None:
        self.tops = top, users

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        for finder in [finder for finder in sys.meta_path if finder is not self and hasattr(finder, "find_spec")]:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                return self.moved(spec)
        return None

    def moved(self, spec: Any) -> Any:
        folders = spec.submodule_search_locations
        there = None if folders is None else [moved(folder, *self.tops) for folder in folders]
        if spec.has_location and moved(spec.origin, *self.tops) != spec.origin:
            return importlib.util.spec_from_file_location(
                spec.name, moved(spec.origin, *self.tops), submodule_search_locations=there
            )
        if not spec.has_location and there is not None and there != list(folders):
            spec.submodule_search_locations = there  # a namespace package
        return spec


def move(top: str, users: str) -> None:
    """Redirects imports into the checkout, because packages of the repository are often installed as editable."""
    sys.path[:] = [moved(path, top, users) for path in sys.path]
    sys.meta_path.insert(0, Moved(top, users))  # type: ignore[arg-type]
    sys.path_importer_cache.clear()


def strange(top: str, users: str) -> str:
    """The error if a revision would measure code other than its own, which would be the same on both sides of a comparison."""
    installed = installed_copies(top, users)
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if not path or not os.path.isabs(path):
            continue
        real = os.path.realpath(path)
        if in_users(path, top, users):
            return f"`{name}` is imported from the working tree ({real}), which the revision lacks: commit its sources"
        if name.partition(".")[0] in installed and not real.startswith(os.path.realpath(top) + os.sep):
            return f"`{name}` is imported as it is installed ({path}), the same for all revisions: `pip install -e` leads to its sources"
    return ""


def installed_copies(top: str, users: str) -> set[str]:
    """Modules of installed packages that are copies of the repository's: installed from its folder, or named like one of its projects."""
    found = set()
    own = projects(top)
    for path in filter(os.path.isdir, sys.path):
        for about in [name for name in os.listdir(path) if name.endswith(".dist-info")]:
            if about.partition("-")[0].lower() in own or is_from(os.path.join(path, about), users):
                with contextlib.suppress(OSError), open(
                    os.path.join(path, about, "RECORD"), encoding="utf-8"
                ) as record:
                    found.update(re.split(r"[/.,]", line)[0] for line in record if about not in line)
    return found


def is_from(about: str, users: str) -> bool:
    """Whether a package was installed from the user's files."""
    try:
        with open(os.path.join(about, "direct_url.json"), encoding="utf-8") as facts:
            url = re.search(r'"url": *"file://([^"]*)"', facts.read())
    except OSError:
        return False  # installed from elsewhere
    return bool(url and (os.path.realpath(url[1]) + os.sep).startswith(users + os.sep))


def projects(top: str) -> set[str]:
    """The names of the projects of a checkout, as in the folders of installed packages."""
    found = set()
    for folder, folders, files in os.walk(top):
        depth = os.path.relpath(folder, top).count(os.sep)
        folders[:] = [
            name for name in folders if depth < PROJECT_DEPTH and not name.startswith(".") and name != "node_modules"
        ]
        for name in set(_PROJECT) & set(files):
            with contextlib.suppress(OSError), open(
                os.path.join(folder, name), encoding="utf-8", errors="replace"
            ) as text:
                named = re.search(r"""^\s*name\s*=\s*["']?([\w.-]+)""", text.read(), re.M)
                found.update([re.sub(r"[-_.]+", "_", named[1]).lower()] if named else [])
    return found


def package_root(file: str) -> str:
    """The folder from which a file is imported by its full name, above its packages."""
    folder = os.path.dirname(file)
    while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def module_name(file: str) -> str:
    """The name `package.module` by which the file is imported from its package root."""
    relative = os.path.relpath(os.path.splitext(file)[0], package_root(file))
    parts = relative.split(os.sep)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imported(file: str) -> Any:
    """Imports a file under its own name."""
    name = module_name(file)
    if "." in name:
        importlib.import_module(name.rpartition(".")[0])
    loaded_before = sys.modules.get(name)
    if loaded_before is not None and getattr(loaded_before, "__file__", None) == file:
        return loaded_before  # imported by its package
    if loaded_before is not None:
        name = "tare_bench_" + name
    loader = importlib.machinery.SourceFileLoader(name, file)
    spec = importlib.util.spec_from_loader(name, loader, origin=file)
    if spec is None:
        raise ImportError(f"cannot import `{file}`")
    module = importlib.util.module_from_spec(spec)
    module.__file__ = file
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def loaded(file: str, read: Callable[[], Benchmarks]) -> Benchmarks:
    """The benchmarks of a file. If it cannot be read, one that reports why, so that the others of the run are still measured."""
    try:
        return read()
    except ImportError as thrown:
        package = unbuilt(file, thrown)
        if not package:
            return [failed(file, thrown)]
    except BaseException as thrown:
        return [failed(file, thrown)]
    forget(package, file)
    try:
        found = read()
    except BaseException as thrown:
        return [failed(file, thrown)]
    place = getattr(sys.modules.get(package), "__file__", None) or "elsewhere"
    if checkout_of(file):
        what = f"`{package}` is not built in the checkout of this revision, and the installed one ({os.path.dirname(place)})"
        return [
            refused(file, (file, 1), f"{what} is the same for all: compare folders that have each its own environment")
        ]
    note = f"`{package}` is measured as it is installed ({os.path.dirname(place)}): its sources here are not built; `pip install -e .` measures these"
    for declared in found:
        declared.notes.append(note)
    return found


def unbuilt(file: str, thrown: ImportError) -> str:
    """The package that cannot be imported from the project's sources, because its compiled part is missing, but is installed elsewhere."""
    import traceback

    ours = import_paths(file)[1:]
    for frame in reversed(traceback.extract_tb(thrown.__traceback__)):
        for path in ours:
            inside = os.path.relpath(os.path.abspath(frame.filename), path).split(os.sep)
            package = inside[0]
            others = [other for other in sys.path if os.path.abspath(other or ".") not in ours]
            if len(inside) > 1 and package.isidentifier() and importlib.machinery.PathFinder.find_spec(package, others):
                return package
    return ""


def forget(package: str, file: str) -> None:
    """Makes the project the last place to import from, and forgets this package and the file, so that they are imported again."""
    ours = import_paths(file)[1:]
    sys.path[:] = [path for path in sys.path if path not in ours] + ours
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == package or getattr(module, "__file__", None) == file:
            del sys.modules[name]
    importlib.invalidate_caches()


def failed(file: str, thrown: BaseException) -> Declared:
    import traceback

    from ._refused import is_users

    place = (file, 1)
    frames = [frame for frame in traceback.extract_tb(thrown.__traceback__) if is_users(frame.filename)]
    if isinstance(thrown, SyntaxError) and thrown.filename:
        place = (thrown.filename, thrown.lineno or 1)
    elif frames:
        place = (frames[-1].filename, frames[-1].lineno or 1)
    what = f"{type(thrown).__name__}: {thrown.msg if isinstance(thrown, SyntaxError) else thrown}"
    advice = ""
    if isinstance(thrown, ModuleNotFoundError) and thrown.name:
        what = f"there is no module `{thrown.name}`"
        advice = "; " + missing(thrown.name, file)
    slip = slipped(thrown)
    if slip:
        advice = "; " + slip
    if isinstance(thrown, SystemExit):
        what = "it called `sys.exit({})`".format("" if thrown.code is None else repr(thrown.code))
    traceback.print_exception(type(thrown), thrown, inner(thrown.__traceback__))
    return refused(
        file, place, f"the file cannot be imported: {what} ({os.path.basename(place[0])}:{place[1]}){advice}"
    )


def refused(file: str, place: tuple[str, int], why: str) -> Declared:
    """A benchmark that reports why a file has none."""
    wrong = Declared(os.path.splitext(os.path.basename(file))[0], Options({}), None, *place)
    wrong.rows = [{}]
    wrong.invalid = why
    return wrong


def slipped(thrown: BaseException) -> str:
    """A hint about a misspelt or misused name of Tare."""
    import inspect

    import tare

    text = str(thrown)
    unknown = re.match(r"name '(\w+)' is not defined", text)
    if isinstance(thrown, NameError) and unknown:
        meant = nearest(unknown[1], ["tare"])
        return "add `import tare`" if meant == unknown[1] else f"did you mean `{meant}`?" if meant else ""
    lacking = re.match(r"module 'tare' has no attribute '(\w+)'", text)
    lacking = lacking or re.match(r"cannot import name '(\w+)' from 'tare' ", text)
    wrong = re.match(r"(?:bench|add|statement)\(\) got an unexpected keyword argument '(\w+)'", text)
    if lacking:
        meant = nearest(lacking[1], [name for name in dir(tare) if not name.startswith("_")])
    elif isinstance(thrown, TypeError) and wrong:
        meant = nearest(wrong[1], list(inspect.signature(tare.bench).parameters))
    else:
        return ""
    return f"did you mean `{meant}`?" if meant else ""


def missing(module: str, file: str) -> str:
    """A hint about a missing module."""
    import shutil

    meant = nearest(module, ["tare"])
    if meant:
        return f"did you mean `{meant}`?"
    package = module.partition(".")[0]
    folder = beside(package, file)
    if folder:
        return f"it is in `{folder}`: set `PYTHONPATH={folder}`"
    named = "python{}.{}".format(*sys.version_info[:2])
    usual = [name for name in ("python3", "python", named) if is_this(shutil.which(name))]
    python = usual[0] if usual else sys.executable
    install = f"install it: `{python} -m pip install {package}`, or name another interpreter with `--job`"
    return "; otherwise ".join([*lacking_submodules(file), install])


def lacking_submodules(file: str) -> list[str]:
    """Advice if the clone around a file lacks submodules, of which one may have the module."""
    _, top = checkout_of(file) or ("", os.path.dirname(file))
    while not os.path.isfile(os.path.join(top, ".gitmodules")):
        if os.path.exists(os.path.join(top, ".git")) or os.path.dirname(top) == top:
            return []
        top = os.path.dirname(top)
    with open(os.path.join(top, ".gitmodules"), encoding="utf-8", errors="surrogateescape") as modules:
        paths = re.findall(r'^\s*path\s*=\s*"?(.+?)"?\s*$', modules.read(), re.MULTILINE)
    lacking = []
    for path in paths:
        with contextlib.suppress(OSError):
            if not os.listdir(os.path.join(top, path)):
                lacking.append(f"`{path}`")
    if not lacking:
        return []
    return [f"if it is in {', '.join(lacking)}, which your clone lacks: `git submodule update --init`"]


def beside(package: str, file: str) -> str:
    """The folder near a file that contains a package of the user; empty if there is none."""
    above = package_root(file)
    for _ in range(PROJECT_DEPTH):
        with contextlib.suppress(OSError):
            for folder in [above, *(os.path.join(above, name) for name in sorted(os.listdir(above)))]:
                there = os.path.join(folder, package)
                if os.path.isfile(there + ".py") or os.path.isfile(os.path.join(there, "__init__.py")):
                    top, users = checkout_of(file) or (folder, folder)
                    return os.path.normpath(os.path.join(users, os.path.relpath(folder, top)))
        if os.path.exists(os.path.join(above, ".git")):
            break
        above = os.path.dirname(above)
    return ""


def is_this(program: str | None) -> bool:
    """Whether a command starts this interpreter, directly or through a version manager."""
    if program is None:
        return False
    own = os.path.realpath(sys.executable)
    return os.path.realpath(program) == own or os.path.basename(os.path.dirname(program)) == "shims"


def inner(trace: Any | None) -> Any | None:
    """The part of a traceback outside this package and the import system."""
    from ._refused import is_users

    while trace is not None and not is_users(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace
