//! What stands beside each other agrees: the ratio of two times that are shown lies within the interval of the ratio beside them, or the
//! row is marked.

use crate::support::{random_scene, traced};
use tare_analysis::{
    analyse, compare_run, compare_saved, other_ratio, CaseEstimates, CaseReport, Comparison, NetTime, Report, Saved,
    SavedOptions,
};
use tare_model::{Effort, Policy, Run};
use tare_simulation::{Body, ClockModel, Neighbour, Scene};
use tare_stats::interval::Interval;
use tare_stats::noise::Scenario;

/// How many rows there were, and how many are marked.
#[derive(Debug, Default)]
struct Rows {
    all: usize,
    marked: usize,
}

impl Rows {
    /// A row is marked if and only if its numbers disagree.
    fn check(&mut self, name: &str, times: [Option<f64>; 2], interval: Option<Interval>, ratio_of_times: Option<f64>) {
        let ([Some(base), Some(new)], Some(interval)) = (times, interval) else {
            return assert_eq!(ratio_of_times, None, "{name}");
        };
        let ratio = new / base;
        let is_within = ratio >= interval.lower / 1.02 && ratio <= interval.upper * 1.02;
        assert_eq!(is_within, ratio_of_times.is_none(), "{name}: {base} and {new} ns beside {interval:?}");
        self.all += 1;
        self.marked += usize::from(!is_within);
    }

    fn of_report(&mut self, report: &Report) {
        for case in &report.cases {
            let Some(ratio) = case.estimates().and_then(|e| e.ratio.as_ref()) else { continue };
            let base = &report.cases[ratio.baseline as usize];
            self.check(&case.key, [shown_ns(base), shown_ns(case)], Some(ratio.interval), ratio.ratio_of_times);
        }
    }

    fn of_comparison(&mut self, comparison: &Comparison) {
        for row in comparison.rows.iter().filter(|row| row.metric.is_none()) {
            self.check(&row.key, [row.base_ns, row.new_ns], row.interval, row.ratio_of_times);
            if let Some(ratio) = row.ratio_of_times {
                assert!(row.remark.contains(&other_ratio(ratio).to_string()), "{}", row.remark);
            }
        }
    }
}

fn shown_ns(case: &CaseReport) -> Option<f64> {
    match case.estimates()?.time {
        NetTime::Resolved { value_ns, .. } => Some(value_ns),
        NetTime::Below { .. } => None,
    }
}

/// A case and its baseline have times of one clock and of one quantity.
fn check_kinds(report: &Report) {
    let kind = |e: &CaseEstimates| (e.at_reference_clock, e.quantity);
    for estimates in report.cases.iter().filter_map(CaseReport::estimates) {
        let base = estimates.ratio.as_ref().and_then(|ratio| report.cases[ratio.baseline as usize].estimates());
        assert!(base.is_none_or(|base| kind(base) == kind(estimates)), "{:?} {:?}", base.map(kind), kind(estimates));
    }
}

fn checked(scene: &Scene, rows: &mut Rows) -> Run {
    let (_, run, _) = traced(scene);
    let report = analyse(&run);
    check_kinds(&report);
    rows.of_report(&report);
    if scene.builds {
        rows.of_comparison(&compare_run(&run, &report));
    }
    run
}

#[test]
fn runs_of_any_kind_do_not_contradict_themselves() {
    let mut rows = Rows::default();
    for seed in 3000..3000 + 4 {
        checked(&random_scene(seed), &mut rows);
    }
    println!("{rows:?}");
    assert!(rows.all > 0, "{rows:?}");
}

/// Scenes in which the clock is far from the reference, bodies follow it more or less closely, and a neighbour comes and goes.
fn scene(seed: u64, follows: [f64; 2], builds: bool) -> Scene {
    let mut bodies = Body::pair(600.0, 0.0);
    for (body, follows_clock) in bodies.iter_mut().zip(follows) {
        body.follows_clock = follows_clock;
    }
    let policy = if builds { Policy::comparison(Effort::Quick) } else { Policy::of(Effort::Quick) };
    let plain = Scene::new(Scenario::Ci, bodies, seed).with(policy);
    Scene {
        builds,
        clock: ClockModel::DRIFTING,
        neighbour: (seed % 2 == 0).then_some(Neighbour::of(0.5, 0.02)),
        ..plain
    }
}

#[test]
fn a_clock_far_from_its_reference_makes_no_contradiction() {
    for follows in [[1.0, 1.0], [0.2, 1.0]] {
        let (mut of_run, mut of_sides, mut of_saved) = (Rows::default(), Rows::default(), Rows::default());
        for seed in 0..1 {
            checked(&scene(seed, follows, false), &mut of_run);
            let runs = [2 * seed, 2 * seed + 1].map(|seed| checked(&scene(seed, follows, true), &mut of_sides));
            let [base, new] = runs.map(|run| Saved::from_run(&run));
            let comparison = compare_saved(&base, &new, &SavedOptions::default());
            of_saved.of_comparison(&comparison);
        }
        println!("{follows:?}: {of_run:?}, two sides {of_sides:?}, saved {of_saved:?}");
        assert!(of_run.all > 0 && of_sides.all > 0 && of_saved.all > 0);
        // Bodies that follow the clock alike are hardly ever marked: what they show is of one kind.
        if follows == [1.0, 1.0] {
            assert!(
                20 * of_run.marked <= of_run.all && 20 * of_sides.marked <= of_sides.all,
                "{of_run:?} {of_sides:?}"
            );
        }
    }
}
