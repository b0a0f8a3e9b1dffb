//! What can be said of two sides: builds whose children were interleaved in one run, or two saved results.

use crate::estimate::NetTime;
use crate::finding::{Decide, Finding};
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use tare_model::{Better, ChildFacts, Failure, Parameter, Request};
use tare_stats::interval::Interval;

/// Why what was measured has no ratio.
pub(crate) const NOTHING: &str = "it has no ratio: its time, or its baseline's, cannot be distinguished from zero";

/// How the data of a comparison came about: it decides which words it can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// Children of both sides were alive together and visited in turn.
    Interleaved,
    SavedLaunches,
    /// At least one side holds iterations of a single process.
    SavedIterations,
    /// At least one side holds nothing but a summary.
    SavedSummary,
}

#[derive(Debug, Clone, Serialize)]
pub struct Side {
    pub name: String,
    /// More about it in one line: full revision, tool and version, time of the run.
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowMetric {
    pub unit: String,
    pub base: f64,
    pub new: f64,
    /// Which values are better, where both sides say the same.
    #[serde(skip)]
    pub better: Better,
}

#[derive(Debug, Clone, Serialize)]
pub struct ComparisonRow {
    pub key: String,
    pub group: String,
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// Language or tool, where rows differ in it.
    pub language: String,
    /// Time of an operation of the base, ns; None when it cannot be distinguished from nothing.
    pub base_ns: Option<f64>,
    /// Time of an operation of the new side, ns; None when it cannot be distinguished from nothing.
    pub new_ns: Option<f64>,
    /// Half of the intervals that the tool itself gives of both times, as shares; None where it gives none.
    pub own_errors: Option<[f64; 2]>,
    pub metric: Option<RowMetric>,
    /// new / base of the cost; base / new of a metric of which more is better.
    pub ratio: f64,
    /// 95 % interval of the ratio; repeated where several looks were taken; None where the data has none.
    pub interval: Option<Interval>,
    pub verdict: Verdict,
    /// p-value of no change; None where the data has none.
    pub p: Option<f64>,
    /// The same, corrected for the number of comparisons.
    pub q: Option<f64>,
    /// Smallest margin within which both are certified to be the same, as a share.
    pub certified_margin: Option<f64>,
    /// Smallest change that gets a verdict, as a share; infinite where no change gets one from this data.
    pub minimum_effect: f64,
    /// Smallest change that was asked for, as a share: saved data may need more.
    pub asked_effect: f64,
    /// It compares counts that the same code repeats exactly: every difference is one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_exact: bool,
    pub looks: u32,
    pub launches: [usize; 2],
    pub several_modes: bool,
    /// The ratio of the times shown, where it is beyond the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_of_times: Option<f64>,
    /// Why the verdict is not stronger, or what limits it; empty when there is nothing to say.
    pub remark: String,
    pub decide_with: Option<Decide>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CountRow {
    pub key: String,
    /// `group/name[n=10]` with the unit, as rows are called.
    #[serde(skip)]
    pub name: String,
    pub metric: RowMetric,
    pub launches: [usize; 2],
}

#[derive(Debug, Clone, Serialize)]
pub struct FailedRow {
    pub key: String,
    /// `group/name[n=10]`, where it is known: what patterns are compared with.
    #[serde(skip)]
    pub name: String,
    #[serde(skip)]
    pub language: String,
    /// Which side: 0 the base, 1 the new one.
    pub side: u32,
    pub failure: Failure,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkippedRow {
    pub key: String,
    /// `group/name[n=10]`: what patterns are compared with.
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

    /// Why a benchmark that is skipped on one side is not compared with its values on the other.
    pub(crate) fn not_compared(on: SkippedOn, reason: &str) -> String {
        match on {
            SkippedOn::Base => format!("it is skipped on the base: {reason}"),
            SkippedOn::New | SkippedOn::Both => format!("it is skipped: {reason}"),
        }
    }
}

/// What a benchmark of a saved side costs, as far as the data shows it.
#[derive(Debug, Clone)]
pub struct SavedCost {
    pub name: String,
    pub time: Option<NetTime>,
    pub allocations: Option<f64>,
    pub allocated_bytes: Option<f64>,
    /// Exact counts of diagnosers per operation, by the names of their metrics: the least and the most of any process.
    pub counts: BTreeMap<String, [f64; 2]>,
    /// It comes from a run of Tare: what is missing was not measured and cannot be obtained.
    pub is_run: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    pub run: String,
    #[serde(skip)]
    pub request: Request,
    pub base: Side,
    pub new: Side,
    pub design: Design,
    pub rows: Vec<ComparisonRow>,
    pub only_base: Vec<String>,
    pub only_new: Vec<String>,
    /// Benchmarks that exist on both sides and were not compared: the run was stopped before, or saved values have no ratio.
    pub not_measured: Vec<String>,
    /// What patterns are compared with, of those benchmarks of one side that are listed by another name.
    #[serde(skip)]
    pub selectors: BTreeMap<String, String>,
    /// Why benchmarks were not compared, by name, of those of which it is known.
    pub why_not: BTreeMap<String, String>,
    /// The values of both sides of saved data by the key of their row, of each process in order of time, ns an operation.
    #[serde(skip)]
    pub values: BTreeMap<String, [Vec<Vec<f64>>; 2]>,
    /// What the benchmarks of a saved new side cost; empty where there is a run that has it.
    #[serde(skip)]
    pub new_costs: Vec<SavedCost>,
    /// What is counted on both sides and not judged by default: the collections of a runtime, by benchmark.
    pub counted: Vec<CountRow>,
    pub failed: Vec<FailedRow>,
    pub skipped: Vec<SkippedRow>,
    pub geometric_mean: Option<f64>,
    /// Code layout could not be varied: small differences may come from the build alone.
    pub layout_limited: bool,
    /// Coded remarks: differences of machine, compiler, method; what the data cannot carry.
    pub findings: Vec<Finding>,
    pub elapsed_s: f64,
}

impl ComparisonRow {
    pub fn is_command(&self) -> bool {
        self.language == ChildFacts::COMMANDS
    }

    /// The key of the benchmark, which rows of its time and of its metrics have in common.
    pub fn benchmark(&self) -> &str {
        let of_metric = self.metric.as_ref().and_then(|metric| self.key.strip_suffix(metric.unit.as_str()));
        of_metric.map_or(self.key.as_str(), str::trim_end)
    }

    /// `group/name[n=10]`: what `--filter` takes. Followed by the unit if the row does not compare a time.
    pub fn name(&self) -> String {
        let name = selector(&self.group, &self.name, &self.parameters);
        match &self.metric {
            Some(metric) => format!("{name} {}", metric.unit),
            None => name,
        }
    }

    /// Of a verdict `same` whose interval excludes no change: the minimum effect, as a share, that the difference is below.
    pub fn below(&self) -> Option<f64> {
        self.verdict.small_difference(self.interval, self.minimum_effect)
    }

    /// It compares a metric of which nothing says which values are better: it is neither slower nor faster.
    pub fn has_unknown_direction(&self) -> bool {
        self.metric.as_ref().is_some_and(|metric| metric.better == Better::Unknown)
    }

    /// It compares a metric of which the base has none and the new side some: no ratio says that.
    pub fn is_from_nothing(&self) -> bool {
        self.metric.as_ref().is_some_and(|metric| metric.base == 0.0 && metric.new != 0.0)
    }

    /// It compares a metric of which the base has some and the new side none.
    pub fn is_to_nothing(&self) -> bool {
        self.metric.as_ref().is_some_and(|metric| metric.base != 0.0 && metric.new == 0.0)
    }

    /// One side has none of what it compares.
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
    /// What rows are called: their names, and their keys where several have one name. Made once for all rows.
    pub fn labels(&self) -> Labels {
        let mut seen = HashSet::new();
        Labels {
            repeated: self.rows.iter().map(ComparisonRow::name).filter(|name| !seen.insert(name.clone())).collect(),
        }
    }

    /// What [`Comparison::not_measured`] is called: saved data was measured, and could not be compared.
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

    /// The word for the whole: slower when anything is; else unclear, faster or same.
    pub fn overall(&self) -> Verdict {
        [Verdict::Slower, Verdict::Unclear, Verdict::Faster]
            .into_iter()
            .find(|&v| self.count(v) > 0)
            .unwrap_or(if self.rows.is_empty() { Verdict::Unclear } else { Verdict::Same })
    }
}
