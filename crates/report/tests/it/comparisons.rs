//! Comparisons in every form, width and volume: look at the snapshots when they change.

use crate::compared;
use crate::forms::{comparison_markdown, comparison_screen};
use tare_analysis::{Comparison, ComparisonRow, CountRow, Design, FailedRow, Report, RowMetric, Verdict};
use tare_model::{Argument, Better, CommandLine, Concern};
use tare_report::{comparison_csv, comparison_json, width, Compared, Glyphs, Role, View, Volume};

fn of<'a>(comparison: &'a Comparison, report: Option<&'a Report>) -> Compared<'a> {
    Compared { comparison, report, judgement: None, top: None }
}

fn text(compared: &Compared, view: &View) -> String {
    let lines: Vec<String> = comparison_screen(compared, view).iter().map(|line| line.plain()).collect();
    lines.join("\n") + "\n"
}

fn check(name: &str, compared: &Compared, volume: Volume, widths: &[usize]) {
    for &columns in widths {
        for (glyphs, set) in [(Glyphs::Unicode, "unicode"), (Glyphs::Ascii, "ascii")] {
            let view = View { columns, glyphs, volume, saved: true };
            insta::assert_snapshot!(format!("{name}-{columns}-{set}"), text(compared, &view));
        }
    }
}

#[test]
fn screens() {
    let (everything, report) = (compared::everything(), compared::report());
    let all = of(&everything, Some(&report));
    check("everything", &all, Volume::Default, &[60, 80, 100, 120]);
    check("everything-verbose", &all, Volume::Verbose, &[80, 120]);
    check("everything-quiet", &all, Volume::Quiet, &[80]);
    check("top", &Compared { top: Some(1), ..all }, Volume::Default, &[100]);
    check("nothing-changed", &of(&compared::nothing_changed(), Some(&report)), Volume::Default, &[80]);
    check("saved", &of(&compared::saved(), None), Volume::Default, &[60, 100]);
    check("empty", &of(&compared::empty(), None), Volume::Default, &[80]);
}

#[test]
fn collections_are_shown_and_decide_nothing() {
    let mut comparison = compared::nothing_changed();
    let view = View { columns: 80, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };
    let before = text(&of(&comparison, None), &view);
    comparison.counted = vec![CountRow {
        key: "parse/json".to_owned(),
        name: "parse/json collections_0/op".to_owned(),
        metric: RowMetric { unit: "collections_0/op".to_owned(), base: 0.001, new: 0.002, better: Better::Lower },
        launches: [12, 12],
    }];
    let shown = text(&of(&comparison, None), &view);
    assert_eq!(shown.lines().next(), before.lines().next(), "the headline");
    assert!(shown.contains("counted, not judged (1)"), "{shown}");
    let row = shown.lines().find(|line| line.contains("collections_0/op")).expect("a row");
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["parse/json", "collections_0/op", "0.001000", "0.002000"]);
    // Zeros are not to be counted.
    comparison.counted[0].metric =
        RowMetric { base: 0.000_000_766_4, new: 0.0, ..comparison.counted[0].metric.clone() };
    let tiny = text(&of(&comparison, None), &view);
    let row = tiny.lines().find(|line| line.contains("collections_0/op")).expect("a row");
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["parse/json", "collections_0/op", "7.7e-7", "0"]);
    comparison.counted[0].metric = RowMetric { base: 0.001, new: 0.002, ..comparison.counted[0].metric.clone() };
    let csv = comparison_csv(&comparison);
    let row = csv.lines().find(|line| line.contains(",counted,")).expect("a row");
    assert!(row.contains(",collections_0/op,0.001,0.002,"), "{row}");
    assert!(comparison_json(&of(&comparison, None)).contains("\"collections_0/op\""));
}

#[test]
fn a_headline_counts_benchmarks_and_names_their_rows() {
    let of_metric = |time: &ComparisonRow, verdict: Verdict| ComparisonRow {
        key: format!("{} B/op", time.key),
        metric: Some(RowMetric { unit: "B/op".into(), base: 8.0, new: 16.0, better: Better::Lower }),
        verdict,
        ..time.clone()
    };
    let shown = |rows: Vec<ComparisonRow>| {
        let comparison = compared::comparison(Design::Interleaved, rows);
        let view = View { columns: 80, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };
        text(&of(&comparison, None), &view).lines().next().unwrap_or_default().to_owned()
    };
    let [one, two] = ["a/one", "a/two"].map(|name| compared::row(name, Verdict::Unclear, 100.0, 1.0, 0.1));
    let metric = of_metric(&one, Verdict::Unclear);
    assert_eq!(shown(vec![one.clone(), two.clone()]), "UNCLEAR  all 2 benchmarks");
    assert_eq!(shown(vec![one.clone(), metric, two.clone()]), "UNCLEAR  all 2 benchmarks (3 rows)");
    let slower = of_metric(&one, Verdict::Slower);
    assert_eq!(shown(vec![one.clone(), slower, two]), "SLOWER  1 of 2 benchmarks (1 of 3 rows)");
    let metric = of_metric(&one, Verdict::Unclear);
    assert_eq!(shown(vec![one, metric]), "UNCLEAR  1 benchmark compared (2 rows)");
}

#[test]
fn a_run_that_was_stopped_is_gone_on_with() {
    let (comparison, mut report) = (compared::everything(), compared::report());
    report.status = tare_model::RunStatus::Interrupted;
    report.run = "7f3a21bc".to_owned();
    report.is_comparison = true;
    let output = Argument::value("--output", "x.md", Concern::Output);
    report.request = ["main", "worktree"]
        .into_iter()
        .map(Argument::word)
        .fold(CommandLine::new("compare"), CommandLine::with)
        .with(output);
    let view = View { columns: 80, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };
    report.launches = tare_analysis::LaunchCount { made: 4, planned: Some(12) };
    let shown = text(&of(&comparison, Some(&report)), &view);
    assert!(shown.contains("\ninterrupted: 4 of 12 launches\n"), "{shown}");
    assert!(shown.ends_with("next: tare compare --resume 7f3a21bc --output x.md\n"));
}

#[test]
fn what_holds_for_every_screen() {
    let report = compared::report();
    let all = [compared::everything(), compared::nothing_changed(), compared::saved(), compared::empty()];
    for comparison in &all {
        for volume in [Volume::Quiet, Volume::Default, Volume::Verbose] {
            for columns in [20, 40, 60, 80, 120] {
                let view = View { columns, glyphs: Glyphs::Unicode, volume, saved: true };
                let lines = comparison_screen(&of(comparison, Some(&report)), &view);
                let has_word = |line: &tare_report::Line| line.plain().starts_with(char::is_uppercase);
                assert!(has_word(&lines[0]), "the verdict stands first: {}", lines[0].plain());
                for line in &lines {
                    let has_command = line.spans.iter().any(|s| s.role == Role::Command);
                    let fits = has_command || columns < 60 || width(&line.plain()) <= columns;
                    assert!(fits, "{columns} columns: {}", line.plain());
                    assert!(!line.plain().chars().any(char::is_control), "{}", line.plain());
                }
            }
        }
    }
}

#[test]
fn files() {
    let (everything, report, judgement) = (compared::everything(), compared::report(), compared::judgement());
    let all = Compared { judgement: Some(&judgement), ..of(&everything, Some(&report)) };
    insta::assert_snapshot!("markdown", comparison_markdown(&all, Glyphs::Unicode));
    insta::assert_snapshot!("markdown-saved", comparison_markdown(&of(&compared::saved(), None), Glyphs::Ascii));
    insta::assert_snapshot!("csv", comparison_csv(&everything).replace('\r', ""));
    insta::assert_snapshot!("json", comparison_json(&all));
}

#[test]
fn markdown_folds_what_did_not_change() {
    let everything = compared::everything();
    let text = comparison_markdown(&of(&everything, None), Glyphs::Unicode);
    let (open, folded) = text.split_once("<details>").expect("something is folded");
    assert!(open.starts_with("### SLOWER: 2 of 7 benchmarks; 1 failed\n"));
    assert!(open.contains("parse/json-large") && !open.contains("hash/fnv") && folded.contains("hash/fnv"));
    let bare: String = text.split("``").step_by(2).collect();
    assert!(!bare.contains("<b>") && !text.contains('\x1b'), "names of others are no markup");
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
}

#[test]
fn a_benchmark_that_fails_on_both_sides_is_one_that_failed() {
    let mut comparison = compared::everything();
    let base = FailedRow { side: 0, ..comparison.failed[0].clone() };
    comparison.failed.push(base);
    let text = comparison_markdown(&of(&comparison, None), Glyphs::Unicode);
    assert!(text.starts_with("### SLOWER: 2 of 7 benchmarks; 1 failed\n"), "{text}");
    assert!(text.contains("io/net of `main`") && text.contains(", failed 1, "), "{text}");
}

#[test]
fn a_crash_on_one_side_is_told_in_the_words_of_its_language() {
    let mut comparison = compared::everything();
    let hint_of = |comparison: &Comparison| {
        let text = comparison_markdown(&of(comparison, None), Glyphs::Unicode);
        text.lines().find(|line| line.contains("SIGSEGV")).map(str::to_owned).expect("it failed")
    };
    assert!(hint_of(&comparison).contains("-fsanitize=address"), "{}", hint_of(&comparison));
    for language in ["c#", "rust", ""] {
        comparison.failed[0].language = language.to_owned();
        let hint = hint_of(&comparison);
        assert!(hint.contains("debugger") && !hint.contains("-fsanitize"), "{language}: {hint}");
    }
}

#[test]
fn all_are_not_all_where_some_were_not_compared() {
    let cut = Comparison { not_measured: vec!["io/disk".into()], ..compared::nothing_changed() };
    let text = comparison_markdown(&of(&cut, None), Glyphs::Unicode);
    assert!(text.starts_with("### SAME within 0.5 %: all 2 compared benchmarks\n"), "{text}");
}

#[test]
fn csv_rows_have_as_many_fields_as_names() {
    for comparison in [compared::everything(), compared::saved(), compared::empty()] {
        let csv = comparison_csv(&comparison);
        let mut rows = csv.split_terminator("\r\n").map(|row| crate::files::fields(row).len());
        let names = rows.next().expect("a line of names");
        assert_eq!(names, 28);
        assert!(rows.all(|fields| fields == names));
    }
}

#[test]
fn json_is_versioned_and_names_the_gate() {
    let (everything, judgement) = (compared::everything(), compared::judgement());
    let all = Compared { judgement: Some(&judgement), ..of(&everything, None) };
    let value: serde_json::Value = serde_json::from_str(&comparison_json(&all)).expect("JSON");
    assert_eq!((&value["format"], &value["version"]), (&"tare-comparison".into(), &"1.0".into()));
    assert_eq!((&value["verdict"], &value["counts"]["slower"]), (&"slower".into(), &2.into()));
    assert_eq!((&value["gate"]["passed"], &value["gate"]["exit_code"]), (&false.into(), &10.into()));
    assert_eq!(value["comparison"]["rows"].as_array().map(Vec::len), Some(7));
}

#[test]
fn who_used_the_core_stands_above_the_tables() {
    let comparison = compared::everything();
    let report = crate::reports::beside_a_neighbour();
    let shown = |columns: usize| {
        let view = View { columns, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };
        let all = text(&of(&comparison, Some(&report)), &view);
        all.lines().skip_while(|line| !line.starts_with("core")).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let (used, times) =
        ("core  others used the core 59 % of the time", "times exclude that, with exceptions: see `core-shared`");
    assert_eq!(shown(120)[0], format!("{used}; {times}"));
    assert_eq!(shown(80), [used.to_owned(), format!("      {times}")]);
    let json: serde_json::Value =
        serde_json::from_str(&comparison_json(&of(&comparison, Some(&report)))).expect("JSON");
    assert_eq!(json["core"]["cases_alone"], 2);
}
