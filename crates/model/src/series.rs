//! Raw measurements in columns: a million must load and be analysed within a second.

use crate::RuntimeEvent;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why an iteration was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// First calls, while a runtime still compiles.
    Jitting,
    /// Determining how many invocations fill a visit.
    Pilot,
    /// Running until the time of an invocation is steady.
    Warmup,
    /// The empty loop.
    Overhead,
    /// Another loop than the visits', to learn what the loop costs beside the body.
    Rolled,
    /// The result is computed from these.
    Actual,
}

/// Which loop of the child ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Loop {
    /// The user's body in the unrolled loop.
    Workload,
    /// The empty body in the same loop.
    Overhead,
    /// The user's body in a loop that is unrolled less.
    Rolled,
    /// The user's body, one invocation a turn.
    Single,
    /// The empty body in the same loop.
    SingleOverhead,
}

impl Loop {
    /// It runs no user code.
    pub fn is_empty(self) -> bool {
        matches!(self, Loop::Overhead | Loop::SingleOverhead)
    }

    /// Its replacement if a turn is one invocation: the unrolled loop then reveals the cost of the loop.
    pub fn of_single_turns(self) -> Loop {
        match self {
            Loop::Workload | Loop::Single => Loop::Single,
            Loop::Overhead | Loop::SingleOverhead => Loop::SingleOverhead,
            Loop::Rolled => Loop::Workload,
        }
    }
}

/// The columns that a child reports for the iterations of one `measure`. Empty column: the child does not have it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Columns {
    /// Wall time of all invocations of the iteration together, ns.
    pub elapsed_ns: Vec<f64>,
    /// CPU time of the measuring thread, ns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cpu_ns: Vec<f64>,
    /// CPU time of the process, ns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub process_cpu_ns: Vec<f64>,
    /// Time of the clock probe before the iteration, ns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub probe_before_ns: Vec<f64>,
    /// Time of the clock probe after the iteration, ns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub probe_after_ns: Vec<f64>,
    /// Involuntary context switches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<f64>,
    /// Voluntary context switches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<f64>,
    /// Methods compiled by the runtime.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compilations: Vec<f64>,
    /// CPU time of the processes that the child has started, and of those that they started, ns: the host reads it around each `measure`
    /// and gives every iteration of it the same share. Empty: none of them worked, or the system does not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub descendants_cpu_ns: Vec<f64>,
    /// Operations that one invocation of the iteration did, if they vary between iterations; greater than 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<f64>,
    /// Wall time of each window, ns, in order of time, with the same number for each iteration. Their sum is `elapsed_ns` of the iteration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub window_ns: Vec<f64>,
    /// Readings of the width probe, ns: for each iteration one before its first window and one after each window.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub width_ns: Vec<f64>,
    /// What else the child measures in each iteration, by the names from its `hello`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Vec<f64>>,
    /// What the runtime did during the iterations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<RuntimeEvent>,
}

impl Columns {
    /// Whether every event belongs to an existing iteration and has valid times.
    pub fn events_fit(&self) -> bool {
        let time = |ns: f64| ns.is_finite() && ns >= 0.0;
        self.events.iter().all(|e| (e.iteration as usize) < self.len() && time(e.at_ns) && time(e.ns))
    }

    pub fn len(&self) -> usize {
        self.elapsed_ns.len()
    }

    pub fn is_empty(&self) -> bool {
        self.elapsed_ns.is_empty()
    }

    /// Garbage collections per iteration; None if the child does not count them. Those of the youngest generation include all.
    pub fn collections(&self) -> Option<&Vec<f64>> {
        self.metrics.get("collections").or_else(|| self.metrics.get("collections_0"))
    }

    /// Windows per iteration; 0 without windows.
    pub fn windows(&self) -> usize {
        self.window_ns.len().checked_div(self.len()).unwrap_or(0)
    }

    /// The numbers of windows and width readings fit the number of iterations, or there are none.
    pub fn windows_fit(&self) -> bool {
        self.window_ns.len() == self.windows() * self.len()
            && self.width_ns.len() == if self.windows() == 0 { 0 } else { (self.windows() + 1) * self.len() }
    }

    /// Optional columns with an entry per iteration, by name, for uniform checks; those with fixed names come first.
    pub fn optional(&self) -> impl Iterator<Item = (&str, &Vec<f64>)> {
        let operations = std::iter::once(("operations", &self.operations));
        self.fixed()
            .into_iter()
            .chain(operations)
            .chain(self.metrics.iter().map(|(name, values)| (name.as_str(), values)))
    }

    /// Optional columns with fixed names, which show disturbances of an iteration. The host reads the last itself.
    pub fn fixed(&self) -> [(&'static str, &Vec<f64>); 8] {
        [
            ("cpu_ns", &self.cpu_ns),
            ("process_cpu_ns", &self.process_cpu_ns),
            ("probe_before_ns", &self.probe_before_ns),
            ("probe_after_ns", &self.probe_after_ns),
            ("switches", &self.switches),
            ("waits", &self.waits),
            ("compilations", &self.compilations),
            ("descendants_cpu_ns", &self.descendants_cpu_ns),
        ]
    }

    fn own_mut(&mut self) -> [&mut Vec<f64>; 8] {
        [
            &mut self.cpu_ns,
            &mut self.process_cpu_ns,
            &mut self.probe_before_ns,
            &mut self.probe_after_ns,
            &mut self.switches,
            &mut self.waits,
            &mut self.compilations,
            &mut self.operations,
        ]
    }

    /// Appends the iterations of `other`, which has the same metrics. Columns that one of them lacks are dropped, to keep lengths equal.
    pub fn append(&mut self, other: &Columns) {
        let first = self.is_empty();
        if first || self.windows() == other.windows() {
            self.window_ns.extend_from_slice(&other.window_ns);
            self.width_ns.extend_from_slice(&other.width_ns);
        } else {
            self.window_ns.clear();
            self.width_ns.clear();
        }
        let before = self.len() as u32;
        let later =
            |event: &RuntimeEvent| RuntimeEvent { iteration: event.iteration.saturating_add(before), ..event.clone() };
        self.events.extend(other.events.iter().map(later));
        self.elapsed_ns.extend_from_slice(&other.elapsed_ns);
        let length = self.elapsed_ns.len();
        if !self.descendants_cpu_ns.is_empty() || !other.descendants_cpu_ns.is_empty() {
            self.descendants_cpu_ns.resize(before as usize, 0.0);
            self.descendants_cpu_ns.extend_from_slice(&other.descendants_cpu_ns);
            self.descendants_cpu_ns.resize(length, 0.0);
        }
        for (name, values) in &other.metrics {
            self.metrics.entry(name.clone()).or_default().extend_from_slice(values);
        }
        let theirs = other.fixed().map(|(_, column)| column).into_iter().take(7).chain([&other.operations]);
        for (mine, theirs) in self.own_mut().into_iter().zip(theirs) {
            if first || !mine.is_empty() {
                mine.extend_from_slice(theirs);
            }
            if mine.len() != length {
                mine.clear();
            }
        }
    }
}

/// Iterations of one launch that ran in the same way, in order of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// Why they were run.
    pub stage: Stage,
    /// Invocations of each iteration.
    pub invocations: u64,
    /// Visit of each iteration: its round within the wave, from 0. All iterations of one `measure` are one visit.
    pub round: Vec<u32>,
    /// What was measured.
    pub columns: Columns,
}

impl Series {
    /// Operations of a whole iteration: counted by the child, else `declared` per invocation.
    pub fn operations(&self, iteration: usize, declared: u64) -> f64 {
        let each = self.columns.operations.get(iteration).copied().unwrap_or(declared as f64);
        each * self.invocations as f64
    }

    pub fn all_operations(&self, declared: u64) -> f64 {
        (0..self.columns.len()).map(|iteration| self.operations(iteration, declared)).sum()
    }
}
