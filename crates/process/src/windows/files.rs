//! Files as Windows has them.

use crate::files::{Identity, Stamp};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Endings of what Windows starts as a program.
const PROGRAMS: [&str; 4] = ["exe", "com", "bat", "cmd"];
/// Length of the unit of its times, ns.
const UNIT_NS: i128 = 100;

pub(crate) fn stamp(facts: &Metadata) -> Stamp {
    // The number of a file is not among its facts: the time of its creation tells a new file of the same name.
    let modified_ns = i128::from(facts.last_write_time()) * UNIT_NS;
    Stamp { place: (0, facts.creation_time()), size: facts.len(), modified_ns, changed_ns: modified_ns }
}

pub(crate) fn identity(path: &Path, _facts: &Metadata) -> Identity {
    Identity::Path(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
}

pub(crate) fn is_executable(path: &Path, _facts: &Metadata) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|ending| PROGRAMS.contains(&ending.as_str()))
}

/// The ending of its name decides.
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    fs::metadata(path).map(drop)
}

/// Its rights are those of the folder above: the profile of a user is closed to others.
pub(crate) fn make_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

pub(crate) fn close_to_others(folder: &Path) -> io::Result<()> {
    fs::metadata(folder).map(drop)
}

pub(crate) fn create_new(path: &Path, _mode: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

pub(crate) fn link(original: &Path, link: &Path) -> io::Result<()> {
    match original.is_dir() {
        true => std::os::windows::fs::symlink_dir(original, link),
        false => std::os::windows::fs::symlink_file(original, link),
    }
}

/// Programs print paths as UTF-8.
pub(crate) fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

pub(crate) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_read(bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                bytes = &mut bytes[count..];
                at += count as u64;
            }
        }
    }
    Ok(())
}

pub(crate) fn write_all_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_write(bytes, at)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => {
                bytes = &bytes[count..];
                at += count as u64;
            }
        }
    }
    Ok(())
}
