//! The loops of a [`Work::Differences`](crate::Work::Differences) round, and what they say about the body.

use tare_model::{Better, Loop, Metric, Per};

/// The loops of a round, in order, each with its multiple of the pass's invocations.
pub const ROUND: [(Loop, u64); 4] =
    [(Loop::Overhead, 1), (Loop::Overhead, 2), (Loop::Workload, 1), (Loop::Workload, 2)];

/// The counts in each loop of each round.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    loops: Vec<Vec<f64>>,
    operations: f64,
}

impl Rounds {
    /// Adds the counts of a finished loop with this many operations.
    pub(crate) fn add(&mut self, counts: Vec<f64>, operations: f64) {
        self.loops.push(counts);
        // The last two loops of a round run the body, the second twice as long.
        match self.loops.len() % ROUND.len() {
            3 => self.operations -= operations,
            0 => self.operations += operations,
            _ => {}
        }
    }

    /// The same from growing counters, read before and after the loop.
    pub(crate) fn add_grown(&mut self, before: &[u64], after: &[u64], operations: f64) {
        let before = before.iter().chain(std::iter::repeat(&0));
        self.add(
            after.iter().zip(before).map(|(after, before)| after.saturating_sub(*before) as f64).collect(),
            operations,
        );
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// Operations of the body in the differences of all rounds.
    pub(crate) fn operations(&self) -> f64 {
        self.operations.max(1.0)
    }

    /// The body's share of one of the counts in each round. Costs per loop, such as reading the clock, are in loops of either length, and
    /// costs of the loop itself in the empty one, so both cancel.
    pub(crate) fn of_body(&self, place: usize) -> Vec<f64> {
        self.by_round(place).map(share_of_body).collect()
    }

    /// The median of those shares; `None` if no round has ended. Occasional other work affects only single rounds.
    pub(crate) fn median_of_body(&self, place: usize) -> Option<f64> {
        let mut shares = self.of_body(place);
        shares.sort_by(f64::total_cmp);
        let (lower, upper) = (shares.get(shares.len().checked_sub(1)? / 2)?, shares.get(shares.len() / 2)?);
        Some(lower.midpoint(*upper))
    }

    /// The same from the smallest count of each of the four loops over all rounds from `from` on: occasional other work only adds to a
    /// loop. `None` without such a round.
    pub(crate) fn least_of_body(&self, place: usize, from: usize) -> Option<f64> {
        let least = |all: [f64; 4], round: [f64; 4]| std::array::from_fn(|at| all[at].min(round[at]));
        self.by_round(place).skip(from).reduce(least).map(share_of_body)
    }

    /// No less than its true time: half of the shortest loop that runs it twice. A difference of loops may be too small where others on the
    /// machine lengthen the shorter loop.
    pub(crate) fn at_most_of_body(&self, place: usize) -> Option<f64> {
        let halves = self.by_round(place).map(|[_, empty_twice, _, body_twice]| (body_twice - empty_twice) / 2.0);
        halves.min_by(f64::total_cmp)
    }

    /// One of the counts in the four loops of each round.
    fn by_round(&self, place: usize) -> impl Iterator<Item = [f64; 4]> + '_ {
        let counts = move |round: &[Vec<f64>]| [0, 1, 2, 3].map(|at| round[at].get(place).copied().unwrap_or(0.0));
        self.loops.chunks_exact(ROUND.len()).map(counts)
    }
}

/// The body's share of the counts in the four loops of a round.
fn share_of_body([empty, empty_twice, body, body_twice]: [f64; 4]) -> f64 {
    ((body_twice - body) - (empty_twice - empty)).max(0.0)
}

/// A metric per operation; less is better.
pub(crate) fn metric_of_operation(name: &str, unit: &str) -> Metric {
    let (name, unit) = (name.to_owned(), unit.to_owned());
    Metric { name, unit, better: Better::Lower, per: Per::Operation, exact: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_the_body_cancels_out_and_nothing_is_below_zero() {
        // 10 invocations: 7 for each with the body and 2 for the loop, plus 500 around them.
        let loops = |each: f64, n: f64| [0.0, 500.0 + each * n];
        let mut counts = vec![loops(2.0, 10.0), loops(2.0, 20.0), loops(9.0, 10.0), loops(9.0, 20.0)];
        counts.extend([[0.0, 0.0], [0.0, 3.0], [0.0, 0.0]]);
        let mut rounds = Rounds::default();
        for (counts, operations) in counts.iter().zip([0.0, 0.0, 10.0, 20.0, 0.0, 0.0, 10.0]) {
            rounds.add(counts.to_vec(), operations);
        }
        // An incomplete round says nothing, and a place without counts is 0.
        assert_eq!((rounds.of_body(1), rounds.of_body(2)), (vec![70.0], vec![0.0]));
        rounds.add_grown(&[7], &[7, 0], 25.0);
        assert_eq!((rounds.of_body(1), rounds.operations()), (vec![70.0, 0.0], 25.0));
        rounds.add_grown(&[], &[5], 0.0);
        assert!(!rounds.is_empty() && Rounds::default().is_empty());
    }

    #[test]
    fn what_is_done_beside_some_loops_is_not_of_the_body() {
        let mut rounds = Rounds::default();
        // A body of 100, run ten times per round; beside one loop of each round there is additional work of 40. In the first round
        // everything is cold.
        for round in [[900.0, 900.0, 3000.0, 9000.0], [540.0, 500.0, 1500.0, 2500.0], [500.0, 500.0, 1540.0, 2500.0]] {
            round.iter().for_each(|count| rounds.add(vec![*count], 0.0));
        }
        assert_eq!(rounds.of_body(0), [6000.0, 1040.0, 960.0]);
        assert_eq!((rounds.median_of_body(0), Rounds::default().median_of_body(0)), (Some(1040.0), None));
        assert_eq!(rounds.least_of_body(0, 1), Some(1000.0));
        assert_eq!(rounds.least_of_body(0, 3), None);
    }
}
