//! What a Run says, as values: every screen and file is rendered from these types and from nothing else.

use crate::findings::{Again, Finding};
use crate::growth::GrowthReport;
use crate::metrics::{EventReport, MetricReport};
use crate::rates::RateReport;
use crate::verdict::Reason;
pub use crate::verdict::Verdict;
use serde::Serialize;
use tare_model::{ChildFacts, Environment, Failure, Parameter, RunStatus, Setting, Stage, Strategy};
use tare_stats::histogram::Bin;
use tare_stats::interval::{Estimate, Interval};
use tare_stats::summary::Summary;

/// What a Run says.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Id of the run.
    pub run: String,
    /// UTC, RFC 3339.
    pub created: String,
    /// Version of Tare that measured.
    pub tare: String,
    /// Version of the method that measured.
    pub method: String,
    /// The machine.
    pub environment: Environment,
    /// State of the run.
    pub status: RunStatus,
    /// The command line that asked for it.
    #[serde(skip)]
    pub command: Vec<String>,
    /// It compares two sides.
    #[serde(skip)]
    pub is_comparison: bool,
    /// Duration of the run, s.
    pub elapsed_s: f64,
    /// Who used the core over the whole run; None where that was not judged.
    pub core: Option<CoreSummary>,
    /// Smallest change that is called faster or slower, as a share.
    pub minimum_effect: f64,
    /// One for each case of the plan, in its order.
    pub cases: Vec<CaseReport>,
    /// The table's blocks in order: benchmarks of one group.
    pub groups: Vec<GroupReport>,
    /// How times grow with a parameter, where there are sizes enough to tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub growth: Vec<GrowthReport>,
    /// Coded remarks, the worst first.
    pub findings: Vec<Finding>,
    /// What the columns of the environment header need: one entry an artifact.
    pub programs: Vec<ProgramReport>,
    /// The jobs of the run; empty where nobody asked for any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobReport>,
    /// Programs of the run that could not be built or listed.
    #[serde(skip)]
    pub not_built: Vec<String>,
    /// Benchmarks that would have been compared with a baseline which the filters left out.
    #[serde(skip)]
    pub without_baseline: Vec<String>,
}

impl Report {
    /// The selector of a case, with its job where there are several: `sort/std[n=10]@fast`, which filters understand.
    pub fn name_of(&self, case: &CaseReport) -> String {
        match self.jobs.len() {
            0 | 1 => case.selector(),
            _ => format!("{}@{}", case.selector(), case.job),
        }
    }
}

/// A block of the table.
#[derive(Debug, Clone, Serialize)]
pub struct GroupReport {
    /// Name; empty for benchmarks without a group.
    pub name: String,
    /// Indices into [`Report::cases`] in the order of the table.
    pub cases: Vec<u32>,
}

/// A way in which programs were built and run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JobReport {
    /// Its name, as cases have it.
    pub name: String,
    /// What it sets.
    pub settings: Vec<Setting>,
}

/// One line about what was run.
#[derive(Debug, Clone, Serialize)]
pub struct ProgramReport {
    /// Short name: the file or bench target.
    pub name: String,
    /// Language.
    pub language: String,
    /// Compiler with version, where known.
    pub compiler: Option<String>,
    /// Flags, where known.
    pub flags: Option<String>,
    /// False: built without optimisation.
    pub optimised: Option<bool>,
    /// Program and arguments of a launch: what a failure shows.
    pub command: Vec<String>,
}

/// A row of the table.
#[derive(Debug, Clone, Serialize)]
pub struct CaseReport {
    /// Index of the case.
    pub case: u32,
    /// Unique and stable name.
    pub key: String,
    /// Group of the benchmark.
    pub group: String,
    /// Name of the benchmark.
    pub name: String,
    /// Parameters with values.
    pub parameters: Vec<Parameter>,
    /// Language of the program.
    pub language: String,
    /// Name of the program (index into [`Report::programs`]).
    pub program: u32,
    /// Name of the job; empty for the only one.
    pub job: String,
    /// Name of the side of a comparison; empty where no two sides are compared.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub side: String,
    /// Name of an operation.
    pub unit: String,
    /// One line for people.
    pub description: String,
    /// How it is measured.
    #[serde(skip_serializing_if = "Strategy::is_throughput")]
    pub strategy: Strategy,
    /// Whether it is the baseline of its group.
    pub baseline: bool,
    /// Whether it is measured to be compared with a baseline.
    #[serde(skip)]
    pub contestant: bool,
    /// Of a contestant: what it and its baseline returned is known, so that a difference would have been found.
    #[serde(skip)]
    pub results_known: bool,
    /// Of a contestant: its time or that of its baseline cannot be distinguished from nothing.
    #[serde(skip)]
    pub of_nothing: bool,
    /// Other children ran beside its own although it is compared with nothing: [`tare_model::Policy::keep_order`] ends that.
    #[serde(skip)]
    pub has_company: bool,
    /// What was measured, or why not.
    pub outcome: Outcome,
}

impl CaseReport {
    /// `group/name[n=10, kind=sorted]`: what `--filter` compares its globs with.
    pub fn selector(&self) -> String {
        crate::comparison::selector(&self.group, &self.name, &self.parameters)
    }

    /// It is a whole command: its program is that of `tare time`.
    pub fn is_command(&self) -> bool {
        self.language == ChildFacts::COMMANDS
    }

    /// Its time cannot be distinguished from nothing.
    pub fn is_nothing(&self) -> bool {
        matches!(&self.outcome, Outcome::Measured(e) if matches!(e.time, NetTime::Below { .. }))
    }
}

/// How a case ended.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum Outcome {
    /// It has a time.
    Measured(Box<CaseEstimates>),
    /// It has none, and this is why.
    Failed {
        /// Why.
        failure: Failure,
    },
    /// It says that it is not to be measured, here or now.
    Skipped {
        /// Why.
        reason: String,
    },
    /// It was not measured: the run was stopped, or there was no time left for it.
    NotMeasured,
}

/// Which time is compared and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Wall time.
    Wall,
    /// CPU time of the thread: too few undisturbed visits for wall time, and the body neither blocks nor uses threads.
    Cpu,
}

/// In which windows the time was taken that is compared and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoreUse {
    /// In windows in which nobody else used the core.
    Alone,
    /// In all windows, since too few of them were alone, or since CPU time or the other side has no others: what the code takes on
    /// a core that is shared as much as it was then.
    Any,
    /// It was not judged: the child has no width probe, or an invocation is too long.
    NotJudged,
}

/// Who used the core while a case was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CoreReport {
    /// Which windows the time is of.
    pub times: CoreUse,
    /// Windows in all finished launches.
    pub windows: u32,
    /// Share of them in which nobody else used the core, 0 to 1.
    pub alone_share: f64,
    /// Time in shared windows over time in windows alone, within launches; None where either kind is too rare.
    pub slow_down: Option<f64>,
    /// Time of an operation in windows alone, ns; None where they are too rare, or the time cannot be distinguished from nothing.
    pub alone_ns: Option<f64>,
    /// Time of an operation in windows that were shared from end to end, ns; None as above.
    pub shared_ns: Option<f64>,
}

/// Share of shared windows from which they matter: a tenth of them at 1.9 times the time is a time that is 9 % off.
const SHARED_MIN: f64 = 0.1;
/// How much slower code is in shared windows where that is not known of it: the most that was seen of ordinary code
/// (`docs/concepts/neighbour.md`).
const SLOW_DOWN_MOST: f64 = 1.9;

impl CoreReport {
    /// The time is of a core that others used for a part of it that matters.
    pub fn is_shared_time(&self) -> bool {
        self.times == CoreUse::Any && self.shared_share() > SHARED_MIN
    }

    /// Share of the windows that others had a part in, 0 to 1.
    pub fn shared_share(&self) -> f64 {
        1.0 - self.alone_share
    }

    /// How many times as long as alone the shown time may be because of others: 1 for one alone on the core.
    pub fn others_at_most(&self) -> f64 {
        match self.is_shared_time() {
            true => 1.0 + self.shared_share() * (self.slow_down.unwrap_or(SLOW_DOWN_MOST).max(1.0) - 1.0),
            false => 1.0,
        }
    }
}

/// Who used the core during a whole run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoreSummary {
    /// Windows of all cases.
    pub windows: u64,
    /// Share of them in which nobody else used the core, 0 to 1.
    pub alone_share: f64,
    /// Cycles that an independent addition takes while nobody else uses the core: what windows are judged by. None where each
    /// process has a level of its own.
    pub cycles_per_addition: Option<f64>,
    /// Where that comes from: `machine profile` or `this run`.
    pub source: Option<String>,
    /// Cases whose time is of windows alone.
    pub cases_alone: usize,
    /// Cases whose time is of all windows.
    pub cases_any: usize,
    /// Cases without windows: their children have no width probe, or an invocation is too long.
    pub cases_not_judged: usize,
}

impl CoreSummary {
    /// Others used the core for a part of the run that matters.
    pub fn is_shared(&self) -> bool {
        self.shared_share() > SHARED_MIN
    }

    /// Share of the windows that others had a part in, 0 to 1.
    pub fn shared_share(&self) -> f64 {
        1.0 - self.alone_share
    }
}

/// The time of an operation without the loop around it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum NetTime {
    /// It can be distinguished from nothing.
    Resolved {
        /// ns an operation with its 95 % interval over launches; the interval may be missing (a single launch).
        value_ns: f64,
        /// 95 % interval over launches, ns.
        interval: Option<Interval>,
    },
    /// It cannot be distinguished from nothing: shown as `< U ns`.
    Below {
        /// Upper end of the 95 % interval, ns an operation; greater than 0.
        upper_ns: f64,
    },
}

/// Counts of the visits of a case.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct VisitCounts {
    /// All visits of the stage `actual`.
    pub measured: usize,
    /// Those that the result is computed from.
    pub valid: usize,
    /// Dropped because the thread was preempted in them.
    pub preempted: usize,
    /// Those of the preempted in which other threads of the program worked meanwhile.
    pub to_own_threads: usize,
    /// Dropped because no window of them had the core to itself.
    pub shared: usize,
    /// Dropped because the core's clock jumped or the runtime compiled in them.
    pub disturbed: usize,
    /// Valid visits that double MAD labels as low outliers (labelled, never dropped).
    pub outliers_low: usize,
    /// Valid visits that double MAD labels as high outliers (labelled, never dropped).
    pub outliers_high: usize,
}

impl VisitCounts {
    /// Those that other programs preempted, as far as that shows.
    pub fn preempted_by_others(&self) -> usize {
        self.preempted.saturating_sub(self.to_own_threads)
    }
}

/// A ratio of costs, new / base, with its verdict.
#[derive(Debug, Clone, Serialize)]
pub struct RatioReport {
    /// Index of the case that it is compared with.
    pub baseline: u32,
    /// new / base of the cost, 1 is no change.
    pub ratio: f64,
    /// Repeated 95 % interval: valid at whatever look it stopped.
    pub interval: Interval,
    /// Repeated 99 % interval: what slower and faster are decided on.
    pub interval_99: Interval,
    /// Repeated 90 % interval: what same is decided on.
    pub interval_90: Interval,
    /// The word.
    pub verdict: Verdict,
    /// Why it is not stronger; None when there is nothing to say.
    #[serde(skip)]
    pub reason: Option<Reason>,
    /// Repeated p-value of no change.
    pub p: f64,
    /// The same, corrected for the number of comparisons in the suite.
    pub q: f64,
    /// Looks taken (waves).
    pub looks: u32,
    /// Smallest margin within which both are the same, as a share (0.01 is 1 %).
    pub certified_margin: f64,
    /// Minimum effect that was used, as a share.
    pub minimum_effect: f64,
    /// What decides an unclear comparison.
    pub decide_with: Option<Again>,
}

/// One launch of a case.
#[derive(Debug, Clone, Serialize)]
pub struct LaunchReport {
    /// Number within the run.
    pub launch: u32,
    /// Wave.
    pub wave: u32,
    /// Time of an operation with the loop, ns, 20 % trimmed mean over valid visits.
    pub raw_ns: f64,
    /// Valid visits.
    pub valid: usize,
    /// Visits.
    pub measured: usize,
    /// Share of its windows in which nobody else used the core, 0 to 1; None where that was not judged.
    pub alone_share: Option<f64>,
    /// The processor that its measuring thread was kept on; None: the system moved it as it liked.
    pub processor: Option<u32>,
    /// Process start until opened, ns.
    pub start_up_ns: Option<f64>,
    /// Invocations of a visit.
    pub invocations: u64,
    /// Greatest resident memory, bytes.
    pub peak_memory_bytes: Option<u64>,
    /// Length of a core cycle as the clock probe saw it, ns.
    pub cycle_ns: Option<f64>,
}

/// What one stage of a case cost, all its launches together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StageReport {
    /// The stage.
    pub stage: Stage,
    /// Iterations.
    pub iterations: usize,
    /// Invocations of all its iterations.
    pub invocations: u64,
    /// Time of all its iterations, ns.
    pub elapsed_ns: f64,
}

/// All that is known of the time of a case.
#[derive(Debug, Clone, Serialize)]
pub struct CaseEstimates {
    /// The result: time of an operation without the loop.
    pub time: NetTime,
    /// Time of an operation with the loop, ns; interval over launches.
    pub raw: Option<Estimate>,
    /// What the loop costs beside this body, ns an operation.
    pub overhead: Option<Estimate>,
    /// The result in core cycles an operation, where the child has a clock probe and the body follows the clock.
    pub cycles: Option<Estimate>,
    /// Time of an operation by the wall clock without reference to the core's clock, ns.
    pub wall_ns: f64,
    /// Wall or CPU time.
    pub quantity: Quantity,
    /// Who used the core; None where that was not judged.
    pub core: Option<CoreReport>,
    /// Whether times are given at the reference clock.
    pub at_reference_clock: bool,
    /// Compared with the baseline of its group.
    pub ratio: Option<RatioReport>,
    /// Counts of visits.
    pub visits: VisitCounts,
    /// Its launches.
    pub launches: Vec<LaunchReport>,
    /// Number of waves.
    pub waves: u32,
    /// What its stages cost, in the order of [`Stage`].
    pub stages: Vec<StageReport>,
    /// Statistics over the valid visits, ns an operation with the loop.
    pub summary: Option<Summary>,
    /// Histogram of the valid visits on a log axis, ns an operation with the loop; what lies far out is in the first and last bin.
    pub histogram: Vec<Bin>,
    /// Counts for the small shape: few bins of equal width between the 0.5 % and 99 % quantiles.
    pub shape: Vec<usize>,
    /// Hodges-Lehmann centre of the launches, ns an operation with the loop.
    pub centre_ns: f64,
    /// Shamos spread of the launches, ns.
    pub spread_ns: f64,
    /// What it works through in a second.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<RateReport>,
    /// What its child measures beside the time.
    pub metrics: Vec<MetricReport>,
    /// What its runtime did during the visits.
    pub events: Vec<EventReport>,
    /// Greatest resident memory of its launches, bytes.
    pub peak_memory_bytes: Option<u64>,
    /// What `check` returned.
    pub digest: Option<String>,
}
