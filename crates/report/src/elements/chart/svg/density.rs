//! Values along an axis: histograms as areas, where equal areas are equal shares, and points with intervals as bars or a band.

use super::super::{Axis, Chart, Density, LinePlot, LineSeries, Point, Range, Scale, Style, Tone};
use super::writer::{legend_lines, num, tone, Frame, Svg, LEGEND_LINE};
use tare_stats::histogram::Bin;

const SMALL: (f64, f64) = (360.0, 178.0);
const SMALL_FRAME: Frame = Frame { left: 52.0, top: 26.0, right: 350.0, bottom: 142.0 };

pub(super) fn small(chart: &Chart, names: impl Iterator<Item = (String, Tone)>) -> (Svg, Frame) {
    framed(chart, SMALL, SMALL_FRAME, names)
}

/// An empty chart, below a legend if there are several series.
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

/// Share of values at either end that the axis ignores.
const FAR_OUT: f64 = 0.005;

/// Largest ratio of the heights of two shapes with a common scale.
const FLAT: f64 = 8.0;

type Bars = Vec<(f64, f64, f64)>;

pub(super) fn density(chart: &Chart, plot: &Density) -> Svg {
    let (mut svg, frame) = small(chart, plot.series.iter().map(|(name, of, _)| (name.clone(), *of)));
    // Only names are above it.
    let frame = Frame { left: 10.0, top: frame.top - 12.0, ..frame };
    let ends = plot.series.iter().flat_map(|(_, _, bins)| core(bins)).flat_map(|b| [b.lower, b.upper]);
    let Some(range) = Range::of(ends, plot.axis.is_log) else { return svg };
    let scale = Scale::new(range.padded(plot.axis.is_log, 0.002), plot.axis.is_log, frame.left, frame.right);
    svg.x_axis(frame, &plot.axis, &scale, 5);
    let shapes: Vec<(Tone, Bars)> = plot.series.iter().map(|(_, of, bins)| (*of, heights(bins, &plot.axis))).collect();
    let peak = |shape: &Bars| shape.iter().map(|bar| bar.2).fold(f64::MIN_POSITIVE, f64::max);
    let peaks: Vec<f64> = shapes.iter().map(|(_, shape)| peak(shape)).collect();
    let (least, most) = peaks.iter().fold((f64::INFINITY, 0.0_f64), |(lo, hi), &peak| (lo.min(peak), hi.max(peak)));
    // On a common scale, a wide shape beside a narrow one would be flat.
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

/// Ends and height of each bin: its share divided by its width along the axis.
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

pub(super) fn lines(chart: &Chart, plot: &LinePlot) -> Svg {
    let several = plot.series.iter().any(|series| matches!(series.tone, Tone::Nth(_)));
    let names = plot.series.iter().map(|series| (series.name.clone(), series.tone));
    let (mut svg, frame) = if several {
        framed(chart, (520.0, 300.0), Frame { left: 58.0, top: 28.0, right: 508.0, bottom: 260.0 }, names)
    } else {
        small(chart, names)
    };
    let points = || plot.series.iter().flat_map(|series| &series.points);
    let ys = points().flat_map(ends).chain(plot.reference).chain(plot.band.iter().flat_map(|b| [b.lower, b.upper]));
    let ranges = Range::of(points().map(|p| p.x), plot.x.is_log).zip(Range::of(ys, plot.y.is_log));
    let Some((along, up)) = ranges else { return svg };
    let x = Scale::new(along.padded(plot.x.is_log, 0.1), plot.x.is_log, frame.left, frame.right);
    let y = Scale::new(up.padded(plot.y.is_log, 0.002), plot.y.is_log, frame.bottom, frame.top);
    if let Some(band) = plot.band {
        svg.rect("effect", (frame.left, y.at(band.lower)), (frame.right, y.at(band.upper)));
    }
    svg.y_axis(frame, &plot.y, &y, if several { 6 } else { 4 });
    svg.x_axis(frame, &plot.x, &x, 5);
    if let Some(reference) = plot.reference {
        svg.path("reference", &format!("M{} {}H{}", num(frame.left), num(y.at(reference)), num(frame.right)));
    }
    for series in &plot.series {
        draw(&mut svg, series, &x, &y);
    }
    svg
}

fn ends(point: &Point) -> impl Iterator<Item = f64> {
    [point.y].into_iter().chain(point.interval.into_iter().flat_map(|i| [i.lower, i.upper]))
}

fn draw(svg: &mut Svg, series: &LineSeries, x: &Scale, y: &Scale) {
    let place = |value: f64, point: &Point| format!("{} {}", num(x.at(point.x)), num(y.at(value)));
    let joined = |points: &[Point], value: fn(&Point) -> f64| -> String {
        let places: Vec<String> = points.iter().map(|p| place(value(p), p)).collect();
        if places.is_empty() {
            String::new()
        } else {
            format!("M{}", places.join("L"))
        }
    };
    let of = tone(series.tone);
    if series.style == Style::Band {
        let known: Vec<Point> = series.points.iter().filter(|p| p.interval.is_some()).copied().collect();
        let lower = joined(&known, |p| p.interval.map_or(p.y, |i| i.lower));
        let back: Vec<Point> = known.iter().rev().copied().collect();
        let upper = joined(&back, |p| p.interval.map_or(p.y, |i| i.upper)).replacen('M', "L", 1);
        match known.as_slice() {
            [] => {}
            // A single point has no area.
            [p] => {
                let ends = p.interval.map(|i| format!("M{}V{}", place(i.lower, p), num(y.at(i.upper))));
                svg.path(&format!("bar {of}"), &ends.unwrap_or_default());
            }
            _ => svg.path(&format!("band {of}"), &format!("{lower}{upper}Z")),
        }
    }
    // Without colour, equal series are distinguished by dashes.
    let dashed = if matches!(series.tone, Tone::Nth(n) if n % 2 == 1) { " dashed" } else { "" };
    if series.style != Style::Points {
        svg.path(&format!("curve{dashed} {of}"), &joined(&series.points, |p| p.y));
    }
    if matches!(series.style, Style::Points | Style::Line) {
        let bar = |p: &Point| {
            let interval = p.interval?;
            Some(format!("M{}V{}", place(interval.lower, p), num(y.at(interval.upper))))
        };
        svg.path(&format!("bar {of}"), &series.points.iter().filter_map(bar).collect::<String>());
        svg.path(
            &format!("mark {of}"),
            &series.points.iter().map(|p| format!("M{}h0", place(p.y, p))).collect::<String>(),
        );
    }
}
