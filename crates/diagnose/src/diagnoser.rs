//! The door: what a diagnoser is asked, in the order in which it is asked.

use std::path::PathBuf;
use std::time::Duration;
use tare_code::Method;
use tare_model::{
    Artifact, Cache, ChildFindings, CodeName, Failure, Lack, LaunchChange, Loop, Maker, Metric, Parameter, Remark, Run,
    Side,
};

/// What looks at a benchmark in passes of its own.
pub trait Diagnoser {
    /// The name by which it is asked for.
    fn name(&self) -> &str;

    /// Finds or builds what it needs of this machine, before anything is built or measured.
    /// Err: what is missing. It may still look at programs that have what it needs themselves.
    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        let _ = tools;
        Ok(())
    }

    /// The events that it counts, for one that counts events by their names; before it prepares. None: its usual ones.
    fn choose(&mut self, events: &[String]) {
        let _ = events;
    }

    /// How programs are started when they are asked for their benchmarks, so that they can say what this makes possible.
    fn listing(&self) -> LaunchChange {
        LaunchChange::default()
    }

    /// Why it cannot look at a program, whose child has said what it can.
    fn lacks(&self, program: &Artifact) -> Option<Lack>;

    /// How passes over a case of this program are made.
    fn pass(&self, program: &Artifact) -> Pass;

    /// A pass begins: how its launch differs from one that is timed.
    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        let _ = subject;
        Ok(self.listing())
    }

    /// Something happened in the launch, which waits until this returns.
    /// Err: why the pass cannot go on.
    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let _ = signal;
        Ok(())
    }

    /// What the diagnoser of the child has found beside its metrics, where the child has one of this name.
    fn told(&mut self, found: ChildFindings) {
        let _ = found;
    }

    /// What it finds in the run as it was measured, where a pass starts no process.
    fn read(&mut self, run: &Run, case: u32) -> Result<Findings, String> {
        let _ = (run, case);
        Ok(Findings::default())
    }

    /// What it has found, when the launch has ended well.
    fn findings(&mut self) -> Result<Findings, String> {
        Ok(Findings::default())
    }

    /// What a launch that failed under it means, where it knows more than the launch says.
    fn explain(&self, failure: &Failure) -> Option<String> {
        let _ = failure;
        None
    }

    /// The pass is over, however it ended.
    fn end(&mut self) {}
}

/// What this machine has for diagnosers.
pub trait Tools {
    /// A library of one C source file, built once for this machine.
    fn c_library(&self, name: &str, source: &str) -> Result<PathBuf, String>;

    /// Whether there is a program, by its path or on the `PATH`; why not, for people.
    fn program(&self, program: &str) -> Result<(), String>;

    /// The caches of this machine, where those are to be simulated; none: the same as everywhere.
    fn caches(&self) -> Vec<Cache> {
        Vec::new()
    }
}

/// What a diagnoser needs and does not have here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub reason: String,
    /// No program can be looked at without it.
    pub is_fatal: bool,
}

/// How long a child runs steadily where the plan does not say it, s.
pub const STEADY_S: f64 = 2.0;

/// How passes over a case of a program are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    pub work: Work,
    /// Most invocations of an iteration: code that is looked at may be a hundred times slower.
    pub invocations_max: u64,
    /// One pass over a case says all that there is to say of it.
    pub once: bool,
    /// It follows calls as deep as the plan says ([`Subject::depth`]).
    pub follows_calls: bool,
    /// The same code gives the same counts in every process: two passes show whether it does.
    pub is_exact: bool,
    /// The body takes a thousand times as long: what a loop of a pass may take without it, ns, and how many rounds there are.
    pub slows: Option<(f64, u64)>,
}

impl Pass {
    /// As most that have this work.
    pub fn of(work: Work) -> Pass {
        let once = matches!(work, Work::Nothing | Work::Open | Work::Steady | Work::DiagnoseSteady);
        Pass { work, invocations_max: 1000, once, follows_calls: false, is_exact: false, slows: None }
    }

    /// It lasts as long as the plan says.
    pub fn watches(&self) -> bool {
        matches!(self.work, Work::Steady | Work::DiagnoseSteady)
    }
}

/// What the child does in a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// It runs iterations under the diagnoser that it has itself, and gives its metrics.
    Diagnose,
    /// The same in one request, for as long as [`Work::Steady`] runs.
    DiagnoseSteady,
    /// It runs iterations as if they were timed, one request each.
    Iterations,
    /// The same in rounds of an empty loop and a loop with the body, each once and with twice the invocations ([`crate::ROUND`]), so that
    /// what surrounds the body cancels out.
    Differences,
    /// It runs iterations as if they were timed, many each request, for as long as the plan says or [`STEADY_S`]. One pass over a case is
    /// enough.
    Steady,
    /// Nothing: no process is started, and the diagnoser reads what was measured ([`Diagnoser::read`]).
    Nothing,
    /// It opens the benchmark, and runs nothing.
    Open,
}

/// What a pass is about.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The key of the case.
    pub key: String,
    /// Group of the benchmark; may be empty.
    pub group: String,
    /// Name of the benchmark.
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// The index of its job.
    pub job: u32,
    /// Short name of the program.
    pub program: String,
    /// Language of the program.
    pub language: String,
    /// Its runtime compiles while the benchmark runs.
    pub compiles_late: bool,
    /// The program has a diagnoser of this name itself.
    pub declares: bool,
    /// The names of its code, where the front end says them.
    pub code: Option<CodeName>,
    /// The side of a comparison.
    pub side: Option<Side>,
    /// Threads that the body uses; 0: that is not known.
    pub threads: u32,
    /// Iterations of the pass.
    pub iterations: u64,
    pub invocations: u64,
    /// Calls that are followed, one after the other; None: as many as it wants.
    pub depth: Option<u32>,
    /// An empty folder for its files, which goes when the pass is over. None: the system gives none.
    pub folder: Option<PathBuf>,
    /// The time that it has for each answer.
    pub patience: Duration,
}

impl Subject {
    /// The method that the benchmark is, of a runtime that compiles late.
    pub(crate) fn method(&self) -> Result<Method<'_>, String> {
        let code = self.code.as_ref().ok_or("the front end does not say which method the benchmark is")?;
        let bare = code.full.split('(').next().unwrap_or_default();
        let class = bare.strip_suffix(&code.method).map_or(code.class.as_str(), |class| class.trim_end_matches('.'));
        Ok(Method { class, name: &code.method })
    }
}

/// What happens in a launch, in this order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Signal {
    /// The process was started and nothing was asked of it.
    Started {
        /// Its number; with a wrapper that of the wrapper.
        pid: u32,
    },
    /// The benchmark is set up, and its lead-in is over.
    Opened {
        /// Where the function with the measuring loop is in the process, where the child says so.
        loop_address: Option<u64>,
    },
    /// An iteration is about to be measured.
    Before { part: Part },
    After {
        part: Part,
        /// Operations of all its invocations.
        operations: f64,
        /// What the child measured of it.
        took: Took,
    },
    /// All iterations were measured, and the process still lives.
    Measured,
    /// The process is gone.
    Ended,
}

/// What a child measured of an iteration, inside it: what the host sees from outside has the way to the child and back in it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Took {
    pub elapsed_ns: f64,
    /// CPU time of the thread that runs the body; None: the child does not read it.
    pub cpu_ns: Option<f64>,
    /// How often this thread gave up its processor by itself.
    pub waits: Option<f64>,
}

/// An iteration of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 0.
    pub iteration: u64,
    /// The loop that it runs.
    pub which: Loop,
    pub invocations: u64,
}

/// What a pass yields.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// Metrics with a value for each iteration.
    pub metrics: Vec<(Metric, Vec<f64>)>,
    /// Numbers that are not measured, by name.
    pub facts: Vec<(&'static str, f64)>,
    /// The same by names that it has found.
    pub counts: Vec<(String, f64)>,
    pub files: Vec<File>,
    /// What it says in words.
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
    /// Who made it.
    pub maker: Maker,
    /// Its content, or why there is none.
    pub content: Result<Vec<u8>, String>,
}

/// What a file of a pass belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Belongs {
    #[default]
    Case,
    /// The side of the case; where no sides are compared, the case.
    Side,
}
