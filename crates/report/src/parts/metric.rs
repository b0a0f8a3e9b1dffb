//! Titles, cells and texts of metrics, and rates: a number of thousands, millions, ... per second.

use crate::elements::table::Cell;
use crate::parts::tabulate::{below, estimates, is_nothing, large, measured, verdict_role};
use crate::words::number::{
    byte_unit, byte_unit_of_block, bytes, count, digits_for, duration, ratio, ratio_interval, relative_half_width,
    significant, Decimal, TimeUnit,
};
use crate::words::text::{clean, Glyphs, Role};
use tare_analysis::{each_once, CaseEstimates, CaseReport, MetricReport, RateReport, Report, Verdict};
use tare_model::{Better, Metric, Per};

/// The resolution of CPU times from the system, in ns, and the metrics that have it.
const CPU_STEP_NS: f64 = 1e3;
const OF_SYSTEM: [&str; 2] = ["user_time", "system_time"];

pub(crate) fn title(metric: &Metric) -> String {
    if is_unit(metric) {
        return clean(&metric.unit);
    }
    let name = match metric.name.strip_prefix("memory/").unwrap_or(&metric.name) {
        Metric::ALLOCATIONS => "alloc",
        Metric::ALLOCATED_BYTES => "bytes",
        "user_time" => "user",
        "system_time" => "system",
        "peak_memory" => "memory",
        "peak_bytes" => "peak",
        Metric::LOCK_CONTENTIONS => "contentions",
        Metric::WORK_ITEMS => "work items",
        Metric::EXCEPTIONS => "exceptions",
        "threads/on_processor" => "on processor",
        "threads/waiting" => "runnable",
        "threads/off_processor" => "off processor",
        "threads/voluntary" => "voluntary",
        "threads/involuntary" => "involuntary",
        "threads/switches" => "switches",
        "threads/migrations" => "migrations",
        "syscalls/made" => "syscalls",
        "syscalls/futex_waits" => "futex waits",
        _ => &metric.name,
    };
    match metric.per {
        Per::Operation => format!("{name}/op"),
        Per::Second => format!("{name}/s"),
        Per::Iteration => name.to_owned(),
    }
}

/// Whether the name is the unit in the characters of a name: `hits_op` for `hits/op`.
fn is_unit(metric: &Metric) -> bool {
    let named = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    metric.unit.chars().map(named).eq(metric.name.chars())
}

/// The unit of bytes or time for a metric in a block, if one suits all values.
pub(crate) fn unit_of_block(metric: &Metric, cases: &[&CaseReport], glyphs: Glyphs) -> Option<(&'static str, f64)> {
    let values = || cases.iter().filter_map(|case| measured(case)?.metric(&metric.name));
    match metric.unit.as_str() {
        "ns" => TimeUnit::of_block(&values().collect::<Vec<f64>>()).map(|unit| (unit.symbol(glyphs), unit.ns())),
        _ => byte_unit_of_block(values()),
    }
}

/// The value of a metric, with a sign if it is above or below the baseline's.
pub(crate) fn cell(
    metric: &Metric,
    estimates: &CaseEstimates,
    unit: Option<(&'static str, f64)>,
    glyphs: Glyphs,
) -> Cell {
    let Some(found) = estimates.metrics.iter().find(|found| found.metric.name == metric.name) else {
        return Cell::Empty;
    };
    let value = found.value;
    let (text, symbol) = match metric.unit.as_str() {
        "B" => {
            let (symbol, size) = unit.unwrap_or_else(|| byte_unit(value));
            (amount(metric, value, size), symbol.to_owned())
        }
        "ns" => {
            let own = || (TimeUnit::of(value).symbol(glyphs), TimeUnit::of(value).ns());
            let (symbol, size) = unit.unwrap_or_else(own);
            let is_below = value < CPU_STEP_NS && OF_SYSTEM.contains(&metric.name.as_str());
            let text = match is_below {
                true => below(CPU_STEP_NS / size),
                false if value == 0.0 => "0".to_owned(),
                false => significant(value / size, 3),
            };
            (text, symbol.to_owned())
        }
        other => {
            let (size, step) = large(value);
            let space = if step.is_empty() || other.is_empty() { "" } else { " " };
            let unit = if is_unit(metric) { String::new() } else { format!("{space}{}", clean(other)) };
            (amount(metric, value, size), format!("{step}{unit}"))
        }
    };
    let number = Decimal::of(&text);
    match sign(found) {
        None => Cell::number(number, Role::Plain, symbol),
        Some((sign, suffix_role)) => {
            let space = if symbol.is_empty() { "" } else { " " };
            Cell::Number { number, role: Role::Plain, suffix: format!("{symbol}{space}{sign}"), suffix_role }
        }
    }
}

/// An arrow if a metric is certainly above or below the baseline's.
fn sign(found: &MetricReport) -> Option<(&'static str, Role)> {
    let verdict = found.ratio.as_ref()?.verdict;
    let costs_more = match verdict {
        Verdict::Slower => true,
        Verdict::Faster => false,
        Verdict::Same | Verdict::Unclear => return None,
    };
    let is_more = costs_more != (found.metric.better == Better::Higher);
    Some((if is_more { "\u{2191}" } else { "\u{2193}" }, verdict_role(verdict)))
}

/// In a unit of this size.
fn amount(metric: &Metric, value: f64, size: f64) -> String {
    match is_nothing(metric, value) {
        true => "0".to_owned(),
        false => count(value / size),
    }
}

/// `3 allocations/op`, `48 B/op`, `queue 12`.
pub(crate) fn text(found: &MetricReport, glyphs: Glyphs) -> String {
    let Metric { name, unit, per, .. } = &found.metric;
    let value = match unit.as_str() {
        "B" => bytes(found.value),
        "ns" => duration(found.value, glyphs),
        "" => count(found.value),
        unit => format!("{} {}", count(found.value), clean(unit)),
    };
    let text = match (per, unit.as_str()) {
        (Per::Operation, "B") if name == Metric::ALLOCATED_BYTES => format!("{value}/op"),
        (Per::Operation, "") => format!("{value} {name}/op"),
        (Per::Operation, _) => format!("{name} {value}/op"),
        (Per::Second, "") => format!("{value} {name}/s"),
        (Per::Second, _) => format!("{name} {value}/s"),
        (Per::Iteration, _) if is_unit(&found.metric) => value,
        (Per::Iteration, _) => format!("{name} {value}"),
    };
    let Some(r) = &found.ratio else { return text };
    let shown = match &r.interval {
        Some(interval) => format!("{} {}", ratio(r.ratio, interval), ratio_interval(interval)),
        None => significant(r.ratio, 3),
    };
    format!("{text} ({shown} {})", r.verdict.word())
}

pub(crate) type Prefix = (f64, &'static str);

const PREFIXES: [Prefix; 5] = [(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")];

/// Rates of a block with a larger ratio than this have no common prefix.
const APART: f64 = 1e3;

/// The names of all rates, in order of appearance.
pub(crate) fn rates(report: &Report) -> Vec<String> {
    each_once(estimates(report).flat_map(|e| &e.rates).map(|rate| &rate.name))
}

pub(crate) fn rate<'a>(estimates: &'a CaseEstimates, name: &str) -> Option<&'a RateReport> {
    estimates.rates.iter().find(|rate| rate.name == name)
}

fn prefix_of(value: f64) -> Prefix {
    // A value that rounds up to 1000 gets the next prefix.
    PREFIXES.into_iter().find(|(size, _)| value < 999.95 * size).unwrap_or(PREFIXES[PREFIXES.len() - 1])
}

/// The common prefix of a block's rates; None if they are too far apart, so each needs its own.
pub(crate) fn prefix_of_block<'a>(rates: impl Iterator<Item = &'a RateReport>) -> Option<Prefix> {
    let (least, most) =
        rates.map(|rate| rate.per_second).fold((f64::INFINITY, 0.0_f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
    (most < APART * least && most > 0.0).then(|| prefix_of(least))
}

/// `3.21 G`: a number with its prefix, before a suffix.
pub(crate) fn rate_text(per_second: f64, digits: usize) -> String {
    let (size, letter) = prefix_of(per_second);
    format!("{} {letter}", significant(per_second / size, digits))
}

pub(crate) fn rate_cell(rate: &RateReport, prefix: Option<Prefix>) -> Cell {
    let (size, letter) = prefix.unwrap_or_else(|| prefix_of(rate.per_second));
    let digits = digits_for(relative_half_width(rate.per_second, rate.interval.as_ref()));
    let number = match rate.at_least {
        true => format!("> {}", significant(rate.per_second / size, 2)),
        false => significant(rate.per_second / size, digits),
    };
    Cell::number(Decimal::of(&number), Role::Plain, format!("{letter}{}/s", clean(&rate.unit)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use super::{prefix_of, rate_text};
    use tare_analysis::MetricRatio;

    fn found(better: Better, verdict: Verdict) -> MetricReport {
        let metric =
            Metric { name: "peak".to_owned(), unit: "B".to_owned(), better, per: Per::Iteration, exact: false };
        let ratio = Some(MetricRatio { ratio: 1.5, interval: None, verdict });
        MetricReport { metric, diagnoser: None, value: 3072.0, launches: vec![3072.0], occurs: 1.0, ratio }
    }

    #[test]
    fn an_arrow_is_about_the_value_and_its_colour_about_the_cost() {
        let of = |better, verdict| sign(&found(better, verdict));
        assert_eq!(of(Better::Lower, Verdict::Slower), Some(("↑", Role::Bad)));
        assert_eq!(of(Better::Lower, Verdict::Faster), Some(("↓", Role::Good)));
        assert_eq!(of(Better::Higher, Verdict::Slower), Some(("↓", Role::Bad)));
        assert_eq!((of(Better::Lower, Verdict::Same), of(Better::Lower, Verdict::Unclear)), (None, None));
        assert_eq!(Glyphs::Ascii.of("↑↓"), "^v");
        assert_eq!(text(&found(Better::Lower, Verdict::Slower), Glyphs::Ascii), "peak 3 KiB (1.50 slower)");
    }

    #[test]
    fn what_a_benchmark_says_is_no_stray_event() {
        let of = |name: &str| {
            amount(&Metric { name: name.to_owned(), ..found(Better::Lower, Verdict::Same).metric }, 5e-4, 1.0)
        };
        assert_eq!(
            (of("err_op"), of(Metric::ALLOCATIONS), of("syscalls/made")),
            ("0.0005".into(), "0".into(), "0".into())
        );
    }

    #[test]
    fn a_rate_has_one_to_three_digits_before_the_point() {
        assert_eq!(rate_text(3.2149e9, 3), "3.21 G");
        assert_eq!(rate_text(999.96e6, 4), "1.000 G");
        assert_eq!(rate_text(0.25, 3), "0.250 ");
        assert_eq!(prefix_of(5e15).1, "T");
    }
}
