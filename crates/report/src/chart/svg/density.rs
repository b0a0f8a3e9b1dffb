//! How values are distributed: histograms as areas over one axis, so that equal areas are equal shares.

use super::super::{Axis, Chart, Density, Range, Scale, Tone};
use super::writer::{legend_lines, num, tone, Frame, Svg, LEGEND_LINE};
use tare_stats::histogram::Bin;

/// Width and height of a small chart, and where its values stand.
const SMALL: (f64, f64) = (360.0, 178.0);
const SMALL_FRAME: Frame = Frame { left: 52.0, top: 26.0, right: 350.0, bottom: 142.0 };

/// An empty small chart with its frame, below the names of its series where there are several.
pub(super) fn small(chart: &Chart, names: impl Iterator<Item = (String, Tone)>) -> (Svg, Frame) {
    framed(chart, SMALL, SMALL_FRAME, names)
}

/// An empty chart of some size, below the names of its series where there are several.
pub(super) fn framed(
    chart: &Chart,
    (width, height): (f64, f64),
    frame: Frame,
    names: impl Iterator<Item = (String, Tone)>,
) -> (Svg, Frame) {
    let mut shown: Vec<(String, Tone)> = Vec::new();
    for (name, of) in names {
        if shown.iter().all(|(other, _)| *other != name) {
            shown.push((name, of));
        }
    }
    if shown.len() < 2 {
        return (Svg::new(width, height, &chart.title), frame);
    }
    let more = LEGEND_LINE * legend_lines(&shown, frame.right).len() as f64;
    let mut svg = Svg::new(width, height + more, &chart.title);
    svg.legend(frame.right, &shown);
    (svg, Frame { top: frame.top + more, bottom: frame.bottom + more, ..frame })
}

/// Share of the values at either end that the axis does not follow.
const FAR_OUT: f64 = 0.005;

/// How many times as high as another a shape may be.
const FLAT: f64 = 8.0;

/// Both ends and the height of each bar.
type Bars = Vec<(f64, f64, f64)>;

pub(super) fn density(chart: &Chart, plot: &Density) -> Svg {
    let (mut svg, frame) = small(chart, plot.series.iter().map(|(name, of, _)| (name.clone(), *of)));
    // Nothing stands above it but names.
    let frame = Frame { left: 10.0, top: frame.top - 12.0, ..frame };
    let ends = plot.series.iter().flat_map(|(_, _, bins)| core(bins)).flat_map(|b| [b.lower, b.upper]);
    let Some(range) = Range::of(ends, plot.axis.is_log) else { return svg };
    let scale = Scale::new(range.padded(plot.axis.is_log, 0.002), plot.axis.is_log, frame.left, frame.right);
    svg.x_axis(frame, &plot.axis, &scale, 5);
    let shapes: Vec<(Tone, Bars)> = plot.series.iter().map(|(_, of, bins)| (*of, heights(bins, &plot.axis))).collect();
    let peak = |shape: &Bars| shape.iter().map(|bar| bar.2).fold(f64::MIN_POSITIVE, f64::max);
    let peaks: Vec<f64> = shapes.iter().map(|(_, shape)| peak(shape)).collect();
    let (least, most) = peaks.iter().fold((f64::INFINITY, 0.0_f64), |(lo, hi), &peak| (lo.min(peak), hi.max(peak)));
    // Beside a narrow shape a wide one would be a line on the ground.
    let is_even = most > FLAT * least;
    if is_even {
        svg.note(frame.left, vec!["all shapes have the same height: compare positions, not areas".to_owned()]);
    }
    for ((of, shape), own) in shapes.iter().zip(peaks) {
        let range = Range { lower: 0.0, upper: if is_even { own } else { most } };
        let y = Scale::new(range, false, frame.bottom, frame.top + 2.0);
        svg.path(&format!("area {}", tone(*of)), &outline(shape, &scale, &y, frame.bottom));
    }
    svg
}

/// The bins without those at either end that hold few of the values.
fn core(bins: &[Bin]) -> &[Bin] {
    let few = bins.iter().map(|bin| bin.count).sum::<usize>() as f64 * FAR_OUT;
    let ends = |bins: &mut dyn Iterator<Item = &Bin>| {
        let mut held = 0;
        bins.take_while(|bin| {
            held += bin.count;
            held as f64 <= few
        })
        .count()
    };
    let (from, to) = (ends(&mut bins.iter()), bins.len() - ends(&mut bins.iter().rev()));
    if from < to {
        &bins[from..to]
    } else {
        bins
    }
}

/// Ends and height of each bin: its share over its width along the axis.
fn heights(bins: &[Bin], axis: &Axis) -> Bars {
    let total = bins.iter().map(|bin| bin.count).sum::<usize>().max(1) as f64;
    let size = |bin: &Bin| if axis.is_log { (bin.upper / bin.lower).ln() } else { bin.upper - bin.lower };
    core(bins).iter().map(|b| (b.lower, b.upper, b.count as f64 / total / size(b).max(f64::MIN_POSITIVE))).collect()
}

fn outline(shape: &Bars, x: &Scale, y: &Scale, bottom: f64) -> String {
    let Some(first) = shape.first() else { return String::new() };
    let mut path = format!("M{} {}", num(x.at(first.0)), num(bottom));
    for (_, upper, height) in shape {
        path.push_str(&format!("V{}H{}", num(y.at(*height)), num(x.at(*upper))));
    }
    path + &format!("V{}Z", num(bottom))
}
