//! Does this file use Tare? Searches the text, since nothing has been compiled yet.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use tare_harness::Harness;

const SOURCE_LIMIT: u64 = 4 << 20;
const PROGRAM_LIMIT: u64 = 64 << 20;
const LINE_LIMIT: u64 = 256;
const LINK_WORD: &[u8] = b"TARE_LINK";

/// The text of a source file, up to a limit; bytes that are not UTF-8 are replaced.
pub(crate) fn read_source(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(SOURCE_LIMIT).read_to_end(&mut bytes)?;
    // Editors on Windows may write a byte-order mark.
    Ok(String::from_utf8_lossy(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes)).into_owned())
}

/// The program that the first line of a script names: `python3` of `#!/usr/bin/env -S python3 -u`.
pub(crate) fn interpreter_of(script: &Path) -> Option<String> {
    let mut head = Vec::new();
    File::open(script).ok()?.take(LINE_LIMIT).read_to_end(&mut head).ok()?;
    let text = String::from_utf8_lossy(&head);
    let mut words = text.strip_prefix("#!")?.lines().next()?.split_whitespace();
    let name = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    match name(words.next()?).as_str() {
        "env" => words.find(|word| !word.starts_with('-') && !word.contains('=')).map(name),
        program => Some(program.to_owned()),
    }
}

/// Blanks comments of the C family: `//` to the end of the line, `/*` to `*/`. Literals are handled well enough for searching words.
pub(crate) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            out.push(' ');
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with('"') {
            let length = literal_length(rest);
            out.push_str(&rest[..length]);
            length
        } else {
            out.push('/');
            1
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

/// Length of the string literal at the start of `text`. It ends at the end of the line at the latest, so that one odd quote (of a raw
/// string or character) does not swallow the file.
fn literal_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return at,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether a program or script seems to speak the protocol, without running it.
pub(crate) fn speaks_protocol(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut head = [0_u8; 4];
    if file.read_exact(&mut head).is_err() || !(head == *b"\x7fELF" || head.starts_with(b"#!")) {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    file.take(PROGRAM_LIMIT).read_to_end(&mut bytes)?;
    Ok(tare_model::text::contains(&bytes, LINK_WORD))
}

/// The harness of others that a built program contains; None if it speaks the protocol itself.
pub(crate) fn harness_in(program: &Path) -> Option<&'static dyn Harness> {
    let mut file = File::open(program).ok()?;
    let mut bytes = vec![0_u8; 4];
    file.read_exact(&mut bytes).ok().filter(|()| bytes == *b"\x7fELF" || bytes.starts_with(b"#!"))?;
    file.take(PROGRAM_LIMIT).read_to_end(&mut bytes).ok()?;
    if tare_model::text::contains(&bytes, LINK_WORD) {
        return None;
    }
    tare_harness::of_program(&bytes)
}

pub(crate) fn is_script(path: &Path) -> bool {
    read_source(path).is_ok_and(|text| tare_model::text::contains(text.as_bytes(), LINK_WORD))
}

pub(crate) fn has_front_end(program: &[u8]) -> bool {
    tare_model::text::contains(program, LINK_WORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_source() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.py");
        std::fs::write(&path, "\u{feff}import tare\n").expect("a file");
        assert_eq!(read_source(&path).expect("a source"), "import tare\n");
    }

    #[test]
    fn comments_go_and_literals_stay() {
        assert_eq!(without_comments("a/b \"//x\\\"/*\" c // d\ne/* f */g"), "a/b \"//x\\\"/*\" c \ne g");
        assert_eq!(without_comments("/* open"), " ");
        assert_eq!(without_comments("'\"'\nx // y"), "'\"'\nx ");
    }
}
