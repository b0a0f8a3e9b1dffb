"""Programs with effects of known size: the same benchmarks twice, moved in memory by padding, or with more work.

The kernels (cases/kernels.h and kernels.rs) are ordinary code. An invocation does n items, whose mean cost does not depend on n, so 409
of them cost 2 % more than 401 by construction.
"""

import json
import shutil
import subprocess

import tarebench as t

CASES = t.BENCH / "cases"
CPP = "C++"
RUST = "Rust"
CSHARP = "C#"
JAVA = "Java"
FILE = {CPP: "bench.cpp", RUST: "bench.rs", CSHARP: "bench.cs", JAVA: "Planted.java"}

# Name and type, in C++ and in Rust; the last is the control, a chain that a neighbour on the core does not slow.
KERNELS = {"parse": "Parse", "crc": "Crc", "sort": "Sort400", "rows": "Rows", "lookup": "Lookup", "tree": "Tree", "join": "Join",
           "json": "Json", "regex": "Regex", "sum": "Sum", "chain": "Chain"}
# Primes, and twice an odd number: see kernels.h.
ITEMS = 401
MORE = {"+0.3 %": 402, "+2 %": 409, "+5 %": 421}
# Those whose work grows with n: `sort` is 400 numbers whatever n is.
GROWING = tuple(name for name in KERNELS if name != "sort")
# A few that compile fast (std::regex takes as long as all others together).
FEW = ("parse", "tree", "sum")


def _bench(language, kernel, name, n):
    """One benchmark of `n` items an invocation."""
    kind = KERNELS[kernel]
    if language == CPP:
        kind += f"<{n}>" if kernel == "chain" else ""
        return f'TARE_BENCH("{name}", kernels::{kind}{{{n}}});'
    kind += f"::<{n}>" if kernel == "chain" else ""
    return (f'#[tare::bench]\nfn {name}() -> impl FnMut() -> u64 '
            f'{{ let mut kernel = {kind}::new({n}); move || kernel.call() }}')


def program(language, n=ITEMS, names=tuple(KERNELS), padding=None, copies=1):
    """The kernels of these names, `copies` of each; with `padding` (a random generator) a function of random size before each."""
    several = [(name, f"{name}_{copy}" if copies > 1 else name) for copy in range(copies) for name in names]
    if language == CPP:
        lines = [] if "regex" in names else ["#define KERNELS_WITHOUT_REGEX"]
        lines += ["#include <tare.h>", '#include "kernels.h"']
    else:
        lines = ["#![allow(dead_code)]", (CASES / "kernels.rs").read_text()]
    for number, (kernel, name) in enumerate(several):
        if padding:
            size = padding.randrange(4, 61)
            if language == CPP:
                lines.append(f'__attribute__((used)) static void pad{number}() {{ asm volatile(".skip {size}, 0x90"); }}')
            else:
                lines.append(f'#[inline(never)] fn pad{number}() {{ unsafe {{ std::arch::asm!(".skip {size}, 0x90") }} }}\n'
                             f'#[used] static PAD{number}: fn() = pad{number};')
        lines.append(_bench(language, kernel, name, n))
    if language == RUST:
        lines.append("fn main() { tare::main(); }")
    return "\n".join(lines) + "\n"


# Items of the kernels in C# (cases/planted.cs), and of builds that do more work.
ITEMS_CSHARP, MORE_CSHARP = 400, {"+2 %": 408, "+5 %": 420}
# Benchmarks in that file.
KERNELS_CSHARP = 8


def csharp(n=ITEMS_CSHARP):
    """The kernels in C# with so many items."""
    return (CASES / "planted.cs").read_text().replace("N = 400;", f"N = {n};")


def java(n=ITEMS_CSHARP):
    """The kernels in Java (cases/Planted.java) with so many items."""
    return (CASES / "Planted.java").read_text().replace("N = 400;", f"N = {n};")


def _write(path, text):
    """Writes it where it is not written already: a new date would be a new build."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


class Failed(Exception):
    """tare compare ended with an error; the text says which."""


def compare(language, base, new, *flags):
    """The comparison document of the two sources, compared by `tare compare`; `core` in it is a tarebench.Core."""
    # One folder for each pair of sources, so that its earlier builds are reused.
    folder = t.CACHE / "planted" / t.digest(language, base, new)
    for side, text in (("base", base), ("new", new)):
        place = folder / side
        place.mkdir(parents=True, exist_ok=True)
        _write(place / FILE[language], text)
        if language == CPP:
            _write(place / "kernels.h", (CASES / "kernels.h").read_text())
    # In a place of its own: no run before it is known.
    runs = folder / ".tare"
    shutil.rmtree(runs, ignore_errors=True)
    runs.mkdir()
    command = [str(t.tare()), "compare", f"./base/{FILE[language]}", f"./new/{FILE[language]}", "--format", "json", *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    shutil.rmtree(runs, ignore_errors=True)
    if done.returncode:
        raise Failed(done.stderr)
    document = json.loads(done.stdout)
    core = t.Core()
    core.add_summary(document["core"])
    return {**document["comparison"], "core": core}
