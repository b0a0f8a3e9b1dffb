//! JUnit XML, which CI services show as a list of tests.
//!
//! A benchmark is a test case in the suite of its group. It fails if the gate says so (`--fail-on`, limits): without a gate, slower is not
//! a failure. Crashed benchmarks and programs that could not be built are errors; unmeasured benchmarks are skipped. `time` is the
//! measuring time, since services add it up.

use super::{escape, XML_HEAD};
use crate::exporters::{exporter, Exporter, Needs, NoResult, Render};
use crate::subjects::values::{Broken, Case, NotBuilt, Row, Values};
use crate::words::number::{duration, significant};
use crate::words::text::Glyphs;
use tare_analysis::{each_once, Number, Unit};

pub(crate) const JUNIT: Exporter = exporter(
    ["junit", ".junit.xml", "JUnit XML: results that CI shows as tests"],
    Needs::Nothing,
    Render::Values(render),
    render_failure,
);

#[derive(Default)]
enum End {
    #[default]
    Passed,
    Skipped(String),
    Failed(Vec<String>),
    Error(String),
}

#[derive(Default)]
struct TestCase {
    suite: String,
    name: String,
    output: String,
    seconds: f64,
    end: End,
}

fn render(values: &Values) -> String {
    let mut cases: Vec<TestCase> = match values.is_of_rows {
        false => values.cases.iter().map(of_case).chain(values.not_built.iter().map(of_program)).collect(),
        true => of_rows(&values.rows),
    };
    if let Some(gate) = &values.gate {
        for broken in gate.failed.iter().chain(&gate.undecided) {
            break_rule(&mut cases, broken);
        }
    }
    document(&cases, values.elapsed_s, values.created)
}

/// A failure on both sides is one test case, as services identify them by name.
fn of_rows(rows: &[Row]) -> Vec<TestCase> {
    let mut cases: Vec<TestCase> = Vec::new();
    for mut case in rows.iter().map(of_row) {
        let known = cases.iter_mut().find(|known| known.name == case.name && known.suite == case.suite);
        match (known.map(|known| &mut known.end), &mut case.end) {
            (Some(End::Error(why)), End::Error(too)) => why.push_str(&format!("; {too}")),
            _ => cases.push(case),
        }
    }
    cases
}

/// The gate uses the tables' names. Violations about other names are separate test cases.
fn break_rule(cases: &mut Vec<TestCase>, broken: &Broken) {
    let text = broken.text.clone();
    let is_its = |case: &&mut TestCase| case.name == broken.benchmark;
    match cases.iter_mut().find(is_its).map(|case| &mut case.end) {
        Some(End::Failed(texts)) => texts.push(text),
        // The error is reason enough.
        Some(End::Error(_)) => {}
        Some(end) => *end = End::Failed(vec![text]),
        None => cases.push(TestCase {
            suite: "gate".to_owned(),
            name: if broken.benchmark.is_empty() { "gate".to_owned() } else { broken.benchmark.clone() },
            end: End::Failed(vec![text]),
            ..TestCase::default()
        }),
    }
}

fn time(ns: f64) -> String {
    duration(ns, Glyphs::Unicode)
}

fn of_case(case: &Case) -> TestCase {
    let mut output = match (case.time_ns, case.below_ns) {
        (Some(ns), _) => format!("time {}", time(ns)),
        (_, Some(ns)) => format!("time < {}", Number { value: ns, unit: Unit::NsAtMost }),
        _ => String::new(),
    };
    if let (Some(lower), Some(upper)) = (case.time_lower_ns, case.time_upper_ns) {
        output.push_str(&format!(", 95 % interval {} to {}", time(lower), time(upper)));
    }
    if let (Some(base), Some(ratio)) = (&case.base, case.ratio) {
        output.push_str(&format!("\n{}: ratio {} to {base}", case.verdict, significant(ratio, 4)));
    }
    TestCase {
        suite: case.group.to_owned(),
        name: case.label.clone(),
        output,
        seconds: case.measuring_s,
        end: match case.outcome {
            "measured" => End::Passed,
            "failed" => End::Error(case.reason.clone()),
            "skipped" => End::Skipped(case.reason.clone()),
            _ => End::Skipped("not measured".to_owned()),
        },
    }
}

/// A program without results: its benchmarks are unknown, so it is a test case itself.
fn of_program(program: &NotBuilt) -> TestCase {
    TestCase {
        suite: "not built".to_owned(),
        name: program.program.clone(),
        output: program.output.join("\n"),
        end: End::Error(program.reason.clone()),
        ..TestCase::default()
    }
}

fn of_row(row: &Row) -> TestCase {
    let mut output = match (row.base_ns, row.new_ns) {
        (Some(base), Some(new)) => format!("base {}, new {}", time(base), time(new)),
        _ => String::new(),
    };
    if let Some(ratio) = row.ratio {
        output.push_str(&format!("\n{}: ratio {}", row.verdict, significant(ratio, 4)));
    }
    if let (Some(lower), Some(upper)) = (row.ratio_lower, row.ratio_upper) {
        output.push_str(&format!(", 95 % interval {} to {}", significant(lower, 4), significant(upper, 4)));
    }
    // Failed and skipped rows are named like compared ones, or by their key if no name is known.
    let label = match row.state {
        "failed-base" | "failed-new" | "skipped" if !row.name.is_empty() => &row.name,
        _ => &row.label,
    };
    let reason = |otherwise: &str| if row.reason.is_empty() { otherwise.to_owned() } else { row.reason.clone() };
    TestCase {
        suite: row.group.clone(),
        name: label.clone(),
        output: output.trim_start().to_owned(),
        seconds: 0.0,
        end: match row.state {
            "compared" => End::Passed,
            "failed-base" => End::Error(format!("failed on the base: {}", row.reason)),
            "failed-new" => End::Error(format!("failed on the new side: {}", row.reason)),
            "only-base" => End::Skipped(reason("only in the base")),
            "only-new" => End::Skipped(reason("only in new")),
            _ => End::Skipped(reason("not compared")),
        },
    }
}

fn document(cases: &[TestCase], seconds: f64, created: &str) -> String {
    // The schema used by Jenkins has `skipped` per suite but not for all.
    let mut text = format!("{XML_HEAD}<testsuites name=\"tare\" {} time=\"{seconds:.3}\">\n", counts(cases.iter()).0);
    for suite in each_once(cases.iter().map(|case| &case.suite)) {
        let members: Vec<&TestCase> = cases.iter().filter(|case| case.suite == suite).collect();
        let name = if suite.is_empty() { "benchmarks" } else { &suite };
        let seconds: f64 = members.iter().map(|case| case.seconds).sum();
        let timestamp = match created.trim_end_matches('Z') {
            "" => String::new(),
            created => format!(" timestamp=\"{}\"", escape(created)),
        };
        let (counts, skipped) = counts(members.iter().copied());
        text.push_str(&format!(
            "  <testsuite name=\"{}\" {counts} skipped=\"{skipped}\" time=\"{seconds:.3}\"{timestamp}>\n",
            escape(name)
        ));
        members.iter().for_each(|case| test_case(case, name, &mut text));
        text.push_str("  </testsuite>\n");
    }
    text + "</testsuites>\n"
}

/// Attributes with counts of test cases, and the number of skipped ones.
fn counts<'a>(cases: impl Iterator<Item = &'a TestCase>) -> (String, usize) {
    let ends: Vec<&End> = cases.map(|case| &case.end).collect();
    let count = |is: fn(&End) -> bool| ends.iter().filter(|end| is(end)).count();
    let (failed, errors) = (count(|end| matches!(end, End::Failed(_))), count(|end| matches!(end, End::Error(_))));
    let skipped = count(|end| matches!(end, End::Skipped(_)));
    (format!("tests=\"{}\" failures=\"{failed}\" errors=\"{errors}\"", ends.len()), skipped)
}

fn test_case(case: &TestCase, suite: &str, text: &mut String) {
    let (name, suite) = (escape(&case.name), escape(suite));
    text.push_str(&format!("    <testcase classname=\"{suite}\" name=\"{name}\" time=\"{:.3}\"", case.seconds));
    let end = match &case.end {
        End::Passed => String::new(),
        End::Skipped(why) => format!("      <skipped message=\"{}\" />\n", escape(why)),
        End::Error(why) => format!("      <error type=\"failed\" message=\"{}\" />\n", escape(why)),
        End::Failed(texts) => {
            texts.iter().map(|why| format!("      <failure type=\"gate\" message=\"{}\" />\n", escape(why))).collect()
        }
    };
    let output: Vec<String> = case.output.lines().map(escape).collect();
    if end.is_empty() && output.is_empty() {
        text.push_str(" />\n");
        return;
    }
    text.push_str(&format!(">\n{end}"));
    if !output.is_empty() {
        text.push_str(&format!("      <system-out>{}</system-out>\n", output.join("\n")));
    }
    text.push_str("    </testcase>\n");
}

fn render_failure(failure: &NoResult) -> String {
    let case = TestCase {
        suite: "tare".to_owned(),
        name: "measure".to_owned(),
        output: failure.causes.join("\n"),
        seconds: 0.0,
        end: End::Error(failure.error.clone()),
    };
    document(&[case], 0.0, "")
}
