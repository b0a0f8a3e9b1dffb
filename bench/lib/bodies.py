"""A cargo project with five Rust bodies in separate functions, as benchmarks of Tare and of gungraun, for peers that count their
instructions or show their machine code."""

import tarebench as t

NAMES = ("hash", "parse", "sort", "sum", "words")

LIBRARY = """\
pub static TEXT: &str = "the quick brown fox jumps over the lazy dog, and does so again and again";
pub static NUMBERS: [u64; 64] = {
    let (mut all, mut at) = ([0; 64], 0);
    while at < 64 {
        all[at] = (at as u64 * 37 + 11) % 64;
        at += 1;
    }
    all
};

#[inline(never)]
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[inline(never)]
pub fn parse(text: &str) -> u64 {
    text.bytes().filter(u8::is_ascii_digit).fold(0, |all, digit| all * 10 + u64::from(digit - b'0'))
}

#[inline(never)]
pub fn sort(numbers: &[u64; 64]) -> u64 {
    let mut all = *numbers;
    for end in (1..all.len()).rev() {
        for at in 0..end {
            if all[at] > all[at + 1] {
                all.swap(at, at + 1);
            }
        }
    }
    all[32]
}

#[inline(never)]
pub fn sum(numbers: &[u64; 64]) -> u64 {
    numbers.iter().map(|number| number ^ (number >> 3)).sum()
}

#[inline(never)]
pub fn words(text: &str) -> u64 {
    text.split(' ').filter(|word| word.len() > 3).count() as u64
}
"""
INPUT = {"hash": "bodies::TEXT", "parse": '"12345678901234567"', "sort": "&bodies::NUMBERS", "sum": "&bodies::NUMBERS", "words": "bodies::TEXT"}


def _ours(name):
    return f'#[tare::bench(group = "bodies")]\nfn {name}() -> u64 {{\n    bodies::{name}(tare::keep({INPUT[name]}))\n}}\n'


def _theirs(name):
    return f"#[gungraun::library_benchmark]\nfn {name}() -> u64 {{\n    black_box(bodies::{name}(black_box({INPUT[name]})))\n}}\n"


def project(gungraun=None):
    """The folder of the project; `gungraun`: the version that it is a benchmark of too."""
    place = t.CACHE / "bodies"
    (place / "src").mkdir(parents=True, exist_ok=True)
    (place / "benches").mkdir(exist_ok=True)
    benches = ["ours", *(["theirs"] if gungraun else [])]
    # Both count the same code, so both build the library in the same way.
    lines = ["[package]", 'name = "bodies"', 'version = "0.0.0"', 'edition = "2021"', "[lib]", "bench = false", "[workspace]"]
    lines += ["[profile.release]", "codegen-units = 1", 'debug = "line-tables-only"', "[profile.bench]", "codegen-units = 1", 'debug = "line-tables-only"']
    lines += ["[dev-dependencies]", f'tare = {{ path = "{t.ROOT}/frontends/rust/tare" }}', *([f'gungraun = "={gungraun}"'] if gungraun else [])]
    for bench in benches:
        lines += ["[[bench]]", f'name = "{bench}"', "harness = false"]
    files = {"Cargo.toml": lines, "src/lib.rs": [LIBRARY.rstrip()], "benches/ours.rs": [*map(_ours, NAMES), "fn main() {\n    tare::main()\n}"]}
    if gungraun:
        group = f"gungraun::library_benchmark_group!(name = all; benchmarks = {', '.join(NAMES)});\ngungraun::main!(library_benchmark_groups = all);"
        files["benches/theirs.rs"] = ["use std::hint::black_box;", *map(_theirs, NAMES), group]
    else:
        (place / "benches/theirs.rs").unlink(missing_ok=True)
    for name, text in files.items():
        path, text = place / name, "\n".join(text) + "\n"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return place
