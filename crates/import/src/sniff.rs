//! Recognises the form of a text by its content: files are renamed, redirected and downloaded, and most forms end in `.json`.

use crate::error::Problem;
use crate::formats::{is_go_end, refused, too_little, Format, Head, ALL};
use crate::json;
use crate::node::shortened;

const KEYS_MAX: usize = 256;
/// Budget of bytes read in search of a result that does not begin the text, as a multiple of its length.
const LOOKS: usize = 8;
const LOOKS_LEAST: usize = 1 << 20;
/// Limit on places that are checked for truncated JSON.
const STARTS_MAX: usize = 100;

/// The form of a text, and the offset at which it begins.
pub(crate) fn sniff(text: &str) -> Result<(&'static Format, usize), Problem> {
    let at = text.len() - text.trim_start().len();
    let start = &text[at..];
    let found = match start.as_bytes().first() {
        Some(b'{') => object(start),
        Some(b'[') if is_list(start) => list(start),
        _ => {
            let first = start.lines().next().unwrap_or_default();
            Err(Problem::Unknown { found: format!("text that begins with `{}`", shortened(first)) })
        }
    };
    match found {
        Ok(form) => Ok((form, at)),
        Err(problem @ Problem::Unknown { .. }) => {
            within(text, at).ok_or_else(|| cut_off(text, at).or_else(|| too_little(text)).unwrap_or(problem))
        }
        Err(problem) => Err(problem),
    }
}

/// A result in a text that does not begin with JSON of a known form: lines of `go test`, JSON after lines of a log, or part of another
/// program's output.
fn within(text: &str, at: usize) -> Option<(&'static Format, usize)> {
    let begun = ALL.into_iter().find_map(|format| Some((format, (format.begins)(text)?)));
    let ended = || Format::of_tool("go test").filter(|_| text.lines().any(is_go_end)).map(|go| (go, 0));
    begun.or_else(|| next(text, at)).or_else(ended)
}

/// The next JSON document of a known form from an offset on.
pub(crate) fn next(text: &str, from: usize) -> Option<(&'static Format, usize)> {
    // Nested objects are searched once for each level, and hostile ones have many levels.
    let mut budget = text.len().saturating_mul(LOOKS).saturating_add(LOOKS_LEAST);
    let begins = text.get(from..)?.match_indices(['{', '[']).map(|(at, _)| from + at);
    for at in begins {
        let rest = &text[at..];
        let inner = rest[1..].trim_start();
        if !inner.starts_with(if rest.starts_with('{') { '"' } else { '{' }) {
            continue;
        }
        let (keys, read) = top_keys(if rest.starts_with('{') { rest } else { inner });
        budget = budget.checked_sub(read)?;
        let head = Head { text: rest, is_list: rest.starts_with('['), keys: &keys };
        if let Some(form) = Format::of_json(&head).filter(|_| refused(&head).is_none()) {
            return Some((form, at));
        }
    }
    None
}

/// The problem of JSON, of any form, that begins at or after an offset and does not end.
pub(crate) fn cut_off(text: &str, from: usize) -> Option<Problem> {
    let mut at = from;
    for _ in 0..STARTS_MAX {
        at += text.get(at..)?.find(['{', '['])?;
        let rest = &text[at..];
        let is_start = match rest.starts_with('{') {
            true => ['"', '}'].iter().any(|c| rest[1..].trim_start().starts_with(*c)) || rest.len() == 1,
            false => is_list(rest),
        };
        at = match is_start.then(|| json::parse_at(text, at, "")) {
            Some(Ok((_, end))) => end,
            Some(Err(problem @ Problem::CutOff { .. })) => return Some(problem),
            Some(Err(_)) | None => at + 1,
        };
    }
    None
}

/// Whether it is a JSON list rather than a word in brackets at the start of a log line.
fn is_list(start: &str) -> bool {
    let inner = start[1..].trim_start();
    let is_value = |c: char| c.is_ascii_digit() || "{[]\"-".contains(c);
    inner.is_empty()
        || inner.starts_with(is_value)
        || ["true", "false", "null"].iter().any(|word| inner.starts_with(word))
}

fn object(text: &str) -> Result<&'static Format, Problem> {
    let (keys, _) = top_keys(text);
    of_head(&Head { text, is_list: false, keys: &keys }, "a JSON object")
}

fn list(text: &str) -> Result<&'static Format, Problem> {
    let inner = text[1..].trim_start();
    let (keys, _) = if inner.starts_with('{') { top_keys(inner) } else { (Vec::new(), 0) };
    of_head(&Head { text, is_list: true, keys: &keys }, "a JSON list")
}

fn of_head(head: &Head, what: &str) -> Result<&'static Format, Problem> {
    let unknown = || Problem::Unknown { found: described(what, head.keys) };
    match refused(head) {
        Some(problem) => Err(problem),
        None => Format::of_json(head).ok_or_else(unknown),
    }
}

fn described(what: &str, keys: &[String]) -> String {
    let shown: Vec<String> = keys.iter().take(6).map(|k| format!("`{}`", shortened(k))).collect();
    match shown.is_empty() {
        true => format!("{what} without keys"),
        false => format!("{what} with {}", shown.join(", ")),
    }
}

/// The keys of the object that a text begins with, without reading what is in it: broken and truncated texts
/// have keys too. With it, the bytes that were read.
pub(crate) fn top_keys(text: &str) -> (Vec<String>, usize) {
    let bytes = text.as_bytes();
    let (mut keys, mut depth, mut at) = (Vec::new(), 0usize, 0);
    while at < bytes.len() && keys.len() < KEYS_MAX {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            b'"' => {
                let begin = at + 1;
                at = end_of_string(bytes, begin);
                let is_key =
                    bytes[(at + 1).min(bytes.len())..].iter().find(|b| !b.is_ascii_whitespace()) == Some(&b':');
                if depth == 1 && is_key {
                    keys.extend(text.get(begin..at).map(str::to_owned));
                }
            }
            _ => {}
        }
        at += 1;
    }
    (keys, at)
}

fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}
