//! The order of the benchmarks: their declaration order, which is the same in every process.

use super::{Bench, BENCHES};

pub(super) fn benches() -> Vec<&'static Bench> {
    let mut all = BENCHES.items();
    all.sort_by_cached_key(|bench| {
        // Benchmarks added in a loop share a line. Their order may differ between processes (as with a `HashMap`), but benchmarks are
        // opened by number, so they are sorted by text.
        let added = bench.added.is_some().then(|| natural(&bench.text()));
        (bench.file, bench.line, added, bench.order, bench.module, bench.name)
    });
    all
}

/// Pads the numbers in a text with zeros, so that `n=9` comes before `n=10`.
fn natural(text: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        for _ in digits.len()..20 * usize::from(!digits.is_empty()) {
            out.push('0');
        }
        out.push_str(&digits);
        digits.clear();
        out.push(c);
    }
    out
}
