//! What a child measures of each iteration beside its time, and what its runtime did: one code for every metric.

use crate::report::CaseEstimates;
use crate::times::CaseTimes;
use serde::Serialize;
use std::collections::BTreeMap;
use tare_model::{Metric, Per, Run, Series, Stage};

/// What the visits of a case show of a metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricReport {
    /// The metric, as the child names it.
    #[serde(flatten)]
    pub metric: Metric,
    /// Its value for an operation, or its mean over iterations where it is per iteration.
    pub value: f64,
    /// The same of each launch that has it, in order.
    pub launches: Vec<f64>,
}

/// What a runtime did during the visits of a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventReport {
    /// What it was: `collection`, `compilation`, ...
    pub kind: String,
    /// How often.
    pub count: u64,
    /// How long all of them took, ns.
    pub ns: f64,
}

impl CaseEstimates {
    /// The value of the metric of this name, where the child measures it.
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|found| found.metric.name == name).map(|found| found.value)
    }
}

fn actual(run: &Run, launch: u32) -> impl Iterator<Item = &Series> {
    run.launches[launch as usize].series.iter().filter(|s| s.stage == Stage::Actual)
}

/// A sum with what it is to be divided by.
#[derive(Default)]
struct Share {
    sum: f64,
    by: f64,
}

impl Share {
    fn value(&self) -> Option<f64> {
        (self.by > 0.0).then(|| self.sum / self.by)
    }
}

/// The metrics of a case in the order of its child, without those that no launch has.
pub(crate) fn metrics(run: &Run, times: &CaseTimes) -> Vec<MetricReport> {
    let case = &run.plan.cases[times.case as usize];
    let child = run.artifacts.get(case.artifact as usize).and_then(|a| a.child.as_ref());
    let operations = case.benchmark.operations as f64;
    let of_one = |metric: &Metric| {
        let (mut all, mut launches) = (Share::default(), Vec::new());
        for launch in &times.launches {
            let mut share = Share::default();
            for series in actual(run, launch.launch) {
                let Some(values) = series.columns.metrics.get(&metric.name).filter(|v| !v.is_empty()) else { continue };
                share.sum += values.iter().sum::<f64>();
                share.by += values.len() as f64
                    * match metric.per {
                        Per::Operation => series.invocations as f64 * operations,
                        Per::Iteration => 1.0,
                    };
            }
            launches.extend(share.value());
            all.sum += share.sum;
            all.by += share.by;
        }
        Some(MetricReport { metric: metric.clone(), value: all.value()?, launches })
    };
    child.map(|child| child.metrics.iter().filter_map(of_one).collect()).unwrap_or_default()
}

/// What the runtime did during the visits of a case, by kind.
pub(crate) fn events(run: &Run, times: &CaseTimes) -> Vec<EventReport> {
    let mut kinds: BTreeMap<&str, EventReport> = BTreeMap::new();
    let series = times.launches.iter().flat_map(|launch| actual(run, launch.launch));
    for event in series.flat_map(|series| &series.columns.events) {
        let found = kinds.entry(&event.kind).or_insert(EventReport { kind: event.kind.clone(), count: 0, ns: 0.0 });
        found.count += 1;
        found.ns += event.ns;
    }
    kinds.into_values().collect()
}
