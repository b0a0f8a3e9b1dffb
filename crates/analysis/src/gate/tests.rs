use super::*;
use crate::finding::{Code, Finding, Severity};
use crate::findings::common::{share, twelve_launches, RunBuilder};
use crate::report::{Comparison, ComparisonRow, Design, Side};
use crate::verdict::Verdict;
use tare_model::CommandLine;
use tare_stats::interval::Interval;

fn fits(pattern: &str, name: &str) -> bool {
    pattern == "*" || name.contains(pattern)
}

fn row(name: &str, verdict: Verdict, ratio: f64, half: f64) -> ComparisonRow {
    ComparisonRow {
        key: format!("bench.cpp:g/{name}"),
        group: "g".into(),
        name: name.into(),
        parameters: Vec::new(),
        language: "c++".into(),
        base_ns: Some(100.0),
        new_ns: Some(100.0 * ratio),
        own_errors: None,
        metric: None,
        ratio,
        interval: Some(Interval { lower: ratio - half, upper: ratio + half }),
        verdict,
        p: Some(0.1),
        q: Some(0.1),
        certified_margin: Some(0.02),
        minimum_effect: 0.01,
        asked_effect: 0.01,
        is_exact: false,
        looks: 8,
        launches: [32, 32],
        several_modes: false,
        ratio_of_times: None,
        remark: String::new(),
        decide_with: None,
    }
}

fn comparison(rows: Vec<ComparisonRow>) -> Comparison {
    let side = |name: &str| Side { name: name.into(), detail: String::new() };
    Comparison {
        request: CommandLine::default(),
        run: String::new(),
        base: side("main"),
        new: side("worktree"),
        design: Design::Interleaved,
        rows,
        only_base: Vec::new(),
        only_new: Vec::new(),
        not_measured: Vec::new(),
        selectors: Default::default(),
        why_not: Default::default(),
        values: std::collections::BTreeMap::new(),
        new_costs: Vec::new(),
        counted: Vec::new(),
        failed: Vec::new(),
        skipped: Vec::new(),
        geometric_mean: None,
        layout_limited: false,
        findings: Vec::new(),
        elapsed_s: 1.0,
    }
}

fn judged(rules: &[&str], limits: Vec<Limit>, rows: Vec<ComparisonRow>) -> Judgement {
    let rules = rules.iter().map(|r| r.parse().expect("a rule")).collect();
    judge_comparison(&comparison(rows), None, &Gate { rules, limits, ..Gate::default() }, fits)
}

#[test]
fn rules_are_read_and_written() {
    for text in ["slower", "slower:3%", "faster", "faster:0.5%", "unclear", "unclear:2%", "limit", "different"] {
        assert_eq!(text.parse::<Rule>().expect(text).to_string(), text);
    }
    for bad in ["", "slow", "slower:3", "slower:x%", "slower:0%", "slower:-1%", "limit:3%", "same"] {
        assert!(bad.parse::<Rule>().is_err(), "{bad}");
    }
    assert!("slower:3".parse::<Rule>().unwrap_err().contains("`3%`"));
}

#[test]
fn limits_are_read() {
    assert_eq!(Limit::time_of("250 ns"), Ok(250.0));
    assert_eq!(Limit::time_of("1.5µs"), Ok(1500.0));
    assert_eq!(Limit::ratio_of("2 x baseline"), Ok(2.0));
    assert_eq!(Limit::ratio_of("1.05"), Ok(1.05));
    for bad in ["250", "250 parsecs", "0 ns", "ns", "-3 ns"] {
        assert!(Limit::time_of(bad).is_err(), "{bad}");
    }
    assert!(Limit::ratio_of("2 of them").is_err());
}

#[test]
fn slower_fails_from_the_size_that_was_named() {
    let rows = || vec![row("a", Verdict::Slower, 1.02, 0.005), row("b", Verdict::Same, 1.0, 0.002)];
    assert_eq!(judged(&["slower"], Vec::new(), rows()).exit_code(), ExitCode::GateFailed);
    assert_eq!(judged(&["slower:3%"], Vec::new(), rows()).exit_code(), ExitCode::Ok);
    assert_eq!(judged(&["faster"], Vec::new(), rows()).exit_code(), ExitCode::Ok);
    let violation = &judged(&["slower"], Vec::new(), rows()).failed[0];
    assert_eq!((violation.benchmark.as_str(), violation.rule.as_str()), ("g/a", "slower"));
    assert_eq!(violation.evidence, "ratio 1.020 [1.015, 1.025]");
}

#[test]
fn unclear_fails_only_when_it_is_asked_for() {
    let rows = || vec![row("a", Verdict::Unclear, 1.005, 0.01)];
    assert_eq!(judged(&["slower"], Vec::new(), rows()).exit_code(), ExitCode::Ok);
    assert_eq!(judged(&["slower", "unclear"], Vec::new(), rows()).exit_code(), ExitCode::GateUndecided);
    assert_eq!(judged(&["unclear:3%"], Vec::new(), rows()).exit_code(), ExitCode::Ok);
    assert_eq!(judged(&["unclear:1.2%"], Vec::new(), rows()).exit_code(), ExitCode::GateUndecided);
    let both = vec![row("a", Verdict::Unclear, 1.005, 0.01), row("b", Verdict::Slower, 1.1, 0.01)];
    assert_eq!(judged(&["slower", "unclear"], Vec::new(), both).exit_code(), ExitCode::GateFailed);
}

#[test]
fn a_limit_is_judged_on_the_safe_side() {
    let limit = || vec![Limit { pattern: "g/".into(), ratio: Some(1.05), ..Limit::default() }];
    let of = |ratio, rules: &[&str]| judged(rules, limit(), vec![row("a", Verdict::Slower, ratio, 0.01)]);
    assert_eq!(of(1.03, &[]).exit_code(), ExitCode::Ok);
    assert_eq!(of(1.07, &[]).exit_code(), ExitCode::GateFailed);
    let between = of(1.05, &[]);
    assert_eq!((between.exit_code(), between.notes.len()), (ExitCode::Ok, 1));
    assert_eq!(of(1.05, &["unclear:50%"]).exit_code(), ExitCode::GateUndecided);
}

#[test]
fn a_pattern_that_fits_nothing_is_noted() {
    let limits = vec![Limit { pattern: "prase".into(), ratio: Some(1.05), ..Limit::default() }];
    let judgement = judged(&[], limits, vec![row("a", Verdict::Same, 1.0, 0.01)]);
    assert_eq!(judgement.exit_code(), ExitCode::Ok);
    assert_eq!(judgement.notes[0].rule, "prase");
}

#[test]
fn a_rule_below_the_minimum_effect_is_found() {
    let gate = |rule: &str| Gate { rules: vec![rule.parse().expect("a rule")], ..Gate::default() };
    assert!(gate("slower:0.5%").too_fine(0.01).is_some());
    assert!(gate("slower:1%").too_fine(0.01).is_none());
    assert!(gate("slower").too_fine(0.01).is_none());
}

#[test]
fn what_was_not_measured_passes_no_gate() {
    let missing =
        Comparison { not_measured: vec!["g/slow".into()], ..comparison(vec![row("a", Verdict::Same, 1.0, 0.001)]) };
    let gate = Gate { rules: vec!["slower".parse().expect("a rule")], ..Gate::default() };
    let judgement = judge_comparison(&missing, None, &gate, fits);
    assert_eq!((judgement.failed.len(), judgement.undecided.len()), (0, 1));
    assert_eq!(judgement.undecided[0].benchmark, "g/slow");
    assert!(judge_comparison(&missing, None, &Gate::default(), fits).undecided.is_empty());
}

#[test]
fn different_results_are_charged_when_asked_for() {
    let mut differing = comparison(vec![row("a", Verdict::Same, 1.0, 0.001)]);
    let evidence = "g/a of `worktree`: returned `18`, the baseline `17`".into();
    differing.findings.push(Finding::new(Code::DifferentResults, Severity::Warning, evidence, ""));
    let failed = |rule: &str| {
        let gate = Gate { rules: vec![rule.parse().unwrap()], ..Gate::default() };
        judge_comparison(&differing, None, &gate, fits).failed
    };
    assert!(failed("slower").is_empty());
    let violations = failed("different");
    assert_eq!((violations.len(), violations[0].rule.as_str()), (1, "different"));
    assert!(violations[0].evidence.contains("returned `18`"), "{violations:?}");
}

#[test]
fn what_a_neighbour_may_have_added_exceeds_no_limit() {
    let mut builder = RunBuilder::new().with_windows();
    let case = builder.case("g", "a", false);
    twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
    for launch in &mut builder.run.launches {
        share(launch, 1.7, |_, _| true);
    }
    let report = crate::analyse(&builder.run());
    let failed = |most_ns: f64, rules: &[&str]| {
        let rules = rules.iter().map(|text| text.parse().expect("a rule")).collect();
        let limits = vec![Limit { pattern: "g/".into(), time_ns: Some(most_ns), ..Limit::default() }];
        let judgement = judge_report(&report, &Gate { rules, limits, ..Gate::default() }, fits);
        (judgement.failed.len(), judgement.undecided.len() + judgement.notes.len())
    };
    // It takes 170 ns beside the neighbour; alone it may take as little as 89.
    assert_eq!((failed(120.0, &[]), failed(80.0, &[]), failed(180.0, &[])), ((0, 1), (1, 0), (0, 0)));
}

#[test]
fn exact_counts_have_a_rule_and_a_threshold_of_their_own() {
    let count =
        |verdict, ratio| ComparisonRow { is_exact: true, minimum_effect: 1e-12, ..row("a", verdict, ratio, 0.0) };
    let more = || vec![count(Verdict::Slower, 1.002)];
    let failed = |rule: &str, rows| judged(&[rule], Vec::new(), rows).failed.len();
    assert_eq!((failed("counts", more()), failed("counts:0.2%", more()), failed("counts:0.3%", more())), (1, 1, 0));
    // For times and counts alike, `slower` uses the minimum effect.
    assert_eq!((failed("slower", more()), failed("slower", vec![count(Verdict::Slower, 1.02)])), (0, 1));
    let time = judged(&["counts"], Vec::new(), vec![row("a", Verdict::Slower, 1.5, 0.1)]);
    assert_eq!((time.failed.len(), time.undecided.len()), (0, 1), "a time is not a count");
    let varies = judged(&["counts"], Vec::new(), vec![count(Verdict::Unclear, 1.0)]);
    assert_eq!((varies.failed.len(), varies.undecided.len()), (0, 1));
}

#[test]
fn a_rule_about_limits_needs_one() {
    let of = |limits| judged(&["limit"], limits, vec![row("a", Verdict::Same, 1.0, 0.01)]);
    let undecided = of(Vec::new()).undecided;
    assert!(undecided.len() == 1 && undecided[0].evidence.contains("[limits]"), "{undecided:?}");
    assert!(of(vec![Limit { pattern: "a".into(), ratio: Some(2.0), ..Limit::default() }]).undecided.is_empty());
}

#[test]
fn an_interval_beyond_the_limit_passes_no_gate() {
    let of = |rule: &str, ratio, half| judged(&[rule], Vec::new(), vec![row("a", Verdict::Unclear, ratio, half)]);
    let undecided = |rule, ratio, half| of(rule, ratio, half).undecided.len();
    assert_eq!((undecided("slower", 4.0, 0.1), undecided("slower", 1.02, 0.02)), (1, 0));
    assert_eq!((undecided("slower:10%", 1.2, 0.05), undecided("slower:10%", 1.12, 0.05)), (1, 0));
    assert_eq!((undecided("faster", 0.25, 0.01), undecided("faster", 4.0, 0.1)), (1, 0));
}

#[test]
fn a_copy_passes_no_gate() {
    let of = |values: &[f64], new: &[f64], name: &str| {
        let mut copy = comparison(vec![row("a", Verdict::Unclear, 1.0, 0.1)]);
        copy.values.insert("a".into(), [vec![values.to_vec()], vec![new.to_vec()]]);
        copy.new.name = name.into();
        let gate = Gate { rules: vec!["slower".parse().expect("a rule")], ..Gate::default() };
        judge_comparison(&copy, None, &gate, fits).undecided.len()
    };
    let values = [100.1, 100.4, 100.2, 100.3];
    assert_eq!((of(&values, &values, "worktree"), of(&values, &values, "main")), (1, 0));
    assert_eq!((of(&values, &[100.1, 100.4, 100.2, 100.5], "worktree"), of(&[6.0; 8], &[6.0; 8], "worktree")), (0, 0));
}
