//! The charts of a whole run or comparison.

use super::members::{Panel, Source};
use super::of_members::{density, raw_times, strip};
use super::{
    effect_band, Axis, BoxPlot, BoxRow, Chart, Dot, DotPlot, LinePlot, LineSeries, Measure, Plot, Point, Style, Tone,
};
use crate::number::ratio_interval;
use crate::parameters::full_name;
use crate::tabulate::measured;
use crate::{clean, duration, half_width, ratio, Glyphs};
use tare_analysis::{CaseEstimates, CaseReport, CaseTrace, Comparison, GroupReport, NetTime, Report, Verdict};
use tare_stats::location::median;

/// A group of a run: ratios where it has a baseline, otherwise times.
pub(crate) fn group_dots(report: &Report, group: &GroupReport) -> (DotPlot, Vec<(u32, Dot)>) {
    let cases: Vec<(&CaseReport, &CaseEstimates)> = group
        .cases
        .iter()
        .filter_map(|&at| report.cases.get(at as usize))
        .filter_map(|case| Some((case, measured(case)?)))
        .collect();
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

fn names(case: &CaseReport) -> Vec<String> {
    case.parameters.iter().map(|p| p.name.clone()).collect()
}

fn ratio_dot(case: &CaseReport, estimates: &CaseEstimates) -> Option<Dot> {
    let label = full_name(case, &names(case));
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

fn time_dot(case: &CaseReport, estimates: &CaseEstimates) -> Option<Dot> {
    let NetTime::Resolved { value_ns, interval } = estimates.time else { return None };
    let width = interval.map(|i| format!(" {}", half_width(value_ns, &i, Glyphs::Unicode))).unwrap_or_default();
    Some(Dot {
        label: full_name(case, &names(case)),
        value: value_ns,
        interval,
        text: format!("{}{width}", duration(value_ns, Glyphs::Unicode)),
        tone: Tone::Nth(0),
    })
}

/// The cases of a run with their intervals, a chart per group.
pub(crate) fn run_dots(report: &Report) -> Vec<Chart> {
    let chart = |group: &GroupReport| {
        let (plot, dots) = group_dots(report, group);
        let title = if group.name.is_empty() { "benchmark".to_owned() } else { clean(&group.name) };
        let reading =
            "the value of each case with its 95 % interval; the shaded strip around 1 is the minimum effect".to_owned();
        (!dots.is_empty()).then_some(Chart { title, reading, plot: Plot::Dots(plot) })
    };
    report.groups.iter().filter_map(chart).collect()
}

/// The rows of a comparison, those of each verdict together.
pub(crate) fn comparison_dots(comparison: &Comparison) -> Option<DotPlot> {
    use crate::comparison::{rows_of, ORDER};
    let labels = comparison.labels();
    let dot = |row: &&tare_analysis::ComparisonRow| Dot {
        label: crate::comparison::label(&labels, row),
        value: row.ratio,
        interval: row.interval,
        text: match &row.interval {
            Some(i) => format!("{} {}", ratio(row.ratio, i), ratio_interval(i)),
            None => crate::comparison::ratio_text(row),
        },
        tone: Tone::Verdict(row.verdict),
    };
    let group = |verdict: Verdict| {
        let dots: Vec<Dot> = rows_of(comparison, verdict, None).0.iter().map(dot).collect();
        (!dots.is_empty()).then(|| (format!("{} ({})", verdict.word(), dots.len()), dots))
    };
    let groups: Vec<(String, Vec<Dot>)> = ORDER.into_iter().filter_map(group).collect();
    // Metrics have minimum effects of their own.
    let times = comparison.rows.iter().filter(|row| row.metric.is_none());
    let least = times.map(|row| row.minimum_effect).fold(f64::INFINITY, f64::min);
    let axis = Axis::log("ratio, new / base", Measure::Ratio);
    (!groups.is_empty()).then(|| DotPlot { axis, groups, reference: Some(1.0), band: effect_band(least) })
}

/// The quartiles of the visits, a chart per panel.
pub(crate) fn boxes(panels: &[Panel]) -> Vec<Chart> {
    let chart = |panel: &Panel| {
        let row = |named: &super::members::Named| {
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
        let plot = BoxPlot {
            axis: Axis::linear(raw_times(&panel.members), Measure::Time),
            groups: vec![(String::new(), rows.clone())],
        };
        let reading =
            "quartiles of the visits that count; whiskers end at the fences of Tukey, what lies beyond is a grey dot";
        (!rows.is_empty()).then(|| Chart {
            title: panel.title.clone(),
            reading: reading.to_owned(),
            plot: Plot::Boxes(plot),
        })
    };
    panels.iter().filter_map(chart).collect()
}

/// At most a hundred of them at equal steps.
fn few(values: Vec<f64>) -> Vec<f64> {
    let step = values.len().div_ceil(100).max(1);
    values.into_iter().step_by(step).collect()
}

/// How the visits are distributed, a chart per panel.
pub(crate) fn densities(panels: &[Panel]) -> Vec<Chart> {
    titled(panels, density)
}

/// Every visit, a chart per case or pair.
pub(crate) fn strips(panels: &[Panel]) -> Vec<Chart> {
    let chart = |panel: &Panel| -> Vec<Chart> {
        let pair = panel.members.iter().any(|named| named.tone == Tone::New);
        let titled = |title: String, chart: Option<Chart>| chart.map(|chart| Chart { title, ..chart });
        if pair {
            return titled(panel.title.clone(), strip(&panel.members.iter().collect::<Vec<_>>())).into_iter().collect();
        }
        let one = |named: &super::members::Named| {
            let title =
                if panel.members.len() == 1 { panel.title.clone() } else { format!("{}/{}", panel.title, named.name) };
            titled(title, strip(&[&super::members::Named { tone: Tone::Nth(0), ..named.clone() }]))
        };
        panel.members.iter().filter_map(one).collect()
    };
    panels.iter().flat_map(chart).collect()
}

fn titled(panels: &[Panel], make: impl Fn(&[&super::members::Named]) -> Option<Chart>) -> Vec<Chart> {
    let chart = |panel: &Panel| {
        let found = make(&panel.members.iter().collect::<Vec<_>>())?;
        Some(Chart { title: panel.title.clone(), ..found })
    };
    panels.iter().filter_map(chart).collect()
}

/// The launches of all cases over the time of the run, each relative to the median of its case.
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
    let reading = "one mark per process; where all of them rise or fall together, the machine changed";
    (!points.is_empty()).then(|| Chart {
        title: "timeline of the launches".to_owned(),
        reading: reading.to_owned(),
        plot: Plot::Lines(plot),
    })
}
