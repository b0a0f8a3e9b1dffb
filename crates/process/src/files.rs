//! File metadata, and files that other users cannot access.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Access for the owner only.
const PRIVATE: u32 = 0o700;
/// An open flag: do not wait for the other end of a named pipe.
pub const NO_WAIT: i32 = libc::O_NONBLOCK;
/// An open flag: do not follow a symbolic link.
pub const NO_LINK: i32 = libc::O_NOFOLLOW;

/// Reveals, without reading a file, that it was replaced or written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Device and inode.
    pub place: (u64, u64),
    /// Bytes.
    pub size: u64,
    /// When its content was last written, ns since 1970.
    pub modified_ns: i128,
    /// When anything of it was last changed, ns since 1970.
    pub changed_ns: i128,
}

impl Stamp {
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

/// Whether the system can start it as a program.
pub fn is_executable(facts: &Metadata) -> bool {
    facts.permissions().mode() & 0o111 != 0
}

/// Whether this path is a file that the system can start as a program.
pub fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|facts| facts.is_file() && is_executable(&facts))
}

pub fn program_in(folder: &Path, name: &str) -> Option<PathBuf> {
    Some(folder.join(name)).filter(|path| !name.is_empty() && is_program(path))
}

/// Makes a file executable for its owner.
pub fn make_executable(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.permissions().mode() & 0o100 {
        0 => fs::set_permissions(path, Permissions::from_mode(PRIVATE)),
        _ => Ok(()),
    }
}

/// Creates a folder and its parents, private to this user.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(PRIVATE).create(path)
}

/// Makes a folder private; only its owner can.
pub fn close_to_others(folder: &Path) -> io::Result<()> {
    match fs::metadata(folder)?.permissions().mode() & 0o777 {
        PRIVATE => Ok(()),
        _ => fs::set_permissions(folder, Permissions::from_mode(PRIVATE)),
    }
}

/// Creates a file with these rights; an error if it exists.
pub fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// A path as other programs write it.
pub fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// The content of a folder, sorted; empty if it cannot be read.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    found.sort();
    found
}

/// The files below a folder, sorted, at most `depth` folders deep and only in folders that `enter` accepts.
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
