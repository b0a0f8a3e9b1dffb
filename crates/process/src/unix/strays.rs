//! Processes that a child left behind: in its group, with the mark of its launch in their environment, or writing to its output. A process
//! with none of these is found because the host adopted it ([`super::system::become_subreaper`]), and is killed with the last launch that
//! may have started it.
//!
//! Orphans are reparented to the host. So only its descendants are searched, without those of other living launches, and the cost does not
//! depend on what else runs on the machine.

#[cfg(not(target_os = "linux"))]
use super::exit;
#[cfg(target_os = "linux")]
use super::{registry, tree};
use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Most rounds of searching and killing, against processes that fork quickly.
const ROUNDS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(2);
const PAUSE_MAX: Duration = Duration::from_millis(50);
/// How long killed processes may take to disappear: they need processor time, which a busy machine may not have.
const PATIENCE: Duration = Duration::from_secs(5);

/// Start of this host's first launch, in ticks since boot: older processes come from builds, not launches.
static FIRST_LAUNCH: AtomicU64 = AtomicU64::new(u64::MAX);

/// Records the start of a launch, in ticks since boot.
pub(crate) fn begin() -> u64 {
    let now = now_ticks();
    FIRST_LAUNCH.fetch_min(now, Ordering::Relaxed);
    now
}

/// A launch whose strays are searched.
#[derive(Debug)]
pub(crate) struct Launch {
    /// The child's process id, also the number of its group.
    pub(crate) pid: libc::pid_t,
    /// `NAME=value` of the environment.
    pub(crate) mark: Vec<u8>,
    /// Start of the launch, in ticks since boot: older processes are skipped.
    pub(crate) since_ticks: u64,
    /// Device and inode of its output file, which no other launch has.
    pub(crate) output: Option<(u64, u64)>,
}

/// Ticks since boot in the units of `/proc/PID/stat`, slightly in the past.
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
    /// Running strays. Reaps those that have ended and belong to the host as subreaper.
    pub(crate) fn strays(&self) -> Vec<libc::pid_t> {
        self.scan(false)
    }

    /// Kills and reaps all strays; returns how many. If no other launch is alive, this includes processes whose launch is unknown.
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
            // Processes that are about to end count only towards the time limit.
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

    /// Strays, and optionally nameless processes.
    #[cfg(target_os = "linux")]
    fn scan(&self, with_nameless: bool) -> Vec<libc::pid_t> {
        let others = registry::others_than(self.pid);
        let with_nameless = with_nameless && others.is_empty();
        match tree::is_told() {
            true => self.among(tree::below(own_pid(), &|pid| others.contains(&pid)), with_nameless),
            // A kernel without `CONFIG_PROC_CHILDREN` does not list a process's children, so all processes of the machine are searched.
            false => self.among(every_process(), with_nameless),
        }
    }

    /// The strays among these processes.
    #[cfg(target_os = "linux")]
    fn among(&self, processes: impl IntoIterator<Item = libc::pid_t>, with_nameless: bool) -> Vec<libc::pid_t> {
        // SAFETY: a number only.
        let (host, session) = (own_pid(), unsafe { libc::getsid(0) });
        // The first process of a system or container adopts all orphans.
        let with_nameless = with_nameless && host != 1;
        let is_wanted = |pid: &libc::pid_t| {
            let Some(stat) = stat(*pid) else { return false };
            self.is_stray(*pid, &stat, host)
                || (with_nameless && stat.parent == host && stat.session != session && self.is_nameless(*pid, &stat))
        };
        processes.into_iter().filter(is_wanted).collect()
    }

    /// For an adopted process in another session, while no other launch is alive: whether it has no other mark. Processes that the host
    /// itself starts stay in its session.
    #[cfg(target_os = "linux")]
    fn is_nameless(&self, pid: libc::pid_t, stat: &Stat) -> bool {
        pid != self.pid
            && !stat.ended
            && stat.started_ticks >= FIRST_LAUNCH.load(Ordering::Relaxed)
            && !self.carries_other_mark(pid)
    }

    /// Without `/proc` only the group is known. Its processes cannot be counted, so it counts as one.
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

    /// Whether it has another launch's mark, or an unreadable environment.
    #[cfg(target_os = "linux")]
    fn carries_other_mark(&self, pid: libc::pid_t) -> bool {
        let Some(environment) = environment(pid) else { return true };
        environment.split('\0').any(|entry| entry.starts_with("TARE_LAUNCH=") && entry.as_bytes() != self.mark)
    }

    /// For a process that has ended, whose environment is gone. A child of ours in another session was adopted: what we start ourselves
    /// stays in our session.
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

/// All visible processes of the machine.
#[cfg(target_os = "linux")]
fn every_process() -> Vec<libc::pid_t> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The initial environment of a process. Text, because the standard library splits it many times faster than bytes; parts that are not
/// UTF-8 cannot be the mark.
#[cfg(target_os = "linux")]
fn environment(pid: libc::pid_t) -> Option<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads in one call: `std::fs::read` would ask for the length, which such a file lacks, and read in pieces.
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

/// Parses `/proc/PID/stat`. The name in it is in parentheses and may contain any characters, including parentheses.
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

    /// The fallback for kernels without lists of children: all processes of the machine.
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
        // A process's environment is briefly unreadable during exec.
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
