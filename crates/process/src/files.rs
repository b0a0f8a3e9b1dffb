//! What systems say differently of files.

use crate::here::files as here;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// What tells without reading a file that it is another one than before, or was written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Device and number; where the system has none of them, what it has in their place.
    pub place: (u64, u64),
    /// Bytes.
    pub size: u64,
    /// When its content was last written, ns from a start that is the system's.
    pub modified_ns: i128,
    /// When anything of it was last changed, ns from the same start.
    pub changed_ns: i128,
}

/// Which file or folder it is, whatever path leads there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Identity {
    /// Device and number.
    Number(u64, u64),
    /// Its path without links.
    Path(PathBuf),
}

impl Stamp {
    /// Of these facts.
    pub fn of(facts: &Metadata) -> Stamp {
        here::stamp(facts)
    }
}

impl Identity {
    /// Of the file at this path, which has these facts.
    pub fn of(path: &Path, facts: &Metadata) -> Identity {
        here::identity(path, facts)
    }
}

/// Whether the system starts it as a program.
pub fn is_executable(path: &Path, facts: &Metadata) -> bool {
    here::is_executable(path, facts)
}

/// Whether there is a file at this path that the system starts as a program.
pub fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|facts| facts.is_file() && is_executable(path, &facts))
}

/// The program of this name in a folder: where names of programs have an ending, it may be left out.
pub fn program_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let ending = std::env::consts::EXE_SUFFIX;
    let named = |name: &str| Some(folder.join(name)).filter(|path| is_program(path));
    let with_ending = || (!ending.is_empty()).then(|| named(&format!("{name}{ending}"))).flatten();
    Some(name).filter(|name| !name.is_empty()).and_then(named).or_else(with_ending)
}

/// Lets its owner start a file as a program.
///
/// # Errors
/// The system's.
pub fn make_executable(path: &Path) -> io::Result<()> {
    here::make_executable(path)
}

/// Makes a folder, with those above it, that no other user may look into.
///
/// # Errors
/// The system's.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    here::make_private_folder(path)
}

/// Closes a folder to other users; only its owner can.
///
/// # Errors
/// The system's.
pub fn close_to_others(folder: &Path) -> io::Result<()> {
    here::close_to_others(folder)
}

/// Makes a file that is not there yet, with these rights on Unix.
///
/// # Errors
/// The system's.
pub fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    here::create_new(path, mode)
}

/// Makes a symbolic link.
///
/// # Errors
/// The system's.
pub fn link(original: &Path, link: &Path) -> io::Result<()> {
    here::link(original, link)
}

/// A path as other programs write it.
pub fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    here::path_of_bytes(bytes)
}

/// Reads as many bytes as there is room for, from this place of the file.
///
/// # Errors
/// The system's, or that the file ends before.
pub fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    here::read_exact_at(file, bytes, at)
}

/// Writes all bytes to this place of the file.
///
/// # Errors
/// The system's.
pub fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    here::write_all_at(file, bytes, at)
}
