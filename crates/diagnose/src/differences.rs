//! Rounds of [`Work::Differences`](crate::Work::Differences): which loops they have, and what they say of the body.

use tare_model::{Better, Loop, Metric, Per};

/// The loops of a round, in order: each with how many times the invocations of the pass it has.
pub const ROUND: [(Loop, u64); 4] =
    [(Loop::Overhead, 1), (Loop::Overhead, 2), (Loop::Workload, 1), (Loop::Workload, 2)];

/// What was counted in each loop of each round.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    loops: Vec<Vec<f64>>,
    operations: f64,
}

impl Rounds {
    /// A loop that did so many operations has ended.
    pub(crate) fn add(&mut self, counts: Vec<f64>, operations: f64) {
        self.loops.push(counts);
        // The last two loops of a round run the body, one of them twice as long.
        match self.loops.len() % ROUND.len() {
            3 => self.operations -= operations,
            0 => self.operations += operations,
            _ => {}
        }
    }

    /// The same by counts that only grow, as they were before it and after it.
    pub(crate) fn add_grown(&mut self, before: &[u64], after: &[u64], operations: f64) {
        let before = before.iter().chain(std::iter::repeat(&0));
        self.add(
            after.iter().zip(before).map(|(after, before)| after.saturating_sub(*before) as f64).collect(),
            operations,
        );
    }

    /// No loop has ended.
    pub(crate) fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// Operations of the body that the differences of all rounds are of.
    pub(crate) fn operations(&self) -> f64 {
        self.operations.max(1.0)
    }

    /// One of the counts as the body's share in each round. What happens once for each loop, such as reading the clock, is in the loop of
    /// either length, and what the loop itself costs is in the empty one.
    pub(crate) fn of_body(&self, place: usize) -> Vec<f64> {
        self.by_round(place).map(share_of_body).collect()
    }

    /// The median of those shares; None: no round has ended. What something else does now and then is in one of the rounds.
    pub(crate) fn median_of_body(&self, place: usize) -> Option<f64> {
        let mut shares = self.of_body(place);
        shares.sort_by(f64::total_cmp);
        let (lower, upper) = (shares.get(shares.len().checked_sub(1)? / 2)?, shares.get(shares.len() / 2)?);
        Some(lower.midpoint(*upper))
    }

    /// The same from the least that each of the four loops has counted in all rounds from one on: something else that is done now and then only
    /// adds to a loop. None: there is no such round.
    pub(crate) fn least_of_body(&self, place: usize, from: usize) -> Option<f64> {
        let least = |all: [f64; 4], round: [f64; 4]| std::array::from_fn(|at| all[at].min(round[at]));
        self.by_round(place).skip(from).reduce(least).map(share_of_body)
    }

    /// One of the counts in the four loops of each round.
    fn by_round(&self, place: usize) -> impl Iterator<Item = [f64; 4]> + '_ {
        let counts = move |round: &[Vec<f64>]| [0, 1, 2, 3].map(|at| round[at].get(place).copied().unwrap_or(0.0));
        self.loops.chunks_exact(ROUND.len()).map(counts)
    }
}

/// What the body counted, of the four loops of a round.
fn share_of_body([empty, empty_twice, body, body_twice]: [f64; 4]) -> f64 {
    ((body_twice - body) - (empty_twice - empty)).max(0.0)
}

/// A metric of what an operation does; the less the better.
pub(crate) fn metric_of_operation(name: &str, unit: &str) -> Metric {
    let (name, unit) = (name.to_owned(), unit.to_owned());
    Metric { name, unit, better: Better::Lower, per: Per::Operation, exact: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_the_body_cancels_out_and_nothing_is_below_zero() {
        // 10 invocations of 7 and 2 of the loop each, with 500 around them.
        let loops = |each: f64, n: f64| [0.0, 500.0 + each * n];
        let mut counts = vec![loops(2.0, 10.0), loops(2.0, 20.0), loops(9.0, 10.0), loops(9.0, 20.0)];
        counts.extend([[0.0, 0.0], [0.0, 3.0], [0.0, 0.0]]);
        let mut rounds = Rounds::default();
        for (counts, operations) in counts.iter().zip([0.0, 0.0, 10.0, 20.0, 0.0, 0.0, 10.0]) {
            rounds.add(counts.to_vec(), operations);
        }
        // A round that is not complete says nothing, and what nothing was counted of is 0.
        assert_eq!((rounds.of_body(1), rounds.of_body(2)), (vec![70.0], vec![0.0]));
        rounds.add_grown(&[7], &[7, 0], 25.0);
        assert_eq!((rounds.of_body(1), rounds.operations()), (vec![70.0, 0.0], 25.0));
        rounds.add_grown(&[], &[5], 0.0);
        assert!(!rounds.is_empty() && Rounds::default().is_empty());
    }

    #[test]
    fn what_is_done_beside_some_loops_is_not_of_the_body() {
        let mut rounds = Rounds::default();
        // A body of 100, of which a round does 10: beside one loop of each round 40 more are done. In the first round all is new.
        for round in [[900.0, 900.0, 3000.0, 9000.0], [540.0, 500.0, 1500.0, 2500.0], [500.0, 500.0, 1540.0, 2500.0]] {
            round.iter().for_each(|count| rounds.add(vec![*count], 0.0));
        }
        assert_eq!(rounds.of_body(0), [6000.0, 1040.0, 960.0]);
        assert_eq!((rounds.median_of_body(0), Rounds::default().median_of_body(0)), (Some(1040.0), None));
        assert_eq!(rounds.least_of_body(0, 1), Some(1000.0));
        assert_eq!(rounds.least_of_body(0, 3), None);
    }
}
