//! A visit: the result of one `measure` of the stage `actual`. Visits are dropped by covariates only, never by value.

mod traits;

pub use traits::{TraitCounts, VisitTraits, CLEAN_SHARE_MIN};

use crate::{Columns, RuntimeEvent, Series};
use std::borrow::Cow;

/// A visit is preempted if wall time exceeds CPU time by more than this share of CPU time ...
const GAP_SHARE: f64 = 0.02;
/// ... and by more than this, in ns.
const GAP_NS: f64 = 10_000.0;
/// Other threads of the process explain time without the CPU if they worked for at least this share of it.
const OWN_SHARE: f64 = 0.5;
/// Time to compile a method, in ns ...
const COMPILATION_NS: f64 = 200_000.0;
/// ... and the share of a visit up to which this is negligible.
const COMPILATION_SHARE: f64 = 0.02;
/// Two probes with a larger log difference saw different clock rates, or one was interrupted.
const PROBE_AGREEMENT_LOG: f64 = 0.02;
/// Up to this log difference the clock changed between an iteration's two probes, and both are right: clock steps of busy processors are 3
/// to 9 %. Beyond it one was disturbed, and the shorter is right, since an interrupt can only lengthen a probe.
const CLOCK_STEP_LOG: f64 = 0.12;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    pub round: u32,
    pub iterations: u32,
    pub invocations: f64,
    /// Operations, if the child counts them in each iteration.
    pub counted: Option<f64>,
    pub wall_ns: f64,
    /// CPU time of the thread, in ns.
    pub cpu_ns: Option<f64>,
    /// CPU time of the process, ns.
    pub process_cpu_ns: Option<f64>,
    /// CPU time of the child's descendants, in ns; 0 if unknown.
    pub descendants_cpu_ns: f64,
    /// Time of the clock probe, in ns: the mean of those before and after.
    pub probe_ns: Option<f64>,
    /// Clock drift between probes: the mean square of the log ratio of the probes after and before, divided by the number of iterations,
    /// because their mean is that much more precise. 0 without a probe.
    pub probe_moved: f64,
    pub waits: Option<f64>,
    pub compilations: f64,
    /// Garbage collections during the visit, of any generation.
    pub collections: f64,
    /// What its windows show about other users of the core; None if not judged.
    pub windows: Option<Windows>,
}

/// The windows of a visit by use of the core. Only the width probe selects windows, never their times.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Windows {
    pub judged: u32,
    /// Windows in which the core was not shared.
    pub alone: u32,
    /// Their total wall time, in ns.
    pub alone_ns: f64,
    /// Sum of the operations per invocation over these windows; 1 each if the child does not count them.
    pub alone_operations: f64,
    /// Windows that were shared throughout, according to their readings.
    pub shared: u32,
    /// Their total wall time, in ns.
    pub shared_ns: f64,
    /// Like `alone_operations`.
    pub shared_operations: f64,
    /// Readings between others that were all alone ...
    pub between: u32,
    /// ... and those of them that were not: a neighbour came and went within two windows.
    pub brief: u32,
}

impl Windows {
    /// Share of windows in which the core was not shared.
    pub fn alone_share(&self) -> f64 {
        f64::from(self.alone) / f64::from(self.judged.max(1))
    }

    /// Whether a visit with these windows had the core to itself: some are alone, and at least half are. Even beside a permanent neighbour,
    /// some readings look unshared by chance.
    pub fn are_alone(&self) -> bool {
        self.alone > 0 && 2 * self.alone >= self.judged
    }

    pub fn plus(self, other: Windows) -> Windows {
        Windows {
            judged: self.judged + other.judged,
            alone: self.alone + other.alone,
            alone_ns: self.alone_ns + other.alone_ns,
            alone_operations: self.alone_operations + other.alone_operations,
            shared: self.shared + other.shared,
            shared_ns: self.shared_ns + other.shared_ns,
            shared_operations: self.shared_operations + other.shared_operations,
            between: self.between + other.between,
            brief: self.brief + other.brief,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Readings<'a> {
    /// Windows per iteration; each iteration has one more reading.
    pub per_iteration: usize,
    pub window_ns: &'a [f64],
    /// Readings of the width probe, in ns.
    pub width_ns: &'a [f64],
    /// Operations per invocation in each iteration; empty if the child does not count them.
    pub operations: &'a [f64],
    /// Clock probes before and after each iteration, in ns; None if the child has none.
    pub probes_ns: Option<(&'a [f64], &'a [f64])>,
}

impl<'a> Readings<'a> {
    /// Operations per invocation in a window; 1 if the child does not count them.
    pub fn operations_of(self, window: usize) -> f64 {
        self.operations.get(window / self.per_iteration).copied().unwrap_or(1.0)
    }

    /// The readings of each iteration, with the clock probes around it.
    pub fn iterations(self) -> impl Iterator<Item = (&'a [f64], Option<(f64, f64)>)> {
        self.width_ns.chunks(self.per_iteration + 1).enumerate().map(move |(iteration, readings)| {
            let probes =
                self.probes_ns.and_then(|(before, after)| Some((*before.get(iteration)?, *after.get(iteration)?)));
            (readings, probes)
        })
    }
}

/// Whether the core's clock rate was the same at two probes, as far as they show.
pub fn probes_agree(before: f64, after: f64) -> bool {
    before > 0.0 && after > 0.0 && (after / before).ln().abs() <= PROBE_AGREEMENT_LOG
}

impl Visit {
    /// A visit from the iterations `range` of `columns`; None if it has no time.
    fn new(
        columns: &Columns,
        compilations: &[f64],
        range: std::ops::Range<usize>,
        round: u32,
        invocations: u64,
    ) -> Option<Visit> {
        let sum = |values: &[f64]| values.get(range.clone()).map(|v| v.iter().sum::<f64>());
        // Readings between the windows use CPU time that is not the body's.
        let widths_ns = readings(columns, range.clone()).map_or(0.0, |r| r.width_ns.iter().sum());
        let without_readings = |cpu: Option<f64>| cpu.map(|cpu| if cpu > widths_ns { cpu - widths_ns } else { cpu });
        let wall_ns = sum(&columns.elapsed_ns)?;
        let probe = match (columns.probe_before_ns.get(range.clone()), columns.probe_after_ns.get(range.clone())) {
            (Some(before), Some(after)) => mean_probe(before, after),
            _ => None,
        };
        let counted = sum(&columns.operations);
        Some(Visit {
            round,
            iterations: range.len() as u32,
            invocations: invocations as f64 * range.len() as f64,
            counted: counted.map(|operations| operations * invocations as f64),
            wall_ns,
            cpu_ns: without_readings(sum(&columns.cpu_ns)),
            process_cpu_ns: without_readings(sum(&columns.process_cpu_ns)),
            descendants_cpu_ns: sum(&columns.descendants_cpu_ns).unwrap_or(0.0),
            probe_ns: probe.map(|(ns, _)| ns),
            probe_moved: probe.map_or(0.0, |(_, moved)| moved),
            waits: sum(&columns.waits),
            compilations: sum(compilations).unwrap_or(0.0),
            collections: columns.collections().and_then(|counts| sum(counts)).unwrap_or(0.0),
            windows: None,
        })
    }

    /// The thread lacked the CPU for part of the visit.
    pub fn has_gap(&self) -> bool {
        self.cpu_ns.is_some_and(|cpu| self.wall_ns - cpu > (GAP_SHARE * cpu).max(GAP_NS))
    }

    /// Other threads of the process worked for most of the time without the CPU.
    pub fn is_lost_to_own_threads(&self) -> bool {
        let (Some(cpu), Some(process)) = (self.cpu_ns, self.process_cpu_ns) else { return false };
        self.has_gap() && process - cpu >= OWN_SHARE * (self.wall_ns - cpu)
    }

    /// Whether the visit counts for a body with these traits.
    pub fn is_valid(&self, traits: VisitTraits) -> bool {
        if traits.keeps_all {
            return self.wall_ns > 0.0;
        }
        self.is_timed(traits) && (traits.blocks || traits.threaded || !self.is_preempted())
    }

    /// Its wall or CPU time is the body's: no relevant compilation, unless the body causes compilation in each call.
    pub fn is_timed(&self, traits: VisitTraits) -> bool {
        self.wall_ns > 0.0 && (traits.compiles || !self.is_compiled_in())
    }

    /// It has a time without relevant compilation, usable whatever the traits turn out to be.
    pub fn is_usable(&self) -> bool {
        self.wall_ns > 0.0 && !self.is_compiled_in()
    }

    /// Compilation may be part of its time: in a visit of 10 ms or more, one method is negligible.
    fn is_compiled_in(&self) -> bool {
        self.compilations * COMPILATION_NS > COMPILATION_SHARE * self.wall_ns
    }

    /// The thread lost the CPU involuntarily, and not to another thread of the process.
    pub fn is_preempted(&self) -> bool {
        self.has_gap() && self.waits.is_none_or(|w| w == 0.0) && !self.is_lost_to_own_threads()
    }

    pub fn wall_per_invocation_ns(&self) -> f64 {
        self.wall_ns / self.invocations
    }

    /// Operations covered by its times: counted by the child, else `declared` per invocation.
    pub fn operations(&self, declared: f64) -> f64 {
        self.counted.unwrap_or(declared * self.invocations)
    }

    pub fn wall_per_operation_ns(&self, declared: f64) -> f64 {
        self.wall_ns / self.operations(declared)
    }

    /// CPU time per operation, in ns: of the thread, or of all threads for a body with garbage collection, as the collector may have its
    /// own.
    pub fn cpu_per_operation_ns(&self, declared: f64, traits: VisitTraits) -> Option<f64> {
        let of_all = self.process_cpu_ns.filter(|_| traits.collects);
        of_all.or(self.cpu_ns).map(|cpu| cpu / self.operations(declared))
    }

    /// Whether it is known to have had the core to itself ([`Windows::are_alone`]).
    pub fn is_alone(&self) -> bool {
        self.windows.as_ref().is_some_and(Windows::are_alone)
    }

    /// Wall time per operation in unshared windows, in ns; None if the visit was not alone.
    pub fn alone_per_operation_ns(&self, declared: f64) -> Option<f64> {
        let windows = self.windows.filter(Windows::are_alone)?;
        Some(windows.alone_ns / self.operations_in(windows.alone_operations, windows.judged, declared))
    }

    /// The same for windows that were shared throughout, in ns.
    pub fn shared_per_operation_ns(&self, declared: f64) -> Option<f64> {
        let windows = self.windows.filter(|w| w.shared > 0)?;
        Some(windows.shared_ns / self.operations_in(windows.shared_operations, windows.judged, declared))
    }

    /// Operations in windows with equal numbers of invocations.
    fn operations_in(&self, of_invocations: f64, windows: u32, declared: f64) -> f64 {
        let each = if self.counted.is_some() { 1.0 } else { declared };
        of_invocations * self.invocations / f64::from(windows) * each
    }
}

/// Compilations per iteration, from the column or else the events.
fn compilations(columns: &Columns) -> Cow<'_, [f64]> {
    if !columns.compilations.is_empty() || columns.events.is_empty() {
        return Cow::Borrowed(&columns.compilations);
    }
    let mut counts = vec![0.0; columns.len()];
    for event in columns.events.iter().filter(|event| event.kind == RuntimeEvent::COMPILATION) {
        if let Some(count) = counts.get_mut(event.iteration as usize) {
            *count += 1.0;
        }
    }
    Cow::Owned(counts)
}

/// The windows of iterations `range`; None if there are none.
fn readings(columns: &Columns, range: std::ops::Range<usize>) -> Option<Readings<'_>> {
    let per_iteration = columns.windows();
    if per_iteration == 0 || !columns.windows_fit() {
        return None;
    }
    let of = |each: usize| range.start * each..range.end * each;
    let window_ns = columns.window_ns.get(of(per_iteration))?;
    let probes_ns = columns.probe_before_ns.get(range.clone()).zip(columns.probe_after_ns.get(range.clone()));
    let operations = columns.operations.get(range.clone()).unwrap_or_default();
    let width_ns = columns.width_ns.get(of(per_iteration + 1))?;
    Some(Readings { per_iteration, window_ns, width_ns, operations, probes_ns })
}

/// Mean of a visit's undisturbed probes, and the mean square of the clock's log changes between them over their number. If an iteration's
/// probes both exceed the median by more than a clock step, both were interrupted.
fn mean_probe(before: &[f64], after: &[f64]) -> Option<(f64, f64)> {
    let step = |b: f64, a: f64| (a / b).ln();
    let mut pairs: Vec<(f64, f64)> = before
        .iter()
        .zip(after)
        .filter(|(b, a)| **b > 0.0 && **a > 0.0)
        .map(|(&b, &a)| match step(b, a) {
            moved if moved.abs() <= CLOCK_STEP_LOG => (0.5 * (a + b), moved * moved),
            _ => (a.min(b), 0.0),
        })
        .collect();
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (middle, _) = *pairs.get(pairs.len().checked_sub(1)? / 2)?;
    pairs.retain(|(ns, _)| step(middle, *ns) <= CLOCK_STEP_LOG);
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    Some((mean(|p| p.0), mean(|p| p.1) / pairs.len() as f64))
}

/// The visits of a series in order of time, without judging windows.
pub fn visits(series: &Series) -> Vec<Visit> {
    visits_judged(series, |_| None)
}

/// The visits of a series in order of time; `judge` judges their windows.
pub fn visits_judged(series: &Series, mut judge: impl FnMut(Readings<'_>) -> Option<Windows>) -> Vec<Visit> {
    let mut found = Vec::new();
    let mut start = 0;
    let compilations = compilations(&series.columns);
    for end in 1..=series.round.len() {
        if end == series.round.len() || series.round[end] != series.round[start] {
            let mut visit =
                Visit::new(&series.columns, &compilations, start..end, series.round[start], series.invocations);
            if let Some(visit) = &mut visit {
                visit.windows = readings(&series.columns, start..end).and_then(&mut judge);
            }
            found.extend(visit);
            start = end;
        }
    }
    found
}
