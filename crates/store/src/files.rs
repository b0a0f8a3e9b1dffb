//! Files of others: opened without waiting for anybody, and read only when they are files.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Whether there is nothing: also below what is no folder, where a store that must not be used is left alone.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// It is followed: the user has named the path.
    Follow,
    /// It is refused: only Tare may write in that folder.
    Refuse,
}

/// Reads a file as text. A named pipe or a device is an error and not a wait.
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

/// Opens what is, or becomes, a regular file.
pub(crate) fn open(options: &mut OpenOptions, path: &Path, links: Links) -> io::Result<File> {
    set_flags(options, links);
    let file = options.open(path).map_err(|error| match links {
        // "Too many levels of symbolic links", says the system.
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

/// Whether a path is a symbolic link itself.
pub(crate) fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_symlink())
}

fn set_flags(options: &mut OpenOptions, links: Links) {
    use std::os::unix::fs::OpenOptionsExt;
    use tare_process::files::{NO_LINK, NO_WAIT};
    options.custom_flags(if links == Links::Refuse { NO_WAIT | NO_LINK } else { NO_WAIT });
}

/// The user whom a file belongs to, when that is somebody else than who runs this process.
pub(crate) fn foreign_owner(data: &Metadata) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    Some(data.uid()).filter(|owner| *owner != tare_process::user())
}
