//! Measurements and counts of a child.

use super::found::FoundReply;
use super::{member, DecodeError, Reply};
use serde::Deserialize;
use std::collections::BTreeMap;
use tare_model::{Columns, RuntimeEvent};

#[derive(Deserialize)]
pub(super) struct Measured {
    elapsed_ns: Vec<f64>,
    #[serde(default)]
    cpu_ns: Vec<f64>,
    #[serde(default)]
    process_cpu_ns: Vec<f64>,
    #[serde(default)]
    probe_before_ns: Vec<f64>,
    #[serde(default)]
    probe_after_ns: Vec<f64>,
    #[serde(default)]
    switches: Vec<f64>,
    #[serde(default)]
    waits: Vec<f64>,
    #[serde(default)]
    compilations: Vec<f64>,
    #[serde(default)]
    operations: Vec<f64>,
    #[serde(default)]
    window_ns: Vec<f64>,
    #[serde(default)]
    width_ns: Vec<f64>,
    #[serde(default)]
    metrics: BTreeMap<String, Vec<Option<f64>>>,
    #[serde(default)]
    events: Vec<EventLine>,
}

#[derive(Deserialize)]
struct EventLine {
    iteration: u32,
    kind: String,
    #[serde(default)]
    at_ns: f64,
    #[serde(default)]
    ns: f64,
}

pub(super) fn measured(m: Measured) -> Result<Columns, DecodeError> {
    let iterations = m.elapsed_ns.len();
    if let Some((name, values)) = m.metrics.iter().find(|(_, values)| values.len() != iterations) {
        return Err(member("measured", format!("R19: `{name}` has {} entries, not {iterations}", values.len())));
    }
    // If one iteration lacks a value of a metric, the whole reply has none of it. The times stay.
    let counted_values = |values: Vec<Option<f64>>| {
        let known = values.into_iter().map(|value| value.filter(|v| v.is_finite() && *v >= 0.0));
        known.collect::<Option<_>>().unwrap_or_default()
    };
    let metrics = m.metrics.into_iter().map(|(name, values)| (name, counted_values(values)));
    let columns = Columns {
        elapsed_ns: m.elapsed_ns,
        cpu_ns: m.cpu_ns,
        process_cpu_ns: m.process_cpu_ns,
        probe_before_ns: m.probe_before_ns,
        probe_after_ns: m.probe_after_ns,
        switches: m.switches,
        waits: m.waits,
        compilations: m.compilations,
        descendants_cpu_ns: Vec::new(),
        operations: m.operations,
        window_ns: m.window_ns,
        width_ns: m.width_ns,
        metrics: metrics.collect(),
        events: m.events.into_iter().map(event).collect(),
    };
    counted("measured", &columns.operations)?;
    let length = columns.len();
    for (name, values) in std::iter::once(("elapsed_ns", &columns.elapsed_ns)).chain(columns.optional()) {
        if !values.is_empty() && values.len() != length {
            return Err(member("measured", format!("R19: `{name}` has {} entries, not {length}", values.len())));
        }
        if let Some(bad) = values.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            return Err(member("measured", format!("`{name}` contains {bad}")));
        }
    }
    if !columns.windows_fit() {
        let (windows, readings) = (columns.window_ns.len(), columns.width_ns.len());
        let why = format!(
            "R19: {windows} entries of `window_ns` and {readings} of `width_ns` do not match {length} iterations"
        );
        return Err(member("measured", why));
    }
    for (name, values) in [("window_ns", &columns.window_ns), ("width_ns", &columns.width_ns)] {
        if let Some(bad) = values.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            return Err(member("measured", format!("`{name}` contains {bad}")));
        }
    }
    if !columns.events_fit() {
        let why = format!("R19: `events` has an entry outside the {length} iterations, or an invalid time");
        return Err(member("measured", why));
    }
    Ok(columns)
}

#[derive(Deserialize)]
pub(super) struct Diagnosed {
    #[serde(default)]
    operations: Vec<f64>,
    metrics: BTreeMap<String, Vec<f64>>,
    #[serde(flatten)]
    found: FoundReply,
}

pub(super) fn diagnosed(d: Diagnosed) -> Result<Reply, DecodeError> {
    counted("diagnosed", &d.operations)?;
    for (name, values) in &d.metrics {
        if let Some(bad) = values.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            return Err(member("diagnosed", format!("R23: `{name}` contains {bad}")));
        }
    }
    let findings = d.found.read().map_err(|reason| member("diagnosed", format!("R30: {reason}")))?;
    Ok(Reply::Diagnosed { operations: d.operations, metrics: d.metrics, findings: Box::new(findings) })
}

/// R25: operations per invocation in each iteration.
fn counted(kind: &'static str, operations: &[f64]) -> Result<(), DecodeError> {
    match operations.iter().find(|n| !(n.is_finite() && **n > 0.0)) {
        Some(bad) => Err(member(kind, format!("R25: `operations` contains {bad}; each entry must be greater than 0"))),
        None => Ok(()),
    }
}

fn event(line: EventLine) -> RuntimeEvent {
    RuntimeEvent { iteration: line.iteration, kind: line.kind, at_ns: line.at_ns, ns: line.ns }
}
