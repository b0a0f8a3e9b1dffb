//! What is known of the time of a case.

use super::CoreReport;
use crate::disagreement::Disagreement;
use crate::findings::Again;
use crate::metrics::{EventReport, MetricReport};
use crate::rates::RateReport;
use crate::verdict::{Reason, Verdict};
use serde::Serialize;
use tare_model::Stage;
use tare_stats::histogram::Bin;
use tare_stats::interval::{Estimate, Interval};
use tare_stats::summary::Summary;

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

/// Which time is compared and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Wall time.
    Wall,
    /// CPU time of the thread, or of the process where it collects: too few undisturbed visits for wall time, and the body neither blocks nor uses threads.
    Cpu,
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
    /// Those in which the thread lost the processor to other threads of the program: they count.
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
    /// What is concluded.
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
    /// That the ratio of the times shown is another one, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<Disagreement>,
}

impl RatioReport {
    /// Of a verdict `same` whose interval excludes no change: the minimum effect, as a share, that the difference is below.
    pub fn below(&self) -> Option<f64> {
        self.verdict.small_difference(Some(self.interval), self.minimum_effect)
    }
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
