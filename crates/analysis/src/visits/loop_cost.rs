//! The cost of the loop around a body.

use tare_stats::interval::{Estimate, Interval};
use tare_stats::location::mean;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopCost {
    /// Invocations per turn.
    pub turn: u64,
    /// An operation's share of a turn of the empty loop.
    pub empty_ns: f64,
    /// Cost beside this body, with its interval over launches.
    pub beside_body: Estimate,
    /// Anything smaller is not distinguished from nothing.
    pub doubt_ns: f64,
}

/// Empty loops of one kind differ by less than this factor: for a visit with a single call it is mostly the reading of the clock.
const EMPTY_FACTOR: f64 = 4.0;

impl LoopCost {
    pub fn scaled(self, factor: f64) -> LoopCost {
        let at = |ns: f64| ns * factor;
        LoopCost {
            empty_ns: at(self.empty_ns),
            beside_body: self.beside_body.map(at),
            doubt_ns: at(self.doubt_ns),
            ..self
        }
    }

    /// Whether two loops may be the same: they were measured with errors, by which equal bodies would differ.
    pub fn may_be(self, other: LoopCost) -> bool {
        let half = |cost: LoopCost| 0.5 * cost.beside_body.interval.width();
        let differ = (self.beside_body.value - other.beside_body.value).abs();
        let [less, more] = [self.empty_ns.min(other.empty_ns), self.empty_ns.max(other.empty_ns)];
        self.turn == other.turn
            && more <= EMPTY_FACTOR * less
            && differ <= half(self).hypot(half(other)) + self.doubt_ns + other.doubt_ns
    }

    /// A common loop for all of these: the mean, with an error that covers all of them.
    pub fn common(costs: &[LoopCost]) -> Option<LoopCost> {
        let mean_of = |of: fn(&LoopCost) -> f64| mean(&costs.iter().map(of).collect::<Vec<_>>());
        let value = mean_of(|cost| cost.beside_body.value)?;
        let squares: f64 = costs.iter().map(|cost| (0.5 * cost.beside_body.interval.width()).powi(2)).sum();
        let away = costs.iter().map(|cost| (cost.beside_body.value - value).abs()).fold(0.0, f64::max);
        let half = (squares.sqrt() / costs.len() as f64).max(away);
        Some(LoopCost {
            empty_ns: mean_of(|cost| cost.empty_ns)?,
            beside_body: Estimate {
                value,
                interval: Interval { lower: (value - half).max(0.0), upper: value + half },
                ..costs[0].beside_body
            },
            doubt_ns: costs.iter().map(|cost| cost.doubt_ns).fold(0.0, f64::max),
            ..costs[0]
        })
    }

    /// The cost for two sessions that may both be off: the middle, with the larger error.
    pub fn with(self, other: LoopCost) -> LoopCost {
        let middle = |a: f64, b: f64| 0.5 * (a + b);
        let (a, b) = (self.beside_body, other.beside_body);
        let half = 0.5 * a.interval.width().max(b.interval.width());
        let value = middle(a.value, b.value);
        let interval = Interval { lower: (value - half).max(0.0), upper: value + half };
        LoopCost {
            empty_ns: middle(self.empty_ns, other.empty_ns),
            beside_body: Estimate { value, interval, ..a },
            doubt_ns: self.doubt_ns.max(other.doubt_ns),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_loop_of_several_holds_them_all() {
        let cost = |value: f64| {
            let interval = Interval { lower: value - 0.01, upper: value + 0.01 };
            let beside_body = Estimate { value, interval, confidence: 0.95 };
            LoopCost { turn: 1, empty_ns: 1.2, beside_body, doubt_ns: 0.15 }
        };
        // A body that waits for its own results hides the loop; one that fills the core does not.
        assert!(!cost(0.0).may_be(cost(0.9)) && cost(0.4).may_be(cost(0.6)));
        // A body of 2 µs is not lost in the doubt about the loop of a 20 ms body, which is called once per visit.
        let of_one_call = LoopCost { empty_ns: 900.0, doubt_ns: 900.0, ..cost(0.4) };
        assert!(!cost(0.4).may_be(of_one_call) && !of_one_call.may_be(cost(0.4)));
        let common = LoopCost::common(&[cost(0.4), cost(0.6)]).expect("two").beside_body;
        assert!((common.value - 0.5).abs() < 1e-12);
        assert!(common.interval.lower <= 0.4 + 1e-12 && common.interval.upper >= 0.6 - 1e-12, "{common:?}");
    }
}
