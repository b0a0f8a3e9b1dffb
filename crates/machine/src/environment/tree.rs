//! Small files below a root: the real one or a fixture.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Most bytes read of a kernel file.
const FILE_LIMIT: u64 = 256 << 10;

#[derive(Clone, Copy)]
pub(crate) struct Tree<'a> {
    pub(crate) root: &'a Path,
}

impl Tree<'_> {
    /// The path of a file, named from the root without the leading `/`.
    pub(crate) fn path(self, name: &str) -> PathBuf {
        self.root.join(name.trim_start_matches('/'))
    }

    /// Its text, trimmed; None if it is missing, empty or unreadable.
    pub(crate) fn text(self, name: &str) -> Option<String> {
        self.head(name, FILE_LIMIT)
    }

    /// Its first bytes: reading all of `/proc/cpuinfo` asks every core for its clock.
    pub(crate) fn head(self, name: &str, limit: u64) -> Option<String> {
        let mut bytes = Vec::new();
        File::open(self.path(name)).ok()?.take(limit).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    pub(crate) fn number<T: std::str::FromStr>(self, name: &str) -> Option<T> {
        self.text(name)?.parse().ok()
    }

    /// Sorted names in a folder; empty if it does not exist.
    pub(crate) fn names(self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let mut names: Vec<String> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}

/// The value of a `key: value` or `key=value` line.
pub(crate) fn field<'a>(text: &'a str, key: &str, separator: char) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(separator)?;
        (name.trim() == key).then(|| value.trim())
    })
}

/// Parses lists such as `0-3,8`.
pub(crate) fn list(text: &str) -> Vec<u32> {
    /// The most processors that Linux supports.
    const LIMIT: u32 = 8192;
    let mut numbers = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            numbers.extend(first..=last.min(LIMIT));
        }
    }
    numbers
}
