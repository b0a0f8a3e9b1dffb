//! The interface of a diagnoser, with its methods in the order of the calls.

use std::path::PathBuf;
use std::time::Duration;
use tare_code::Method;
use tare_model::{
    Artifact, Cache, ChildFindings, CodeName, Failure, Lack, LaunchChange, Loop, Maker, Metric, Parameter, Remark, Run,
    Side,
};

/// Inspects a benchmark in passes of its own.
pub trait Diagnoser {
    /// The name by which it is requested.
    fn name(&self) -> &str;

    /// Finds or builds what it needs on this machine, before anything is built or measured. The error says what is missing; the diagnoser
    /// may still inspect programs that have it themselves.
    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        let _ = tools;
        Ok(())
    }

    /// Sets the events to count, if it counts events by name; called before `prepare`. Empty for its default ones.
    fn choose(&mut self, events: &[String]) {
        let _ = events;
    }

    /// How to start programs when asking for their benchmarks, so that they can report the capabilities this enables.
    fn listing(&self) -> LaunchChange {
        LaunchChange::default()
    }

    /// Why it cannot inspect a program, whose child has reported its capabilities.
    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let _ = program;
        None
    }

    /// How to make passes over a case of this program.
    fn pass(&self, program: &Artifact) -> Pass;

    /// Begins a pass; returns how its launch differs from a timed one.
    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        let _ = subject;
        Ok(self.listing())
    }

    /// Handles an event of the launch, which waits until this returns. The error says why the pass cannot go on.
    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let _ = signal;
        Ok(())
    }

    /// Receives what the child's own diagnoser of this name has found beside its metrics.
    fn told(&mut self, found: ChildFindings) {
        let _ = found;
    }

    /// Its findings from the measured run, for passes without a process.
    fn read(&mut self, run: &Run, case: u32) -> Result<Findings, String> {
        let _ = (run, case);
        Ok(Findings::default())
    }

    /// Its findings, once the launch has ended well.
    fn findings(&mut self) -> Result<Findings, String> {
        Ok(Findings::default())
    }

    /// What a launch that failed under it means, if it knows more than the launch reports.
    fn explain(&self, failure: &Failure) -> Option<String> {
        let _ = failure;
        None
    }

    /// Ends the pass, however it went.
    fn end(&mut self) {}
}

/// What this machine offers to diagnosers.
pub trait Tools {
    /// A library from one C source file, built once for this machine.
    fn c_library(&self, name: &str, source: &str) -> Result<PathBuf, String>;

    /// Whether a program exists, by path or on the `PATH`; the error says why not, for people.
    fn program(&self, program: &str) -> Result<(), String>;

    /// The caches of this machine, if they should be simulated; empty for the same ones everywhere.
    fn caches(&self) -> Vec<Cache> {
        Vec::new()
    }
}

/// A diagnoser's requirement that is missing here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub reason: String,
    /// Whether no program can be inspected without it.
    pub is_fatal: bool,
}

/// How long a child runs steadily if the plan does not say, s.
pub const STEADY_S: f64 = 2.0;

/// How to make passes over a case of a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    pub work: Work,
    /// Most invocations of an iteration: inspected code may be a hundred times slower.
    pub invocations_max: u64,
    /// One pass over a case is enough.
    pub once: bool,
    /// It follows calls to the depth of the plan ([`Subject::depth`]).
    pub follows_calls: bool,
    /// The same code gives the same counts in every process; a second pass checks that.
    pub is_exact: bool,
    /// For passes that slow the body a thousandfold: the time of a loop without that, ns, and the number of rounds.
    pub slows: Option<(f64, u64)>,
}

impl Pass {
    /// The defaults for this work.
    pub fn of(work: Work) -> Pass {
        let once = matches!(work, Work::Nothing | Work::Open | Work::Steady | Work::DiagnoseSteady);
        Pass { work, invocations_max: 1000, once, follows_calls: false, is_exact: false, slows: None }
    }

    /// Whether its duration is set by the plan.
    pub fn watches(&self) -> bool {
        matches!(self.work, Work::Steady | Work::DiagnoseSteady)
    }
}

/// What the child does in a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Runs iterations under its own diagnoser, and reports its metrics.
    Diagnose,
    /// The same in one request, for as long as [`Work::Steady`].
    DiagnoseSteady,
    /// Runs iterations as if they were timed, one per request.
    Iterations,
    /// The same in rounds of an empty loop and a loop with the body, each once and with twice the invocations ([`crate::ROUND`]), so that
    /// everything around the body cancels out.
    Differences,
    /// Runs iterations as if they were timed, many per request, for as long as the plan says or [`STEADY_S`]. One pass over a case is
    /// enough.
    Steady,
    /// No process is started; the diagnoser reads the measured run ([`Diagnoser::read`]).
    Nothing,
    /// Opens the benchmark, but runs nothing.
    Open,
}

#[derive(Debug, Clone)]
pub struct Subject {
    pub key: String,
    /// Group of the benchmark; may be empty.
    pub group: String,
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub job: u32,
    pub program: String,
    pub language: String,
    /// Whether its runtime compiles while the benchmark runs.
    pub compiles_late: bool,
    /// Whether the program has a diagnoser of this name itself.
    pub declares: bool,
    /// The names of its code, if the front end reports them.
    pub code: Option<CodeName>,
    /// The side of a comparison.
    pub side: Option<Side>,
    /// Threads that the body uses; 0 if unknown.
    pub threads: u32,
    pub iterations: u64,
    pub invocations: u64,
    /// Depth to which calls are followed; `None` for the diagnoser's default.
    pub depth: Option<u32>,
    /// An empty folder for its files, removed after the pass; `None` if the system gives none.
    pub folder: Option<PathBuf>,
    /// Time allowed for each answer.
    pub patience: Duration,
}

impl Subject {
    /// The method of the benchmark, for a runtime that compiles late.
    pub(crate) fn method(&self) -> Result<Method<'_>, String> {
        let code = self.code.as_ref().ok_or("the front end does not say which method the benchmark is")?;
        let bare = code.full.split('(').next().unwrap_or_default();
        let class = bare.strip_suffix(&code.method).map_or(code.class.as_str(), |class| class.trim_end_matches('.'));
        Ok(Method { class, name: &code.method })
    }
}

/// Events of a launch, in this order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Signal {
    /// The process was started, and nothing was requested yet.
    Started {
        /// Its process number; with a wrapper, the wrapper's.
        pid: u32,
    },
    /// The benchmark is set up, and its lead-in is over.
    Opened {
        /// Address of the function with the measuring loop, if the child reports it.
        loop_address: Option<u64>,
    },
    /// An iteration is about to be measured.
    Before { part: Part },
    After {
        part: Part,
        /// Operations in all its invocations.
        operations: f64,
        took: Took,
    },
    /// All iterations were measured; the process still lives.
    Measured,
    /// The process is gone.
    Ended,
}

/// What a child measured of an iteration from inside; the host's view from outside includes the way to the child and back.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Took {
    pub elapsed_ns: f64,
    /// CPU time of the thread that runs the body; `None` if the child does not read it.
    pub cpu_ns: Option<f64>,
    /// How often this thread gave up its processor voluntarily.
    pub waits: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its index, from 0.
    pub iteration: u64,
    pub which: Loop,
    pub invocations: u64,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// Metrics with a value per iteration.
    pub metrics: Vec<(Metric, Vec<f64>)>,
    /// Unmeasured numbers, by name.
    pub facts: Vec<(&'static str, f64)>,
    /// The same with names found at run time.
    pub counts: Vec<(String, f64)>,
    pub files: Vec<File>,
    /// Findings in words.
    pub remarks: Vec<Remark>,
}

/// A file that becomes an attachment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub of: Belongs,
    pub name: String,
    /// What it shows, in a few words.
    pub title: String,
    pub media_type: String,
    pub maker: Maker,
    /// Its content, or why it is missing.
    pub content: Result<Vec<u8>, String>,
}

/// What a file of a pass belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Belongs {
    #[default]
    Case,
    /// The side of the case; without sides, the case.
    Side,
}
