//! Trends as characters: a line for the table, a small chart for one benchmark.

use crate::words::number::{significant, TimeUnit};
use crate::words::text::{width, Glyphs, Line, Role};
use tare_analysis::history::{Basis, Trend};

/// Smallest height of a line or chart, as a ratio of its ends, so that small changes look small.
const LEAST: f64 = 1.04;

/// The used values of a trend, with their indices among its points.
fn used(trend: &Trend) -> Vec<(usize, f64)> {
    let points = trend.points.iter().enumerate().filter(|(_, point)| point.left_out.is_none());
    points.filter_map(|(at, point)| Some((at, trend.value(point).filter(|v| *v > 0.0)?))).collect()
}

/// The ends of a log axis, far enough apart that noise looks like noise.
fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return None;
    }
    let (centre, half) = ((low * high).sqrt(), (high / low).sqrt().max(LEAST.sqrt()));
    Some((centre / half, centre * half))
}

/// The position of a value between two others, 0 to 1, on a log axis.
fn share(value: f64, (low, high): (f64, f64)) -> f64 {
    ((value / low).ln() / (high / low).ln()).clamp(0.0, 1.0)
}

pub(super) fn spark(trend: &Trend, most: usize, glyphs: Glyphs) -> String {
    let values = used(trend);
    let newest = &values[values.len().saturating_sub(most)..];
    let Some(ends) = ends(newest.iter().map(|(_, value)| *value)) else { return String::new() };
    newest.iter().map(|(_, value)| glyphs.spark((share(*value, ends) * 7.0).round() as usize)).collect()
}

const HEIGHT: usize = 7;
const WIDTH_MAX: usize = 72;

/// All values with their levels, and a mark below each step; `days` are those of the first and last run.
pub(super) fn chart(trend: &Trend, days: [&str; 2], columns: usize, glyphs: Glyphs) -> Vec<Line> {
    let values = used(trend);
    let Some(ends) = ends(values.iter().map(|(_, value)| *value)) else { return Vec::new() };
    let labels = labels(trend, ends, glyphs);
    let left = labels.iter().map(|label| width(label)).max().unwrap_or(0);
    let room = columns.saturating_sub(left + 3).clamp(10, WIDTH_MAX);
    // A run takes up to two columns, or shares one.
    let each = (room / values.len().max(1)).clamp(1, 2);
    let wide = (values.len() * each).min(room);
    let column = |at: usize| if values.len() * each <= room { at * each } else { at * room / values.len() };
    let [mark_of_level, mark_of_value, bar] =
        if glyphs == Glyphs::Unicode { ['─', '•', '┤'] } else { ['-', 'o', '|'] };
    let mut rows = vec![vec![' '; wide]; HEIGHT];
    let row = |value: f64| HEIGHT - 1 - (share(value, ends) * (HEIGHT - 1) as f64).round() as usize;
    let place = |point: usize| values.partition_point(|(at, _)| *at < point);
    for level in &trend.levels {
        let (from, to) = (column(place(level.first)), column(place(level.last)));
        rows[row(level.value)][from..=to.min(wide - 1)].fill(mark_of_level);
    }
    for (at, (_, value)) in values.iter().enumerate() {
        rows[row(*value)][column(at).min(wide - 1)] = mark_of_value;
    }
    let mut lines: Vec<Line> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let label = match at {
            0 => labels[0].as_str(),
            at if at == HEIGHT - 1 => labels[1].as_str(),
            _ => "",
        };
        let label = format!("{}{label} {bar}", " ".repeat(left - width(label)));
        lines.push(Line::of(Role::Quiet, label).with(Role::Plain, String::from_iter(row)));
    }
    let mut below = vec![' '; wide];
    for step in &trend.steps {
        below[column(place(step.at)).min(wide - 1)] = if step.confirmed { '^' } else { '?' };
    }
    let indent = " ".repeat(left + 2);
    if !trend.steps.is_empty() {
        let below: String = below.into_iter().collect();
        lines.push(Line::of(Role::Plain, indent.clone()).with(Role::Warning, below.trim_end().to_owned()));
    }
    let [first, last] = days;
    let gap = wide.saturating_sub(width(first) + width(last)).max(2);
    let dates = if first == last { first.to_owned() } else { format!("{first}{}{last}", " ".repeat(gap)) };
    lines.push(Line::of(Role::Quiet, format!("{indent}{dates}")));
    lines
}

fn labels(trend: &Trend, (low, high): (f64, f64), glyphs: Glyphs) -> [String; 2] {
    const DIGITS: usize = 4;
    match &trend.basis {
        Basis::Ratio { .. } => [high, low].map(|value| significant(value, DIGITS)),
        Basis::Time => {
            let unit = TimeUnit::of(high);
            [high, low].map(|value| format!("{} {}", significant(value / unit.ns(), DIGITS), unit.symbol(glyphs)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_analysis::history::{Level, TrendPoint, TrendStep};
    use tare_analysis::Verdict;
    use tare_stats::interval::Interval;

    fn trend() -> Trend {
        let point = |run: usize| TrendPoint {
            run,
            time_ns: Some(if run < 8 { 100.0 + (run % 2) as f64 } else { 120.0 - (run % 2) as f64 }),
            time_interval: None,
            ratio: None,
            ratio_interval: None,
            base: None,
            compiler: String::new(),
            left_out: None,
        };
        let step = TrendStep {
            before: 7,
            at: 8,
            after: 8,
            ratio: 1.2,
            interval: Interval { lower: 1.19, upper: 1.21 },
            verdict: Verdict::Slower,
            p: 0.001,
            confirmed: true,
            changes: Vec::new(),
            accepted: false,
        };
        Trend {
            key: "a".into(),
            name: "a".into(),
            job: String::new(),
            basis: Basis::Time,
            points: (0..14).map(point).collect(),
            levels: vec![Level { first: 0, last: 7, value: 100.5 }, Level { first: 8, last: 13, value: 119.5 }],
            steps: vec![step],
            creep: None,
            earlier: Vec::new(),
            renamed_at: None,
            accepted: None,
        }
    }

    #[test]
    fn a_step_is_seen_in_characters() {
        assert_eq!(spark(&trend(), 8, Glyphs::Unicode), "▁▁██████");
        let text = |lines: Vec<Line>| lines.iter().map(|line| line.plain() + "\n").collect::<String>();
        insta::assert_snapshot!(text(chart(&trend(), ["2026-01-01", "2026-01-14"], 60, Glyphs::Unicode)));
        insta::assert_snapshot!(text(chart(&trend(), ["2026-01-01", "2026-01-14"], 24, Glyphs::Ascii)));
    }

    #[test]
    fn nothing_panics_whatever_the_width() {
        for columns in [0, 10, 40, 200] {
            let lines = chart(&trend(), ["", ""], columns, Glyphs::Unicode);
            assert!(lines.len() >= HEIGHT);
        }
        let mut none = trend();
        none.points.iter_mut().for_each(|point| point.time_ns = None);
        assert!(chart(&none, ["", ""], 80, Glyphs::Unicode).is_empty() && spark(&none, 8, Glyphs::Unicode).is_empty());
    }
}
