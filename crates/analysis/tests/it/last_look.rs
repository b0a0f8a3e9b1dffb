//! A comparison that ended without a verdict may use everything that its looks have left.

use super::{common::simulate, measured};
use tare_analysis::{analyse, RatioReport, Verdict};
use tare_model::{Run, RunStatus};
use tare_stats::noise::Scenario;

/// Equal code on a shared machine after this many of 32 waves.
fn measure(waves: u32, seed: u64) -> Run {
    let plan = simulate::Plan { waves, ..simulate::Plan::of(Scenario::Ci.parameters(), seed) };
    let mut run = simulate::run(&plan, |_| 0.0);
    (run.plan.policy.width, run.plan.policy.waves_min, run.plan.policy.waves_max) = (4, 1, 32);
    run
}

fn ratio(run: &Run) -> RatioReport {
    measured(&analyse(run), 1).ratio.clone().expect("compared")
}

/// As if more waves might follow.
fn open(run: &Run) -> RatioReport {
    ratio(&Run { status: RunStatus::Interrupted, ..run.clone() })
}

fn figures(ratio: &RatioReport) -> (Verdict, f64, [f64; 2], f64, f64) {
    (ratio.verdict, ratio.ratio, [ratio.interval.lower, ratio.interval.upper], ratio.certified_margin, ratio.p)
}

#[test]
fn what_has_ended_gets_a_verdict_more_often() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..12 {
        let run = measure(5, 60 + seed);
        let (usual, last) = (open(&run), ratio(&run));
        let is_same = |ratio: &RatioReport| usize::from(ratio.verdict == Verdict::Same);
        (before, after) = (before + is_same(&usual), after + is_same(&last));
        assert!(matches!(last.verdict, Verdict::Same | Verdict::Unclear), "seed {seed}: {:?}", last.verdict);
        if usual.verdict == Verdict::Unclear {
            assert!(last.interval.width() < 0.85 * usual.interval.width());
            assert!(last.interval_99.width() < 0.85 * usual.interval_99.width());
            assert!(last.certified_margin < usual.certified_margin && last.p <= usual.p);
            assert_eq!((last.ratio, last.looks), (usual.ratio, 5));
        } else {
            // Its verdict ended it.
            assert_eq!(figures(&last), figures(&usual));
        }
    }
    assert!(after >= before + 4, "{before} and {after} of 12");
}

#[test]
fn what_may_go_on_and_few_waves_keep_their_levels() {
    let mut run = measure(5, 60);
    assert_eq!((open(&run).verdict, ratio(&run).looks), (Verdict::Unclear, 5));
    run.status = RunStatus::Open;
    assert_eq!(figures(&ratio(&run)), figures(&open(&run)));
    for waves in 1..4 {
        let run = measure(waves, 60);
        assert_eq!(figures(&ratio(&run)), figures(&open(&run)), "{waves} waves");
    }
}

/// A comparison that ended by its verdict keeps its levels, even if others of the suite have since taken the verdict away.
#[test]
#[ignore = "simulation"]
fn a_verdict_that_a_suite_takes_away_was_no_last_look() {
    // Waves differ by more than launches explain, which increases the variances of all comparisons.
    let plan = simulate::Plan { waves: 8, cases: 30, ..simulate::Plan::of(Scenario::Ci.parameters(), 7) };
    let shift =
        |at: simulate::At| 0.008 * f64::from((at.case * 7 + at.wave * 5) % 4) * f64::from(u8::from(at.case > 0));
    let mut run = simulate::run(&plan, shift);
    (run.plan.policy.waves_min, run.plan.policy.waves_max) = (1, 32);
    let all = |run: &Run| -> Vec<RatioReport> {
        let report = analyse(run);
        (1..30).map(|case| measured(&report, case).ratio.clone().expect("compared")).collect()
    };
    let alone = |case: u32| {
        let mut one = run.clone();
        one.plan.groups[0].cases = vec![0, case];
        one.status = RunStatus::Interrupted;
        measured(&analyse(&one), case).ratio.clone().expect("compared").verdict
    };
    let (usual, last) = (all(&Run { status: RunStatus::Interrupted, ..run.clone() }), all(&run));
    let mut taken = 0;
    for (at, (usual, last)) in usual.iter().zip(&last).enumerate() {
        if usual.verdict == Verdict::Unclear && alone(at as u32 + 1) != Verdict::Unclear {
            // Its q may be smaller because of what others of the suite have found.
            let levels =
                |ratio: &RatioReport| (ratio.interval.lower, ratio.interval_99.upper, ratio.certified_margin, ratio.p);
            assert_eq!(levels(last), levels(usual), "case {}", at + 1);
            taken += 1;
        }
    }
    assert!(taken > 1, "{taken} verdicts were taken away");
}
