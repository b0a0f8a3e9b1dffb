//! A child: one process group that is started, watched and always cleaned up.

use super::descendants::Family;
use super::exit::{self, Reaped};
use super::link::{Link, LinkState};
use super::output::Output;
use super::plan::Plan;
use super::strays::{self, Launch};
use super::system::become_subreaper;
use super::watch::{cpu_ns, ending, resident_bytes, settle_signals, status_bytes};
use super::{fd, interrupt, registry};
use crate::descendants::Descendants;
use crate::error::StartError;
use crate::interrupt::{hold_interrupts, interrupted, Hold};
use crate::link::{Received, Tick, Wait, TICK};
use crate::{Exit, ExitStatusKind, Spec};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long a killed process may take to disappear. After that it hangs in the kernel and cannot be reaped.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);
/// The same for the other processes of a killed group.
const GROUP_TIMEOUT: Duration = Duration::from_millis(250);
const PAUSE: Duration = Duration::from_millis(1);

/// A child process with its group. Dropping it kills the whole group and reaps it.
#[derive(Debug)]
pub struct Child {
    launch: Launch,
    link: Option<Link>,
    output: Output,
    /// Becomes readable when the process ends; `None` if the system lacks this.
    ending: Option<OwnedFd>,
    ended: bool,
    exit: Option<Exit>,
    /// Set once the group is empty: from then on its number may be reused.
    group_gone: AtomicBool,
    statm: OnceLock<Option<File>>,
    family: OnceLock<Option<Family>>,
    /// The host's peak resident memory when it started the child, in bytes.
    host_peak_bytes: u64,
    seen_peak_bytes: AtomicU64,
    /// Set once no process of it is left, in its group or elsewhere.
    swept: AtomicBool,
    _hold: Hold,
}

impl Child {
    /// Starts a process in its own group. Standard input is empty, both outputs go to one file in memory, the link (if requested) is at
    /// descriptors 3 and 4, and no other descriptor of the host is open. Its environment has `TARE_LAUNCH=<unique>`. Returns once the
    /// program runs.
    ///
    /// On Linux the system kills the child when the *thread* that started it ends, so start children from a thread that outlives them.
    /// Elsewhere there is no such guarantee, and a start copies the host's page tables.
    /// Err: when the program does not exist or cannot be executed, or the system is out of resources.
    pub fn start(spec: &Spec) -> Result<Child, StartError> {
        let hold = hold_interrupts();
        // On failure, an orphaned grandchild outside the group cannot be found, and stays.
        let _ = become_subreaper();
        settle_signals().map_err(StartError::system("setting signals"))?;
        let plan = Plan::new(spec)?;
        let output = Output::new().map_err(StartError::system("creating a file for the output"))?;
        let null = File::open("/dev/null").map_err(StartError::system("opening /dev/null"))?;
        let up = |fd: &dyn AsRawFd| fd::moved_up(&fd.as_raw_fd()).map_err(StartError::system("moving a descriptor"));
        let mut host_ends = None;
        let mut child_ends = None;
        if spec.link {
            let requests = fd::pipe().map_err(StartError::system("creating a pipe"))?;
            let replies = fd::pipe().map_err(StartError::system("creating a pipe"))?;
            child_ends = Some((up(&requests.0)?, up(&replies.1)?));
            host_ends = Some((replies.0, requests.1));
        }
        let link = host_ends.map(|(read, write)| Link::new(read, write)).transpose();
        let link = link.map_err(StartError::system("setting up the link"))?;
        let since_ticks = strays::begin();
        let host_peak_bytes = status_bytes("self", "VmHWM:").unwrap_or(0);
        let ends = child_ends.as_ref().map(|(read, write)| (read, write));
        let pid = launch(&plan, &up(&null)?, &up(output.fd())?, ends)?;
        registry::add(pid);
        Ok(Child {
            launch: Launch { pid, mark: plan.mark, since_ticks, output: output.identity() },
            link,
            output,
            ending: ending(pid),
            ended: false,
            exit: None,
            group_gone: AtomicBool::new(false),
            statm: OnceLock::new(),
            family: OnceLock::new(),
            host_peak_bytes,
            seen_peak_bytes: AtomicU64::new(0),
            swept: AtomicBool::new(false),
            _hold: hold,
        })
    }

    /// The process id, which is also the number of its group.
    pub fn pid(&self) -> u32 {
        self.launch.pid.unsigned_abs()
    }

    /// Sends a line, which must end with `\n`. Never blocks.
    /// Err: `BrokenPipe` if the child closed the link, `WouldBlock` if it left 64 KiB of requests unread, `NotConnected` if it has no link.
    pub fn send(&mut self, line: &[u8]) -> io::Result<()> {
        self.link.as_mut().ok_or(io::ErrorKind::NotConnected)?.send(line)
    }

    /// Closes the host's end for requests, so that the child sees the end of its link (R4). Its replies can still be received.
    pub fn hang_up(&mut self) {
        if let Some(link) = &mut self.link {
            link.hang_up();
        }
    }

    /// Waits for a whole line. After every [`TICK`] the callback decides whether to go on; the first call comes after one tick, so a quick
    /// reply costs the host one wake-up. Without a stop from the callback it waits for ever.
    pub fn receive(&mut self, wait: &mut dyn FnMut(Tick) -> Wait) -> Received {
        let start = Instant::now();
        let mut next_tick = TICK;
        loop {
            let Some(link) = &mut self.link else { return Received::Failed(io::ErrorKind::NotConnected.into()) };
            if let Some(line) = link.line() {
                return Received::Line(line);
            }
            match link.state {
                LinkState::Ended => return Received::End,
                LinkState::TooLong => return Received::TooLong,
                LinkState::Open if interrupted() => return Received::Stopped,
                LinkState::Open => {}
            }
            let waited = start.elapsed();
            if waited >= next_tick {
                next_tick = waited + TICK;
                self.tick();
                if wait(Tick { waited }) == Wait::Stop {
                    return Received::Stopped;
                }
                continue;
            }
            if let Err(error) = self.wait_for_link(next_tick - waited) {
                return Received::Failed(error);
            }
        }
    }

    /// The part of an unfinished line that arrived.
    pub fn partial(&self) -> &[u8] {
        self.link.as_ref().map_or(&[], Link::partial)
    }

    /// Everything that can be read without waiting, whole lines or not. Consumes nothing.
    pub fn unread(&mut self) -> &[u8] {
        let Some(link) = &mut self.link else { return &[] };
        if link.state == LinkState::Open {
            // The next `receive` reports the error.
            let _ = link.read();
        }
        link.partial()
    }

    fn wait_for_link(&mut self, timeout: Duration) -> io::Result<()> {
        let [link, ending] = self.entries();
        let mut entries = [link, ending, fd::readable(interrupt::wake_fd())];
        if fd::wait_any(&mut entries, timeout)? {
            self.pull(entries[0].revents != 0, entries[1].revents != 0)?;
        }
        Ok(())
    }

    /// What to wait for: the link and the end of the process.
    fn entries(&self) -> [libc::pollfd; 2] {
        let link = self.link.as_ref().map_or(-1, Link::fd);
        let ending = self.ending.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        [fd::readable(link), fd::readable(ending)]
    }

    /// Reads available data. Once the process has ended and nothing is left to read, the link counts as ended even if another process
    /// inherited it.
    fn pull(&mut self, link_ready: bool, ending_ready: bool) -> io::Result<()> {
        self.ended |= ending_ready;
        let Some(link) = &mut self.link else { return Ok(()) };
        if link.state == LinkState::Open && (link_ready || self.ended) {
            let something = link.read()?;
            if self.ended && !something {
                link.state = LinkState::Ended;
            }
        }
        Ok(())
    }

    /// Periodic work during a wait.
    fn tick(&mut self) {
        self.output.trim();
        if self.ending.is_none() && self.try_wait().is_some() {
            self.ended = true;
        }
    }

    /// Whether [`Child::receive`] would return at once (without a link: whether the process has ended).
    fn is_ready(&mut self) -> bool {
        match &mut self.link {
            Some(link) => link.has_line() || link.state != LinkState::Open,
            None => self.ended,
        }
    }

    /// Bytes written to its outputs so far.
    pub fn output_bytes(&self) -> u64 {
        self.output.bytes()
    }

    /// The last bytes of its outputs, at most `bytes`. Only the last few MiB are kept; older output reads as zero bytes.
    pub fn output_tail(&self, bytes: usize) -> Vec<u8> {
        self.output.tail(bytes)
    }

    /// Resident memory now, in bytes. Takes about a microsecond.
    pub fn resident_bytes(&self) -> Option<u64> {
        let open = || File::open(format!("/proc/{}/statm", self.launch.pid)).ok();
        let file = self.statm.get_or_init(|| if self.exit.is_some() { None } else { open() });
        file.as_ref().and_then(resident_bytes)
    }

    /// Peak resident memory so far, in bytes, while it lives. Takes about 30 µs. Call it before `bye`: the result is kept for
    /// [`Exit::peak_memory_bytes`], because at the end the system reports no peak for a child smaller than the host.
    pub fn peak_resident_bytes(&self) -> Option<u64> {
        if self.exit.is_some() {
            return None;
        }
        let bytes = status_bytes(&self.launch.pid.to_string(), "VmHWM:")?;
        self.seen_peak_bytes.fetch_max(bytes, Ordering::Relaxed);
        Some(bytes)
    }

    /// CPU time of all threads so far, in ns, while it lives, in steps of a tick, usually 10 ms. Takes about 20 µs. `None` if the system
    /// does not report it.
    pub fn cpu_ns(&self) -> Option<u64> {
        match self.exit {
            Some(_) => None,
            None => cpu_ns(self.launch.pid),
        }
    }

    /// Resource use of its descendants so far, while it lives. Takes about 10 µs for a single-threaded process without descendants. `None`
    /// if the system does not report it.
    pub fn descendants(&self) -> Option<Descendants> {
        if self.exit.is_some() {
            return None;
        }
        self.family.get_or_init(|| Family::of(self.launch.pid)).as_ref()?.descendants()
    }

    /// Reaps it if it has ended.
    pub fn try_wait(&mut self) -> Option<Exit> {
        if self.exit.is_none() {
            match exit::reap(self.launch.pid) {
                Reaped::Running => {}
                Reaped::Exit(exit) => self.finish(exit),
                Reaped::Lost => self.finish(unknown(ExitStatusKind::Code(-1))),
            }
        }
        self.exit
    }

    /// Waits for its end, at most this long. An interrupt does not cut the wait short.
    pub fn wait_timeout(&mut self, timeout: Duration) -> Option<Exit> {
        let start = Instant::now();
        loop {
            if let Some(exit) = self.try_wait() {
                return Some(exit);
            }
            let left = timeout.checked_sub(start.elapsed()).filter(|left| !left.is_zero())?;
            match &self.ending {
                Some(ending) => {
                    let mut entries = [fd::readable(ending.as_raw_fd())];
                    fd::wait_any(&mut entries, left.min(TICK)).ok()?;
                }
                None => std::thread::sleep(left.min(PAUSE)),
            }
            self.output.trim();
        }
    }

    /// Kills the group with SIGKILL, reaps it and returns how the child ended. A process stuck in the kernel (on a dead network drive) is
    /// abandoned after 10 s.
    pub fn kill(&mut self) -> Exit {
        if self.exit.is_none() {
            self.peak_resident_bytes();
            exit::kill_group(self.launch.pid);
            // In case it left its group.
            // SAFETY: a plain system call on a child that was not reaped.
            unsafe { libc::kill(self.launch.pid, libc::SIGKILL) };
        }
        let exit = self.wait_timeout(KILL_TIMEOUT).unwrap_or(unknown(ExitStatusKind::Signal(libc::SIGKILL)));
        self.kill_group();
        exit
    }

    /// Kills and reaps the rest of the group after the child was reaped.
    fn kill_group(&self) {
        let start = Instant::now();
        while !self.group_is_gone() && start.elapsed() < GROUP_TIMEOUT {
            exit::kill_group(self.launch.pid);
            std::thread::sleep(PAUSE);
        }
    }

    /// Whether the group is empty. Not checked again after that, as its number may be reused.
    fn group_is_gone(&self) -> bool {
        if self.group_gone.load(Ordering::SeqCst) {
            return true;
        }
        if self.exit.is_none() {
            return false;
        }
        exit::reap_group(self.launch.pid);
        let gone = !exit::group_exists(self.launch.pid);
        self.group_gone.store(gone, Ordering::SeqCst);
        gone
    }

    /// The number of running processes that it left behind: in its group, with its mark in their environment, or writing to its output.
    /// Call this after its end. Processes that are just ending are counted, so give them a moment. Takes about 100 µs, whatever else runs
    /// on the machine.
    pub fn strays(&self) -> u32 {
        u32::try_from(self.launch.strays().len()).unwrap_or(u32::MAX)
    }

    /// Kills and reaps the processes that it left behind; returns how many.
    pub fn kill_strays(&self) -> u32 {
        let killed = self.launch.kill_strays();
        self.swept.store(true, Ordering::SeqCst);
        killed
    }

    fn finish(&mut self, mut exit: Exit) {
        registry::remove(self.launch.pid);
        // The system's count starts at the host's resident size. The slack covers a page counter that is kept in parts.
        let floor = self.host_peak_bytes.saturating_add(1 << 20);
        let seen = self.seen_peak_bytes.load(Ordering::Relaxed);
        let reported = exit.peak_memory_bytes.filter(|peak| *peak > floor).unwrap_or(0);
        exit.peak_memory_bytes = Some(reported.max(seen)).filter(|peak| *peak > 0);
        self.ended = true;
        self.exit = Some(exit);
        self.group_is_gone();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.exit.is_none() {
            self.kill();
        } else {
            self.kill_group();
        }
        if !self.swept.load(Ordering::SeqCst) {
            self.kill_strays();
        }
        registry::remove(self.launch.pid);
    }
}

/// Waits until [`Child::receive`] of a child would return at once, and returns the first such child; `None` on timeout or interrupt.
pub fn poll_any(children: &mut [&mut Child], timeout: Duration) -> Option<usize> {
    let start = Instant::now();
    loop {
        if let Some(index) = children.iter_mut().position(|child| child.is_ready()) {
            return Some(index);
        }
        if interrupted() {
            return None;
        }
        let left = timeout.saturating_sub(start.elapsed());
        let mut entries: Vec<_> = children.iter().flat_map(|child| child.entries()).collect();
        entries.push(fd::readable(interrupt::wake_fd()));
        let ready = fd::wait_any(&mut entries, left.min(TICK)).ok()?;
        for (index, child) in children.iter_mut().enumerate() {
            let [link, ending] = [entries[2 * index].revents != 0, entries[2 * index + 1].revents != 0];
            if (link || ending) && child.pull(link, ending).is_err() {
                return Some(index);
            }
            child.tick();
        }
        if !ready && left <= TICK {
            return None;
        }
    }
}

#[cfg(target_os = "linux")]
use super::launch_linux::launch;

#[cfg(not(target_os = "linux"))]
use super::launch_command::launch;

fn unknown(status: ExitStatusKind) -> Exit {
    Exit { status, peak_memory_bytes: None, user_ns: 0, system_ns: 0 }
}
