//! Replies to requests about one benchmark, and refusals.

use super::json::Json;
use crate::clock;
use crate::guard::Failure;
use crate::instance::{Cuts, Sample, Which};
use crate::metric::metrics;
use crate::registry::Case;
use crate::vtable::Amounts;

pub(super) fn error(kind: &str, message: &str) -> String {
    Json::new("error").text("kind", kind).text("message", message).line()
}

pub(super) fn failed(failure: &Failure) -> String {
    if failure.skipped {
        return error("skipped", &failure.message);
    }
    let mut json = Json::new("error");
    json.text("kind", "exception").text("step", failure.step);
    json.text("message", &failure.message).text("type", if failure.panic { "panic" } else { "Err" });
    if let Some((file, line)) = &failure.place {
        json.text("file", file).member("line", line);
    }
    json.line()
}

pub(super) fn outcome(reply: &str, result: Result<(), Failure>) -> String {
    match result {
        Ok(()) => Json::new(reply).line(),
        Err(failure) => failed(&failure),
    }
}

/// R25, R28, R29: values that depend on the instance, and the address of its loop.
pub(super) fn opened_with(
    case: &Case,
    amounts: Option<Amounts>,
    input_bytes: Option<u64>,
    loop_address: u64,
) -> String {
    let mut json = Json::new("opened");
    json.member("loop_address", &loop_address).member_if("input_bytes", input_bytes);
    let Some(amounts) = amounts else { return json.line() };
    json.member_if("operations", amounts.operations);
    if !amounts.rates.is_empty() {
        let threads = if case.bench.team { u64::from(case.threads) } else { 1 };
        json.name("rates").object(|json| {
            for (name, amount) in &amounts.rates {
                json.member(name, &amount.saturating_mul(threads));
            }
        });
    }
    json.line()
}

/// R25: the operations of each iteration, if the benchmark counts them.
pub(super) fn operations(json: &mut Json, samples: &[Sample]) {
    if samples.iter().any(|sample| sample.operations > 0.0) {
        json.values("operations", samples.iter().map(|sample| sample.operations));
    }
}

pub(super) fn measured(which: Which, samples: &[Sample], cuts: &Cuts) -> String {
    let mut json = Json::new("measured");
    let mut column = |name: &str, of: fn(&Sample) -> u64| json.values(name, samples.iter().map(of));
    column("elapsed_ns", |sample| sample.elapsed_ns);
    if which.is_user() {
        if clock::HAS_CPU {
            column("cpu_ns", |sample| sample.cpu_ns);
            column("process_cpu_ns", |sample| sample.process_cpu_ns);
            column("switches", |sample| sample.switches);
            column("waits", |sample| sample.waits);
        }
        if clock::HAS_PROBE {
            column("probe_before_ns", |sample| sample.probe_before_ns);
            column("probe_after_ns", |sample| sample.probe_after_ns);
        }
    }
    if cuts.windows != 0 {
        json.values("window_ns", cuts.window_ns.iter());
        json.values("width_ns", cuts.width_ns.iter());
    }
    if which.is_user() {
        operations(&mut json, samples);
    }
    let metrics = metrics();
    if which.is_user() && !metrics.is_empty() {
        json.name("metrics").object(|json| {
            for (at, metric) in metrics.iter().enumerate() {
                json.values(metric.name, cuts.metrics.iter().skip(at).step_by(metrics.len()));
            }
        });
    }
    json.line()
}
