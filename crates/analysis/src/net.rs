//! The time of the body without the loop around it.
//!
//! Subtracting an empty loop takes too much: the loop's own two instructions run beside a body that leaves the core
//! something free. Children with a second loop, unrolled less, show what the loop costs beside *this* body: with
//! T(u) = t + c / u, two unrollings give c, which cannot be below 0 nor above the turn of an empty loop. A child without it gets the
//! plain subtraction. See `docs/decisions/0003-marginal-overhead.md`.

use crate::clock;
use crate::report::NetTime;
use crate::times::CaseTimes;
use tare_model::{visits, Launch, Run, Stage};
use tare_stats::interval::{t_interval, Estimate, Interval};
use tare_stats::location::median;

/// Launches from which an interval is told (method 7.1).
const LAUNCHES_MIN: usize = 4;

/// What the loop costs, ns an operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopCost {
    /// Cost of an empty loop; with its interval over launches.
    pub empty: Estimate,
    /// Cost beside this body.
    pub beside_body: f64,
}

/// Cost of the loop of a case; None when the empty loop was not measured.
pub fn loop_cost(run: &Run, times: &CaseTimes, reference: Option<f64>) -> Option<LoopCost> {
    let case = &run.plan.cases[times.case as usize];
    let facts = run.artifacts[case.artifact as usize].child.as_ref()?;
    let operations = case.benchmark.operations as f64;
    let unroll = facts.unroll as f64;
    let mut empties = Vec::new();
    let mut costs = Vec::new();
    for launch_times in &times.launches {
        let launch = &run.launches[launch_times.launch as usize];
        // Loops are measured apart from visits: each is set against the clock of its own moment where it can be.
        let speed = |stage| stage_ns(run, launch, stage, times, reference);
        let Some(empty) = speed(Stage::Overhead) else { continue };
        empties.push(empty / operations);
        if let (Some(rolled), Some(rolled_unroll)) = (speed(Stage::Rolled), facts.rolled_unroll) {
            let workload = launch_times.value.exp() * operations;
            let turn = (rolled - workload) / (1.0 / rolled_unroll as f64 - 1.0 / unroll);
            costs.push(turn / unroll / operations);
        }
    }
    let empty = interval_or_point(&empties)?;
    let beside_body = match median(&costs) {
        Some(cost) => cost.clamp(0.0, empty.value),
        None => empty.value,
    };
    Some(LoopCost { empty, beside_body })
}

/// Time of an invocation in a stage of a launch, ns, at the reference clock where the case is given at it.
fn stage_ns(run: &Run, launch: &Launch, stage: Stage, times: &CaseTimes, reference: Option<f64>) -> Option<f64> {
    let series = launch.series.iter().find(|s| s.stage == stage)?;
    // Every iteration is a visit of its own here.
    let round = (0..series.columns.len() as u32).collect();
    let iterations = visits(&tare_model::Series { round, ..series.clone() });
    let own_cycle = times.launches.iter().find(|l| l.launch == launch.id).and_then(|l| median(&l.log_cycle));
    let factor = |probe_ns: Option<f64>| -> f64 {
        let (Some(exponent), Some(reference)) = (times.exponent, reference) else { return 1.0 };
        let here = probe_ns.zip(clock::probe_cycles(run, launch.case)).map(|(p, c)| (p / c).ln()).or(own_cycle);
        here.map_or(1.0, |log_cycle| (-exponent * (log_cycle - reference.ln())).exp())
    };
    let values: Vec<f64> =
        iterations.iter().filter(|v| !v.has_gap()).map(|v| v.wall_per_invocation_ns() * factor(v.probe_ns)).collect();
    median(&values)
}

/// The net time of a case from the times of its launches, ns an operation with the loop.
pub fn net_time(raw_ns: &[f64], cost: Option<LoopCost>) -> Option<NetTime> {
    let beside = cost.map_or(0.0, |c| c.beside_body);
    let nets: Vec<f64> = raw_ns.iter().map(|raw| raw - beside).collect();
    let net = interval_or_point(&nets)?;
    // The loop's share is known to no better than the placement of its instructions: a whole share of it is left as
    // doubt in telling something from nothing. Intervals of anything resolved are not widened by it.
    let doubt = cost.map_or(0.0, |c| c.empty.value);
    let half_width = 0.5 * net.interval.width();
    if net.value - half_width - doubt <= 0.0 {
        let upper_ns = (net.value.max(0.0) + half_width + doubt).max(f64::MIN_POSITIVE);
        return Some(NetTime::Below { upper_ns });
    }
    let interval = (nets.len() >= LAUNCHES_MIN).then(|| positive(net.interval, net.value));
    Some(NetTime::Resolved { value_ns: net.value, interval })
}

/// A time cannot be negative: only the printed end is cut.
fn positive(interval: Interval, value: f64) -> Interval {
    Interval { lower: interval.lower.max(value * 1e-3), upper: interval.upper }
}

fn interval_or_point(values: &[f64]) -> Option<Estimate> {
    t_interval(values, 0.95).or_else(|| {
        let value = *values.first()?;
        Some(Estimate { value, interval: Interval { lower: value, upper: value }, confidence: 0.95 })
    })
}
