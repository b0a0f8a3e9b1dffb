//! nanobench's JSON (`templates::json()`): epochs of one process, in seconds for one iteration; an iteration does `batch` operations.
//!
//! Own templates may leave out the list's object, epochs or medians: what is there is read, and a result without any time fails alone.
//!
//! It lacks: machine, compiler, flags, version, time. A counter that the kernel refused is written as 0, so none is read. Names are
//! not escaped, which breaks the JSON; `nan` stands bare in it (cpp.md 3).

use crate::builder::{calls, key_of, parameter, parameter_suffix, settings, Builder};
use crate::node::{Fault, Node};
use std::collections::BTreeSet;
use tare_analysis::{Saved, SavedCase, SavedDesign, SavedSummary};

const NS: f64 = 1e9;
/// What changes how an epoch is measured.
const SETTINGS: [&str; 5] = ["epochs", "minEpochTime", "minEpochIterations", "epochIterations", "warmup"];

pub(crate) fn read(root: &Node) -> Result<Saved, Fault> {
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

/// Counters of the processor that a benchmark has some of.
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
