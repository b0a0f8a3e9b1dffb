"""Programs with effects of known size: the same benchmarks twice, moved in memory by padding, or with a longer chain.

A chain of k dependent multiplications takes 3 k cycles, so a chain of 102 is 2 % slower than one of 100 on any machine whose
multiplier is pipelined, which all are. The other bodies branch, allocate and parse: what layout and luck of launches move.
"""

import json
import subprocess
import tarebench as t

CASES = t.BENCH / "cases"
CPP = "C++"
RUST = "Rust"
FILE = {CPP: "bench.cpp", RUST: "bench.rs"}


def _assemble(language, head, benches, padding):
    """The benchmarks in order; with `padding` (a random generator) a function of random size before each."""
    lines = list(head)
    for number, bench in enumerate(benches):
        if padding:
            size = padding.randrange(4, 61)
            if language == CPP:
                lines.append(f'__attribute__((used)) static void pad{number}() {{ asm volatile(".skip {size}, 0x90"); }}')
            else:
                lines.append(f'#[inline(never)] fn pad{number}() {{ unsafe {{ std::arch::asm!(".skip {size}, 0x90") }} }}\n'
                             f'#[used] static PAD{number}: fn() = pad{number};')
        lines.append(bench)
    if language == RUST:
        lines.append("fn main() { tare::main(); }")
    return "\n".join(lines) + "\n"


CPP_HEAD = ['#include <tare.h>', '#include "bodies.h"']
RUST_HEAD = [(CASES / "bodies.rs").read_text()]


def chains(language, length, count, padding=None):
    """`count` benchmarks, each a chain of `length` multiplications."""
    def bench(number):
        if language == CPP:
            return (f'TARE_BENCH("chain/{number}", [x = std::uint64_t{{{2 * number + 3}}}]() mutable '
                    f'{{ bodies::multiply_chain<{length}>(x); }});')
        return (f'#[tare::bench(group = "chain")]\nfn chain_{number}() -> impl FnMut() '
                f'{{ let mut x = {2 * number + 3}_u64; move || multiply_chain::<{length}>(&mut x) }}')
    return _assemble(language, CPP_HEAD if language == CPP else RUST_HEAD, map(bench, range(count)), padding)


def mixed(language, copies, padding=None):
    """Three bodies, `copies` of each."""
    def bench(number):
        if language == CPP:
            name, body = [("sort", "Sort64"), ("parse", "Parse"), ("fluct", "Fluctuating")][number % 3]
            return f'TARE_BENCH("{name}/{number // 3}", bodies::{body}{{}});'
        name, body = [("sort", "Sort64"), ("parse", "Parse"), ("fluct", "Fluctuating")][number % 3]
        return (f'#[tare::bench(group = "{name}")]\nfn {name}_{number // 3}() -> impl FnMut() -> u64 '
                f'{{ let mut body = {body}::default(); move || body.call() }}')
    return _assemble(language, CPP_HEAD if language == CPP else RUST_HEAD, map(bench, range(3 * copies)), padding)


def _write(path, text):
    """Writes it where it is not written already: a new date would be a new build."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


class Failed(Exception):
    """tare compare ended with an error; the text says which."""


def compare(language, base, new, *flags):
    """The comparison document of the two sources, compared by `tare compare`."""
    # One folder for each pair of sources, so that what was built for it before is found again.
    folder = t.CACHE / "planted" / t.digest(language, base, new)
    for side, text in (("base", base), ("new", new)):
        place = folder / side
        place.mkdir(parents=True, exist_ok=True)
        _write(place / FILE[language], text)
        if language == CPP:
            _write(place / "bodies.h", (CASES / "bodies.h").read_text())
    command = [str(t.tare()), "compare", f"./base/{FILE[language]}", f"./new/{FILE[language]}", "--format", "json", "--no-save",
               *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Failed(done.stderr)
    found = json.loads(done.stdout)
    return found.get("comparison", found)
