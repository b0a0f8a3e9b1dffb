//! Files as Unix has them.

use crate::files::{Identity, Stamp};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// For its owner alone.
const PRIVATE: u32 = 0o700;

pub(crate) fn stamp(facts: &Metadata) -> Stamp {
    let ns = |seconds: i64, ns: i64| i128::from(seconds) * 1_000_000_000 + i128::from(ns);
    Stamp {
        place: (facts.dev(), facts.ino()),
        size: facts.len(),
        modified_ns: ns(facts.mtime(), facts.mtime_nsec()),
        changed_ns: ns(facts.ctime(), facts.ctime_nsec()),
    }
}

pub(crate) fn identity(_path: &Path, facts: &Metadata) -> Identity {
    Identity::Number(facts.dev(), facts.ino())
}

pub(crate) fn is_executable(_path: &Path, facts: &Metadata) -> bool {
    facts.permissions().mode() & 0o111 != 0
}

pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.permissions().mode() & 0o100 {
        0 => fs::set_permissions(path, Permissions::from_mode(PRIVATE)),
        _ => Ok(()),
    }
}

pub(crate) fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(PRIVATE).create(path)
}

pub(crate) fn close_to_others(folder: &Path) -> io::Result<()> {
    match fs::metadata(folder)?.permissions().mode() & 0o777 {
        PRIVATE => Ok(()),
        _ => fs::set_permissions(folder, Permissions::from_mode(PRIVATE)),
    }
}

pub(crate) fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

pub(crate) fn link(original: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

pub(crate) fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(bytes, at)
}

pub(crate) fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file.write_all_at(bytes, at)
}
