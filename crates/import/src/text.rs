//! From bytes to text. PowerShell writes what is redirected into a file as UTF-16, others put a byte order mark before UTF-8, and the logs
//! of CI have a time before each line and colours within.

use crate::error::Problem;
use std::borrow::Cow;

/// Bytes from which it is told whether a file without a mark is UTF-16.
const LOOKED_AT: usize = 4096;
/// Of ten lines, those that begin with a time where the text is the log of a job; others are what a job runner says itself.
const STAMPED_OF_TEN: usize = 8;
const ESCAPE: char = '\u{1b}';

/// The text of a file, without the colours of a terminal and the times of a log.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Problem> {
    if bytes.len() > crate::BYTES_MAX {
        return Err(Problem::TooLarge);
    }
    let text = match bytes {
        [0x1f, 0x8b, ..] => return Err(Problem::Damaged),
        [b'P', b'K', 3, 4, ..] => return Err(Problem::Compressed { form: "zip", command: "unzip" }),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return Err(Problem::Compressed { form: "zstd", command: "unzstd" }),
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)?),
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(utf8(rest, 3)?),
        _ => match order_without_mark(bytes) {
            Some(unit) => Cow::Owned(utf16(bytes, unit)?),
            None => Cow::Borrowed(utf8(bytes, 0)?),
        },
    };
    if text.trim().is_empty() {
        return Err(Problem::Empty);
    }
    let text = replaced(text, without_colours);
    Ok(replaced(text, without_times))
}

fn replaced<'a>(text: Cow<'a, str>, change: fn(&str) -> Option<String>) -> Cow<'a, str> {
    change(&text).map_or(text, Cow::Owned)
}

fn utf8(bytes: &[u8], skipped: usize) -> Result<&str, Problem> {
    std::str::from_utf8(bytes).map_err(|e| Problem::NotText { offset: skipped + e.valid_up_to() })
}

/// How the bytes of UTF-16 without a mark stand: nearly all text of results is ASCII, so that every other byte is 0.
fn order_without_mark(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    let pairs: Vec<&[u8]> = bytes[..bytes.len().min(LOOKED_AT)].chunks_exact(2).collect();
    let zeros = |at: usize| pairs.iter().filter(|pair| pair[at] == 0).count();
    let most = pairs.len() - pairs.len() / 4;
    match (pairs.len(), zeros(0), zeros(1)) {
        (0 | 1, ..) => None,
        (_, 0, high) if high >= most => Some(u16::from_le_bytes),
        (_, high, 0) if high >= most => Some(u16::from_be_bytes),
        _ => None,
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Problem> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    let broken = bytes.len() % 2 == 1 || text.contains(char::REPLACEMENT_CHARACTER);
    if broken {
        Err(Problem::NotText { offset: bytes.len() })
    } else {
        Ok(text)
    }
}

/// The text without escape sequences, where it has some.
fn without_colours(text: &str) -> Option<String> {
    let mut parts = text.split(ESCAPE);
    let mut plain = parts.next().filter(|first| first.len() < text.len())?.to_owned();
    for part in parts {
        let mut chars = part.char_indices();
        let end = match chars.next() {
            // A colour, a movement: up to a letter.
            Some((_, '[')) => chars.find(|(_, c)| ('@'..='~').contains(c)).map(|(i, c)| i + c.len_utf8()),
            // A title, a link, the time of a line of Buildkite: up to a bell.
            Some((_, ']' | '_' | 'P')) => chars.find(|(_, c)| *c == '\u{7}').map(|(i, c)| i + c.len_utf8()),
            Some((_, c)) => Some(c.len_utf8()),
            None => None,
        };
        plain.push_str(end.and_then(|end| part.get(end..)).unwrap_or_default());
    }
    Some(plain)
}

/// The text without the time that each line begins with, where most do: the log of a job, as GitHub, GitLab and others have it.
fn without_times(text: &str) -> Option<String> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    // Most texts are none, and their first line tells.
    let looked_at = || lines().take(LOOKED_AT);
    let (all, stamped) = (looked_at().count(), looked_at().filter(|line| after_time(line).is_some()).count());
    if stamped == 0 || stamped * 10 < all * STAMPED_OF_TEN {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        let (rest, goes_on) = after_time(line).unwrap_or((line, false));
        if goes_on && plain.ends_with('\n') {
            plain.pop();
        }
        plain.push_str(rest);
        plain.push('\n');
    }
    Some(plain)
}

/// What stands behind the time of a line, and whether it goes on with the line before (GitLab cuts long ones).
fn after_time(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_start_matches('\u{feff}');
    let behind = |line| after_stamp(line).map(|rest| after_stream(rest).unwrap_or((rest, false)));
    // `gh run view --log` writes job and step before it.
    behind(line).or_else(|| behind(line.splitn(3, '\t').nth(2)?)).map(|(rest, goes_on)| match goes_on {
        true => (rest, true),
        false => (rest.strip_prefix([' ', '\t']).unwrap_or(rest), false),
    })
}

/// Behind `2026-05-01T09:00:00.1234567Z`, also with a space for the `T`, an offset for the `Z`, or all in brackets; behind `[09:00:00]`.
fn after_stamp(line: &str) -> Option<&str> {
    let (inner, is_bracketed) = match line.strip_prefix('[') {
        Some(inner) => (inner, true),
        None => (line, false),
    };
    let rest = match after_digits(inner, &[4, 2, 2], '-') {
        Some(rest) => after_digits(rest.strip_prefix(['T', ' '])?, &[2, 2, 2], ':')?,
        None if is_bracketed => after_digits(inner, &[2, 2, 2], ':')?,
        None => return None,
    };
    let rest = match rest.strip_prefix(['.', ',']) {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let zone = |rest: &'_ str| {
        let rest = rest.strip_prefix(['+', '-'])?;
        after_digits(rest, &[2, 2], ':').or_else(|| after_digits(rest, &[4], ' ')).map(str::len)
    };
    let rest = match (rest.strip_prefix('Z'), zone(rest)) {
        (Some(rest), _) => rest,
        (None, Some(left)) => &rest[rest.len() - left..],
        (None, None) => rest,
    };
    match is_bracketed {
        true => rest.strip_prefix(']'),
        false => Some(rest).filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])),
    }
}

/// Behind the number and name of GitLab's stream: ` 00O `, ` 01E+`.
fn after_stream(rest: &str) -> Option<(&str, bool)> {
    let bytes = rest.strip_prefix(' ')?.as_bytes();
    let is_stream = bytes.len() > 3
        && bytes[..2].iter().all(u8::is_ascii_hexdigit)
        && matches!(bytes[2], b'O' | b'E')
        && matches!(bytes[3], b' ' | b'+');
    is_stream.then(|| (&rest[if bytes[3] == b'+' { 5 } else { 4 }..], bytes[3] == b'+'))
}

/// Behind numbers of so many digits with a character between.
fn after_digits<'a>(text: &'a str, counts: &[usize], between: char) -> Option<&'a str> {
    let mut rest = text;
    for (place, count) in counts.iter().enumerate() {
        if place > 0 {
            rest = rest.strip_prefix(between)?;
        }
        let digits = rest.get(..*count)?;
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        rest = &rest[*count..];
    }
    Some(rest)
}
