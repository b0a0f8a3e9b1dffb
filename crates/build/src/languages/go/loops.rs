//! Inserts a call before each loop over `b.N`, in a copy of the file that only the compiler sees: it resets the timer, as `b.Loop` does.
//!
//! Work before the loop counts as time of the benchmark unless it calls `b.ResetTimer`. `go test` spreads it over the calls of a second,
//! but a visit only over those of a millisecond.

use std::ops::Range;

pub(super) const METHOD: &str = "TareLoop";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Word,
    Sign(u8),
    NewLine,
    Literal,
}

type Tokens = Vec<(Token, Range<usize>)>;

/// The text with a call before each loop over `b.N`; None if there is no such loop.
pub(super) fn marked(text: &str) -> Option<String> {
    let tokens = tokens(text);
    let mut at: Vec<(usize, &str)> = Vec::new();
    for scope in scopes(text, &tokens) {
        at.extend(loops(text, &tokens, &scope).into_iter().map(|place| (place, scope.name)));
    }
    if at.is_empty() {
        return None;
    }
    at.sort_unstable();
    at.dedup();
    let (mut marked, mut done) = (String::new(), 0);
    for (place, name) in at {
        marked.push_str(&text[done..place]);
        // On the same line, so that positions in errors and profiles do not change.
        marked.push_str(&format!("{name}.{METHOD}(); "));
        done = place;
    }
    marked.push_str(&text[done..]);
    Some(marked)
}

fn tokens(text: &str) -> Tokens {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Tokens::new(), 0);
    while at < bytes.len() {
        let begin = at;
        let token = match bytes[at] {
            b'\n' => Some(Token::NewLine),
            b'/' if text[at..].starts_with("//") => {
                at = text[at..].find('\n').map_or(bytes.len(), |length| at + length);
                continue;
            }
            b'/' if text[at..].starts_with("/*") => {
                at = text[at..].find("*/").map_or(bytes.len(), |length| at + length + 2);
                continue;
            }
            quote @ (b'"' | b'\'' | b'`') => {
                at = literal_end(bytes, at, quote);
                found.push((Token::Literal, begin..at));
                continue;
            }
            byte if is_of_word(byte) => {
                at += bytes[at..].iter().take_while(|byte| is_of_word(**byte)).count();
                found.push((Token::Word, begin..at));
                continue;
            }
            byte if byte.is_ascii_whitespace() => None,
            byte => Some(Token::Sign(byte)),
        };
        at += 1;
        found.extend(token.map(|token| (token, begin..at)));
    }
    found
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn literal_end(bytes: &[u8], begin: usize, quote: u8) -> usize {
    let mut at = begin + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' && quote != b'`' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The body of a function with a `*testing.B`: its tokens, and the name of that parameter.
struct Scope<'t> {
    name: &'t str,
    body: Range<usize>,
}

/// Whether these words and signs are at this place.
fn stands(text: &str, tokens: &Tokens, at: usize, wanted: &[&str]) -> bool {
    let of = |at: usize| tokens.get(at).map(|(_, range)| &text[range.clone()]);
    wanted.iter().enumerate().all(|(more, word)| of(at + more) == Some(*word))
}

fn scopes<'t>(text: &'t str, tokens: &Tokens) -> Vec<Scope<'t>> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let is_parameter = tokens[at].0 == Token::Word && stands(text, tokens, at + 1, &["*", "testing", ".", "B"]);
        if !is_parameter {
            continue;
        }
        let Some(close) = closing(tokens, at + 5, b'(', b')') else { continue };
        let is_body = tokens.get(close + 1).is_some_and(|(token, _)| *token == Token::Sign(b'{'));
        if let (true, Some(end)) = (is_body, closing(tokens, close + 2, b'{', b'}')) {
            found.push(Scope { name: &text[tokens[at].1.clone()], body: close + 2..end });
        }
    }
    found
}

fn closing(tokens: &Tokens, from: usize, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0;
    for (at, (token, _)) in tokens.iter().enumerate().skip(from) {
        match token {
            Token::Sign(sign) if *sign == open => depth += 1,
            Token::Sign(sign) if *sign == close && depth == 0 => return Some(at),
            Token::Sign(sign) if *sign == close => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Start offsets of the loops over N in a function. Empty if an inner function uses N too: it may run in another goroutine.
fn loops(text: &str, tokens: &Tokens, scope: &Scope) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = scope.body.start;
    while at < scope.body.end {
        let has_n = |range: Range<usize>| range.into_iter().any(|at| is_n(text, tokens, at, scope.name));
        if stands(text, tokens, at, &["func"]) {
            let Some(body) = body_of(tokens, at) else { break };
            if stands(text, tokens, at + 1, &["("]) && declares(text, tokens, at..body.start, scope.name) {
                // A sub-benchmark has a scope of its own.
            } else if has_n(body.clone()) {
                return Vec::new();
            }
            at = body.end;
        } else if stands(text, tokens, at, &["for"]) {
            let Some(body) = body_of(tokens, at) else { break };
            if has_n(at..body.start) {
                found.extend(beginning(text, tokens, at));
                at = body.end;
            } else {
                at = body.start;
            }
        }
        at += 1;
    }
    found
}

fn is_n(text: &str, tokens: &Tokens, at: usize, name: &str) -> bool {
    let is_field = at > 0 && tokens[at - 1].0 == Token::Sign(b'.');
    !is_field && stands(text, tokens, at, &[name, ".", "N"])
}

fn declares(text: &str, tokens: &Tokens, range: Range<usize>, name: &str) -> bool {
    range.into_iter().any(|at| stands(text, tokens, at, &[name, "*", "testing", ".", "B"]))
}

fn body_of(tokens: &Tokens, from: usize) -> Option<Range<usize>> {
    let mut depth = 0_usize;
    for (at, (token, _)) in tokens.iter().enumerate().skip(from) {
        match token {
            Token::Sign(b'(' | b'[') => depth += 1,
            Token::Sign(b')' | b']') => depth = depth.saturating_sub(1),
            Token::Sign(b'{') if depth == 0 => return Some(at + 1..closing(tokens, at + 1, b'{', b'}')?),
            _ => {}
        }
    }
    None
}

/// The place for a statement before this loop: before its label, if any.
fn beginning(text: &str, tokens: &Tokens, at: usize) -> Option<usize> {
    let mut before = at;
    while before > 0 && tokens[before - 1].0 == Token::NewLine {
        before -= 1;
    }
    let is_label = before >= 2
        && tokens[before - 1].0 == Token::Sign(b':')
        && tokens[before - 2].0 == Token::Word
        && !stands(text, tokens, before - 2, &["default"])
        && (before == 2 || matches!(tokens[before - 3].0, Token::NewLine | Token::Sign(b'{' | b';' | b'}')));
    let first = if is_label { before - 2 } else { at };
    Some(tokens[first].1.start)
}

#[cfg(test)]
mod tests {
    use super::marked;

    fn of(body: &str) -> String {
        let text = format!("func BenchmarkX(b *testing.B) {{\n{body}\n}}\n");
        match marked(&text) {
            Some(text) => text.lines().skip(1).take_while(|line| *line != "}").collect::<Vec<_>>().join("\n"),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn every_form_of_a_loop_over_n_is_found() {
        assert_eq!(
            of("\tx := f()\n\tfor i := 0; i < b.N; i++ {\n\t}"),
            "\tx := f()\n\tb.TareLoop(); for i := 0; i < b.N; i++ {\n\t}"
        );
        assert_eq!(of("\tfor n := b.N; n > 0; n-- {\n\t}"), "\tb.TareLoop(); for n := b.N; n > 0; n-- {\n\t}");
        assert_eq!(of("\tfor range b.N {\n\t}"), "\tb.TareLoop(); for range b.N {\n\t}");
        assert_eq!(
            of("\tfor i := range make([]T, b.N) {\n\t}"),
            "\tb.TareLoop(); for i := range make([]T, b.N) {\n\t}"
        );
        assert_eq!(
            of("\tfor _, c := range all {\n\t\tfor i := 0; i < b.N; i++ { f(c) }\n\t}").matches("TareLoop").count(),
            1
        );
    }

    #[test]
    fn a_label_stays_before_its_loop() {
        assert_eq!(
            of("next:\n\tfor i := 0; i < b.N; i++ {\n\t}"),
            "b.TareLoop(); next:\n\tfor i := 0; i < b.N; i++ {\n\t}"
        );
        assert_eq!(
            of("\tswitch x {\n\tdefault:\n\t\tfor range b.N {\n\t\t}\n\t}"),
            "\tswitch x {\n\tdefault:\n\t\tb.TareLoop(); for range b.N {\n\t\t}\n\t}"
        );
        assert!(
            of("\tswitch x {\n\tcase 1:\n\t\tfor range b.N {\n\t\t}\n\t}").contains("case 1:\n\t\tb.TareLoop(); for")
        );
    }

    #[test]
    fn other_loops_and_texts_are_left_alone() {
        for body in [
            "\tfor b.Loop() {\n\t}",
            "\tfor i := 0; i < c.b.N; i++ {\n\t}",
            "\t// for i := 0; i < b.N; i++ {\n\tx := \"for i := 0; i < b.N; i++ {\"",
            "\tfor pb.Next() {\n\t\tuse(b.N)\n\t}",
        ] {
            assert_eq!(of(body), "none", "{body}");
        }
        assert_eq!(marked("func x(b *big.B) { for i := 0; i < b.N; i++ {} }"), None);
        assert_eq!(marked("func x(f func(b *testing.B), b T) { for i := 0; i < b.N; i++ {} }"), None);
        assert_eq!(marked("func broken(b *testing.B) { for i := 0; i < b.N; i++ {"), None);
    }

    #[test]
    fn goroutines_that_know_n_keep_the_timer_as_it_is() {
        assert_eq!(of("\tgo func() {\n\t\tfor i := 0; i < b.N; i++ { c <- i }\n\t}()\n\tfor i := 0; i < b.N; i++ {\n\t\t<-c\n\t}"), "none");
    }

    #[test]
    fn sub_benchmarks_have_loops_of_their_own() {
        let text = of("\tx := f()\n\tb.Run(\"a\", func(b *testing.B) {\n\t\tfor i := 0; i < b.N; i++ {\n\t\t}\n\t})");
        assert_eq!(text.matches("b.TareLoop(); for").count(), 1);
        let text = of(
            "\tb.Run(\"a\", func(t *testing.B) {\n\t\tfor i := 0; i < t.N; i++ {\n\t\t}\n\t})\n\tfor range b.N {\n\t}",
        );
        assert!(text.contains("\t\tt.TareLoop(); for i") && text.contains("\tb.TareLoop(); for range"), "{text}");
    }
}
