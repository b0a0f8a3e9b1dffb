//! Process facts from the system.

use super::fd;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

/// A descriptor that becomes readable when the process ends.
#[cfg(target_os = "linux")]
pub(crate) fn ending(pid: libc::pid_t) -> Option<OwnedFd> {
    use std::os::fd::FromRawFd;
    // SAFETY: numbers only; the process is our child and not reaped, so that its number is its own.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    let fd = std::os::fd::RawFd::try_from(fd).ok().filter(|fd| *fd >= 0)?;
    // SAFETY: a new descriptor that nothing else owns; the system made it close-on-exec.
    Some(unsafe { OwnedFd::from_raw_fd(fd) })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn ending(_pid: libc::pid_t) -> Option<OwnedFd> {
    None
}

/// Makes writing to a child that has gone an error rather than fatal for the host, and reports the end of children even if the host was
/// started with SIGCHLD ignored.
pub(crate) fn settle_signals() -> io::Result<()> {
    for (signal, bad, good) in
        [(libc::SIGPIPE, libc::SIG_DFL, libc::SIG_IGN), (libc::SIGCHLD, libc::SIG_IGN, libc::SIG_DFL)]
    {
        // SAFETY: all-zero is a valid `sigaction`.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: `action` is room for the present action.
        fd::checked(unsafe { libc::sigaction(signal, std::ptr::null(), &mut action) })?;
        if action.sa_sigaction == bad {
            action.sa_sigaction = good;
            // SAFETY: an action without handler.
            fd::checked(unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) })?;
        }
    }
    Ok(())
}

/// A line of `/proc/PROCESS/status`, converted from KiB to bytes.
pub(crate) fn status_bytes(process: &str, name: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.saturating_mul(1024))
}

/// CPU time of all threads of a process so far, in ns, in steps of a tick, usually 10 ms. `None` on systems without `/proc`.
pub(crate) fn cpu_ns(process: libc::pid_t) -> Option<u64> {
    Some(CpuTicks::of(process)?.own.saturating_mul(tick_ns()?))
}

/// Length of a tick, the unit of CPU times, in ns.
pub(crate) fn tick_ns() -> Option<u64> {
    // SAFETY: a number only.
    let per_second = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).ok().filter(|ticks| *ticks > 0)?;
    Some(1_000_000_000 / per_second)
}

/// User and system time of a process in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CpuTicks {
    /// All its threads.
    pub(crate) own: u64,
    /// Descendants that it waited for, directly or indirectly.
    pub(crate) reaped: u64,
    pub(crate) threads: u64,
}

impl CpuTicks {
    pub(crate) fn of(process: libc::pid_t) -> Option<CpuTicks> {
        CpuTicks::in_stat(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
    }

    /// Parses `/proc/PID/stat`. The program's name is in brackets and may contain any characters.
    pub(crate) fn in_stat(stat: &str) -> Option<CpuTicks> {
        let (_, behind_name) = stat.rsplit_once(')')?;
        // The state is field 3 in proc(5); these are fields 14 to 17, two priorities, and field 20.
        let mut fields = behind_name.split_whitespace().skip(11);
        let mut number = || fields.next()?.parse::<i64>().ok();
        let mut time = || number()?.try_into().ok();
        let mut both = || Some(u64::saturating_add(time()?, time()?));
        let (own, reaped) = (both()?, both()?);
        let threads = (number()?, number()?, number()?).2.try_into().ok()?;
        Some(CpuTicks { own, reaped, threads })
    }
}

/// Reads an open `/proc/PID/statm`.
pub(crate) fn resident_bytes(statm: &File) -> Option<u64> {
    let mut text = [0; 128];
    let length = statm.read_at(&mut text, 0).ok()?;
    let pages = std::str::from_utf8(&text[..length]).ok()?.split(' ').nth(1)?.parse::<u64>().ok()?;
    // SAFETY: a number only.
    let page_bytes = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    (pages > 0).then(|| pages.saturating_mul(page_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_is_user_and_system_time_whatever_the_name() {
        let stat = "77 (a b) S) R 1 2 3 0 -1 4194304 100 200 300 400 25 17 900 800 20 0 1 0";
        assert_eq!(CpuTicks::in_stat(stat), Some(CpuTicks { own: 42, reaped: 1700, threads: 1 }));
        assert_eq!(CpuTicks::in_stat("77 (a) R 1 2"), None);
        assert_eq!(CpuTicks::in_stat(""), None);
        assert_eq!(cpu_ns(-1), None);
    }

    #[test]
    fn cpu_time_grows_with_work() {
        let own = || cpu_ns(libc::pid_t::try_from(std::process::id()).expect("a small number"));
        let Some(before) = own() else { return };
        let exact = || super::super::system::clock_ns(libc::CLOCK_PROCESS_CPUTIME_ID);
        let begin = exact();
        while exact() - begin < 60_000_000 {}
        assert!(own().is_some_and(|after| after - before >= 30_000_000), "it is in steps of about 10 ms");
    }
}
