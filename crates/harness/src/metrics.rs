//! Counts of a harness besides time, as metrics and rates of Tare.

use crate::harness::Statistic;
use crate::values::value;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use tare_analysis::{Better, SavedCase};
use tare_model::Rate;

const NAME_MAX: usize = 40;
/// Names with another meaning in the protocol.
const TAKEN: [&str; 4] = ["time", "operations", "metrics", "events"];
/// Units that importers append to the name of a quantity; anything else after a space is part of the name.
const UNITS: [&str; 2] = ["B", "ns"];
/// Suffixes of rates, removed to get the name of what is counted.
const PER_SECOND: [&str; 2] = ["_per_second", "/s"];

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Extra {
    /// The importer's name, by which its values are found.
    pub quantity: String,
    pub name: String,
    pub unit: String,
    /// `lower`, `higher`; empty: neither.
    pub better: String,
}

/// Quantities of a case besides its time. `computes`: its CPU time is reported with each time, and is not a metric.
pub(crate) fn extras(case: &SavedCase, computes: bool) -> Vec<Extra> {
    let cpu = case.otherwise.as_deref().filter(|_| !computes).map(|other| Extra {
        quantity: other.quantity.clone(),
        name: "cpu_time".to_owned(),
        unit: "ns".to_owned(),
        better: "lower".to_owned(),
    });
    let others = case.metrics.iter().filter(|metric| rate(metric).is_none()).map(of_metric);
    let mut all: Vec<Extra> = Vec::new();
    for extra in cpu.into_iter().chain(others) {
        // Two counters whose names differ only in characters that names cannot have.
        let name = unlike(&extra.name, |name| all.iter().any(|known| known.name == *name));
        all.push(Extra { name, ..extra });
    }
    all
}

/// The name, or the first of `name_2`, `name_3`, ... that is free.
fn unlike(name: &str, is_taken: impl Fn(&String) -> bool) -> String {
    let name = if name.is_empty() { "counter" } else { name };
    let others = (2..).map(|count: usize| format!("{name}_{count}"));
    std::iter::once(name.to_owned()).chain(others).find(|name| !is_taken(name)).unwrap_or_default()
}

fn of_metric(metric: &SavedCase) -> Extra {
    let is_unit = |unit: &str| UNITS.contains(&unit) || unit.starts_with("ops/") || unit.ends_with("/op");
    let parts = metric.quantity.rsplit_once(' ').filter(|(_, unit)| is_unit(unit));
    let (name, unit) = parts.unwrap_or((&metric.quantity, ""));
    let better = match metric.better {
        Better::Lower => "lower",
        Better::Higher => "higher",
        _ => "",
    };
    Extra { quantity: metric.quantity.clone(), name: as_name(name), unit: unit.to_owned(), better: better.to_owned() }
}

fn as_name(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = text.chars().map(plain).collect();
    let name = name.trim_matches('_');
    let name = match name.starts_with(|c: char| c.is_ascii_digit()) || TAKEN.contains(&name) || name.ends_with("_ns") {
        true => format!("n_{name}"),
        false => name.to_owned(),
    };
    name.chars().take(NAME_MAX).collect::<String>().trim_end_matches('_').to_owned()
}

pub(crate) fn rates(case: &SavedCase) -> Vec<Rate> {
    case.metrics.iter().filter_map(rate).collect()
}

/// A rate only repeats the time, as long as each invocation processes the same amount.
fn rate(metric: &SavedCase) -> Option<Rate> {
    let amount = metric.operations.filter(|_| metric.drifts)?;
    let name = as_name(PER_SECOND.iter().find_map(|end| metric.quantity.strip_suffix(end))?);
    // The amount was computed by division, so it is rounded if almost whole.
    let whole = amount.round();
    let is_whole = whole > 0.0 && (amount - whole).abs() < 1e-6 * whole;
    Some(Rate { name, per_invocation: if is_whole { whole } else { amount }, ..Rate::default() })
}

/// The value of a quantity besides time; 0 if the process did not report it.
pub(crate) fn value_of(case: &SavedCase, extra: &Extra) -> f64 {
    let others = case.otherwise.as_deref().into_iter().chain(&case.metrics);
    let found = { others }.find(|other| other.quantity == extra.quantity);
    found.and_then(|found| value(found, Statistic::Mean)).filter(|v| v.is_finite() && *v >= 0.0).unwrap_or(0.0)
}

pub(crate) fn declared(extra: &Extra) -> Value {
    let mut line = json!({"name": extra.name, "per": "iteration"});
    if !extra.unit.is_empty() {
        line["unit"] = extra.unit.as_str().into();
    }
    if !extra.better.is_empty() {
        line["better"] = extra.better.as_str().into();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_analysis::SavedDesign;

    fn counter(quantity: &str, value: f64) -> SavedCase {
        SavedCase {
            quantity: quantity.to_owned(),
            design: SavedDesign::Iterations,
            launches: vec![vec![value]],
            better: Better::Unknown,
            ..SavedCase::new("BM", "BM")
        }
    }

    #[test]
    fn counters_become_metrics_and_rates_amounts() {
        let bytes = SavedCase { drifts: true, operations: Some(4_095.999_999), ..counter("bytes_per_second", 1e9) };
        let case = SavedCase {
            design: SavedDesign::Iterations,
            launches: vec![vec![3.0, 5.0, 10.0]],
            otherwise: Some(Box::new(SavedCase { quantity: "CPU time".to_owned(), ..counter("", 4.0) })),
            metrics: vec![
                counter("Cache-Misses", 7.0),
                counter("2nd", 1.0),
                bytes,
                counter("peak_memory B", 9.0),
                counter("cache hits", 2.0),
                counter("cache misses", 3.0),
                counter("ü", 3.0),
            ],
            ..SavedCase::new("BM", "BM")
        };
        assert_eq!(extras(&case, true)[0].name, "cache_misses");
        let found = extras(&case, false);
        let names: Vec<(&str, &str)> = found.iter().map(|e| (e.name.as_str(), e.unit.as_str())).collect();
        let first = [("cpu_time", "ns"), ("cache_misses", ""), ("n_2nd", ""), ("peak_memory", "B")];
        assert_eq!(names[..4], first);
        // A text after a space may be part of the name, and no counter is lost because of its name.
        assert_eq!(names[4..], [("cache_hits", ""), ("cache_misses_2", ""), ("counter", "")]);
        assert_eq!(value_of(&case, &found[5]), 3.0);
        let of_criterion = SavedCase { quantity: "bytes/s".to_owned(), ..case.metrics[2].clone() };
        assert_eq!(rate(&of_criterion).map(|amount| amount.name).as_deref(), Some("bytes"));
        assert_eq!(rates(&case), [Rate { name: "bytes".to_owned(), per_invocation: 4096.0, ..Rate::default() }]);
        assert_eq!((value_of(&case, &found[1]), value_of(&case, &Extra::default())), (7.0, 0.0));
    }
}
