//! The lines above the table: what was measured, where, and at which clock.

use crate::elements::document::Fact;
use crate::parts::jobs;
use crate::parts::tabulate::{counts, estimates};
use crate::words::number::{bytes, percent, percent_set, percent_whole, significant};
use crate::words::text::{clean, Line, Role};
use std::collections::BTreeMap;
use tare_analysis::{
    each_once, CaseEstimates, Code, CoreReport, CoreSummary, CoreUse, ProgramReport, Quantity, Report,
};
pub(crate) use tare_model::text::plural;
use tare_model::{Environment, Metric, RunStatus};

fn tool(report: &Report) -> String {
    report.other_tool().map_or_else(|| format!("tare {}", clean(&report.tare)), clean)
}

pub(crate) fn header(report: &Report) -> Vec<Fact> {
    let lead = Line::of(Role::Heading, tool(report))
        .with(Role::Plain, if report.other_tool().is_some() { "  " } else { "  run " })
        .with(Role::Command, clean(&report.run))
        .with(Role::Plain, "   ");
    let constants = Fact::Items { label: String::new(), items: constants(report), separator: "; " };
    let title = Fact::Title { lead, items: machine(&report.environment) };
    vec![title, stopped(report), programs(report), jobs::fact(report), constants]
}

/// Says that a run is unfinished, and how far it came: its table does not show that.
pub(crate) fn stopped(report: &Report) -> Fact {
    let word = match report.status {
        RunStatus::Finished => return Fact::new("", Vec::new()),
        RunStatus::Interrupted => "interrupted",
        RunStatus::Open => "not finished",
    };
    let made = report.launches.made;
    let text = match report.launches.planned {
        Some(planned) => format!("{word}: {made} of {planned} launches"),
        None => format!("{word} after {}", plural(made, "launch")),
    };
    Fact::new("", vec![text])
}

pub(crate) fn machine_line(report: &Report) -> String {
    let parts = [machine(&report.environment).join(", "), tool(report)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

fn machine(environment: &Environment) -> Vec<String> {
    let e = environment;
    // `Linux 6.8.0-41-generic` becomes `Linux 6.8.0`; `-v` shows the rest.
    let mut parts = vec![clean(&short_cpu(&e.cpu)), clean(e.kernel.split('-').next().unwrap_or_default())];
    parts.extend((e.processors > 0).then(|| plural(e.processors as usize, "processor")));
    parts.extend(e.governor.as_ref().map(|g| format!("governor {}", clean(g))));
    parts.extend((e.virtual_machine == Some(true)).then(|| "virtual machine".to_owned()));
    parts.retain(|p| !p.is_empty());
    parts
}

/// The model without generic words: `AMD EPYC 7763 64-Core Processor` becomes `AMD EPYC 7763`.
fn short_cpu(model: &str) -> String {
    let model = model.split('@').next().unwrap_or(model).replace("(R)", "").replace("(TM)", "");
    let says_little = |word: &&str| matches!(*word, "Processor" | "CPU") || word.ends_with("-Core");
    let words: Vec<&str> = model.split_whitespace().filter(|w| !says_little(w)).collect();
    words.join(" ")
}

fn programs(report: &Report) -> Fact {
    let cases = plural(report.cases.len(), "case");
    let size = match report.other_tool() {
        Some(_) => cases,
        None => format!("{cases}, {}", elapsed(report.elapsed_s)),
    };
    // Jobs with equal builds have the same program.
    let described = |program: &ProgramReport| match report.other_tool() {
        // Other tools' results are identified by their benchmarks alone.
        Some(_) => how_built(program),
        None => format!("{}: {}", clean(&program.name), how_built(program)),
    };
    let items = each_once(report.programs.iter().map(described).filter(|item| !item.is_empty()));
    if items.is_empty() && report.other_tool().is_some() {
        return Fact::new("", vec![size]);
    }
    let short = (items.len() > 1).then(|| {
        let mut languages: Vec<&str> = report.programs.iter().map(|p| p.language.as_str()).collect();
        languages.sort_unstable();
        languages.dedup();
        clean(&format!("{} in {}", plural(items.len(), "program"), languages.join(", ")))
    });
    Fact::Programs { items, short, size }
}

fn how_built(program: &ProgramReport) -> String {
    let compiler = program.compiler.as_deref().or(program.runtime.as_deref()).unwrap_or_default();
    let flags = program.flags.as_deref().unwrap_or_default();
    let optimised = if program.optimised == Some(false) { "not optimised" } else { "" };
    let built = [compiler, flags].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" ");
    let parts = [program.language.as_str(), &built, optimised].into_iter().filter(|t| !t.is_empty());
    clean(&parts.collect::<Vec<_>>().join(", "))
}

/// `41 s`, `3 min 20 s`, `2 h 5 min`.
pub(crate) fn elapsed(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..10 => format!("{} s", significant(seconds.max(0.001), if seconds < 1.0 { 1 } else { 2 })),
        10..120 => format!("{whole} s"),
        120..7200 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// Facts common to all rows, which need no column.
fn constants(report: &Report) -> Vec<String> {
    let mut parts = Vec::new();
    let all = |holds: &dyn Fn(&tare_analysis::CaseEstimates) -> bool| {
        estimates(report).next().is_some() && estimates(report).all(holds)
    };
    if let Some(clock) = report.environment.clock_reference.as_ref().filter(|c| c.cycle_ns > 0.0) {
        if estimates(report).any(|e| e.at_reference_clock) {
            parts.push(format!("times at {} GHz ({})", significant(1.0 / clock.cycle_ns, 3), clean(&clock.source)));
        }
    }
    // For runtimes that can measure neither the core's clock nor its other users, such as Python's.
    let is_as_measured = |e: &CaseEstimates| !e.at_reference_clock && e.core.is_none();
    if report.other_tool().is_none() && all(&is_as_measured) {
        parts.push("times not corrected for clock and neighbour".to_owned());
    }
    if all(&|e| e.quantity == Quantity::Cpu) {
        parts.push("CPU time".to_owned());
    }
    let shared = estimates(report).filter(|e| is_shared_time(e)).count();
    parts.extend(core(report, &format!("except {shared} marked `shared`")));
    if all(&|e| e.metric(Metric::ALLOCATIONS).is_some_and(|n| !counts(n))) {
        parts.push("no allocations".to_owned());
    }
    parts.extend(jobs::only(report));
    let minima = || estimates(report).filter_map(|e| Some(e.ratio.as_ref()?.minimum_effect));
    if let Some(most) = minima().reduce(f64::max) {
        // Tiny bodies have a larger one; without this, `same` beside 1.05 would look wrong.
        let larger = most > report.minimum_effect * 1.001;
        let larger = if larger { format!(" (up to {} below 2 ns)", percent(most)) } else { String::new() };
        parts.push(format!("minimum effect {}{larger}", percent_set(report.minimum_effect)));
    }
    if let Some(calibration) = &report.environment.calibration {
        parts.push(format!("calibrated {}", clean(calibration)));
    }
    if let Some(git) = &report.environment.git {
        let revision: String = git.revision.chars().take(8).collect();
        parts.push(format!("git {}{}", clean(&revision), if git.dirty { " with changes" } else { "" }));
    }
    parts
}

pub(crate) fn is_shared_time(estimates: &CaseEstimates) -> bool {
    estimates.core.as_ref().is_some_and(CoreReport::is_shared_time)
}

/// Up to this share of shared windows, the header is silent: interrupts look the same.
const SHARED_SHOWN: f64 = 0.05;

/// How much of the run the core was shared, if much, and what that means for the times; `exceptions` qualifies it.
pub(crate) fn core(report: &Report, exceptions: &str) -> Vec<String> {
    let Some(core) = report.core.as_ref().filter(|core| core.shared_share() > SHARED_SHOWN) else { return Vec::new() };
    let is = |times: CoreUse| estimates(report).filter(|e| e.core.is_some_and(|c| c.times == times)).count();
    let shared = estimates(report).filter(|e| is_shared_time(e)).count();
    let seen = if core.cases_not_judged > 0 { " where it could be detected" } else { "" };
    let times = match (is(CoreUse::Alone), shared) {
        (0, 0) => "times include that".to_owned(),
        (_, 0) => format!("times exclude that{seen}"),
        (0, _) => "times include that".to_owned(),
        _ => format!("times exclude that{seen}, {exceptions}"),
    };
    let has = |code: Code| report.findings.iter().any(|finding| finding.code == code);
    // If the program itself is a cause, others are not blamed alone.
    let who = match (has(Code::OwnThreads), has(Code::OwnProcesses)) {
        _ if has(Code::CoreShared) => "others",
        (true, true) => "own threads, own processes or others",
        (true, false) => "own threads or others",
        (false, true) => "own processes or others",
        (false, false) => "others",
    };
    vec![format!("{who} used the core {} of the time", percent_whole(core.shared_share())), times]
}

fn placed(report: &Report) -> Option<String> {
    let mut launches: BTreeMap<u32, usize> = BTreeMap::new();
    for processor in estimates(report).flat_map(|e| &e.launches).filter_map(|launch| launch.processor) {
        *launches.entry(processor).or_default() += 1;
    }
    let on = |(processor, count): (u32, usize)| match count {
        1 => format!("{processor} (1 launch)"),
        _ => format!("{processor} ({count} launches)"),
    };
    let list: Vec<String> = launches.into_iter().map(on).collect();
    (!list.is_empty()).then(|| format!("measured on processor {}", list.join(", ")))
}

/// The level that classifies windows, and the result, for `-v`.
fn core_items(core: &CoreSummary) -> Vec<String> {
    let cases = |n: usize, what: &str| (n > 0).then(|| format!("{what} in {}", plural(n, "case")));
    let mut items =
        vec![format!("used by others in {} of {} windows", percent_whole(core.shared_share()), core.windows)];
    items.extend(core.cycles_per_addition.filter(|cycles| *cycles > 0.0).map(|cycles| {
        let source = core.source.as_ref().map(|source| format!(" ({})", clean(source))).unwrap_or_default();
        format!("{} additions per cycle alone{source}", significant(1.0 / cycles, 3))
    }));
    items.extend(cases(core.cases_alone, "times alone on the core"));
    items.extend(cases(core.cases_any, "times of all windows"));
    items.extend(cases(core.cases_not_judged, "not judged"));
    items
}

/// The whole environment, without unknown facts.
pub(crate) fn environment(report: &Report) -> Vec<Fact> {
    let e = &report.environment;
    let on = |value: bool| if value { "on" } else { "off" };
    let named = |name: &str, value: Option<String>| value.map(|v| format!("{name} {v}"));
    let caches = e.caches.iter().map(|c| format!("L{} {} {}", c.level, c.kind, bytes(c.size_bytes as f64)));
    let machine = [
        Some(e.architecture.clone()),
        e.cores.map(|n| plural(n as usize, "core")),
        named("SMT", e.smt.map(|v| on(v).to_owned())),
        named("turbo", e.turbo.map(|v| on(v).to_owned())),
        (e.memory_bytes > 0).then(|| format!("memory {}", bytes(e.memory_bytes as f64))),
        named("CPU quota", e.cpu_quota.map(|q| format!("{} processors", significant(q, 2)))),
    ];
    let system = [
        Some(e.os.clone()),
        Some(e.kernel.clone()),
        e.libc.clone(),
        named("ASLR", e.aslr.map(|v| v.to_string())),
        named("huge pages", e.thp.clone()),
        named("clock source", e.clock_source.clone()),
    ];
    let noise = [
        named("load", e.load_1min.map(|v| significant(v, 2))),
        named("stolen", e.steal.map(percent)),
        named("waiting for a CPU", e.cpu_pressure.map(percent)),
        named("swap in use", e.swap_used_bytes.map(|b| bytes(b as f64))),
    ];
    let made = (!report.created.is_empty()).then(|| format!("made {}", report.created));
    let run = [made, report.other_tool().is_none().then(|| format!("method {}", report.method))];
    let all =
        |parts: Vec<Option<String>>| parts.into_iter().flatten().filter(|p| !p.is_empty()).map(|p| clean(&p)).collect();
    let core = report.core.as_ref().map(core_items).unwrap_or_default();
    let facts = vec![
        Fact::new("machine", all(machine.into_iter().chain(caches.map(Some)).collect())),
        Fact::new("system", all(system.to_vec())),
        Fact::new("noise", all(noise.to_vec())),
        Fact::new("core", core.into_iter().chain(placed(report)).collect()),
        Fact::new("run", all(run.to_vec())),
    ];
    facts.into_iter().chain(jobs::facts(report)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_a_compiler_is_shown_with_its_runtime() {
        let program = |compiler: Option<&str>| ProgramReport {
            name: "a.py".to_owned(),
            language: "python".to_owned(),
            compiler: compiler.map(str::to_owned),
            runtime: Some("CPython 3.11.7".to_owned()),
            flags: None,
            optimised: None,
            command: Vec::new(),
            context: Vec::new(),
        };
        assert_eq!(how_built(&program(None)), "python, CPython 3.11.7");
        assert_eq!(how_built(&program(Some("gcc 12.2.0"))), "python, gcc 12.2.0");
    }
}
