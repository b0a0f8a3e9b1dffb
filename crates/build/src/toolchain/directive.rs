//! What a single source file says of its own build, in comments that begin a line:
//!
//! ```text
//! // tare-flags: -std=c++20 -lz "-DTEXT=two words"
//! // tare-dependencies: rand = "0.9"
//! // tare-edition: 2024
//! ```
//!
//! Flags are for the compiler of the file (C, C++, C#, Rust), paths in them are meant from the file's folder; dependencies
//! (one a line, as in `Cargo.toml`) and the edition are for Rust. A line may occur several times.

use tare_text::{split_words, Unclosed};

/// What was found, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Directives {
    pub(crate) flags: Vec<String>,
    /// Lines of TOML.
    pub(crate) dependencies: Vec<String>,
    pub(crate) edition: Option<String>,
}

impl Directives {
    pub(crate) fn of(text: &str) -> Directives {
        let mut found = Directives::default();
        for line in text.lines() {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            let comment = comment.trim_start_matches(['/', '!']).trim();
            if let Some(flags) = comment.strip_prefix("tare-flags:") {
                found.flags.extend(words(flags));
            } else if let Some(dependency) = comment.strip_prefix("tare-dependencies:") {
                found.dependencies.push(dependency.trim().to_owned());
            } else if let Some(edition) = comment.strip_prefix("tare-edition:") {
                found.edition = Some(edition.trim().trim_matches('"').to_owned());
            }
        }
        found
    }
}

/// As a shell splits them; a quote that is not closed holds what is behind it.
pub(crate) fn words(text: &str) -> Vec<String> {
    let closed = |Unclosed(quote)| split_words(&format!("{text}{quote}"));
    split_words(text).or_else(closed).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_that_is_not_closed_is_closed_by_the_end() {
        assert_eq!(words("-a \"open b"), ["-a", "open b"]);
    }

    #[test]
    fn comments_that_begin_a_line() {
        let text = "// tare-flags: -O3 -lm\nint x; // tare-flags: -no\n  //tare-flags: -g\n//! tare-dependencies: a = \"1\"\n// tare-edition: \"2024\"\n";
        let found = Directives::of(text);
        assert_eq!(found.flags, ["-O3", "-lm", "-g"]);
        assert_eq!(found.dependencies, ["a = \"1\""]);
        assert_eq!(found.edition.as_deref(), Some("2024"));
    }
}
