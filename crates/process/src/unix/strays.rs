//! Processes that a child left behind: those of its group, those that carry the mark of its launch in their environment, and those
//! that write to its output, wherever they went. Who has given up all of that is found as a foster child of the host
//! ([`super::system::become_subreaper`]) and ended with the last of the launches that it can be of.
//!
//! Whatever a launch leaves behind is left to the host, so that only the host's own descendants are looked at, without the families of
//! the other launches that live: the search costs the same whatever else runs on the machine.

#[cfg(not(target_os = "linux"))]
use super::exit;
#[cfg(target_os = "linux")]
use super::{registry, tree};
use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Looks for strays at most this often while killing: one that forks faster than that wins a round, not the game.
const ROUNDS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(2);
const PAUSE_MAX: Duration = Duration::from_millis(50);
/// What was killed has so long to go: a processor must have time for it, and a busy machine may not for a while.
const PATIENCE: Duration = Duration::from_secs(5);

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
        let ticks = super::system::clock_ns(libc::CLOCK_BOOTTIME) / (1_000_000_000 / per_second);
        ticks.saturating_sub(2)
    }
    #[cfg(not(target_os = "linux"))]
    0
}

impl Launch {
    /// Strays that run now. Those that have ended and wait for the host, as subreaper, are reaped on the way.
    pub(crate) fn strays(&self) -> Vec<libc::pid_t> {
        self.scan(false)
    }

    /// Kills all strays and reaps them; their number. When no other launch lives, those whose launch is not known are among them.
    pub(crate) fn kill_strays(&self) -> u32 {
        let mut killed = BTreeSet::new();
        let (began, mut rounds, mut pause) = (Instant::now(), 0, PAUSE);
        while rounds < ROUNDS && began.elapsed() < PATIENCE {
            let found = self.scan(true);
            // SAFETY: a plain system call on a process that was found to be ours just now.
            let failed = found.iter().filter(|pid| unsafe { libc::kill(**pid, libc::SIGKILL) } != 0).count();
            if found.is_empty() {
                break;
            }
            let before = killed.len();
            killed.extend(found);
            // Of those that are on their way out only the time counts.
            let is_new = killed.len() > before;
            rounds += u32::from(is_new || failed > 0);
            pause = if is_new { PAUSE } else { PAUSE_MAX.min(2 * pause) };
            std::thread::sleep(pause);
            for pid in &killed {
                // SAFETY: no status is asked for; the number is a child of ours or the call fails.
                unsafe { libc::waitpid(*pid, std::ptr::null_mut(), libc::WNOHANG) };
            }
        }
        u32::try_from(killed.len()).unwrap_or(u32::MAX)
    }

    /// Strays, and where it is asked for those without a name.
    #[cfg(target_os = "linux")]
    fn scan(&self, with_nameless: bool) -> Vec<libc::pid_t> {
        let others = registry::others_than(self.pid);
        let with_nameless = with_nameless && others.is_empty();
        match tree::is_told() {
            true => self.among(tree::below(own_pid(), &|pid| others.contains(&pid)), with_nameless),
            // A kernel without `CONFIG_PROC_CHILDREN` does not list the children of a process: every process of the machine is looked at.
            false => self.among(every_process(), with_nameless),
        }
    }

    /// Those of the processes that are strays.
    #[cfg(target_os = "linux")]
    fn among(&self, processes: impl IntoIterator<Item = libc::pid_t>, with_nameless: bool) -> Vec<libc::pid_t> {
        // SAFETY: a number only.
        let (host, session) = (own_pid(), unsafe { libc::getsid(0) });
        // The first process of a system or container is everybody's foster parent.
        let with_nameless = with_nameless && host != 1;
        let is_wanted = |pid: &libc::pid_t| {
            let Some(stat) = stat(*pid) else { return false };
            self.is_stray(*pid, &stat, host)
                || (with_nameless && stat.parent == host && stat.session != session && self.is_nameless(*pid, &stat))
        };
        processes.into_iter().filter(is_wanted).collect()
    }

    /// Of a foster child of the host in another session, where no launch lives that it could be of: whether it has no mark. What the host
    /// starts itself stays in its session.
    #[cfg(target_os = "linux")]
    fn is_nameless(&self, pid: libc::pid_t, stat: &Stat) -> bool {
        pid != self.pid
            && !stat.ended
            && stat.started_ticks >= FIRST_LAUNCH.load(Ordering::Relaxed)
            && !self.carries_other_mark(pid)
    }

    /// Without `/proc` only the group is known; its processes cannot be counted, so that it counts as one.
    #[cfg(not(target_os = "linux"))]
    fn scan(&self, _with_nameless: bool) -> Vec<libc::pid_t> {
        if exit::group_exists(self.pid) {
            vec![-self.pid]
        } else {
            Vec::new()
        }
    }

    #[cfg(target_os = "linux")]
    fn is_stray(&self, pid: libc::pid_t, stat: &Stat, host: libc::pid_t) -> bool {
        if pid == self.pid || stat.started_ticks < self.since_ticks {
            return false;
        }
        if stat.ended {
            if stat.parent == host && self.is_of_a_launch(stat) {
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
        let Some(environment) = environment(pid) else { return true };
        environment.split('\0').any(|entry| entry.starts_with("TARE_LAUNCH=") && entry.as_bytes() != self.mark)
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
        let Some(environment) = environment(pid) else { return false };
        environment.split('\0').any(|entry| entry.as_bytes() == self.mark)
    }
}

#[cfg(target_os = "linux")]
fn own_pid() -> libc::pid_t {
    // SAFETY: a number only.
    unsafe { libc::getpid() }
}

/// All processes of the machine that can be seen.
#[cfg(target_os = "linux")]
fn every_process() -> Vec<libc::pid_t> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The environment that a process was started with. As text, which the standard library splits many times faster than bytes; what is no
/// text in it is no mark either.
#[cfg(target_os = "linux")]
fn environment(pid: libc::pid_t) -> Option<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// In one read: `std::fs::read` asks for the length first, which such a file does not have, and then reads it in pieces.
#[cfg(target_os = "linux")]
fn stat(pid: libc::pid_t) -> Option<Stat> {
    let mut file = std::fs::File::open(format!("/proc/{pid}/stat")).ok()?;
    // 52 numbers of at most 20 digits, and a name.
    let mut text = [0; 2048];
    loop {
        match file.read(&mut text) {
            Ok(length) => return parse(text.get(..length)?),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
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
    let text = String::from_utf8_lossy(stat);
    let (_, after) = text.rsplit_once(')')?;
    let mut fields = after.trim_start().split(' ');
    let ended = matches!(fields.next()?, "Z" | "X");
    let mut number = || fields.next()?.parse::<libc::pid_t>().ok();
    let (parent, group, session) = (number()?, number()?, number()?);
    Some(Stat { ended, parent, group, session, started_ticks: fields.nth(15)?.trim_end().parse().ok()? })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    #[test]
    fn reads_a_stat_line_with_an_odd_name() {
        let line =
            b"77 (a) b (c)) S 1 70 60 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 12345 2703360 380 18446744073709551615";
        let want = Stat { ended: false, parent: 1, group: 70, session: 60, started_ticks: 12345 };
        assert_eq!(parse(line), Some(want));
        assert_eq!(parse(b"77 (a"), None);
        assert_eq!(parse(b""), None);
    }

    /// What kernels without lists of children leave: a look at each process of the machine.
    #[test]
    fn the_slow_search_finds_the_same() {
        super::super::system::become_subreaper().expect("Linux");
        let since_ticks = begin();
        let mut shell = Command::new("sh");
        shell.args(["-c", "setsid sleep 607 & setsid sleep 608 & exit"]).env("TARE_LAUNCH", "slow-search");
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let mut shell = shell.spawn().expect("a shell");
        let pid = libc::pid_t::try_from(shell.id()).expect("a number");
        shell.wait().expect("it ends");
        let launch = Launch { pid, mark: b"TARE_LAUNCH=slow-search".to_vec(), since_ticks, output: None };
        // The environment of a process cannot be read for a moment while it becomes another program.
        let of = |found: Vec<libc::pid_t>| found.into_iter().collect::<BTreeSet<_>>();
        let both = || (of(launch.among(every_process(), false)), of(launch.strays()));
        let begin = Instant::now();
        let mut found = both();
        while (found.0.len() != 2 || found.0 != found.1) && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(PAUSE);
            found = both();
        }
        assert_eq!(found.0, found.1);
        assert_eq!((found.0.len(), launch.kill_strays()), (2, 2));
    }
}
