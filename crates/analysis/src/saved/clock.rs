//! Two runs of one machine whose profile changed its reference clock in between: the times of one are converted to the other's.

use super::facts::{fact, same_machine};
use super::{Saved, SavedCase, ShownTime};
use crate::clock::Exponent;
use tare_stats::interval::Interval;

impl Saved {
    /// This side at the reference clock of another one of the same machine; `None` if it is the same, or one has none.
    pub(crate) fn at_clock_of(&self, other: &Saved) -> Option<Saved> {
        let (own, wanted) = (self.reference_cycle_ns()?, other.reference_cycle_ns()?);
        if own == wanted || !same_machine(self, other) {
            return None;
        }
        let mut moved = self.clone();
        moved.cases.iter_mut().for_each(|case| case.give_at(wanted));
        if let Some(clock) = other.machine.get(fact::CLOCK) {
            moved.machine.insert(fact::CLOCK.to_owned(), clock.clone());
        }
        Some(moved)
    }

    fn reference_cycle_ns(&self) -> Option<f64> {
        self.cases.iter().find_map(|case| case.reference_cycle_ns)
    }
}

impl SavedCase {
    /// Converts its times to cycles of this length, as far as they follow the clock.
    fn give_at(&mut self, cycle_ns: f64) {
        for other in [&mut self.otherwise, &mut self.all_windows].into_iter().flatten() {
            other.give_at(cycle_ns);
        }
        let Some((before, Exponent { value, variance })) = self.reference_cycle_ns.zip(self.exponent) else { return };
        let longer = (cycle_ns / before).ln();
        let factor = (value * longer).exp();
        self.launches.iter_mut().flatten().for_each(|ns| *ns *= factor);
        if let Some(ShownTime::Time(ns)) = &mut self.shown {
            *ns *= factor;
        }
        self.shown_interval =
            self.shown_interval.map(|i| Interval { lower: i.lower * factor, upper: i.upper * factor });
        self.loop_cost = self.loop_cost.map(|cost| cost.scaled(factor));
        if let Some(core) = &mut self.core {
            for ns in [&mut core.alone_ns, &mut core.shared_ns].into_iter().flatten() {
                *ns *= factor;
            }
        }
        self.reference_cycle_ns = Some(cycle_ns);
        self.clock_away -= longer;
        self.clock_variance = variance * self.clock_away.powi(2);
    }
}
