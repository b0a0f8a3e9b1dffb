//! Splits and quotes shell words.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclosed(pub char);

/// Splits a text into words like a shell, without any expansion: quotes and backslashes protect blanks.
pub fn split_words(text: &str) -> Result<Vec<String>, Unclosed> {
    /// Characters that a backslash escapes inside double quotes; before others it is literal.
    const IN_QUOTES: [char; 4] = ['"', '\\', '$', '`'];
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"'), '\\') if chars.peek().is_some_and(|next| IN_QUOTES.contains(next)) => {
                word.get_or_insert_default().extend(chars.next());
            }
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(Unclosed(open)),
        None => Ok(words),
    }
}

/// Quotes a word for a shell, if necessary.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => in_quotes(word),
    }
}

/// Quotes a word for a shell unconditionally.
pub fn in_quotes(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Joins words to a shell command line.
pub fn shell_line<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    words.into_iter().map(|word| shell_word(word.as_ref())).collect::<Vec<_>>().join(" ")
}
