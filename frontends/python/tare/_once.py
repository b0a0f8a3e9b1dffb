"""Runs each body once, without `tare`."""

from __future__ import annotations

import re

from ._declare import Declared
from ._opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Terminal escape sequences and control characters.
_SEQUENCES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x1f\x7f-\x9f]")

SHOWN = 60  # characters shown of a result


def each(benchmarks: list[Declared] | None = None) -> int:
    """Runs the body of each benchmark once, and returns the exit code."""
    from ._child import line_of
    from ._forms import declared
    from ._refused import RequestError, run

    failures = 0
    for benchmark in declared() if benchmarks is None else benchmarks:
        for row in benchmark.parameters():
            title = "/".join(filter(None, (benchmark.group, benchmark.name)))
            title += "".join(f"[{name}={value.text}]" for name, value in row.items())
            line = line_of(benchmark, row)
            if line.get("skipped") or line.get("invalid"):
                failures += bool(line.get("invalid"))
                print("{}  {}".format(title, line.get("invalid") or "skipped: " + line["skipped"]))
                continue
            found: list[str] = []
            try:
                run(
                    "set-up",
                    benchmark.form.run,
                    {name: value.value for name, value in row.items()},
                    lambda opened: found.append(once(opened)),
                )
                print("  ".join(filter(None, (title, "ran", found[0]))))
            except RequestError as refused:
                is_failure = refused.members["kind"] != "skipped"
                failures += is_failure
                text = _SEQUENCES.sub("", str(refused))
                print("{}  {}: {}{}".format(title, "failed" if is_failure else "skipped", text, at(refused)))
            except IndexError:
                failures += 1
                print(f"{title}  failed: it ended without a body to measure")
    print("hint: `tare` on the PATH measures them; `cargo install --path crates/cli` in a clone of Tare installs it")
    return 1 if failures else 0


def at(refused: Any) -> str:
    file, line = refused.members.get("file"), refused.members.get("line")
    return f" at {file}:{line}" if file and line else ""


def once(opened: Opened) -> str:
    from ._child import checked
    from ._refused import run

    if opened.iteration_set_up:
        opened.iteration_set_up()
    text = run("body", checked, opened, opened.inputs(1) or [None], False) or ""
    if opened.iteration_clean_up:
        opened.iteration_clean_up()
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."
