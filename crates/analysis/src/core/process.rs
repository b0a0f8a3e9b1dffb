//! The width probe readings of a single process, and the level that judges each launch of a case.

use super::level::LEVELS_AGREE;
use super::probe::ProbeFault;
use super::windows::Judge;
use tare_model::{visits_judged, ChildFacts, Launch, LaunchOutcome, Run, Series, Stage, WidthProbe};
use tare_stats::{is_flat, stands_apart, unshared_level};

/// Part of the launches of a program whose readings must show a fault.
const MOST: f64 = 0.5;

/// The readings that determine the level of one process, in cycles per addition, or in ns without a clock probe.
#[derive(Debug, Clone, Default)]
pub struct ProcessReadings {
    /// As from [`super::low_readings`].
    low: Vec<f64>,
    all: Vec<f64>,
    visits: usize,
    faults: Vec<ProbeFault>,
    per_process: bool,
}

impl ProcessReadings {
    pub(crate) fn of(launch: &Launch, facts: &ChildFacts) -> ProcessReadings {
        let mut readings = ProcessReadings::default();
        launch.series.iter().for_each(|series| readings.add(series, facts));
        readings
    }

    pub fn add(&mut self, series: &Series, facts: &ChildFacts) {
        let Some(judge) = Judge::new(facts, 1.0) else { return };
        if series.stage != Stage::Actual {
            return;
        }
        self.per_process = facts.width_probe() == WidthProbe::OfProcess;
        visits_judged(series, |readings| {
            self.visits += 1;
            match judge.fault(readings) {
                Some(fault) => self.faults.push(fault),
                None => {
                    self.low.extend(judge.low(readings));
                    self.all.extend(judge.cycles(readings).unwrap_or_default());
                }
            }
            None
        });
    }

    /// The level of an unshared core; `None` if there is none, or if the readings above it show no sharing.
    pub fn level(&self) -> Option<f64> {
        self.lowest().filter(|level| !is_flat(&self.all, *level))
    }

    fn lowest(&self) -> Option<f64> {
        unshared_level(&self.low).filter(|level| stands_apart(&self.all, *level))
    }

    pub(crate) fn any(&self) -> bool {
        self.visits > 0
    }

    /// Why its readings are unusable; `None` if they are usable or absent.
    pub fn fault(&self) -> Option<ProbeFault> {
        if 2 * self.faults.len() > self.visits {
            return self.faults.get(self.faults.len() / 2).copied();
        }
        let level = self.lowest().filter(|level| self.per_process && is_flat(&self.all, *level))?;
        tare_stats::shared_level(&self.all, level).map(|shared| ProbeFault::Flat(shared / level - 1.0))
    }
}

/// The fault of each program's width probe, if most of its launches show it.
pub(crate) fn faults(run: &Run) -> Vec<Option<ProbeFault>> {
    (0..run.artifacts.len()).map(|program| fault_of(run, program)).collect()
}

fn fault_of(run: &Run, program: usize) -> Option<ProbeFault> {
    let facts = run.artifacts[program].child.as_ref().filter(|facts| facts.can("windows"))?;
    let is_of = |case: u32| run.plan.cases.get(case as usize).is_some_and(|c| c.artifact as usize == program);
    let launches = run.launches.iter().filter(|l| l.outcome == LaunchOutcome::Finished && is_of(l.case));
    let readings = launches.map(|launch| ProcessReadings::of(launch, facts)).filter(ProcessReadings::any);
    let found: Vec<Option<ProbeFault>> = readings.map(|readings| readings.fault()).collect();
    let faults: Vec<ProbeFault> = found.iter().copied().flatten().collect();
    faults.get(faults.len() / 2).copied().filter(|_| faults.len() as f64 > MOST * found.len() as f64)
}

/// The judges of the windows in a case's launches. `own` gives the level of a process.
pub(crate) fn judges_of(
    run: &Run,
    case: u32,
    launches: &[&Launch],
    mut own: impl FnMut(&Launch, &ChildFacts) -> Option<f64>,
) -> Vec<Option<Judge>> {
    let none = || vec![None; launches.len()];
    let artifact = run.plan.cases.get(case as usize).map(|c| c.artifact as usize);
    let Some(facts) = artifact.and_then(|a| run.artifacts.get(a)?.child.as_ref()) else { return none() };
    let probe = facts.width_probe();
    if probe != WidthProbe::OfProcess {
        let level = |launch: &Launch| run.environment_of(launch).unshared_cycles_of(&probe);
        return launches.iter().map(|launch| Judge::of_process(facts, level(launch)?, &launch.series)).collect();
    }
    // Each process has its own level; one that was never alone is recognised by the others of its case.
    let own: Vec<Option<f64>> = launches.iter().map(|launch| own(launch, facts)).collect();
    let Some(lowest) = own.iter().copied().flatten().reduce(f64::min) else { return none() };
    let level = |own: f64| if own <= LEVELS_AGREE * lowest { own } else { lowest };
    own.into_iter().map(|own| Judge::new(facts, level(own?))).collect()
}

pub(crate) fn own_level(launch: &Launch, facts: &ChildFacts) -> Option<f64> {
    ProcessReadings::of(launch, facts).level()
}
