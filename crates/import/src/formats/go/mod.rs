//! The text of `go test -bench`, or the events of `go test -json`; a file may contain several of them.
//!
//! The lines of one `go test` of one package are from one process, regardless of `-count`. A new header begins a new process, so that a
//! file to which several runs were appended has launches.
//!
//! Traps: `-8` after a name is GOMAXPROCS, and another number makes another benchmark, so the key keeps it. User output, like the events,
//! may split a line or precede its numbers. A benchmark that begins but has no result is a failure with its name, whether it failed,
//! skipped itself or was killed; so is a package that did not build. Custom metrics occur in addition to or instead of `ns/op`. Every other
//! unit is a metric, as in benchstat, with a direction from a line `Unit NAME better=lower assume=exact` or else from benchstat's defaults.
//! `MB/s` repeats `ns/op`, and is left out if both exist. Lines `key: value` configure what follows: values that differ within a file
//! distinguish benchmarks.
//!
//! It lacks: single iterations (a line is the mean of N), time, revision, system, compiler.

mod cases;
mod name;
mod reader;
mod words;

use super::{Format, Read};
use crate::error::Problem;
use crate::json;
use crate::node::Fault;
use reader::Reader;
use tare_analysis::Saved;

const OF_BENCHSTAT: &str = "use the files that benchstat read: the text of `go test -bench`";

pub(crate) const FORMAT: Format = Format {
    tool: "go test",
    known_as: "Go (the text of `go test -bench`)",
    begins: |text| text.lines().any(is_result).then_some(0),
    read: Read::Text(|text, _| read(text)),
    too_little: &[
        (&["sec/op", "vs base"], "a table of benchstat", OF_BENCHSTAT),
        (&["old ", "new ", "delta"], "a table of benchstat", OF_BENCHSTAT),
    ],
    empty: Some("run `go test -bench .`: without `-bench`, or with a pattern that matches nothing, no benchmark runs"),
    ..Format::NONE
};

/// The same as events of `go test -json`.
pub(crate) const EVENTS: Format = Format {
    tool: FORMAT.tool,
    is_json: |head| ["Package", "Output", "ImportPath"].iter().any(|key| head.has(&["Action", key])),
    read: Read::Text(|text, _| read_json(text)),
    ..Format::NONE
};

/// Whether a line is a result, the name of a running benchmark, or part of the header.
fn is_result(line: &str) -> bool {
    let line = line.trim_end();
    ["goos: ", "pkg: "].iter().any(|start| line.starts_with(start)) || words::is_result(line)
}

/// Whether a line ends the output of a package or benchmark.
pub(crate) fn is_end(line: &str) -> bool {
    ["ok  \t", "FAIL\t", "?   \t", "--- FAIL: ", "--- SKIP: "].iter().any(|start| line.starts_with(start))
        || ["PASS", "FAIL"].contains(&line.trim_end())
}

fn read(text: &str) -> Result<Saved, Problem> {
    let mut reader = Reader::default();
    reader.take_all(text);
    cases::saved(reader.finish()).map_err(problem)
}

/// Joins the output in events by package before reading it. Build errors and other output may be between events.
fn read_json(text: &str) -> Result<Saved, Problem> {
    let mut packages: Vec<(String, String)> = vec![(String::new(), String::new())];
    let mut torn = 0;
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let (package, output) = match json::parse(line, "go") {
            Ok(event) => {
                let package = event.text_at("Package").or_else(|| event.text_at("ImportPath"));
                let Some(output) = event.text_at("Output") else { continue };
                (package.unwrap_or_default().to_owned(), output.to_owned())
            }
            Err(_) if line.starts_with('{') => {
                torn += 1;
                continue;
            }
            Err(_) => (String::new(), format!("{line}\n")),
        };
        match packages.iter_mut().rev().find(|(name, _)| *name == package) {
            Some((_, all)) => all.push_str(&output),
            None => packages.push((package, output)),
        }
    }
    let mut reader = Reader::default();
    for (package, output) in packages {
        reader.begin_package(&package);
        reader.take_all(&output);
    }
    let mut found = reader.finish();
    found.torn_events = torn;
    cases::saved(found).map_err(problem)
}

fn problem(fault: Fault) -> Problem {
    match fault {
        Fault::TooManyValues => Problem::TooMany { what: "measured values", limit: crate::VALUES_MAX },
        _ => Problem::NoBenchmarks { tool: FORMAT.tool },
    }
}
