//! Every screen as a snapshot: look at them when they change.

use crate::forms::{markdown, screen};
use crate::mock::{self, Mock};
use crate::reports;
use tare_analysis::{Code, Severity};
use tare_analysis::{CoreUse, LaunchCount, Report};
use tare_report::{Glyphs, View, Volume};

pub fn text(report: &Report, view: &View) -> String {
    let lines: Vec<String> = screen(report, view).iter().map(|line| line.plain()).collect();
    lines.join("\n") + "\n"
}

fn check(name: &str, report: &Report, volume: Volume, widths: &[usize]) {
    for &columns in widths {
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            let view = View { columns, glyphs, volume, saved: true };
            let glyphs = if glyphs == Glyphs::Unicode { "unicode" } else { "ascii" };
            insta::assert_snapshot!(format!("{name}-{columns}-{glyphs}"), text(report, &view));
        }
    }
}

#[test]
fn everything() {
    check("everything", &reports::everything(), Volume::Default, &[60, 80, 100, 120]);
}

#[test]
fn simple() {
    check("simple", &reports::simple(), Volume::Default, &[60, 80, 100]);
}

#[test]
fn beside_a_neighbour() {
    check("neighbour", &reports::beside_a_neighbour(), Volume::Default, &[60, 80, 120]);
    check("neighbour-verbose", &reports::beside_a_neighbour(), Volume::Verbose, &[60, 80, 120]);
}

#[test]
fn a_core_that_is_hardly_ever_shared_is_told_with_v_alone() {
    let mut report = reports::beside_a_neighbour();
    report.findings.clear();
    report.core.as_mut().expect("judged").alone_share = 0.97;
    report.cases.truncate(2);
    report.groups[0].cases.truncate(2);
    let shown = |volume| text(&report, &View { columns: 120, glyphs: Glyphs::Unicode, volume, saved: true });
    assert!(!shown(Volume::Default).contains("others"), "{}", shown(Volume::Default));
    let line = "core      used by others in 3.0 % of 8640 windows";
    assert!(shown(Volume::Verbose).contains(line), "{}", shown(Volume::Verbose));
}

#[test]
fn a_header_says_that_nothing_is_corrected() {
    let mut report = reports::simple();
    let said = |report: &Report| {
        let view = View { columns: 120, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };
        text(report, &view).contains("times not corrected for clock and neighbour")
    };
    assert!(!said(&report));
    for case in &mut report.cases {
        if let tare_analysis::Outcome::Measured(estimates) = &mut case.outcome {
            (estimates.at_reference_clock, estimates.core) = (false, None);
        }
    }
    assert!(said(&report));
}

#[test]
fn what_the_header_says_of_the_core() {
    let header = |of: [CoreUse; 3], columns: usize| {
        let mut report = reports::beside_a_neighbour();
        for (case, times) in report.cases.iter_mut().zip(of) {
            let tare_analysis::Outcome::Measured(estimates) = &mut case.outcome else { panic!("measured") };
            let core = estimates.core.as_mut().expect("judged");
            (core.times, core.alone_share) = (times, 0.4);
        }
        let view = View { columns, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };
        let screen = text(&report, &view);
        let parts = screen.lines().take_while(|line| !line.is_empty()).flat_map(|line| line.split("; "));
        parts.skip_while(|part| !part.contains("the core")).take(2).collect::<Vec<_>>().join(": ")
    };
    let (alone, any) = (CoreUse::Alone, CoreUse::Any);
    for columns in [60, 80, 120] {
        let (used, of) = ("others used the core 59 % of the time", |times| header(times, columns));
        assert_eq!(of([alone; 3]), format!("{used}: times exclude that"));
        assert_eq!(of([any; 3]), format!("{used}: times include that"));
        assert_eq!(of([alone, any, any]), format!("{used}: times exclude that, except 2 marked `shared`"));
    }
}

#[test]
fn many_cases_that_were_not_measured_are_one_line() {
    let mut report = reports::simple();
    let mut missing = report.cases[0].clone();
    missing.outcome = tare_analysis::Outcome::NotMeasured;
    let cases = report.cases.len() as u32;
    let shown =
        |report: &Report, volume| text(report, &View { columns: 120, glyphs: Glyphs::Unicode, volume, saved: true });
    for (at, count) in [(20, 20), (21, 0)] {
        for case in report.cases.len() as u32..cases + at {
            missing.case = case;
            report.cases.push(missing.clone());
            report.groups[0].cases.push(case);
        }
        let screen = shown(&report, Volume::Default);
        assert_eq!(screen.matches("not measured: ").count(), count, "{screen}");
        assert_eq!(
            screen.contains(&format!("{at} of {} cases were not measured, since ", cases + at)),
            count == 0,
            "{screen}"
        );
        assert_eq!(shown(&report, Volume::Verbose).matches("not measured: ").count(), at as usize);
    }
}

#[test]
fn long_names_are_short_in_sentences_and_commands() {
    let mut report = reports::everything();
    let long = "x".repeat(5000);
    for case in &mut report.cases {
        case.name = format!("{}{long}\u{1b}\nend", case.name);
    }
    for volume in [Volume::Quiet, Volume::Default] {
        let screen = text(&report, &View { columns: 120, glyphs: Glyphs::Unicode, volume, saved: true });
        assert!(screen.lines().all(|line| line.chars().count() <= 200), "{screen}");
        assert!(screen.contains("x…x"), "{screen}");
    }
}

#[test]
fn compared() {
    check("compared", &reports::compared(), Volume::Default, &[80, 100]);
}

#[test]
fn verbose() {
    check("verbose", &reports::simple(), Volume::Verbose, &[60, 100]);
}

#[test]
fn quiet() {
    check("quiet", &reports::everything(), Volume::Quiet, &[80, 120]);
}

#[test]
fn interrupted() {
    let mut report = reports::simple();
    report.status = tare_model::RunStatus::Interrupted;
    report.launches = LaunchCount { made: 24, planned: Some(36) };
    report.cases[2].outcome = tare_analysis::Outcome::NotMeasured;
    check("interrupted", &report, Volume::Default, &[80]);
}

#[test]
fn results_that_may_differ_are_told_to_those_who_ask() {
    let mut report = reports::simple();
    let evidence = "returned `18`, the baseline returned `17`";
    report.findings = vec![crate::mock::finding(Code::DifferentResults, Severity::Note, Some(1), evidence, "", None)];
    let shown = |volume| text(&report, &View { columns: 120, glyphs: Glyphs::Unicode, volume, saved: true });
    // Counted as everywhere, and told to those who ask.
    let default = shown(Volume::Default);
    assert!(default.contains("\n1 finding: `tare show "), "{default}");
    assert!(!default.contains("different-results"), "{default}");
    assert!(shown(Volume::Verbose).contains(evidence));
    assert!(markdown(&report, Glyphs::Unicode).contains("different-results"));
    report.findings[0].severity = Severity::Warning;
    assert!(text(&report, &View { columns: 120, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true })
        .contains(evidence));
}

#[test]
fn a_finding_about_several_cases_marks_their_rows() {
    let mut report = reports::simple();
    report.findings =
        vec![crate::mock::finding(Code::Drift, Severity::Warning, None, "2 cases: a: x; also b", "", None)];
    let view = View { columns: 120, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };
    let marked = |report: &Report| text(report, &view).lines().filter(|line| line.ends_with('!')).count();
    assert_eq!(marked(&report), 0);
    report.findings[0].cases = vec![0, 2];
    assert_eq!(marked(&report), 2);
}

#[test]
fn a_larger_minimum_effect_of_tiny_bodies_is_told() {
    let mut report = reports::simple();
    let view = View { columns: 120, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };
    assert!(!text(&report, &view).contains("below 2 ns"));
    let tare_analysis::Outcome::Measured(estimates) = &mut report.cases[1].outcome else { panic!("measured") };
    estimates.ratio.as_mut().expect("compared").minimum_effect = 0.25;
    assert!(text(&report, &view).contains("minimum effect 1 % (up to 25.0 % below 2 ns)"));
}

/// Benchmarks that have nothing to do with each other have parameters of their own, which would make a wide table that is empty for
/// the most part, with its values cut to nothing.
#[test]
fn rows_without_a_group_go_by_their_full_names() {
    let case = |group, name, parameters, value| {
        let mock = Mock { group, name, language: "rust", parameters };
        mock.case(mock::outcome(mock::measured(value, 0.004)))
    };
    let report = mock::report(vec![
        case("", "sum", &[("n", "10")], 4.2),
        case("", "sum", &[("n", "1000")], 420.0),
        case("", "push", &[("T", "alloc::vec::Vec<String>"), ("capacity", "16")], 31.0),
        case("", "push", &[("T", "VecDeque<String>"), ("capacity", "16")], 38.0),
        case("", "plain", &[], 2.0),
        case("parse", "fast", &[("text", "a long text"), ("kind", "utf-8")], 9.0),
        case("parse", "slow", &[("bytes", "64")], 12.0),
        case("sort", "own", &[("n", "10"), ("kind", "random")], 100.0),
        case("sort", "own", &[("n", "20"), ("kind", "sorted")], 200.0),
    ]);
    check("full-names", &report, Volume::Default, &[60, 80, 120]);
    let shown = text(&report, &View { columns: 80, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true });
    for whole in ["sum[n=1000]", "push[T=VecDeque<String>, capacity=16]", "slow[bytes=64]", "  own  10  random"] {
        assert!(shown.contains(whole), "{whole}\n{shown}");
    }
}

/// Verdicts of the others, decided or not, are no reason to leave out what there was no time for.
#[test]
fn what_was_not_measured_for_lack_of_time_is_measured_next() {
    let mut report = reports::simple();
    report.cases[2].outcome = tare_analysis::Outcome::NotMeasured;
    let again = Some(tare_analysis::Again::new(tare_analysis::How::WithoutBudget));
    report.findings = vec![crate::mock::finding(Code::OutOfTime, Severity::Warning, None, "the budget", "", again)];
    for verdict in [tare_analysis::Verdict::Faster, tare_analysis::Verdict::Unclear] {
        let tare_analysis::Outcome::Measured(estimates) = &mut report.cases[1].outcome else { panic!("measured") };
        estimates.ratio.as_mut().expect("compared").verdict = verdict;
        let shown =
            text(&report, &View { columns: 120, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true });
        assert!(shown.ends_with("\nnext: tare run bench.cpp --budget none\n"), "{shown}");
    }
}
