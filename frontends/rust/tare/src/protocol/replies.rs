//! Replies to what was asked of one benchmark, and refusals.

use std::fmt::Write as _;

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
    let mut json = Json::new("error").text("kind", "exception").text("step", failure.step);
    json = json.text("message", &failure.message).text("type", if failure.panic { "panic" } else { "Err" });
    if let Some((file, line)) = &failure.place {
        json = json.text("file", file).number("line", u64::from(*line));
    }
    json.line()
}

pub(super) fn outcome(reply: &str, result: Result<(), Failure>) -> String {
    match result {
        Ok(()) => Json::new(reply).line(),
        Err(failure) => failed(&failure),
    }
}

/// R25, R28, R29: what only the instance knows, and where its loop is.
pub(super) fn opened_with(
    case: &Case,
    amounts: Option<Amounts>,
    input_bytes: Option<u64>,
    loop_address: u64,
) -> String {
    let mut json = Json::new("opened").number("loop_address", loop_address);
    if let Some(bytes) = input_bytes {
        json = json.number("input_bytes", bytes);
    }
    let Some(amounts) = amounts else { return json.line() };
    if let Some(operations) = amounts.operations {
        json = json.number("operations", operations);
    }
    if !amounts.rates.is_empty() {
        json.name("rates");
        let threads = if case.bench.team { u64::from(case.threads) } else { 1 };
        json =
            json.numbered(&mut amounts.rates.into_iter().map(|(name, amount)| (name, amount.saturating_mul(threads))));
    }
    json.line()
}

pub(super) fn measured(which: Which, samples: &[Sample], cuts: &Cuts) -> String {
    let mut json = Json::new("measured").numbers("elapsed_ns", samples, |sample| sample.elapsed_ns);
    if which.is_user() {
        if clock::HAS_CPU {
            json = json.numbers("cpu_ns", samples, |sample| sample.cpu_ns);
            json = json.numbers("process_cpu_ns", samples, |sample| sample.process_cpu_ns);
            json = json.numbers("switches", samples, |sample| sample.switches);
            json = json.numbers("waits", samples, |sample| sample.waits);
        }
        if clock::HAS_PROBE {
            json = json.numbers("probe_before_ns", samples, |sample| sample.probe_before_ns);
            json = json.numbers("probe_after_ns", samples, |sample| sample.probe_after_ns);
        }
    }
    if cuts.windows != 0 {
        json = json.list("window_ns", &mut cuts.window_ns.iter().copied());
        json = json.list("width_ns", &mut cuts.width_ns.iter().copied());
    }
    if which.is_user() {
        json = json.counted(samples);
    }
    let metrics = metrics();
    if which.is_user() && !metrics.is_empty() {
        json.name("metrics");
        for (at, metric) in metrics.iter().enumerate() {
            json.0.push(if at == 0 { '{' } else { ',' });
            json.quote(metric.name);
            json.0.push_str(":[");
            for (number, value) in cuts.metrics.iter().skip(at).step_by(metrics.len()).enumerate() {
                let comma = if number == 0 { "" } else { "," };
                let _ = write!(json.0, "{comma}{value}");
            }
            json.0.push(']');
        }
        json.0.push('}');
    }
    json.line()
}
