//! nanobench's JSON (`templates::json()`): epochs of one process, in seconds per iteration; an iteration does `batch` operations.
//!
//! Custom templates may leave out the list's object, epochs or medians: whatever exists is read, and a result without any time fails alone.
//!
//! It lacks: machine, compiler, flags, version, time. A counter that the kernel refused is written as 0, so none is read. Names are not
//! escaped, which breaks the JSON; `nan` is bare (cpp.md 3).
//!
//! Its printed table has two decimals in any unit, with commas, and marks unstable benchmarks next to their name. For a short time, two
//! decimals are at most one digit, but the rate has all of them.

use super::{table, Format, Head, Read};
use crate::builder::{calls, key_of, parameter, parameter_suffix, settings, unit_ns, Builder};
use crate::node::{Fault, Node};
use std::collections::BTreeSet;
use tare_analysis::{Saved, SavedCase, SavedDesign, SavedSummary};

const NS: f64 = 1e9;
/// A unit of its last printed decimal.
const LAST_DECIMAL: f64 = 0.01;
/// Settings that affect how an epoch is measured.
const SETTINGS: [&str; 5] = ["epochs", "minEpochTime", "minEpochIterations", "epochIterations", "warmup"];

pub(crate) const FORMAT: Format = Format {
    tool: "nanobench",
    known_as: "nanobench (`templates::json()`)",
    is_json: is_of_it,
    read: Read::Json(read),
    too_little: &[(
        &["title\";\"name\""],
        "nanobench's CSV, which has no single epochs",
        "render `ankerl::nanobench::templates::json()`",
    )],
    broken: Some("nanobench does not escape quotes and backslashes: remove them from titles, names and units"),
    ..Format::NONE
};

/// An empty list, which does not tell the tool.
pub(crate) const EMPTY: Format =
    Format { tool: "nanobench or hyperfine", known_as: "", is_json: is_empty, too_little: &[], ..FORMAT };

/// Its printed table.
pub(crate) const TABLE: Format = Format {
    tool: FORMAT.tool,
    begins: |text| text.lines().any(is_header).then_some(0),
    read: Read::Text(|text, _| table::read(FORMAT.tool, text, rows)),
    ..Format::NONE
};

pub(crate) fn is_empty(head: &Head) -> bool {
    head.has(&["results"]) && !head.has(&["schema_version"]) && head.is_empty_list("results")
}

/// Whether JSON with results is from nanobench rather than hyperfine, as hyperfine 2 has measurements too.
pub(crate) fn is_of_it(head: &Head) -> bool {
    const OF_EPOCHS: [&str; 3] = ["median(elapsed)", "medianAbsolutePercentError(elapsed)", "clockResolution"];
    const SIGNS: [&str; 4] = ["\"measurements\"", "median(elapsed)", "medianAbsolutePercentError", "clockResolution"];
    let of_object = head.has(&["results"]) && !head.has(&["schema_version"]) && !is_empty(head);
    OF_EPOCHS.iter().any(|key| head.lists(&["name", key]))
        || of_object && SIGNS.iter().any(|sign| head.text.contains(sign))
}

fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("nanobench");
    let results = match root.list() {
        Ok(results) => results,
        Err(_) => root.need("results")?.list()?,
    };
    let mut counters = BTreeSet::new();
    for (at, result) in results.iter().enumerate() {
        let case = described(result, at);
        counters.extend(counted(result));
        match measured(&case, result) {
            Ok(Some(case)) => builder.case(case, "")?,
            Ok(None) => builder.lost(&case, "neither epochs nor a median was rendered"),
            Err(fault) => builder.unreadable(&case, fault, root)?,
        }
    }
    let why = "nanobench writes 0 where the kernel refuses a counter";
    builder.metrics_left_out(counters, why, "compare them by hand");
    builder.finish("nanobench".to_owned())
}

fn described(result: &Node, at: usize) -> SavedCase {
    let name = result.text_at("name").map_or_else(|| format!("results[{at}]"), str::to_owned);
    let size = result.number_at("complexityN").filter(|n| *n > 0.0);
    let parameters: Vec<_> = size.map(|n| parameter("N", n.to_string())).into_iter().collect();
    let group = result.text_at("title").filter(|title| *title != "benchmark").unwrap_or_default();
    let key = format!("{}{}", key_of(&[group, &name]), parameter_suffix(&parameters));
    SavedCase {
        group: group.to_owned(),
        parameters,
        language: "c++".to_owned(),
        unit: result.text_at("unit").unwrap_or("op").to_owned(),
        operations: Some(batch(result)),
        settings: settings(result, &SETTINGS),
        design: SavedDesign::Iterations,
        ..SavedCase::new(key, name)
    }
}

/// Names of the processor's counters in a result.
fn counted(result: &Node) -> impl Iterator<Item = String> + '_ {
    let median = |name: &str| Some(name.strip_prefix("median(")?.strip_suffix(')')?.to_owned());
    let some = result.fields().iter().filter(|(_, value)| value.plain_number().is_some_and(|count| count != 0.0));
    some.filter_map(move |(name, _)| median(name)).filter(|name| name != "elapsed")
}

fn batch(result: &Node) -> f64 {
    result.number_at("batch").filter(|b| *b > 0.0).unwrap_or(1.0)
}

fn measured(described: &SavedCase, result: &Node) -> Result<Option<SavedCase>, Fault> {
    result.need("name")?.text()?;
    let (mut case, batch) = (described.clone(), batch(result));
    match (result.get("measurements"), result.get("median(elapsed)")) {
        (Some(measurements), _) => {
            let elapsed = measurements.list()?.iter().map(|m| m.need("elapsed")?.number());
            let values = elapsed.map(|s| s.map(|s| s * NS / batch)).collect::<Result<Vec<f64>, Fault>>()?;
            case.launches = vec![values];
            case.calls = calls(measurements.list()?.iter().map(|m| m.number_at("iterations")));
        }
        (None, Some(median)) => {
            let median = median.number()? * NS / batch;
            let error = result.number_at("medianAbsolutePercentError(elapsed)");
            case.design = SavedDesign::Summary(SavedSummary {
                mean_ns: None,
                median_ns: Some(median),
                // The median absolute deviation of a normal sample is 0.6745 standard deviations.
                sd_ns: error.map(|e| e * median / 0.6745),
                values: result.number_at("epochs").map(|n| n as u64),
            });
        }
        (None, None) => return Ok(None),
    }
    Ok(Some(case))
}

/// Parses `|  7.81 | 128,103,931.44 |  0.7% |  0.00 | ``name`` `, under a header with the unit and the title.
fn rows(text: &str, builder: &mut Builder) -> Result<(), Fault> {
    let mut header: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| line.starts_with('|')) {
        let row: Vec<&str> = line.trim_start_matches('|').split('|').map(str::trim).collect();
        if is_header(line) {
            header = row;
            continue;
        }
        // A name may contain bars.
        let Some((_, name)) = line.split_once('`') else { continue };
        let Some((name, _)) = name.rsplit_once('`') else { continue };
        let column =
            header.iter().position(|column| column.split_once('/').is_some_and(|(unit, _)| unit_ns(unit).is_some()));
        let (Some(column), Some(title)) = (column, header.last()) else { continue };
        let Some((unit, operation)) = header[column].split_once('/') else { continue };
        let cell = |at: Option<usize>| {
            at.and_then(|at| row.get(at)).and_then(|cell| table::number(cell.trim_end_matches('%')))
        };
        let rate = cell(header.iter().position(|column| *column == format!("{operation}/s")));
        // Both have two decimals, so the greater number has more digits.
        let printed = cell(Some(column)).zip(unit_ns(unit)).map(|(value, unit)| match rate {
            Some(rate) if rate > value => (1e9 / rate, LAST_DECIMAL / rate),
            _ => (value * unit, LAST_DECIMAL / value),
        });
        let median_ns = printed.map(|(ns, _)| ns);
        let error = cell(header.iter().position(|column| *column == "err%")).map(|percent| percent / 100.0);
        let group = if *title == "benchmark" { "" } else { title };
        let case = SavedCase {
            unit: operation.to_owned(),
            resolution_ns: printed.map(|(ns, share)| ns * share).filter(|ns| ns.is_finite()),
            design: SavedDesign::Summary(SavedSummary {
                mean_ns: None,
                median_ns,
                // The median absolute deviation of a normal sample is 0.6745 standard deviations.
                sd_ns: error.zip(median_ns).map(|(error, ns)| error * ns / 0.6745),
                values: None,
            }),
            ..table::case(group, name, &[])
        };
        builder.case(case, "")?;
    }
    Ok(())
}

fn is_header(line: &str) -> bool {
    line.starts_with('|') && line.contains("err% |")
}
