//! Which windows of a visit had the core to themselves, by the width probe alone (method 5.5).

use tare_model::{visits_judged, ChildFacts, Launch, Readings, Run, Series, Stage, Visit, Windows};
use tare_stats::{sharing, unshared_level, Sharing};

/// A process whose own level is further than this above the lowest one of its program was never alone.
const LEVELS_AGREE: f64 = 1.05;

/// What turns readings of the width probe into cycles, and the level that they are judged by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judge {
    additions: f64,
    probe_cycles: f64,
    level: f64,
}

impl Judge {
    /// For children of these facts; None when they have no width probe. `level`: cycles an addition of a core that is not shared.
    pub fn new(facts: &ChildFacts, level: f64) -> Option<Judge> {
        let can = facts.can("windows") && level > 0.0;
        let (additions, probe_cycles) = (facts.width_additions?, facts.probe_cycles?);
        can.then_some(Judge { additions, probe_cycles, level })
    }

    /// Who used the core in the windows of a visit.
    pub fn windows(&self, readings: Readings<'_>) -> Option<Windows> {
        let cycles = self.cycles(readings);
        let states = sharing(&cycles, self.level);
        let mut found = Windows::default();
        // Between the last reading of an iteration and the first of the next one lies what is not timed.
        let is_window = |position: usize| position % (readings.per_iteration + 1) != readings.per_iteration;
        let of_windows = states.into_iter().enumerate().filter(|(position, _)| is_window(*position));
        for ((_, state), ns) in of_windows.zip(readings.window_ns) {
            found.judged += 1;
            match state {
                Sharing::Alone => {
                    found.alone += 1;
                    found.alone_ns += ns;
                }
                Sharing::Shared => {
                    found.shared += 1;
                    found.shared_ns += ns;
                }
                Sharing::Mixed => {}
            }
        }
        (found.judged > 0).then_some(found)
    }

    /// Cycles an addition of each reading.
    fn cycles(&self, readings: Readings<'_>) -> Vec<f64> {
        let cycle_ns = readings.probe_ns / self.probe_cycles;
        readings.width_ns.iter().map(|ns| ns / (self.additions * cycle_ns)).collect()
    }
}

/// The visits of a series, judged where `judge` is there.
pub fn visits_with(series: &Series, judge: Option<Judge>) -> Vec<Visit> {
    visits_judged(series, |readings| judge.and_then(|judge| judge.windows(readings)))
}

/// All readings of the width probe of a series, in cycles an addition.
pub fn readings_of(series: &Series, facts: &ChildFacts) -> Vec<f64> {
    let Some(judge) = Judge::new(facts, 1.0) else { return Vec::new() };
    let found = std::cell::RefCell::new(Vec::new());
    visits_judged(series, |readings| {
        found.borrow_mut().extend(judge.cycles(readings));
        None
    });
    found.into_inner()
}

/// What judges the windows of a launch; None where they cannot be judged.
pub fn judge_of(run: &Run, launch: &Launch) -> Option<Judge> {
    let facts = facts_of(run, launch)?;
    let level = match facts.width_per_process {
        false => run.environment.core_width.as_ref()?.cycles_per_addition,
        true => level_of_process(run, launch, facts)?,
    };
    Judge::new(facts, level)
}

/// The level of a process whose readings are comparable with no other's: its own, unless another process of its program shows that
/// it was never alone.
fn level_of_process(run: &Run, launch: &Launch, facts: &ChildFacts) -> Option<f64> {
    let own = own_level(launch, facts)?;
    let artifact = |l: &Launch| run.plan.cases[l.case as usize].artifact;
    let others = run.launches.iter().filter(|l| artifact(l) == artifact(launch)).filter_map(|l| own_level(l, facts));
    let lowest = others.fold(own, f64::min);
    Some(if own <= LEVELS_AGREE * lowest { own } else { lowest })
}

fn own_level(launch: &Launch, facts: &ChildFacts) -> Option<f64> {
    let actual = launch.series.iter().filter(|s| s.stage == Stage::Actual);
    unshared_level(&actual.flat_map(|s| readings_of(s, facts)).collect::<Vec<_>>())
}

fn facts_of<'a>(run: &'a Run, launch: &Launch) -> Option<&'a ChildFacts> {
    let case = run.plan.cases.get(launch.case as usize)?;
    run.artifacts.get(case.artifact as usize)?.child.as_ref()
}
