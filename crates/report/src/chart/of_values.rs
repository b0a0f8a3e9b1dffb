//! The charts of saved values: what a result of another tool, or a run of another day, keeps of its processes.

use super::of_members::steps;
use super::{Axis, Chart, Density, Ecdf, Measure, Plot, Strip, StripLaunch, Tone};
use tare_analysis::Fate;
use tare_stats::histogram::adaptive_histogram;
use tare_stats::location::median;

/// Values from which their distribution is drawn.
const DISTRIBUTION_MIN: usize = 8;
/// Values that a strip shows.
const STRIP_MAX: usize = 900;
const AXIS: &str = "time per operation";

/// The charts of both sides of a row: for each side its name and the values of each of its processes, ns.
pub(crate) fn value_charts(names: [&str; 2], sides: &[Vec<Vec<f64>>; 2]) -> Vec<Chart> {
    [strip(names, sides), density(names, sides), ecdf(names, sides)].into_iter().flatten().collect()
}

const TONES: [Tone; 2] = [Tone::Base, Tone::New];

fn strip(names: [&str; 2], sides: &[Vec<Vec<f64>>; 2]) -> Option<Chart> {
    let total: usize = sides.iter().flatten().map(Vec::len).sum();
    let every = total.div_ceil(STRIP_MAX).max(1);
    let launch = |tone: Tone, values: &Vec<f64>| StripLaunch {
        group: 0,
        wave: 0,
        tone,
        value: median(values),
        visits: values.iter().step_by(every).map(|ns| (*ns, Fate::Counted, 0.0)).collect(),
    };
    let launches = sides.iter().zip(TONES).flat_map(|(side, tone)| side.iter().map(move |values| launch(tone, values)));
    let plot = Strip {
        axis: Axis::linear(AXIS, Measure::Time),
        names: names.iter().zip(TONES).map(|(name, tone)| ((*name).to_owned(), tone)).collect(),
        launches: launches.collect(),
        every,
        dropped: Vec::new(),
    };
    let reading = "one column per process, one dot per value that its tool kept, in order; the line is the median of the process; processes that differ by more than their dots show why one process is not enough";
    (total > 0).then(|| chart("every value of every process", reading, Plot::Strip(plot)))
}

fn density(names: [&str; 2], sides: &[Vec<Vec<f64>>; 2]) -> Option<Chart> {
    let all = sides.each_ref().map(|side| side.concat());
    let series = names.iter().zip(TONES).zip(&all).filter(|(_, values)| values.len() >= DISTRIBUTION_MIN);
    let series: Vec<_> =
        series.map(|((name, tone), values)| ((*name).to_owned(), tone, adaptive_histogram(values))).collect();
    let is_log = series.iter().all(|(.., bins)| bins.iter().all(|bin| bin.lower > 0.0));
    let axis = Axis { label: AXIS.to_owned(), measure: Measure::Time, is_log };
    let reading =
        "equal areas are equal shares of the values; two humps are two speeds, and a long right side is a tail";
    (!series.is_empty()).then(|| chart("distribution of the values", reading, Plot::Density(Density { axis, series })))
}

fn ecdf(names: [&str; 2], sides: &[Vec<Vec<f64>>; 2]) -> Option<Chart> {
    let sorted = sides.each_ref().map(|side| {
        let mut values = side.concat();
        values.sort_by(f64::total_cmp);
        values
    });
    let known = names.iter().zip(TONES).zip(sorted).filter(|(_, values)| values.len() > 1);
    let series: Vec<_> = known.map(|((name, tone), values)| ((*name).to_owned(), tone, steps(values))).collect();
    let reading = "the share of values up to a time; of two curves, the left one is faster there";
    let axis = Axis::log(AXIS, Measure::Time);
    (!series.is_empty()).then(|| chart("share of values up to a time", reading, Plot::Ecdf(Ecdf { axis, series })))
}

fn chart(title: &str, reading: &str, plot: Plot) -> Chart {
    Chart { title: title.to_owned(), reading: reading.to_owned(), plot }
}
