//! Processes that a child left behind: those of its group, and those that carry the mark of its launch in their
//! environment wherever they went.

#[cfg(not(target_os = "linux"))]
use crate::exit;
use std::collections::BTreeSet;
use std::time::Duration;

/// Looks for strays at most this often while killing: one that forks faster than that wins a round, not the game.
const ROUNDS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(2);

/// Whose strays are looked for.
#[derive(Debug)]
pub(crate) struct Launch {
    /// The child, also the number of its group.
    pub(crate) pid: libc::pid_t,
    /// `NAME=value` of the environment.
    pub(crate) mark: Vec<u8>,
    /// Begin of the launch in ticks since boot: older processes are not looked at.
    pub(crate) since_ticks: u64,
}

/// Ticks since boot, as `/proc/PID/stat` counts them, a little in the past.
pub(crate) fn now_ticks() -> u64 {
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

    /// Kills all strays and reaps them; their number.
    pub(crate) fn kill_strays(&self) -> u32 {
        let mut killed = BTreeSet::new();
        for _ in 0..ROUNDS {
            let found = self.strays();
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
        let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
        let numbers = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<libc::pid_t>().ok());
        numbers.filter(|pid| self.is_stray(*pid)).collect()
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
        let Some(stat) = std::fs::read(format!("/proc/{pid}/stat")).ok().as_deref().and_then(parse) else {
            return false;
        };
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
        stat.group == self.pid || self.carries_mark(pid)
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
