//! Pages that draw: what is in them, and that names of others do no harm.

use crate::{compared, reports};
use tare_analysis::{CaseTrace, Fate, LaunchTrace, Location, Report, VisitTrace};
use tare_model::{Argument, CommandLine};
use tare_report::{html, Compared, Document, Kept};

const KEPT: Kept = Kept { in_store: true, in_history: false };

/// Visits of the launches of each case, some of which do not count.
fn traces(report: &Report) -> Vec<CaseTrace> {
    let visit = |at: u32, ns: f64| VisitTrace {
        ns: ns * (1.0 + 0.01 * f64::from(at % 5)),
        fate: if at == 7 { Fate::Preempted } else { Fate::Counted },
        dropped_windows: if at % 3 == 0 { 0.4 } else { 0.0 },
    };
    let launch = |at: u32, ns: f64| LaunchTrace {
        launch: at,
        group: 0,
        wave: at / 2,
        start_s: f64::from(at) * 1.5,
        value_ns: Some(ns * (1.0 + 0.002 * f64::from(at))),
        visits: (0..9).map(|visit_at| visit(visit_at, ns)).collect(),
    };
    let trace = |case: u32| CaseTrace {
        case,
        launches: (0..4).map(|at| launch(at, 10.0 + f64::from(case))).collect(),
        location: Location::Trimmed,
    };
    report.cases.iter().map(|case| trace(case.case)).collect()
}

fn page(report: &Report) -> String {
    html(&Document::page_of_run(report, &traces(report), None, KEPT), &format!("Tare: run {}", report.run))
}

/// The page without its style and its script, which have no place in a golden file.
fn markup(page: &str) -> String {
    let without = |text: &str, from: &str, to: &str| {
        let (before, rest) = text.split_once(from).expect(from);
        format!("{before}{from}{}", &rest[rest.find(to).expect(to)..])
    };
    let page = without(&without(page, "<style>", "</style>"), "<script>", "</script>");
    without(&page, "<meta http-equiv", ">")
}

#[test]
fn a_small_page() {
    insta::assert_snapshot!(markup(&page(&reports::simple())));
}

#[test]
fn a_page_of_a_comparison_has_all_verdicts_open() {
    let (comparison, judgement) = (compared::everything(), compared::judgement());
    let compared = Compared { comparison: &comparison, report: None, judgement: Some(&judgement), top: None };
    let text = html(&Document::page_of_comparison(&compared, &[], KEPT), "a comparison");
    let first = text.split_once("<header>\n<section>\n").expect("a head").1;
    assert!(first.starts_with("<h1 class=\"verdict\"><b class=\"r-slower\">SLOWER</b>"), "the verdict comes first");
    for word in ["slower", "faster", "unclear", "same"] {
        assert!(text.contains(&format!("<tr data-word=\"{word}\">")), "{word}");
    }
    assert!(text.contains("class=\"effect\"") && text.contains("The gate failed"), "the minimum effect and the gate");
}

#[test]
fn a_headline_follows_the_gate_and_what_failed() {
    let report = reports::everything();
    let judgement = compared::judgement();
    let headline = |report: &Report, judgement: Option<&tare_analysis::gate::Judgement>| {
        let page = html(&Document::page_of_run(report, &[], judgement, KEPT), "a page");
        let head = page.split_once("<h1").expect("a headline").1;
        let (first, rest) = head.split_once("</h1>").expect("its end");
        (first.to_owned(), rest.split_once("</section>").expect("a note").0.to_owned())
    };
    let (first, _) = headline(&report, None);
    assert!(first.contains("compared with a base: ") && first.contains("; "), "what failed is not among them: {first}");
    assert!(headline(&report, Some(&judgement)).0.contains("GATE FAILED"));
    let (first, note) = headline(&reports::simple(), Some(&judgement));
    assert!(first.contains("GATE FAILED") && !note.contains(">no warnings<"), "{first} {note}");
    assert!(!headline(&reports::simple(), None).0.contains("GATE"));
    // A comparison that praises itself, and one that does not.
    let mut comparison = compared::everything();
    comparison.rows.retain(|row| row.verdict == tare_analysis::Verdict::Faster);
    let compared = Compared { comparison: &comparison, report: None, judgement: Some(&judgement), top: None };
    let page = html(&Document::page_of_comparison(&compared, &[], KEPT), "a comparison");
    assert!(page.contains("GATE FAILED</b>") && !page.contains(">FASTER<"), "the gate comes first");
}

#[test]
fn parameters_have_columns_on_a_page_as_on_a_screen() {
    let text = page(&reports::compared());
    let (head, rows) = text.split_once("</thead>").expect("a table");
    assert!(head.contains(">n</th>"), "{head}");
    let rows = rows.split_once("</table>").expect("its end").0;
    assert!(rows.contains("<bdi>radix</bdi>") && !rows.contains("<bdi>radix["), "what has a column stands in no name");
    assert!(rows.contains("data-v=\"1.0000e6\">1000000<td>"), "{rows}");
    assert!(rows.contains("data-name=\"radix[n=1000000"), "it is found by its full name: {rows}");
}

#[test]
fn a_row_whose_times_have_another_ratio_is_marked_in_every_form() {
    let mut comparison = compared::everything();
    comparison.rows[0].ratio_of_times = Some(0.913);
    comparison.rows[0].remark = tare_analysis::other_ratio(0.913).to_string();
    let compared = Compared { comparison: &comparison, report: None, judgement: None, top: None };
    let page = html(&Document::page_of_comparison(&compared, &[], KEPT), "a comparison");
    for text in [page, tare_report::comparison_csv(&comparison), tare_report::comparison_json(&compared)] {
        assert!(text.contains("the times shown have the ratio 0.913: the ratio compares"), "{text}");
    }
}

#[test]
fn the_details_of_a_comparison_are_about_two_sides() {
    let mut report = reports::simple();
    let name = report.cases[0].name.clone();
    for (case, side) in report.cases.iter_mut().zip(["main", "worktree"]) {
        case.name.clone_from(&name);
        case.side = side.to_owned();
    }
    let finding = |code, advice| {
        crate::mock::finding(code, tare_analysis::Severity::Warning, Some(1), "returned 2", advice, None)
    };
    report.findings = vec![finding(tare_analysis::Code::DifferentResults, "put them into different groups")];
    let verdict = tare_analysis::Verdict::Faster;
    let row = tare_analysis::ComparisonRow {
        key: report.cases[1].key.clone(),
        ..compared::row("parse/strtol", verdict, 9.134, 0.44, 0.002)
    };
    let comparison = compared::comparison(tare_analysis::Design::Interleaved, vec![row]);
    let compared = Compared { comparison: &comparison, report: Some(&report), judgement: None, top: None };
    let text = html(&Document::page_of_comparison(&compared, &[], KEPT), "a comparison");
    assert!(text.contains("check whether the change is meant to alter the result"), "{text}");
    assert!(!text.contains("different groups"), "{text}");
    assert!(text.contains("0.440 to main") && !text.contains("to parse/strtol"), "{text}");
}

/// Names that would be markup, end an element, run a script or turn the direction of writing.
const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</title></style><svg onload=alert(1)>",
    "&lt;b&gt; ' onmouseover='alert(1)",
    "\u{202e}gnp.exe \u{2066}isolated \u{1b}[31mred\u{0} \u{fffe}",
    "שלום/بنچمارک",
];

#[test]
fn hostile_names_are_text() {
    let mut report = reports::everything();
    for (at, case) in report.cases.iter_mut().enumerate() {
        let name = HOSTILE[at % HOSTILE.len()];
        case.name = format!("{name}{at}");
        case.group = HOSTILE[(at + 1) % HOSTILE.len()].to_owned();
        case.description = name.to_owned();
        case.unit = name.to_owned();
        for parameter in &mut case.parameters {
            parameter.value = format!("{name}{}", "x".repeat(3000));
        }
    }
    for group in &mut report.groups {
        group.name = HOSTILE[0].to_owned();
    }
    report.run = HOSTILE[2].to_owned();
    report.request = CommandLine::new("run").with(Argument::word(HOSTILE[1]));
    report.environment.cpu = HOSTILE[0].to_owned();
    let text = page(&report);
    let tags: Vec<&str> = text.split('<').skip(1).collect();
    assert_eq!(tags.iter().filter(|tag| tag.starts_with("script")).count(), 1, "only its own");
    assert!(!tags.iter().any(|tag| tag.starts_with("img") || tag.starts_with("svg onload")));
    // Inside a tag, quotes part attributes: none of them is of somebody else's.
    for tag in tags.iter().filter(|tag| !tag.starts_with("script") && !tag.starts_with("style")) {
        let inside = tag.split('>').next().unwrap_or_default();
        let bare: String = inside.split('"').step_by(2).collect();
        assert!(!bare.contains("onload") && !bare.contains("onerror") && !bare.contains("onmouse"), "{inside}");
    }
    let harmful = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{fffe}';
    assert!(!text.contains(harmful));
}

/// A chart of any kind can be a picture in pixels.
#[test]
fn charts_hold_nothing_that_pixels_do_not_know() {
    let mut pages = vec![page(&reports::everything())];
    let (comparison, judgement) = (compared::everything(), compared::judgement());
    let compared = Compared { comparison: &comparison, report: None, judgement: Some(&judgement), top: None };
    pages.push(html(&Document::page_of_comparison(&compared, &[], KEPT), "a comparison"));
    let charts: Vec<&str> = pages.iter().flat_map(|page| page.split("<svg class=\"chart\"").skip(1)).collect();
    for chart in &charts {
        let chart = format!("<svg class=\"chart\"{}</svg>", chart.split("</svg>").next().unwrap_or_default());
        assert_eq!(tare_picture::unknown(&chart), [""; 0], "{chart}");
    }
    assert!(charts.len() > 20, "{}", charts.len());
}

/// Elements that have an end, with those that may end where the next one begins.
#[test]
fn elements_end_where_they_should() {
    let text = page(&reports::everything());
    for element in
        ["section", "details", "summary", "table", "tbody", "thead", "svg", "figure", "ul", "dl", "div", "g", "main"]
    {
        let opened = text.matches(&format!("<{element}>")).count() + text.matches(&format!("<{element} ")).count();
        assert_eq!(opened, text.matches(&format!("</{element}>")).count(), "{element}");
    }
    let mut anchors: Vec<&str> = text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = anchors.len();
    anchors.sort_unstable();
    anchors.dedup();
    assert_eq!(anchors.len(), all, "every id is of one element");
    for target in text.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(anchors.contains(&target), "{target}");
    }
}

#[test]
fn a_case_leads_to_its_history_where_there_is_one() {
    let report = reports::everything();
    let with = |in_history| {
        let kept = Kept { in_store: true, in_history };
        html(&Document::page_of_run(&report, &traces(&report), None, kept), "a run")
    };
    let commands = |text: &str| text.matches("its history <code class=\"command\">tare history ").count();
    let details = with(true).matches("<details class=\"case\">").count();
    assert!(details > 3 && commands(&with(true)) == details && commands(&with(false)) == 0, "{details}");
}
