//! Bodies that go by the wall clock on a machine that takes the processor away from them, beside bodies that compute: the first are
//! shown by their wall time, or their row is marked with it, and none of the others is taken for one of them.

use crate::support::{at_most, traced};
use tare_analysis::{analyse, CaseReport, Code, NetTime, Quantity, Report};
use tare_model::{visits, Effort, Policy, Run, Stage, VisitTraits};
use tare_simulation::{Body, Preemption, Scene};
use tare_stats::noise::Scenario;

/// How far the time of a body that polls may be from the true one: one late look at the clock.
const LATE: f64 = 0.15;
/// The same of one that computes: what the worst of the machines adds. The gaps would double it.
const NOISE: f64 = 0.5;
/// Polls for so long, ns: a hundred times what one gap takes.
const POLLED_NS: f64 = 4e8;

fn scene(seed: u64) -> Scene {
    let polls = Body { by_wall: true, ..Body::of("polls", POLLED_NS) };
    // One visit of it meets many gaps; of the short one a tenth of the visits meets one.
    let bodies = vec![polls, Body::of("computes long", 2e7), Body::of("computes", 2e4)];
    Scene {
        // Half of its time a thread that wants the processor has it.
        preemption: Preemption { rate: 250.0, seconds: 0.004 },
        ..Scene::new([Scenario::Quiet, Scenario::Ci, Scenario::Bad][seed as usize % 3], bodies, seed)
            .with(Policy::of(Effort::Quick))
    }
}

/// Whether the visits of a case say that it waits, or goes by the wall clock.
fn blocks(run: &Run, case: u32) -> bool {
    let launches = run.launches.iter().filter(|launch| launch.case == case);
    let series = launches.flat_map(|launch| launch.series.iter().filter(|series| series.stage == Stage::Actual));
    let all: Vec<_> = series.flat_map(visits).collect();
    VisitTraits::of(&all, &run.plan.cases[case as usize].benchmark).blocks
}

/// A time that is near the true one, and of which quantity it is.
fn is_near(case: &CaseReport, true_ns: f64, most: f64) -> (bool, Quantity) {
    let estimates = case.estimates().expect("measured");
    let NetTime::Resolved { value_ns, .. } = estimates.time else { panic!("{:?}", estimates.time) };
    ((value_ns / true_ns - 1.0).abs() <= most, estimates.quantity)
}

/// The row says that its time is CPU time, and what the wall time was.
fn is_marked(report: &Report, case: u32) -> bool {
    let says_wall = |finding: &tare_analysis::Finding| finding.evidence.to_string().contains("the wall time was");
    report
        .findings
        .iter()
        .any(|finding| finding.code == Code::Preempted && finding.case == Some(case) && says_wall(finding))
}

#[test]
#[ignore = "simulation"]
fn a_body_that_polls_is_not_halved_and_one_that_computes_is_not_taken_for_it() {
    let runs = 150;
    let (mut by_wall, mut taken_for_it) = (0, 0);
    for seed in 0..runs {
        let (_, run, _) = traced(&scene(seed));
        let report = analyse(&run);
        let (near, quantity) = is_near(&report.cases[0], POLLED_NS, LATE);
        match quantity {
            Quantity::Wall => assert!(near, "seed {seed}: {:?}", report.cases[0]),
            Quantity::Cpu => assert!(is_marked(&report, 0), "seed {seed}: {:?}", report.findings),
        }
        by_wall += u32::from(quantity == Quantity::Wall);
        for (case, true_ns) in [(1, 2e7), (2, 2e4)] {
            assert!(is_near(&report.cases[case], true_ns, NOISE).0, "seed {seed}: {:?}", report.cases[case]);
            taken_for_it += usize::from(blocks(&run, case as u32));
        }
    }
    println!("{by_wall} of {runs} that poll are shown by their wall time, {taken_for_it} of {} that compute are taken for such", 2 * runs);
    assert!(f64::from(by_wall) >= 0.9 * runs as f64, "{by_wall} of {runs}");
    assert!(taken_for_it <= at_most(2 * runs as usize, 0.01), "{taken_for_it} of {}", 2 * runs);
}
