//! Benchmarks of another strategy than throughput: their invocations count as they come, so nothing is looked for beforehand.

use crate::calibrate::{self, Shape};
use crate::collecting;
use crate::measurement::Measurement;
use crate::wave::Wave;
use tare_model::{Benchmark, Policy, Strategy};
use tare_stats::location::median;

/// The form of the visits of a benchmark whose invocations count as they come; None where it is to be found. How long an invocation takes
/// is not known before the first.
fn declared_shape(benchmark: &Benchmark, policy: &Policy) -> Option<Shape> {
    let invocations = match benchmark.strategy {
        Strategy::Throughput => return None,
        Strategy::Monitoring => policy.invocations.unwrap_or(1).min(calibrate::batch_max(benchmark, policy, u64::MAX)),
        Strategy::ColdStart => 1,
    };
    Some(Shape { iterations: 1, windows: 0, invocations, lead: 0, invocation_ns: 0.0 })
}

/// Whether a case with `own` visits in `all` rounds has one in this round.
fn has_visit(round: u32, own: u32, all: u32) -> bool {
    u64::from(round) * u64::from(own) % u64::from(all.max(1)) < u64::from(own)
}

impl Measurement {
    /// How a case is measured.
    pub(crate) fn strategy_of(&self, case: u32) -> Strategy {
        self.plan.cases[case as usize].benchmark.strategy
    }

    /// The cases of the wave that have living children.
    fn cases_of_wave(&self, wave: &Wave) -> Vec<(usize, u32)> {
        let cases = &self.plan.groups[wave.group].cases;
        wave.positions().into_iter().map(|position| (position, cases[position])).collect()
    }

    /// Gives those cases of the wave their form that need no pilot.
    pub(crate) fn shape_as_declared(&mut self, wave: &Wave) {
        for (_, case) in self.cases_of_wave(wave) {
            let declared = declared_shape(&self.plan.cases[case as usize].benchmark, self.policy_of(case));
            let state = &mut self.cases[case as usize];
            state.shape = state.shape.or(declared);
        }
    }

    /// The first round is made: from now on it is known how long those visits take that no pilot looked at. Asks for the results that
    /// are not known; before the first visit that would have been a warm-up. True when something was asked.
    pub(crate) fn first_round_made(&mut self, wave: &mut Wave) -> bool {
        let mut asked = false;
        for (position, case) in self.cases_of_wave(wave) {
            if !self.strategy_of(case).keeps_all() {
                continue;
            }
            let members = wave.members.iter().filter(|m| m.position == position);
            let times: Vec<f64> = members.flat_map(|m| m.visits()).map(|v| v.wall_per_invocation_ns()).collect();
            let state = &mut self.cases[case as usize];
            if let (Some(shape), Some(invocation_ns)) = (&mut state.shape, median(&times)) {
                shape.invocation_ns = invocation_ns;
            }
            if let (None, Some(launch)) = (state.first_call_ns, wave.first(position)) {
                state.first_call_ns = Some(0.0);
                wave.ask_check(launch);
                asked = true;
            }
        }
        asked
    }

    /// Rounds that the cases of the wave are to have: one where each has a single measurement in a process.
    pub(crate) fn rounds_wanted(&self, wave: &Wave) -> u32 {
        let repeated = self.cases_of_wave(wave).into_iter().map(|(_, case)| case);
        let cases = repeated.filter(|&case| self.strategy_of(case) != Strategy::ColdStart);
        // A set-up before each visit takes its time from the visits.
        let visits = cases.filter_map(|case| Some(self.visit_ns(case)? + self.cases[case as usize].moving_ns));
        let deciding = match self.has_own_rounds(wave.group) {
            // Each case has as many visits as fit: the shortest has one in every round.
            true => visits.reduce(f64::min),
            false => visits.reduce(f64::max),
        };
        deciding.map_or(1, |visit_ns| calibrate::rounds(visit_ns, &self.plan.policy))
    }

    /// Time of a visit of a case, with the lead-in where that is as long, ns; None where its form is not known.
    pub(crate) fn visit_ns(&self, case: u32) -> Option<f64> {
        let shape = self.cases[case as usize].shape?;
        Some(shape.visit_ns() + self.cycle_of(case).map_or(0.0, |cycle| collecting::lead_ns(cycle, &shape)))
    }

    /// The cases of a group have as many rounds as each needs: nothing is compared, or the time of a launch is fixed.
    fn has_own_rounds(&self, group: usize) -> bool {
        self.plan.policy.launch_ns.is_some() || self.plan.groups[group].baseline.is_none()
    }

    /// Of so many rounds of a group those in which a case has a visit.
    pub(crate) fn rounds_of(&self, group: usize, case: u32, rounds: u32) -> u32 {
        match self.visit_ns(case).filter(|_| self.has_own_rounds(group)) {
            Some(visit_ns) => calibrate::rounds(visit_ns, &self.plan.policy).min(rounds),
            None => rounds,
        }
    }

    /// The forms of the visits of a round, by position in the group; None where a case has no visit in it.
    pub(crate) fn shapes_of_round(&self, group: usize, round: u32) -> Vec<Option<Shape>> {
        let cases = &self.plan.groups[group].cases;
        let all = cases.iter().map(|&case| self.rounds_of(group, case, u32::MAX)).max().unwrap_or(1);
        let shape = |&case: &u32| {
            let is_over = round > 0 && self.strategy_of(case) == Strategy::ColdStart;
            // Fewer visits than there are rounds are spread over them, the first of them in the first round.
            let is_left_out = !has_visit(round, self.rounds_of(group, case, u32::MAX), all);
            self.cases[case as usize].shape.filter(|_| !is_over && !is_left_out)
        };
        cases.iter().map(shape).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::has_visit;

    #[test]
    fn few_visits_are_spread_over_many_rounds() {
        let of = |own, all| (0..all).filter(|round| has_visit(*round, own, all)).collect::<Vec<u32>>();
        assert_eq!(of(3, 10), [0, 4, 7]);
        assert_eq!((of(1, 24), of(4, 4).len()), (vec![0], 4));
        for (own, all) in [(5, 24), (20, 24), (23, 24), (1, 1)] {
            assert_eq!(of(own, all).len(), own as usize);
        }
        // Rounds that replace disturbed visits go on in the same way.
        assert!((0..100).all(|round| has_visit(round, u32::MAX, u32::MAX)));
    }
}
