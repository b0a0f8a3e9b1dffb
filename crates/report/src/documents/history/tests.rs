//! A made-up history in every form.

use crate::elements::document::{View, Volume};
use crate::exporters::{Exporter, Rendered, EXPORTERS};
use crate::subjects::presentation::Presentation;
use crate::subjects::HistorySubject;
use crate::words::text::Glyphs;
use tare_analysis::history::{
    history, History, HistoryBase, HistoryFailure, HistoryMachine, HistoryOptions, HistoryPoint, HistoryRun, Kept,
    NamedRun, OtherMachine,
};
use tare_stats::interval::Interval;

fn machine(cpu: &str) -> HistoryMachine {
    HistoryMachine { cpu: cpu.into(), processors: 4, architecture: "x86_64".into() }
}

fn around(value: f64) -> Interval {
    Interval { lower: value * 0.997, upper: value * 1.003 }
}

fn point(name: &str, at: usize, time_ns: f64, ratio: Option<f64>) -> Kept {
    let base = ratio.map(|ratio| HistoryBase {
        name: "parse/strtol".into(),
        identity: "case parse/strtol".into(),
        ratio,
        interval: around(ratio),
    });
    let point = HistoryPoint {
        key: name.into(),
        name: name.into(),
        job: String::new(),
        compiler: if at < 12 { "gcc 12.2" } else { "gcc 13.1" }.into(),
        flags: "-O2".into(),
        time_ns: Some(time_ns),
        interval: Some(around(time_ns)),
        is_cpu_time: false,
        is_shared: at == 5,
        at_reference: true,
        base,
    };
    Kept { run: at, point }
}

/// 18 runs: one benchmark becomes slower with the thirteenth, the other has a hostile name.
fn made_up() -> History {
    let run = |at: usize| HistoryRun {
        run: format!("{:08x}", 0x7f3a_2100 + at),
        created: format!("2026-01-{:02}T04:05:06Z", at + 1),
        tare: "0.1.0".into(),
        method: "waves-2".into(),
        machine: machine("AMD EPYC 7763"),
        revision: Some(format!("{:08x}{}", 0x4f2c_1a00 + at, "0".repeat(32))),
        dirty: at == 3,
        cycle_ns: Some(0.25),
        minimum_effect: 0.01,
        ..HistoryRun::default()
    };
    let noise = |at: usize| 1.0 + 0.002 * [0.3, -0.8, 0.5, 0.1, -0.4, 0.9, -0.2][at % 7];
    let slower = |at: usize| if at < 12 { 0.5 } else { 0.55 };
    let kept = (0..18).flat_map(|at| {
        let base = 9.41 * noise(at);
        [
            point("parse/strtol", at, base, None),
            point("parse/from_chars", at, base * slower(at), Some(slower(at) * noise(at + 3))),
            point("<img src=x>|=1+1\u{202e}", at, 1200.0 * noise(at + 5), None),
        ]
    });
    let mut found = history((0..18).map(run).collect(), kept.collect(), &HistoryOptions::default());
    found.older = 4;
    found.others.push(OtherMachine { machine: machine("Intel Xeon"), runs: 2 });
    found.baselines.push(NamedRun { name: "main".into(), run: 2 });
    found
}

fn rendered(form: &str, columns: usize, glyphs: Glyphs, is_detailed: bool, history: &History) -> String {
    let view = View { columns, glyphs, volume: Volume::Default, saved: true };
    let form = Exporter::of_name(form).expect("a form");
    let subject = Box::new(HistorySubject { history, is_detailed });
    let attached = Default::default();
    let shown = Presentation { subject, view, top: None, has_history: true, md_limit: None, judgement: None, attached };
    let text = match form.render(&shown) {
        Rendered::Lines(lines) => lines.iter().map(|line| line.plain() + "\n").collect(),
        Rendered::Text(text) | Rendered::Nothing { text, .. } => text,
        Rendered::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Rendered::Pieces(pieces) => pieces.collect(),
    };
    text
}

#[test]
fn the_screen() {
    let all = made_up();
    insta::assert_snapshot!("screen", rendered("table", 100, Glyphs::Unicode, false, &all));
    insta::assert_snapshot!("screen-80-ascii", rendered("table", 80, Glyphs::Ascii, false, &all));
    let mut one = all.clone();
    one.trends.retain(|trend| trend.name == "parse/from_chars");
    insta::assert_snapshot!("screen-one", rendered("table", 80, Glyphs::Unicode, true, &one));
    insta::assert_snapshot!("screen-none", rendered("table", 80, Glyphs::Unicode, false, &History::default()));
}

#[test]
fn a_revision_that_is_no_commit_gets_no_command() {
    let mut all = made_up();
    assert!(rendered("table", 200, Glyphs::Ascii, false, &all).contains("tare compare 4f2c1a0b0000 4f2c1a0c0000 "));
    all.runs[11].revision = Some("$(reboot)".into());
    let shown = rendered("table", 200, Glyphs::Ascii, false, &all);
    assert!(shown.contains("slower 1.1") && !shown.contains("tare compare"), "{shown}");
}

#[test]
fn links_lead_to_charts_that_are_there() {
    let kept = (0..1003).map(|at| point(&format!("many/{at:04}"), 0, 100.0, None));
    let run = HistoryRun { run: "7f3a2100".into(), ..HistoryRun::default() };
    let many = history(vec![run], kept.collect(), &HistoryOptions::default());
    let page = rendered("html", 80, Glyphs::Unicode, false, &many);
    let links: Vec<&str> = page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(links.iter().filter(|link| link.starts_with("trend-")).count() == 1000, "{links:?}");
    assert!(links.iter().all(|link| page.contains(&format!("id=\"{link}\""))), "{links:?}");
    assert!(page.contains("3 more without charts"));
    // Most have only a chart: with 1,000 tables of values the page would load slowly.
    assert_eq!((page.matches("<svg").count(), page.matches("<th>run").count()), (1000, 100));
    assert!(page.contains("<code>tare history many/0100 <span>-v</span></code>"));
}

#[test]
fn markdown_and_csv() {
    let all = made_up();
    insta::assert_snapshot!("markdown", rendered("md", 80, Glyphs::Unicode, false, &all));
    let csv = rendered("csv", 80, Glyphs::Unicode, false, &all);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 3 * 18);
    insta::assert_snapshot!("csv", [lines[0], lines[1], lines[30], lines[31]].join("\n"));
    assert!(!csv.contains('\u{202e}'));
}

#[test]
fn every_form_is_whole_and_harmless() {
    let all = made_up();
    for form in EXPORTERS.iter().filter(|form| form.refusal(HistorySubject::KIND).is_none()) {
        for history in [&all, &History::default()] {
            let text = rendered(form.name, 80, Glyphs::Unicode, false, history);
            assert!(form.name == "csv" || !text.is_empty(), "{}", form.name);
            if matches!(form.name, "html" | "svg") {
                assert!(!text.contains("<img") && !text.contains('\u{202e}'), "{}", form.name);
            }
        }
    }
    let page = rendered("html", 80, Glyphs::Unicode, false, &all);
    assert!(page.contains("1 step in the history of 3 benchmarks") && page.contains("data-case=\"trend-"), "{page}");
    let svg = rendered("svg", 80, Glyphs::Unicode, false, &all);
    assert!(svg.contains("slower 1.1") && svg.contains("2026-01-18"), "{svg}");
    assert_eq!(tare_picture::unknown(&svg), [""; 0], "all of it is drawn in pixels, too");
    let json: serde_json::Value =
        serde_json::from_str(&rendered("json", 80, Glyphs::Unicode, false, &all)).expect("JSON");
    assert_eq!((&json["format"], &json["version"]), (&"tare-history".into(), &"1.0".into()));
    let trend = json["history"]["trends"].as_array().expect("trends").iter().find(|t| t["name"] == "parse/from_chars");
    let step = &trend.expect("a trend")["steps"][0];
    assert_eq!((&step["verdict"], &step["confirmed"]), (&"slower".into(), &true.into()));
}

#[test]
fn what_failed_is_in_every_form() {
    let mut history = made_up();
    let failed = |name: &str, job: &str| HistoryFailure {
        name: name.to_owned(),
        job: job.to_owned(),
        why: "not built: exit status 1".to_owned(),
    };
    history.runs[2].failed = vec![failed("bad.cpp", "")];
    history.runs[17].failed = vec![failed("bad.cpp", ""), failed("parse/old[n=1]", "clang")];
    let screen = rendered("table", 200, Glyphs::Ascii, false, &history);
    assert!(
        screen.contains("failures (2)\n  error: bad.cpp  not built: exit status 1; in 2 of 18 runs, the newest "),
        "{screen}"
    );
    assert!(screen.contains("  error: parse/old[n=1]@clang  not built"), "{screen}");
    for form in ["md", "html", "csv", "json"] {
        let text = rendered(form, 80, Glyphs::Unicode, false, &history);
        assert!(text.contains("bad.cpp") && text.contains("parse/old"), "{form}: {text}");
    }
    assert!(rendered("svg", 80, Glyphs::Unicode, false, &history).contains("2 failed in the newest run"));
    let csv = rendered("csv", 80, Glyphs::Unicode, false, &history);
    let rows = csv.lines().filter(|line| line.ends_with(",not built: exit status 1")).count();
    assert!(rows == 3 && csv.lines().next().is_some_and(|head| head.ends_with(",failed")), "{csv}");
}
