//! The time of the body without the loop around it. An empty loop costs more than a loop around a body, so children have a second, less
//! unrolled loop: with T(u) = t + c / u, two unrollings give c. Without it, the empty loop is subtracted. See
//! `docs/decisions/0003-marginal-overhead.md`.

use crate::clock::probe_cycles;
use crate::core::{visits_with, CoreUse, Judge};
use crate::visits::{CaseTimes, LoopCost};
use serde::Serialize;
use tare_model::{Launch, Run, Series, Stage, Visit};
use tare_stats::interval::{t_interval, Estimate, Interval};
use tare_stats::location::median;

/// Iterations of a loop to use: at least this many ...
const LOOP_ITERATIONS_MIN: usize = 7;
/// ... and at least one in this many, from the end: the earlier ones warmed it up.
const LOOP_SHARE: usize = 4;

/// Fewest iterations of a loop alone on the core: fewer say less than all of them.
const LOOP_ALONE_MIN: usize = 2;

/// Fewest launches whose loops were alone on the core: fewer say less than all of them.
const LAUNCHES_ALONE_MIN: usize = 4;

/// Share of a call by which two loops that call their bodies may differ although they should not.
const CALL_DOUBT: f64 = 0.1;

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum NetTime {
    /// Distinguishable from nothing.
    Resolved {
        /// ns per operation with its 95 % interval over launches, which a single launch lacks.
        value_ns: f64,
        interval: Option<Interval>,
    },
    Below {
        /// Upper end of the 95 % interval, ns per operation; greater than 0.
        upper_ns: f64,
    },
}

impl Default for NetTime {
    fn default() -> NetTime {
        NetTime::Resolved { value_ns: 0.0, interval: None }
    }
}

impl NetTime {
    pub fn resolved_ns(&self) -> Option<f64> {
        match self {
            NetTime::Resolved { value_ns, .. } => Some(*value_ns),
            NetTime::Below { .. } => None,
        }
    }
}

pub fn loop_cost(run: &Run, times: &CaseTimes, reference: Option<f64>) -> Option<LoopCost> {
    times.loop_in_common.or_else(|| own_loop_cost(run, times, reference))
}

/// The cost measured beside this body alone.
fn own_loop_cost(run: &Run, times: &CaseTimes, reference: Option<f64>) -> Option<LoopCost> {
    let case = &run.plan.cases[times.case as usize];
    let facts = run.artifacts[case.artifact as usize].child.as_ref()?;
    let (unroll, other) = run.turns_of(times.case)?;
    let mut loops = Vec::new();
    for launch_times in &times.launches {
        let launch = &run.launches[launch_times.launch as usize];
        // The judge of the launch's visits also judges its loops.
        let judge = times.judge_of(launch.id).filter(|_| times.core == CoreUse::Alone);
        // Loops are measured apart from visits, so each is corrected by the clock at its own time if possible.
        let speed = |series: Vec<&Series>| stage_ns(run, launch, &series, (times, judge), reference);
        // The loop's time is per invocation; an operation has its share of it.
        let operations = launch_times.operations;
        let Some(empty) = speed(last_of(launch, Stage::Overhead)) else { continue };
        let rolled = speed(last_of(launch, Stage::Rolled)).zip(other);
        let beside = speed(beside_rolled(launch)).map_or(launch_times.value.exp(), |beside| beside.ns);
        let cost = |(rolled, rolled_unroll): (Speed, u64)| {
            (rolled.ns - beside) / (1.0 / rolled_unroll as f64 - 1.0 / unroll as f64) / unroll as f64
        };
        let alone = empty.alone && rolled.is_none_or(|(rolled, _)| rolled.alone);
        loops.push((alone, empty.ns / operations, rolled.map(cost)));
    }
    // A loop with a neighbour is no measure for a time without one. Loops are measured once, so a neighbour may affect all iterations.
    if loops.iter().filter(|(alone, ..)| *alone).count() >= LAUNCHES_ALONE_MIN {
        loops.retain(|(alone, ..)| *alone);
    }
    let empties: Vec<f64> = loops.iter().map(|(_, empty, _)| *empty).collect();
    let costs: Vec<f64> = loops.iter().filter_map(|(.., cost)| *cost).collect();
    let empty_ns = median(&empties)?;
    // The median over launches: two unrollings of a body are placed differently, and one launch may be unlucky with that.
    let bound = |cost: f64| cost.clamp(0.0, empty_ns);
    let beside_body = match median(&costs) {
        Some(cost) => spread(&costs, cost).map_ends(bound),
        None => spread(&empties, empty_ns),
    };
    // The loop's share is only known up to the placement of its instructions, so a whole share remains in doubt.
    let half = 0.5 * beside_body.interval.width();
    let doubt_ns = match other {
        Some(_) if facts.calls_body && !costs.is_empty() => half.max(CALL_DOUBT * empty_ns),
        // A turn of one is as long as a turn of eight, and equally well known.
        Some(copies) if unroll == 1 && !costs.is_empty() => half.max(empty_ns / copies as f64),
        _ => empty_ns,
    };
    Some(LoopCost { turn: unroll, empty_ns, beside_body, doubt_ns })
}

fn spread(values: &[f64], value: f64) -> Estimate {
    let half = t_interval(values, 0.95).map_or(0.0, |e| 0.5 * e.interval.width());
    Estimate { value, interval: Interval { lower: value - half, upper: value + half }, confidence: 0.95 }
}

trait MapEnds {
    fn map_ends(self, f: impl Fn(f64) -> f64) -> Self;
}

impl MapEnds for Estimate {
    fn map_ends(self, f: impl Fn(f64) -> f64) -> Estimate {
        let interval = Interval { lower: f(self.interval.lower), upper: f(self.interval.upper) };
        Estimate { value: f(self.value), interval, confidence: self.confidence }
    }
}

#[derive(Clone, Copy)]
struct Speed {
    ns: f64,
    alone: bool,
}

/// The last series of a stage: earlier ones belong to the search for the loop's warm-up, with other iterations.
fn last_of(launch: &Launch, stage: Stage) -> Vec<&Series> {
    launch.series.iter().rfind(|series| series.stage == stage).into_iter().collect()
}

/// The body in its usual loop right before and after the rolled one, if the host asked for that. Before visits other processes ran, and
/// colder caches lengthen a body by as much as a call costs.
fn beside_rolled(launch: &Launch) -> Vec<&Series> {
    let stages: Vec<Stage> = launch.series.iter().map(|series| series.stage).collect();
    before_rolled(&stages).map(|at| &launch.series[at]).into_iter().collect()
}

fn before_rolled(stages: &[Stage]) -> Option<usize> {
    let at = stages.iter().rposition(|stage| *stage == Stage::Rolled)?.checked_sub(1)?;
    (at > 0 && stages[at] == Stage::Warmup).then_some(at)
}

/// Time of an invocation of the empty loop, or of an operation in other series; at the reference clock if the case is.
fn stage_ns(
    run: &Run,
    launch: &Launch,
    series: &[&Series],
    (times, judge): (&CaseTimes, Option<Judge>),
    reference: Option<f64>,
) -> Option<Speed> {
    let stage = series.first()?.stage;
    let warm = |series: &&Series| {
        // Each iteration is a separate visit here.
        let round = (0..series.columns.len() as u32).collect();
        let iterations = visits_with(&Series { round, ..(*series).clone() }, judge);
        let warm = (iterations.len() / LOOP_SHARE).max(LOOP_ITERATIONS_MIN).min(iterations.len());
        iterations[iterations.len() - warm..].to_vec()
    };
    let iterations: Vec<Visit> = series.iter().flat_map(warm).collect();
    let own_cycle = times.launches.iter().find(|l| l.launch == launch.id).and_then(|l| median(&l.log_cycle));
    let factor = |probe_ns: Option<f64>| -> f64 {
        let (Some(exponent), Some(reference)) = (times.exponent, reference) else { return 1.0 };
        let here = probe_ns.zip(probe_cycles(run, launch.case)).map(|(p, c)| (p / c).ln()).or(own_cycle);
        here.map_or(1.0, |log_cycle| (-exponent * (log_cycle - reference.ln())).exp())
    };
    let declared = match stage {
        Stage::Overhead => 1.0,
        _ => run.plan.cases[launch.case as usize].benchmark.operations as f64,
    };
    let undisturbed = || iterations.iter().filter(|v| !v.has_gap());
    let alone = |v: &Visit| Some(v.alone_per_operation_ns(declared)? * factor(v.probe_ns));
    let values: Vec<f64> = undisturbed().filter_map(alone).collect();
    if values.len() >= LOOP_ALONE_MIN {
        return Some(Speed { ns: median(&values)?, alone: true });
    }
    let values: Vec<f64> = undisturbed().map(|v| v.wall_per_operation_ns(declared) * factor(v.probe_ns)).collect();
    Some(Speed { ns: median(&values)?, alone: false })
}

pub fn time(times: &CaseTimes, raw: Option<Estimate>, cost: Option<LoopCost>) -> Option<NetTime> {
    let values: Vec<f64> = times.launches.iter().map(|l| l.value).collect();
    Some(net_time(times.location.over_launches(&values)?.exp(), raw, cost))
}

/// The net time of a case from its time with the loop, `raw_ns`, and its interval, if any.
fn net_time(raw_ns: f64, raw: Option<Estimate>, cost: Option<LoopCost>) -> NetTime {
    let beside = cost.map_or(0.0, |c| c.beside_body.value);
    let value_ns = raw_ns - beside;
    let doubt = cost.map_or(0.0, |c| c.doubt_ns);
    let error = cost.map_or(Interval { lower: 0.0, upper: 0.0 }, |c| c.beside_body.interval.map(|end| end - beside));
    let further = |end: f64, error: f64| (end - raw_ns).hypot(error) - (end - raw_ns).abs();
    let upper = raw.map_or(value_ns, |e| e.interval.upper - beside + further(e.interval.upper, error.lower));
    let lower = raw.map_or(value_ns, |e| e.interval.lower - beside - further(e.interval.lower, error.upper));
    if value_ns <= doubt || (lower <= doubt && value_ns <= 2.0 * doubt) {
        return NetTime::Below { upper_ns: (upper.max(0.0) + doubt).max(f64::MIN_POSITIVE) };
    }
    // Times cannot be negative: only the printed end is cut.
    let interval = raw.map(|_| Interval { lower: lower.max(value_ns * 1e-3), upper });
    NetTime::Resolved { value_ns, interval }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, half: f64) -> Estimate {
        Estimate { value, interval: Interval { lower: value - half, upper: value + half }, confidence: 0.95 }
    }

    fn cost(empty_ns: f64, beside: f64) -> Option<LoopCost> {
        Some(LoopCost { turn: 8, empty_ns, beside_body: estimate(beside, 0.0), doubt_ns: empty_ns })
    }

    #[test]
    fn nothing_is_below_and_one_cycle_is_something() {
        // An empty body in a loop of 16: all its time is the loop's.
        let empty = net_time(0.0160, Some(estimate(0.0160, 0.0002)), cost(0.016, 0.016));
        assert!(matches!(empty, NetTime::Below { upper_ns } if upper_ns > 0.0 && upper_ns < 0.02), "{empty:?}");
        let cycle = net_time(0.25, Some(estimate(0.25, 0.001)), cost(0.016, 0.0));
        assert!(matches!(cycle, NetTime::Resolved { value_ns, .. } if value_ns == 0.25));
    }

    #[test]
    fn the_error_of_the_loop_is_in_the_interval() {
        let ends = |beside: Estimate| {
            let time = net_time(
                10.0,
                Some(estimate(10.0, 0.3)),
                Some(LoopCost { turn: 8, empty_ns: 1.0, beside_body: beside, doubt_ns: 1.0 }),
            );
            let NetTime::Resolved { value_ns, interval: Some(i) } = time else { panic!("{time:?}") };
            [value_ns - i.lower, i.upper - value_ns]
        };
        let close = |found: [f64; 2], ends: [f64; 2]| {
            assert!(found.iter().zip(ends).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} is not {ends:?}");
        };
        close(ends(estimate(0.5, 0.4)), [0.5, 0.5]);
        // A time that cannot be below 0 cannot have lost too much.
        close(ends(Estimate { interval: Interval { lower: 0.0, upper: 0.4 }, ..estimate(0.0, 0.0) }), [0.5, 0.3]);
        // A second loop shows a third of the launches' spread: the interval hardly changes.
        assert!(ends(estimate(0.5, 0.1)).iter().all(|half| *half < 1.06 * 0.3));
    }

    #[test]
    fn the_rolled_loop_is_set_against_the_body_beside_it() {
        use Stage::{Actual, Overhead, Rolled, Warmup};
        assert_eq!(before_rolled(&[Warmup, Overhead, Warmup, Rolled, Actual]), Some(2));
        // A launch that searched for the loop's warm-up, and one whose host did not ask for the body there.
        assert_eq!(before_rolled(&[Warmup, Overhead, Rolled, Overhead, Rolled, Actual]), None);
        assert_eq!(before_rolled(&[Warmup, Rolled]), None);
    }

    #[test]
    fn spread_alone_makes_nothing_of_something() {
        let wide = net_time(110.0, Some(estimate(110.0, 150.0)), cost(0.02, 0.02));
        let NetTime::Resolved { interval: Some(interval), .. } = wide else { panic!("{wide:?}") };
        assert!(interval.lower > 0.0);
    }
}
