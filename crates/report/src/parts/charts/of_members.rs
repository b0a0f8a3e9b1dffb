//! Charts of cases on one axis: distribution of visits, their order in time, and the precision of the result.

use super::members::Named;
use crate::elements::chart::Range;
use crate::elements::chart::{
    effect_band, Axis, Chart, Density, LinePlot, LineSeries, Measure, Plot, Point, Strip, StripLaunch, Style, Tone,
};
use crate::parts::statistics::Overhead;
use std::collections::BTreeMap;
use tare_analysis::{CaseTrace, Fate, LaunchTrace, RatioReport};
use tare_stats::histogram::{adaptive_histogram, Bin};
use tare_stats::location::{mean, median};

const STRIP_MAX: usize = 900;

/// The label of an axis of raw times, which include the small overhead around all bodies.
pub(crate) fn raw_times<'a>(members: impl IntoIterator<Item = &'a Named<'a>>) -> &'static str {
    let first = members.into_iter().next().map(|named| named.member);
    first.map_or(Overhead::LOOP, |member| Overhead::of(member.case, member.estimates)).axis
}

pub(crate) fn case_charts(own: &Named, base: Option<&Named>) -> Vec<Chart> {
    let all: Vec<&Named> = base.into_iter().chain([own]).collect();
    let alone = [own];
    [strip(&alone), density(&all), drift(&alone), cumulative(own)].into_iter().flatten().collect()
}

pub(crate) fn pair_charts(sides: &[Named], ratio: &RatioReport) -> Vec<Chart> {
    let all: Vec<&Named> = sides.iter().collect();
    [strip(&all), density(&all), waves(sides, ratio), drift(&all)].into_iter().flatten().collect()
}

pub(super) fn chart(title: &str, reading: &str, plot: Plot) -> Chart {
    Chart { title: title.to_owned(), reading: reading.to_owned(), plot }
}

fn traced<'a>(named: &'a Named) -> Option<(&'a Named<'a>, &'a CaseTrace)> {
    Some((named, named.member.trace?))
}

pub(crate) fn strip(members: &[&Named]) -> Option<Chart> {
    let traced: Vec<_> = members.iter().filter_map(|named| traced(named)).collect();
    let all = || traced.iter().flat_map(|(named, trace)| trace.launches.iter().map(|launch| (named.tone, launch)));
    let every = all().map(|(_, launch)| launch.visits.len()).sum::<usize>().div_ceil(STRIP_MAX).max(1);
    let mut dropped: BTreeMap<Fate, usize> = BTreeMap::new();
    for visit in all().flat_map(|(_, launch)| &launch.visits).filter(|visit| visit.fate != Fate::Counted) {
        *dropped.entry(visit.fate).or_default() += 1;
    }
    let shown = |(tone, launch): (Tone, &LaunchTrace)| {
        let visits = launch.visits.iter().step_by(every).map(|v| (v.ns, v.fate, v.dropped_windows)).collect();
        let (group, wave, value) = (launch.group, launch.wave, launch.value_ns);
        (launch.start_s, launch.launch, StripLaunch { group, wave, tone, value, visits })
    };
    let mut launches: Vec<(f64, u32, StripLaunch)> = all().map(shown).collect();
    launches.sort_by(|a, b| a.2.place().cmp(&b.2.place()).then(a.0.total_cmp(&b.0)).then(a.1.cmp(&b.1)));
    if launches.is_empty() {
        return None;
    }
    let plot = Strip {
        axis: Axis::linear(raw_times(members.iter().copied()), Measure::Time),
        names: traced.iter().map(|(named, _)| (named.name.clone(), named.tone)).collect(),
        launches: launches.into_iter().map(|(.., launch)| launch).collect(),
        every,
        dropped: dropped.into_iter().collect(),
    };
    let reading = "one column per process, one dot per visit in order of time; the line is the value of the process; processes that differ by more than their dots show why one process is not enough";
    Some(chart("every visit of every launch", reading, Plot::Strip(plot)))
}

pub(crate) fn density(members: &[&Named]) -> Option<Chart> {
    let series = members.iter().map(|named| (named.name.clone(), named.tone, named.member.estimates.histogram.clone()));
    let reading = "equal areas are equal shares of the visits; two humps are two speeds, and a long right side is a tail; up to 0.5 % at either end may be beyond the axis";
    density_of("distribution of the visits", reading, raw_times(members.iter().copied()), series)
}

fn density_of(
    title: &str,
    reading: &str,
    label: &str,
    series: impl Iterator<Item = (String, Tone, Vec<Bin>)>,
) -> Option<Chart> {
    let series: Vec<_> = series.filter(|(.., bins)| !bins.is_empty()).collect();
    let is_log = series.iter().all(|(.., bins)| bins.iter().all(|bin| bin.lower > 0.0));
    let axis = Axis { label: label.to_owned(), measure: Measure::Time, is_log };
    (!series.is_empty()).then(|| chart(title, reading, Plot::Density(Density { axis, series })))
}

fn drift(members: &[&Named]) -> Option<Chart> {
    let series = members.iter().filter_map(|named| traced(named)).map(|(named, trace)| {
        let point = |launch: &LaunchTrace| Some(Point { x: launch.start_s, y: launch.value_ns?, interval: None });
        let points = trace.launches.iter().filter_map(point).collect();
        LineSeries { name: named.name.clone(), tone: named.tone, style: Style::Points, points }
    });
    let series: Vec<LineSeries> = series.filter(|series| series.points.len() > 1).collect();
    let plot = LinePlot {
        x: Axis::linear("since the start of the run", Measure::Seconds),
        y: Axis::linear(raw_times(members.iter().copied()), Measure::Time),
        reference: None,
        band: None,
        series,
    };
    let reading = "one mark per process at its start; a slope or a step means that the machine changed during the run";
    // Processes of one wave start together and cannot show drift.
    let starts = Range::of(plot.series.iter().flat_map(|series| &series.points).map(|point| point.x), false)?;
    (starts.lower < starts.upper).then(|| chart("drift over the run", reading, Plot::Lines(plot)))
}

pub(super) fn cumulative(named: &Named) -> Option<Chart> {
    let trace = named.member.trace?;
    let values: Vec<f64> = trace.launches.iter().filter_map(|launch| launch.value_ns).collect();
    let point = |n: usize| {
        let estimate = trace.estimate_after(n);
        Some(Point {
            x: n as f64,
            y: estimate.map_or(*values.first()?, |estimate| estimate.value),
            interval: estimate.map(|estimate| estimate.interval).filter(|_| n > 3),
        })
    };
    let points: Vec<Point> = (1..=values.len()).filter_map(point).collect();
    let plot = LinePlot {
        x: Axis::linear("launches", Measure::Count),
        y: Axis::linear(raw_times([named]), Measure::Time),
        series: vec![LineSeries { name: named.name.clone(), tone: named.tone, style: Style::Band, points }],
        reference: None,
        band: None,
    };
    let reading =
        "the mean after that many processes with its 95 % interval; once it is flat, more processes change little";
    (values.len() > 3).then(|| chart("mean after each launch", reading, Plot::Lines(plot)))
}

/// The ratio in each wave with launches of both sides, without the loop. A side that was repeated alone has other waves.
fn ratios_of_waves(base: &CaseTrace, new: &CaseTrace, without_loop: impl Fn(f64) -> f64) -> Vec<Point> {
    let by_wave = |trace: &CaseTrace| {
        let mut waves: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
        for launch in &trace.launches {
            waves.entry((launch.group, launch.wave)).or_default().extend(launch.value_ns.map(f64::ln));
        }
        waves
    };
    let (of_base, of_new) = (by_wave(base), by_wave(new));
    let ratio = |(place, logs): (&(u32, u32), &Vec<f64>)| {
        let ratio = without_loop(mean(of_new.get(place)?)? - mean(logs)?).exp();
        Some((place.0, Point { x: f64::from(place.1) + 1.0, y: ratio, interval: None }))
    };
    let mut ratios = of_base.iter().filter_map(ratio).peekable();
    let group = ratios.peek().map(|(group, _)| *group);
    ratios.filter(|(of, _)| Some(*of) == group).map(|(_, point)| point).collect()
}

fn waves(sides: &[Named], ratio: &RatioReport) -> Option<Chart> {
    let [base, new] = sides else { return None };
    let points = ratios_of_waves(base.member.trace?, new.member.trace?, |log| ratio.without_loop(log));
    let ends = [points.first()?.x, points.last()?.x];
    let result = ends.map(|x| Point { x, y: ratio.ratio, interval: Some(ratio.interval) });
    let series = |name: &str, tone, style, points| LineSeries { name: name.to_owned(), tone, style, points };
    let plot = LinePlot {
        x: Axis::linear("wave", Measure::Count),
        y: Axis::log("ratio, new / base", Measure::Ratio),
        series: vec![
            series("result, 95 %", Tone::Verdict(ratio.verdict), Style::Band, result.to_vec()),
            series("each wave", Tone::New, Style::Points, points),
        ],
        reference: Some(1.0),
        band: effect_band(ratio.minimum_effect),
    };
    let reading = "the ratio of each wave alone, and the result; the shaded strip around 1 is the minimum effect";
    // A single wave is the result itself.
    (ends[0] < ends[1]).then(|| chart("ratio in each wave", reading, Plot::Lines(plot)))
}

/// The charts of saved values for both sides of a row, given each side's name and the values of its processes in ns.
pub(crate) fn value_charts(names: [&str; 2], sides: &[Vec<Vec<f64>>; 2]) -> Vec<Chart> {
    const DISTRIBUTION_MIN: usize = 8;
    const AXIS: &str = "time per operation";
    let named = || names.into_iter().map(str::to_owned).zip([Tone::Base, Tone::New]);
    let total: usize = sides.iter().flatten().map(Vec::len).sum();
    let every = total.div_ceil(STRIP_MAX).max(1);
    let launches = named().zip(sides).flat_map(|((_, tone), side)| {
        side.iter().map(move |values| StripLaunch {
            group: 0,
            wave: 0,
            tone,
            value: median(values),
            visits: values.iter().step_by(every).map(|ns| (*ns, Fate::Counted, 0.0)).collect(),
        })
    });
    let strip = Strip {
        axis: Axis::linear(AXIS, Measure::Time),
        names: named().collect(),
        launches: launches.collect(),
        every,
        dropped: Vec::new(),
    };
    let reading = "one column per process, one dot per value that its tool kept, in order; the line is the median of the process; processes that differ by more than their dots show why one process is not enough";
    let strip = (total > 0).then(|| chart("every value of every process", reading, Plot::Strip(strip)));
    let all = || named().zip(sides).map(|((name, tone), side)| (name, tone, side.concat()));
    let many = all().filter(|(.., values)| values.len() >= DISTRIBUTION_MIN);
    let series = many.map(|(name, tone, values)| (name, tone, adaptive_histogram(&values)));
    let reading =
        "equal areas are equal shares of the values; two humps are two speeds, and a long right side is a tail";
    let density = density_of("distribution of the values", reading, AXIS, series);
    [strip, density].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::ratios_of_waves;
    use tare_analysis::{CaseTrace, LaunchTrace, Location};

    #[test]
    fn waves_of_a_group_of_its_own_are_not_those_of_the_ratio() {
        let trace = |case, launches: &[(u32, u32, f64)]| {
            let launch = |(at, &(group, wave, ns)): (usize, &(u32, u32, f64))| LaunchTrace {
                launch: at as u32,
                group,
                wave,
                start_s: at as f64,
                value_ns: Some(ns),
                visits: Vec::new(),
            };
            CaseTrace { case, launches: launches.iter().enumerate().map(launch).collect(), location: Location::Trimmed }
        };
        let base = trace(0, &[(1, 0, 100.0), (1, 1, 100.0), (1, 2, 100.0)]);
        // It failed in the second wave and was repeated alone, where it is slower.
        let new = trace(1, &[(1, 0, 200.0), (2, 0, 800.0), (2, 1, 800.0), (2, 2, 800.0)]);
        let found: Vec<_> =
            ratios_of_waves(&base, &new, |log| log).iter().map(|point| (point.x, point.y.round())).collect();
        assert_eq!(found, [(1.0, 2.0)]);
    }
}
