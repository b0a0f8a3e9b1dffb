//! Small text utilities: counted nouns, shell words and similar names.

mod nearest;
mod shell;

pub use nearest::{edit_distance, nearest, slips_in};
pub use shell::{in_quotes, shell_line, shell_word, split_words, Unclosed};

use std::fmt::Display;

/// `1 case`, `2 cases`, `2 launches`.
pub fn plural<N: Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    let ending = match n == N::from(1) {
        true => "",
        false if noun.ends_with("ch") || noun.ends_with("ss") => "es",
        false => "s",
    };
    format!("{n} {noun}{ending}")
}

pub fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    let Some((&first, _)) = needle.split_first() else { return true };
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&b| b == first) {
        rest = &rest[at..];
        if rest.starts_with(needle) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}
