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

/// Splits at blanks as a shell does; quotes and backslashes protect them.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_a_shell_splits_them() {
        assert_eq!(words(r#" -a  "-Db=c d" '' -e\ f 'g"h'i "#), ["-a", "-Db=c d", "", "-e f", "g\"hi"]);
        assert_eq!(words("\"open"), ["open"]);
        assert_eq!(words("\\"), [""]);
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
