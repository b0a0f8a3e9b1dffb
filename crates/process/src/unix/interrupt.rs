//! Interrupts by the user as signals.

use super::fd;
use super::registry;
use crate::interrupt::{came, Came, EXIT_INTERRUPTED, MESSAGE};
use std::io;
use std::os::fd::{AsRawFd, IntoRawFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::Mutex;

static WAKE_READ: AtomicI32 = AtomicI32::new(-1);
static WAKE_WRITE: AtomicI32 = AtomicI32::new(-1);
static INSTALLING: Mutex<()> = Mutex::new(());

/// Handles SIGINT, SIGTERM and SIGHUP. Unless interrupts are held (see [`hold_interrupts`]), the first ends the process with a message and
/// status 130. If they are, it sets the flag of [`interrupted`] and makes every [`crate::Child::receive`] return
/// [`crate::Received::Stopped`] at once; a second one kills the groups of all living children and ends the host with status 130. SIGHUP
/// stays ignored if the host was started that way (`nohup`). Also ignores SIGXFSZ, so that a file that grows too large is an error rather
/// than the end. Calling it again does nothing.
/// Err: when there are no descriptors for the pipe that wakes waiters.
pub fn install_interrupt_handler() -> io::Result<()> {
    let _guard = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if WAKE_READ.load(Ordering::SeqCst) >= 0 {
        return Ok(());
    }
    let (read, write) = fd::pipe()?;
    fd::add_status_flag(&read, libc::O_NONBLOCK)?;
    fd::add_status_flag(&write, libc::O_NONBLOCK)?;
    // Both live as long as the process: a handler may use them at any time.
    WAKE_WRITE.store(write.into_raw_fd(), Ordering::SeqCst);
    WAKE_READ.store(read.into_raw_fd(), Ordering::SeqCst);
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        take(signal)?;
    }
    // SAFETY: all-zero is a valid `sigaction`.
    let mut ignore: libc::sigaction = unsafe { std::mem::zeroed() };
    ignore.sa_sigaction = libc::SIG_IGN;
    // SAFETY: an action without handler.
    fd::checked(unsafe { libc::sigaction(libc::SIGXFSZ, &ignore, std::ptr::null_mut()) }).map(drop)
}

fn take(signal: libc::c_int) -> io::Result<()> {
    // SAFETY: all-zero is a valid `sigaction`: the default action without flags and an empty mask.
    let (mut new, mut old): (libc::sigaction, libc::sigaction) = unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
    // SAFETY: `old` is room for the present action.
    fd::checked(unsafe { libc::sigaction(signal, std::ptr::null(), &mut old) })?;
    if signal == libc::SIGHUP && old.sa_sigaction == libc::SIG_IGN {
        return Ok(());
    }
    new.sa_sigaction = on_signal as extern "C" fn(libc::c_int) as libc::sighandler_t;
    new.sa_flags = libc::SA_RESTART;
    // SAFETY: the handler does only what a handler may do, see there.
    fd::checked(unsafe { libc::sigaction(signal, &new, std::ptr::null_mut()) }).map(drop)
}

/// Only atomics, write(2), kill(2) and _exit(2): what POSIX allows in a handler.
extern "C" fn on_signal(_signal: libc::c_int) {
    let came = came();
    if came != Came::Asks {
        if came == Came::Ends {
            // SAFETY: the bytes of a constant; a stderr that is closed is no harm.
            unsafe { libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len()) };
        }
        registry::kill_all();
        // SAFETY: ends the process without running anything.
        unsafe { libc::_exit(EXIT_INTERRUPTED) };
    }
    let saved = io::Error::last_os_error().raw_os_error();
    // SAFETY: one byte of a live array to a descriptor that is never closed; a full pipe is no harm.
    unsafe { libc::write(WAKE_WRITE.load(Ordering::SeqCst), [1u8].as_ptr().cast(), 1) };
    if let Some(errno) = saved {
        set_errno(errno);
    }
}

fn set_errno(errno: libc::c_int) {
    #[cfg(any(target_os = "linux", target_os = "l4re"))]
    // SAFETY: the address of this thread's errno.
    unsafe {
        *libc::__errno_location() = errno;
    }
    #[cfg(any(target_os = "macos", target_os = "freebsd"))]
    // SAFETY: as above.
    unsafe {
        *libc::__error() = errno;
    }
    let _ = errno;
}

/// The descriptor that becomes and stays readable with the first interrupt; -1 if no handler is installed.
pub(crate) fn wake_fd() -> RawFd {
    WAKE_READ.load(Ordering::SeqCst).as_raw_fd()
}
