//! The output of a child: one file in memory for standard output and standard error.
//!
//! Not a pipe, which would wake the host with every line, while it must sleep during an iteration.

use super::fd;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

/// Output beyond this many bytes is released, oldest first.
#[cfg(target_os = "linux")]
const KEPT_BYTES: u64 = 4 << 20;

#[derive(Debug)]
pub(crate) struct Output {
    file: File,
    /// Everything before this offset was released.
    #[cfg(target_os = "linux")]
    released: u64,
}

impl Output {
    pub(crate) fn new() -> io::Result<Output> {
        let file = anonymous_file()?;
        // Both streams share one open file with all processes that inherit them. Without this flag, processes that open it again would
        // overwrite each other's output.
        fd::add_status_flag(&file, libc::O_APPEND)?;
        Ok(Output {
            file,
            #[cfg(target_os = "linux")]
            released: 0,
        })
    }

    pub(crate) fn fd(&self) -> &impl AsRawFd {
        &self.file
    }

    /// Device and number of the file.
    pub(crate) fn identity(&self) -> Option<(u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        self.file.metadata().ok().map(|data| (data.dev(), data.ino()))
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.file.metadata().map_or(0, |m| m.len())
    }

    /// The last bytes, at most `bytes`.
    pub(crate) fn tail(&self, bytes: usize) -> Vec<u8> {
        let end = self.bytes();
        let begin = end.saturating_sub(bytes as u64);
        let mut tail = vec![0; usize::try_from(end - begin).unwrap_or(0)];
        let mut got = 0;
        while got < tail.len() {
            match self.file.read_at(&mut tail[got..], begin + got as u64) {
                Ok(0) | Err(_) => break,
                Ok(count) => got += count,
            }
        }
        tail.truncate(got);
        tail
    }

    /// Frees the memory of old output, so that a flood does not exhaust the machine. The file size stays the same.
    #[cfg(target_os = "linux")]
    pub(crate) fn trim(&mut self) {
        let keep_from = self.bytes().saturating_sub(KEPT_BYTES);
        if keep_from < self.released + KEPT_BYTES {
            return;
        }
        let (Ok(from), Ok(length)) = (i64::try_from(self.released), i64::try_from(keep_from - self.released)) else {
            return;
        };
        // SAFETY: a system call with numbers only.
        let done = unsafe {
            let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
            libc::fallocate(self.file.as_raw_fd(), mode, from, length)
        };
        if done == 0 {
            self.released = keep_from;
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn trim(&mut self) {}
}

#[cfg(target_os = "linux")]
fn anonymous_file() -> io::Result<File> {
    use std::os::fd::{FromRawFd, OwnedFd};
    // SAFETY: a constant name that ends with a zero.
    let fd = fd::checked(unsafe { libc::memfd_create(c"tare-output".as_ptr(), libc::MFD_CLOEXEC) })?;
    // SAFETY: a new descriptor that nothing else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) }.into())
}

#[cfg(not(target_os = "linux"))]
fn anonymous_file() -> io::Result<File> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("tare-output-{}-{number}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}
