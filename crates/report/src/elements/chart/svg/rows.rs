//! One row per case: values with intervals, or quartiles.

use super::super::{BoxPlot, Chart, Dot, DotPlot, Range, Scale};
use super::writer::{num, tone, Frame, Svg};
use crate::words::text::{clean, cut_middle, Glyphs};

const WIDTH: f64 = 760.0;
const ROW: f64 = 20.0;
const HEAD: f64 = 24.0;
const TOP: f64 = 8.0;
const FOOT: f64 = 40.0;

fn frame(groups: impl Iterator<Item = (bool, usize)>, right: f64) -> (Frame, f64) {
    let height: f64 = groups.map(|(named, rows)| rows as f64 * ROW + if named { HEAD } else { 0.0 }).sum();
    (Frame { left: 230.0, top: TOP, right, bottom: TOP + height + 4.0 }, TOP + height + FOOT)
}

/// The range of an axis of ratios or times. A few outliers among many are ignored.
pub(crate) fn dot_range(plot: &DotPlot) -> Option<Range> {
    let is_log = plot.axis.is_log;
    let dots = || plot.groups.iter().flat_map(|(_, dots)| dots);
    let ends = |dot: &Dot| dot.interval.map_or([dot.value, dot.value], |i| [i.lower, i.upper]);
    let reference = || plot.reference.into_iter().chain(plot.band.iter().flat_map(|b| [b.lower, b.upper]));
    let all = Range::of(dots().flat_map(ends).chain(reference()), is_log)?;
    let central = central(dots().collect(), is_log);
    let wanted = central.and_then(|dots| Range::of(dots.into_iter().flat_map(ends).chain(reference()), is_log));
    let size = |range: Range| if is_log { (range.upper / range.lower).ln() } else { range.upper - range.lower };
    let range = wanted.filter(|wanted| size(all) > SQUEEZED * size(*wanted)).unwrap_or(all);
    Some(range.padded(is_log, 0.02))
}

/// Outliers are ignored if they would make the axis this many times as long as the middle values need.
const SQUEEZED: f64 = 4.0;

/// The dots except the highest and lowest tenth; None if there are few.
fn central(mut dots: Vec<&Dot>, is_log: bool) -> Option<Vec<&Dot>> {
    const FEW: usize = 8;
    dots.retain(|dot| dot.value.is_finite() && (dot.value > 0.0 || !is_log));
    dots.sort_by(|a, b| a.value.total_cmp(&b.value));
    let cut = dots.len() / 10;
    (dots.len() >= FEW).then(|| dots[cut..dots.len() - cut].to_vec())
}

pub(super) fn dots(chart: &Chart, plot: &DotPlot) -> Svg {
    let (frame, height) = frame(plot.groups.iter().map(|(name, dots)| (!name.is_empty(), dots.len())), 540.0);
    let mut svg = Svg::new(WIDTH, height, &chart.title);
    let Some(range) = dot_range(plot) else { return svg };
    let scale = Scale::new(range, plot.axis.is_log, frame.left, frame.right);
    if let Some(band) = plot.band {
        svg.rect("effect", (scale.at(band.lower), frame.top), (scale.at(band.upper), frame.bottom));
    }
    svg.x_axis(frame, &plot.axis, &scale, 6);
    if let Some(reference) = plot.reference {
        svg.path("reference", &format!("M{} {}V{}", num(scale.at(reference)), num(frame.top), num(frame.bottom)));
    }
    each_row(
        &mut svg,
        frame,
        &plot.groups,
        |dot| (&dot.label, &dot.text),
        |svg, dot, middle| {
            let of = tone(dot.tone);
            if let Some(interval) = dot.interval {
                let (from, to) = (num(scale.at(interval.lower)), num(scale.at(interval.upper)));
                svg.path(&format!("bar {of}"), &format!("M{from} {}H{to}", num(middle)));
            }
            match scale.beyond(dot.value) {
                0 => svg.path(&format!("mark {of}"), &format!("M{} {}h0", num(scale.at(dot.value)), num(middle))),
                side => svg.path(&format!("bar {of}"), &arrow(scale.at(dot.value), middle, side, 5.0)),
            }
        },
    );
    svg
}

/// Bars start at zero, so that lengths are proportional.
pub(super) fn bars(chart: &Chart, plot: &DotPlot) -> Svg {
    let (frame, height) = frame(plot.groups.iter().map(|(name, dots)| (!name.is_empty(), dots.len())), 580.0);
    let mut svg = Svg::new(WIDTH, height, &chart.title);
    let ends = plot.groups.iter().flat_map(|(_, dots)| dots).map(|dot| dot.interval.map_or(dot.value, |i| i.upper));
    let most = ends.filter(|end| end.is_finite()).fold(0.0, f64::max);
    let range = Range { lower: 0.0, upper: if most > 0.0 { 1.02 * most } else { 1.0 } };
    let scale = Scale::new(range, false, frame.left, frame.right);
    svg.x_axis(frame, &plot.axis, &scale, 6);
    each_row(
        &mut svg,
        frame,
        &plot.groups,
        |dot| (&dot.label, &dot.text),
        |svg, dot, middle| {
            let of = tone(dot.tone);
            svg.rect(&format!("box {of}"), (frame.left, middle - 6.5), (scale.at(dot.value), middle + 6.5));
            if let Some(interval) = dot.interval {
                let (from, to) = (num(scale.at(interval.lower)), num(scale.at(interval.upper)));
                let (top, m) = (num(middle - 4.0), num(middle));
                svg.path(&format!("mean {of}"), &format!("M{from} {m}H{to}M{from} {top}v8M{to} {top}v8"));
            }
        },
    );
    svg
}

pub(super) fn boxes(chart: &Chart, plot: &BoxPlot) -> Svg {
    let (frame, height) = frame(plot.groups.iter().map(|(name, rows)| (!name.is_empty(), rows.len())), 748.0);
    let mut svg = Svg::new(WIDTH, height, &chart.title);
    let values = plot.groups.iter().flat_map(|(_, rows)| rows).flat_map(|row| row.values);
    let Some(range) = Range::of(values, plot.axis.is_log) else { return svg };
    let scale = Scale::new(range.padded(plot.axis.is_log, 0.02), plot.axis.is_log, frame.left, frame.right);
    svg.x_axis(frame, &plot.axis, &scale, 6);
    each_row(
        &mut svg,
        frame,
        &plot.groups,
        |row| (&row.label, ""),
        |svg, row, middle| {
            let [least, lower, median, upper, most] = row.values.map(|value| scale.at(value));
            let whiskers =
                format!("M{} {m}H{}M{} {m}H{}", num(least), num(lower), num(upper), num(most), m = num(middle));
            svg.path("bar t-0", &whiskers);
            svg.rect("box t-0", (lower, middle - 6.0), (upper, middle + 6.0));
            svg.path("mean t-0", &format!("M{} {}v12", num(median), num(middle - 6.0)));
            let (inside, beyond): (Vec<f64>, Vec<f64>) = row.outliers.iter().partition(|o| scale.beyond(**o) == 0);
            let dots: String = inside.iter().map(|o| format!("M{} {}h0", num(scale.at(*o)), num(middle))).collect();
            svg.path("out", &dots);
            for side in [-1, 1] {
                let n = beyond.iter().filter(|o| scale.beyond(**o) == side).count();
                if n > 0 {
                    let path = arrow(scale.at(f64::from(side) * f64::MAX), middle, side, 4.0);
                    svg.path_with_title("cross", &path, &format!("{n} beyond the axis"));
                }
            }
        },
    );
    svg
}

/// An arrow for a value beyond this end of the axis.
fn arrow(x: f64, middle: f64, side: i8, size: f64) -> String {
    let (d, size_text) = (f64::from(side) * size, num(size));
    format!("M{} {}l{} {size_text}l{} {size_text}", num(x - d), num(middle - size), num(d), num(-d))
}

/// Draws the rows of all groups below the groups' names: the label, what `draw` draws around the row's middle, and the text after it.
fn each_row<Row>(
    svg: &mut Svg,
    frame: Frame,
    groups: &[(String, Vec<Row>)],
    texts: impl Fn(&Row) -> (&str, &str),
    mut draw: impl FnMut(&mut Svg, &Row, f64),
) {
    let mut y = frame.top;
    for (name, rows) in groups {
        if !name.is_empty() {
            svg.text("group", "start", (12.0, y + HEAD - 8.0), &label(name));
            y += HEAD;
        }
        for row in rows {
            let middle = y + ROW / 2.0;
            let (name, value) = texts(row);
            svg.text("name", "end", (frame.left - 12.0, middle + 4.0), &label(name));
            draw(svg, row, middle);
            if !value.is_empty() {
                svg.text("", "start", (frame.right + 12.0, middle + 4.0), value);
            }
            y += ROW;
        }
    }
}

fn label(name: &str) -> String {
    const COLUMNS: usize = 32;
    cut_middle(&clean(name), COLUMNS, Glyphs::Unicode)
}
