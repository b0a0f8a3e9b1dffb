//! Gates over saved data, and over runs where something is missing.

use super::{judge_comparison, judge_report, Gate, Judgement, Limit};
use crate::comparison::compare_saved;
use crate::findings::common::{twelve_launches, RunBuilder};
use crate::saved::{Saved, SavedCase, SavedDesign, SavedFailure, SavedOptions, SavedSummary};
use tare_model::{ExitCode, Failure, FailureKind, Run, Step};

pub(super) fn fits(pattern: &str, name: &str) -> bool {
    name.starts_with(pattern.trim_end_matches('*'))
}

pub(super) fn gate(rules: &[&str], limits: Vec<Limit>) -> Gate {
    Gate { rules: rules.iter().map(|r| r.parse().expect("a rule")).collect(), limits, ..Gate::default() }
}

pub(super) fn side(tool: &str, cases: Vec<SavedCase>) -> Saved {
    Saved { name: "side".into(), tool: tool.into(), cases, ..Saved::default() }
}

/// Eight launches with about this time.
pub(super) fn case(name: &str, ns: f64) -> SavedCase {
    let launches = (0..8).map(|i| vec![ns * (1.0 + 0.001 * f64::from(i)); 4]).collect();
    SavedCase { group: "g".into(), launches, ..SavedCase::new(format!("bench.cpp:g/{name}"), name) }
}

fn judged(base: &Saved, new: &Saved, gate: &Gate) -> Judgement {
    judge_comparison(&compare_saved(base, new, &SavedOptions::default()), None, gate, fits)
}

pub(super) fn limit() -> Limit {
    Limit { pattern: "g/*".into(), ..Limit::default() }
}

#[test]
fn limits_of_costs_are_judged_on_the_new_saved_side() {
    let of = |ns: f64, limit: Limit| {
        let new = SavedCase { allocations: Some(2.0), ..case("a", ns) };
        judged(&side("tare", vec![case("a", 100.0)]), &side("tare", vec![new]), &gate(&[], vec![limit])).exit_code()
    };
    let time = || Limit { time_ns: Some(110.0), ..limit() };
    assert_eq!((of(100.0, time()), of(200.0, time())), (ExitCode::Ok, ExitCode::GateFailed));
    let allocations = |most: f64| Limit { allocations: Some(most), ..limit() };
    assert_eq!((of(100.0, allocations(2.0)), of(100.0, allocations(1.0))), (ExitCode::Ok, ExitCode::GateFailed));
}

#[test]
fn a_limit_that_the_data_cannot_be_judged_on_is_undecided() {
    let foreign = |ns| side("hyperfine", vec![case("a", ns)]);
    let judgement = judged(&foreign(9.0), &foreign(9.0), &gate(&[], vec![Limit { allocations: Some(1.0), ..limit() }]));
    assert_eq!((judgement.exit_code(), judgement.undecided.len()), (ExitCode::GateUndecided, 1));
    assert_eq!(judgement.undecided[0].rule, "allocations <= 1");
    assert!(judgement.undecided[0].evidence.contains("saved data does not contain it"));
}

#[test]
fn a_summary_fails_a_limit_beyond_what_luck_explains() {
    let summary = SavedSummary { mean_ns: Some(100.0), median_ns: Some(100.0), sd_ns: None, values: None };
    let new = || SavedCase { design: SavedDesign::Summary(summary), launches: Vec::new(), ..case("a", 1.0) };
    let of = |most: f64| {
        let limit = Limit { time_ns: Some(most), ..limit() };
        judged(&side("t", vec![new()]), &side("t", vec![new()]), &gate(&[], vec![limit]))
    };
    assert_eq!(of(50.0).exit_code(), ExitCode::GateFailed);
    assert_eq!((of(90.0).exit_code(), of(90.0).notes.len()), (ExitCode::Ok, 1));
    assert_eq!((of(200.0).exit_code(), of(200.0).notes.len()), (ExitCode::Ok, 0));
}

#[test]
fn what_failed_on_the_new_saved_side_passes_no_gate() {
    let cause = FailureKind::Exception { message: "boom".to_owned(), exception: None, place: None };
    let failure = Failure { cause, step: Step::Body, output: Vec::new() };
    let failed = || SavedFailure::new("bench.cpp:g/b", "g/b", failure.clone());
    let whole = side("tare", vec![case("a", 9.0), case("b", 9.0)]);
    let broken = Saved { failed: vec![failed()], ..side("tare", vec![case("a", 9.0)]) };
    let judgement = judged(&whole, &broken, &gate(&["slower:20%"], Vec::new()));
    assert_eq!((judgement.exit_code(), judgement.undecided.len()), (ExitCode::GateUndecided, 1));
    assert_eq!(
        (judgement.undecided[0].benchmark.as_str(), judgement.undecided[0].evidence.as_str()),
        ("g/b", "it failed")
    );
    assert_eq!(judged(&whole, &broken, &gate(&[], Vec::new())).exit_code(), ExitCode::Ok);
    let limit = Limit { time_ns: Some(1000.0), ..limit() };
    assert_eq!(judged(&whole, &broken, &gate(&[], vec![limit])).exit_code(), ExitCode::GateUndecided);
}

#[test]
fn pairs_without_a_ratio_pass_no_gate() {
    let with = |quantity: &str, unit: &str| {
        side("t", vec![SavedCase { quantity: quantity.into(), unit: unit.into(), ..case("a", 9.0) }])
    };
    let base = with("wall time", "op");
    let empty = side("t", vec![SavedCase { launches: vec![vec![]], ..case("a", 9.0) }]);
    for (new, why) in [
        (with("CPU time", "op"), "its kinds of time differ: wall time and CPU time"),
        (with("wall time", "item"), "its units differ: op and item"),
        (empty, "a side has no usable value"),
    ] {
        let judgement = judged(&base, &new, &gate(&["slower"], vec![Limit { ratio: Some(2.0), ..limit() }]));
        assert_eq!(judgement.exit_code(), ExitCode::GateUndecided);
        let reported: Vec<_> =
            judgement.undecided.iter().map(|c| (c.benchmark.as_str(), c.evidence.as_str())).collect();
        assert_eq!(reported, [("g/a", why); 2]);
    }
}

/// A run of two cases, with or without a baseline; there was time for some of them.
fn run(baseline: bool, measured: &[&str]) -> RunBuilder {
    let mut builder = RunBuilder::new();
    for name in ["a", "b"] {
        let case = builder.case("g", name, baseline && name == "a");
        if measured.contains(&name) {
            twelve_launches(&mut builder, case, 10.0, |_, _, _| 0.0);
        }
    }
    builder
}

#[test]
fn a_contestant_without_a_ratio_passes_no_gate() {
    let of = |run: Run, gate: &Gate| judge_report(&crate::analyse(&run), gate, fits);
    let ratio = || gate(&[], vec![Limit { ratio: Some(2.0), ..limit() }]);
    assert_eq!(of(run(true, &["a", "b"]).run(), &ratio()).exit_code(), ExitCode::Ok);
    let filtered = of(run(false, &["a", "b"]).run(), &ratio());
    assert_eq!((filtered.exit_code(), filtered.undecided.len()), (ExitCode::GateUndecided, 2));
    // There was no time for the baseline.
    let judgement = of(run(true, &["b"]).run(), &gate(&["slower"], Vec::new()));
    assert_eq!((judgement.exit_code(), judgement.undecided.len()), (ExitCode::GateUndecided, 1));
    assert_eq!(judgement.undecided[0].benchmark, "g/b");
    assert_eq!(of(run(true, &["a", "b"]).run(), &gate(&["slower"], Vec::new())).exit_code(), ExitCode::Ok);
}

#[test]
fn what_was_not_reached_in_a_comparison_is_known_by_its_name() {
    let mut builder = run(true, &["a"]);
    builder.compared();
    let run = builder.run();
    let comparison = crate::compare_run(&run, &crate::analyse(&run));
    assert_eq!(comparison.not_measured, ["g/b"]);
    let gate = gate(&[], vec![Limit { ratio: Some(2.0), ..limit() }]);
    assert_eq!(judge_comparison(&comparison, None, &gate, fits).exit_code(), ExitCode::GateUndecided);
}

#[test]
fn a_rule_finer_than_what_the_data_shows_is_undecided() {
    let of = |ns: f64, rule: &str| {
        judged(&side("t", vec![case("a", 100.0)]), &side("t", vec![case("a", ns)]), &gate(&[rule], Vec::new()))
    };
    // Eight processes of one session: 5 % is asked for by default, and 12 % gets a verdict.
    for (ns, rule) in [(110.0, "slower"), (100.0, "slower"), (110.0, "slower:6%"), (91.0, "faster")] {
        let judgement = of(ns, rule);
        assert_eq!((judgement.exit_code(), judgement.failed.len()), (ExitCode::GateUndecided, 0), "{ns} {rule}");
        let evidence = &judgement.undecided[0].evidence;
        assert!(evidence.contains("; this data can only decide changes of at least 12"), "{evidence}");
    }
    // Excluded changes and loose enough rules are decided.
    for (ns, rule) in [(92.0, "slower"), (110.0, "slower:20%"), (110.0, "faster")] {
        assert_eq!(of(ns, rule).exit_code(), ExitCode::Ok, "{ns} {rule}");
    }
    assert_eq!(of(130.0, "slower").exit_code(), ExitCode::GateFailed);
    // One process per side: nothing is known.
    let one = |ns: f64| {
        side("t", vec![SavedCase { design: SavedDesign::Iterations, launches: vec![vec![ns; 9]], ..case("a", ns) }])
    };
    let judgement = judged(&one(1.0), &one(9.0), &gate(&["slower:50%"], Vec::new()));
    assert_eq!(judgement.exit_code(), ExitCode::GateUndecided);
    assert!(judgement.undecided[0].evidence.ends_with("; this data cannot decide any change"), "{judgement:?}");
}
