//! `own-processes`: processes started by the program worked beside its measured thread, undeclared.

use super::own_threads::{with_shared, work, SHARE_MIN};
use super::{Context, Measured, Observation, Search, Sentence, Unit};

/// A body that waits for its processes uses at most this much of a processor together with them.
const IN_TURN: f64 = 1.1;

pub(super) const SEARCH: Search = Search::of_cases(of_case);

fn of_case(context: &Context, m: Measured) -> Option<Observation> {
    let work = work(context, m.times).filter(|work| work.processes >= SHARE_MIN)?;
    let shared = work.explained(&m);
    let is_beside = !m.times.traits.blocks || work.measured + work.processes >= IN_TURN;
    if shared.is_none() && !is_beside {
        return None;
    }
    let evidence = Sentence::new(
        "processes that the program started used {processes} of a processor, its measured thread {measured}",
    )
    .number("processes", work.processes, Unit::Share)
    .number("measured", work.measured, Unit::Share);
    let advice = "if the body starts a process that outlives it, wait for it in the body; if the body uses other \
                  processes, declare how many threads and processes work at once";
    Some(Observation::warning(with_shared(evidence, shared), advice).weighing(work.processes))
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, share, twelve_launches, RunBuilder};
    use crate::Report;

    /// Processor use of a body's processes, and the share of its time in which its thread has a processor.
    struct Body {
        processes: f64,
        thread: f64,
        threads: u32,
        waits: bool,
        shared: bool,
    }

    const BESIDE: Body = Body { processes: 0.9, thread: 1.0, threads: 1, waits: false, shared: true };

    fn run(body: &Body) -> Report {
        let mut builder = RunBuilder::new().with_windows();
        let case = builder.case("g", "a", false);
        builder.run.plan.cases[0].benchmark.threads = body.threads;
        builder.run.plan.cases[0].benchmark.waits = body.waits;
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        for launch in &mut builder.run.launches {
            share(launch, 1.7, |_, _| body.shared);
            let columns = &mut launch.series[0].columns;
            columns.cpu_ns.iter_mut().for_each(|ns| *ns *= body.thread);
            // The system reports this in steps: the use of several visits arrives at once.
            let steps = columns.elapsed_ns.iter().enumerate();
            let told = |(at, elapsed): (usize, &f64)| if at % 4 == 3 { 4.0 * body.processes * elapsed } else { 0.0 };
            columns.descendants_cpu_ns = steps.map(told).collect();
        }
        crate::analyse(&builder.run())
    }

    #[test]
    fn own_processes_are_no_neighbours() {
        let report = run(&BESIDE);
        assert_eq!(codes(&report.findings), ["own-processes"], "{:?}", report.findings);
        let finding = &report.findings[0];
        let evidence = finding.evidence.to_string();
        assert!(evidence.starts_with("processes that the program started used 90 % of a processor, "), "{evidence}");
        assert!(
            evidence.ends_with("shared 100 % of the time, at least partly with the program's own work"),
            "{evidence}"
        );
        // Another processor would not help.
        assert!(finding.advice.again.is_none() && !finding.advice.text.to_string().contains("processor"));
    }

    #[test]
    fn processes_that_hardly_work_explain_no_sharing_and_declared_ones_are_no_finding() {
        assert_eq!(codes(&run(&Body { processes: 0.0, ..BESIDE }).findings), ["core-shared"]);
        assert_eq!(codes(&run(&Body { processes: 0.15, ..BESIDE }).findings), ["own-processes", "core-shared"]);
        assert!(codes(&run(&Body { threads: 2, ..BESIDE }).findings).is_empty(), "declared");
    }

    #[test]
    fn a_body_that_loses_its_processor_to_them_is_shown_by_its_wall_time() {
        let report = run(&Body { thread: 0.4, processes: 0.6, shared: false, ..BESIDE });
        assert_eq!(
            codes(&report.findings),
            ["own-processes"],
            "neither `preempted` nor `noisy-host`: {:?}",
            report.findings
        );
        let crate::Outcome::Measured(estimates) = &report.cases[0].outcome else { panic!("measured") };
        assert_eq!(estimates.quantity, crate::Quantity::Wall);
        assert_eq!(estimates.visits.preempted, 0, "{:?}", estimates.visits);
    }

    #[test]
    fn a_body_that_waits_for_its_processes_is_no_finding_and_one_that_works_beside_them_is() {
        let waits = Body { thread: 0.2, processes: 0.8, waits: true, shared: false, ..BESIDE };
        assert!(codes(&run(&waits).findings).is_empty(), "{:?}", run(&waits).findings);
        assert_eq!(codes(&run(&Body { thread: 0.8, ..waits }).findings), ["own-processes"]);
    }
}
