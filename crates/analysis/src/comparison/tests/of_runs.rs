//! A run of Tare as a side.

use crate::comparison::compare_saved;
use crate::findings::common::{share, twelve_launches, RunBuilder};
use crate::gate::{judge_comparison, Gate, Limit};
use crate::saved::{fact, Saved, SavedCase, SavedDesign, SavedOptions};
use crate::verdict::Verdict;
use tare_model::{ExitCode, Run};

fn run(text: &str) -> Run {
    serde_json::from_str(text).expect("a run")
}

fn first() -> Run {
    run(include_str!("../../../../../fixtures/foreign/tare-run-1.json"))
}

fn second() -> Run {
    run(include_str!("../../../../../fixtures/foreign/tare-run-2.json"))
}

#[test]
fn the_values_are_those_that_the_run_shows() {
    let saved = Saved::from_run(&first());
    let report = crate::analyse(&first());
    for (case, reported) in saved.cases.iter().zip(&report.cases) {
        let crate::Outcome::Measured(estimates) = &reported.outcome else { panic!("measured") };
        assert_eq!((&case.key, case.design), (&reported.key, SavedDesign::Launches));
        assert_eq!(case.launches.len(), estimates.launches.len());
        for (values, launch) in case.launches.iter().zip(&estimates.launches) {
            let logs: Vec<f64> = values.iter().map(|v| v.ln()).collect();
            let value = tare_stats::location::centre(&logs).expect("visits").exp();
            assert!((value / launch.raw_ns - 1.0).abs() < 1e-9);
        }
    }
    assert_eq!(saved.machine[fact::CLOCK], "reference, 4.002 GHz");
    assert_eq!(saved.cases[0].reference_cycle_ns, Some(0.249847412109375));
}

#[test]
fn two_runs_of_the_same_code_are_the_same() {
    let (base, new) = (Saved::from_run(&first()), Saved::from_run(&second()));
    let comparison = compare_saved(&base, &new, &SavedOptions::default());
    assert_eq!(comparison.rows.iter().map(|r| r.verdict).collect::<Vec<_>>(), [Verdict::Same; 2]);
    assert!(comparison.rows[0].base_ns.is_some_and(|ns| (7.4..7.5).contains(&ns)), "without the loop");
    assert!(comparison.findings.is_empty(), "{:?}", comparison.findings);
}

#[test]
fn a_run_at_the_wall_clock_is_not_at_the_reference() {
    let mut wall = second();
    wall.plan.policy.clocking = tare_model::Clocking::Wall;
    let comparison = compare_saved(&Saved::from_run(&first()), &Saved::from_run(&wall), &SavedOptions::default());
    assert!(comparison.rows.iter().all(|r| r.verdict == Verdict::Unclear && r.certified_margin.is_none()));
    assert!(comparison.findings.iter().any(|f| f.code.name() == "other-clock"));
}

/// A case of 10 ns on a machine where other programs take the processor away in most visits, or in none.
fn shared_machine(is_busy: bool) -> Saved {
    let mut builder = RunBuilder::new();
    let case = builder.case("g", "a", false);
    twelve_launches(&mut builder, case, 10.0, |_, _, _| 0.0);
    if is_busy {
        for launch in &mut builder.run.launches {
            let elapsed = &mut launch.series[0].columns.elapsed_ns;
            elapsed.iter_mut().skip(4).for_each(|ns| *ns += 5e6);
        }
    }
    Saved::from_run(&builder.run())
}

#[test]
fn two_runs_are_compared_in_one_kind_of_time() {
    let (quiet, busy) = (shared_machine(false), shared_machine(true));
    assert_eq!((quiet.cases[0].quantity.as_str(), busy.cases[0].quantity.as_str()), ("wall time", "CPU time"));
    for (base, new) in [(&quiet, &busy), (&busy, &quiet)] {
        let comparison = compare_saved(base, new, &SavedOptions::default());
        assert_eq!((comparison.rows.len(), comparison.not_measured.len()), (1, 0), "{:?}", comparison.findings);
        assert!((comparison.rows[0].ratio - 1.0).abs() < 0.01, "{}", comparison.rows[0].ratio);
    }
    // A merge of several runs keeps both.
    let merged = Saved::merge("both", vec![quiet.clone(), shared_machine(false)]).expect("a side");
    assert_eq!(merged.cases[0].otherwise.as_ref().map(|c| c.quantity.as_str()), Some("CPU time"));
}

#[test]
fn what_a_run_had_no_time_for_passes_no_gate() {
    let mut builder = RunBuilder::new();
    for name in ["a", "b"] {
        let case = builder.case("g", name, false);
        if name == "a" {
            twelve_launches(&mut builder, case, 10.0, |_, _, _| 0.0);
        }
    }
    let part = Saved::from_run(&builder.run());
    let mut whole = part.clone();
    whole.cases[1].launches = whole.cases[0].launches.clone();
    let comparison = compare_saved(&whole, &part, &SavedOptions::default());
    assert_eq!((comparison.rows.len(), &comparison.not_measured[..]), (1, &["g/b".to_owned()][..]));
    let limit = Limit { pattern: "g/b".into(), time_ns: Some(1e9), ..Limit::default() };
    let rules = vec!["slower:20%".parse().expect("a rule")];
    let gate = Gate { rules, limits: vec![limit], ..Gate::default() };
    let judgement = judge_comparison(&comparison, None, &gate, |pattern, name| pattern == name);
    assert_eq!((judgement.exit_code(), judgement.undecided.len()), (ExitCode::GateUndecided, 2), "{judgement:?}");
}

/// Twelve launches of 100 ns of wall time on a core with cycles of `cycle_ns`; the reference clock has 0.25 ns.
fn session_at(cycle_ns: f64) -> Saved {
    shown_at(0.25, 100.0, cycle_ns)
}

/// Twelve launches of `ns` of wall time at cycles of `cycle_ns`, with this reference.
fn shown_at(reference_cycle_ns: f64, ns: f64, cycle_ns: f64) -> Saved {
    let mut builder = RunBuilder::new().with_probe();
    builder.run.environment_mut().clock_reference =
        Some(tare_model::ClockReference { cycle_ns: reference_cycle_ns, source: "machine profile".to_owned() });
    let machine = builder.run.environment_mut();
    (machine.cpu, machine.processors) = ("One".to_owned(), 2);
    machine.architecture = "x86_64".to_owned();
    let case = builder.case("g", "a", false);
    twelve_launches(&mut builder, case, ns, |_, _, _| 0.0);
    for series in builder.run.launches.iter_mut().flat_map(|l| &mut l.series) {
        for probe in series.columns.probe_before_ns.iter_mut().chain(&mut series.columns.probe_after_ns) {
            *probe *= cycle_ns / 0.25;
        }
    }
    Saved::from_run(&builder.run())
}

#[test]
fn equal_wall_times_at_different_clocks_get_no_word() {
    for (base, new) in [(0.25, 0.275), (0.275, 0.25), (0.2375, 0.2625)] {
        let (base, new) = (session_at(base), session_at(new));
        let row = &compare_saved(&base, &new, &SavedOptions::default()).rows[0];
        assert_eq!(row.verdict, Verdict::Unclear, "{row:?}");
        assert!(row.interval.is_some_and(|i| i.lower < 1.0 && i.upper > 1.0), "{row:?}");
        assert!(row.p.is_some_and(|p| p > 0.05), "{row:?}");
    }
    // Equal deviations of the clocks hide nothing.
    let row = &compare_saved(&session_at(0.26), &session_at(0.26), &SavedOptions::default()).rows[0];
    assert_eq!(row.verdict, Verdict::Same, "{row:?}");
}

#[test]
fn a_profile_that_moved_between_two_runs_changes_no_verdict() {
    let options = SavedOptions::default();
    let row = |base: &Saved, new: &Saved| compare_saved(base, new, &options).rows[0].clone();
    let (old, new) = (shown_at(0.25, 100.0, 0.26), shown_at(0.25, 100.0, 0.26));
    let moved = shown_at(0.27, 100.0, 0.26);
    let expected = row(&old, &shown_at(0.25, 100.0, 0.26));
    for (base, new) in [(&old, &moved), (&moved, &new)] {
        let comparison = compare_saved(base, new, &options);
        let found = &comparison.rows[0];
        assert!((found.ratio / expected.ratio - 1.0).abs() < 1e-9, "{found:?}");
        assert_eq!(found.verdict, Verdict::Same);
        assert!(comparison.findings.iter().all(|f| f.code.name() != "other-clock"), "{:?}", comparison.findings);
    }
    // The base is shown at the same clock too.
    let found = row(&old, &moved);
    assert!(found.base_ns.zip(found.new_ns).is_some_and(|(a, b)| (a / b - 1.0).abs() < 1e-9), "{found:?}");
    // A side at the other end of the move is as uncertain as if it had been shown there from the start.
    let (before, at_once) = (shown_at(0.25, 100.0, 0.24), shown_at(0.27, 100.0, 0.24));
    let (a, b) = (row(&before, &moved), row(&at_once, &moved));
    assert_eq!(a.interval.map(|i| (i.lower * 1e9).round()), b.interval.map(|i| (i.lower * 1e9).round()));
    // Another machine has a clock of its own.
    let mut elsewhere = old.clone();
    elsewhere.machine.insert(fact::CPU.to_owned(), "Two".to_owned());
    assert!(compare_saved(&elsewhere, &moved, &options).findings.iter().any(|f| f.code.name() == "other-clock"));
}

#[test]
fn runs_before_and_after_a_move_of_the_profile_are_merged_at_one_clock() {
    let parts = vec![shown_at(0.25, 100.0, 0.25), shown_at(0.27, 100.5, 0.25)];
    let merged = Saved::merge("both", parts).expect("a side");
    assert_eq!(merged.cases[0].reference_cycle_ns, Some(0.25));
    let values: Vec<f64> = merged.cases[0].launches.iter().flatten().copied().collect();
    assert!(values.iter().all(|ns| (97.0..104.0).contains(ns)), "as they were, and not 8 % off: {values:?}");
    assert_eq!(merged.machine[fact::CLOCK], "reference, 4.000 GHz");
    assert!(merged.findings.is_empty(), "{:?}", merged.findings);
}

/// A case of 100 ns with a neighbour in `in_ten` of ten visits who slows it by a factor of 1.7.
fn beside_a_neighbour(in_ten: usize, ns: f64) -> Saved {
    let mut builder = RunBuilder::new().with_windows();
    let case = builder.case("g", "a", false);
    twelve_launches(&mut builder, case, ns, |_, _, _| 0.0);
    for launch in &mut builder.run.launches {
        share(launch, 1.7, |visit, _| visit % 10 < in_ten);
    }
    Saved::from_run(&builder.run())
}

#[test]
fn times_alone_on_the_core_are_compared_however_much_it_was_shared() {
    let (base, new) = (beside_a_neighbour(2, 100.0), beside_a_neighbour(7, 100.0));
    let comparison = compare_saved(&base, &new, &SavedOptions::default());
    assert!(comparison.findings.iter().all(|f| f.code.name() != "core-shared"), "{:?}", comparison.findings);
    assert!((comparison.rows[0].ratio - 1.0).abs() < 0.01, "{}", comparison.rows[0].ratio);
}

#[test]
fn times_alone_and_times_of_all_windows_are_never_one_ratio() {
    let (alone, shared) = (beside_a_neighbour(5, 100.0), beside_a_neighbour(10, 100.0));
    assert!(alone.cases[0].is_alone() && !shared.cases[0].is_alone());
    for (base, new) in [(&alone, &shared), (&shared, &alone)] {
        let comparison = compare_saved(base, new, &SavedOptions::default());
        let row = &comparison.rows[0];
        assert_eq!(row.verdict, Verdict::Unclear, "the neighbour alone explains it: {row:?}");
        // The base is at each of two speeds half of the time; its mean is 130, and the trimmed mean of logs about the same.
        let ratio = row.ratio.max(1.0 / row.ratio);
        assert!((1.15..1.45).contains(&ratio), "{ratio}");
        let reported: Vec<&str> =
            comparison.findings.iter().map(|f| f.code.name()).filter(|c| *c == "core-shared").collect();
        assert_eq!(reported.len(), 1, "{:?}", comparison.findings);
    }
    let comparison = compare_saved(&alone, &shared, &SavedOptions::default());
    let finding = comparison.findings.iter().find(|f| f.code.name() == "core-shared").expect("it is reported");
    assert!(
        finding
            .evidence
            .to_string()
            .starts_with("others used the core up to 58 % of the time on the base and 100 % on the new side, so"),
        "{}",
        finding.evidence
    );
}

#[test]
fn a_change_that_no_neighbour_explains_is_found_all_the_same() {
    let comparison =
        compare_saved(&beside_a_neighbour(10, 100.0), &beside_a_neighbour(10, 300.0), &SavedOptions::default());
    assert_eq!(comparison.rows[0].verdict, Verdict::Slower);
}

#[test]
fn a_run_without_windows_is_compared_with_all_windows() {
    let alone = beside_a_neighbour(0, 100.0);
    let old = shared_machine(false);
    let old = Saved { cases: vec![SavedCase { key: alone.cases[0].key.clone(), ..old.cases[0].clone() }], ..old };
    let comparison = compare_saved(&old, &alone, &SavedOptions::default());
    let reported: Vec<_> = comparison.findings.iter().filter(|f| f.code.name() == "core-shared").collect();
    assert_eq!((reported.len(), reported[0].severity), (1, crate::Severity::Note));
    assert!(
        reported[0]
            .evidence
            .to_string()
            .starts_with("all windows are compared, because one side has no times alone on the core: "),
        "{reported:?}"
    );
}

#[test]
fn runs_of_one_side_are_merged_in_one_kind_of_time() {
    let parts = vec![beside_a_neighbour(5, 100.0), beside_a_neighbour(10, 100.0)];
    let merged = Saved::merge("x", parts).expect("two parts");
    let case = &merged.cases[0];
    assert_eq!((case.launches.len(), case.is_alone()), (24, false));
    let core = case.core.expect("judged");
    assert!((core.alone_share - 0.21).abs() < 0.01, "{core:?}");
    let parts = vec![beside_a_neighbour(5, 100.0), beside_a_neighbour(4, 101.0)];
    let merged = Saved::merge("x", parts).expect("two parts");
    let all = merged.cases[0].all_windows.as_ref().expect("both have it");
    assert_eq!((merged.cases[0].is_alone(), merged.cases[0].launches.len(), all.launches.len()), (true, 24, 24));
}
