use super::{member, DecodeError};
use crate::declared::{diagnosers, metrics, DiagnoserLine, MetricLine};
use serde::Deserialize;
use tare_model::{ChildFacts, ContextEntry};

#[derive(Deserialize)]
pub(super) struct Hello {
    protocol: u64,
    #[serde(default)]
    metrics: Vec<MetricLine>,
    #[serde(default)]
    diagnosers: Vec<DiagnoserLine>,
    #[serde(flatten)]
    facts: ChildFacts,
}

pub(super) fn hello(
    Hello { protocol, metrics: lines, diagnosers: of_passes, facts: h }: Hello,
) -> Result<ChildFacts, DecodeError> {
    let wrong = |reason: &str| Err(member("hello", reason));
    if protocol != crate::VERSION {
        return wrong(&format!("`protocol` is {protocol}, not 1"));
    }
    if h.clock_resolution_ns.is_nan() || h.clock_resolution_ns <= 0.0 {
        return wrong("`clock_resolution_ns` must be greater than 0");
    }
    if h.unroll == 0 || h.rolled_unroll == Some(0) {
        return wrong("`unroll` and `rolled_unroll` must be at least 1");
    }
    let can = |name: &str| h.can(name);
    let is_positive = |length: Option<f64>| length.is_some_and(|l| l > 0.0);
    if can("probe") && is_positive(h.probe_cycles) == is_positive(h.probe_steps) {
        return wrong("the capability `probe` needs `probe_cycles` or `probe_steps`, greater than 0, and not both");
    }
    if can("windows") && !h.width_additions.is_some_and(|a| a > 0.0) {
        return wrong("`width_additions` must be greater than 0 with the capability `windows`");
    }
    if can("windows") && !(can("probe") && is_positive(h.probe_cycles)) && !h.width_per_process {
        return wrong("the capability `windows` needs `probe` with `probe_cycles`, or `width_per_process`");
    }
    if h.width_per_runtime && !h.width_per_process {
        return wrong("`width_per_runtime` is for a width probe of the child's own: it needs `width_per_process`");
    }
    let is_good = |(at, entry): (usize, &ContextEntry)| {
        !entry.name.is_empty() && h.context[..at].iter().all(|other| other.name != entry.name)
    };
    if !h.context.iter().enumerate().all(is_good) {
        return wrong("`context` must have each name once, and none that is empty");
    }
    if can("rolled") && h.rolled_unroll.is_none() {
        return wrong("`rolled_unroll` is needed with the capability `rolled`");
    }
    if can("single") && !(can("rolled") && h.unroll > 1) {
        return wrong("the capability `single` needs `rolled` and an `unroll` above 1");
    }
    Ok(ChildFacts {
        probe_steps: h.probe_steps.filter(|s| *s > 0.0),
        width_additions: h.width_additions.filter(|a| *a > 0.0),
        // Compiling by the clock implies compiling late.
        compiles_late: h.compiles_late || h.compiles_by_clock,
        compiles_by_count: h.compiles_by_clock && h.compiles_by_count && can("compilations"),
        metrics: metrics(lines)?,
        diagnosers: diagnosers(of_passes, can("diagnose"))?,
        ..h
    })
}
