//! The result of comparing two sides: builds whose children were interleaved in one run, or two saved results.

use crate::estimate::NetTime;
use crate::finding::{Decide, Finding};
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use tare_model::{Better, ChildFacts, CommandLine, Failure, Parameter};
use tare_stats::interval::Interval;

/// Why a measured benchmark has no ratio.
pub(crate) const NOTHING: &str = "it has no ratio: its time, or its baseline's, cannot be distinguished from zero";

/// How the data of a comparison was made, which decides the possible verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// Children of both sides were alive together and visited in turn.
    Interleaved,
    SavedLaunches,
    /// At least one side has iterations of a single process.
    SavedIterations,
    /// At least one side has only a summary.
    SavedSummary,
}

#[derive(Debug, Clone, Serialize)]
pub struct Side {
    pub name: String,
    /// Details in one line: full revision, tool and version, time of the run.
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowMetric {
    pub unit: String,
    pub base: f64,
    pub new: f64,
    /// Which values are better, if both sides agree.
    #[serde(skip)]
    pub better: Better,
}

#[derive(Debug, Clone, Serialize)]
pub struct ComparisonRow {
    pub key: String,
    pub group: String,
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// Language or tool, if rows differ in it.
    pub language: String,
    /// Time of an operation of the base, ns; `None` if it cannot be distinguished from nothing.
    pub base_ns: Option<f64>,
    /// Time of an operation of the new side, ns; `None` if it cannot be distinguished from nothing.
    pub new_ns: Option<f64>,
    /// Half-widths of the intervals that the tool itself gives for both times, as shares; `None` if it gives none.
    pub own_errors: Option<[f64; 2]>,
    pub metric: Option<RowMetric>,
    /// new / base of the cost; base / new for a metric where more is better.
    pub ratio: f64,
    /// 95 % interval of the ratio; repeated if there were several looks; `None` if the data has none.
    pub interval: Option<Interval>,
    pub verdict: Verdict,
    /// p-value of no change; `None` if the data has none.
    pub p: Option<f64>,
    /// The same, corrected for the number of comparisons.
    pub q: Option<f64>,
    /// Smallest margin within which both are certified to be the same, as a share.
    pub certified_margin: Option<f64>,
    /// Smallest change that gets a verdict, as a share; infinite if no change gets one from this data.
    pub minimum_effect: f64,
    /// Smallest change asked for, as a share; saved data may need a larger one.
    pub asked_effect: f64,
    /// It compares counts that the same code repeats exactly, so every difference is real.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_exact: bool,
    pub looks: u32,
    pub launches: [usize; 2],
    pub several_modes: bool,
    /// The ratio of the times shown, if it is outside the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_of_times: Option<f64>,
    /// Why the verdict is not stronger, or what limits it; empty if nothing does.
    pub remark: String,
    pub decide_with: Option<Decide>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CountRow {
    pub key: String,
    /// `group/name[n=10]` with the unit, like the names of rows.
    #[serde(skip)]
    pub name: String,
    pub metric: RowMetric,
    pub launches: [usize; 2],
}

#[derive(Debug, Clone, Serialize)]
pub struct FailedRow {
    pub key: String,
    /// `group/name[n=10]`, if known; patterns are compared with it.
    #[serde(skip)]
    pub name: String,
    #[serde(skip)]
    pub language: String,
    /// The side: 0 is the base, 1 the new one.
    pub side: u32,
    pub failure: Failure,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkippedRow {
    pub key: String,
    /// `group/name[n=10]`; patterns are compared with it.
    #[serde(skip)]
    pub name: String,
    pub on: SkippedOn,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkippedOn {
    Base,
    New,
    Both,
}

impl SkippedRow {
    pub fn text(&self) -> String {
        match self.on {
            SkippedOn::Both => self.reason.clone(),
            SkippedOn::Base => format!("{} (on the base)", self.reason),
            SkippedOn::New => format!("{} (on the new side)", self.reason),
        }
    }

    /// Why a benchmark skipped on one side is not compared with its values on the other.
    pub(crate) fn not_compared(on: SkippedOn, reason: &str) -> String {
        match on {
            SkippedOn::Base => format!("it is skipped on the base: {reason}"),
            SkippedOn::New | SkippedOn::Both => format!("it is skipped: {reason}"),
        }
    }
}

/// The cost of a benchmark on a saved side, as far as the data shows it.
#[derive(Debug, Clone)]
pub struct SavedCost {
    pub name: String,
    pub time: Option<NetTime>,
    pub allocations: Option<f64>,
    pub allocated_bytes: Option<f64>,
    /// Exact counts of diagnosers per operation, by metric: minimum and maximum over processes.
    pub counts: BTreeMap<String, [f64; 2]>,
    /// It comes from a run of Tare: missing values were not measured and cannot be obtained.
    pub is_run: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    pub run: String,
    #[serde(skip)]
    pub request: CommandLine,
    pub base: Side,
    pub new: Side,
    pub design: Design,
    pub rows: Vec<ComparisonRow>,
    pub only_base: Vec<String>,
    pub only_new: Vec<String>,
    /// Benchmarks on both sides that were not compared: the run was stopped before, or saved values have no ratio.
    pub not_measured: Vec<String>,
    /// Names for patterns, for benchmarks of one side that are listed by another name.
    #[serde(skip)]
    pub selectors: BTreeMap<String, String>,
    /// Why benchmarks were not compared, by name, if known.
    pub why_not: BTreeMap<String, String>,
    /// For saved data, the values of both sides by the key of their row, per process in order of time, ns per operation.
    #[serde(skip)]
    pub values: BTreeMap<String, [Vec<Vec<f64>>; 2]>,
    /// The costs of the benchmarks on a saved new side; empty if there is a run that has them.
    #[serde(skip)]
    pub new_costs: Vec<SavedCost>,
    /// Counted on both sides but not judged by default: the collections of a runtime, by benchmark.
    pub counted: Vec<CountRow>,
    pub failed: Vec<FailedRow>,
    pub skipped: Vec<SkippedRow>,
    pub geometric_mean: Option<f64>,
    /// Code layout could not be varied: small differences may come from the build alone.
    pub layout_limited: bool,
    /// Coded remarks: differences in machine, compiler, method; limits of the data.
    pub findings: Vec<Finding>,
    pub elapsed_s: f64,
}

impl ComparisonRow {
    pub fn is_command(&self) -> bool {
        self.language == ChildFacts::COMMANDS
    }

    /// The key of the benchmark, shared by the rows of its time and its metrics.
    pub fn benchmark(&self) -> &str {
        let of_metric = self.metric.as_ref().and_then(|metric| self.key.strip_suffix(metric.unit.as_str()));
        of_metric.map_or(self.key.as_str(), str::trim_end)
    }

    /// `group/name[n=10]`, as `--filter` takes it; followed by the unit if the row does not compare a time.
    pub fn name(&self) -> String {
        let name = selector(&self.group, &self.name, &self.parameters);
        match &self.metric {
            Some(metric) => format!("{name} {}", metric.unit),
            None => name,
        }
    }

    /// For a verdict `same` whose interval excludes no change: the minimum effect that the difference is below, as a share.
    pub fn below(&self) -> Option<f64> {
        self.verdict.small_difference(self.interval, self.minimum_effect)
    }

    /// Whether it compares a metric of unknown direction, which is neither slower nor faster.
    pub fn has_unknown_direction(&self) -> bool {
        self.metric.as_ref().is_some_and(|metric| metric.better == Better::Unknown)
    }

    /// Whether the metric is 0 on the base and not on the new side, which no ratio expresses.
    pub fn is_from_nothing(&self) -> bool {
        self.metric.as_ref().is_some_and(|metric| metric.base == 0.0 && metric.new != 0.0)
    }

    /// Whether the metric is 0 on the new side and not on the base.
    pub fn is_to_nothing(&self) -> bool {
        self.metric.as_ref().is_some_and(|metric| metric.base != 0.0 && metric.new == 0.0)
    }

    /// Whether what it compares is 0 on one side.
    pub fn has_no_ratio(&self) -> bool {
        self.is_from_nothing() || self.is_to_nothing()
    }
}

/// `group/name[n=10, kind=sorted]`.
pub(crate) fn selector(group: &str, name: &str, parameters: &[Parameter]) -> String {
    let group = if group.is_empty() { String::new() } else { format!("{group}/") };
    let parameters: Vec<String> = parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
    let parameters = if parameters.is_empty() { String::new() } else { format!("[{}]", parameters.join(", ")) };
    format!("{group}{name}{parameters}")
}

#[derive(Debug, Clone)]
pub struct Labels {
    repeated: HashSet<String>,
}

impl Labels {
    pub fn of(&self, row: &ComparisonRow) -> String {
        let name = row.name();
        if self.repeated.contains(&name) {
            row.key.clone()
        } else {
            name
        }
    }
}

impl Comparison {
    /// The labels of rows: their names, or their keys if several share a name. Made once for all rows.
    pub fn labels(&self) -> Labels {
        let mut seen = HashSet::new();
        Labels {
            repeated: self.rows.iter().map(ComparisonRow::name).filter(|name| !seen.insert(name.clone())).collect(),
        }
    }

    /// How to call [`Comparison::not_measured`]: saved data was measured, but could not be compared.
    pub fn not_measured_word(&self) -> &'static str {
        if self.design == Design::Interleaved && self.why_not.is_empty() {
            "not measured"
        } else {
            "not compared"
        }
    }

    pub fn benchmarks_failed(&self) -> usize {
        self.failed.iter().map(|row| &row.key).collect::<HashSet<_>>().len()
    }

    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|r| r.verdict == verdict).count()
    }

    /// The overall verdict: slower if anything is; else unclear, faster or same.
    pub fn overall(&self) -> Verdict {
        [Verdict::Slower, Verdict::Unclear, Verdict::Faster]
            .into_iter()
            .find(|&v| self.count(v) > 0)
            .unwrap_or(if self.rows.is_empty() { Verdict::Unclear } else { Verdict::Same })
    }
}
