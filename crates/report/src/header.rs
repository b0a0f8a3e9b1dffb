//! What was measured, where and at which clock: the lines above the table.

use crate::number::{percent_set, percent_whole};
use crate::screen::View;
use crate::tabulate::{counts, estimates};
use crate::text::wrap;
use crate::{bytes, clean, cut_end, percent, significant, width, Line, Role};
use std::collections::BTreeMap;
use tare_analysis::{CaseEstimates, CoreReport, CoreSummary, CoreUse, ProgramReport, Quantity, Report};
use tare_model::{Environment, Metric};

/// The lines above the table; more of them with `-v`.
pub(crate) fn header(report: &Report, view: &View) -> Vec<Line> {
    let title = Line::of(Role::Heading, format!("tare {}", clean(&report.tare)))
        .with(Role::Plain, "  run ")
        .with(Role::Command, clean(&report.run))
        .with(Role::Plain, "   ");
    let mut lines = vec![filled(title, &machine(&report.environment), ", ", view)];
    lines.push(programs(report, view));
    lines.extend(all_of(&constants(report), "; ", view));
    if view.is_verbose() {
        lines.extend(environment(report, view));
    }
    lines
}

/// Adds as many of the texts as fit, the first ones being the most important.
fn filled(mut line: Line, texts: &[String], separator: &str, view: &View) -> Line {
    let mut first = true;
    for text in texts {
        let text = if first { text.clone() } else { format!("{separator}{text}") };
        if !first && line.width() + width(&text) > view.columns {
            break;
        }
        line.push(Role::Plain, text);
        first = false;
    }
    line.fit(view.columns, view.glyphs)
}

/// The texts over as many lines as they need: what holds for all rows is never left out.
fn all_of(texts: &[String], separator: &str, view: &View) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for text in texts {
        match lines.last_mut().filter(|line| line.width() + width(separator) + width(text) <= view.columns) {
            Some(line) => line.push(Role::Plain, format!("{separator}{text}")),
            None => lines.push(Line::of(Role::Plain, text.clone())),
        }
    }
    lines.into_iter().map(|line| line.fit(view.columns, view.glyphs)).collect()
}

/// Tare, the machine and the programs in one line.
pub(crate) fn machine_line(report: &Report) -> String {
    format!("{}; tare {}", machine(&report.environment).join(", "), clean(&report.tare))
}

fn machine(environment: &Environment) -> Vec<String> {
    let e = environment;
    let mut parts = vec![clean(&short_cpu(&e.cpu)), clean(&short_kernel(&e.kernel))];
    parts.push(plural(e.processors as usize, "processor"));
    parts.extend(e.governor.as_ref().map(|g| format!("governor {}", clean(g))));
    parts.extend((e.virtual_machine == Some(true)).then(|| "virtual machine".to_owned()));
    parts.retain(|p| !p.is_empty());
    parts
}

/// The model without what every processor says of itself: `AMD EPYC 7763 64-Core Processor` is `AMD EPYC 7763`.
fn short_cpu(model: &str) -> String {
    let model = model.split('@').next().unwrap_or(model).replace("(R)", "").replace("(TM)", "");
    let says_little = |word: &&str| matches!(*word, "Processor" | "CPU") || word.ends_with("-Core");
    let words: Vec<&str> = model.split_whitespace().filter(|w| !says_little(w)).collect();
    words.join(" ")
}

/// `Linux 6.8.0-41-generic` is `Linux 6.8.0`: the rest is in `-v`.
fn short_kernel(kernel: &str) -> String {
    kernel.split('-').next().unwrap_or(kernel).to_owned()
}

pub(crate) fn plural(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

fn programs(report: &Report, view: &View) -> Line {
    let size = format!("{}, {}", plural(report.cases.len(), "case"), elapsed(report.elapsed_s));
    let room = view.columns.saturating_sub(width(&size) + 3);
    let texts: Vec<String> = report.programs.iter().map(program).collect();
    let all = texts.join("; ");
    let text = match texts.len() {
        1 => cut_end(&all, room, view.glyphs),
        _ if width(&all) <= room => all,
        n => {
            let mut languages: Vec<&str> = report.programs.iter().map(|p| p.language.as_str()).collect();
            languages.sort_unstable();
            languages.dedup();
            cut_end(&clean(&format!("{} in {}", plural(n, "program"), languages.join(", "))), room, view.glyphs)
        }
    };
    let mut line = Line::of(Role::Plain, text).with(Role::Quiet, "   ");
    line.push(Role::Quiet, size);
    line.fit(view.columns, view.glyphs)
}

fn program(program: &ProgramReport) -> String {
    let compiler = program.compiler.as_deref().unwrap_or_default();
    let flags = program.flags.as_deref().unwrap_or_default();
    let optimised = if program.optimised == Some(false) { "not optimised" } else { "" };
    let built = [compiler, flags].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" ");
    let parts = [program.language.as_str(), &built, optimised].into_iter().filter(|t| !t.is_empty());
    clean(&format!("{}: {}", program.name, parts.collect::<Vec<_>>().join(", ")))
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

/// What is the same for all rows, so that it needs no column.
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
    if all(&|e| e.quantity == Quantity::Cpu) {
        parts.push("CPU time of the thread".to_owned());
    }
    let shared = estimates(report).filter(|e| is_shared_time(e)).count();
    parts.extend(core(report, &format!("except {shared} marked `shared`")));
    if all(&|e| e.metric(Metric::ALLOCATIONS).is_some_and(|n| !counts(n))) {
        parts.push("no allocations".to_owned());
    }
    let minima = || estimates(report).filter_map(|e| Some(e.ratio.as_ref()?.minimum_effect));
    if let Some(most) = minima().reduce(f64::max) {
        // Tiny bodies have a larger one: `same` beside 1.05 would look wrong without it.
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

/// The time is that of a core which others used.
pub(crate) fn is_shared_time(estimates: &CaseEstimates) -> bool {
    estimates.core.as_ref().is_some_and(CoreReport::is_shared_time)
}

/// Share of shared windows up to which the header does not mention it: interrupts look the same.
const SHARED_SHOWN: f64 = 0.05;

/// How much of the run others used the core, and what that means for the times, with a text for the exceptions; nothing if the share
/// is negligible.
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
    vec![format!("others used the core {} of the time", percent_whole(core.shared_share())), times]
}

/// The processors that measuring threads were kept on, with the launches of each.
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

/// The level that windows are judged by, and what came of them, for `-v`.
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

/// The whole environment for `-v`; what cannot be seen is not named.
fn environment(report: &Report, view: &View) -> Vec<Line> {
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
    let run = [Some(format!("made {}", report.created)), Some(format!("method {}", report.method))];
    let all =
        |parts: Vec<Option<String>>| parts.into_iter().flatten().filter(|p| !p.is_empty()).map(|p| clean(&p)).collect();
    let groups: [(&str, Vec<String>); 5] = [
        ("machine", all(machine.into_iter().chain(caches.map(Some)).collect())),
        ("system", all(system.to_vec())),
        ("noise", all(noise.to_vec())),
        ("core", report.core.as_ref().map(core_items).unwrap_or_default().into_iter().chain(placed(report)).collect()),
        ("run", all(run.to_vec())),
    ];
    let filled = groups.iter().filter(|(_, items)| !items.is_empty());
    filled.flat_map(|(name, items)| labelled(name, items, 0, view)).collect()
}

/// `name  item, item` over as many lines as it needs; an item is never broken.
pub(crate) fn labelled(name: &str, items: &[String], indent: usize, view: &View) -> Vec<Line> {
    const LABEL: usize = 10;
    let start = |name: &str| {
        let mut line = Line::of(Role::Plain, " ".repeat(indent)).with(Role::Quiet, name);
        line.pad_to(indent + LABEL);
        line
    };
    let mut lines = vec![start(name)];
    for (at, item) in items.iter().enumerate() {
        let comma = if at + 1 < items.len() { "," } else { "" };
        let item = format!("{item}{comma}");
        let line = lines.last_mut().expect("there is always a line");
        let fresh = line.width() == indent + LABEL;
        if !fresh && line.width() + 1 + width(&item) > view.columns || indent + LABEL + width(&item) > view.columns {
            // An item that is longer than a whole line is broken after all.
            let room = view.columns.saturating_sub(indent + LABEL).max(20);
            let first = if fresh { room } else { 0 };
            let mut parts = wrap(&item, first, room).into_iter();
            line.push(Role::Plain, parts.next().unwrap_or_default());
            lines.extend(parts.map(|part| start("").with(Role::Plain, part)));
        } else {
            line.push(Role::Plain, if fresh { item } else { format!(" {item}") });
        }
    }
    lines
}
