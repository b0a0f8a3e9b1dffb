//! The input of the rules, computed once for all of them.

use super::noisy_host;
use crate::core::{faults, CoreUse, ProbeFault};
use crate::finding::{names, side_name};
use crate::ratio::{by_rounds, Pair};
use crate::report::{core_summary, CaseEstimates, CaseReport, CoreReport, CoreSummary};
use crate::visits::{CaseTimes, LaunchTimes};
use std::collections::BTreeMap;
use tare_model::{Artifact, ChildFacts, Run};
use tare_stats::effects::{process_effects, ProcessEffect};
use tare_stats::location::{mean, median};

pub struct Facts<'a> {
    pub run: &'a Run,
    pub times: &'a [CaseTimes],
    pub cases: &'a [CaseReport],
    pub pairs: &'a [Option<Pair>],
    /// Length of a cycle at the clock at which times are shown, ns; `None` without one.
    pub shown_cycle_ns: Option<f64>,
}

/// The facts, with values that several rules derive from them.
pub(super) struct Context<'a> {
    pub run: &'a Run,
    pub times: &'a [CaseTimes],
    pub cases: &'a [CaseReport],
    pub pairs: &'a [Option<Pair>],
    pub shown_cycle_ns: Option<f64>,
    /// Effects by launch number, without what all children of a wave share in a round.
    effects: BTreeMap<u32, ProcessEffect>,
    waves: BTreeMap<(u32, u32), Vec<(u32, &'a LaunchTimes)>>,
    centres: Vec<Option<f64>>,
    names: Vec<&'a str>,
    /// The machine was so busy that it may have caused what looks like the code's behaviour.
    pub busy: bool,
    /// `noisy-host` is reported, which covers all effects of a busy machine.
    pub noisy: bool,
    /// How many findings are left out because of that.
    pub unlisted: usize,
    pub core: Option<CoreSummary>,
    /// Why the width probe is unusable, by program.
    pub probe_faults: Vec<Option<ProbeFault>>,
}

#[derive(Clone, Copy)]
pub(super) struct Measured<'a> {
    pub case: u32,
    pub times: &'a CaseTimes,
    pub estimates: &'a CaseEstimates,
}

impl<'a> Context<'a> {
    pub fn new(facts: &Facts<'a>) -> Context<'a> {
        let mut waves: BTreeMap<(u32, u32), Vec<(u32, &LaunchTimes)>> = BTreeMap::new();
        for times in facts.times {
            for launch in &times.launches {
                waves.entry((launch.group, launch.wave)).or_default().push((times.case, launch));
            }
        }
        let mut effects = BTreeMap::new();
        for wave in waves.values() {
            let launches: Vec<&LaunchTimes> = wave.iter().map(|(_, l)| *l).collect();
            let found = process_effects(&by_rounds(&launches));
            effects.extend(launches.iter().zip(found).filter_map(|(l, e)| Some((l.launch, e?))));
        }
        let centre = |t: &CaseTimes| mean(&t.launches.iter().map(|l| l.value).collect::<Vec<_>>());
        let centres = facts.times.iter().map(centre).collect();
        let mut context = Context {
            run: facts.run,
            times: facts.times,
            cases: facts.cases,
            pairs: facts.pairs,
            shown_cycle_ns: facts.shown_cycle_ns,
            effects,
            waves,
            centres,
            names: names(facts.run),
            busy: is_busy(facts),
            noisy: false,
            unlisted: 0,
            core: core_summary(facts.run, facts.times),
            probe_faults: faults(facts.run),
        };
        context.noisy = noisy_host::is_told(&context);
        context
    }

    pub fn measured(&self) -> impl Iterator<Item = Measured<'a>> + '_ {
        let of_case = |(times, report): (&'a CaseTimes, &'a CaseReport)| {
            Some(Measured { case: times.case, times, estimates: report.estimates()? })
        };
        self.times.iter().zip(self.cases).filter_map(of_case)
    }

    pub fn effect(&self, launch: &LaunchTimes) -> Option<&ProcessEffect> {
        self.effects.get(&launch.launch)
    }

    pub fn neighbours(&self, launch: &LaunchTimes) -> impl Iterator<Item = (u32, &'a LaunchTimes)> + '_ {
        let case = self.run.launches[launch.launch as usize].case;
        let wave = self.waves.get(&(launch.group, launch.wave)).map_or(&[][..], Vec::as_slice);
        wave.iter().copied().filter(move |(other, _)| *other != case)
    }

    /// The value of a launch (log ns) without its wave's effect on the other cases of the group.
    pub fn level(&self, launch: &LaunchTimes) -> f64 {
        let beyond = |(case, l): (u32, &LaunchTimes)| Some(l.value - (*self.centres.get(case as usize)?)?);
        let machine: Vec<f64> = self.neighbours(launch).filter_map(beyond).collect();
        launch.value - median(&machine).unwrap_or(0.0)
    }

    pub fn pair(&self, case: u32) -> Option<&'a Pair> {
        self.pairs.get(case as usize)?.as_ref()
    }

    pub fn group_of(&self, case: u32, baseline: u32) -> Option<u32> {
        let groups = &self.run.plan.groups;
        let place = groups.iter().position(|g| g.cases.contains(&case) && g.baseline == Some(baseline))?;
        Some(place as u32)
    }

    /// Whether the time of a case comes from a shared core: its changes between launches may have been caused by others.
    pub fn is_shared_time(&self, case: u32) -> bool {
        let core = self.cases.get(case as usize).and_then(|c| c.estimates()?.core.as_ref());
        core.is_some_and(CoreReport::is_shared_time)
    }

    /// Whether others used the core in this run, and it is unknown whether they did during this case.
    pub fn may_be_shared(&self, case: u32) -> bool {
        let is_shared = self.core.as_ref().is_some_and(CoreSummary::is_shared);
        is_shared && self.times.get(case as usize).is_some_and(|t| t.core == CoreUse::NotJudged)
    }

    /// Whether the width probe of the case's program is unusable.
    pub fn has_unusable_probe(&self, case: u32) -> bool {
        let program = self.run.plan.cases.get(case as usize).map(|c| c.artifact as usize);
        program.and_then(|program| *self.probe_faults.get(program)?).is_some()
    }

    pub fn programs(&self) -> impl Iterator<Item = &'a Artifact> + '_ {
        let is_measured =
            |index: &usize| self.measured().any(|m| self.cases[m.case as usize].program as usize == *index);
        self.run.artifacts.iter().enumerate().filter(move |(index, _)| is_measured(index)).map(|(_, artifact)| artifact)
    }

    pub fn child(&self, case: u32) -> Option<&'a ChildFacts> {
        let artifact = self.run.plan.cases.get(case as usize)?.artifact;
        self.run.artifacts.get(artifact as usize)?.child.as_ref()
    }

    /// Display name of a case: with its job if there are several, and the side of a comparison.
    pub fn label(&self, case: u32) -> String {
        let of_plan = self.run.plan.cases.get(case as usize);
        let job = of_plan.and_then(|c| self.run.jobs.get(c.job as usize)).filter(|_| self.run.jobs.len() > 1);
        let name = job.map_or_else(|| self.name(case).to_owned(), |job| format!("{}@{}", self.name(case), job.id));
        match of_plan.map_or("", |case| side_name(self.run, case)) {
            "" => name,
            side => format!("{name} of `{side}`"),
        }
    }

    pub fn name(&self, case: u32) -> &'a str {
        self.names.get(case as usize).copied().unwrap_or_default()
    }
}

/// Share of preempted visits of computing code from which the machine was busy ...
const PREEMPTED_BUSY: f64 = 0.03;
/// ... and the same for the share of time taken by the hypervisor.
const STEAL_BUSY: f64 = 0.02;

fn is_busy(facts: &Facts) -> bool {
    let computing = || facts.times.iter().filter(|t| !t.traits.blocks && !t.traits.threaded);
    let visits: usize = computing().map(|t| t.counts.measured).sum();
    let preempted: usize = computing().map(|t| t.counts.preempted).sum();
    let steal = facts.run.steal().unwrap_or(0.0);
    preempted as f64 >= PREEMPTED_BUSY * visits.max(1) as f64 || steal >= STEAL_BUSY
}

impl Measured<'_> {
    /// Time of an operation as in the table, ns, from a log time with the loop.
    pub fn shown_ns(&self, log_ns: f64) -> f64 {
        let loop_ns = self.estimates.overhead.map_or(0.0, |o| o.value);
        (log_ns.exp() - loop_ns).max(0.0)
    }

    pub fn waves(&self) -> Vec<Vec<&LaunchTimes>> {
        let mut waves: BTreeMap<(u32, u32), Vec<&LaunchTimes>> = BTreeMap::new();
        for launch in &self.times.launches {
            waves.entry((launch.group, launch.wave)).or_default().push(launch);
        }
        waves.into_values().collect()
    }
}
