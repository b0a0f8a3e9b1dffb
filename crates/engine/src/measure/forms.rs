//! The form of the visits of each case, and what compared cases share.

use super::collections;
use super::engine::Engine;
use super::pilot::Length;
use super::shape::{self, Shape};
use super::wave::Wave;
use tare_analysis::inputs;
use tare_model::{CaseGroup, Policy};

/// Builds that differ by more than this factor in time have separate forms of visits.
const INVOCATIONS_DIFFER: f64 = 4.0;
/// Contestants within this factor of their baseline have visits of the same form.
const CONTESTANTS_ALIKE: f64 = 1.25;
/// Contestants that collect have separate forms from this factor on, in time or in their cycle.
const CONTESTANTS_DIFFER: f64 = 2.0;
/// On a busy machine, first calls of late-compiled code may take this many times as long as those of the same code elsewhere.
const FIRST_CALLS_DIFFER: f64 = 10.0;
/// A visit of a body that hands over to other threads, ns: long compared with the time in which they fall asleep and wake.
const HAND_OVER_NS: f64 = 1e7;

impl Engine {
    /// The form of the visits of a case. Multithreaded and self-timed bodies are not cut into windows.
    pub(super) fn shape_of(&self, case: u32, invocation_ns: f64) -> Shape {
        let policy = self.policy_of(case);
        let tells = |case: u32| self.facts_of(case).tells_of_helpers();
        let hands_over = |case: u32| self.visit_is_free(case) && self.of_case(case).warmed.hands_over(tells(case));
        let hands_over = hands_over(case) || self.compared_with(case).any(hands_over);
        let visit_ns = if hands_over { policy.visit_ns.max(HAND_OVER_NS) } else { policy.visit_ns };
        // The time in shorter iterations does not count.
        let own = self.of_case(case).lengths;
        let invocation_ns = own.map_or(invocation_ns, |length| length.invocation_ns);
        let compared = self.compared_with(case).filter_map(|other| self.of_case(other).lengths);
        let visit_ns = own.into_iter().chain(compared).map(Length::ns).fold(visit_ns, f64::max);
        let whole = self.cycle_of(case).and_then(|cycle| collections::invocations(cycle, invocation_ns, visit_ns));
        let visit_ns = whole.map_or(visit_ns, |invocations| invocations as f64 * invocation_ns);
        let policy = &Policy { visit_ns, ..*policy };
        let shape = shape::shape(invocation_ns, self.facts_of(case), self.batch_max(case), policy);
        let benchmark = self.benchmark(case);
        match benchmark.own_time || benchmark.threads > 1 || benchmark.restarts {
            true => shape.without_windows(),
            false => shape,
        }
    }

    /// Gives bodies that collect, or whose function restarts, their form of visits once all of them are warm.
    pub(super) fn form_visits(&mut self, wave: &Wave) {
        let is_new = |&case: &u32| {
            let is_formed_late = self.facts_of(case).collects || self.benchmark(case).restarts;
            is_formed_late && !self.of_case(case).is_formed && !self.strategy_of(case).keeps_all()
        };
        let new: Vec<u32> = wave.living_cases().into_iter().filter(is_new).collect();
        for &case in &new {
            if let Some(known) = self.of_case(case).shape {
                let shape = self.shape_of(case, known.invocation_ns);
                let calibration = &mut self.calibrations[case as usize];
                (calibration.shape, calibration.is_formed) = (Some(shape), true);
            }
        }
        new.into_iter().for_each(|case| self.take_shape_of_baseline(wave, case));
    }

    /// Gives a case the form of its baseline's visits if they must be the same.
    pub(super) fn take_shape_of_baseline(&mut self, wave: &Wave, case: u32) {
        let own_ns = self.of_case(case).shape.map(|own| own.invocation_ns);
        if let Some(shape) = self.shape_of_baseline(wave, case, own_ns) {
            self.calibrations[case as usize].shape = Some(shape);
        }
    }

    /// Invocations from one collection of a case's garbage to the next; `None` if unknown or fixed.
    pub(super) fn cycle_of(&self, case: u32) -> Option<f64> {
        let collects = |case: &u32| self.visit_is_free(*case) && self.facts_of(*case).collects;
        let collected = |case: u32| self.of_case(case).collections;
        let compared = self.compared_with(case).filter(collects).map(collected);
        collects(&case).then(|| collections::cycle_among(collected(case), compared)).flatten()
    }

    fn compared_with(&self, case: u32) -> impl Iterator<Item = u32> + '_ {
        let is_compared = move |group: &&CaseGroup| group.baseline.is_some() && group.cases.contains(&case);
        let groups = self.plan().groups.iter().filter(is_compared);
        groups.flat_map(|group| &group.cases).copied().filter(move |&other| other != case)
    }

    /// Whether neither the user nor prepared inputs fix the invocations of a visit.
    fn visit_is_free(&self, case: u32) -> bool {
        let policy = self.policy_of(case);
        policy.invocations.is_none()
            && policy.visit_ns == Policy::default().visit_ns
            && self.batch_max(case) == u64::MAX
    }

    pub(super) fn batch_max(&self, case: u32) -> u64 {
        let room_bytes = inputs::room_bytes(self.run().newest_environment());
        shape::batch_max(self.benchmark(case), self.policy_of(case), room_bytes)
    }

    /// The form of the baseline's visits if a case must have the same: builds and contestants, unless their invocations take many times as
    /// long or as short. A longer visit is preempted more often, which no number of launches shows.
    pub(super) fn shape_of_baseline(&self, wave: &Wave, case: u32, own_ns: Option<f64>) -> Option<Shape> {
        let group = self.group(wave);
        let base = group.baseline.filter(|&base| case != base)?;
        let differ = match group.same_invocations {
            true => INVOCATIONS_DIFFER,
            false if self.collect_alike(base, case) => CONTESTANTS_DIFFER,
            false if !self.facts_of(base).collects && !self.facts_of(case).collects => CONTESTANTS_ALIKE,
            false => return None,
        };
        if self.strategy_of(base).keeps_all() {
            return None;
        }
        let shape = self.of_case(base).shape.filter(|base| are_alike(base.invocation_ns, own_ns, differ))?;
        let shape = if self.facts_of(case).can("windows") { shape } else { shape.without_windows() };
        Some(shape.with_at_most(self.batch_max(case)))
    }

    /// Whether both collect after a similar number of invocations, as far as known, and any number of them may be in a visit.
    fn collect_alike(&self, base: u32, case: u32) -> bool {
        let collects = |case: u32| self.facts_of(case).collects && self.visit_is_free(case);
        let cycles_are_alike = match [base, case].map(|case| self.cycle_of(case)) {
            [Some(base), Some(own)] => are_alike(base, Some(own), CONTESTANTS_DIFFER),
            [None, None] => true,
            _ => false,
        };
        collects(base) && collects(case) && cycles_are_alike
    }

    /// If some contestants that compile late seem long, all warm up as the shortest one does.
    pub(super) fn warm_alike(&mut self, wave: &Wave) {
        if self.group(wave).baseline.is_none() {
            return;
        }
        let cases = wave.living_cases().into_iter().filter(|&case| self.facts_of(case).compiles_late);
        let shapes = cases.filter_map(|case| Some((case, self.of_case(case).shape?)));
        let shapes: Vec<(u32, Shape)> = shapes.collect();
        let is_long = |shape: &Shape| shape::is_long(shape.visit_ns());
        let shortest = shapes.iter().min_by(|a, b| a.1.invocation_ns.total_cmp(&b.1.invocation_ns));
        let Some(&(of, shortest)) = shortest.filter(|(_, shape)| !is_long(shape)) else { return };
        let (iterations, invocations) = self.of_case(of).warm_up;
        let near = |shape: &Shape| shape.invocation_ns <= FIRST_CALLS_DIFFER * shortest.invocation_ns;
        for (case, _) in shapes.iter().filter(|(_, shape)| is_long(shape) && near(shape)) {
            let calibration = &mut self.calibrations[*case as usize];
            calibration.shape = Some(shortest);
            calibration.set_warm_up(iterations, invocations, false);
        }
    }

    /// The form of the visits of a case with invocations of this time: its baseline's or its own.
    pub(super) fn shape_at(&self, wave: &Wave, case: u32, invocation_ns: f64) -> Shape {
        let own = || self.shape_of(case, invocation_ns);
        self.shape_of_baseline(wave, case, Some(invocation_ns)).unwrap_or_else(own)
    }
}

/// Whether two bodies are close enough in speed for the same number of invocations per visit: otherwise visits of the slower one would take
/// many times as long, and most would be preempted.
pub(super) fn are_alike(base_ns: f64, own_ns: Option<f64>, differ: f64) -> bool {
    own_ns.is_none_or(|ns| (base_ns / differ..=base_ns * differ).contains(&ns))
}
