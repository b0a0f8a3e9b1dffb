//! The rounds of a wave: how many, and when there have been enough.

use crate::action::Action;
use crate::calibrate::Shape;
use crate::collecting;
use crate::measurement::Measurement;
use crate::wave::{Drawn, Member, Phase, Wave};
use tare_model::{Event, Failure, FailureKind, Step, VisitTraits};

/// Share of valid visits below which more rounds do not help and CPU time is used, where that is allowed.
const CLEAN_SHARE_MIN: f64 = 0.6;

impl Measurement {
    pub(crate) fn rounds_begin(&mut self, wave: &mut Wave) {
        let group = &self.plan.groups[wave.group];
        let calibrated: Vec<(u32, u64)> = wave
            .members
            .iter()
            .filter(|m| m.alive)
            .filter_map(|m| Some((m.launch, self.cases[group.cases[m.position] as usize].shape?.per_iteration())))
            .collect();
        let rounds = self.rounds_wanted(wave);
        let of_member = |m: &Member| {
            let case = group.cases[m.position];
            let share = f64::from(self.rounds_of(wave.group, case, rounds)) / f64::from(rounds.max(1));
            let state = &self.cases[case as usize];
            let lead_ns = |s: &Shape| self.cycle_of(case).map_or(0.0, |cycle| collecting::lead_ns(cycle, s));
            state.shape.map_or(0.0, |s| (s.round_ns() + lead_ns(&s) + state.moving_ns) * share)
        };
        let round_ns = wave.members.iter().filter(|m| m.alive).map(of_member).sum();
        let wanted = self.rounds_in_time(wave, rounds, round_ns);
        wave.phase = Phase::Rounds { round: 0, wanted };
        for (launch, invocations) in calibrated {
            self.emit(Event::Calibrated { launch, invocations });
        }
    }

    pub(crate) fn rounds_on(&mut self, wave: &mut Wave, round: u32, mut wanted: u32) -> Option<Action> {
        if round == 1 {
            let asked = self.first_round_made(wave);
            wanted = wanted.min(self.rounds_wanted(wave));
            if asked {
                wave.phase = Phase::Rounds { round, wanted };
                return None;
            }
        }
        // How long a set-up before each visit takes shows in the first of them.
        let moves = |case: &u32| self.cases[*case as usize].moving_ns > 0.0;
        if round == 2 && self.plan.groups[wave.group].cases.iter().any(moves) {
            wanted = wanted.min(self.rounds_wanted(wave));
        }
        // Time that is spent is no reason for few rounds, but for none beside them.
        let enough = round >= wanted;
        let traits = if enough { self.traits(wave) } else { Vec::new() };
        let hopeless = enough && (self.is_hopeless(wave, round, &traits) || self.is_late());
        let cases = &self.plan.groups[wave.group].cases;
        let of_case = |position: usize| (self.rounds_of(wave.group, cases[position], wanted), traits[position]);
        let needed = wave.needs_round(round, wanted, of_case) && !hopeless;
        // When all have visits enough, those go on that had the core to themselves too rarely, and those that may be leaks.
        let may_go_on = !needed && round < self.search().saturating_mul(wanted) && !self.is_late();
        let mut further = if may_go_on { self.starved(wave, wanted, &traits) } else { Vec::new() };
        if may_go_on {
            further.extend(self.growing(wave, &traits));
        }
        let shapes = self.shapes_of_round(wave.group, round);
        if needed || !further.is_empty() {
            let only = (!needed).then_some(further.as_slice());
            let moves: Vec<bool> = cases.iter().map(|&case| self.cases[case as usize].randomizes_memory).collect();
            let cycles: Vec<Option<f64>> = cases.iter().map(|&case| self.cycle_of(case)).collect();
            wave.ask_round(round, &shapes, &Drawn { moves, cycles }, only, &mut self.rng);
            wave.phase = Phase::Rounds { round: round + 1, wanted };
            return None;
        }
        wave.phase = Phase::Ending;
        self.fail_unusable(wave);
        if wave.to_kill.is_empty() {
            return Some(Action::End(wave.living()));
        }
        wave.phase = Phase::Rounds { round: u32::MAX, wanted };
        None
    }

    /// Launches that grew with each of their last visits and are below the limit: whether a leak is stopped must not depend on how much
    /// memory this machine gives out in the time of the visits. Whoever fixes the number of invocations lives with the growth.
    fn growing(&self, wave: &Wave, traits: &[VisitTraits]) -> Vec<u32> {
        let cases = &self.plan.groups[wave.group].cases;
        let may_be_asked = |m: &&Member| {
            m.alive && !traits[m.position].keeps_all && self.policy_of(cases[m.position]).invocations.is_none()
        };
        wave.members.iter().filter(may_be_asked).filter(|m| m.growth.goes_on()).map(|m| m.launch).collect()
    }

    /// What the visits of the wave show of its cases, by position.
    pub(crate) fn traits(&self, wave: &Wave) -> Vec<VisitTraits> {
        let cases = self.plan.groups[wave.group].cases.iter().enumerate();
        let benchmark = |case: u32| &self.plan.cases[case as usize].benchmark;
        cases.map(|(position, &case)| wave.counts_of(position).traits(benchmark(case))).collect()
    }

    /// A case none of whose visits can be used has failed: it would else look like one that was not reached.
    fn fail_unusable(&mut self, wave: &mut Wave) {
        let cases = &self.plan.groups[wave.group].cases;
        let says = |m: &Member| match self.strategy_of(cases[m.position]).keeps_all() {
            true => m.has_moved(),
            false => m.is_usable(),
        };
        let unusable: Vec<u32> = wave
            .positions()
            .into_iter()
            .filter(|&p| wave.members.iter().any(|m| m.position == p && !m.visits().is_empty()))
            .filter(|&p| wave.members.iter().all(|m| m.position != p || !says(m)))
            .filter_map(|p| wave.first(p))
            .collect();
        for launch in unusable {
            let position = wave.member(launch).map(|m| m.position);
            if wave.members.iter().all(|m| Some(m.position) != position || !m.has_moved()) {
                self.fail_clock(wave, launch, 0.0, 1);
                continue;
            }
            wave.to_kill.push(launch);
            let failure = Failure { cause: FailureKind::NoValidVisits, step: Step::Body, output: Vec::new() };
            self.fail(wave, launch, failure, None);
        }
    }

    /// The wanted rounds are made, too few visits are clean, and CPU time will do: more rounds would not be cleaner.
    fn is_hopeless(&self, wave: &Wave, round: u32, traits: &[VisitTraits]) -> bool {
        let cases = &self.plan.groups[wave.group].cases;
        let living: Vec<_> = wave.members.iter().filter(|m| m.alive).collect();
        let valid: u32 = living.iter().map(|m| m.counts().valid(traits[m.position])).sum();
        let by_cpu = living.iter().all(|m| traits[m.position].computes && self.facts_of(cases[m.position]).can("cpu"));
        let made = |m: &&Member| f64::from(self.rounds_of(wave.group, cases[m.position], round));
        by_cpu && f64::from(valid) < CLEAN_SHARE_MIN * living.iter().map(made).sum::<f64>()
    }
}
