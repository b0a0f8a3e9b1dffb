//! `own-threads`: other threads of the program worked beside the measured one for much of the time, undeclared.

use super::{Context, Measured, Observation, Search, Sentence, Unit};
use crate::visits::CaseTimes;
use tare_model::Visit;

/// Smallest reported work of the program beside the measured thread, as a share of the time.
pub(super) const SHARE_MIN: f64 = 0.1;

pub(super) const SEARCH: Search = Search::of_cases(of_case);

/// CPU use of a case's program, as shares of the time of its visits: 1 is one processor all the time.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnWork {
    /// The measured thread; 0 if the child does not report it.
    pub measured: f64,
    /// All other threads of its process; 0 if the child does not report them.
    pub threads: f64,
    pub processes: f64,
}

/// `None` for a body that declares several threads, or works alone.
pub(super) fn work(context: &Context, times: &CaseTimes) -> Option<OwnWork> {
    let says_so = context.run.plan.cases[times.case as usize].benchmark.threads != 1;
    of_times(times).filter(|_| times.traits.threaded && !says_so)
}

fn of_times(times: &CaseTimes) -> Option<OwnWork> {
    of_visits(times.all_visits().flat_map(|(_, visits)| visits))
}

/// None without visits.
fn of_visits<'a>(visits: impl Iterator<Item = &'a Visit>) -> Option<OwnWork> {
    let (mut wall, mut thread, mut others, mut processes) = (0.0, 0.0, 0.0, 0.0);
    for visit in visits {
        let of_thread = visit.cpu_ns.unwrap_or(0.0);
        wall += visit.wall_ns;
        thread += of_thread;
        others += visit.process_cpu_ns.filter(|_| visit.cpu_ns.is_some()).map_or(0.0, |process| process - of_thread);
        processes += visit.descendants_cpu_ns;
    }
    let share = |ns: f64| ns.max(0.0) / wall;
    (wall > 0.0).then(|| OwnWork { measured: share(thread), threads: share(others), processes: share(processes) })
}

impl OwnWork {
    /// Whether the program itself explains this shared share of the time: it worked for at least half of it.
    pub(super) fn explains(self, shared_share: f64) -> bool {
        let (most, all) = (self.threads.max(self.processes), self.threads + self.processes);
        most >= SHARE_MIN && all >= 0.5 * shared_share
    }

    /// The share of the time in which the core was shared, if the program itself explains it.
    pub(super) fn explained(self, of: &Measured) -> Option<f64> {
        let shared = of.estimates.core.filter(|core| core.is_shared_time())?.shared_share();
        Some(shared).filter(|shared| self.explains(*shared))
    }
}

/// The same for a program that may have declared it.
pub(super) fn explain(times: &CaseTimes, shared_share: f64) -> bool {
    times.traits.threaded && of_times(times).is_some_and(|work| work.explains(shared_share))
}

/// Adds the shared share of the time, if there was one.
pub(super) fn with_shared(evidence: Sentence, shared_share: Option<f64>) -> Sentence {
    let Some(shared) = shared_share else { return evidence };
    let then = Sentence::new("; its core was shared {shared} of the time, at least partly with the program's own work");
    evidence.then(then.number("shared", shared, Unit::Share))
}

fn of_case(context: &Context, m: Measured) -> Option<Observation> {
    let work = work(context, m.times).filter(|work| work.threads >= SHARE_MIN)?;
    let of_collector = is_of_collector(m.times);
    let evidence = Sentence::new("other threads of the program used {others} of a processor")
        .number("others", work.threads, Unit::Share)
        .then(if of_collector { " where garbage was collected" } else { "" }.into())
        .then(Sentence::new(", the measured one {measured}").number("measured", work.measured, Unit::Share));
    let evidence = with_shared(evidence, work.explained(&m));
    let observation = match of_collector {
        true => Observation::note(evidence, "what the collector does for the body is a part of its time"),
        false => Observation::warning(
            evidence,
            "if the body starts work that outlives it, wait for that work in the body; if it works in several \
             threads, declare how many",
        ),
    };
    Some(observation.weighing(work.threads))
}

/// Other threads work for a body that collects, and not in those of its visits in which the runtime neither collected nor compiled.
fn is_of_collector(times: &CaseTimes) -> bool {
    let is_plain = |visit: &&Visit| visit.collections == 0.0 && visit.compilations == 0.0;
    let plain = times.all_visits().flat_map(|(_, visits)| visits).filter(is_plain);
    times.traits.collects && of_visits(plain).is_none_or(|work| work.threads < SHARE_MIN)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, share, twelve_launches, RunBuilder};
    use crate::Severity;

    /// A body beside which other threads of its process use this much of a processor, on a core that is always shared.
    fn run(others: f64, threads: u32) -> crate::Report {
        run_of(|_| others, |_| 0.0, threads)
    }

    /// The same by visit, with the collections in each.
    fn run_of(others: impl Fn(usize) -> f64, collections: impl Fn(usize) -> f64, threads: u32) -> crate::Report {
        let mut builder = RunBuilder::new().with_windows();
        let case = builder.case("g", "a", false);
        builder.run.plan.cases[0].benchmark.threads = threads;
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        for launch in &mut builder.run.launches {
            share(launch, 1.7, |_, _| true);
            let columns = &mut launch.series[0].columns;
            let elapsed = columns.elapsed_ns.iter().zip(&columns.cpu_ns).enumerate();
            columns.process_cpu_ns = elapsed.map(|(at, (elapsed, cpu))| cpu + others(at) * elapsed).collect();
            let collected = (0..columns.elapsed_ns.len()).map(&collections).collect();
            columns.metrics.insert("collections".to_owned(), collected);
        }
        crate::analyse(&builder.run())
    }

    #[test]
    fn own_threads_are_no_neighbours() {
        let report = run(0.9, 1);
        assert_eq!(codes(&report.findings), ["own-threads"], "{:?}", report.findings);
        let finding = &report.findings[0];
        let evidence = finding.evidence.to_string();
        assert!(evidence.starts_with("other threads of the program used 90 % of a processor, "), "{evidence}");
        assert!(
            evidence.ends_with("shared 100 % of the time, at least partly with the program's own work"),
            "{evidence}"
        );
        // Another processor would not help.
        assert!(finding.advice.again.is_none() && !finding.advice.text.to_string().contains("processor"));
    }

    #[test]
    fn what_a_collector_does_on_its_threads_asks_for_no_change() {
        let finding = |others: fn(usize) -> f64, collections: fn(usize) -> f64| {
            let found = run_of(others, collections, 1).findings;
            assert_eq!(codes(&found), ["own-threads"], "{found:?}");
            (found[0].severity, found[0].evidence.to_string().contains("where garbage was collected"))
        };
        let (seldom, often) = (|at: usize| f64::from(at % 3 == 0), |at: usize| f64::from(at % 3 != 0));
        assert_eq!(finding(|_| 0.9, |_| 1.0), (Severity::Note, true));
        assert_eq!(finding(often, often), (Severity::Note, true));
        assert_eq!(finding(|_| 0.9, seldom), (Severity::Warning, false), "they work without a collection too");
    }

    #[test]
    fn threads_that_hardly_work_explain_no_sharing_and_declared_ones_are_no_finding() {
        assert_eq!(codes(&run(0.0, 1).findings), ["core-shared"]);
        assert_eq!(codes(&run(0.15, 1).findings), ["own-threads", "core-shared"]);
        assert!(codes(&run(0.9, 2).findings).is_empty(), "declared");
    }
}
