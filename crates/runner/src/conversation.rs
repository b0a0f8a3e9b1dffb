//! The dialogue with one child. Every kind of misbehaviour becomes a named failure here.

mod descendants;
mod failures;
mod process;

use failures::{by_status, shown};
use process::spec;
use std::path::Path;
use std::time::{Duration, Instant};
use tare_model::{Artifact, Benchmark, ChildFacts, Draw, Failure, FailureKind, InstanceWork, Job, LaunchChange, Step};
use tare_process::{Child, Exit, ExitStatusKind, Received, Wait};
use tare_protocol::{decode, ErrorKind, Reply, Request};

/// In bytes: a child with more output is printing in its body.
const OUTPUT_BYTES_MAX: u64 = 64 << 20;
/// How long a child may take to exit after `bye`. The protocol says "quickly", but the machine may be busy.
const END_AFTER_BYE: Duration = Duration::from_secs(20);
/// How often the host checks for an interrupt meanwhile.
const LOOK: Duration = Duration::from_millis(100);
/// After a wait at least this long, the time at which the reply came is known.
const WAITED_MIN: Duration = Duration::from_millis(20);
/// Largest share of the available memory, at the start, for one child ...
const MEMORY_SHARE_MAX: f64 = 0.5;
/// ... and for all living children together.
const MEMORY_SHARE_OF_ALL: f64 = 0.9;

#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Time limit of a step.
    pub timeout: Duration,
    /// Resident memory of one child, bytes.
    pub memory_bytes: u64,
}

impl Bounds {
    /// The limits for this machine at this moment.
    pub fn new(timeout_s: f64) -> Bounds {
        let available = tare_process::available_memory_bytes().unwrap_or(8 << 30);
        Bounds {
            timeout: Duration::from_secs_f64(timeout_s.clamp(0.001, 1e6)),
            memory_bytes: (available as f64 * MEMORY_SHARE_MAX) as u64,
        }
    }

    /// The limits of one of this many children that live at the same time.
    pub fn of_one_of(self, children: usize) -> Bounds {
        let share = (MEMORY_SHARE_OF_ALL / children.max(1) as f64).min(MEMORY_SHARE_MAX) / MEMORY_SHARE_MAX;
        Bounds { memory_bytes: (self.memory_bytes as f64 * share) as u64, ..self }
    }
}

/// Why a step got no reply.
#[derive(Debug)]
pub enum Stop {
    Failed(Failure),
    Interrupted,
}

/// A child with an open dialogue.
#[derive(Debug)]
pub struct Conversation {
    child: Child,
    bounds: Bounds,
    opened_bytes: Option<u64>,
    /// The last request without its line end, and when it was sent.
    request: String,
    sent: Instant,
    /// Time from the last request to its reply; None if the reply came before the host waited for it.
    took: Option<Duration>,
    /// Consecutive measurements whose times cannot be nanoseconds.
    pub(super) odd_times: u32,
    /// The body reports its own time, which may be anything.
    pub(super) own_time: bool,
    /// CPU time of the child at the last odd measurement, in ns.
    pub(super) odd_cpu_ns: Option<u64>,
    /// The work of the processes that the child started.
    descendants: descendants::Seen,
    /// It runs user code between iterations, which no column includes.
    pub(super) works_between: bool,
    /// The processor on which to place the measuring thread; None once that is done.
    pub(super) to_place_on: Option<u32>,
    pub(super) case: u32,
    /// What the child reports in `hello`, once known.
    facts: Option<ChildFacts>,
    /// Operations per invocation, if reported when it was opened.
    pub(super) work: InstanceWork,
    /// Address of the function with the measuring loop, if reported.
    pub(super) loop_address: Option<u64>,
    /// When the step began: the last request, or the last line of its answer. Children asked together share one time limit, so that four
    /// that hang cost no more than one.
    since: Instant,
    answered: Instant,
}

impl Conversation {
    /// Starts a child of the artifact under its job, benchmark and diagnoser. The draw sets its layout and the length of a random block in
    /// its environment. `folder` is for things that its program makes once.
    /// Err: when it cannot be started.
    pub fn start(
        artifact: &Artifact,
        job: &Job,
        benchmark: &Benchmark,
        folder: Option<&Path>,
        how: (&Draw, &LaunchChange),
        bounds: Bounds,
    ) -> Result<Conversation, Failure> {
        let not_started = |reason: String| Failure {
            cause: FailureKind::NotStarted { reason },
            step: Step::Start,
            output: Vec::new(),
        };
        let Some(spec) = spec(artifact, job, benchmark, folder, how) else {
            return Err(not_started("the command is empty".to_owned()));
        };
        let child = Child::start(&spec).map_err(|error| not_started(error.to_string()))?;
        let now = Instant::now();
        Ok(Conversation {
            child,
            bounds,
            opened_bytes: None,
            request: String::new(),
            sent: now,
            took: None,
            odd_times: 0,
            own_time: false,
            odd_cpu_ns: None,
            descendants: descendants::Seen::default(),
            works_between: false,
            to_place_on: None,
            case: 0,
            facts: artifact.child.clone(),
            work: InstanceWork::default(),
            loop_address: None,
            since: now,
            answered: now,
        })
    }

    /// Pins the measuring thread to its processor. Returns the processor if that happened just now.
    pub fn place(&mut self) -> Option<u32> {
        let processor = self.to_place_on.take()?;
        // If the system refuses, the thread stays unpinned.
        tare_process::pin(self.child.pid(), processor).ok().map(|()| processor)
    }

    /// Sends a request without waiting for the reply.
    /// Err: when the child cannot take it.
    pub fn send(&mut self, request: &Request, step: Step) -> Result<(), Failure> {
        if let Some(waiting) = self.waiting() {
            let rule = match self.request.is_empty() {
                true => "R5: it wrote before the first request",
                false => "R8: it sent a second reply",
            };
            return Err(self.broken(format!("{rule}: {waiting}"), step));
        }
        let line = request.encode();
        self.request = line.trim_end().to_owned();
        self.since = Instant::now();
        self.sent = self.since;
        match self.child.send(line.as_bytes()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.gone(step)),
        }
    }

    /// The start of unsolicited output on the link.
    fn waiting(&mut self) -> Option<String> {
        let unread = self.child.unread();
        (!unread.is_empty()).then(|| shown(unread))
    }

    /// Waits for the next reply.
    /// Err: when the child misbehaves or the user interrupts.
    pub fn receive(&mut self, step: Step) -> Result<Reply, Stop> {
        let (mut excess, begin) = (None, Instant::now());
        let received = self.wait(&mut excess);
        self.answered = Instant::now();
        let had_to_wait = self.answered.saturating_duration_since(begin) >= WAITED_MIN;
        self.took = had_to_wait.then(|| self.answered.saturating_duration_since(self.sent));
        let failure = match received {
            Received::Line(line) => match decode(&line) {
                Ok(reply) => return self.checked(reply, step),
                Err(error) => self.broken(error.to_string(), step),
            },
            Received::End => self.gone(step),
            Received::TooLong => self.broken("R7: a reply is longer than 16 MiB", step),
            Received::Stopped if tare_process::interrupted() => return Err(Stop::Interrupted),
            Received::Stopped => match excess {
                Some(cause) => self.failure(cause, step),
                None => self.silent(step),
            },
            Received::Failed(error) => self.broken(error.to_string(), step),
        };
        Err(Stop::Failed(failure))
    }

    /// Waits for a line. Checks resource use every 0.1 s and not earlier, so that the host sleeps during a visit of about 1 ms.
    fn wait(&mut self, excess: &mut Option<FailureKind>) -> Received {
        loop {
            let received = self.child.receive(&mut |_| Wait::Stop);
            if !matches!(received, Received::Stopped) || tare_process::interrupted() {
                self.since = Instant::now();
                return received;
            }
            *excess = self.excess();
            if excess.is_some() || self.since.elapsed() >= self.bounds.timeout {
                return Received::Stopped;
            }
        }
    }

    fn excess(&self) -> Option<FailureKind> {
        let printed = self.child.output_bytes();
        if printed > OUTPUT_BYTES_MAX {
            return Some(FailureKind::OutputFlood { bytes: printed });
        }
        self.excess_of(self.child.resident_bytes())
    }

    /// The failure of a child that uses this much memory; None below the limit.
    pub fn excess_of(&self, resident_bytes: Option<u64>) -> Option<FailureKind> {
        let resident = resident_bytes?;
        let bytes = resident.saturating_sub(self.opened_bytes.unwrap_or(0));
        (resident > self.bounds.memory_bytes).then_some(FailureKind::MemoryGrowth { bytes, invocations: 0 })
    }

    fn checked(&mut self, reply: Reply, step: Step) -> Result<Reply, Stop> {
        let printed = self.child.output_bytes();
        if printed > OUTPUT_BYTES_MAX {
            return Err(Stop::Failed(self.failure(FailureKind::OutputFlood { bytes: printed }, step)));
        }
        match reply {
            // The user's value is wrong, the child works.
            Reply::Error(error) if error.kind == ErrorKind::BadValue => Ok(Reply::Error(error)),
            Reply::Error(error) => Err(Stop::Failed(self.refused(error, step))),
            Reply::Hello(facts) => {
                self.facts = Some((*facts).clone());
                Ok(Reply::Hello(facts))
            }
            Reply::Opened { work, loop_address } => {
                (self.work, self.loop_address) = (work.clone(), loop_address);
                Ok(Reply::Opened { work, loop_address })
            }
            other => Ok(other),
        }
    }

    /// Sends a request and waits for the reply.
    /// Err: when the child misbehaves or the user interrupts.
    pub fn ask(&mut self, request: &Request, step: Step) -> Result<Reply, Stop> {
        self.send(request, step).map_err(Stop::Failed)?;
        self.receive(step)
    }

    pub fn pid(&self) -> u32 {
        self.child.pid()
    }

    /// Resident memory now, in bytes.
    pub fn resident_bytes(&self) -> Option<u64> {
        self.child.resident_bytes()
    }

    /// CPU time used so far, in ns; `None` if the system does not report it.
    pub fn cpu_ns(&self) -> Option<u64> {
        self.child.cpu_ns()
    }

    /// When its last reply was read.
    pub fn answered(&self) -> Instant {
        self.answered
    }

    /// Records and returns the memory of a child that was just opened.
    pub fn opened(&mut self) -> Option<u64> {
        self.opened_bytes = self.child.resident_bytes();
        self.opened_bytes
    }

    /// Asks the child to clean up and end. [`Conversation::left`] waits for it.
    pub fn leave(&mut self) {
        if self.child.unread().is_empty() {
            // An error means that it has already gone.
            let _ = self.child.send(Request::Bye.encode().as_bytes());
        }
    }

    /// Waits until it has cleaned up. Any reply is fine, as it is stopped next.
    pub fn left(&mut self) {
        let (patience, begin) = (self.bounds.timeout.min(END_AFTER_BYE), Instant::now());
        while begin.elapsed() < patience && !tare_process::interrupted() {
            if !matches!(self.child.receive(&mut |_| Wait::Stop), Received::Stopped) {
                return;
            }
        }
    }

    /// Waits for the end after `bye` was answered.
    /// Err: when it does not end in time, ends badly, or leaves processes behind, and when the user interrupts.
    pub fn ended(&mut self) -> Result<Exit, Stop> {
        let patience = self.bounds.timeout.min(END_AFTER_BYE);
        let begin = Instant::now();
        let exit = loop {
            let left = patience.saturating_sub(begin.elapsed());
            let exit = self.child.wait_timeout(left.min(LOOK));
            if exit.is_some() || left.is_zero() {
                break exit;
            }
            if tare_process::interrupted() {
                return Err(Stop::Interrupted);
            }
        };
        self.judged(exit, patience).map_err(Stop::Failed)
    }

    /// Its exit within this time; Err unless it was clean.
    fn judged(&mut self, exit: Option<Exit>, patience: Duration) -> Result<Exit, Failure> {
        if let Some(waiting) = self.waiting() {
            return Err(self.broken(format!("R5: it wrote after its reply to `bye`: {waiting}"), Step::End));
        }
        let exit = match exit.map(|exit| (exit, exit.status)) {
            Some((exit, ExitStatusKind::Code(0))) => exit,
            Some((_, ExitStatusKind::Code(status))) => {
                let reason = format!("after `bye` it must exit with status 0, but it exited with status {status}");
                return Err(self.broken(reason, Step::End));
            }
            Some((_, status)) => return Err(self.failure(by_status(status), Step::End)),
            None => {
                let seconds = patience.as_secs_f64();
                let reason = format!("it replied to `bye`, but was still running {seconds} s later");
                return Err(self.broken(reason, Step::End));
            }
        };
        let count = self.child.strays();
        if count > 0 {
            self.child.kill_strays();
            return Err(self.failure(FailureKind::StrayProcess { count }, Step::End));
        }
        Ok(exit)
    }

    /// Peak resident memory so far, in bytes.
    pub fn peak_memory_bytes(&self) -> Option<u64> {
        self.child.peak_resident_bytes()
    }

    /// Whether the process has loaded a library; true if the system does not say.
    pub fn has_loaded(&self, library: &str) -> bool {
        let path = std::fs::canonicalize(library).unwrap_or_else(|_| library.into());
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.child.pid()));
        maps.map_or(true, |maps| maps.lines().any(|line| line.ends_with(&*path.to_string_lossy())))
    }

    pub fn facts(&self) -> Option<&ChildFacts> {
        self.facts.as_ref()
    }

    /// Time that the child took for its last reply; None if the reply came before the host waited for it.
    pub fn took(&self) -> Option<Duration> {
        self.took
    }
}
