//! A comparison that the budget ends may spend all that its looks have left.

use super::{common::simulate, measured};
use tare_analysis::{analyse, RatioReport, Verdict};
use tare_model::{Run, RunStatus};
use tare_stats::noise::Scenario;

/// Equal code on a shared machine after so many of 32 waves.
fn measure(waves: u32, seed: u64) -> Run {
    let plan = simulate::Plan { waves, ..simulate::Plan::of(Scenario::Ci.parameters(), seed) };
    let mut run = simulate::run(&plan, |_| 0.0);
    (run.plan.policy.width, run.plan.policy.waves_min, run.plan.policy.waves_max) = (4, 1, 32);
    run
}

fn ratio(run: &Run) -> RatioReport {
    measured(&analyse(run), 1).ratio.clone().expect("compared")
}

fn in_time(run: &Run) -> RatioReport {
    let mut run = run.clone();
    run.plan.policy.budget_s = Some(5.0);
    ratio(&run)
}

fn figures(ratio: &RatioReport) -> (Verdict, f64, [f64; 2], f64, f64) {
    (ratio.verdict, ratio.ratio, [ratio.interval.lower, ratio.interval.upper], ratio.certified_margin, ratio.p)
}

#[test]
fn what_the_budget_ends_gets_a_verdict_more_often() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..12 {
        let run = measure(5, 60 + seed);
        let (usual, last) = (ratio(&run), in_time(&run));
        let is_same = |ratio: &RatioReport| usize::from(ratio.verdict == Verdict::Same);
        (before, after) = (before + is_same(&usual), after + is_same(&last));
        assert!(matches!(last.verdict, Verdict::Same | Verdict::Unclear), "seed {seed}: {:?}", last.verdict);
        if usual.verdict == Verdict::Unclear {
            assert!(
                last.interval.width() < 0.85 * usual.interval.width() && last.certified_margin < usual.certified_margin
            );
            assert!(last.interval_99.width() < 0.85 * usual.interval_99.width());
            assert!((last.ratio, last.looks) == (usual.ratio, 5) && last.p <= usual.p);
        } else {
            // It ended by its verdict, and not by the budget.
            assert_eq!(figures(&last), figures(&usual));
        }
    }
    assert!(after >= before + 4, "{before} and {after} of 12");
}

#[test]
fn only_a_finished_run_with_a_budget_has_a_last_look() {
    let mut run = measure(5, 60);
    let usual = ratio(&run);
    assert_eq!(usual.verdict, Verdict::Unclear);
    for status in [RunStatus::Open, RunStatus::Interrupted] {
        run.status = status;
        assert_eq!(figures(&in_time(&run)), figures(&usual), "{status:?} may go on");
    }
    // One wave: four launches of two speeds may all be fast on one side.
    let first = measure(1, 60);
    assert_eq!(figures(&in_time(&first)), figures(&ratio(&first)));
}
