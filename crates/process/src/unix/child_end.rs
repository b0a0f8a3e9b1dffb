//! The child's end of the link, for children that are part of Tare.

use super::fd;
use std::fs::File;
use std::io;
use std::os::fd::{FromRawFd, RawFd};

const VARIABLE: &str = "TARE_LINK";

/// The link that this process was started with, as (requests, replies). Programs that it starts inherit neither the descriptors nor the
/// variable. `None` if the variable is not set.
///
/// Call this once, before anything else opens a file.
/// Err: when the variable is malformed, or its descriptors are not open.
pub fn child_link() -> io::Result<Option<(File, File)>> {
    let Some(value) = std::env::var_os(VARIABLE) else { return Ok(None) };
    std::env::remove_var(VARIABLE);
    let text = value.to_string_lossy();
    let ends = text.strip_prefix("fd:").and_then(|pair| pair.split_once(','));
    let number = |text: &str| text.parse::<RawFd>().ok().filter(|fd| *fd > 2);
    let (read, write) = ends
        .and_then(|(read, write)| Some((number(read)?, number(write)?)))
        .filter(|(read, write)| read != write)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, format!("`{VARIABLE}={text}` is not a link")))?;
    let taken = |raw: RawFd| {
        // SAFETY: a descriptor by number and a flag; the call fails if it is not open.
        fd::checked(unsafe { libc::fcntl(raw, libc::F_SETFD, libc::FD_CLOEXEC) })?;
        // SAFETY: it is open, and nothing else claims it, as the variable was removed.
        Ok::<File, io::Error>(unsafe { File::from_raw_fd(raw) })
    };
    Ok(Some((taken(read)?, taken(write)?)))
}
