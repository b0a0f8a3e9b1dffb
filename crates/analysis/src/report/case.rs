//! The time of a case, with everything known about it.

use super::core_use::CoreReport;
use super::estimates::{CaseEstimates, LaunchReport, StageReport};
use super::metrics::{events, metrics};
use crate::core::CoreUse;
use crate::estimate::{loop_cost, rates, raw, time, NetTime};
use crate::ratio::RatioReport;
use crate::visits::{CaseTimes, VisitCounts};
use std::collections::{BTreeMap, BTreeSet};
use tare_model::{Run, Stage, INTERVAL_LAUNCHES};
use tare_stats::histogram::{adaptive_histogram, log_histogram, spark_counts, Bin};
use tare_stats::interval::Estimate;
use tare_stats::location::{hodges_lehmann_centre, mean, median};
use tare_stats::outliers;
use tare_stats::spread::shamos;
use tare_stats::summary::Summary;

pub(crate) const SHAPE_BARS: usize = 8;
/// A body that follows the clock at least so closely has a time in cycles.
const FOLLOWS_CLOCK: f64 = 0.5;
/// With more visits, the histogram and the modality value use a regular sample: more visits show no more.
const HISTOGRAM_VISITS_MAX: usize = 20_000;

/// The estimates of a case; `None` without a finished launch with enough valid visits.
pub fn estimates(
    run: &Run,
    times: &CaseTimes,
    ratio: Option<RatioReport>,
    reference: Option<f64>,
) -> Option<CaseEstimates> {
    let raw_ns: Vec<f64> = times.launches.iter().map(|l| l.value.exp()).collect();
    let cost = loop_cost(run, times, reference);
    let enough = times.launches.len() >= INTERVAL_LAUNCHES;
    let raw = raw(times).filter(|_| enough);
    let time = time(times, raw, cost)?;
    let all: Vec<f64> = times.launches.iter().flat_map(|l| l.log_ns.iter().map(|y| y.exp())).collect();
    let step = all.len().div_ceil(HISTOGRAM_VISITS_MAX).max(1);
    let some: Vec<f64> = all.iter().copied().step_by(step).collect();
    let launches = launch_reports(run, times);
    let cycles =
        reference.filter(|_| times.exponent.is_some_and(|e| e >= FOLLOWS_CLOCK)).and_then(|cycle_ns| match time {
            NetTime::Resolved { value_ns, interval: Some(interval) } => {
                let to_cycles = |ns: f64| ns / cycle_ns;
                Some(Estimate { value: to_cycles(value_ns), interval: interval.map(to_cycles), confidence: 0.95 })
            }
            _ => None,
        });
    let rates = rates(&run.plan.cases[times.case as usize].benchmark, times.operations(), &time);
    Some(CaseEstimates {
        core: core_report(times, &time),
        time,
        raw,
        overhead: cost.map(|c| c.beside_body),
        cycles,
        wall_ns: mean(&times.launches.iter().map(|l| l.wall_ns.ln()).collect::<Vec<_>>())?.exp(),
        quantity: times.quantity,
        at_reference_clock: times.exponent.is_some(),
        ratio,
        visits: counts(times),
        // A case that was measured again alone has waves in two groups.
        waves: times.launches.iter().map(|l| (l.group, l.wave)).collect::<BTreeSet<_>>().len() as u32,
        peak_memory_bytes: launches.iter().filter_map(|l| l.peak_memory_bytes).max(),
        launches,
        stages: stages(run, times),
        summary: Summary::of(&all),
        histogram: histogram(&some, quantum_ns(run, times)),
        shape: spark_counts(&some, SHAPE_BARS),
        centre_ns: hodges_lehmann_centre(&raw_ns)?,
        spread_ns: shamos(&raw_ns).unwrap_or(0.0),
        rates,
        metrics: metrics(run, times),
        events: events(run, times),
        digest: run.results[times.case as usize].digest.clone(),
    })
}

/// The histogram on a log axis, with values beyond its bins in a bin at either end. Samples without logarithms use BenchmarkDotNet's, which
/// shows a tight sample as one bar.
pub(crate) fn histogram(visits_ns: &[f64], quantum_ns: f64) -> Vec<Bin> {
    let Some(found) = log_histogram(visits_ns, quantum_ns) else { return adaptive_histogram(visits_ns) };
    let extremes = visits_ns.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    let lower = found.bins.first().map_or(extremes.0, |b| b.lower);
    let upper = found.bins.last().map_or(extremes.1, |b| b.upper);
    let below = (found.below > 0).then_some(Bin { lower: extremes.0, upper: lower, count: found.below });
    let above = (found.above > 0).then_some(Bin { lower: upper, upper: extremes.1, count: found.above });
    below.into_iter().chain(found.bins).chain(above).collect()
}

/// Step of the clock per operation of a visit, ns; 0 if unknown.
fn quantum_ns(run: &Run, times: &CaseTimes) -> f64 {
    let case = &run.plan.cases[times.case as usize];
    let child = run.artifacts.get(case.artifact as usize).and_then(|a| a.child.as_ref());
    let launches = times.launches.iter().map(|l| &run.launches[l.launch as usize]);
    let invocations = launches.filter_map(|l| l.invocations).min().unwrap_or(1);
    child.map_or(0.0, |c| c.clock_resolution_ns / (invocations.max(1) as f64 * times.operations()))
}

/// Who used the core, and the consequences for the case; `None` if nothing was judged.
fn core_report(times: &CaseTimes, time: &NetTime) -> Option<CoreReport> {
    let windows = times.windows?;
    let slow_down = times.window_times.slow_down;
    let time_ns = time.resolved_ns();
    let (alone_ns, shared_ns) = match times.core {
        CoreUse::Alone => (time_ns, time_ns.zip(slow_down).map(|(ns, slower)| ns * slower)),
        CoreUse::Any | CoreUse::NotJudged => {
            // The loop has the same share of both.
            let with_loop = mean(&times.launches.iter().map(|l| l.value).collect::<Vec<f64>>());
            let net = time_ns.zip(with_loop).map(|(ns, with_loop)| ns / with_loop.exp());
            let shared_ns = net.zip(times.window_times.shared).map(|(net, shared)| net * shared.exp());
            (shared_ns.zip(slow_down).map(|(ns, slower)| ns / slower), shared_ns)
        }
    };
    Some(CoreReport {
        times: times.core,
        windows: windows.judged,
        alone_share: windows.alone_share(),
        slow_down,
        alone_ns,
        shared_ns,
    })
}

/// Labels outliers among the visits of each launch, relative to the launch's own centre.
fn counts(times: &CaseTimes) -> VisitCounts {
    let mut counts = times.counts;
    let residuals: Vec<f64> = times.launches.iter().flat_map(|l| l.log_ns.iter().map(move |y| y - l.value)).collect();
    if let Some(found) = outliers::label(&residuals, 1e-4) {
        counts.outliers_low = found.low;
        counts.outliers_high = found.high;
    }
    counts
}

fn launch_reports(run: &Run, times: &CaseTimes) -> Vec<LaunchReport> {
    times
        .launches
        .iter()
        .map(|l| {
            let launch = &run.launches[l.launch as usize];
            LaunchReport {
                launch: l.launch,
                wave: l.wave,
                raw_ns: l.value.exp(),
                valid: l.log_ns.len(),
                measured: l.measured,
                processor: launch.processor,
                alone_share: l.windows.map(|w| w.alone_share()),
                start_up_ns: launch.start_up_ns,
                invocations: launch.invocations.unwrap_or(1),
                peak_memory_bytes: launch.peak_memory_bytes,
                cycle_ns: median(&l.log_cycle).map(f64::exp),
            }
        })
        .collect()
}

fn stages(run: &Run, times: &CaseTimes) -> Vec<StageReport> {
    let mut found: BTreeMap<Stage, StageReport> = BTreeMap::new();
    for series in times.launches.iter().flat_map(|l| &run.launches[l.launch as usize].series) {
        let report = found.entry(series.stage).or_insert(StageReport {
            stage: series.stage,
            iterations: 0,
            invocations: 0,
            elapsed_ns: 0.0,
        });
        report.iterations += series.columns.len();
        report.invocations =
            report.invocations.saturating_add(series.invocations.saturating_mul(series.columns.len() as u64));
        report.elapsed_ns += series.columns.elapsed_ns.iter().sum::<f64>();
    }
    found.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tight_sample_has_a_shape_and_every_visit_is_in_it() {
        // 0.4 % around 100 ns with two stragglers: one bar in BenchmarkDotNet's bins, which are at least 2 ns wide.
        let mut rng = tare_stats::rng::Rng::new(7);
        let mut visits: Vec<f64> = (0..288).map(|_| 100.0 * (0.004 * rng.normal()).exp()).collect();
        visits.extend([140.0, 155.0]);
        let bins = histogram(&visits, 0.0);
        assert!((9..=42).contains(&bins.len()), "{bins:?}");
        assert!(bins.iter().filter(|b| b.count > 10).count() >= 5, "{bins:?}");
        assert_eq!(bins.iter().map(|b| b.count).sum::<usize>(), visits.len());
        assert_eq!(bins.last().map(|b| b.upper), Some(155.0));
        assert!(bins.windows(2).all(|pair| (pair[0].upper - pair[1].lower).abs() < 1e-9 * pair[1].lower));
        // Values that the clock cannot distinguish share a bin.
        assert!(histogram(&visits, 1.0).iter().filter(|b| b.count > 10).count() <= 3);
    }
}
