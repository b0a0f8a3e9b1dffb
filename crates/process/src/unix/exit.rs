//! The end of a child and of its group.

use super::fd;
use crate::{Exit, ExitStatusKind};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// Result of [`reap`].
pub(crate) enum Reaped {
    Exit(Exit),
    Running,
    /// It does not exist: something else reaped it.
    Lost,
}

/// Reaps a child if it has ended, without waiting. The peak is the system's.
pub(crate) fn reap(pid: libc::pid_t) -> Reaped {
    let mut status = 0;
    // SAFETY: all-zero is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both places are writable.
        match unsafe { libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage) } {
            0 => return Reaped::Running,
            got if got == pid => return Reaped::Exit(exit(status, &usage)),
            _ => {
                if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                    return Reaped::Lost;
                }
            }
        }
    }
}

pub(crate) fn wait(pid: libc::pid_t) -> io::Result<Exit> {
    let mut status = 0;
    // SAFETY: all-zero is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both places are writable.
        match fd::checked(unsafe { libc::wait4(pid, &mut status, 0, &mut usage) }) {
            Ok(_) => return Ok(exit(status, &usage)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn exit(status: libc::c_int, usage: &libc::rusage) -> Exit {
    let status = if libc::WIFSIGNALED(status) {
        ExitStatusKind::Signal(libc::WTERMSIG(status))
    } else {
        ExitStatusKind::Code(libc::WEXITSTATUS(status))
    };
    // Linux counts in KiB, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let peak = u64::try_from(usage.ru_maxrss).ok().filter(|p| *p > 0).map(|p| p.saturating_mul(unit));
    Exit { status, peak_memory_bytes: peak, user_ns: nanos(usage.ru_utime), system_ns: nanos(usage.ru_stime) }
}

fn nanos(time: libc::timeval) -> u64 {
    // The types differ between systems.
    #[allow(clippy::unnecessary_cast)]
    let (seconds, micros) = (time.tv_sec as i64, time.tv_usec as i64);
    u64::try_from(seconds.saturating_mul(1_000_000_000).saturating_add(micros.saturating_mul(1000))).unwrap_or(0)
}

/// Sends SIGKILL to every process of a group; false if the group does not exist.
pub(crate) fn kill_group(group: libc::pid_t) -> bool {
    // SAFETY: a plain system call.
    group > 1 && fd::checked(unsafe { libc::kill(-group, libc::SIGKILL) }).is_ok()
}

/// Whether a group has any process, including unreaped ones.
pub(crate) fn group_exists(group: libc::pid_t) -> bool {
    // SAFETY: signal 0 sends nothing.
    if group > 1 && unsafe { libc::kill(-group, 0) } == 0 {
        return true;
    }
    io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
}

/// Reaps ended members of a group whose leader is reaped. As subreaper, the host is the parent of orphaned descendants.
pub(crate) fn reap_group(group: libc::pid_t) {
    // SAFETY: no status is asked for.
    while group > 1 && unsafe { libc::waitpid(-group, std::ptr::null_mut(), libc::WNOHANG) } > 0 {}
}

/// Name of a signal, such as `SIGSEGV`; `unknown signal` for a number without name.
pub fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGCHLD => "SIGCHLD",
        libc::SIGCONT => "SIGCONT",
        libc::SIGSTOP => "SIGSTOP",
        libc::SIGTSTP => "SIGTSTP",
        libc::SIGTTIN => "SIGTTIN",
        libc::SIGTTOU => "SIGTTOU",
        libc::SIGURG => "SIGURG",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        libc::SIGVTALRM => "SIGVTALRM",
        libc::SIGPROF => "SIGPROF",
        libc::SIGWINCH => "SIGWINCH",
        libc::SIGIO => "SIGIO",
        libc::SIGSYS => "SIGSYS",
        #[cfg(target_os = "linux")]
        libc::SIGSTKFLT => "SIGSTKFLT",
        #[cfg(target_os = "linux")]
        libc::SIGPWR => "SIGPWR",
        _ => "unknown signal",
    }
}

/// The signal that ended a helper; `None` if it exited.
pub(crate) fn ended_by_signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}
