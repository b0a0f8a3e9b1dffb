//! Points over an axis, with their intervals as bars or as a band.

use super::super::{Chart, LinePlot, LineSeries, Point, Range, Scale, Style, Tone};
use super::density::{framed, small};
use super::writer::{num, tone, Frame, Svg};

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
            // One alone has no area.
            [p] => {
                let ends = p.interval.map(|i| format!("M{}V{}", place(i.lower, p), num(y.at(i.upper))));
                svg.path(&format!("bar {of}"), &ends.unwrap_or_default());
            }
            _ => svg.path(&format!("band {of}"), &format!("{lower}{upper}Z")),
        }
    }
    // Without colours, series of equals differ in their dashes.
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
