//! Which windows of a visit were alone on the core, by the width probe alone.

use super::probe::{ProbeFault, Readable};
use tare_model::{probes_agree, visits_judged, ChildFacts, Readings, Series, Stage, Visit, WidthProbe, Windows};
use tare_stats::{brief, sharing, Sharing};

/// The clock may change between two probes: a reading is judged by the slower one, up to this factor. Beyond it there was an interrupt.
const CLOCK_STEP_MAX: f64 = 1.1;
/// The clock of a core moves by less within a process (3.2 to 4.2 GHz at most): a longer clock probe was not yet in its final code.
pub(super) const CLOCK_RANGE: f64 = 1.35;

/// The shortest clock probe of a process in all its series so far, ns.
pub(super) fn fastest_ns(series: &[Series]) -> Option<f64> {
    let probes = series.iter().flat_map(|s| s.columns.probe_before_ns.iter().chain(&s.columns.probe_after_ns));
    probes.copied().filter(|ns| *ns > 0.0).reduce(f64::min)
}

/// Converts readings of the width probe into cycles, and judges them by a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judge {
    additions: f64,
    /// `None` if the readings of this process are compared as times.
    probe_cycles: Option<f64>,
    level: f64,
    readable: Readable,
    /// The shortest clock probe of the process, ns, if its readings are compared with others: a probe can only be lengthened.
    fastest_ns: Option<f64>,
}

impl Judge {
    /// For children with these facts; `None` without a width probe. `level`: cycles per addition on an unshared core.
    pub fn new(facts: &ChildFacts, level: f64) -> Option<Judge> {
        let can = facts.can("windows") && level > 0.0;
        // Within a process the unit of the clock does not matter.
        let own = facts.probe_steps.filter(|_| facts.width_per_process);
        let (additions, probe_cycles) = (facts.width_additions?, facts.probe_cycles.or(own));
        // Plain times are only comparable within a process.
        let can = can && (probe_cycles.is_some() || facts.width_per_process);
        can.then_some(Judge { additions, probe_cycles, level, readable: Readable::of(facts), fastest_ns: None })
    }

    /// The same for a process with these series so far.
    pub fn of_process(facts: &ChildFacts, level: f64, series: &[Series]) -> Option<Judge> {
        let is_own = facts.width_probe() == WidthProbe::OfProcess;
        Some(Judge { fastest_ns: if is_own { None } else { fastest_ns(series) }, ..Judge::new(facts, level)? })
    }

    pub(crate) fn fault(&self, readings: Readings<'_>) -> Option<ProbeFault> {
        self.readable.fault(readings.width_ns, &self.cycles(readings).unwrap_or_default())
    }

    pub fn windows(&self, readings: Readings<'_>) -> Option<Windows> {
        let cycles = self.cycles(readings)?;
        if self.readable.fault(readings.width_ns, &cycles).is_some() {
            return None;
        }
        let states = sharing(&cycles, self.level);
        let mut found = Windows::default();
        // The time between the last reading of an iteration and the first of the next one is not timed.
        let is_window = |position: usize| position % (readings.per_iteration + 1) != readings.per_iteration;
        let of_windows = states.into_iter().enumerate().filter(|(position, _)| is_window(*position));
        for (at, ((_, state), ns)) in of_windows.zip(readings.window_ns).enumerate() {
            let operations = readings.operations_of(at);
            found.judged += 1;
            match state {
                Sharing::Alone => {
                    found.alone += 1;
                    found.alone_ns += ns;
                    found.alone_operations += operations;
                }
                Sharing::Shared => {
                    found.shared += 1;
                    found.shared_ns += ns;
                    found.shared_operations += operations;
                }
                Sharing::Mixed => {}
            }
        }
        for iteration in cycles.chunks(readings.per_iteration + 1) {
            let (between, not_alone) = brief(iteration, self.level);
            found.between += between as u32;
            found.brief += not_alone as u32;
        }
        (found.judged > 0).then_some(found)
    }

    /// Cycles per addition of each reading by the slower of the probes around it, or its time; `None` if they are unusable.
    pub(crate) fn cycles(&self, readings: Readings<'_>) -> Option<Vec<f64>> {
        let mut cycles = Vec::with_capacity(readings.width_ns.len());
        for (of_iteration, probes) in readings.iterations() {
            let each = match (self.probe_cycles, probes) {
                (None, _) => self.additions,
                (Some(in_probe), Some((before, after)))
                    if before.min(after) > 0.0 && self.is_clock(before.min(after)) =>
                {
                    let slower = before.max(after).min(CLOCK_STEP_MAX * before.min(after));
                    self.additions * slower / in_probe
                }
                _ => return None,
            };
            cycles.extend(of_iteration.iter().map(|ns| ns / each));
        }
        Some(cycles)
    }

    fn is_clock(&self, probe_ns: f64) -> bool {
        self.fastest_ns.is_none_or(|fastest| probe_ns <= CLOCK_RANGE * fastest)
    }

    /// Cycles per addition of the readings next to a clock probe, if both probes of an iteration agree with each other and with the
    /// shortest one of the process: dividing by a longer one makes a reading seem short. Without a clock probe all readings are used.
    fn at_the_probes(&self, readings: Readings<'_>) -> Vec<f64> {
        let mut cycles = Vec::new();
        for (of_iteration, probes) in readings.iterations() {
            match (self.probe_cycles, probes, of_iteration) {
                (None, _, all) => cycles.extend(all.iter().map(|ns| ns / self.additions)),
                (Some(in_probe), Some((before, after)), [first, .., last])
                    if [before, after].into_iter().all(|ns| probes_agree(self.fastest_ns.unwrap_or(before), ns)) =>
                {
                    let each = self.additions / in_probe;
                    cycles.extend([first / (each * before), last / (each * after)]);
                }
                _ => {}
            }
        }
        cycles
    }

    /// One of the lowest of those; with many, the very lowest may be an error of the clock.
    pub(crate) fn low(&self, readings: Readings<'_>) -> Option<f64> {
        if self.fault(readings).is_some() {
            return None;
        }
        let mut cycles = self.at_the_probes(readings);
        cycles.sort_by(f64::total_cmp);
        cycles.get(usize::from(cycles.len() > 2)).copied()
    }
}

pub fn visits_with(series: &Series, judge: Option<Judge>) -> Vec<Visit> {
    visits_judged(series, |readings| judge.and_then(|judge| judge.windows(readings)))
}

/// One of the lowest readings of each visit, in cycles per addition: those of one visit are not independent.
pub(super) fn low_readings(series: &[Series], facts: &ChildFacts) -> Vec<f64> {
    let Some(judge) = Judge::of_process(facts, 1.0, series) else { return Vec::new() };
    let mut found = Vec::new();
    for series in series.iter().filter(|series| series.columns.windows() > 0) {
        let mut low = |series: &Series| {
            visits_judged(series, |readings| {
                found.extend(judge.low(readings));
                None
            })
        };
        match series.stage {
            Stage::Actual => low(series),
            // Other stages are measured in one go, and beside the empty loop nothing lengthens the clock probe.
            _ => low(&Series { round: (0..series.columns.len() as u32).collect(), ..series.clone() }),
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{low_readings, visits_with, Judge};
    use crate::core::CoreUse;
    use crate::findings::common::{share, twelve_launches, RunBuilder};
    use crate::report::{CaseEstimates, Outcome, Report};
    use tare_model::{ChildFacts, Columns, Series, Stage, Windows};
    use tare_stats::rng::Rng;
    use tare_stats::unshared_level;

    /// Two cases with a neighbour in this many of ten visits of each, who slows both by a factor of 1.7.
    fn report(in_ten: [usize; 2]) -> Report {
        let mut builder = RunBuilder::new().with_windows();
        for name in ["a", "b"] {
            let case = builder.case(name, name, false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        }
        for launch in &mut builder.run.launches {
            let in_ten = in_ten[launch.case as usize];
            share(launch, 1.7, |visit, _| visit % 10 < in_ten);
        }
        crate::analyse(&builder.run())
    }

    fn measured(report: &Report, case: usize) -> &CaseEstimates {
        match &report.cases[case].outcome {
            Outcome::Measured(estimates) => estimates,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_time_alone_on_the_core_does_not_know_the_neighbour() {
        let report = report([0, 6]);
        let [alone, shared] = [0, 1].map(|case| measured(&report, case));
        assert!((shared.raw.expect("an interval").value / alone.raw.expect("an interval").value - 1.0).abs() < 0.005);
        let core = shared.core.expect("judged");
        assert_eq!((core.times, core.windows, shared.visits.shared), (CoreUse::Alone, 2880, 12 * 16));
        let (alone_ns, shared_ns) = (core.alone_ns.expect("many"), core.shared_ns.expect("many"));
        assert!((alone_ns - 100.0).abs() < 0.5 && (shared_ns - 170.0).abs() < 1.5, "{core:?}");
        assert!(shared.launches.iter().all(|l| l.alone_share.is_some_and(|s| (s - 8.0 / 24.0).abs() < 1e-9)));
        // All windows were alone, so there are no others.
        let core = alone.core.expect("judged");
        assert_eq!((core.alone_share, core.slow_down, core.shared_ns), (1.0, None, None));
    }

    /// A clock of 2.97, 3.17 or 3.47 GHz that changes every few readings, as on an Intel Xeon; the core is not shared.
    #[test]
    fn a_clock_that_moves_within_a_visit_is_no_neighbour() {
        let facts = ChildFacts {
            probe_cycles: Some(32768.0),
            width_additions: Some(14400.0),
            capabilities: vec!["windows".to_owned(), "probe".to_owned()],
            ..ChildFacts::default()
        };
        let mut rng = Rng::new(5);
        let mut cycle_ns = 1.0 / 3.17;
        let mut tick = || {
            if rng.uniform() < 0.3 {
                cycle_ns = 1.0 / [2.97, 3.17, 3.17, 3.47][(rng.uniform() * 4.0) as usize];
            }
            cycle_ns
        };
        let (visits, windows) = (400, 10);
        let mut columns = Columns::default();
        for _ in 0..visits {
            let clocks: Vec<f64> = (0..=windows).map(|_| tick()).collect();
            columns.probe_before_ns.push(32768.0 * clocks[0]);
            columns.probe_after_ns.push(32768.0 * clocks[windows]);
            columns.width_ns.extend(clocks.iter().map(|cycle_ns| 14400.0 * 0.25 * cycle_ns));
            columns.window_ns.extend([1e5].repeat(windows));
            columns.elapsed_ns.push(1e5 * windows as f64);
        }
        let series = Series { stage: Stage::Actual, invocations: 10, round: (0..visits).collect(), columns };
        let series = [series];
        let level = unshared_level(&low_readings(&series, &facts)).expect("a level");
        assert!((level / 0.25 - 1.0).abs() < 1e-9, "{level}");
        let judge = Judge::of_process(&facts, level, &series).expect("can judge");
        let judged = visits_with(&series[0], Some(judge)).iter().filter_map(|v| v.windows).reduce(Windows::plus);
        let share = judged.expect("judged").alone_share();
        assert!(share > 0.85, "{share}");
    }

    #[test]
    fn a_neighbour_who_never_stops_shows_by_what_was_read_before_on_this_machine() {
        let of = |known: bool| {
            let mut builder = RunBuilder::new().with_windows();
            let case = builder.case("a", "a", false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            builder.run.launches.iter_mut().for_each(|launch| share(launch, 1.7, |_, _| true));
            builder.own_width_probe(known);
            crate::analyse(&builder.run())
        };
        assert_eq!(measured(&of(true), 0).core.expect("judged").times, CoreUse::Any);
        // The readings of a process alone cannot show that.
        assert_eq!(measured(&of(false), 0).core.expect("judged").times, CoreUse::Alone);
    }

    #[test]
    fn the_run_is_summed_up() {
        let core = report([0, 10]).core.expect("judged");
        assert_eq!((core.windows, core.cases_alone, core.cases_any, core.cases_not_judged), (5760, 1, 1, 0));
        assert_eq!((core.alone_share, core.cycles_per_addition), (0.5, Some(0.25)));
        assert_eq!(core.source.as_deref(), Some("machine profile"));
        assert!(core.is_shared() && !report([0, 1]).core.expect("judged").is_shared());
        let without = RunBuilder::new().run();
        assert_eq!(crate::analyse(&without).core, None);
    }
}
