//! What a single source file says of its own build, in comments that begin a line:
//!
//! ```text
//! // tare-flags: -std=c++20 -lz "-DTEXT=two words"
//! ```
//!
//! Flags are for the compiler of the file, and paths in them are meant from the file's folder. A language may have names of its own. A line
//! may occur several times.

/// The values of a name in the order of their lines, as they stand there.
pub(crate) fn values<'a>(text: &'a str, name: &'static str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| {
        let comment = line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!']).trim();
        Some(comment.strip_prefix(name)?.strip_prefix(':')?.trim())
    })
}

/// Flags for the compiler of the file.
pub(crate) fn flags(text: &str) -> Vec<String> {
    values(text, "tare-flags").flat_map(words).collect()
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
        assert_eq!(flags(text), ["-O3", "-lm", "-g"]);
        assert_eq!(values(text, "tare-dependencies").collect::<Vec<_>>(), ["a = \"1\""]);
        assert_eq!(values(text, "tare-edition").collect::<Vec<_>>(), ["\"2024\""]);
    }
}
