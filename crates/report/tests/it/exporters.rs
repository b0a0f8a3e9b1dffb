//! Every form of a run as a golden file, and names of others in all of them.

use crate::compared;
use tare_analysis::{analyse, NetTime, Outcome, Report};
use tare_model::{CodeName, ContextEntry, Diagnoser, Diagnosis, Metric, Run, Stage};
use tare_report::{
    of_run, ComparisonSubject, Exporter, Glyphs, Presentation, Rendered, Subject, Template, View, Volume, EXPORTERS,
    TEMPLATES,
};

/// A run of two cases, with few visits so that a person can read what is made of it.
pub fn small_run() -> Run {
    const VISITS: usize = 6;
    let text = include_str!("../../../../fixtures/foreign/tare-run-1.json");
    let mut run: Run = serde_json::from_str(text).expect("a run");
    for series in run.launches.iter_mut().flat_map(|launch| &mut launch.series) {
        series.round.truncate(VISITS);
        let columns = &mut series.columns;
        columns.elapsed_ns.truncate(VISITS);
        for column in [
            &mut columns.cpu_ns,
            &mut columns.process_cpu_ns,
            &mut columns.probe_before_ns,
            &mut columns.probe_after_ns,
            &mut columns.switches,
            &mut columns.waits,
        ] {
            column.truncate(VISITS);
        }
    }
    for launch in &mut run.launches {
        launch.series.retain(|series| matches!(series.stage, Stage::Overhead | Stage::Actual));
    }
    assert!(run.validate().is_ok(), "{:?}", run.validate());
    run
}

pub const VIEW: View = View { columns: 100, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };

pub fn shown<'a>(run: &'a Run, report: &'a Report) -> Presentation<'a> {
    shown_of(of_run(run, report))
}

/// With nothing beside it.
pub fn shown_of<'a>(subject: Box<dyn Subject + 'a>) -> Presentation<'a> {
    Presentation {
        subject,
        view: VIEW,
        top: None,
        has_history: false,
        md_limit: None,
        judgement: None,
        attached: Default::default(),
    }
}

pub fn text(exporter: &Exporter, shown: &Presentation) -> String {
    match (exporter.render)(shown) {
        Rendered::Lines(lines) => lines.iter().map(|line| line.plain() + "\n").collect(),
        Rendered::Text(text) | Rendered::Nothing { text, .. } => text,
        Rendered::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Rendered::Pieces(pieces) => pieces.collect(),
    }
}

/// Those whose golden files stand elsewhere, and pictures.
const ELSEWHERE: [&str; 9] = ["md", "html", "csv", "json", "measurements", "folded", "speedscope", "firefox", "pprof"];

fn is_elsewhere(exporter: &Exporter) -> bool {
    ELSEWHERE.contains(&exporter.name) || exporter.extension.ends_with(".svg")
}

#[test]
fn forms_of_a_run() {
    let run = small_run();
    let report = analyse(&run);
    for exporter in EXPORTERS.iter().filter(|exporter| !is_elsewhere(exporter)) {
        insta::assert_snapshot!(format!("run-{}", exporter.name), text(exporter, &shown(&run, &report)));
    }
    for template in &TEMPLATES {
        let made = Template::shipped(template.name).expect("it is there").render(&shown(&run, &report), None);
        insta::assert_snapshot!(format!("run-{}", template.name), made.expect("it fits the values"));
    }
}

#[test]
fn results_for_benchmarkdotnet_have_its_names_and_are_without_the_loop() {
    let mut run = small_run();
    let code = |method: &str, arguments: &str| CodeName {
        namespace: "My.Space".into(),
        class: "Work".into(),
        method: method.into(),
        full: format!("My.Space.Work.{method}{arguments}"),
    };
    run.plan.cases[0].benchmark.code = Some(code("Parse", "(S: \"a\\tb\")"));
    run.plan.cases[1].benchmark.code = Some(code("Long", ""));
    let report = analyse(&run);
    let full = Exporter::of_name("bdn-full").expect("it is there");
    let made: serde_json::Value = serde_json::from_str(&text(full, &shown(&run, &report))).expect("JSON");
    let benchmarks = made["Benchmarks"].as_array().expect("a list");
    let names: Vec<[&str; 4]> = benchmarks
        .iter()
        .map(|b| ["Namespace", "Type", "Method", "FullName"].map(|field| b[field].as_str().expect("a text")))
        .collect();
    assert_eq!(names[0], ["My.Space", "Work", "Parse", "My.Space.Work.Parse(S: \"a\\tb\")"]);
    assert_eq!(names[1], ["My.Space", "Work", "Long", "My.Space.Work.Long"]);
    for (case, found) in report.cases.iter().zip(benchmarks) {
        let Outcome::Measured(estimates) = &case.outcome else { panic!("measured") };
        let NetTime::Resolved { value_ns, .. } = estimates.time else { panic!("a time") };
        let values = |stage: &str| {
            let all = found["Measurements"].as_array().expect("a list").iter();
            let of_stage = all.filter(|m| m["IterationStage"] == stage);
            let value = |m: &serde_json::Value| m["Nanoseconds"].as_f64().unwrap() / m["Operations"].as_f64().unwrap();
            of_stage.map(value).collect::<Vec<f64>>()
        };
        let (actual, result) = (values("Actual"), values("Result"));
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // Statistics are of the results, and both say what the screen says.
        let shown = found["Statistics"]["Mean"].as_f64().expect("a mean");
        assert!(
            (shown / mean(&result) - 1.0).abs() < 1e-9 && (shown / value_ns - 1.0).abs() < 0.03,
            "{shown} {value_ns}"
        );
        let raw = estimates.raw.as_ref().expect("with the loop").value;
        assert!((mean(&actual) / raw - 1.0).abs() < 0.05 && raw > value_ns && result.len() <= actual.len());
    }
}

#[test]
fn what_was_diagnosed_has_the_names_of_benchmarkdotnet() {
    let metric = |name: &str| Metric { name: name.to_owned(), ..Metric::default() };
    let diagnoser = |name: &str, metrics: &[&str]| Diagnoser {
        name: name.to_owned(),
        metrics: metrics.iter().map(|name| metric(name)).collect(),
        gives: Vec::new(),
    };
    let mut run = small_run();
    run.artifacts[0].child.get_or_insert_default().diagnosers =
        vec![diagnoser("threading", &["lock_contentions", "work_items"]), diagnoser("exceptions", &["thrown"])];
    let pass = |diagnoser: &str, values: &[(&str, f64)]| Diagnosis {
        metrics: values.iter().map(|(name, value)| ((*name).to_owned(), vec![100.0 * value])).collect(),
        ..Diagnosis::new(0, diagnoser, 0, 100)
    };
    run.diagnoses = vec![
        pass("threading", &[("lock_contentions", 0.25), ("work_items", 3.0)]),
        pass("exceptions", &[("thrown", 2.0)]),
    ];
    let report = analyse(&run);
    let full = Exporter::of_name("bdn-full").expect("it is there");
    let made: serde_json::Value = serde_json::from_str(&text(full, &shown(&run, &report))).expect("JSON");
    let metrics = made["Benchmarks"][0]["Metrics"].as_array().expect("a list");
    let found: Vec<_> = metrics
        .iter()
        .map(|m| {
            (
                m["Descriptor"]["Id"].as_str().unwrap(),
                m["Descriptor"]["DisplayName"].as_str().unwrap(),
                m["Value"].as_f64().unwrap(),
            )
        })
        .filter(|(id, ..)| !id.starts_with("Gen") && *id != "Allocated Memory")
        .collect();
    let expected = [
        ("LockContentionCount", "Lock Contentions", 0.25),
        ("CompletedWorkItemCount", "Completed Work Items", 3.0),
        ("ExceptionFrequency", "Exceptions", 2.0),
    ];
    assert_eq!(found, expected);
    // Their columns are there where they count nothing too.
    let table = text(Exporter::of_name("md").expect("it is there"), &shown(&run, &report));
    for title in ["contentions/op", "work items/op", "exceptions/op"] {
        assert!(table.contains(title), "{table}");
    }
}

#[test]
fn forms_of_a_comparison() {
    let (comparison, judgement) = (compared::everything(), compared::judgement());
    let subject = Box::new(ComparisonSubject::saved(comparison));
    let shown = Presentation { judgement: Some(judgement), ..shown_of(subject) };
    for name in ["stack-overflow", "jira", "asciidoc", "junit", "github-action", "openmetrics"] {
        let exporter = Exporter::of_name(name).expect("it is there");
        insta::assert_snapshot!(format!("comparison-{name}"), text(exporter, &shown));
    }
}

/// Neither what the form says itself nor what another program of the same name says.
#[test]
fn context_replaces_nothing_in_google_benchmarks_json() {
    let mut run = small_run();
    let entry = |name: &str, value: &str| ContextEntry { name: name.to_owned(), value: value.to_owned() };
    run.artifacts.push(run.artifacts[0].clone());
    for (artifact, value) in run.artifacts.iter_mut().zip(["a", "b"]) {
        artifact.context = vec![entry("date", "never"), entry("data", value)];
    }
    let report = analyse(&run);
    let made = text(Exporter::of_name("google-benchmark").expect("it is there"), &shown(&run, &report));
    let made: serde_json::Value = serde_json::from_str(&made).expect("JSON");
    let context = &made["context"];
    let data = format!("data ({})", run.artifacts[0].name);
    assert_eq!((&context["date"], &context["date #2"]), (&run.created.as_str().into(), &"never".into()), "{context}");
    assert_eq!((&context[&data], &context[format!("{data} #2")]), (&"a".into(), &"b".into()), "{context}");
}

/// Asciidoctor warns of a level that is left out, and a build that is strict ends there.
#[test]
fn titles_of_asciidoc_leave_out_no_level() {
    let asciidoc = Exporter::of_name("asciidoc").expect("it is there");
    let levels = |text: String| -> Vec<usize> {
        let level = |line: &str| line.split_once(' ').map(|(signs, _)| signs.len()).filter(|_| line.starts_with("=="));
        text.lines().filter_map(level).collect()
    };
    let run = small_run();
    let report = analyse(&run);
    let judgement = Some(compared::judgement());
    let of_run = levels(text(asciidoc, &Presentation { judgement, ..shown(&run, &report) }));
    let subject = Box::new(ComparisonSubject::saved(compared::everything()));
    let of_comparison = levels(text(asciidoc, &shown_of(subject)));
    for levels in [of_run, of_comparison] {
        assert!(levels.first() == Some(&2) && levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
    }
}

#[test]
fn what_is_better_when_larger_is_not_charted_where_smaller_is_better() {
    let mut comparison = compared::everything();
    let metric = |unit: &str, better| tare_analysis::RowMetric { unit: unit.to_owned(), base: 2.0, new: 3.0, better };
    comparison.rows[0].metric = Some(metric("requests/s", tare_model::Better::Higher));
    comparison.rows[1].metric = Some(metric("hits", tare_model::Better::Unknown));
    comparison.rows[2].metric = Some(metric("B/op", tare_model::Better::Lower));
    let shown = shown_of(Box::new(ComparisonSubject::saved(comparison)));
    let made = text(Exporter::of_name("github-action").expect("it is there"), &shown);
    assert!(!made.contains("requests/s") && !made.contains("hits") && made.contains("\"B/op\""), "{made}");
    assert!(made.contains("\"ns/op\""), "{made}");
}

/// Names that would be markup, a formula, a field, a line, an escape, or turn the direction of writing.
const HOSTILE: [&str; 11] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "]]>&amp;'\"</name>",
    "=cmd|' /C calc'!A0",
    "a\nBenchmarkEvil\t1\t1 ns/op\ntare_evil 1",
    "\u{1b}[2Jx\u{7}\u{9b}31m",
    "\u{202e}gnp.exe\u{2066}",
    "\"},{\"name\":\"evil\",\"x\":\"\\",
    "|x|{color:red}[~admin]{noformat}",
    "----\n++++\n= title\n|===",
    "{{ run }}{% raw %}",
];

/// A run whose names are all hostile, each in its turn.
fn hostile(turn: usize) -> Run {
    let mut run = small_run();
    let name = |at: usize| HOSTILE[(turn + at) % HOSTILE.len()].to_owned();
    for (at, case) in run.plan.cases.iter_mut().enumerate() {
        case.benchmark.group = name(0);
        case.benchmark.name = format!("{}{at}", name(at + 1));
        case.benchmark.description = name(3);
        case.benchmark.parameters = vec![tare_model::Parameter::new(name(4), name(5))];
        case.key = format!("{}{at}", name(6));
    }
    run.artifacts[0].name = name(7);
    run.artifacts[0].context = vec![ContextEntry { name: name(10), value: name(2) }];
    run.command = vec![name(8)];
    run.parts[0].environment.cpu = name(9);
    run
}

#[test]
fn names_of_others_are_harmless_in_every_form() {
    for turn in 0..HOSTILE.len() {
        let run = hostile(turn);
        let report = analyse(&run);
        let shown = shown(&run, &report);
        // Charts take most of the time, and have tests of their own.
        let is_drawn = |exporter: &&&Exporter| exporter.extension.ends_with("svg") || exporter.name == "html";
        for exporter in EXPORTERS.iter().filter(|exporter| turn == 0 || !is_drawn(exporter)) {
            harmless(exporter.name, exporter.extension, &text(exporter, &shown), turn);
        }
        for template in &TEMPLATES {
            let made = Template::shipped(template.name).expect("it is there").render(&shown, None).expect("it fits");
            harmless(template.name, template.extension, &made, turn);
        }
        let lines = text(Exporter::of_name("go").expect("there"), &shown);
        let results = lines.lines().filter(|line| line.starts_with("Benchmark"));
        assert_eq!(results.count(), 8, "a line per launch: {lines}");
        let lines = text(Exporter::of_name("openmetrics").expect("there"), &shown);
        assert!(lines.lines().all(|line| line.starts_with("# ") || line.starts_with("tare_")), "{lines}");
        assert!(!lines.contains("\ntare_evil"), "{lines}");
    }
}

fn harmless(name: &str, extension: &str, text: &str, turn: usize) {
    let of = format!("{name} in turn {turn}");
    // A page and pictures may hold what is theirs.
    let may_stand = |c: char| matches!(c, '\n' | '\r' | '\t') || !c.is_control();
    // JSON for programs keeps the bytes of names.
    if name != "json" {
        assert!(text.chars().all(may_stand), "{of}: a control character");
        let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(extension == ".json" || !text.contains(turns), "{of}: the direction of writing");
    }
    let kind = extension.rsplit('.').next().unwrap_or_default();
    match kind {
        "json" => assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{of}: {text}"),
        "csv" if name != "nanobench-csv" => {
            for field in text.split_terminator("\r\n").flat_map(crate::files::fields) {
                let is_formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
                assert!(!is_formula, "{of}: {field}");
            }
        }
        "csv" => assert!(!text.contains("\"=") && text.lines().count() == 3, "{of}: {text}"),
        "xml" | "svg" | "html" | "md" | "adoc" | "txt" => {
            let is_code = ["stack-overflow", "table", "go", "benchmarkdotnet-rows"].contains(&name);
            assert!(is_code || !text.contains("<img") && !text.contains("<script>alert"), "{of}: {text}");
            if kind == "xml" {
                well_formed(text, &of);
            }
            if kind == "svg" {
                // All of it is drawn in pixels, too.
                assert_eq!(tare_picture::unknown(text), [""; 0], "{of}");
                assert!(tare_picture::png(text).is_ok_and(|file| file.starts_with(b"\x89PNG")), "{of}");
            }
            if name == "jira" {
                assert!(!text.contains("{color:red}") && !text.contains("[~admin]"), "{of}: {text}");
            }
            if name == "asciidoc" {
                assert_eq!(text.lines().filter(|line| *line == "|===").count() % 2, 0, "{of}: {text}");
            }
            if name == "stack-overflow" {
                assert!(text.lines().all(|line| line.is_empty() || line.starts_with("    ")), "{of}: {text}");
            }
        }
        // One stack a line, and bytes.
        "prom" | "folded" | "pprof" => {}
        other => panic!("nothing is known of `{other}`"),
    }
}

/// Every element is closed, in order, and nothing else is in brackets.
fn well_formed(text: &str, of: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap_or_else(|| panic!("{of}: an open bracket: {tag}"));
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{of}"),
            None if tag.starts_with('?') || tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap_or(tag)),
        }
    }
    assert!(open.is_empty(), "{of}: {open:?}");
}

/// What a template makes of a run, for a file of this name.
fn made(template: &str, file: &str) -> Result<String, String> {
    let run = hostile(1);
    let report = analyse(&run);
    let template = Template::new("t.jinja", template).map_err(|error| error.to_string())?;
    let shown = shown(&run, &report);
    template.render(&shown, Some(file)).map_err(|error| error.to_string())
}

#[test]
fn a_template_is_escaped_for_the_file_that_it_makes() {
    let name = |file: &str| made("{{ cases[0].group }}|{{ cases[0].description }}", file).expect("it fits");
    assert_eq!(name("a.html"), "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;|a BenchmarkEvil 1 1 ns/op tare_evil 1");
    assert_eq!(name("a.csv"), "\"\"\"><img src=x onerror=alert(1)>\"|a BenchmarkEvil 1 1 ns/op tare_evil 1");
    assert!(name("a.md").starts_with("\"&gt;&lt;img"), "{}", name("a.md"));
    let json: Vec<String> = serde_json::from_str(
        &made("[{{ cases[0].group }}, {{ cases[1].description }}]", "a.json.gz").expect("it fits"),
    )
    .expect("JSON");
    assert_eq!(json, [HOSTILE[1], HOSTILE[4]]);
    assert_eq!(made("{{ cases[0].description }}", "a.txt").as_deref(), Ok("a BenchmarkEvil 1 1 ns/op tare_evil 1"));
}

#[test]
fn a_template_that_does_not_fit_says_where_and_what() {
    let error = |template: &str| made(template, "a.txt").expect_err("it is wrong");
    assert_eq!(
        error("a\n{{ cases[0].tme_ns }}\n"),
        "the template `t.jinja`, line 2: undefined value: `cases[0].tme_ns` is undefined"
    );
    assert!(error("{{ run | nothing }}").starts_with("the template `t.jinja`, line 1: unknown filter: "));
    assert!(error("\n\n{{ run | duration }}").starts_with("the template `t.jinja`, line 3: "));
    let endless = "{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}";
    assert!(error(endless).starts_with("the template `t.jinja`, line 1: "), "{}", error(endless));
}

#[test]
fn numbers_of_a_template_are_those_of_the_screen() {
    let template = "{% for case in cases %}{{ case.name }} {{ case.time_ns | duration }} {{ case.ratio | digits(3) }}\n{% endfor %}";
    let run = small_run();
    let report = analyse(&run);
    let template = Template::new("t.jinja", template).expect("it is right");
    insta::assert_snapshot!(template.render(&shown(&run, &report), None).expect("it fits"));
}
