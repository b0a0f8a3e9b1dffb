//! Time over a numeric parameter, with the best-fitting order of growth.

use crate::elements::chart::{Axis, Chart, LinePlot, LineSeries, Measure, Plot, Point, Style, Tone};
use crate::parts::tabulate::measured;
use crate::words::label::{alike, Naming};
use crate::words::number::percent;
use crate::words::text::clean;
use tare_analysis::scaling::{fit, sized, Sized, UNEXPLAINED_MAX};
use tare_analysis::{each_once, CaseReport, GroupReport, NetTime, Report};

const VALUES_MIN: usize = 3;

/// A chart per group and numeric parameter, with a line per benchmark and set of other parameters.
pub(crate) fn scaling(report: &Report) -> Vec<Chart> {
    let naming = Naming::of(report);
    report.groups.iter().flat_map(|group| of_group(report, naming, group)).collect()
}

fn of_group(report: &Report, naming: Naming, group: &GroupReport) -> Vec<Chart> {
    let cases: Vec<&CaseReport> = group.cases.iter().filter_map(|&at| report.cases.get(at as usize)).collect();
    let names = each_once(cases.iter().flat_map(|case| &case.parameters).map(|parameter| &parameter.name));
    names.iter().filter_map(|name| of_parameter(naming, group, &cases, name)).collect()
}

fn of_parameter(naming: Naming, group: &GroupReport, cases: &[&CaseReport], name: &str) -> Option<Chart> {
    let mut lines = alike(cases.iter().filter_map(|case| point(case, name, naming)), |(label, ..)| label.clone());
    lines.retain(|line| alike(line, |(_, point, _)| point.x.to_bits()).len() >= VALUES_MIN);
    let mut series = Vec::new();
    for (n, line) in lines.into_iter().enumerate() {
        let mut points: Vec<Point> = line.iter().map(|(_, point, _)| *point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let label = line[0].0.clone();
        let fit = fit(&line.into_iter().flat_map(|(_, _, launches)| launches).collect::<Vec<Sized>>());
        let name = fit.map_or(label.clone(), |fit| format!("{label} {}", fit.complexity.notation()));
        series.push(LineSeries { name, tone: Tone::Nth(n), style: Style::Line, points });
    }
    let group = if group.name.is_empty() { String::new() } else { format!("{} ", clean(&group.name)) };
    let plot = LinePlot {
        x: Axis::log(&clean(name), Measure::Number),
        y: Axis::log("time", Measure::Time),
        series,
        reference: None,
        band: None,
    };
    let left_out = left_out(cases, name);
    (!plot.series.is_empty()).then(|| Chart {
        title: format!("{group}by {}", clean(name)),
        reading: format!(
            "both axes are logarithmic, so a straight line is a power; an order of growth is named if it leaves less than {} of the times unexplained{left_out}",
            percent(UNEXPLAINED_MAX)
        ),
        plot: Plot::Lines(plot),
    })
}

/// Values without a place on a logarithmic axis: parameters not above 0, and times that cannot be distinguished from zero.
fn left_out(cases: &[&CaseReport], name: &str) -> String {
    let (mut values, mut times) = (Vec::new(), Vec::new());
    for case in cases {
        let Some((own, estimates)) = case.parameters.iter().find(|p| p.name == name).zip(measured(case)) else {
            continue;
        };
        let list = match own.value.trim().parse::<f64>() {
            Ok(value) if value <= 0.0 => &mut values,
            Ok(value) if value.is_finite() && matches!(estimates.time, NetTime::Below { .. }) => &mut times,
            _ => continue,
        };
        list.push(format!("{}={}", clean(name), clean(own.value.trim())));
    }
    let of = |why: &str, all: Vec<String>| match all.is_empty() {
        true => String::new(),
        false => format!("; not shown, because {why}: {}", each_once(&all).join(", ")),
    };
    of("a logarithmic axis has only values above 0", values) + &of("the time cannot be distinguished from zero", times)
}

/// A case's line, its point on it, and the times of its launches; None if the parameter or the time is not a number.
fn point(case: &CaseReport, name: &str, naming: Naming) -> Option<(String, Point, Vec<Sized>)> {
    let (x, launches) = sized(case, name)?;
    let estimates = measured(case)?;
    let NetTime::Resolved { value_ns, interval } = estimates.time else { return None };
    let others: Vec<String> =
        case.parameters.iter().filter(|p| p.name != name).map(|p| format!("{}={}", p.name, p.value)).collect();
    let others = if others.is_empty() { String::new() } else { format!("[{}]", others.join(", ")) };
    let mut label = format!("{}{others}", case.name);
    for (shown, text) in [(naming.language, &case.language), (naming.job, &case.job)] {
        if shown && !text.is_empty() {
            label = format!("{label} {text}");
        }
    }
    let interval = interval.filter(|i| i.lower > 0.0);
    Some((clean(&label), Point { x, y: value_ns, interval }, launches))
}
