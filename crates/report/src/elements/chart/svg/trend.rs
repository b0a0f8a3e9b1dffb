//! Values of runs side by side: a mark per run, a line per level, a bar per step.

use super::super::{Chart, Range, Scale, Tone, TrendCut, TrendMark, TrendPlot};
use super::writer::{num, tone, Frame, Points, Svg};

const SIZE: (f64, f64) = (740.0, 216.0);
const FRAME: Frame = Frame { left: 58.0, top: 30.0, right: 730.0, bottom: 180.0 };
/// With more marks, they are small and have no tooltips.
const SPOKEN_MAX: usize = 150;
const DAYS: usize = 5;
const LABEL: f64 = 74.0;

pub(super) fn trend(chart: &Chart, plot: &TrendPlot) -> Svg {
    let mut svg = Svg::new(SIZE.0, SIZE.1, &chart.title);
    let used = || plot.marks.iter().filter(|mark| mark.is_used);
    // Unused values may be far out and are drawn at the edge.
    let ends = |mark: &TrendMark| [mark.value, mark.interval.map(|i| i.lower), mark.interval.map(|i| i.upper)];
    let all = used().flat_map(ends).flatten().chain(plot.levels.iter().map(|level| level.2));
    let range = Range::of(all, plot.y.is_log)
        .or_else(|| Range::of(plot.marks.iter().filter_map(|mark| mark.value), plot.y.is_log));
    let Some(range) = range else { return svg };
    let y = Scale::new(range.padded(plot.y.is_log, 0.02), plot.y.is_log, FRAME.bottom, FRAME.top);
    let step = (FRAME.right - FRAME.left) / plot.marks.len().max(1) as f64;
    let x = |at: usize| FRAME.left + step * (at as f64 + 0.5);
    svg.y_axis(FRAME, &plot.y, &y, 5);
    days(&mut svg, plot, &x);
    for cut in &plot.cuts {
        bar(&mut svg, cut, x(cut.at) - 0.5 * step);
    }
    for (first, last, value) in &plot.levels {
        let (from, to) = (x(*first) - 0.4 * step, x(*last) + 0.4 * step);
        svg.path(&format!("mean {}", tone(Tone::New)), &format!("M{} {}H{}", num(from), num(y.at(*value)), num(to)));
    }
    marks(&mut svg, plot, &x, &y);
    svg
}

fn marks(svg: &mut Svg, plot: &TrendPlot, x: &dyn Fn(usize) -> f64, y: &Scale) {
    let of = tone(Tone::Base);
    let with = |is_used: bool| {
        plot.marks
            .iter()
            .enumerate()
            .filter(move |(_, m)| m.is_used == is_used)
            .filter_map(|(at, m)| Some((at, m, m.value?)))
    };
    let bar = |(at, mark, _): (usize, &TrendMark, f64)| {
        let interval = mark.interval.filter(|i| i.lower.is_finite() && i.upper.is_finite())?;
        Some(format!("M{} {}V{}", num(x(at)), num(y.at(interval.lower)), num(y.at(interval.upper))))
    };
    svg.path(&format!("bar {of}"), &with(true).filter_map(bar).collect::<String>());
    let is_spoken = plot.marks.len() <= SPOKEN_MAX && plot.marks.iter().any(|mark| !mark.text.is_empty());
    for (is_used, class) in [(false, "out".to_owned()), (true, format!("dots {of}"))] {
        if !is_spoken {
            let mut points = Points::default();
            with(is_used).for_each(|(at, _, value)| points.add(x(at), y.at(value)));
            svg.path(&class, &points.path());
            continue;
        }
        let class = if is_used { format!("mark {of}") } else { "unused".to_owned() };
        for (at, mark, value) in with(is_used) {
            svg.path_with_title(&class, &format!("M{} {}h0", num(x(at)), num(y.at(value))), &mark.text);
        }
    }
}

/// The bar of a step, with its label on the side that has room.
fn bar(svg: &mut Svg, cut: &TrendCut, x: f64) {
    let (of, dashed) = (tone(Tone::Verdict(cut.verdict)), if cut.confirmed { "" } else { " dashed" });
    let path = format!("M{} {}V{}", num(x), num(FRAME.top - 6.0), num(FRAME.bottom));
    svg.path_with_title(&format!("curve{dashed} {of}"), &path, &cut.text);
    let (anchor, at) = if x + LABEL > FRAME.right { ("end", x - 4.0) } else { ("start", x + 4.0) };
    svg.text("name", anchor, (at, FRAME.top - 10.0), &cut.label);
}

/// Labels some runs with their day, once per day.
fn days(svg: &mut Svg, plot: &TrendPlot, x: &dyn Fn(usize) -> f64) {
    let last = plot.marks.len().saturating_sub(1);
    let mut before: Option<&str> = None;
    for tick in 0..DAYS {
        let at = last * tick / (DAYS - 1);
        let Some(mark) = plot.marks.get(at).filter(|mark| before != Some(&mark.day)) else { continue };
        before = Some(&mark.day);
        let (anchor, place) = match tick {
            0 => ("start", FRAME.left),
            tick if tick == DAYS - 1 => ("end", FRAME.right),
            _ => ("middle", x(at)),
        };
        svg.text("", anchor, (place, FRAME.bottom + 15.0), &mark.day);
    }
    svg.text("label", "end", (FRAME.right, FRAME.bottom + 30.0), "runs, the oldest first");
}
