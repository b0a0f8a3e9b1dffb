"""The start of a program with benchmarks: as a child of `tare`, or on its own."""

from __future__ import annotations

import os
import shutil
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LINK: list[Any] = []  # the two ends of the link, once claimed
_LOADING: list[str] = []  # the file being imported for the host, in which `main()` does nothing
_CHECKOUT: list[tuple[str, str]] = []  # for a file of a revision: the root of the checkout, and of the user's files


def claimed_link() -> tuple[Any, Any] | None:
    """The two ends of the link (R1, R2), removed from the environment; None if there is none."""
    link = os.environ.pop("TARE_LINK", None)
    if link is None:
        return None
    try:
        form, descriptors = link.split(":")
        read, write = (int(text) for text in descriptors.split(","))
        if form != "fd":
            raise ValueError(form)
        os.set_inheritable(read, False)
        os.set_inheritable(write, False)
        _LINK.append((os.fdopen(read, "rb"), os.fdopen(write, "wb")))
        return _LINK[0]  # type: ignore[no-any-return]
    except (ValueError, OSError):
        print(f"error: TARE_LINK={link} has an unknown form, or is not open", file=sys.stderr)
        sys.exit(2)


def serve(link: tuple[Any, Any], benchmarks: list[Any] | None = None) -> None:
    """Answers the host until it closes the link, which ends the process."""
    from ._child import Child
    from ._forms import declared

    found = declared() if benchmarks is None else benchmarks
    stranger = stranger_of_checkout()
    if stranger and not any(one.invalid for one in found):
        from ._load import refused

        found = [refused(_LOADING[0], (_LOADING[0], 1), stranger)]
    Child(*link, benchmarks=found, stranger=stranger_of_checkout).serve()


def stranger_of_checkout() -> str:
    """The reason why a revision does not measure its own code, judging by the modules loaded so far; empty if it does."""
    from ._load import strange

    return strange(*_CHECKOUT[0]) if _CHECKOUT else ""


def main() -> None:
    """Measure the benchmarks of this program with the command `tare`; without it, run each body once.

    Files started with `tare run FILE` do not need this call.
    """
    if _LOADING:
        return
    link = claimed_link()
    if link is not None:
        serve(link)
    program = os.environ.get("TARE") or shutil.which("tare")
    if program and os.environ.get("TARE_DIRECT") != "1":
        os.execv(program, [program, "run", sys.argv[0], *sys.argv[1:]])
    from ._once import each

    sys.exit(each())
