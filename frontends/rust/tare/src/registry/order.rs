//! The order of the benchmarks: their declaration order, which is the same in every process.

use std::cmp::Ordering;

use super::{Bench, BENCHES};

pub(super) fn benches() -> Vec<&'static Bench> {
    let all = BENCHES.items();
    let key = |at: usize| {
        let bench: &Bench = all[at];
        (bench.file, bench.line, bench.order, bench.module, bench.name)
    };
    // Benchmarks added in a loop share a line. Their order may differ between processes (as with a `HashMap`), but benchmarks are opened
    // by number, so they are sorted by text.
    let added: Vec<_> = all.iter().map(|bench| bench.added.is_some().then(|| natural(&bench.text()))).collect();
    let compare = |a: usize, b: usize| {
        (key(a).0, key(a).1, &added[a]).cmp(&(key(b).0, key(b).1, &added[b])).then(key(a).cmp(&key(b)))
    };
    order(all.len(), &compare).into_iter().map(|at| all[at]).collect()
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

/// The numbers below `count`, sorted by `compare`. Not generic, so that the sort is compiled only once.
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..count).collect();
    sorted.sort_by(|&a, &b| compare(a, b));
    sorted
}
