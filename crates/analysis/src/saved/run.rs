//! A run of Tare as one side of a comparison of saved data.

use super::{fact, Saved, SavedCase, SavedDesign, SavedFailure, ShownTime, CPU_TIME, WALL_TIME};
use crate::clock::{reference_cycle_ns, Exponent};
use crate::core::CoreUse;
use crate::estimate::{loop_cost, NetTime};
use crate::report::{estimates, MetricReport};
use crate::visits::{all_times, CaseTimes, Quantity, TimeKind};
use std::collections::{BTreeMap, BTreeSet};
use tare_model::{Benchmark, Case, Clocking, Metric, Per, Run};
use tare_stats::interval::Interval;

impl Saved {
    /// A run of Tare: for each launch the valid visits of its stage `actual`, ns per operation with the loop around the body, at the
    /// reference clock of the run. The run must be valid: documents from elsewhere are checked first (`tare_import`).
    pub fn from_run(run: &Run) -> Saved {
        let reference = reference_cycle_ns(run);
        let mut saved = Saved {
            name: run.id.clone(),
            tool: "tare".to_owned(),
            detail: format!("tare {}, method {}, run {} of {}", run.tare, run.method, run.id, run.created),
            machine: machine(run, reference),
            categories: categories(run),
            ..Saved::default()
        };
        let all = all_times(run, reference);
        // Another session may have had to use the other kind of time.
        let other = |of: &CaseTimes| match of.quantity {
            Quantity::Wall => Quantity::Cpu,
            Quantity::Cpu => Quantity::Wall,
        };
        // ... or has no times alone on the core.
        let case_of = |times: &CaseTimes| {
            let all_windows = || times.again(run, TimeKind::all_windows(Quantity::Wall));
            let of_all = (times.core == CoreUse::Alone).then(all_windows);
            let of_all = of_all.and_then(|times| saved_case(run, &times, reference)).map(Box::new);
            Some(SavedCase { all_windows: of_all, ..saved_case(run, times, reference)? })
        };
        for times in &all {
            let case = times.case as usize;
            match run.results[case].failure.as_ref() {
                Some(failure) => {
                    let of = &run.plan.cases[case];
                    saved.failed.push(SavedFailure {
                        stem: of.key.clone(),
                        job: job_of(run, of).to_owned(),
                        code_name: code_name_of(&of.benchmark),
                        language: language_of(run, of),
                        ..SavedFailure::new(key_of(run, of), selector_of(&of.benchmark), failure.clone())
                    });
                }
                None => {
                    let otherwise = times.again(run, TimeKind { quantity: Some(other(times)), ..TimeKind::default() });
                    let otherwise = Some(otherwise).filter(|o| o.quantity == other(times));
                    let otherwise = otherwise.as_ref().and_then(case_of).map(Box::new);
                    // An unmeasured case is kept without values: it matters that the other side has it.
                    let own = case_of(times).unwrap_or_else(|| described(run, times));
                    saved.cases.push(SavedCase { otherwise, ..own });
                }
            }
        }
        saved
    }
}

pub(crate) fn key_of(run: &Run, case: &Case) -> String {
    match job_of(run, case) {
        "" => case.key.clone(),
        job => format!("{}@{job}", case.key),
    }
}

fn job_of<'a>(run: &'a Run, case: &Case) -> &'a str {
    run.jobs.get(case.job as usize).filter(|_| run.jobs.len() > 1).map_or("", |job| &job.id)
}

fn categories(run: &Run) -> BTreeMap<String, Vec<String>> {
    let some = run.plan.cases.iter().filter(|case| !case.benchmark.categories.is_empty());
    some.map(|case| (key_of(run, case), case.benchmark.categories.clone())).collect()
}

/// As reported by the child, else as found for the artifact.
fn language_of(run: &Run, case: &Case) -> String {
    let artifact = run.artifacts.get(case.artifact as usize);
    let child = artifact.and_then(|a| a.child.as_ref());
    child.map(|c| &c.language).or(artifact.map(|a| &a.language)).cloned().unwrap_or_default()
}

fn described(run: &Run, times: &CaseTimes) -> SavedCase {
    let case = &run.plan.cases[times.case as usize];
    let quantity = match times.quantity {
        Quantity::Wall => WALL_TIME,
        Quantity::Cpu => CPU_TIME,
    };
    SavedCase {
        group: case.benchmark.group.clone(),
        parameters: case.benchmark.parameters.clone(),
        language: language_of(run, case),
        unit: case.benchmark.unit.clone(),
        // Counts that differ between iterations need not agree with anything.
        operations: (!times.counts_operations()).then_some(case.benchmark.operations as f64),
        quantity: quantity.to_owned(),
        job: job_of(run, case).to_owned(),
        stem: case.key.clone(),
        code_name: code_name_of(&case.benchmark),
        distinction: run.jobs.get(case.job as usize).map(|job| format!("@{}", job.id)).unwrap_or_default(),
        ..SavedCase::new(key_of(run, case), case.benchmark.name.clone())
    }
}

fn saved_case(run: &Run, times: &CaseTimes, reference: Option<f64>) -> Option<SavedCase> {
    let launches: Vec<Vec<f64>> = times.launches.iter().map(|l| l.log_ns.iter().map(|y| y.exp()).collect()).collect();
    if launches.is_empty() {
        return None;
    }
    let estimates = estimates(run, times, None, reference)?;
    Some(SavedCase {
        design: SavedDesign::Launches,
        launches,
        location: times.location,
        reference_cycle_ns: times.exponent.and(reference),
        exponent: times.exponent.map(|value| Exponent { value, variance: times.exponent_error.error.powi(2) }),
        clock_variance: times.clock_variance,
        clock_away: times.clock_away,
        shown: Some(match estimates.time {
            NetTime::Resolved { value_ns, .. } => ShownTime::Time(value_ns),
            NetTime::Below { .. } => ShownTime::Nothing,
        }),
        shown_interval: match estimates.time {
            NetTime::Resolved { interval, .. } => interval,
            NetTime::Below { upper_ns } => Some(Interval { lower: 0.0, upper: upper_ns }),
        },
        loop_cost: loop_cost(run, times, reference),
        core: estimates.core,
        allocations: estimates.metric_of_any_pass(Metric::ALLOCATIONS),
        allocated_bytes: estimates.metric_of_any_pass(Metric::ALLOCATED_BYTES),
        metrics: estimates.metrics.iter().map(|metric| saved_metric(metric, described(run, times))).collect(),
        ..described(run, times)
    })
}

/// A metric of a case, with one value per launch.
pub(crate) fn saved_metric(found: &MetricReport, case: SavedCase) -> SavedCase {
    let Metric { name, unit, better, per, exact } = &found.metric;
    let unit = if unit.is_empty() { name.clone() } else { format!("{name} {unit}") };
    SavedCase {
        quantity: match per {
            Per::Operation => format!("{unit}/op"),
            Per::Second => format!("{unit}/s"),
            Per::Iteration => unit,
        },
        better: *better,
        occurs: Some(found.occurs),
        steady: *exact,
        exact: Metric::is_of_the_body(name) && found.launches.iter().all(|value| value.fract() == 0.0),
        launches: found.launches.iter().map(|value| vec![*value]).collect(),
        ..case
    }
}

fn code_name_of(benchmark: &Benchmark) -> String {
    benchmark.code.as_ref().map(|code| code.full.clone()).unwrap_or_default()
}

fn selector_of(benchmark: &Benchmark) -> String {
    crate::report::selector(&benchmark.group, &benchmark.name, &benchmark.parameters)
}

fn machine(run: &Run, reference: Option<f64>) -> BTreeMap<String, String> {
    let environment = run.environment();
    let mut facts = BTreeMap::new();
    let mut set = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|v| !v.is_empty()) {
            facts.insert(name.to_owned(), value);
        }
    };
    set(fact::CPU, Some(environment.cpu.clone()));
    set(fact::GPU, joined(environment.gpus.iter().cloned()));
    set(fact::PROCESSORS, (environment.processors > 0).then(|| environment.processors.to_string()));
    set(fact::ARCHITECTURE, Some(environment.architecture.clone()));
    set(fact::OS, Some(environment.os.clone()));
    set(fact::KERNEL, Some(environment.kernel.clone()));
    set(fact::LIBC, environment.libc.clone());
    set(fact::GOVERNOR, environment.governor.clone());
    set(fact::TURBO, environment.turbo.map(|on| if on { "on" } else { "off" }.to_owned()));
    set(fact::HUGE_PAGES, environment.thp.clone());
    set(fact::TOOL_VERSION, Some(run.tare.clone()));
    set(fact::METHOD, Some(run.method.clone()));
    set(fact::DATE, Some(run.created.clone()));
    set(fact::REVISION, environment.git.as_ref().map(|g| g.revision.clone()));
    set(fact::DIRTY, environment.git.as_ref().filter(|g| g.dirty).map(|_| "yes".to_owned()));
    set(fact::CLOCK, Some(clock(run, reference)));
    let children = || run.artifacts.iter().filter_map(|a| a.child.as_ref());
    set(fact::COMPILER, joined(children().filter_map(|c| c.compiler.clone())));
    set(fact::RUNTIME, joined(children().filter_map(|c| c.runtime.clone())));
    set(fact::FRONT_END, joined(children().map(|c| c.front_end.clone())));
    set(
        fact::OPTIMISED,
        joined(children().filter_map(|c| c.optimised.map(|o| if o { "yes" } else { "no" }.to_owned()))),
    );
    set(fact::LAYOUT, Some(layout(run).to_owned()));
    set(fact::JOB, run.jobs.first().filter(|_| run.jobs.len() == 1).map(|job| job.id.clone()));
    set(fact::FLAGS, joined(run.artifacts.iter().map(flags)));
    facts
}

fn clock(run: &Run, reference: Option<f64>) -> String {
    match (run.plan.policy.clocking, reference) {
        (Clocking::Reference, Some(cycle_ns)) => format!("reference, {:.3} GHz", 1.0 / cycle_ns),
        (Clocking::Reference, None) => "wall clock, no clock probe".to_owned(),
        (Clocking::Wall, _) => "wall clock".to_owned(),
    }
}

fn flags(artifact: &tare_model::Artifact) -> String {
    if let Some(flags) = artifact.child.as_ref().and_then(|c| c.flags.clone()) {
        return flags;
    }
    let about_code = |word: &&String| {
        word.starts_with('-') && !["-isystem", "-o", "-lm"].contains(&word.as_str()) && !word.starts_with("-I")
    };
    let words: Vec<&str> = artifact.build_command.iter().skip(1).filter(about_code).map(String::as_str).collect();
    words.join(" ")
}

/// Distinct values in order, as one text.
fn joined(values: impl Iterator<Item = String>) -> Option<String> {
    let different: BTreeSet<String> = values.filter(|v| !v.is_empty()).collect();
    let all: Vec<String> = different.into_iter().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn layout(run: &Run) -> &'static str {
    if run.artifacts.iter().any(tare_model::Artifact::has_fixed_layout) {
        "fixed"
    } else {
        "varied"
    }
}
