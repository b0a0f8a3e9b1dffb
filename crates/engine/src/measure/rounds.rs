//! The rounds of a wave: how many, and when there have been enough.

use super::collections;
use super::engine::Engine;
use super::shape::{self, Shape};
use super::wave::{Member, Wave, WaveState};
use crate::action::Action;
use tare_model::{Event, FailureKind, VisitTraits, CLEAN_SHARE_MIN};
use tare_stats::rng::Rng;

/// Of so many numbers one is drawn where each call is set up: a set-up is not timed, and may take any time.
const SET_UPS_MAX: u64 = 6;

impl Engine {
    /// Predicted time of one of `rounds` rounds of a wave, ns.
    fn round_ns(&self, wave: &Wave, rounds: u32) -> f64 {
        let of_member = |m: &Member| {
            let share = f64::from(self.rounds_of(wave.group, m.case, rounds)) / f64::from(rounds.max(1));
            let lead_ns = |s: &Shape| self.cycle_of(m.case).map_or(0.0, |cycle| collections::lead_ns(cycle, s));
            let of = self.of_case(m.case);
            of.shape.map_or(0.0, |s| (s.round_ns() + lead_ns(&s) + of.randomizing_ns()) * share)
        };
        wave.members.iter().filter(|m| m.alive).map(of_member).sum()
    }

    pub(super) fn rounds_begin(&mut self, wave: &mut Wave) {
        let living = wave.members.iter().filter(|m| m.alive);
        let calibrated: Vec<(u32, u64)> =
            living.filter_map(|m| Some((m.launch, self.of_case(m.case).shape?.per_iteration()))).collect();
        let rounds = self.rounds_wanted(wave);
        let round_ns = self.round_ns(wave, rounds);
        wave.rounds_began_ns = self.time.now_ns;
        let rounds_ns = f64::from(rounds) * round_ns;
        self.forecast(wave, rounds_ns, rounds_ns);
        self.begin_anywhere(wave, rounds);
        wave.state = WaveState::Rounds { round: 0, wanted: rounds };
        for (launch, invocations) in calibrated {
            self.record.add(Event::Calibrated { launch, invocations });
        }
    }

    /// Each launch makes a random number of additional calls before its first visit. Otherwise, if every nth call is slow, the slow ones
    /// would fall on the same visits of all launches.
    fn begin_anywhere(&mut self, wave: &mut Wave, rounds: u32) {
        let asks = wave.members.iter().filter(|m| m.alive).filter_map(|m| {
            let rounds = self.rounds_of(wave.group, m.case, rounds);
            let beginnings =
                shape::beginnings(&self.of_case(m.case).shape?, rounds, self.cycle_of(m.case), self.policy_of(m.case));
            let is_set_up = self.benchmark(m.case).has_iteration_set_up();
            let beginnings = if is_set_up { beginnings.min(SET_UPS_MAX) } else { beginnings };
            let drawn = Rng::new(self.run().launches[m.launch as usize].draw.seed).below(beginnings);
            let most = self.batch_max(m.case);
            let is_asked = drawn > 0 && self.is_warmed_up(m.case);
            is_asked.then(|| (m.launch, m.case, drawn.div_ceil(most), drawn.min(most)))
        });
        let asks: Vec<(u32, u32, u64, u64)> = asks.collect();
        let counts =
            |(launch, case, iterations, each)| (launch, self.warm_up_counts(wave, launch, case, iterations, each));
        let asks = asks.into_iter().map(counts).collect();
        wave.ask_warm_ups(asks, self.processors);
    }

    /// Whether uncounted calls may precede the first visit of a case. Not if each of its visits is a process of its own.
    fn is_warmed_up(&self, case: u32) -> bool {
        let policy = self.policy_of(case);
        policy.warmup_ns != Some(0.0) && policy.launch_ns.is_none() && !self.strategy_of(case).keeps_all()
    }

    pub(super) fn rounds_on(&mut self, wave: &mut Wave, round: u32, mut wanted: u32) {
        if round == 1 {
            let asked = self.first_round_made(wave);
            wanted = wanted.min(self.rounds_wanted(wave));
            if asked {
                wave.state = WaveState::Rounds { round, wanted };
                return;
            }
        }
        // The first set-up before a visit shows how long it takes.
        if round == 2 && wave.cases.iter().any(|&case| self.of_case(case).randomizing_ns.is_some()) {
            wanted = wanted.min(self.rounds_wanted(wave));
        }
        // Lack of time does not reduce the rounds, but allows no additional ones.
        let enough = round >= wanted;
        let traits = if enough { self.traits(wave) } else { Vec::new() };
        let hopeless = enough && (self.is_hopeless(wave, round, &traits) || self.is_late());
        let of_member = |m: &Member| (self.rounds_of(wave.group, m.case, wanted), traits[m.position]);
        let needed = wave.needs_round(round, wanted, of_member) && !hopeless;
        // Once all have enough visits, those go on that were alone on the core too rarely, or may be leaks.
        let may_go_on = !needed && round < self.search().saturating_mul(wanted) && !self.is_late();
        let mut only = if may_go_on { self.starved(wave, wanted, &traits) } else { Vec::new() };
        if may_go_on {
            only.extend(self.growing(wave, &traits));
        }
        if !needed && only.is_empty() {
            wave.state = WaveState::VisitsOver;
            return;
        }
        let plans = self.visits_of_round(wave, round);
        // Launches with a single measurement share nothing with their partner but the moment.
        let is_paired =
            |&case: &u32| self.strategy_of(case).is_single() && self.plan().cases[case as usize].side.is_some();
        let pairs = wave.cases.iter().all(is_paired);
        wave.ask_round(round, &plans, pairs, (!needed).then_some(only.as_slice()), &mut self.rng);
        wave.state = WaveState::Rounds { round: round + 1, wanted };
    }

    /// After the last visit: stops children without a usable visit, then ends the others.
    pub(super) fn visits_over(&mut self, wave: &mut Wave) -> Option<Action> {
        self.fail_unusable(wave);
        if wave.to_kill.is_empty() {
            wave.state = WaveState::Ending;
            return Some(Action::End(wave.living()));
        }
        wave.state = WaveState::VisitsOver;
        None
    }

    /// Launches below the limit that grew with each of their last visits.
    fn growing(&self, wave: &Wave, traits: &[VisitTraits]) -> Vec<u32> {
        let may_be_asked =
            |m: &&Member| m.alive && !traits[m.position].keeps_all && self.policy_of(m.case).invocations.is_none();
        wave.members.iter().filter(may_be_asked).filter(|m| m.memory.goes_on()).map(|m| m.launch).collect()
    }

    pub(super) fn traits(&self, wave: &Wave) -> Vec<VisitTraits> {
        wave.cases.iter().map(|&case| wave.counts_of(case).traits(self.benchmark(case))).collect()
    }

    /// A case without a usable visit has failed: otherwise it would look like one that was not reached.
    fn fail_unusable(&mut self, wave: &mut Wave) {
        for case in wave.living_cases() {
            let keeps_all = self.strategy_of(case).keeps_all();
            let is_usable = |m: &&Member| if keeps_all { m.took_time() } else { m.is_usable() };
            let members = || wave.members.iter().filter(|m| m.case == case);
            // Those of earlier waves have passed this. The last one may have had no time.
            let has_others =
                self.run().launches.iter().any(|l| l.case == case && l.wave < wave.number && l.is_visited());
            if has_others || members().all(|m| m.visits.is_empty()) || members().any(|m| is_usable(&m)) {
                continue;
            }
            let (took_time, first) = (members().any(Member::took_time), wave.first(case));
            let Some(launch) = first else { continue };
            match took_time {
                true => self.stop(wave, launch, FailureKind::NoValidVisits),
                false => self.fail_clock(wave, launch, 0.0, 1),
            }
        }
    }

    /// Whether the wanted rounds are made, too few visits are clean, and CPU time will do: more rounds would not be cleaner.
    fn is_hopeless(&self, wave: &Wave, round: u32, traits: &[VisitTraits]) -> bool {
        let living: Vec<_> = wave.members.iter().filter(|m| m.alive).collect();
        let valid: u32 = living.iter().map(|m| m.counts.valid(traits[m.position])).sum();
        let by_cpu = living.iter().all(|m| traits[m.position].computes && self.facts_of(m.case).can("cpu"));
        let made = |m: &&Member| f64::from(self.rounds_of(wave.group, m.case, round));
        by_cpu && f64::from(valid) < CLEAN_SHARE_MIN * living.iter().map(made).sum::<f64>()
    }
}
