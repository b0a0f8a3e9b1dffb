//! The estimates of a case.

use super::CoreReport;
use crate::estimate::{NetTime, RateReport};
use crate::ratio::RatioReport;
use crate::report::{EventReport, MetricReport};
use crate::visits::{Quantity, VisitCounts};
use serde::Serialize;
use tare_model::Stage;
use tare_stats::histogram::Bin;
use tare_stats::interval::Estimate;
use tare_stats::summary::Summary;

#[derive(Debug, Clone, Serialize, Default)]
pub struct CaseEstimates {
    /// The result: time of an operation without the loop.
    pub time: NetTime,
    pub raw: Option<Estimate>,
    /// The loop's cost beside this body, ns per operation.
    pub overhead: Option<Estimate>,
    /// The result in core cycles per operation, if the child has a clock probe and the body follows the clock.
    pub cycles: Option<Estimate>,
    /// Wall time of an operation, without correction by the core's clock, ns.
    pub wall_ns: f64,
    pub quantity: Quantity,
    pub core: Option<CoreReport>,
    pub at_reference_clock: bool,
    pub ratio: Option<RatioReport>,
    pub visits: VisitCounts,
    pub launches: Vec<LaunchReport>,
    pub waves: u32,
    pub stages: Vec<StageReport>,
    pub summary: Option<Summary>,
    /// Histogram of the valid visits on a log axis, ns per operation with the loop; the first and last bin include far values.
    pub histogram: Vec<Bin>,
    /// Counts for the small shape: few bins of equal width between the 0.5 % and 99 % quantiles.
    pub shape: Vec<usize>,
    pub centre_ns: f64,
    pub spread_ns: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<RateReport>,
    pub metrics: Vec<MetricReport>,
    pub events: Vec<EventReport>,
    pub peak_memory_bytes: Option<u64>,
    pub digest: Option<String>,
}

#[derive(Debug, Clone, Serialize, Default)]
pub struct LaunchReport {
    pub launch: u32,
    pub wave: u32,
    /// Time of an operation with the loop, ns, 20 % trimmed mean over valid visits.
    pub raw_ns: f64,
    pub valid: usize,
    pub measured: usize,
    /// Share of its windows in which only the child used the core, 0 to 1; `None` if not judged.
    pub alone_share: Option<f64>,
    /// The processor to which its measuring thread was pinned; `None` if the system was free to move it.
    pub processor: Option<u32>,
    pub start_up_ns: Option<f64>,
    pub invocations: u64,
    pub peak_memory_bytes: Option<u64>,
    /// Length of a core cycle by the clock probe, ns.
    pub cycle_ns: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StageReport {
    pub stage: Stage,
    pub iterations: usize,
    pub invocations: u64,
    pub elapsed_ns: f64,
}
