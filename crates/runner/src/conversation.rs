//! One child and what is said to it: every way in which it can misbehave becomes a named failure here.

mod descendants;
mod failures;
mod process;

use failures::{by_status, shown};
use process::spec;
use std::path::Path;
use std::time::{Duration, Instant};
use tare_model::{Amounts, Artifact, Benchmark, ChildFacts, Draw, Failure, FailureKind, Job, LaunchChange, Step};
use tare_process::{Child, Exit, ExitStatusKind, Received, Wait};
use tare_protocol::{decode, ErrorKind, Reply, Request};

/// A child that has written more than this is printing in its body, bytes.
const OUTPUT_BYTES_MAX: u64 = 64 << 20;
/// A child that has answered `bye` may take this long to end: the protocol says "quickly", a busy machine says otherwise.
const END_AFTER_BYE: Duration = Duration::from_secs(20);
/// How often it is asked meanwhile whether the user interrupts.
const LOOK: Duration = Duration::from_millis(100);
/// A wait that is long enough to tell when a reply came: until then it was not there.
const WAITED_MIN: Duration = Duration::from_millis(20);
/// Greatest share of the memory that is available at the start that one child may take ...
const MEMORY_SHARE_MAX: f64 = 0.5;
/// ... and all that are alive at a time together.
const MEMORY_SHARE_OF_ALL: f64 = 0.9;

/// What a conversation may cost.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Deadline of a step.
    pub timeout: Duration,
    /// Resident memory of one child, bytes.
    pub memory_bytes: u64,
}

impl Bounds {
    /// Bounds for this machine now.
    pub fn new(timeout_s: f64) -> Bounds {
        let available = tare_process::available_memory_bytes().unwrap_or(8 << 30);
        Bounds {
            timeout: Duration::from_secs_f64(timeout_s.clamp(0.001, 1e6)),
            memory_bytes: (available as f64 * MEMORY_SHARE_MAX) as u64,
        }
    }

    /// Those of one of so many children that are alive at a time.
    pub fn of_one_of(self, children: usize) -> Bounds {
        let share = (MEMORY_SHARE_OF_ALL / children.max(1) as f64).min(MEMORY_SHARE_MAX) / MEMORY_SHARE_MAX;
        Bounds { memory_bytes: (self.memory_bytes as f64 * share) as u64, ..self }
    }
}

/// Why a step did not give a reply.
#[derive(Debug)]
pub enum Stop {
    /// The child failed.
    Failed(Failure),
    /// The user interrupted.
    Interrupted,
}

/// A child that is talked to.
#[derive(Debug)]
pub struct Conversation {
    child: Child,
    bounds: Bounds,
    opened_bytes: Option<u64>,
    /// The last request without its line end, and when it was sent.
    request: String,
    sent: Instant,
    /// How long the child took for its last reply, where the host was waiting when it came.
    took: Option<Duration>,
    /// Measurements in a row whose times cannot be nanoseconds.
    pub(super) odd_times: u32,
    /// The body says its time itself: it may be any.
    pub(super) own_time: bool,
    /// CPU time that the child had used when the last of them came, ns.
    pub(super) odd_cpu_ns: Option<u64>,
    /// What the processes that it has started work.
    descendants: descendants::Seen,
    /// It does work of the user's between the iterations, which no column holds.
    pub(super) works_between: bool,
    /// The processor to keep its measuring thread on, until that is done.
    pub(super) to_place_on: Option<u32>,
    /// Index of the case that it measures.
    pub(super) case: u32,
    /// What the child says of itself, once it is known.
    facts: Option<ChildFacts>,
    /// Operations of an invocation, where it said so when it was opened.
    pub(super) amounts: Amounts,
    /// Where the function with its measuring loop is, where it says so.
    pub(super) loop_address: Option<u64>,
    /// Begin of the step: the last request or the last line of its answer. Children that were asked together have their
    /// time together, so that four that hang are waited for as long as one.
    since: Instant,
    /// When its last reply was read.
    answered: Instant,
}

impl Conversation {
    /// Starts a child of the artifact as its job says and as its benchmark wants it; what was drawn for it decides its layout and
    /// the length of a random block in its environment. A diagnoser changes how it is started. In `folder` it finds what its program makes once.
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
            amounts: Amounts::default(),
            loop_address: None,
            since: now,
            answered: now,
        })
    }

    /// Keeps the measuring thread on its processor from now on; the processor, when that was done just now.
    pub fn place(&mut self) -> Option<u32> {
        let processor = self.to_place_on.take()?;
        // Where the system refuses, the thread goes on wherever it is put.
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

    /// The start of what the child wrote without a request.
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

    /// Waits for a line; every 0.1 s, and not before, it is looked whether the child uses more than it may: while a visit
    /// of about 1 ms is measured the host sleeps.
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

    /// The failure of a child that takes so much memory; None below the bound.
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
            // What the user gave is wrong, not the child.
            Reply::Error(error) if error.kind == ErrorKind::BadValue => Ok(Reply::Error(error)),
            Reply::Error(error) => Err(Stop::Failed(self.refused(error, step))),
            Reply::Hello(facts) => {
                self.facts = Some((*facts).clone());
                Ok(Reply::Hello(facts))
            }
            Reply::Opened { amounts, loop_address } => {
                (self.amounts, self.loop_address) = (amounts.clone(), loop_address);
                Ok(Reply::Opened { amounts, loop_address })
            }
            other => Ok(other),
        }
    }

    /// Asks and waits.
    /// Err: when the child misbehaves or the user interrupts.
    pub fn ask(&mut self, request: &Request, step: Step) -> Result<Reply, Stop> {
        self.send(request, step).map_err(Stop::Failed)?;
        self.receive(step)
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.child.pid()
    }

    /// Resident memory now, bytes.
    pub fn resident_bytes(&self) -> Option<u64> {
        self.child.resident_bytes()
    }

    /// CPU time that it has used so far, ns; `None` where the system does not tell.
    pub fn cpu_ns(&self) -> Option<u64> {
        self.child.cpu_ns()
    }

    /// When its last reply was read.
    pub fn answered(&self) -> Instant {
        self.answered
    }

    /// Remembers the memory of a child that was just opened, and tells it.
    pub fn opened(&mut self) -> Option<u64> {
        self.opened_bytes = self.child.resident_bytes();
        self.opened_bytes
    }

    /// Asks a child that has no more to do to clean up and end. [`Conversation::left`] waits for it.
    pub fn leave(&mut self) {
        if self.child.unread().is_empty() {
            // One that is gone already is as good as one that left.
            let _ = self.child.send(Request::Bye.encode().as_bytes());
        }
    }

    /// Waits until it has cleaned up; whatever it says, it is stopped next.
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

    /// How it ended within this time, if that is as it should be.
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

    /// Greatest resident memory so far, bytes.
    pub fn peak_memory_bytes(&self) -> Option<u64> {
        self.child.peak_resident_bytes()
    }

    /// Whether a library is among what the process has loaded, where the system says so.
    pub fn has_loaded(&self, library: &str) -> bool {
        let path = std::fs::canonicalize(library).unwrap_or_else(|_| library.into());
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.child.pid()));
        maps.map_or(true, |maps| maps.lines().any(|line| line.ends_with(&*path.to_string_lossy())))
    }

    /// What the child says of itself.
    pub fn facts(&self) -> Option<&ChildFacts> {
        self.facts.as_ref()
    }

    /// How long the child took for its last reply; None when nobody was waiting for it when it came.
    pub fn took(&self) -> Option<Duration> {
        self.took
    }
}
