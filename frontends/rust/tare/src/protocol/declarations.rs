//! What the program says of itself and of its benchmarks.

use std::time::Duration;

use super::json::Json;
use crate::callgrind;
use crate::clock;
use crate::loops::{ROLLED, UNROLL};
use crate::memory;
use crate::metric::metrics;
use crate::registry::{Case, Manner};

pub(super) fn hello() -> String {
    let mut capabilities = vec!["rolled", "single", "check", "randomize", "parameters", "code"];
    if clock::HAS_CPU {
        capabilities.extend(["cpu", "process-cpu", "switches", "waits"]);
    }
    if clock::HAS_PROBE {
        capabilities.extend(["probe", "windows"]);
    }
    if callgrind::HAS {
        capabilities.push("callgrind");
    }
    let counts = memory::is_possible();
    if counts {
        capabilities.push("diagnose");
    }
    let flags = if cfg!(panic = "abort") { "panic=abort" } else { "panic=unwind" };
    let mut json = Json::new("hello").number("protocol", 1).text("language", "rust");
    json = json.text("front_end", concat!("tare-rust ", env!("CARGO_PKG_VERSION"))).text("runtime", "std");
    if let Some(compiler) = crate::compiler::name() {
        // Two programs of one compiler may have different C libraries.
        let libc = if cfg!(target_env = "musl") { " with musl" } else { "" };
        json = json.text("compiler", &(compiler + libc));
    }
    if memory::keeps_what_is_freed() {
        json = json.truth("collects", true);
    }
    json = json.text("flags", flags).truth("optimised", !cfg!(debug_assertions)).truth("debugger", debugger());
    json = json.text("clock", if cfg!(target_os = "linux") { "CLOCK_MONOTONIC" } else { "std::time::Instant" });
    json = json.number("clock_resolution_ns", clock::resolution_ns()).number("unroll", UNROLL);
    json = json.number("rolled_unroll", ROLLED);
    if clock::HAS_PROBE {
        json = json.number("probe_cycles", clock::PROBE_CYCLES).number("width_additions", clock::WIDTH_ADDITIONS);
    }
    let context = crate::context::all();
    if !context.is_empty() {
        json.name("context");
        for (number, (name, value)) in context.iter().enumerate() {
            json.0.push_str(if number == 0 { "[{\"name\":" } else { ",{\"name\":" });
            json.quote(name);
            json = json.text("value", value);
            json.0.push('}');
        }
        json.0.push(']');
    }
    json.name("metrics");
    json.0.push('[');
    for (number, metric) in metrics().into_iter().enumerate() {
        let per = if metric.per_iteration { "iteration" } else { "operation" };
        json = json.metric(number, metric.name, metric.unit, metric.better, per);
    }
    json.0.push(']');
    if counts {
        json.name("diagnosers");
        json.0.push_str("[{\"name\":\"memory\",\"metrics\":[");
        for (number, (name, unit, per)) in memory::METRICS.into_iter().enumerate() {
            json = json.metric(number, name, unit, "lower", per);
        }
        json.0.push_str("]}]");
    }
    json.texts("capabilities", &capabilities).line()
}

/// Whether somebody traces this process.
fn debugger() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|pid| pid.trim() != "0")
}

pub(super) fn describe(index: usize, case: &Case) -> String {
    let bench = case.bench;
    let mut json =
        Json::new("benchmark").number("index", index as u64).text("group", case.group()).text("name", &case.name);
    json.name("parameters");
    json.0.push('[');
    for (number, (name, value)) in case.parameters.iter().enumerate() {
        if number != 0 {
            json.0.push(',');
        }
        json.0.push_str("{\"name\":");
        json.quote(name);
        json = json.text("value", value).text("type", case.types[number]);
        json.0.push('}');
    }
    json.0.push(']');
    json = json.text("file", bench.file).number("line", u64::from(bench.line)).truth("baseline", bench.baseline);
    json = json.number("operations", case.operations).text("unit", bench.unit);
    if !case.rates.is_empty() {
        json.name("rates");
        for (number, rate) in case.rates.iter().enumerate() {
            json.0.push_str(if number == 0 { "[{\"name\":" } else { ",{\"name\":" });
            json.quote(rate.name);
            json = json.text("unit", rate.unit).number("per_invocation", rate.amount.unwrap_or(0));
            json.0.push('}');
        }
        json.0.push(']');
    }
    json = json.texts("categories", bench.categories);
    if !bench.description.is_empty() {
        json = json.text("description", bench.description);
    }
    let vtable = &case.vtable;
    let mut set_ups = Vec::new();
    for (has, name) in [
        (vtable.set_up, "global"),
        (vtable.clean_up.is_some(), "global-clean-up"),
        // An invocation is an iteration then, whose set-up is ours.
        (vtable.iteration_set_up.is_some() || bench.manner.cold_caches, "iteration"),
        (vtable.iteration_clean_up.is_some(), "iteration-clean-up"),
    ] {
        if has {
            set_ups.push(name);
        }
    }
    json = json.texts("set_ups", &set_ups);
    json = json.truth("returns", bench.returns).number("threads", u64::from(case.threads));
    if let Some(reason) = &case.skipped {
        json = json.text("skipped", reason);
    }
    if vtable.own.is_some() {
        json = json.truth("own_time", true);
    }
    if let Some(fault) = &case.fault {
        json = json.text("invalid", fault);
    }
    manner(json, &bench.manner).line()
}

/// What a benchmark says of how it is run, where it does.
fn manner(mut json: Json, manner: &Manner) -> Json {
    if !manner.diagnose.is_empty() {
        json = json.texts("diagnosers", manner.diagnose);
    }
    if manner.waits {
        json = json.truth("waits", true);
    }
    if manner.strategy != "throughput" {
        json = json.text("strategy", manner.strategy);
    }
    if manner.results != "same" {
        json = json.text("results", manner.results);
    }
    if let Some(most) = manner.most() {
        json = json.number("invocations_max", most);
    }
    let ns = |time: Option<Duration>| time.map(|time| time.as_nanos() as u64);
    let rules = [
        ("visit_ns", ns(manner.visit_time)),
        ("warmup_ns", ns(manner.warm_up_time)),
        ("invocations", manner.invocations),
    ];
    let mut rules = rules.into_iter().filter_map(|(name, number)| number.map(|number| (name, number))).peekable();
    if rules.peek().is_some() || manner.memory_randomization {
        json.name("policy");
        json = json.numbered(&mut rules);
        if manner.memory_randomization {
            json.0.pop();
            json.0.push_str(if json.0.ends_with('{') { "" } else { "," });
            json.0.push_str("\"memory_randomization\":true}");
        }
    }
    if manner.environment.is_empty() && manner.arguments.is_empty() {
        return json;
    }
    json.name("launch");
    json.0.push_str("{\"environment\":{");
    for (number, (name, value)) in manner.environment.iter().enumerate() {
        if number != 0 {
            json.0.push(',');
        }
        json.quote(name);
        json.0.push(':');
        json.quote(value);
    }
    json.0.push('}');
    json = json.texts("arguments", manner.arguments);
    json.0.push('}');
    json
}
