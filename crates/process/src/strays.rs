//! Processes that a child left behind: those of its group, those that carry the mark of its launch in their environment, and those
//! that write to its output, wherever they went. Who has given up all of that is found as a foster child of the host
//! ([`crate::become_subreaper`]) and ended with the last of the launches that it can be of.

#[cfg(not(target_os = "linux"))]
use crate::exit;
#[cfg(target_os = "linux")]
use crate::registry;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Looks for strays at most this often while killing: one that forks faster than that wins a round, not the game.
const ROUNDS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(2);

/// When the first launch of this host began, in ticks since boot: what a build has left is older, and is none of a launch.
static FIRST_LAUNCH: AtomicU64 = AtomicU64::new(u64::MAX);

/// The begin of a launch, in ticks since boot.
pub(crate) fn begin() -> u64 {
    let now = now_ticks();
    FIRST_LAUNCH.fetch_min(now, Ordering::Relaxed);
    now
}

/// Whose strays are looked for.
#[derive(Debug)]
pub(crate) struct Launch {
    /// The child, also the number of its group.
    pub(crate) pid: libc::pid_t,
    /// `NAME=value` of the environment.
    pub(crate) mark: Vec<u8>,
    /// Begin of the launch in ticks since boot: older processes are not looked at.
    pub(crate) since_ticks: u64,
    /// Device and number of the file in memory that takes its output: of this launch alone.
    pub(crate) output: Option<(u64, u64)>,
}

/// Ticks since boot, as `/proc/PID/stat` counts them, a little in the past.
fn now_ticks() -> u64 {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: a number only.
        let per_second = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100).max(1);
        let ticks = crate::system::clock_ns(libc::CLOCK_BOOTTIME) / (1_000_000_000 / per_second);
        ticks.saturating_sub(2)
    }
    #[cfg(not(target_os = "linux"))]
    0
}

impl Launch {
    /// Strays that run now. Those that have ended and wait for the host, as subreaper, are reaped on the way.
    pub(crate) fn strays(&self) -> Vec<libc::pid_t> {
        self.scan()
    }

    /// Kills all strays and reaps them; their number. When no other launch lives, those whose launch is not known are among them.
    pub(crate) fn kill_strays(&self) -> u32 {
        let mut killed = BTreeSet::new();
        for _ in 0..ROUNDS {
            let mut found = self.strays();
            found.extend(self.nameless());
            for pid in &found {
                // SAFETY: a plain system call on a process that was found to be ours just now.
                unsafe { libc::kill(*pid, libc::SIGKILL) };
            }
            if found.is_empty() {
                break;
            }
            killed.extend(found);
            std::thread::sleep(PAUSE);
            for pid in &killed {
                // SAFETY: no status is asked for; the number is a child of ours or the call fails.
                unsafe { libc::waitpid(*pid, std::ptr::null_mut(), libc::WNOHANG) };
            }
        }
        u32::try_from(killed.len()).unwrap_or(u32::MAX)
    }

    #[cfg(target_os = "linux")]
    fn scan(&self) -> Vec<libc::pid_t> {
        pids().into_iter().filter(|pid| self.is_stray(*pid)).collect()
    }

    /// Foster children of the host in another session without any mark, where no launch lives that they could be of. What the host
    /// starts itself stays in its session. The first process of a system or container is everybody's foster parent.
    #[cfg(target_os = "linux")]
    fn nameless(&self) -> Vec<libc::pid_t> {
        // SAFETY: numbers only.
        let (host, session) = unsafe { (libc::getpid(), libc::getsid(0)) };
        if host == 1 || registry::any_but(self.pid) {
            return Vec::new();
        }
        let is_nameless = |pid: &libc::pid_t| {
            let Some(stat) = stat(*pid) else { return false };
            let is_fostered = stat.parent == host && stat.session != session && *pid != self.pid;
            is_fostered
                && !stat.ended
                && stat.started_ticks >= FIRST_LAUNCH.load(Ordering::Relaxed)
                && !self.carries_other_mark(*pid)
        };
        pids().into_iter().filter(is_nameless).collect()
    }

    #[cfg(not(target_os = "linux"))]
    fn nameless(&self) -> Vec<libc::pid_t> {
        Vec::new()
    }

    /// Without `/proc` only the group is known; its processes cannot be counted, so that it counts as one.
    #[cfg(not(target_os = "linux"))]
    fn scan(&self) -> Vec<libc::pid_t> {
        if exit::group_exists(self.pid) {
            vec![-self.pid]
        } else {
            Vec::new()
        }
    }

    #[cfg(target_os = "linux")]
    fn is_stray(&self, pid: libc::pid_t) -> bool {
        let Some(stat) = stat(pid) else { return false };
        if pid == self.pid || stat.started_ticks < self.since_ticks {
            return false;
        }
        if stat.ended {
            // SAFETY: a number only.
            let adopted = stat.parent == unsafe { libc::getpid() } && self.is_of_a_launch(&stat);
            if adopted {
                // SAFETY: no status is asked for.
                unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) };
            }
            return false;
        }
        stat.group == self.pid || self.carries_mark(pid) || self.writes_to_output(pid)
    }

    /// Whether a standard stream of the process is the output of this launch.
    #[cfg(target_os = "linux")]
    fn writes_to_output(&self, pid: libc::pid_t) -> bool {
        use std::os::unix::fs::MetadataExt;
        let stream = |fd| std::fs::metadata(format!("/proc/{pid}/fd/{fd}")).ok().map(|data| (data.dev(), data.ino()));
        self.output.is_some() && pid != own_pid() && [1, 2].into_iter().any(|fd| stream(fd) == self.output)
    }

    /// The mark of another launch, or an environment that cannot be read.
    #[cfg(target_os = "linux")]
    fn carries_other_mark(&self, pid: libc::pid_t) -> bool {
        let Ok(environment) = std::fs::read(format!("/proc/{pid}/environ")) else { return true };
        environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(b"TARE_LAUNCH=") && entry != self.mark)
    }

    /// Of a process that has ended the environment is gone; but whoever is our child in another session was adopted:
    /// what we start ourselves stays in our session.
    #[cfg(target_os = "linux")]
    fn is_of_a_launch(&self, stat: &Stat) -> bool {
        // SAFETY: a number only.
        stat.group == self.pid || stat.session != unsafe { libc::getsid(0) }
    }

    #[cfg(target_os = "linux")]
    fn carries_mark(&self, pid: libc::pid_t) -> bool {
        let Ok(environment) = std::fs::read(format!("/proc/{pid}/environ")) else { return false };
        environment.split(|byte| *byte == 0).any(|entry| entry == self.mark)
    }
}

#[cfg(target_os = "linux")]
fn own_pid() -> libc::pid_t {
    // SAFETY: a number only.
    unsafe { libc::getpid() }
}

/// All processes that can be seen.
#[cfg(target_os = "linux")]
fn pids() -> Vec<libc::pid_t> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

#[cfg(target_os = "linux")]
fn stat(pid: libc::pid_t) -> Option<Stat> {
    std::fs::read(format!("/proc/{pid}/stat")).ok().as_deref().and_then(parse)
}

#[cfg(target_os = "linux")]
#[derive(Debug, PartialEq)]
struct Stat {
    ended: bool,
    parent: libc::pid_t,
    group: libc::pid_t,
    session: libc::pid_t,
    started_ticks: u64,
}

/// Reads `/proc/PID/stat`. The name in it is in parentheses and may hold anything, also parentheses.
#[cfg(target_os = "linux")]
fn parse(stat: &[u8]) -> Option<Stat> {
    let after = stat.iter().rposition(|byte| *byte == b')')?;
    let fields: Vec<&str> = std::str::from_utf8(stat.get(after + 1..)?).ok()?.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<libc::pid_t>().ok();
    Some(Stat {
        ended: matches!(*fields.first()?, "Z" | "X"),
        parent: number(1)?,
        group: number(2)?,
        session: number(3)?,
        started_ticks: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn reads_a_stat_line_with_an_odd_name() {
        let line =
            b"77 (a) b (c)) S 1 70 60 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 12345 2703360 380 18446744073709551615";
        let want = Stat { ended: false, parent: 1, group: 70, session: 60, started_ticks: 12345 };
        assert_eq!(parse(line), Some(want));
        assert_eq!(parse(b"77 (a"), None);
        assert_eq!(parse(b""), None);
    }
}
