//! From bytes to text. PowerShell redirects output as UTF-16, other tools write a byte order mark before UTF-8, and terminal output
//! contains colours.

use crate::error::Problem;
use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';

/// The text of a file, without terminal colours.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Problem> {
    if bytes.len() > crate::BYTES_MAX {
        return Err(Problem::TooLarge);
    }
    let text = match bytes {
        [0x1f, 0x8b, ..] => return Err(Problem::Damaged),
        [b'P', b'K', 3, 4, ..] => return Err(Problem::Compressed { form: "zip", command: "unzip" }),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return Err(Problem::Compressed { form: "zstd", command: "unzstd" }),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => return Err(Problem::Compressed { form: "bzip2", command: "bunzip2" }),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => return Err(Problem::Compressed { form: "xz", command: "unxz" }),
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)?),
        // Without a mark: a form begins with a character of ASCII.
        [1..=127, 0, ..] => Cow::Owned(utf16(bytes, u16::from_le_bytes)?),
        [0, 1..=127, ..] => Cow::Owned(utf16(bytes, u16::from_be_bytes)?),
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(utf8(rest, 3)?),
        _ => Cow::Borrowed(utf8(bytes, 0)?),
    };
    if text.trim().is_empty() {
        return Err(Problem::Empty);
    }
    Ok(without_colours(&text).map_or(text, Cow::Owned))
}

fn utf8(bytes: &[u8], skipped: usize) -> Result<&str, Problem> {
    std::str::from_utf8(bytes).map_err(|e| Problem::NotText { offset: skipped + e.valid_up_to() })
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

/// The text without escape sequences, if it has any.
fn without_colours(text: &str) -> Option<String> {
    let mut parts = text.split(ESCAPE);
    let mut plain = parts.next().filter(|first| first.len() < text.len())?.to_owned();
    for part in parts {
        let mut chars = part.char_indices();
        let end = match chars.next() {
            // A colour or movement: up to a letter.
            Some((_, '[')) => chars.find(|(_, c)| ('@'..='~').contains(c)).map(|(i, c)| i + c.len_utf8()),
            // A title, a link, the time of a Buildkite line: up to a bell.
            Some((_, ']' | '_' | 'P')) => chars.find(|(_, c)| *c == '\u{7}').map(|(i, c)| i + c.len_utf8()),
            Some((_, c)) => Some(c.len_utf8()),
            None => None,
        };
        plain.push_str(end.and_then(|end| part.get(end..)).unwrap_or_default());
    }
    Some(plain)
}
