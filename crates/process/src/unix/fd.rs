//! Descriptors: pipes, waiting and duplicating.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

/// Descriptors for a child start here, so that moving them to 0 to 4 never overwrites one of them.
pub(crate) const MOVED_FROM: RawFd = 10;

/// Converts the result of a system call that returns -1 on failure.
pub(crate) fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// A pipe as (read end, write end), both close-on-exec.
pub(crate) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [-1; 2];
    #[cfg(target_os = "linux")]
    // SAFETY: `ends` is room for the two descriptors.
    checked(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
    #[cfg(not(target_os = "linux"))]
    // SAFETY: as above.
    checked(unsafe { libc::pipe(ends.as_mut_ptr()) })?;
    // SAFETY: the call succeeded, so that both are open and nothing else owns them.
    let pair = unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) };
    #[cfg(not(target_os = "linux"))]
    for fd in &ends {
        // SAFETY: an open descriptor and a flag.
        checked(unsafe { libc::fcntl(*fd, libc::F_SETFD, libc::FD_CLOEXEC) })?;
    }
    Ok(pair)
}

/// Duplicates a descriptor to [`MOVED_FROM`] or above, close-on-exec.
pub(crate) fn moved_up(fd: &impl AsRawFd) -> io::Result<OwnedFd> {
    // SAFETY: the descriptor is open for the length of the call.
    let moved = checked(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, MOVED_FROM) })?;
    // SAFETY: a new descriptor that nothing else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(moved) })
}

pub(crate) fn add_status_flag(fd: &impl AsRawFd, flag: libc::c_int) -> io::Result<()> {
    // SAFETY: the descriptor is open for the length of both calls.
    let flags = checked(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_GETFL) })?;
    // SAFETY: as above.
    checked(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags | flag) }).map(drop)
}

/// Reads once, appending at most `most` bytes to `buffer`, which must have room; `Ok(None)` if nothing is available now.
pub(crate) fn read(fd: &impl AsRawFd, buffer: &mut Vec<u8>, most: usize) -> io::Result<Option<usize>> {
    let room = buffer.spare_capacity_mut();
    let most = most.min(room.len());
    loop {
        // SAFETY: the spare room is writable for its length, and `most` is not more.
        let got = unsafe { libc::read(fd.as_raw_fd(), room.as_mut_ptr().cast(), most) };
        if let Ok(count) = usize::try_from(got) {
            // SAFETY: the system wrote that many bytes behind the old length.
            unsafe { buffer.set_len(buffer.len() + count) };
            return Ok(Some(count));
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::Interrupted => {}
            io::ErrorKind::WouldBlock => return Ok(None),
            _ => return Err(error),
        }
    }
}

pub(crate) fn write(fd: &impl AsRawFd, bytes: &[u8]) -> io::Result<usize> {
    loop {
        // SAFETY: `bytes` is readable for its length.
        let put = unsafe { libc::write(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
        if let Ok(count) = usize::try_from(put) {
            return Ok(count);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// An entry of [`wait_any`] that wakes when there is data, or when the other end is closed. A negative descriptor is never ready.
pub(crate) fn readable(fd: RawFd) -> libc::pollfd {
    libc::pollfd { fd, events: libc::POLLIN, revents: 0 }
}

/// Waits until an entry is ready (true) or the time is over.
/// Signals do not shorten the wait: a handler that should wake it writes to a pipe among the entries.
pub(crate) fn wait_any(entries: &mut [libc::pollfd], timeout: Duration) -> io::Result<bool> {
    let start = Instant::now();
    loop {
        let left = timeout.saturating_sub(start.elapsed());
        // Rounded up: rounded down, the last millisecond would be spent in a busy loop.
        let millis = i32::try_from(left.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
        let count = libc::nfds_t::try_from(entries.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        // SAFETY: the slice is valid for its length.
        let ready = unsafe { libc::poll(entries.as_mut_ptr(), count, millis) };
        if ready > 0 {
            return Ok(true);
        }
        if ready < 0 {
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
        if start.elapsed() >= timeout {
            return Ok(false);
        }
    }
}
