//! Charts of a whole run, and of the panels of a run or a comparison.

use super::members::{need_ratios, sets, Named, Panel, Source};
use super::of_members::{chart, cumulative, density, raw_times, strip};
use crate::elements::chart::{
    effect_band, Axis, BoxPlot, BoxRow, Chart, Dot, DotPlot, LinePlot, LineSeries, Measure, Plot, Point, Style, Tone,
};
use crate::parts::tabulate::{below, measured, ordered};
use crate::words::label::{whole_name, Naming};
use crate::words::number::{half_width, ratio, ratio_interval, time, TimeUnit};
use crate::words::text::{clean, Glyphs};
use tare_analysis::{CaseEstimates, CaseReport, CaseTrace, GroupReport, NetTime, Report};
use tare_stats::interval::Interval;
use tare_stats::location::median;

/// A group of a run: ratios if it has a baseline, otherwise times.
pub(crate) fn group_dots(report: &Report, group: &GroupReport) -> (DotPlot, Vec<(u32, Dot)>) {
    let cases: Vec<(&CaseReport, &CaseEstimates)> =
        ordered(report, group).into_iter().filter_map(|case| Some((case, measured(case)?))).collect();
    let compared = cases.iter().any(|(_, e)| e.ratio.is_some());
    let dot = |(case, estimates): &(&CaseReport, &CaseEstimates)| {
        let found = if compared { ratio_dot(case, estimates) } else { time_dot(case, estimates) };
        found.map(|dot| (case.case, dot))
    };
    let dots: Vec<(u32, Dot)> = cases.iter().filter_map(dot).collect();
    let rows: Vec<Dot> = dots.iter().map(|(_, dot)| dot.clone()).collect();
    let spread = |(least, most): (f64, f64), dot: &Dot| (least.min(dot.value), most.max(dot.value));
    let (least, most) = rows.iter().fold((f64::INFINITY, 0.0_f64), spread);
    let axis = match compared {
        true => Axis::log("ratio to base", Measure::Ratio),
        false => Axis { label: "time".to_owned(), measure: Measure::Time, is_log: most > 3.0 * least },
    };
    let effects = cases.iter().filter_map(|(_, e)| Some(e.ratio.as_ref()?.minimum_effect));
    let band = effects.reduce(f64::min).and_then(effect_band);
    let reference = compared.then_some(1.0);
    (DotPlot { axis, groups: vec![(String::new(), rows)], reference, band }, dots)
}

fn ratio_dot(case: &CaseReport, estimates: &CaseEstimates) -> Option<Dot> {
    let label = whole_name(case);
    match &estimates.ratio {
        None => {
            case.baseline.then(|| Dot { label, value: 1.0, interval: None, text: "base".to_owned(), tone: Tone::Base })
        }
        Some(r) => Some(Dot {
            label,
            value: r.ratio,
            interval: Some(r.interval),
            text: format!("{} {} {}", ratio(r.ratio, &r.interval), ratio_interval(&r.interval), r.verdict.word()),
            tone: Tone::Verdict(r.verdict),
        }),
    }
}

pub(super) fn time_text(value_ns: f64, interval: Option<&Interval>) -> String {
    let width = interval.map(|i| format!(" {}", half_width(value_ns, i, Glyphs::Unicode))).unwrap_or_default();
    format!("{}{width}", time(value_ns, interval, Glyphs::Unicode))
}

fn time_dot(case: &CaseReport, estimates: &CaseEstimates) -> Option<Dot> {
    let NetTime::Resolved { value_ns, interval } = estimates.time else { return None };
    Some(Dot {
        label: whole_name(case),
        value: value_ns,
        interval,
        text: time_text(value_ns, interval.as_ref()),
        tone: Tone::Nth(0),
    })
}

/// The rows of a group in a picture: below their parameters, if cases with equal ones are compared.
fn rows_of(report: &Report, naming: Naming, dots: Vec<(u32, Dot)>) -> Vec<(String, Vec<Dot>)> {
    let cases: Vec<&CaseReport> = dots.iter().filter_map(|(case, _)| report.cases.get(*case as usize)).collect();
    let sets = sets(&cases);
    let mut rows: Vec<(String, Vec<Dot>)> = Vec::new();
    for (at, ((_, dot), case)) in dots.into_iter().zip(&cases).enumerate() {
        let (name, own) = match &sets {
            Some(sets) => (sets[at].clone(), clean(&case.name)),
            None => (String::new(), whole_name(case)),
        };
        if rows.last().is_none_or(|(last, _)| *last != name) {
            rows.push((name, Vec::new()));
        }
        let dot = Dot { label: naming.within(report, case, &own), ..dot };
        rows.last_mut().into_iter().for_each(|(_, rows)| rows.push(dot.clone()));
    }
    rows
}

fn title_of(group: &GroupReport) -> String {
    clean(if group.name.is_empty() { "benchmark" } else { &group.name })
}

pub(crate) fn run_dots(report: &Report) -> Vec<Chart> {
    let naming = Naming::of(report);
    let chart = |group: &GroupReport| {
        let (plot, dots) = group_dots(report, group);
        let is_empty = dots.is_empty();
        let plot = DotPlot { groups: rows_of(report, naming, dots), ..plot };
        let reading =
            "the value of each case with its 95 % interval; the shaded strip around 1 is the minimum effect".to_owned();
        (!is_empty).then(|| Chart { title: title_of(group), reading, plot: Plot::Dots(plot) })
    };
    report.groups.iter().filter_map(chart).collect()
}

pub(super) fn bar_chart(title: String, groups: Vec<(String, Vec<Dot>)>) -> Chart {
    let axis = Axis::linear("time", Measure::Time);
    let plot = Plot::Bars(DotPlot { axis, groups, reference: None, band: None });
    chart(&title, "the time of each case from zero, with its 95 % interval", plot)
}

/// The time of a case as a bar; zero length if it cannot be distinguished from zero.
fn bar(estimates: &CaseEstimates, label: String, tone: Tone) -> Dot {
    let (value, interval, text) = match estimates.time {
        NetTime::Resolved { value_ns, interval } => (value_ns, interval, time_text(value_ns, interval.as_ref())),
        NetTime::Below { upper_ns } => {
            let unit = TimeUnit::of(upper_ns);
            (0.0, None, format!("{} {}", below(upper_ns / unit.ns()), unit.symbol(Glyphs::Unicode)))
        }
    };
    Dot { label, value, interval, text, tone }
}

pub(crate) fn bars_of_run(report: &Report) -> Vec<Chart> {
    let naming = Naming::of(report);
    let chart = |group: &GroupReport| {
        let bars = ordered(report, group).into_iter().filter_map(|case| {
            let estimates = measured(case)?;
            let tone = match &estimates.ratio {
                Some(ratio) => Tone::Verdict(ratio.verdict),
                None if case.baseline => Tone::Base,
                None => Tone::Nth(0),
            };
            Some((case.case, bar(estimates, String::new(), tone)))
        });
        let bars: Vec<(u32, Dot)> = bars.collect();
        (!bars.is_empty()).then(|| bar_chart(title_of(group), rows_of(report, naming, bars)))
    };
    report.groups.iter().filter_map(chart).collect()
}

pub(crate) fn bars_of_pairs(panels: &[Panel]) -> Vec<Chart> {
    let chart = |panel: &Panel| {
        let bars = panel.members.iter().map(|named| bar(named.member.estimates, named.name.clone(), named.tone));
        bar_chart(panel.title.clone(), vec![(String::new(), bars.collect())])
    };
    panels.iter().map(chart).collect()
}

pub(crate) fn means(panels: &[Panel], report: &Report) -> Vec<Chart> {
    let naming = Naming::of(report);
    let one = |panel: &Panel, named: &Named| {
        let tone = if named.tone == Tone::Base { Tone::Base } else { Tone::New };
        let title = match named.tone {
            Tone::Nth(_) => naming.label(report, named.member.case.case),
            _ => format!("{} ({})", panel.title, named.name),
        };
        Some(Chart { title, ..cumulative(&Named { tone, ..named.clone() })? })
    };
    panels.iter().flat_map(|panel| panel.members.iter().filter_map(move |named| one(panel, named))).collect()
}

pub(crate) fn boxes(panels: &[Panel]) -> Vec<Chart> {
    let of_panel = |panel: &Panel| {
        let row = |named: &Named| {
            let s = named.member.estimates.summary.as_ref()?;
            let inside = |x: &f64| *x >= s.lower_fence && *x <= s.upper_fence;
            let whiskers = [s.min.max(s.lower_fence), s.max.min(s.upper_fence)];
            let outliers = s.lower_outliers.iter().chain(&s.upper_outliers).copied().filter(|x| !inside(x));
            Some(BoxRow {
                label: named.name.clone(),
                values: [whiskers[0], s.q1, s.median, s.q3, whiskers[1]],
                outliers: few(outliers.collect()),
            })
        };
        let rows: Vec<BoxRow> = panel.members.iter().filter_map(row).collect();
        let is_log = need_ratios(&panel.members);
        let plot = BoxPlot {
            axis: Axis { label: raw_times(&panel.members).to_owned(), measure: Measure::Time, is_log },
            groups: vec![(String::new(), rows.clone())],
        };
        let reading =
            "quartiles of the visits that count; whiskers end at Tukey's fences, and grey dots are beyond them";
        (!rows.is_empty()).then(|| chart(&panel.title, reading, Plot::Boxes(plot)))
    };
    panels.iter().filter_map(of_panel).collect()
}

fn few(values: Vec<f64>) -> Vec<f64> {
    let step = values.len().div_ceil(100).max(1);
    values.into_iter().step_by(step).collect()
}

pub(crate) fn densities(panels: &[Panel]) -> Vec<Chart> {
    titled(panels, density)
}

pub(crate) fn strips(panels: &[Panel]) -> Vec<Chart> {
    let chart = |panel: &Panel| -> Vec<Chart> {
        let pair = panel.members.iter().any(|named| named.tone == Tone::New);
        let titled = |title: String, chart: Option<Chart>| chart.map(|chart| Chart { title, ..chart });
        if pair {
            return titled(panel.title.clone(), strip(&panel.members.iter().collect::<Vec<_>>())).into_iter().collect();
        }
        let one = |named: &Named| {
            let title =
                if panel.members.len() == 1 { panel.title.clone() } else { format!("{}/{}", panel.title, named.name) };
            titled(title, strip(&[&Named { tone: Tone::Nth(0), ..named.clone() }]))
        };
        panel.members.iter().filter_map(one).collect()
    };
    panels.iter().flat_map(chart).collect()
}

fn titled(panels: &[Panel], make: impl Fn(&[&Named]) -> Option<Chart>) -> Vec<Chart> {
    let chart = |panel: &Panel| {
        let found = make(&panel.members.iter().collect::<Vec<_>>())?;
        Some(Chart { title: panel.title.clone(), ..found })
    };
    panels.iter().filter_map(chart).collect()
}

/// The launches of all cases over the run's time, each relative to its case's median.
pub(crate) fn timeline(source: &Source) -> Option<Chart> {
    let deviations = |trace: &CaseTrace| -> Vec<Point> {
        let values: Vec<f64> = trace.launches.iter().filter_map(|launch| launch.value_ns).collect();
        let Some(centre) = median(&values).filter(|_| values.len() > 1) else { return Vec::new() };
        let point = |launch: &tare_analysis::LaunchTrace| {
            Some(Point { x: launch.start_s, y: launch.value_ns? / centre - 1.0, interval: None })
        };
        trace.launches.iter().filter_map(point).collect()
    };
    let points: Vec<Point> = source.traces.iter().flat_map(deviations).collect();
    let plot = LinePlot {
        x: Axis::linear("since the start of the run", Measure::Seconds),
        y: Axis::linear("launch relative to the median of its case", Measure::Deviation),
        series: vec![LineSeries {
            name: "launches".to_owned(),
            tone: Tone::Nth(0),
            style: Style::Points,
            points: points.clone(),
        }],
        reference: Some(0.0),
        band: None,
    };
    let reading = "one mark per process; if all of them rise or fall together, the machine changed";
    (!points.is_empty()).then(|| chart("timeline of the launches", reading, Plot::Lines(plot)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_digits_of_the_table() {
        let text = |ns: f64, lower: f64, upper: f64| time_text(ns, Some(&Interval { lower, upper }));
        assert_eq!(text(1804.6, 1709.0, 1900.2), "1.80 µs ±5.3 %");
        assert_eq!(text(14.29e6, 7.43e6, 27.5e6), "14 ms −48.0 +92.4 %");
        assert_eq!(text(0.51084, 0.5027, 0.519), "0.511 ns ±1.6 %");
        assert_eq!(time_text(543.91, None), "543.9 ns");
    }
}
