//! The link to the host: two descriptors.

#[cfg(unix)]
pub(super) use unix::{leave, open};

#[cfg(not(unix))]
pub(super) use elsewhere::{leave, open};

#[cfg(unix)]
mod unix {
    use std::ffi::c_int;
    use std::fs::File;
    use std::os::fd::FromRawFd;

    extern "C" {
        fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
        fn _exit(status: c_int) -> !;
    }

    const F_GETFD: c_int = 1;
    const F_SETFD: c_int = 2;
    const FD_CLOEXEC: c_int = 1;

    /// Opens the link `fd:R,W`.
    pub(in super::super) fn open(text: &str) -> Option<(File, File)> {
        let (read, write) = text.strip_prefix("fd:")?.split_once(',')?;
        let (read, write) = (read.parse::<c_int>().ok()?, write.parse::<c_int>().ok()?);
        if read == write {
            return None;
        }
        for end in [read, write] {
            // SAFETY: these commands of `fcntl` only change the descriptor's flag, and fail if it is not open.
            unsafe {
                if fcntl(end, F_GETFD) < 0 || fcntl(end, F_SETFD, FD_CLOEXEC) < 0 {
                    return None;
                }
            }
        }
        // SAFETY: both are open, as just checked, and the host gave them to this code alone.
        Some(unsafe { (File::from_raw_fd(read), File::from_raw_fd(write)) })
    }

    /// Ends the process without running any destructors or exit handlers.
    pub(in super::super) fn leave() -> ! {
        // SAFETY: `_exit` takes any status.
        unsafe { _exit(0) }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::fs::File;

    pub(in super::super) fn open(_text: &str) -> Option<(File, File)> {
        None
    }

    pub(in super::super) fn leave() -> ! {
        std::process::exit(0)
    }
}
