//! The loop around the bodies of a ratio, as it is taken off both (decision 0003).

use crate::estimate::{loop_cost, raw, time, NORMAL_95};
use crate::visits::{CaseTimes, LoopCost};
use tare_model::Run;
use tare_stats::overhead::{Overhead, Share};
use tare_stats::sequential::Look;
use tare_stats::special::{t_isf, t_sf};

/// What the loop is of both sides; `None` where neither has one, or where a time without it cannot be told from nothing.
pub(super) fn of_sides(run: &Run, sides: [&CaseTimes; 2], reference: Option<f64>) -> Option<Overhead> {
    let costs = sides.map(|times| loop_cost(run, times, reference));
    let is_something =
        |times: &CaseTimes, cost| time(times, raw(times), cost).is_some_and(|time| time.resolved_ns().is_some());
    if !sides.iter().zip(costs).all(|(times, cost)| is_something(times, cost)) {
        return None;
    }
    overhead(costs, same_operations(sides), super::pair::centre_ns(sides[0])?)
}

/// An invocation is as many operations on both sides; those that are counted differ a little from launch to launch, whatever the code.
pub(super) fn same_operations(sides: [&CaseTimes; 2]) -> bool {
    let [base, new] = sides.map(|times| (!times.counts_operations()).then(|| times.operations()));
    base == new
}

/// The loop of both sides as shares of the time of the base with it, ns. Two that may be the same are taken to be: else equal bodies would
/// differ by the error. `alike`: an invocation is as many operations on both sides.
pub(crate) fn overhead(costs: [Option<LoopCost>; 2], alike: bool, base_ns: f64) -> Option<Overhead> {
    let has_loop = |cost: &&LoopCost| cost.beside_body.interval.upper > 0.0;
    costs.iter().flatten().find(has_loop)?;
    let share = |cost: Option<LoopCost>| {
        let bounds = cost.map_or([0.0; 3], |LoopCost { beside_body: e, .. }| {
            let half = 0.5 * e.interval.width();
            [e.value, (e.value - half).max(0.0), e.value + half]
        });
        let [value, lower, upper] = bounds.map(|ns| ns / base_ns);
        Share { value, lower, upper }
    };
    match common_loop(costs, alike) {
        None => Overhead::of_each(share(costs[0]), share(costs[1])),
        common => Overhead::common(share(common)),
    }
}

/// The one loop that both may have; None where they have two.
pub(crate) fn common_loop(costs: [Option<LoopCost>; 2], alike: bool) -> Option<LoopCost> {
    let (base, new) = costs[0].zip(costs[1])?;
    match base == new {
        true => Some(base),
        false if alike && base.may_be(new) => LoopCost::common(&[base, new]),
        false => None,
    }
}

pub(super) fn without(look: Look, overhead: &Overhead) -> Look {
    let interval = |with| overhead.interval(look.estimate, with);
    let (rci_90, rci_95, rci_99) = (interval(look.rci_90), interval(look.rci_95), interval(look.rci_99));
    let estimate = overhead.net(look.estimate);
    let of_launches = look.standard_error * overhead.slope(look.estimate);
    let net = Look { estimate, rci_90, rci_95, rci_99, standard_error: of_launches, ..look };
    if overhead.is_common() {
        return net;
    }
    // No change without the loop is a change with it, so that the test is another one: by the interval that is valid at any look.
    let of_loop = overhead.error(look.estimate) / NORMAL_95;
    let reach = 0.5 * look.rci_95.width() / t_isf(0.025, look.df);
    let t = estimate / (overhead.slope(look.estimate) * reach).hypot(of_loop).max(f64::MIN_POSITIVE);
    let p = (2.0 * t_sf(t.abs(), look.df)).min(1.0);
    Look { standard_error: of_launches.hypot(of_loop), t, p, repeated_p: p, ..net }
}

/// The same of data that does not grow: the log of the ratio, its standard error and its bound.
pub(crate) fn without_of((estimate, error, bound): (f64, f64, f64), overhead: &Overhead) -> (f64, f64, f64) {
    let slope = overhead.slope(estimate);
    (overhead.net(estimate), (slope * error).hypot(overhead.error(estimate) / NORMAL_95), slope * bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_stats::interval::{Estimate, Interval};

    fn cost(value: f64, half: f64, doubt_ns: f64) -> Option<LoopCost> {
        let interval = Interval { lower: value - half, upper: value + half };
        Some(LoopCost {
            turn: 8,
            empty_ns: value,
            beside_body: Estimate { value, interval, confidence: 0.95 },
            doubt_ns,
        })
    }

    #[test]
    fn loops_that_may_be_the_same_are_the_same() {
        let of = |costs| overhead(costs, true, 100.0).map(|overhead| (overhead.is_common(), overhead.net(0.0)));
        assert_eq!(of([cost(20.0, 2.0, 1.0), cost(24.0, 2.0, 1.0)]), Some((true, 0.0)));
        let each = of([cost(20.0, 2.0, 1.0), cost(40.0, 2.0, 1.0)]).expect("loops");
        assert!(!each.0 && (each.1 - (60.0_f64 / 80.0).ln()).abs() < 1e-12, "{each:?}");
        // A side that is called once has no loop.
        let one = of([cost(20.0, 2.0, 1.0), None]).expect("a loop");
        assert!(!one.0 && (one.1 - (100.0_f64 / 80.0).ln()).abs() < 1e-12, "{one:?}");
        assert_eq!(of([None, None]), None);
        assert_eq!(of([cost(97.0, 0.0, 1.0), cost(97.0, 0.0, 1.0)]), None);
    }
}
