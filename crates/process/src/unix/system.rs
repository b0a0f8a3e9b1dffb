//! A few facts that need system calls.

use super::fd;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::process::ChildStdin;

/// Makes this process adopt orphaned descendants, so that they can be found and reaped. Linux only; elsewhere it does nothing, and strays
/// are found by their group only.
pub(crate) fn become_subreaper() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    // SAFETY: a system call with numbers only.
    fd::checked(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) })?;
    Ok(())
}

/// The monotonic clock, in ns from an arbitrary start. Native children use the same clock.
pub fn monotonic_ns() -> u64 {
    clock_ns(libc::CLOCK_MONOTONIC)
}

/// CPU time of the calling thread, ns.
pub(crate) fn thread_cpu_ns() -> u64 {
    clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

pub(crate) fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is room for the answer.
    unsafe { libc::clock_gettime(clock, &mut time) };
    // The types differ between systems.
    #[allow(clippy::unnecessary_cast)]
    let (seconds, nanos) = (time.tv_sec as u64, time.tv_nsec as u64);
    seconds.wrapping_mul(1_000_000_000).wrapping_add(nanos)
}

/// Locks a file; false if it is locked already. The system releases the lock when the file is closed, however the process ends; children do
/// not inherit it.
/// Err: when the system does not support locks on this file.
pub fn try_lock(file: &File) -> io::Result<bool> {
    // SAFETY: the descriptor is open as long as `file` is.
    match fd::checked(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error),
    }
}

/// The effective user id of this process.
pub fn user() -> u32 {
    // SAFETY: a system call without arguments, which always succeeds.
    unsafe { libc::geteuid() }
}

/// Columns of the terminal at a descriptor; `None` if it is not a terminal or the width is unknown.
pub fn terminal_width(fd: i32) -> Option<u16> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: `size` is room for the answer of this request.
    let done = unsafe { libc::ioctl(fd, libc::TIOCGWINSZ, &mut size) };
    (done == 0 && size.ws_col > 0).then_some(size.ws_col)
}

pub fn is_terminal(fd: i32) -> bool {
    // SAFETY: a number only.
    unsafe { libc::isatty(fd) == 1 }
}

/// Room for 64 Ki processors, since the kernel's mask may be wider than `cpu_set_t`.
#[cfg(target_os = "linux")]
const MASK_WORDS: usize = 1024;

/// The processors that this process may use, by number. Empty if the system does not report them.
pub fn allowed_processors() -> Vec<u32> {
    #[cfg(target_os = "linux")]
    {
        let mut mask = [0u64; MASK_WORDS];
        // SAFETY: the mask is writable for its length.
        let done = unsafe { libc::sched_getaffinity(0, size_of_val(&mask), mask.as_mut_ptr().cast()) };
        if done == 0 {
            let is_set = |cpu: &u32| mask[*cpu as usize / 64] >> (cpu % 64) & 1 == 1;
            return (0..MASK_WORDS as u32 * 64).filter(is_set).collect();
        }
    }
    Vec::new()
}

/// The processors as bits, in as many words as necessary.
pub(crate) fn mask(processors: &[u32]) -> Vec<u64> {
    let words = processors.iter().max().map_or(0, |most| *most as usize / 64 + 1);
    let mut mask = vec![0u64; words];
    for processor in processors {
        mask[*processor as usize / 64] |= 1 << (processor % 64);
    }
    mask
}

/// Pins the calling thread to one processor.
/// Err: when the system refuses or does not support it.
pub(crate) fn pin_this_thread(processor: u32) -> io::Result<()> {
    pin(0, processor)
}

/// Pins the first thread of a process to a processor, with the threads that it starts later; 0: the calling thread.
/// Err: when the system refuses or does not support it.
pub fn pin(process: u32, processor: u32) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let mut mask = [0u64; MASK_WORDS];
        let word = mask.get_mut(processor as usize / 64).ok_or(io::ErrorKind::InvalidInput)?;
        *word = 1 << (processor % 64);
        let process = libc::pid_t::try_from(process).map_err(|_| io::ErrorKind::InvalidInput)?;
        // SAFETY: the mask is readable for its length.
        fd::checked(unsafe { libc::sched_setaffinity(process, size_of_val(&mask), mask.as_ptr().cast()) })?;
        Ok(())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (process, processor);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Makes writes to a full pipe fail rather than block.
pub(crate) fn never_wait(pipe: &ChildStdin) -> io::Result<()> {
    fd::add_status_flag(pipe, libc::O_NONBLOCK)
}

/// Memory available to processes without swapping, in bytes: the machine's, or the control group's if that is less. `None` if the system
/// does not report it.
pub fn available_memory_bytes() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let machine = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.saturating_mul(1024);
    Some(control_group_memory_bytes().map_or(machine, |left| left.min(machine)))
}

/// Memory left under this process's control-group limit (version 2), in bytes; page cache counts as free.
fn control_group_memory_bytes() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|l| l.strip_prefix("0::"))?;
    let folder = std::path::Path::new("/sys/fs/cgroup").join(path.trim_start_matches('/'));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let limit = read("memory.max")?.trim().parse::<u64>().ok()?;
    let used = read("memory.current")?.trim().parse::<u64>().ok()?;
    let stat = read("memory.stat").unwrap_or_default();
    let cache = stat.lines().find_map(|l| l.strip_prefix("inactive_file ")).and_then(|n| n.trim().parse::<u64>().ok());
    Some(limit.saturating_sub(used.saturating_sub(cache.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_sane() {
        assert!(crate::processors() >= 1);
        assert!(monotonic_ns() < monotonic_ns() + 1);
        assert_eq!(terminal_width(-1), None);
        assert!(!is_terminal(-1));
        if cfg!(target_os = "linux") {
            assert!(available_memory_bytes().is_some_and(|bytes| bytes > 1 << 20));
        }
    }
}
