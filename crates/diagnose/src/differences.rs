//! Rounds of [`Work::Differences`](crate::Work::Differences): which loops they have, and what they say of the body.

use tare_model::Loop;

/// The loops of a round, in order: each with how many times the invocations of the pass it has.
pub const ROUND: [(Loop, u64); 4] =
    [(Loop::Overhead, 1), (Loop::Overhead, 2), (Loop::Workload, 1), (Loop::Workload, 2)];

/// One of the counts of each loop as the body's share in each round. What happens once for each loop, such as reading the clock, is in the
/// loop of either length, and what the loop itself costs is in the empty one.
pub(crate) fn of_body<Counts: AsRef<[f64]>>(loops: &[Counts], place: usize) -> Vec<f64> {
    let share = |round: &[Counts]| {
        let [empty, empty_twice, body, body_twice] = [0, 1, 2, 3].map(|at| round[at].as_ref()[place]);
        ((body_twice - body) - (empty_twice - empty)).max(0.0)
    };
    loops.chunks_exact(ROUND.len()).map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_the_body_cancels_out_and_nothing_is_below_zero() {
        // 10 invocations of 7 and 2 of the loop each, with 500 around them.
        let loops = |each: f64, n: f64| [0.0, 500.0 + each * n];
        let mut counts = vec![loops(2.0, 10.0), loops(2.0, 20.0), loops(9.0, 10.0), loops(9.0, 20.0)];
        counts.extend([[0.0, 0.0], [0.0, 3.0], [0.0, 0.0], [0.0, 0.0]]);
        assert_eq!(of_body(&counts, 1), [70.0, 0.0]);
        // A round that is not complete says nothing.
        assert_eq!(of_body(&counts[..7], 1), [70.0]);
    }
}
