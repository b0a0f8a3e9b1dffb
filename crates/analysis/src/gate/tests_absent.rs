//! Nothing passes a gate by being absent: a table of all the ways in which something to judge can be missing.

use super::tests_saved::{case, fits, gate, limit, side};
use super::{judge_comparison, judge_report, Gate, Judgement, Limit, Scope};
use crate::comparison::compare_saved;
use crate::findings::common::{twelve_launches, RunBuilder};
use crate::saved::{Saved, SavedCase, SavedDesign, SavedFailure, SavedOptions, SavedSummary};
use tare_model::{Better, ExitCode, FailedProgram, Failure, FailureKind, Missing, Step};

fn judged(base: &Saved, new: &Saved, gate: &Gate, options: &SavedOptions) -> Judgement {
    judge_comparison(&compare_saved(base, new, options), None, gate, fits)
}

fn whole() -> Saved {
    side("tare", vec![case("a", 9.0), case("b", 9.0)])
}

fn failed(name: &str) -> SavedFailure {
    let cause = FailureKind::Exception {
        message: "no usable time: value 1 of 1 is NaN ns".to_owned(),
        exception: None,
        place: None,
    };
    let failure = Failure { cause, step: Step::Body, output: Vec::new() };
    SavedFailure::new(format!("bench.cpp:g/{name}"), format!("g/{name}"), failure)
}

#[test]
fn saved_sides_that_lack_something_pass_no_gate() {
    let only = |name: &str| side("tare", vec![case(name, 9.0)]);
    let with = |case: SavedCase| side("tare", vec![case]);
    let values = |v: f64| with(SavedCase { launches: vec![vec![v]; 8], ..case("a", 9.0) });
    let summary = SavedSummary { mean_ns: Some(f64::NAN), median_ns: None, sd_ns: None, values: None };
    let broken = Saved { failed: vec![failed("b")], ..only("a") };
    for (what, base, new) in [
        ("a benchmark that is gone", whole(), only("a")),
        ("one that was renamed", whole(), side("tare", vec![case("a", 9.0), case("c", 9.0)])),
        ("a file that was cut off to nothing", whole(), side("tare", Vec::new())),
        ("two empty files", side("tare", Vec::new()), side("tare", Vec::new())),
        ("a benchmark that failed on the new side", whole(), broken.clone()),
        ("one that failed on the base", broken, whole()),
        ("values that are not numbers", only("a"), values(f64::NAN)),
        ("infinite values", only("a"), values(f64::INFINITY)),
        ("negative values", only("a"), values(-3.0)),
        ("no values", only("a"), with(SavedCase { launches: Vec::new(), ..case("a", 9.0) })),
        ("a base without numbers", values(f64::NAN), only("a")),
        (
            "a mean that is no number",
            only("a"),
            with(SavedCase { design: SavedDesign::Summary(summary), launches: Vec::new(), ..case("a", 9.0) }),
        ),
        ("another unit", only("a"), with(SavedCase { unit: "item".into(), ..case("a", 9.0) })),
        ("another kind of time", only("a"), with(SavedCase { quantity: "CPU time".into(), ..case("a", 9.0) })),
    ] {
        for rule in ["slower", "slower:30%", "faster", "unclear:1000%"] {
            let judgement = judged(&base, &new, &gate(&[rule], Vec::new()), &SavedOptions::default());
            assert_eq!(judgement.exit_code(), ExitCode::GateUndecided, "{what}, {rule}: {judgement:?}");
        }
        let limits = vec![Limit { ratio: Some(50.0), pattern: "g/*".into(), ..limit() }];
        let asked = Gate { scope: Scope { is_whole: true, ..Scope::default() }, ..gate(&[], limits) };
        let judgement = judged(&base, &new, &asked, &SavedOptions::default());
        assert_eq!(judgement.exit_code(), ExitCode::GateUndecided, "{what}, a limit: {judgement:?}");
        let nothing = judged(&base, &new, &Gate::default(), &SavedOptions::default());
        assert_eq!(nothing.exit_code(), ExitCode::Ok, "{what}, and nothing is asked for");
    }
}

/// A side without `g/b`, which is skipped.
fn skipping() -> Saved {
    let mut skipped = failed("b");
    skipped.failure.cause = FailureKind::Skipped { reason: "no GPU".to_owned() };
    Saved { failed: vec![skipped], ..side("tare", vec![case("a", 9.0)]) }
}

#[test]
fn what_is_skipped_on_both_sides_breaks_no_gate() {
    let of = |base: &Saved, new: &Saved| {
        let limits = vec![Limit { ratio: Some(50.0), pattern: "g/b".into(), ..limit() }];
        let asked = Gate { scope: Scope { is_whole: true, ..Scope::default() }, ..gate(&["slower:20%"], limits) };
        let comparison = compare_saved(base, new, &SavedOptions::default());
        let judgement = judge_comparison(&comparison, None, &asked, fits);
        (judgement.exit_code(), comparison)
    };
    let without = || side("tare", vec![case("a", 9.0)]);
    for (base, new, text) in [
        (skipping(), skipping(), "no GPU"),
        (skipping(), without(), "no GPU (on the base)"),
        (without(), skipping(), "no GPU (on the new side)"),
    ] {
        let (code, comparison) = of(&base, &new);
        assert_eq!((code, comparison.skipped[0].text().as_str()), (ExitCode::Ok, text));
        assert_eq!((comparison.skipped.len(), comparison.failed.len(), comparison.rows.len()), (1, 0, 1));
    }
    // If the other side has a value, or failed, any cost is possible.
    for (base, new, why) in
        [(whole(), skipping(), "it is skipped: no GPU"), (skipping(), whole(), "it is skipped on the base: no GPU")]
    {
        let (code, comparison) = of(&base, &new);
        assert_eq!((code, comparison.why_not["g/b"].as_str()), (ExitCode::GateUndecided, why));
        let alone = (comparison.skipped.len(), comparison.only_base.len(), comparison.only_new.len());
        assert_eq!(alone, (0, 0, 0));
    }
    let broken = Saved { failed: vec![failed("b")], ..without() };
    let (code, comparison) = of(&broken, &skipping());
    assert_eq!((code, comparison.skipped.len(), comparison.failed.len()), (ExitCode::GateUndecided, 0, 1));
    let only = || Saved { cases: Vec::new(), ..skipping() };
    assert_eq!(of(&only(), &only()).0, ExitCode::GateUndecided);
}

/// A run of two benchmarks; those named skip themselves.
fn run_that_skips(names: &[&str]) -> RunBuilder {
    let mut builder = run(true);
    for (case, name) in ["a", "b"].into_iter().enumerate().filter(|(_, name)| names.contains(name)) {
        let cause = FailureKind::Skipped { reason: format!("no GPU for {name}") };
        builder.run.results[case].failure = Some(Failure { cause, step: Step::Body, output: Vec::new() });
        builder.run.launches.retain(|launch| launch.case as usize != case);
    }
    builder
}

#[test]
fn a_run_that_skips_is_judged_as_the_results_of_other_tools_are() {
    let saved = |names: &[&str]| Saved::from_run(&run_that_skips(names).run());
    let of = |base: &[&str], new: &[&str]| {
        let comparison = compare_saved(&saved(base), &saved(new), &SavedOptions::default());
        let code = judge_comparison(&comparison, None, &gate(&["slower:20%"], Vec::new()), fits).exit_code();
        (code, comparison.skipped.len(), comparison.not_measured.len())
    };
    assert_eq!(of(&["b"], &["b"]), (ExitCode::Ok, 1, 0));
    assert_eq!(of(&[], &["b"]), (ExitCode::GateUndecided, 0, 1));
    assert_eq!(of(&["b"], &[]), (ExitCode::GateUndecided, 0, 1));
    // Both sides in one run.
    let live = |names: &[&str]| {
        let mut builder = run_that_skips(names);
        builder.compared();
        let run = builder.run();
        let comparison = crate::compare_run(&run, &crate::analyse(&run));
        (comparison.skipped.iter().map(|row| row.text()).collect::<Vec<_>>(), comparison.not_measured.len())
    };
    assert_eq!(live(&["a", "b"]), (vec!["no GPU for b".to_owned()], 0));
    assert_eq!(live(&["b"]), (Vec::new(), 1));
}

#[test]
fn a_counter_of_unknown_direction_breaks_no_gate_about_slower() {
    let with = |hits: f64, better: Better| {
        let a = case("a", 9.0);
        let hits = SavedCase { quantity: "hits".into(), better, launches: vec![vec![hits]; 8], ..a.clone() };
        side("t", vec![SavedCase { metrics: vec![hits], ..a }])
    };
    let of = |better: Better, rules: &[&str], limits: Vec<Limit>| {
        judged(&with(5.0, better), &with(9.0, better), &gate(rules, limits), &SavedOptions::default()).exit_code()
    };
    for rule in ["slower:20%", "faster:20%"] {
        assert_eq!(of(Better::Unknown, &[rule], Vec::new()), ExitCode::Ok, "{rule}");
    }
    assert_eq!(of(Better::Lower, &["slower:20%"], Vec::new()), ExitCode::GateFailed);
    assert_eq!(of(Better::Higher, &["slower:20%"], Vec::new()), ExitCode::Ok);
    // A limit of the benchmark does not concern the counter; a limit of the counter cannot be judged.
    let ratio = |pattern: &str| vec![Limit { ratio: Some(1.5), pattern: pattern.into(), ..Limit::default() }];
    assert_eq!(of(Better::Unknown, &[], ratio("g/*")), ExitCode::Ok);
    assert_eq!(of(Better::Unknown, &[], ratio("g/a hits")), ExitCode::GateUndecided);
    assert_eq!(of(Better::Lower, &[], ratio("g/a hits")), ExitCode::GateFailed);
    // If nothing else is compared, nothing was judged.
    let alone = |hits| {
        let side = with(hits, Better::Unknown);
        let cases = side.cases.iter().map(|case| SavedCase { launches: Vec::new(), ..case.clone() }).collect();
        Saved { cases, ..side }
    };
    let judgement = judged(&alone(5.0), &alone(9.0), &gate(&["slower:20%"], Vec::new()), &SavedOptions::default());
    assert_eq!(judgement.exit_code(), ExitCode::GateUndecided);
}

#[test]
fn a_rename_that_fits_nothing_passes_no_gate_and_one_of_other_revisions_does() {
    let of = |base: &Saved, new: &Saved, old: &str, to: &str| {
        let key = |name: &str| format!("bench.cpp:g/{name}");
        let options = SavedOptions { renames: [(key(old), key(to))].into(), ..SavedOptions::default() };
        judged(base, new, &gate(&["slower:20%"], Vec::new()), &options).exit_code()
    };
    let renamed = side("tare", vec![case("a", 9.0), case("c", 9.0)]);
    assert_eq!(of(&whole(), &renamed, "b", "c"), ExitCode::Ok);
    assert_eq!(of(&whole(), &renamed, "b", "nowhere"), ExitCode::GateUndecided);
    // Both sides are from before the rename, or from after it.
    assert_eq!(of(&whole(), &whole(), "b", "c"), ExitCode::Ok);
    assert_eq!(of(&renamed, &renamed, "b", "c"), ExitCode::Ok);
}

#[test]
fn saved_data_cannot_say_whether_results_differ() {
    let judgement = judged(&whole(), &whole(), &gate(&["different"], Vec::new()), &SavedOptions::default());
    assert_eq!(judgement.exit_code(), ExitCode::GateUndecided);
    assert!(judgement.undecided[0].evidence.contains("does not contain what the benchmarks returned"));
}

#[test]
fn what_a_front_end_does_not_count_passes_no_limit() {
    let limits = || vec![Limit { allocations: Some(0.0), ..limit() }];
    let of_saved = judged(&whole(), &whole(), &gate(&[], limits()), &SavedOptions::default());
    let mut builder = RunBuilder::new();
    let lone = builder.case("g", "a", false);
    twelve_launches(&mut builder, lone, 10.0, |_, _, _| 0.0);
    let of_run = judge_report(&crate::analyse(&builder.run()), &gate(&[], limits()), fits);
    for judgement in [of_saved, of_run] {
        assert_eq!(judgement.exit_code(), ExitCode::GateUndecided);
        assert_eq!(judgement.undecided[0].evidence, "nothing counted it: see `tare help memory`");
    }
}

#[test]
fn a_limit_without_an_interval_is_not_kept() {
    let one = |ns: f64| {
        let summary = SavedSummary { mean_ns: Some(ns), median_ns: None, sd_ns: None, values: None };
        side("t", vec![SavedCase { design: SavedDesign::Summary(summary), launches: Vec::new(), ..case("a", 1.0) }])
    };
    let limits = vec![Limit { ratio: Some(1.05), ..limit() }];
    let mut comparison = compare_saved(&one(100.0), &one(101.0), &SavedOptions::default());
    comparison.rows[0].interval = None;
    assert_eq!(judge_comparison(&comparison, None, &gate(&[], limits), fits).exit_code(), ExitCode::GateUndecided);
    comparison.rows[0].ratio = f64::NAN;
    let judgement = judge_comparison(&comparison, None, &gate(&["slower"], Vec::new()), fits);
    assert_eq!(judgement.exit_code(), ExitCode::GateUndecided);
}

/// A run of a baseline and another benchmark whose bodies return the same.
fn run(baseline: bool) -> RunBuilder {
    let mut builder = RunBuilder::new();
    for name in ["a", "b"] {
        let case = builder.case("g", name, baseline && name == "a");
        twelve_launches(&mut builder, case, 10.0, |_, _, _| 0.0);
        builder.run.results[case as usize].digest = Some("17".to_owned());
    }
    builder
}

#[test]
fn runs_that_lack_something_pass_no_gate() {
    let of = |builder: RunBuilder, rule: &str| {
        judge_report(&crate::analyse(&builder.run()), &gate(&[rule], Vec::new()), fits).exit_code()
    };
    assert_eq!(["slower", "different"].map(|rule| of(run(true), rule)), [ExitCode::Ok; 2]);
    let silent = || {
        let mut silent = run(true);
        silent.run.results[0].digest = None;
        silent
    };
    let with = |missing: Missing| {
        let mut builder = run(true);
        builder.run.missing = missing;
        builder
    };
    let unbuilt = FailedProgram { program: "c.cpp".into(), failure: failed("x").failure, partners: Vec::new() };
    let unbuilt = with(Missing { failed: vec![unbuilt], ..Missing::default() });
    let filtered = with(Missing { alone: vec!["h/c".into()], ..Missing::default() });
    for (what, builder, rule, expected) in [
        ("nothing was compared", run(false), "slower", ExitCode::GateUndecided),
        ("nothing was compared", run(false), "different", ExitCode::GateUndecided),
        ("the baseline returned nothing", silent(), "different", ExitCode::GateUndecided),
        ("the baseline returned nothing", silent(), "slower", ExitCode::Ok),
        ("a program was not built", unbuilt, "slower", ExitCode::GateUndecided),
        ("a baseline was left out", filtered, "slower", ExitCode::GateUndecided),
    ] {
        assert_eq!(of(builder, rule), expected, "{what}, {rule}");
    }
}

#[test]
fn a_limit_must_fit_where_the_whole_project_is_judged() {
    let of = |rules: &[&str], scope: Scope| {
        let limits = vec![Limit { pattern: "prase".into(), time_ns: Some(1e9), ..Limit::default() }];
        judge_report(&crate::analyse(&run(true).run()), &Gate { scope, ..gate(rules, limits) }, fits).exit_code()
    };
    let left_out = |is_whole| Scope { is_whole, left_out: vec!["prase/x".into()] };
    assert_eq!(of(&[], Scope { is_whole: true, ..Scope::default() }), ExitCode::GateUndecided);
    // The user selected what to measure, or the filters left its benchmarks out: it concerns others.
    assert_eq!(of(&[], Scope::default()), ExitCode::Ok);
    assert_eq!(of(&[], left_out(true)), ExitCode::Ok);
    assert_eq!(of(&["limit"], Scope::default()), ExitCode::GateUndecided);
    assert_eq!(of(&["limit"], left_out(false)), ExitCode::Ok);
}

#[test]
fn a_live_comparison_that_lacks_something_passes_no_gate() {
    let mut builder = run(true);
    builder.compared();
    let run = builder.run();
    let report = crate::analyse(&run);
    let comparison = || crate::compare_run(&run, &report);
    let of = |comparison: &crate::Comparison, rules: &[&str], limits: Vec<Limit>| {
        judge_comparison(comparison, Some(&report), &gate(rules, limits), fits).exit_code()
    };
    assert_eq!(of(&comparison(), &["slower", "different"], Vec::new()), ExitCode::Ok);
    let gone = crate::Comparison { only_base: vec!["g/c".into()], ..comparison() };
    assert_eq!(of(&gone, &["slower"], Vec::new()), ExitCode::GateUndecided);
    let ratio = || vec![Limit { ratio: Some(50.0), pattern: "g/c".into(), ..limit() }];
    assert_eq!(of(&gone, &[], ratio()), ExitCode::GateUndecided);
    // A new benchmark is no violation on the new side; a limit of its own cost was not judged.
    let fresh = crate::Comparison { only_new: vec!["g/c".into()], ..comparison() };
    assert_eq!(of(&fresh, &["slower"], ratio()), ExitCode::Ok);
    let time = vec![Limit { time_ns: Some(1e9), pattern: "g/c".into(), ..limit() }];
    assert_eq!(of(&fresh, &[], time), ExitCode::GateUndecided);
}
