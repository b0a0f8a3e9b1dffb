//! Benchmarks with a strategy other than throughput: all their invocations count, so nothing is calibrated beforehand.

use super::calibration::FirstCall;
use super::collections;
use super::engine::Engine;
use super::shape::{self, Shape};
use super::wave::{VisitPlan, Wave};
use tare_model::{Benchmark, Policy, Strategy};
use tare_stats::location::median;

/// The form of the visits if all invocations count; `None` if it has to be found.
fn declared_shape(benchmark: &Benchmark, policy: &Policy) -> Option<Shape> {
    let invocations = match benchmark.strategy {
        Strategy::Throughput => return None,
        Strategy::Monitoring => policy.invocations.unwrap_or(1).min(shape::batch_max(benchmark, policy, u64::MAX)),
        Strategy::ColdStart | Strategy::Process => 1,
    };
    Some(Shape { iterations: 1, windows: 0, invocations, lead: 0, invocation_ns: 0.0 })
}

fn has_visit(round: u32, own: u32, all: u32) -> bool {
    u64::from(round) * u64::from(own) % u64::from(all.max(1)) < u64::from(own)
}

impl Engine {
    pub(super) fn strategy_of(&self, case: u32) -> Strategy {
        self.benchmark(case).strategy
    }

    /// Sets the form of the cases in the wave that need no pilot.
    pub(super) fn shape_as_declared(&mut self, wave: &Wave) {
        for case in wave.living_cases() {
            let declared = declared_shape(self.benchmark(case), self.policy_of(case));
            let known = self.of_case(case).shape;
            self.calibrations[case as usize].shape = known.or(declared);
        }
    }

    /// After the first round times are known. Asks for missing results; returns whether it asked.
    pub(super) fn first_round_made(&mut self, wave: &mut Wave) -> bool {
        let mut asked = false;
        for case in wave.living_cases() {
            if !self.strategy_of(case).keeps_all() {
                continue;
            }
            let members = wave.members.iter().filter(|m| m.case == case);
            let times: Vec<f64> = members.flat_map(|m| &m.visits).map(|v| v.wall_per_invocation_ns()).collect();
            let calibration = &mut self.calibrations[case as usize];
            if let (Some(invocation_ns), Some(shape)) = (median(&times), &mut calibration.shape) {
                shape.invocation_ns = invocation_ns;
            }
            if let (FirstCall::ToMake, Some(launch)) = (calibration.first_call, wave.first(case)) {
                calibration.called(None);
                wave.ask_check(launch);
                asked = true;
            }
        }
        asked
    }

    /// Wanted rounds for the cases of the wave; one if each has a single measurement per process.
    pub(super) fn rounds_wanted(&self, wave: &Wave) -> u32 {
        let cases = wave.living_cases().into_iter().filter(|&case| !self.strategy_of(case).is_single());
        // A set-up before each visit uses time of the visits.
        let visits = cases.filter_map(|case| Some(self.visit_ns(case)? + self.of_case(case).randomizing_ns()));
        let deciding = match self.has_own_rounds(wave.group) {
            // Each case has as many visits as fit: the shortest has one in every round.
            true => visits.reduce(f64::min),
            false => visits.reduce(f64::max),
        };
        deciding.map_or(1, |visit_ns| shape::rounds(visit_ns, &self.plan().policy))
    }

    /// Time of a visit of a case, including the lead-in if that is as long, ns; `None` if its form is unknown.
    pub(super) fn visit_ns(&self, case: u32) -> Option<f64> {
        let shape = self.of_case(case).shape?;
        Some(shape.visit_ns() + self.cycle_of(case).map_or(0.0, |cycle| collections::lead_ns(cycle, &shape)))
    }

    /// Whether the cases of a group have separate numbers of rounds: nothing is compared, or the time of a launch is fixed.
    fn has_own_rounds(&self, group: usize) -> bool {
        self.plan().policy.launch_ns.is_some() || self.plan().groups[group].baseline.is_none()
    }

    /// How many of a group's rounds include a visit of the case.
    pub(super) fn rounds_of(&self, group: usize, case: u32, rounds: u32) -> u32 {
        if self.strategy_of(case) == Strategy::Process {
            return 1.min(rounds);
        }
        match self.visit_ns(case).filter(|_| self.has_own_rounds(group)) {
            Some(visit_ns) => shape::rounds(visit_ns, &self.plan().policy).min(rounds),
            None => rounds,
        }
    }

    /// The visits of a round, by position in the group.
    pub(super) fn visits_of_round(&self, wave: &Wave, round: u32) -> Vec<VisitPlan> {
        let rounds_of = |case: u32| self.rounds_of(wave.group, case, u32::MAX);
        let all = wave.cases.iter().map(|&case| rounds_of(case)).max().unwrap_or(1);
        let plan = |&case: &u32| {
            let is_over = round > 0 && self.strategy_of(case) == Strategy::ColdStart;
            // If there are fewer visits than rounds, they are spread over them, the first one in the first round.
            let is_left_out = !has_visit(round, rounds_of(case), all);
            let of = self.of_case(case);
            let shape = of.shape.filter(|_| !is_over && !is_left_out);
            VisitPlan {
                shape,
                randomizes: of.randomizes_memory,
                cycle: self.cycle_of(case),
                most: self.batch_max(case),
            }
        };
        wave.cases.iter().map(plan).collect()
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
        // Additional rounds that replace disturbed visits continue the pattern.
        assert!((0..100).all(|round| has_visit(round, u32::MAX, u32::MAX)));
    }
}
