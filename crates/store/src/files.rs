//! Opens files of others: only regular files, without blocking.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Whether the file does not exist, including in a path below a file: a store that must not be used is placed there.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// Follow: the user named this path.
    Follow,
    /// Refuse: only Tare should write in this folder.
    Refuse,
}

/// Reads a file as text. Named pipes and devices are errors rather than waits.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_to_read(path, Links::Follow)?.read_to_string(&mut text)?;
    Ok(text)
}

pub(crate) fn read(path: &Path, links: Links) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open_to_read(path, links)?.read_to_end(&mut content)?;
    Ok(content)
}

pub(crate) fn open_to_read(path: &Path, links: Links) -> io::Result<File> {
    open(OpenOptions::new().read(true), path, links)
}

/// Opens a file that is regular, or is created.
pub(crate) fn open(options: &mut OpenOptions, path: &Path, links: Links) -> io::Result<File> {
    set_flags(options, links);
    let file = options.open(path).map_err(|error| match links {
        // The system would report "Too many levels of symbolic links".
        Links::Refuse if is_link(path) => refused("it is a symbolic link"),
        _ => error,
    })?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(refused("it is not a regular file"))
    }
}

fn refused(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

pub(crate) fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_symlink())
}

fn set_flags(options: &mut OpenOptions, links: Links) {
    use std::os::unix::fs::OpenOptionsExt;
    use tare_process::files::{NO_LINK, NO_WAIT};
    options.custom_flags(if links == Links::Refuse { NO_WAIT | NO_LINK } else { NO_WAIT });
}

/// The owner of a file, if not the current user.
pub(crate) fn foreign_owner(data: &Metadata) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    Some(data.uid()).filter(|owner| *owner != tare_process::user())
}
