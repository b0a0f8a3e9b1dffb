//! What the readings of the width probe of one process are worth: the level of a core alone, or that they show nothing. Compilers fold
//! loops whose result they can compute, and what is left of such a probe follows the clock of the system and not the width of the core.

use crate::windows::Judge;
use tare_model::{visits_judged, ChildFacts, Launch, LaunchOutcome, Run, Series, Stage, WidthProbe};
use tare_stats::location::median;
use tare_stats::{is_flat, stands_apart, unshared_level};

/// A shorter reading is a few steps of a clock, ns.
const READING_MIN_NS: f64 = 500.0;
/// The same of the native loop, which is known to be whole: the widest cores take 0.4 µs.
const NATIVE_MIN_NS: f64 = 350.0;
/// No core does more steps in a cycle: what seems to was folded.
const STEPS_MAX: f64 = 8.0;

/// Why the readings of a width probe show nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProbeFault {
    /// A reading takes so long, ns, which is too short for a clock.
    Short(f64),
    /// It does so many steps in a cycle, which no core does.
    Folded(f64),
    /// Readings that would be of a shared core are only this share longer than the others.
    Flat(f64),
}

/// What a reading must be to be looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Readable {
    min_ns: f64,
    /// Readings are known in cycles.
    in_cycles: bool,
}

impl Readable {
    pub(crate) fn of(facts: &ChildFacts) -> Readable {
        let min_ns = if facts.width_per_process { READING_MIN_NS } else { NATIVE_MIN_NS };
        Readable { min_ns, in_cycles: facts.probe_cycles.is_some() }
    }

    /// What is wrong with readings, of which the time and the cycles of a step are given.
    pub(crate) fn fault(self, width_ns: &[f64], cycles: &[f64]) -> Option<ProbeFault> {
        let short = || median(width_ns).filter(|ns| *ns < self.min_ns).map(ProbeFault::Short);
        let steps = || median(cycles).filter(|_| self.in_cycles).map(|cycles| 1.0 / cycles);
        short().or_else(|| steps().filter(|steps| *steps > STEPS_MAX).map(ProbeFault::Folded))
    }
}

/// The readings of the width probe that the level of one process goes by, in cycles an addition, or in ns an addition where it has no
/// clock probe. They are taken in as they come.
#[derive(Debug, Clone, Default)]
pub struct ProcessReadings {
    /// As of [`crate::windows::low_readings`].
    low: Vec<f64>,
    all: Vec<f64>,
    visits: usize,
    faults: Vec<ProbeFault>,
    per_process: bool,
}

impl ProcessReadings {
    /// All of a launch.
    pub(crate) fn of(launch: &Launch, facts: &ChildFacts) -> ProcessReadings {
        let mut readings = ProcessReadings::default();
        launch.series.iter().for_each(|series| readings.add(series, facts));
        readings
    }

    /// Takes a series of the process in.
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

    /// The level of a core that is not shared; None where there is none, or where what is above it is no sharing.
    pub fn level(&self) -> Option<f64> {
        self.lowest().filter(|level| !is_flat(&self.all, *level))
    }

    fn lowest(&self) -> Option<f64> {
        unshared_level(&self.low).filter(|level| stands_apart(&self.all, *level))
    }

    /// Something was read.
    pub(crate) fn any(&self) -> bool {
        self.visits > 0
    }

    /// Why its readings show nothing; None where they do, or where there are none.
    pub fn fault(&self) -> Option<ProbeFault> {
        if 2 * self.faults.len() > self.visits {
            return self.faults.get(self.faults.len() / 2).copied();
        }
        let level = self.lowest().filter(|level| self.per_process && is_flat(&self.all, *level))?;
        tare_stats::shared_level(&self.all, level).map(|shared| ProbeFault::Flat(shared / level - 1.0))
    }
}

/// Part of the launches of a program whose readings must show a fault.
const MOST: f64 = 0.5;

/// What most launches of each program show of its width probe.
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
