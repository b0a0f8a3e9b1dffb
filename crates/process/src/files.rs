//! Facts about files, and files that are closed to other users.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// For its owner alone.
const PRIVATE: u32 = 0o700;
/// A flag of opening: a named pipe without another end is not waited for.
pub const NO_WAIT: i32 = libc::O_NONBLOCK;
/// A flag of opening: a symbolic link is not followed.
pub const NO_LINK: i32 = libc::O_NOFOLLOW;

/// Tells without reading a file that it is another one than before, or was written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Device and number.
    pub place: (u64, u64),
    /// Bytes.
    pub size: u64,
    /// When its content was last written, ns since 1970.
    pub modified_ns: i128,
    /// When anything of it was last changed, ns since 1970.
    pub changed_ns: i128,
}

impl Stamp {
    /// Of these facts.
    pub fn of(facts: &Metadata) -> Stamp {
        let ns = |seconds: i64, ns: i64| i128::from(seconds) * 1_000_000_000 + i128::from(ns);
        Stamp {
            place: (facts.dev(), facts.ino()),
            size: facts.len(),
            modified_ns: ns(facts.mtime(), facts.mtime_nsec()),
            changed_ns: ns(facts.ctime(), facts.ctime_nsec()),
        }
    }
}

/// Whether the system starts it as a program.
pub fn is_executable(facts: &Metadata) -> bool {
    facts.permissions().mode() & 0o111 != 0
}

/// Whether there is a file at this path that the system starts as a program.
pub fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|facts| facts.is_file() && is_executable(&facts))
}

pub fn program_in(folder: &Path, name: &str) -> Option<PathBuf> {
    Some(folder.join(name)).filter(|path| !name.is_empty() && is_program(path))
}

/// Lets its owner start a file as a program.
pub fn make_executable(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.permissions().mode() & 0o100 {
        0 => fs::set_permissions(path, Permissions::from_mode(PRIVATE)),
        _ => Ok(()),
    }
}

/// Makes a folder, with those above it, that no other user may look into.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(PRIVATE).create(path)
}

/// Closes a folder to other users; only its owner can.
pub fn close_to_others(folder: &Path) -> io::Result<()> {
    match fs::metadata(folder)?.permissions().mode() & 0o777 {
        PRIVATE => Ok(()),
        _ => fs::set_permissions(folder, Permissions::from_mode(PRIVATE)),
    }
}

/// Makes a file that is not there yet, with these rights.
pub fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// A path as other programs write it.
pub fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// What a folder holds, sorted; nothing where it cannot be read.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    found.sort();
    found
}

/// The files below a folder, sorted, in folders no deeper than `depth` that are to be entered.
pub fn files_below(folder: &Path, depth: usize, enter: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![(folder.to_owned(), 0)]);
    while let Some((folder, level)) = folders.pop() {
        for path in entries(&folder) {
            match path.is_dir() {
                true if level < depth && enter(&path) => folders.push((path, level + 1)),
                true => {}
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}
