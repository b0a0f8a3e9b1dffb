//! The width of an unshared core, from this run's own readings, and which launches have too few visits alone.

use super::engine::Engine;
use super::wave::{Member, Wave};
use std::collections::BTreeMap;
use tare_analysis::windows::{agreed_level, level_of_cases, visits_with, AgreedLevel, Judge, LEVELS_AGREE};
use tare_analysis::AloneLaunches;
use tare_model::{Effort, Event, Run, Stage, Visit, VisitTraits, WidthProbe};
use tare_stats::SHARED_MIN;

/// Visits alone on the core that a launch should have: more hardly help.
const ALONE_WANTED: usize = 10;
/// Levels of a core that is shared lie beyond this times that of one that is not.
const NEXT_LEVEL: f64 = 1.09;

#[derive(Debug, Default)]
pub(crate) struct Core {
    /// The levels in the launches of each benchmark, if they can be compared between processes.
    levels: BTreeMap<WidthProbe, BTreeMap<String, f64>>,
    /// Probes whose level this run has settled; `true` if several benchmarks agree, or there is only one.
    settled: BTreeMap<WidthProbe, bool>,
    /// Launches of each case in this part of the run that were alone.
    alone: BTreeMap<u32, AloneLaunches>,
}

impl Core {
    /// For a run in progress: levels that have judged windows stay valid when it goes on.
    pub fn of(run: &Run) -> Core {
        let visited = run.launches.iter().filter(|launch| launch.is_visited());
        let probes = visited.filter_map(|launch| Some(run.child_of(launch.case)?.width_probe()));
        Core { settled: probes.map(|probe| (probe, true)).collect(), ..Core::default() }
    }

    fn agreed(&self, probe: &WidthProbe) -> Option<AgreedLevel> {
        agreed_level(self.levels.get(probe)?.iter().map(|(benchmark, level)| (benchmark.as_str(), "", *level)))
    }
}

impl Engine {
    /// Judges the windows of a launch in this wave; `None` while nothing is known of the core.
    pub(crate) fn judge(&self, launch: u32, case: u32) -> Option<Judge> {
        let facts = self.facts_of(case);
        let probe = facts.width_probe();
        if matches!(probe, WidthProbe::None | WidthProbe::OfProcess) {
            return None;
        }
        let known = self.run().newest_environment().unshared_cycles_of(&probe);
        // Before the end of the first wave, use what its launches have shown so far.
        let level = known.or_else(|| level_of_cases(self.run(), &[case]))?;
        Judge::of_process(facts, level, &self.run().launches.get(launch as usize)?.series)
    }

    /// At the end of a wave, the level that the first benchmarks share is settled for the run, before any time is looked at. A known level
    /// can only fall: a higher one means that the core was never alone in this run.
    pub(crate) fn settle_widths(&mut self, wave: &Wave) {
        let mut of_probe: BTreeMap<WidthProbe, Vec<u32>> = BTreeMap::new();
        wave.cases.iter().for_each(|case| of_probe.entry(self.facts_of(*case).width_probe()).or_default().push(*case));
        for (probe, cases) in of_probe {
            if matches!(probe, WidthProbe::None | WidthProbe::OfProcess) {
                continue;
            }
            let level =
                |cases: &[u32]| Some((self.benchmark(cases[0]).full_name(), level_of_cases(self.run(), cases)?));
            let mut found: Vec<(String, f64)> = cases.chunks(1).filter_map(level).collect();
            if found.is_empty() {
                // In a quick run, each may have too few readings.
                found.extend(level(&cases));
            }
            self.core.levels.entry(probe.clone()).or_default().extend(found);
            let Some(AgreedLevel { cycles_per_addition: found, findings }) = self.core.agreed(&probe) else { continue };
            let first = self.benchmark(cases[0]);
            let is_only = self.plan().cases.iter().all(|case| case.benchmark.full_name() == first.full_name());
            let is_sure = is_only || findings > 1;
            let known = self.run().newest_environment().unshared_cycles_of(&probe);
            let better = match (known, self.core.settled.get(&probe)) {
                (None, _) => true,
                // Found in this run by a single benchmark. Much higher levels of others come from a neighbour.
                (Some(known), Some(false)) if is_sure => found < (1.0 + SHARED_MIN) * known,
                (Some(known), Some(false)) => LEVELS_AGREE * found < known,
                (Some(_), _) if !is_sure => continue,
                // A shared core is further away: anything nearer is the same level, read more precisely.
                (Some(known), None) => found < NEXT_LEVEL * known,
                (Some(known), Some(true)) => LEVELS_AGREE * found < known,
            };
            self.core.settled.insert(probe.clone(), is_sure);
            if better && known != Some(found) {
                let runtime = probe.runtime().map(str::to_owned);
                self.record.add(Event::WidthSettled { cycles_per_addition: found, runtime });
            }
        }
    }

    /// Launches of the wave that have too few visits alone on the core; `traits` by position.
    pub(crate) fn starved(&self, wave: &mut Wave, wanted: u32, traits: &[VisitTraits]) -> Vec<u32> {
        let enough = ALONE_WANTED.min(wanted as usize);
        let computes = |m: &&Member| m.alive && !traits[m.position].idles;
        let living: Vec<u32> = wave.members.iter().filter(computes).map(|m| m.launch).collect();
        let mut lacks = |launch: &u32| {
            let visits = self.visits_judged(wave, *launch).unwrap_or_default();
            // A probe whose readings show nothing judges none, no matter how often it is asked.
            visits.iter().any(|v| v.windows.is_some()) && visits.iter().filter(|v| v.is_alone()).count() < enough
        };
        living.into_iter().filter(|launch| lacks(launch)).collect()
    }

    /// Counts the launches of a finished wave that were alone.
    pub(crate) fn count_alone(&mut self, wave: &mut Wave) {
        if self.waves_more(self.plan().policy.waves_of(self.group(wave)).1) == 0 {
            return;
        }
        let traits = self.traits(wave);
        let computes = |m: &&Member| !m.visits.is_empty() && !traits[m.position].idles;
        let all: Vec<(u32, u32, usize)> =
            wave.members.iter().filter(computes).map(|m| (m.launch, m.case, m.position)).collect();
        for (launch, case, position) in all {
            let visits = self.visits_judged(wave, launch).unwrap_or_default();
            self.core.alone.entry(case).or_default().add(visits, traits[position]);
        }
    }

    /// Whether all planned waves of a group are made, and repeating the launches that met the neighbour at the end of the run would give a
    /// case times alone on the core. Decided by the width probe only: times do not decide how many launches there are.
    pub(crate) fn lacks_alone(&self, group: usize, done: u32) -> bool {
        let members = &self.plan().groups[group];
        let policy = &self.plan().policy;
        let (width, planned) = (policy.width_of(members), policy.waves_of(members).1);
        let left = (planned + self.waves_more(planned)).saturating_sub(done);
        let lacks = |case: &u32| {
            let alone = self.core.alone.get(case).copied().unwrap_or_default();
            // Launches of a part that was cut off are not counted.
            let all_counted = alone.launches == (done * width) as usize;
            self.runs_in(*case, group) && all_counted && alone.lack_at_most((left * width) as usize)
        };
        left > 0 && members.cases.iter().any(lacks)
    }

    /// Waves that may follow the planned ones, fewer than those. Long runs and comparisons add waves for precision anyway, and a requested
    /// number of launches stays.
    fn waves_more(&self, planned: u32) -> u32 {
        let policy = &self.plan().policy;
        match policy.effort {
            Effort::Quick if policy.usual_launches => 1,
            Effort::Default if policy.usual_launches => planned / 2,
            _ => 0,
        }
    }

    /// The visits of a launch with their windows judged by the current knowledge; `None` if they cannot be judged.
    fn visits_judged<'a>(&self, wave: &'a mut Wave, launch: u32) -> Option<&'a [Visit]> {
        let judge = self.judge_of(wave, launch, wave.case_of(launch))?;
        let series = self.run().launches.get(launch as usize).map(|l| &l.series[..]).unwrap_or_default();
        let actual = || series.iter().filter(|s| s.stage == Stage::Actual);
        if !actual().any(|s| s.columns.windows() > 0) {
            return None;
        }
        let is_known = wave.members.iter().any(|m| m.launch == launch && m.judge == Some(judge));
        let again = (!is_known).then(|| actual().flat_map(|s| visits_with(s, Some(judge))).collect());
        let member = wave.member(launch)?;
        if let Some(visits) = again {
            member.judged_again(visits, Some(judge));
        }
        Some(&member.visits)
    }

    fn judge_of(&self, wave: &Wave, launch: u32, case: u32) -> Option<Judge> {
        let facts = self.facts_of(case);
        if facts.width_probe() != WidthProbe::OfProcess {
            return self.judge(launch, case);
        }
        let member = wave.members.iter().find(|m| m.launch == launch)?;
        Judge::new(facts, member.readings.level()?)
    }

    /// Rounds a wave may make to find the core alone, as a multiple of the wanted rounds.
    pub(crate) fn search(&self) -> u32 {
        match self.plan().policy.effort {
            Effort::Quick => 8,
            Effort::Default => 6,
            Effort::Long => 12,
        }
    }
}
