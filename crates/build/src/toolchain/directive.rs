//! Build settings in a single source file, in comments at the start of a line such as `// tare-flags: -std=c++20 -lz`. Paths are relative
//! to the file's folder. A line may occur several times.

use tare_model::text::{split_words, Unclosed};

/// The values of a name in the order of their lines, unchanged.
pub(crate) fn values<'a>(text: &'a str, name: &'static str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| {
        let comment = line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!']).trim();
        Some(comment.strip_prefix(name)?.strip_prefix(':')?.trim())
    })
}

pub(crate) fn flags(text: &str) -> Vec<String> {
    values(text, "tare-flags").flat_map(words).collect()
}

/// Splits like a shell; an unclosed quote ends at the end of the text.
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
        assert_eq!(flags(text), ["-O3", "-lm", "-g"]);
        assert_eq!(values(text, "tare-dependencies").collect::<Vec<_>>(), ["a = \"1\""]);
        assert_eq!(values(text, "tare-edition").collect::<Vec<_>>(), ["\"2024\""]);
    }
}
