//! Every file format as a snapshot.

use crate::forms::markdown;
use crate::reports;
use tare_report::{csv, json, measurements_csv, Glyphs};

#[test]
fn markdown_of_everything() {
    insta::assert_snapshot!(markdown(&reports::everything(), Glyphs::Unicode));
    insta::assert_snapshot!(markdown(&reports::simple(), Glyphs::Ascii));
}

#[test]
fn csv_of_everything() {
    insta::assert_snapshot!(csv(&reports::everything()).replace('\r', ""));
}

#[test]
fn who_used_the_core_is_in_the_files() {
    let report = reports::beside_a_neighbour();
    let text = csv(&report);
    let rows: Vec<Vec<String>> = text.split_terminator("\r\n").map(fields).collect();
    let of = |row: usize, name: &str| rows[row][rows[0].iter().position(|n| n == name).expect("a column")].clone();
    assert_eq!((of(1, "core"), of(3, "core")), ("alone".to_owned(), "any".to_owned()));
    assert_eq!(
        (of(1, "alone_share"), of(1, "windows"), of(1, "visits_shared")),
        ("0.584".into(), "2880".into(), "9".into())
    );
    assert_eq!((of(1, "alone_ns"), of(1, "slow_down")), ("9.134".into(), "1.72".into()));
    let document: serde_json::Value = serde_json::from_str(&json(&report)).expect("JSON");
    let core = &document["report"]["cases"][2]["outcome"]["core"];
    assert_eq!((core["times"].as_str(), core["alone_ns"].as_f64()), (Some("any"), Some(6.77)));
    assert_eq!(document["report"]["core"]["cases_any"], 1);
    insta::assert_snapshot!("markdown_beside_a_neighbour", markdown(&report, Glyphs::Unicode));
}

#[test]
fn csv_rows_have_as_many_fields_as_names() {
    let text = csv(&reports::everything());
    let mut rows = text.split_terminator("\r\n").map(fields);
    let names = rows.next().expect("a line of names");
    assert_eq!(names.len(), 87);
    for row in rows {
        assert_eq!(row.len(), names.len(), "{row:?}");
    }
}

/// A small reader of RFC 4180 for one line without line breaks in it.
pub fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted, mut field) = (Vec::new(), false, String::new());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.push(chars.next().unwrap_or('"')),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields
}

#[test]
fn json_has_a_version_and_every_case() {
    let text = json(&reports::everything());
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["format"], "tare-report");
    assert_eq!(value["version"], "1.0");
    assert_eq!(value["report"]["cases"].as_array().map(Vec::len), Some(reports::everything().cases.len()));
    insta::assert_snapshot!(json(&reports::simple()));
}

#[test]
fn measurements_are_one_row_an_iteration() {
    use tare_model::{
        Artifact, Benchmark, Case, CaseGroup, Columns, CommandLine, Draw, Environment, Event, Job, Plan, Stage,
    };
    let benchmark: Benchmark = serde_json::from_str(
        r#"{"index":0,"group":"parse","name":"a,b","parameters":[{"name":"n","value":"1"}],"operations":2}"#,
    )
    .expect("a benchmark");
    let case = Case { artifact: 0, job: 0, side: None, benchmark, key: "c++ parse/a,b[n=1]".into() };
    let plan = Plan {
        cases: vec![case],
        groups: vec![CaseGroup { cases: vec![0], baseline: None, ..CaseGroup::default() }],
        seed: 1,
        ..Plan::default()
    };
    let columns = Columns {
        elapsed_ns: vec![1000.5, 1001.0],
        switches: vec![0.0, 1.0],
        window_ns: vec![500.0, 500.5, 499.5, 501.5],
        width_ns: vec![900.0, 901.0, 902.0, 903.0, 904.0, 905.0],
        ..Columns::default()
    };
    let events = [
        Event::RunStarted {
            schema: "2.0".into(),
            id: "7f3a21bc".into(),
            created: "2026-02-03T04:05:06Z".into(),
            tare: "0.1.0".into(),
            method: "waves-1".into(),
            command: Vec::new(),
            request: CommandLine::default(),
            environment: Box::new(Environment::default()),
            artifacts: Vec::<Artifact>::new(),
            jobs: vec![Job::default()],
            sides: None,
            missing: Default::default(),
            plan: Box::new(plan),
        },
        Event::LaunchStarted {
            launch: 0,
            case: 0,
            group: 0,
            wave: 0,
            draw: Draw { seed: 7, ..Draw::default() },
            start_ns: 0.0,
        },
        Event::Measured { launch: 0, stage: Stage::Actual, round: 4, invocations: 10, columns },
    ];
    let run = tare_model::fold(&events).expect("a run");
    let text: String = measurements_csv(&run).collect();
    insta::assert_snapshot!(text.replace('\r', ""));
}

/// All names of members in a document.
fn members(value: &serde_json::Value, names: &mut std::collections::BTreeSet<String>) {
    match value {
        serde_json::Value::Object(map) => map.iter().for_each(|(name, value)| {
            names.insert(name.clone());
            // Documented where `run.json` is; each sentence of a finding names its own values.
            if !["environment", "failure", "values"].contains(&name.as_str()) {
                members(value, names);
            }
        }),
        serde_json::Value::Array(values) => values.iter().for_each(|value| members(value, names)),
        _ => {}
    }
}

#[test]
fn every_column_and_member_is_in_the_reference() {
    let page = include_str!("../../../../docs/reference/report.md");
    let comparison = include_str!("../../../../docs/reference/comparison.md");
    // Names stand between backquotes, or in a line that is code.
    let code = |page: &'static str| {
        let lines = page.lines().filter(|line| line.starts_with("    "));
        page.split('`').skip(1).step_by(2).chain(lines)
    };
    let words = |page| code(page).flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let known: std::collections::BTreeSet<&str> = words(page).chain(words(comparison)).collect();
    let of_case = csv(&reports::everything());
    let mut names: Vec<String> = fields(of_case.split("\r\n").next().expect("names"));
    names.retain(|name| !["allocations", "allocated_bytes"].contains(&name.as_str()));
    let mut found = std::collections::BTreeSet::new();
    for report in [reports::everything(), reports::beside_a_neighbour(), reports::simple()] {
        members(&serde_json::from_str(&json(&report)).expect("JSON"), &mut found);
    }
    let is_percentile = |name: &str| name.strip_prefix('p').is_some_and(|n| n.parse::<u32>().is_ok());
    found.retain(|name| !is_percentile(name));
    let lacking: Vec<&String> = names.iter().chain(&found).filter(|name| !known.contains(name.as_str())).collect();
    assert!(names.len() > 60 && found.len() > 90, "{} columns, {} members", names.len(), found.len());
    assert_eq!(lacking, [""; 0], "docs/reference/report.md lacks these");
}
