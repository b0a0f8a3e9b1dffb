//! The values of a history: its runs, the values of each benchmark, and the changes.

use super::marks::Accepted;
use super::{HistoryFailure, HistoryMachine, HistoryPoint, HistoryRun};
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::HashMap;
use tare_model::text::plural;
use tare_stats::interval::Interval;

/// A run of a history with its value for one case.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    pub run: usize,
    pub point: HistoryPoint,
}

/// Fewest values for [`Trend::noise`].
pub const NOISE_RUNS_MIN: usize = 6;

/// The values in which steps of a benchmark are searched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Basis {
    /// Ratios to a base measured in the same waves: both sides share the machine and its state.
    Ratio { base: String },
    /// Times at one clock.
    #[default]
    Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// It was compared with another base, or none.
    OtherBase,
    CoreShared,
    /// Another kind of time: CPU time, or not at the reference clock.
    OtherTime,
    NoTime,
    OtherMethod,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TrendPoint {
    pub run: usize,
    /// Time of an operation at the clock of the newest used run, ns.
    pub time_ns: Option<f64>,
    pub time_interval: Option<Interval>,
    pub ratio: Option<f64>,
    pub ratio_interval: Option<Interval>,
    pub base: Option<String>,
    pub compiler: String,
    /// Why it is not used to find steps; `None` if it is used.
    pub left_out: Option<LeftOut>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// `compiler`, `flags`, `system`, `tare`.
    pub what: &'static str,
    pub from: String,
    pub to: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrendStep {
    /// Index into [`Trend::points`]: the last one certainly before it, at 95 %.
    pub before: usize,
    /// Index into [`Trend::points`]: most likely the first one after it.
    pub at: usize,
    /// Index into [`Trend::points`]: the first one certainly after it, at 95 %.
    pub after: usize,
    pub ratio: f64,
    pub interval: Interval,
    pub verdict: Verdict,
    /// Probability of such a cut without a step.
    pub p: f64,
    /// Whether both rules agree. The newest steps may still be unconfirmed.
    pub confirmed: bool,
    /// Whether someone accepted it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
    pub changes: Vec<Change>,
}

/// A change spread over many runs, up to the newest: each step is too small to be seen, but their sum is not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TrendCreep {
    /// Index into [`Trend::points`] of its first value.
    pub first: usize,
    /// Index into [`Trend::points`] of the newest used value.
    pub last: usize,
    /// new / old of the cost, over its whole length.
    pub ratio: f64,
    pub interval: Interval,
    pub verdict: Verdict,
    /// Whether someone accepted it, and it has hardly grown since.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Level {
    pub first: usize,
    pub last: usize,
    pub value: f64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Trend {
    pub key: String,
    /// `group/name[n=10]`.
    pub name: String,
    pub job: String,
    pub basis: Basis,
    pub points: Vec<TrendPoint>,
    /// Stretches of constant level, oldest first.
    pub levels: Vec<Level>,
    pub steps: Vec<TrendStep>,
    /// The cost changes a little with each run. Replaces the steps and levels within it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creep: Option<TrendCreep>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
    /// Index into [`Trend::points`] of the first one with the current name.
    #[serde(skip)]
    pub renamed_at: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
}

impl Trend {
    /// The quantity in which steps are searched: a ratio, or a time in ns.
    pub fn value(&self, point: &TrendPoint) -> Option<f64> {
        match self.basis {
            Basis::Ratio { .. } => point.ratio.filter(|_| point.left_out != Some(LeftOut::OtherBase)),
            Basis::Time => point.time_ns,
        }
    }

    pub fn interval(&self, point: &TrendPoint) -> Option<Interval> {
        match self.basis {
            Basis::Ratio { .. } => point.ratio_interval,
            Basis::Time => point.time_interval,
        }
    }

    /// Relative difference of the values of neighbouring runs: by the median of the differences of their logs, which excludes steps, creep
    /// and single wild runs. `None` with fewer than [`NOISE_RUNS_MIN`] values.
    pub fn noise(&self) -> Option<f64> {
        let used = self.points.iter().filter(|point| point.left_out.is_none());
        let logs: Vec<f64> =
            used.filter_map(|point| self.value(point)).filter(|value| *value > 0.0).map(f64::ln).collect();
        if logs.len() < NOISE_RUNS_MIN {
            return None;
        }
        let differences: Vec<f64> = logs.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
        // The median of the absolute value of a normal variable is 0.6745 standard deviations, and the standard deviation of a difference
        // is √2 times a value's.
        Some(tare_stats::median(&differences)? / 0.674_489_750_196_081_7 / std::f64::consts::SQRT_2)
    }

    pub fn used(&self) -> usize {
        self.points.iter().filter(|point| point.left_out.is_none()).count()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherMachine {
    pub machine: HistoryMachine,
    pub runs: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedRun {
    pub name: String,
    pub run: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct History {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub project: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    pub machine: HistoryMachine,
    pub others: Vec<OtherMachine>,
    pub runs: Vec<HistoryRun>,
    pub baselines: Vec<NamedRun>,
    /// Older runs of this machine that were left out.
    pub older: usize,
    pub trends: Vec<Trend>,
    /// The repository's commits at the steps, if there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<CommitsBetween>,
    /// URL prefix for two revisions with `...` between them, to see the changes on the web.
    #[serde(skip)]
    pub compare_url: Option<String>,
    /// URL prefix for a revision, to see the commit on the web.
    #[serde(skip)]
    pub commit_url: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CommitsBetween {
    pub before: usize,
    pub after: usize,
    pub count: usize,
    pub newest: Vec<Commit>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Commit {
    pub revision: String,
    pub title: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryOptions {
    /// Smallest change that counts as a step, as a share; `None` for the newest run's.
    pub minimum_effect: Option<f64>,
    /// Renamed benchmarks: old name, new name.
    pub renames: Vec<(String, String)>,
    pub accepted: Vec<Accepted>,
}

impl HistoryMachine {
    pub fn label(&self) -> String {
        let cpu = if self.cpu.is_empty() { &self.architecture } else { &self.cpu };
        format!("{cpu}, {}", plural(self.processors, "processor"))
    }
}

impl History {
    /// What gave no value, once for each way in which it failed, with its runs; the latest failures come first.
    pub fn failures(&self) -> Vec<(&HistoryFailure, Vec<usize>)> {
        let mut places: HashMap<&HistoryFailure, usize> = HashMap::new();
        let mut found: Vec<(&HistoryFailure, Vec<usize>)> = Vec::new();
        for (run, failed) in self.runs.iter().enumerate().flat_map(|(at, run)| run.failed.iter().map(move |f| (at, f)))
        {
            let place = *places.entry(failed).or_insert(found.len());
            match found.get_mut(place) {
                Some((_, runs)) => runs.push(run),
                None => found.push((failed, vec![run])),
            }
        }
        found.sort_by_key(|(_, runs)| std::cmp::Reverse(runs.last().copied()));
        found
    }

    pub fn names_of(&self, run: usize) -> impl Iterator<Item = &str> {
        self.baselines.iter().filter(move |named| named.run == run).map(|named| named.name.as_str())
    }

    /// Runs since a step began, including its first, whether or not they have the benchmark.
    pub fn runs_since(&self, trend: &Trend, step: &TrendStep) -> usize {
        let first = trend.points.get(step.at).map_or(0, |point| point.run);
        self.runs.len().saturating_sub(first)
    }

    /// Runs from the first of a creep to its last, whether or not they have the benchmark.
    pub fn runs_of(&self, trend: &Trend, creep: &TrendCreep) -> usize {
        let run = |at: usize| trend.points.get(at).map_or(0, |point| point.run);
        run(creep.last).saturating_sub(run(creep.first))
    }

    /// Runs newer than the last of a creep.
    pub fn runs_after(&self, trend: &Trend, creep: &TrendCreep) -> usize {
        let last = trend.points.get(creep.last).map_or(0, |point| point.run);
        self.runs.len().saturating_sub(last + 1)
    }

    pub fn days(&self) -> Option<[&str; 2]> {
        let day = |run: &'_ HistoryRun| -> usize { run.created.len().min(DAY) };
        let (first, last) = (self.runs.first()?, self.runs.last()?);
        Some([first.created.get(..day(first))?, last.created.get(..day(last))?])
    }
}

/// Length of `2026-01-31` in bytes.
const DAY: usize = 10;
