//! Metrics that a child measures in each iteration beside its time, and its runtime's activity, all handled alike.

use super::estimates::CaseEstimates;
use crate::verdict::Verdict;
use crate::visits::CaseTimes;
use serde::Serialize;
use std::collections::BTreeMap;
use tare_model::{Metric, Per, Run, Series, Stage};
use tare_stats::interval::Interval;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricReport {
    #[serde(flatten)]
    pub metric: Metric,
    /// The diagnoser that gave it in a separate pass; `None` if it was measured with the times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnoser: Option<String>,
    /// Its value per operation or second, or its mean over iterations if it is per iteration.
    pub value: f64,
    /// The same for each launch or pass that has it, in order.
    pub launches: Vec<f64>,
    /// Share of the iterations in which it was above 0.
    pub occurs: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<MetricRatio>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricRatio {
    /// Ratio of the costs: the inverse of the values' if more is better.
    pub ratio: f64,
    pub interval: Option<Interval>,
    /// The verdict, by the rule for saved metrics.
    pub verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventReport {
    /// Its kind: `collection`, `compilation`, ...
    pub kind: String,
    pub count: u64,
    pub ns: f64,
}

impl CaseEstimates {
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|found| found.metric.name == name).map(|found| found.value)
    }

    /// The metric of this name from a diagnoser.
    pub fn found(&self, name: &str) -> Option<&MetricReport> {
        self.metrics.iter().find(|found| found.metric.name == name)
    }

    /// The same, of a diagnoser where it was not measured with the times.
    pub fn found_of_any_pass(&self, name: &str) -> Option<&MetricReport> {
        let is_its = |found: &&MetricReport| {
            let of = found.diagnoser.as_ref().and_then(|diagnoser| found.metric.name.strip_prefix(diagnoser.as_str()));
            of.and_then(|rest| rest.strip_prefix('/')) == Some(name)
        };
        self.found(name).or_else(|| self.metrics.iter().find(is_its))
    }

    pub fn metric_of_any_pass(&self, name: &str) -> Option<f64> {
        self.found_of_any_pass(name).map(|found| found.value)
    }
}

fn actual(run: &Run, launch: u32) -> impl Iterator<Item = &Series> {
    run.launches[launch as usize].series.iter().filter(|s| s.stage == Stage::Actual)
}

#[derive(Default)]
struct Share {
    sum: f64,
    by: f64,
    iterations: usize,
    with_some: usize,
    /// The whole number in almost all its iterations.
    whole: Option<f64>,
}

impl Share {
    /// For values of iterations with this total of operations and time.
    fn of(values: &[f64], per: Per, operations: f64, elapsed_ns: f64) -> Share {
        let by = match per {
            Per::Operation => operations,
            Per::Second => elapsed_ns * 1e-9,
            Per::Iteration => values.len() as f64,
        };
        let with_some = values.iter().filter(|value| **value > 0.0).count();
        Share { sum: values.iter().sum(), by, iterations: values.len(), with_some, whole: None }
    }

    fn add(&mut self, other: &Share) {
        self.sum += other.sum;
        self.by += other.by;
        self.iterations += other.iterations;
        self.with_some += other.with_some;
    }

    fn value(&self) -> Option<f64> {
        (self.by > 0.0).then(|| self.sum / self.by)
    }
}

fn report(metric: Metric, diagnoser: Option<String>, shares: impl Iterator<Item = Share>) -> Option<MetricReport> {
    let (mut all, mut launches, mut wholes) = (Share::default(), Vec::new(), Vec::new());
    for share in shares.filter(|share| share.by > 0.0) {
        launches.extend(share.value());
        wholes.extend(share.whole);
        all.add(&share);
    }
    let occurs = all.with_some as f64 / all.iterations.max(1) as f64;
    let mut value = all.value()?;
    if wholes.len() == launches.len() {
        // Exact counts agree between launches that run the same code: a mean over different codes would match none of them.
        value = of_most(&wholes).unwrap_or(value);
        launches = wholes;
    }
    Some(MetricReport { metric, diagnoser, value, launches, occurs, ratio: None })
}

/// The value of at least half of them; of two, the smaller.
pub(crate) fn of_most(values: &[f64]) -> Option<f64> {
    let count = |value: f64| values.iter().filter(|other| **other == value).count();
    let most = values.iter().copied().filter(|value| 2 * count(*value) >= values.len());
    most.min_by(f64::total_cmp)
}

/// The whole number in almost all of these: the runtime may do something of its own in a visit.
fn whole(values: impl Iterator<Item = f64>) -> Option<f64> {
    /// Smallest share of the visits that have it.
    const ALMOST_ALL: f64 = 0.75;
    /// Tolerance for the division of whole numbers.
    const ROUNDING: f64 = 1e-9;
    let all: Vec<f64> = values.collect();
    let rounded = |value: f64| Some(value.round()).filter(|whole| (value - whole).abs() <= ROUNDING * whole.max(1.0));
    let wholes: Vec<f64> = all.iter().filter_map(|value| rounded(*value)).collect();
    let found = of_most(&wholes)?;
    let count = wholes.iter().filter(|whole| **whole == found).count();
    (count as f64 >= ALMOST_ALL * all.len() as f64).then_some(found)
}

/// The metrics of a case in the order of its child, without those that no launch has; then those from passes of diagnosers.
pub(crate) fn metrics(run: &Run, times: &CaseTimes) -> Vec<MetricReport> {
    let case = &run.plan.cases[times.case as usize];
    let Some(child) = run.artifacts.get(case.artifact as usize).and_then(|a| a.child.as_ref()) else {
        return Vec::new();
    };
    let declared = case.benchmark.operations;
    let share = |metric: &Metric, values: Option<&Vec<f64>>, operations: f64, elapsed_ns: f64| {
        values.map(|values| Share::of(values, metric.per, operations, elapsed_ns)).unwrap_or_default()
    };
    let of_launch = |metric: &Metric, launch: u32| {
        let mut all = Share::default();
        for series in actual(run, launch) {
            let (values, elapsed_ns) =
                (series.columns.metrics.get(&metric.name), series.columns.elapsed_ns.iter().sum());
            all.add(&share(metric, values, series.all_operations(declared), elapsed_ns));
        }
        let is_exact = [Metric::ALLOCATED_BYTES, Metric::ALLOCATIONS].contains(&metric.name.as_str());
        if is_exact && metric.per == Per::Operation {
            all.whole = whole(actual(run, launch).flat_map(|series| {
                let values = series.columns.metrics.get(&metric.name).into_iter().flatten().enumerate();
                values.map(|(at, value)| value / series.operations(at, declared))
            }));
        }
        all
    };
    let timed = child.metrics.iter().filter_map(|metric| {
        report(metric.clone(), None, times.launches.iter().map(|launch| of_launch(metric, launch.launch)))
    });
    let diagnosed = child.diagnosers.iter().flat_map(|diagnoser| {
        let passes = || run.diagnoses.iter().filter(|d| d.case == times.case && d.diagnoser == diagnoser.name);
        diagnoser.metrics.iter().filter_map(move |metric| {
            // A pass has no time, so it gives nothing per second.
            let shares =
                passes().map(|pass| share(metric, pass.metrics.get(&metric.name), pass.all_operations(declared), 0.0));
            let named = Metric { name: format!("{}/{}", diagnoser.name, metric.name), ..metric.clone() };
            report(named, Some(diagnoser.name.clone()), shares)
        })
    });
    timed.chain(diagnosed).chain(given(run, times, declared)).collect()
}

/// The metrics of diagnosers that declare them themselves, by name.
fn given(run: &Run, times: &CaseTimes, declared: u64) -> Vec<MetricReport> {
    let mut found: Vec<MetricReport> = Vec::new();
    let passes = || run.diagnoses.iter().filter(|pass| pass.case == times.case);
    for (pass, metric) in passes().flat_map(|pass| pass.gives.iter().map(move |metric| (pass, metric))) {
        let name = format!("{}/{}", pass.diagnoser, metric.name);
        if found.iter().any(|known| known.metric.name == name) {
            continue;
        }
        let its = passes().filter(|other| other.diagnoser == pass.diagnoser && other.gives.contains(metric));
        let shares = its.filter_map(|other| {
            let values = other.metrics.get(&metric.name)?;
            Some(Share::of(values, metric.per, other.all_operations(declared), 0.0))
        });
        found.extend(report(Metric { name, ..metric.clone() }, Some(pass.diagnoser.clone()), shares));
    }
    found
}

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

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::{Outcome, Report};
    use tare_model::{Better, Metric, Per};

    /// Twelve launches of 390 ns; some take longer, and `bytes` gives their allocations.
    fn report(bytes: impl Fn(u32, usize) -> f64) -> Report {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 390.0, |_, _, _| 0.0);
        let metric = Metric {
            name: Metric::ALLOCATED_BYTES.to_owned(),
            unit: "B".to_owned(),
            better: Better::Lower,
            per: Per::Operation,
            exact: false,
        };
        builder.run.artifacts[0].child.as_mut().expect("a child").metrics = vec![metric];
        for (number, launch) in builder.run.launches.iter_mut().enumerate() {
            let series = &mut launch.series[0];
            let visits = series.columns.elapsed_ns.len();
            let values = (0..visits).map(|visit| bytes(number as u32, visit) * series.operations(visit, 1));
            let values: Vec<f64> = values.collect();
            series.columns.metrics.insert(Metric::ALLOCATED_BYTES.to_owned(), values);
        }
        crate::analyse(&builder.run())
    }

    fn shown(report: &Report) -> f64 {
        let Outcome::Measured(estimates) = &report.cases[0].outcome else { panic!("measured") };
        estimates.metric(Metric::ALLOCATED_BYTES).expect("bytes")
    }

    #[test]
    fn the_bytes_are_those_of_most_launches() {
        let of_tiers = report(|launch, _| if launch < 2 { 8264.0 } else { 8216.0 });
        assert_eq!(shown(&of_tiers), 8216.0);
    }

    #[test]
    fn what_is_not_exact_is_a_mean() {
        // A list that grows occasionally, and data drawn per process.
        let grows = report(|_, visit| if visit % 2 == 0 { 100.25 } else { 100.75 });
        assert_eq!((shown(&grows), codes(&grows.findings)), (100.5, vec![]));
        let drawn = report(|launch, _| 8000.0 + 8.0 * f64::from(launch));
        assert!((8000.0..8088.0).contains(&shown(&drawn)) && shown(&drawn).fract() != 0.0, "a mean");
        assert!(codes(&drawn.findings).is_empty());
        // A visit in which the runtime did something of its own.
        let disturbed = report(|launch, visit| if launch == 3 && visit == 5 { 9000.0 } else { 8216.0 });
        assert_eq!((shown(&disturbed), codes(&disturbed.findings)), (8216.0, vec![]));
    }
}
