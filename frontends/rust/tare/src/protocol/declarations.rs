//! The replies in which the program describes itself and its benchmarks.

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
    let mut json = Json::new("hello");
    json.member("protocol", &1).text("language", "rust");
    json.text("front_end", concat!("tare-rust ", env!("CARGO_PKG_VERSION"))).text("runtime", "std");
    if let Some(compiler) = crate::compiler::name() {
        // Programs of the same compiler may use different C libraries.
        let libc = if cfg!(target_env = "musl") { " with musl" } else { "" };
        json.text("compiler", &(compiler + libc));
    }
    if memory::keeps_what_is_freed() {
        json.member("collects", &true);
    }
    json.text("flags", flags).member("optimised", &!cfg!(debug_assertions)).member("debugger", &debugger());
    json.text("clock", if cfg!(target_os = "linux") { "CLOCK_MONOTONIC" } else { "std::time::Instant" });
    json.member("clock_resolution_ns", &clock::resolution_ns());
    json.member("unroll", &UNROLL).member("rolled_unroll", &ROLLED);
    if clock::HAS_PROBE {
        json.member("probe_cycles", &clock::PROBE_CYCLES).member("width_additions", &clock::WIDTH_ADDITIONS);
    }
    let context = crate::context::all();
    if !context.is_empty() {
        json.name("context").list(|json| {
            for (name, value) in &context {
                json.object(|json| {
                    json.text("name", name).text("value", value);
                });
            }
        });
    }
    json.name("metrics").list(|json| {
        for of in metrics() {
            let per = if of.per_iteration { "iteration" } else { "operation" };
            metric(json, of.name, of.unit, of.better, per);
        }
    });
    if counts {
        json.name("diagnosers").list(|json| {
            json.object(|json| {
                json.text("name", "memory").name("metrics").list(|json| {
                    memory::METRICS.into_iter().for_each(|(name, unit, per)| metric(json, name, unit, "lower", per));
                });
            });
        });
    }
    json.texts("capabilities", &capabilities).line()
}

/// An element of a list of metrics.
fn metric(json: &mut Json, name: &str, unit: &str, better: &str, per: &str) {
    json.object(|json| {
        json.text("name", name).text("unit", unit).text_if(!better.is_empty(), "better", better).text("per", per);
    });
}

/// Whether a debugger traces this process.
fn debugger() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|pid| pid.trim() != "0")
}

pub(super) fn describe(index: usize, case: &Case) -> String {
    let bench = case.bench;
    let mut json = Json::new("benchmark");
    json.member("index", &index).text("group", case.group()).text("name", &case.name);
    json.name("parameters").list(|json| {
        for ((name, value), kind) in case.parameters.iter().zip(&case.types) {
            json.object(|json| {
                json.text("name", name).text("value", value).text("type", kind);
            });
        }
    });
    json.text("key", &case.key())
        .text("file", bench.file)
        .member("line", &bench.line)
        .member("baseline", &bench.baseline);
    json.member("operations", &case.operations).text("unit", bench.unit);
    if !case.rates.is_empty() {
        json.name("rates").list(|json| {
            for rate in &case.rates {
                let amount = rate.amount.unwrap_or(0);
                json.object(|json| {
                    json.text("name", rate.name).text("unit", rate.unit).member("per_invocation", &amount);
                });
            }
        });
    }
    json.texts("categories", bench.categories);
    json.text_if(!bench.description.is_empty(), "description", bench.description);
    let vtable = &case.vtable;
    let set_ups = [
        (vtable.set_up, "global"),
        (vtable.clean_up.is_some(), "global-clean-up"),
        // Cold caches make each invocation an iteration, with a set-up by the front end.
        (vtable.iteration_set_up.is_some() || bench.manner.cold_caches, "iteration"),
        (vtable.iteration_clean_up.is_some(), "iteration-clean-up"),
    ];
    let set_ups: Vec<&str> = set_ups.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect();
    json.texts("set_ups", &set_ups);
    json.member("returns", &bench.returns).member("threads", &case.threads);
    if let Some(reason) = &case.skipped {
        json.text("skipped", reason);
    }
    if vtable.own.is_some() {
        json.member("own_time", &true);
    }
    if let Some(fault) = &case.fault {
        json.text("invalid", fault);
    }
    manner(&mut json, &bench.manner);
    json.line()
}

/// Writes the settings of a run that the benchmark declares.
fn manner(json: &mut Json, manner: &Manner) {
    if !manner.diagnose.is_empty() {
        json.texts("diagnosers", manner.diagnose);
    }
    if manner.waits {
        json.member("waits", &true);
    }
    json.text_if(manner.strategy != "throughput", "strategy", manner.strategy);
    json.text_if(manner.results != "same", "results", manner.results);
    json.member_if("invocations_max", manner.most());
    let ns = |time: Option<Duration>| time.map(|time| time.as_nanos() as u64);
    let rules = [
        ("visit_ns", ns(manner.visit_time)),
        ("warmup_ns", ns(manner.warm_up_time)),
        ("invocations", manner.invocations),
    ];
    if manner.memory_randomization || rules.iter().any(|(_, number)| number.is_some()) {
        json.name("policy").object(|json| {
            for (name, number) in rules {
                json.member_if(name, number);
            }
            if manner.memory_randomization {
                json.member("memory_randomization", &true);
            }
        });
    }
    if manner.environment.is_empty() && manner.arguments.is_empty() {
        return;
    }
    json.name("launch").object(|json| {
        json.name("environment").object(|json| {
            for (name, value) in manner.environment {
                json.text(name, value);
            }
        });
        json.texts("arguments", manner.arguments);
    });
}
