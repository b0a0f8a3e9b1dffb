//! The harness that a Rust source uses: the crate `tare` or another.

use crate::discover::{read_source, without_comments};
use std::path::Path;

pub(super) fn uses_tare(text: &str) -> bool {
    text.contains("tare") && uses_crate(&without_comments(text), "tare")
}

fn uses_crate(text: &str, name: &str) -> bool {
    let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.lines().any(|line| {
        let line = line.trim_start();
        let after = |words: &str| line.strip_prefix(words).and_then(|rest| rest.strip_prefix(name));
        after("use ").or_else(|| after("use ::")).or_else(|| after("extern crate ")).is_some_and(is_whole)
            || word_then(line, name, "::")
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Harness {
    Tare,
    Other(&'static str),
    /// The source does not tell, but the program will.
    Unknown,
}

/// Crates with their own harness, and the harness's common name.
const HARNESSES: [(&str, &str); 11] = [
    ("criterion", "criterion"),
    ("divan", "divan"),
    ("codspeed_criterion_compat", "criterion"),
    ("codspeed_divan_compat", "divan"),
    ("iai_callgrind", "iai-callgrind"),
    ("gungraun", "gungraun"),
    ("iai", "iai"),
    ("tango_bench", "tango-bench"),
    ("brunch", "brunch"),
    ("bencher", "bencher"),
    ("glassbench", "glassbench"),
];

pub(super) fn foreign(text: &str) -> Option<&'static str> {
    let text = without_comments(text);
    let other = HARNESSES.iter().find(|(name, _)| text.contains(name) && uses_crate(&text, name));
    other.map(|(_, known_as)| *known_as)
}

/// The harness of a bench target, as far as its main file tells.
pub(super) fn harness(source: &Path, is_own_harness: bool) -> Harness {
    let text = read_source(source).unwrap_or_default();
    if uses_tare(&text) {
        return Harness::Tare;
    }
    match foreign(&text) {
        Some(known_as) => Harness::Other(known_as),
        // By default, Cargo adds libtest's `main`.
        None if !is_own_harness && has_bench(&text) => Harness::Other(LIBTEST),
        None if !is_own_harness => Harness::Other("libtest, without a `#[bench]`"),
        None => Harness::Unknown,
    }
}

pub(super) const LIBTEST: &str = "libtest";

fn has_bench(text: &str) -> bool {
    without_comments(text).contains("#[bench]")
}

/// `word` followed by `next`, not as the end of a longer word.
fn word_then(line: &str, word: &str, next: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        line[at + word.len()..].starts_with(next)
            && !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crate_in_code_counts() {
        assert!(uses_tare("use tare::bench;\n"));
        assert!(uses_tare("use tare;\n"));
        assert!(uses_tare("#[tare::bench]\nfn x() {}\n"));
        assert!(uses_tare("fn main() { tare::main() }\n"));
        assert!(!uses_tare("// use tare::bench;\n"));
        assert!(!uses_tare("use tare_model::Run;\n"));
        assert!(!uses_tare("use guitare::x; a::tare::b();\n"));
        assert!(uses_tare("    use ::tare as t;\n"));
    }
}
