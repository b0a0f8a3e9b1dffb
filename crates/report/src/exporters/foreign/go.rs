//! The text format of `go test -bench`, which `benchstat` reads.
//!
//! A line is a launch, because `benchstat` treats the lines of a benchmark as independent. Each launch has its own header, as in the output
//! of `for i in 1 2 3; do go test -bench . >> out.txt; done`, so that readers can tell processes apart. Parameters are `/n=10`; the sides
//! of a comparison are `/side=base` and `/side=new`, for `benchstat -col /side`. The header is the same in all runs on one machine, since
//! `benchstat` makes a separate table per header.

use super::plain;
use crate::exporters::{exporter, Exporter, Needs, Render};
use crate::subjects::values::{Case, Launch, Values};
use tare_model::{Better, Metric, Per};

pub(crate) const GO: Exporter = exporter(
    ["go", ".go.txt", "text as `go test -bench` writes it"],
    Needs::Measurements,
    Render::Values(render),
    |failure| format!("--- FAIL: nothing was measured: {}\n", plain(&failure.error)),
);

fn render(values: &Values) -> String {
    let mut text = String::new();
    for (unit, better) in units(values) {
        text.push_str(&format!("Unit {unit} better={better}\n"));
    }
    let header = header(values);
    let most = values.cases.iter().map(|case| case.launches.len()).max().unwrap_or(0);
    for at in 0..most {
        text.push_str(&header);
        for case in &values.cases {
            if let Some(launch) = case.launches.get(at) {
                text.push_str(&line(case, at, launch));
            }
        }
    }
    for case in values.cases.iter().filter(|case| case.outcome == "failed") {
        text.push_str(&format!("--- FAIL: Benchmark{}\n    {}\n", name(case), plain(&case.reason)));
    }
    text
}

fn header(values: &Values) -> String {
    let Some(machine) = values.machine else { return String::new() };
    let system = machine.kernel.split_whitespace().next().unwrap_or_default().to_lowercase();
    let architecture = match machine.architecture.as_str() {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let line = |key: &str, value: &str| match value.is_empty() {
        true => String::new(),
        false => format!("{key}: {}\n", plain(value)),
    };
    line("goos", &system) + &line("goarch", architecture) + &line("cpu", &machine.cpu)
}

/// The units with a known direction, each once, as `benchstat` expects.
fn units(values: &Values) -> Vec<(String, &'static str)> {
    let mut found: Vec<(String, &'static str)> = Vec::new();
    for metric in values.cases.iter().flat_map(|case| &case.metrics) {
        let better = match metric.better {
            Better::Lower => "lower",
            Better::Higher => "higher",
            Better::Unknown => continue,
        };
        let unit = unit(metric.name, metric.per);
        // `benchstat` knows Go's own units.
        let is_known = unit == BYTES || unit == ALLOCATIONS;
        if !is_known && !found.iter().any(|(known, _)| *known == unit) {
            found.push((unit, better));
        }
    }
    found
}

const BYTES: &str = "B/op";
const ALLOCATIONS: &str = "allocs/op";

/// `B/op`, `allocs/op`, `cycles/op`, `requests/s`, `length`.
fn unit(name: &str, per: Per) -> String {
    let bare = name.rsplit('/').next().unwrap_or(name);
    match (bare, per) {
        (Metric::ALLOCATED_BYTES, _) => BYTES.to_owned(),
        (Metric::ALLOCATIONS, _) => ALLOCATIONS.to_owned(),
        (_, Per::Operation) => format!("{}/op", word(name)),
        (_, Per::Second) => format!("{}/s", word(name)),
        (_, Per::Iteration) => word(name),
    }
}

/// Replaces characters that would end a word or a part of a name.
fn word(text: &str) -> String {
    plain(text).chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect()
}

/// A parameter's value, without `/`, which would start another part of the name.
fn value(text: &str) -> String {
    word(text).replace('/', "_")
}

/// `Parse/from_chars/n=10-4`: the first letter is a capital, and a number after the last `-` means threads.
fn name(case: &Case) -> String {
    let mut name = word(&case.full_name());
    for argument in case.arguments() {
        name.push_str(&format!("/{}={}", value(argument.name), value(argument.value)));
    }
    let mut letters = name.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let name = format!("{capital}{}", letters.as_str());
    let ends_in_number =
        name.rsplit_once('-').is_some_and(|(_, end)| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit()));
    match case.threads > 1 || ends_in_number {
        true => format!("{name}-{}", case.threads),
        false => name,
    }
}

fn line(case: &Case, at: usize, launch: &Launch) -> String {
    let operations = launch.invocations * launch.visits_ns.len() as u64 * case.operations;
    let mut line = format!("Benchmark{}\t{operations}\t{} ns/op", name(case), launch.value_ns);
    for rate in &case.rates {
        let per_second = rate.per_invocation / case.operations as f64 / launch.value_ns * 1e9;
        match rate.name == tare_model::Rate::BYTES {
            true => line.push_str(&format!("\t{} MB/s", per_second / 1e6)),
            false => line.push_str(&format!("\t{per_second} {}/s", word(rate.name))),
        }
    }
    for metric in &case.metrics {
        // Values of diagnoser passes do not belong to a launch, so every line has them.
        let value = match metric.launches.len() == case.launches.len() {
            true => metric.launches[at],
            false => metric.value,
        };
        line.push_str(&format!("\t{value} {}", unit(metric.name, metric.per)));
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::{unit, value, word};
    use tare_model::Per;

    #[test]
    fn units_are_those_of_go_where_it_has_them() {
        assert_eq!(unit("allocated_bytes", Per::Operation), "B/op");
        assert_eq!(unit("memory/allocations", Per::Operation), "allocs/op");
        assert_eq!(unit("page faults", Per::Operation), "page_faults/op");
        assert_eq!(
            (unit("requests", Per::Second), unit("length", Per::Iteration)),
            ("requests/s".into(), "length".into())
        );
        assert_eq!((word("a b\n\u{7}c"), value("a/b c")), ("a_b_?c".to_owned(), "a_b_c".to_owned()));
    }
}
