//! Garbage-collected bodies: a visit covers whole cycles, from one collection to the next, and begins anywhere within one. Otherwise it
//! holds a collection or none, and all launches that did the same before are at the same point.

use super::shape::Shape;
use tare_model::Visit;
use tare_stats::rng::Rng;

/// Collections needed to know the cycle.
const SEEN_MIN: f64 = 3.0;
/// The last half of this many collections counts: heap size settles while the process warms up.
const SEEN_MAX: f64 = 64.0;
/// Collections do not make a visit longer than this, ns: beyond, each visit holds a few calls, and the time is the mean over all of them.
const CYCLE_MAX_NS: f64 = 2.5e7;
/// Below this many invocations per cycle, a whole number of them may not fit it ...
const SHORT: f64 = 16.0;
/// ... this is the allowed distance (as a share) of some cycles from a whole number of invocations ...
const FIT: f64 = 0.03;
/// ... and this the number of cycles tried.
const CYCLES_MAX: u32 = 4;

/// Collections that the warm-up of a case showed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Collections {
    invocations: f64,
    collections: f64,
}

impl Collections {
    pub fn add(&mut self, seen: &[Visit]) {
        for visit in seen {
            self.invocations += visit.invocations;
            self.collections += visit.collections;
        }
        if self.collections > SEEN_MAX {
            self.invocations *= 0.5;
            self.collections *= 0.5;
        }
    }

    /// Invocations from one collection to the next; `None` unless known to be more than one.
    pub fn cycle(&self) -> Option<f64> {
        let cycle = self.invocations / self.collections;
        (self.collections >= SEEN_MIN && cycle > 1.0).then_some(cycle)
    }
}

/// The cycle of a case; if it has run for too short, the one of it and its contestants together.
pub fn cycle_among(own: Collections, compared: impl Iterator<Item = Collections>) -> Option<f64> {
    if own.collections >= SEEN_MIN {
        return own.cycle();
    }
    let together = compared.fold(own, |sum, other| Collections {
        invocations: sum.invocations + other.invocations,
        collections: sum.collections + other.collections,
    });
    // A body that makes less garbage than the others runs longer without a collection.
    together.cycle().filter(|cycle| own.invocations < 2.0 * SEEN_MIN * cycle)
}

/// Invocations of a visit of at least `visit_ns` that covers whole cycles; `None` if that would take too long.
pub fn invocations(cycle: f64, invocation_ns: f64, visit_ns: f64) -> Option<u64> {
    let cycle_ns = cycle * invocation_ns;
    if cycle_ns > CYCLE_MAX_NS {
        return None;
    }
    let least = (visit_ns / cycle_ns).ceil().max(1.0);
    let whole = |cycles: f64| (cycles * cycle).round().max(1.0);
    let away = |cycles: f64| (whole(cycles) / (cycles * cycle) - 1.0).abs();
    let tried: Vec<f64> = match cycle < SHORT {
        true => (0..CYCLES_MAX).map(|more| least + f64::from(more)).collect(),
        false => vec![least],
    };
    let short = |cycles: &&f64| **cycles == least || *cycles * cycle_ns <= CYCLE_MAX_NS;
    let fitting = tried.iter().filter(short).find(|&&cycles| away(cycles) <= FIT);
    let best = || tried.iter().filter(short).min_by(|a, b| away(**a).total_cmp(&away(**b)));
    fitting.or_else(best).map(|&cycles| whole(cycles) as u64)
}

pub fn covers(cycle: f64, shape: &Shape) -> bool {
    1.5 * shape.per_iteration() as f64 >= cycle
}

/// Mean time of the lead-in of such a visit, ns; 0 for other visits.
pub fn lead_ns(cycle: f64, shape: &Shape) -> f64 {
    match covers(cycle, shape) {
        true => (1.5 * cycle).max(shape.lead as f64) * shape.invocation_ns,
        false => 0.0,
    }
}

/// The lead-in of a visit that covers whole cycles: one to two cycles, of random length. With less than a cycle, the memory of young
/// objects would still be cold: on Node a visit took up to 1.3 times as long.
pub fn lead(cycle: f64, shape: &Shape, rng: &mut Rng) -> u64 {
    let cycle = cycle.ceil().max(1.0) as u64;
    shape.lead.max(cycle + rng.below(cycle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::shape::tests::visit;

    #[test]
    fn a_visit_covers_whole_cycles() {
        // A collection every 190,000 calls of 7 ns, every 14 of 0.33 ms, every 4.6 of 1.07 ms, and every 1.5 of 3.6 ms.
        for (cycle, invocation_ns, wanted) in
            [(190_000.0, 7.0, 190_000), (13.7, 3.3e5, 14), (4.6, 1.07e6, 9), (1.5, 3.6e6, 3), (8.0, 6e5, 8)]
        {
            assert_eq!(invocations(cycle, invocation_ns, 1e6), Some(wanted), "{cycle}");
        }
        // If cycles are short, a visit holds enough of them to be long enough.
        assert_eq!(invocations(100.0, 1e3, 1e6), Some(1000));
        assert_eq!(invocations(1000.0, 1e6, 1e6), None);
    }

    #[test]
    fn of_two_that_are_compared_both_have_a_cycle_or_neither() {
        let seen = |invocations, collections| Collections { invocations, collections };
        let base = seen(40.0, 8.0);
        assert_eq!(cycle_among(base, [seen(10.0, 2.0)].into_iter()), Some(5.0));
        assert_eq!(cycle_among(seen(10.0, 2.0), [base].into_iter()), Some(5.0));
        assert_eq!(cycle_among(seen(10.0, 2.0), std::iter::empty()), None, "too few by itself");
        assert_eq!(cycle_among(seen(1e6, 0.0), [base].into_iter()), None, "it makes no garbage");
        assert_eq!(cycle_among(seen(8.0, 8.0), [base].into_iter()), None, "each call has its own");
    }

    #[test]
    fn a_lead_in_ends_anywhere_in_a_cycle() {
        let shape = Shape { iterations: 1, windows: 0, invocations: 9, lead: 0, invocation_ns: 1e6 };
        let mut rng = Rng::new(1);
        let mut seen = [0; 5];
        (0..500).for_each(|_| seen[lead(4.6, &shape, &mut rng) as usize % 5] += 1);
        assert!(seen.iter().all(|&count| (60..150).contains(&count)), "{seen:?}");
    }

    #[test]
    fn the_cycle_is_that_of_a_process_that_is_warm() {
        let mut collected = Collections::default();
        let seen = |collections| Visit { invocations: 4.0, collections, ..visit(1e6) };
        collected.add(&[seen(0.0), seen(1.0)]);
        assert_eq!(collected.cycle(), None, "one shows no cycle");
        (0..60).for_each(|_| collected.add(&[seen(1.0)]));
        (0..600).for_each(|_| collected.add(&[seen(0.0), seen(1.0)]));
        let cycle = collected.cycle().expect("known");
        assert!((7.5..8.5).contains(&cycle), "{cycle}");
        (0..600).for_each(|_| collected.add(&[seen(9.0)]));
        assert_eq!(collected.cycle(), None, "each call has its own");
    }
}
