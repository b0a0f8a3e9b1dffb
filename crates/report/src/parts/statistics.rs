//! All details of one case: estimates, launches, stages, and descriptive statistics with a histogram.

use crate::elements::document::{Content, Fact};
use crate::elements::table::{Cell, Filled, Table};
use crate::parts::metric;
use crate::parts::metric::rate_text;
use crate::parts::tabulate::below;
use crate::words::label::{are_commands, stage, Naming};
use crate::words::number::{
    bytes, duration, half_width, percent, percent_set, percent_whole, ratio, ratio_interval, significant, Decimal,
    TimeUnit,
};
use crate::words::text::{clean, plural, Glyphs, Role};
use tare_analysis::{
    CaseEstimates, CaseReport, CoreReport, CoreUse, EventReport, LaunchReport, NetTime, RateReport, Report,
    StageReport, Verdict,
};
use tare_stats::interval::Estimate;
use tare_stats::summary::Summary;

/// Overhead included in raw times: the loop around a body, the shell that starts a command, or none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overhead {
    pub noun: Option<&'static str>,
    pub axis: &'static str,
}

impl Overhead {
    pub const LOOP: Overhead = Overhead { noun: Some("the loop"), axis: "time per operation with the loop" };

    pub fn of(case: &CaseReport, estimates: &CaseEstimates) -> Overhead {
        let is_measured = estimates.overhead.as_ref().is_some_and(|e| e.value.max(e.interval.upper) > 0.0);
        match (case.is_command(), is_measured) {
            (false, _) => Overhead::LOOP,
            (true, true) => Overhead { noun: Some("the start of the shell"), axis: "time with the start of the shell" },
            (true, false) => Overhead { noun: None, axis: "time" },
        }
    }
}

pub(crate) fn sheet(
    report: &Report,
    naming: Naming,
    case: &CaseReport,
    estimates: &CaseEstimates,
    glyphs: Glyphs,
) -> Vec<Content> {
    let (is_ours, beside) = (report.other_tool().is_none(), Overhead::of(case, estimates));
    let facts = vec![
        Fact::new("time", if estimates.centre_ns.is_nan() { Vec::new() } else { time(estimates, beside, glyphs) }),
        Fact::new("cycles", estimates.cycles.iter().map(|e| estimate(e, |v| significant(v, 4), glyphs)).collect()),
        Fact::new("ratio", ratio_items(report, naming, estimates)),
        Fact::new("rate", estimates.rates.iter().map(rate).collect()),
        Fact::new("settings", case.settings.iter().map(|(name, value)| format!("{name}={value}")).collect()),
        Fact::new("memory", memory(estimates, glyphs)),
        Fact::new("diagnosed", diagnosed(estimates, glyphs)),
        Fact::new("events", events(estimates, glyphs)),
        Fact::new("core", estimates.core.as_ref().map(|core| core_items(core, glyphs)).unwrap_or_default()),
        Fact::new("visits", if is_ours { visits(estimates) } else { Vec::new() }),
        Fact::new("launches", if is_ours { launches(estimates, glyphs) } else { processes(estimates) }),
    ];
    let mut contents = vec![
        Content::Heading(naming.label(report, case.case)),
        Content::Sheet(facts),
        Content::Table(launch_table(&if is_ours { launches_of(case, estimates) } else { Vec::new() }, glyphs)),
        Content::Table(stage_table(&estimates.stages, glyphs)),
    ];
    if let Some(summary) = &estimates.summary {
        let unit = TimeUnit::of(summary.median);
        contents.push(Content::Sheet(statistics(summary, beside, glyphs)));
        contents.push(Content::Histogram { bins: estimates.histogram.clone(), unit });
    }
    contents
}

/// The launches of a case. For whole commands, memory is omitted: it belongs to the child that starts them.
fn launches_of(case: &CaseReport, estimates: &CaseEstimates) -> Vec<LaunchReport> {
    let mut launches = estimates.launches.clone();
    if are_commands(&[case]) {
        launches.iter_mut().for_each(|launch| launch.peak_memory_bytes = None);
    }
    launches
}

/// `1.284 µs ±0.4 %`.
fn estimate(e: &Estimate, text: impl Fn(f64) -> String, glyphs: Glyphs) -> String {
    format!("{} {}", text(e.value), half_width(e.value, &e.interval, glyphs))
}

fn time(estimates: &CaseEstimates, beside: Overhead, glyphs: Glyphs) -> Vec<String> {
    let ns = |value: f64| duration(value, glyphs);
    let mut items = vec![match &estimates.time {
        NetTime::Resolved { value_ns, interval: Some(i) } => {
            let width = half_width(*value_ns, i, glyphs);
            format!("{} {width} (95 %: {} to {})", ns(*value_ns), ns(i.lower), ns(i.upper))
        }
        NetTime::Resolved { value_ns, interval: None } => ns(*value_ns),
        NetTime::Below { upper_ns } => {
            let unit = TimeUnit::of(*upper_ns);
            let bound = format!("{} {}", below(upper_ns / unit.ns()), unit.symbol(glyphs));
            format!("{bound}, not distinguishable from {}", beside.noun.unwrap_or("nothing"))
        }
    }];
    if let Some(noun) = beside.noun {
        items.extend(estimates.raw.iter().map(|e| format!("including {noun} {}", estimate(e, ns, glyphs))));
        let short = noun.strip_prefix("the ").unwrap_or(noun);
        items.extend(estimates.overhead.iter().map(|e| format!("{short} {}", overhead(e, glyphs))));
    }
    items.push(format!("wall clock {}", ns(estimates.wall_ns)));
    if estimates.quantity == tare_analysis::Quantity::Cpu {
        items.push("CPU time".to_owned());
    }
    items
}

/// The overhead may be zero, or negative by noise; then only its bound is shown.
fn overhead(e: &Estimate, glyphs: Glyphs) -> String {
    if e.value > 0.0 && e.interval.lower > 0.0 {
        return estimate(e, |v| duration(v, glyphs), glyphs);
    }
    let upper = e.interval.upper.max(e.value);
    if upper > 0.0 {
        format!("{} {}", below(upper / TimeUnit::of(upper).ns()), TimeUnit::of(upper).symbol(glyphs))
    } else {
        "not measurable".to_owned()
    }
}

fn ratio_items(report: &Report, naming: Naming, estimates: &CaseEstimates) -> Vec<String> {
    let Some(r) = &estimates.ratio else { return Vec::new() };
    // Both sides of a comparison have the same name, so the side distinguishes them.
    let side = report.cases.get(r.baseline as usize).map(|case| clean(&case.side)).filter(|side| !side.is_empty());
    let base = side.unwrap_or_else(|| naming.label(report, r.baseline));
    let mut items = vec![
        format!("{} to {base}", ratio(r.ratio, &r.interval)),
        r.verdict.word().to_owned(),
        format!("95 % {}", ratio_interval(&r.interval)),
        format!("99 % {}", ratio_interval(&r.interval_99)),
        format!("90 % {}", ratio_interval(&r.interval_90)),
        format!("p {}", probability(r.p)),
        format!("q {}", probability(r.q)),
        plural(r.looks as usize, "look"),
        format!("minimum effect {}", percent_set(r.minimum_effect)),
    ];
    let alike = matches!(r.verdict, Verdict::Same | Verdict::Unclear);
    if alike && r.certified_margin.is_finite() {
        items.push(format!("the same within {}", percent(r.certified_margin)));
    }
    items
}

pub(crate) fn probability(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        significant(p, 2)
    }
}

/// `bytes 3.21 GB/s (95 %: 3.19 to 3.24), 0.80 GB/s a thread`.
fn rate(found: &RateReport) -> String {
    let shown = |per_second: f64| format!("{}{}/s", rate_text(per_second, 4), clean(&found.unit));
    let bound = if found.at_least { "at least " } else { "" };
    let mut text = format!("{} {bound}{}", clean(&found.name), shown(found.per_second));
    if let Some(interval) = &found.interval {
        text.push_str(&format!(" (95 %: {} to {})", shown(interval.lower), shown(interval.upper)));
    }
    if let Some(each) = found.per_second_and_thread {
        text.push_str(&format!(", {} a thread", shown(each)));
    }
    text
}

/// `12 collections (3.4 ms)`.
fn events(estimates: &CaseEstimates, glyphs: Glyphs) -> Vec<String> {
    let one = |event: &EventReport| {
        let took = if event.ns > 0.0 { format!(" ({})", duration(event.ns, glyphs)) } else { String::new() };
        format!("{}{took}", plural(event.count as usize, &clean(&event.kind)))
    };
    estimates.events.iter().map(one).collect()
}

fn memory(estimates: &CaseEstimates, glyphs: Glyphs) -> Vec<String> {
    let mut items = Vec::new();
    items.extend(
        estimates.metrics.iter().filter(|found| found.diagnoser.is_none()).map(|found| metric::text(found, glyphs)),
    );
    // The child's own peak, unless it reports that of something else which is measured.
    let of_child = estimates.peak_memory_bytes.filter(|_| estimates.metric("peak_memory").is_none());
    items.extend(of_child.map(|n| format!("peak {}", bytes(n as f64))));
    items
}

fn diagnosed(estimates: &CaseEstimates, glyphs: Glyphs) -> Vec<String> {
    let of_passes = estimates.metrics.iter().filter(|found| found.diagnoser.is_some());
    of_passes.map(|found| metric::text(found, glyphs)).collect()
}

fn visits(estimates: &CaseEstimates) -> Vec<String> {
    let v = &estimates.visits;
    let mut items = vec![
        format!("{} measured", v.measured),
        format!("{} valid", v.valid),
        format!("{} preempted", v.preempted),
        format!("{} disturbed", v.disturbed),
    ];
    items.extend(estimates.core.map(|_| format!("{} not alone on the core", v.shared)));
    items.push(format!("{} low and {} high outliers (kept)", v.outliers_low, v.outliers_high));
    items
}

/// Code is called slower in shared windows from this ratio on; below, the difference is noise.
const SLOWER_MIN: f64 = 1.005;

/// Times alone and beside other users of the core, and how much of the time that was.
fn core_items(core: &CoreReport, glyphs: Glyphs) -> Vec<String> {
    let ns = |value: f64| duration(value, glyphs);
    let mut items = Vec::new();
    items.extend(core.alone_ns.map(|alone| format!("alone {}", ns(alone))));
    let slower = core.slow_down.map(|slower| match slower >= SLOWER_MIN {
        true => format!(" ({} times as long)", significant(slower, 3)),
        false => " (not slower)".to_owned(),
    });
    items.extend(core.shared_ns.map(|shared| format!("shared {}{}", ns(shared), slower.unwrap_or_default())));
    items.push(format!("alone in {} of {} windows", percent_whole(core.alone_share), core.windows));
    if core.times == CoreUse::Any {
        items.push("the time uses all windows".to_owned());
    }
    items
}

fn processes(estimates: &CaseEstimates) -> Vec<String> {
    let processes = plural(estimates.launches.len(), "process");
    let values = (estimates.visits.measured > 0).then(|| plural(estimates.visits.measured, "value"));
    std::iter::once(processes).chain(values).collect()
}

fn launches(estimates: &CaseEstimates, glyphs: Glyphs) -> Vec<String> {
    let made = plural(estimates.launches.len(), "launch");
    let mut items = vec![format!("{made} in {}", plural(estimates.waves as usize, "wave"))];
    if estimates.centre_ns > 0.0 {
        items.push(format!("centre {} (Hodges-Lehmann)", duration(estimates.centre_ns, glyphs)));
    }
    if estimates.spread_ns > 0.0 && estimates.centre_ns > 0.0 {
        let share = percent(estimates.spread_ns / estimates.centre_ns);
        items.push(format!("spread {} (Shamos, {share})", duration(estimates.spread_ns, glyphs)));
    }
    items
}

/// A table with aligned columns, the last of which are dropped on a narrow screen. Empty columns are left out.
pub(crate) fn small_table(title: &str, names: Vec<String>, columns: Vec<Filled>) -> Table {
    Table::of(title, names, columns.into_iter().filter(|column| !column.is_empty()).collect())
}

fn stage_table(stages: &[StageReport], glyphs: Glyphs) -> Table {
    let cells = |of: &dyn Fn(&StageReport) -> String| stages.iter().map(|s| Cell::text(of(s))).collect::<Vec<_>>();
    let columns = vec![
        Filled::right("iterations", 0, cells(&|s| s.iterations.to_string())),
        Filled::right("invocations", 0, cells(&|s| s.invocations.to_string())),
        Filled::right("elapsed", 0, cells(&|s| duration(s.elapsed_ns, glyphs))),
    ];
    small_table("stage", stages.iter().map(|s| stage(s.stage)).collect(), columns)
}

fn launch_table(launches: &[LaunchReport], glyphs: Glyphs) -> Table {
    let unit = TimeUnit::of_block(&launches.iter().map(|l| l.raw_ns).collect::<Vec<f64>>());
    let cells = |of: &dyn Fn(&LaunchReport) -> Cell| launches.iter().map(of).collect::<Vec<_>>();
    let number = |text: String, suffix: &str| Cell::number(Decimal::of(&text), Role::Plain, suffix);
    let optional = |text: Option<String>| text.map_or(Cell::Empty, Cell::text);
    let time = |l: &LaunchReport| {
        let unit = unit.unwrap_or_else(|| TimeUnit::of(l.raw_ns));
        Cell::number(Decimal::of(&significant(l.raw_ns / unit.ns(), 4)), Role::Value, unit.symbol(glyphs))
    };
    let columns = vec![
        Filled::right("wave", 0, cells(&|l| Cell::text(l.wave.saturating_add(1).to_string()))),
        Filled::right("with loop", 0, cells(&time)),
        Filled::right("valid", 1, cells(&|l| Cell::text(format!("{}/{}", l.valid, l.measured)))),
        Filled::right("alone", 1, cells(&|l| optional(l.alone_share.map(percent_whole)))),
        Filled::right("on", 3, cells(&|l| optional(l.processor.map(|p| p.to_string())))),
        Filled::right("invocations", 2, cells(&|l| Cell::text(l.invocations.to_string()))),
        Filled::right(
            "clock",
            3,
            cells(&|l| l.cycle_ns.map_or(Cell::Empty, |c| number(significant(1.0 / c, 3), "GHz"))),
        ),
        Filled::right("start-up", 4, cells(&|l| optional(l.start_up_ns.map(|ns| duration(ns, glyphs))))),
        Filled::right("memory", 5, cells(&|l| optional(l.peak_memory_bytes.map(|b| bytes(b as f64))))),
    ];
    small_table("launch", launches.iter().map(|l| l.launch.to_string()).collect(), columns)
}

/// The statistics that BenchmarkDotNet shows, over valid visits, in one unit.
fn statistics(s: &Summary, beside: Overhead, glyphs: Glyphs) -> Vec<Fact> {
    let unit = TimeUnit::of(s.median);
    let symbol = unit.symbol(glyphs);
    let time = |ns: f64| {
        if ns == 0.0 {
            format!("0 {symbol}")
        } else {
            format!("{} {symbol}", significant(ns / unit.ns(), 4))
        }
    };
    let share = |ns: f64| if s.mean > 0.0 { format!(" ({})", percent(ns / s.mean)) } else { String::new() };
    let number = |x: Option<f64>| x.map_or_else(|| "none".to_owned(), |x| significant(x, 3));
    let interval = |level: &str, e: &Option<Estimate>| {
        e.as_ref().map(|e| format!("{level} {} to {}", time(e.interval.lower), time(e.interval.upper)))
    };
    let sample = vec![
        format!("N {}", s.n),
        format!("mean {}", time(s.mean)),
        format!("standard error {}{}", time(s.standard_error), share(s.standard_error)),
        format!("standard deviation {}{}", time(s.standard_deviation), share(s.standard_deviation)),
    ];
    let names = ["min", "lower fence", "Q1", "median", "Q3", "upper fence", "max", "IQR"];
    let values = [s.min, s.lower_fence, s.q1, s.median, s.q3, s.upper_fence, s.max, s.iqr];
    let range = names.into_iter().zip(values).map(|(name, ns)| format!("{name} {}", time(ns)));
    let shape = vec![
        format!("skewness {}", number(s.skewness)),
        format!("kurtosis {}", number(s.kurtosis)),
        format!("modality value {}", significant(s.m_value, 3)),
    ];
    let means = [interval("95 %", &s.ci_95), interval("99 %", &s.ci_99), interval("99.9 %", &s.ci_999)];
    let too_narrow = "assumes independent visits: too narrow".to_owned();
    vec![
        Fact::new("sample", sample),
        Fact::new("range", range.collect()),
        Fact::new("shape", shape),
        Fact::new("quantiles", percentiles(s, &time)),
        Fact::new("mean", means.into_iter().flatten().chain([too_narrow]).collect()),
        Fact::new("histogram", vec![format!("valid visits, {}", beside.axis)]),
    ]
}

fn percentiles(s: &Summary, time: &dyn Fn(f64) -> String) -> Vec<String> {
    let p = &s.percentiles;
    let mut texts: Vec<String> = p.named().iter().map(|(name, ns)| format!("{name} {}", time(*ns))).collect();
    let p99 = p.p99.map_or_else(|| "P99 needs 100 visits".to_owned(), |ns| format!("P99 {}", time(ns)));
    texts.insert(texts.len() - 1, p99);
    texts
}
