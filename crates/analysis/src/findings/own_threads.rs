//! `own-threads`: other threads of the program worked beside the measured one for much of the time, and the benchmark does not say that it
//! uses any. What they do to the core is no neighbour's doing.

use super::facts::{Context, Measured};
use super::Severity;
use super::{Found, Rule, Sentence, Unit};
use crate::times::CaseTimes;

/// Work of other threads that is worth a word, as a share of the time.
const SHARE_MIN: f64 = 0.1;

pub(super) const RULE: Rule = Rule::of_run(find);

/// What the threads of a case used of the CPU, as shares of the time of its visits.
#[derive(Debug, Clone, Copy)]
pub(super) struct ThreadWork {
    /// The thread that is measured.
    pub measured: f64,
    /// All others of the process: 1 is one processor, all the time.
    pub others: f64,
}

/// None where the child does not report the CPU time of thread and process.
pub(super) fn work(times: &CaseTimes) -> Option<ThreadWork> {
    let (mut wall, mut thread, mut process) = (0.0, 0.0, 0.0);
    for visit in times.all_visits().flat_map(|(_, visits)| visits) {
        let (Some(of_thread), Some(of_process)) = (visit.cpu_ns, visit.process_cpu_ns) else { continue };
        wall += visit.wall_ns;
        thread += of_thread;
        process += of_process;
    }
    (wall > 0.0).then(|| ThreadWork { measured: thread / wall, others: (process - thread).max(0.0) / wall })
}

impl ThreadWork {
    /// Whether the other threads explain that the core was shared for this share of the time: they worked for at least half of it.
    fn explains(self, shared_share: f64) -> bool {
        self.others >= SHARE_MIN.max(0.5 * shared_share)
    }
}

/// Whether other threads of the program explain that the core was shared for this share of the time.
pub(super) fn explain(times: &CaseTimes, shared_share: f64) -> bool {
    times.traits.threaded && work(times).is_some_and(|work| work.explains(shared_share))
}

fn find(context: &Context) -> Vec<Found> {
    let of_case = |m: Measured| {
        let says_so = context.run.plan.cases[m.case as usize].benchmark.threads != 1;
        if says_so || !m.times.traits.threaded {
            return None;
        }
        let work = work(m.times).filter(|work| work.others >= SHARE_MIN)?;
        let mut evidence =
            Sentence::new("other threads of the program used {others} of a processor, the measured one {measured}")
                .number("others", work.others, Unit::Share)
                .number("measured", work.measured, Unit::Share);
        let shared = m.estimates.core.filter(|core| core.is_shared_time()).map(|core| core.shared_share());
        if let Some(shared) = shared.filter(|shared| work.explains(*shared)) {
            let then = Sentence::new("; its core was shared {shared} of the time, with them at least in part");
            evidence = evidence.then(then.number("shared", shared, Unit::Share));
        }
        Some(Found {
            case: Some(m.case),
            severity: Severity::Warning,
            evidence,
            weight: work.others,
            advice: "if the body starts work that goes on after it, let it wait for that; if it works in several threads, declare \
                     how many"
                .into(),
            ..Found::default()
        })
    };
    context.measured().filter_map(of_case).collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, share, twelve_launches, RunBuilder};

    /// A body beside which other threads of its process use so much of a processor, on a core that is shared all the time.
    fn run(others: f64, threads: u32) -> crate::Report {
        let mut builder = RunBuilder::new().with_windows();
        let case = builder.case("g", "a", false);
        builder.run.plan.cases[0].benchmark.threads = threads;
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        for launch in &mut builder.run.launches {
            share(launch, 1.7, |_, _| true);
            let columns = &mut launch.series[0].columns;
            let elapsed = columns.elapsed_ns.iter().zip(&columns.cpu_ns);
            columns.process_cpu_ns = elapsed.map(|(elapsed, cpu)| cpu + others * elapsed).collect();
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
        assert!(evidence.ends_with("shared 100 % of the time, with them at least in part"), "{evidence}");
        // Another processor would not help.
        assert!(finding.advice.again.is_none() && !finding.advice.text.to_string().contains("processor"));
    }

    #[test]
    fn threads_that_hardly_work_explain_no_sharing_and_declared_ones_are_no_finding() {
        assert_eq!(codes(&run(0.0, 1).findings), ["core-shared"]);
        assert_eq!(codes(&run(0.15, 1).findings), ["own-threads", "core-shared"]);
        assert!(codes(&run(0.9, 2).findings).is_empty(), "declared");
    }
}
