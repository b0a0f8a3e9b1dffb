//! Every visit of every launch, with launches side by side in start order.

use super::super::{reason, Chart, Range, Scale, Strip, StripLaunch, Tone};
use super::density::framed;
use super::writer::{num, tone, Frame, Points, Svg};
use tare_analysis::Fate;

const WIDTH: f64 = 740.0;
const HEIGHT: f64 = 218.0;
const FRAME: Frame = Frame { left: 52.0, top: 26.0, right: 730.0, bottom: 172.0 };
/// Distance from the values to the bottom of the dropped windows.
const LANE: f64 = 24.0;

pub(super) fn strip(chart: &Chart, plot: &Strip) -> Svg {
    let (mut svg, frame) = framed(chart, (WIDTH, HEIGHT), FRAME, plot.names.iter().cloned());
    let Some(range) = range(plot) else { return svg };
    svg.note(frame.left, notes(plot, range));
    let y = Scale::new(range, plot.axis.is_log, frame.bottom, frame.top);
    svg.y_axis(frame, &plot.axis, &y, 5);
    let step = (frame.right - frame.left) / plot.launches.len().max(1) as f64;
    let place = |launch: usize, share: f64| frame.left + step * (launch as f64 + 0.08 + 0.84 * share);
    let lane = frame.bottom + LANE;
    waves(&mut svg, plot, frame, step);
    let tones: Vec<Tone> = unique(plot.launches.iter().map(|launch| launch.tone));
    for fate in [Fate::Disturbed, Fate::Shared, Fate::Preempted] {
        svg.path_with_title("cross", &marks(plot, &place, &y, |_, f| f == fate), reason(fate));
    }
    for of in tones {
        svg.path(&format!("dots {}", tone(of)), &marks(plot, &place, &y, |l, f| l.tone == of && f == Fate::Counted));
        let mean = |(at, launch): (usize, &StripLaunch)| {
            let value = launch.value.filter(|_| launch.tone == of)?;
            Some(format!("M{} {}H{}", num(place(at, 0.0)), num(y.at(value)), num(place(at, 1.0))))
        };
        svg.path(&format!("mean {}", tone(of)), &plot.launches.iter().enumerate().filter_map(mean).collect::<String>());
    }
    svg.path_with_title("lost", &lost(plot, &place, lane), LOST);
    svg
}

/// The range of the counted values; others may lie beyond.
fn range(plot: &Strip) -> Option<Range> {
    const FAR_OUT: f64 = 0.005;
    let visits = plot.launches.iter().flat_map(|launch| &launch.visits);
    let mut counted: Vec<f64> = visits.filter(|v| v.1 == Fate::Counted).map(|v| v.0).collect();
    counted.sort_by(f64::total_cmp);
    let far = (counted.len() as f64 * FAR_OUT) as usize;
    let ends = counted.get(far).copied().into_iter().chain(counted.iter().rev().nth(far).copied());
    let means = plot.launches.iter().filter_map(|launch| launch.value);
    Some(Range::of(ends.chain(means), plot.axis.is_log)?.padded(plot.axis.is_log, 0.005))
}

fn unique(tones: impl Iterator<Item = Tone>) -> Vec<Tone> {
    let mut found = Vec::new();
    for of in tones {
        if !found.contains(&of) {
            found.push(of);
        }
    }
    found
}

/// The visits of a kind as relative steps, which are shorter than coordinates.
fn marks(
    plot: &Strip,
    place: &dyn Fn(usize, f64) -> f64,
    y: &Scale,
    is_one: impl Fn(&StripLaunch, Fate) -> bool,
) -> String {
    let mut points = Points::default();
    for (at, launch) in plot.launches.iter().enumerate() {
        let last = launch.visits.len().saturating_sub(1).max(1) as f64;
        for (visit, (value, fate, _)) in launch.visits.iter().enumerate() {
            if is_one(launch, *fate) {
                let (x, y) = (place(at, visit as f64 / last), y.at(*value));
                // Visits that do not count also have another shape.
                if *fate == Fate::Counted {
                    points.add(x, y)
                } else {
                    points.add_cross(x, y)
                }
            }
        }
    }
    points.path()
}

fn waves(svg: &mut Svg, plot: &Strip, frame: Frame, step: f64) {
    let mut start = 0;
    for at in 1..=plot.launches.len() {
        let ended = at == plot.launches.len() || plot.launches[at].place() != plot.launches[start].place();
        if !ended {
            continue;
        }
        let (from, to) = (frame.left + step * start as f64, frame.left + step * at as f64);
        if start > 0 {
            svg.path("wave", &format!("M{} {}V{}", num(from), num(frame.top), num(frame.bottom + LANE)));
        }
        let number = plot.launches[start].wave.saturating_add(1);
        let text = if start == 0 && to - from > 46.0 { format!("wave {number}") } else { number.to_string() };
        svg.text("", "middle", (0.5 * (from + to), frame.bottom + LANE + 14.0), &text);
        start = at;
    }
}

fn lost(plot: &Strip, place: &dyn Fn(usize, f64) -> f64, lane: f64) -> String {
    const HEIGHT: f64 = 16.0;
    let mut bars = Points::default();
    for (at, launch) in plot.launches.iter().enumerate() {
        let last = launch.visits.len().saturating_sub(1).max(1) as f64;
        for (visit, (_, _, share)) in launch.visits.iter().enumerate().filter(|(_, v)| v.2 > 0.0) {
            bars.add_bar(place(at, visit as f64 / last), lane, share * HEIGHT);
        }
    }
    bars.path()
}

const LOST: &str = "windows dropped because others used the core";

fn notes(plot: &Strip, range: Range) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    if plot.launches.iter().flat_map(|launch| &launch.visits).any(|visit| visit.2 > 0.0) {
        notes.push(format!("grey bars: share of the {LOST}, of each visit"));
    }
    let visits: Vec<String> = plot.dropped.iter().map(|(fate, n)| format!("{n} {}", reason(*fate))).collect();
    if !visits.is_empty() {
        notes.push(format!("crosses: visits that do not count ({})", visits.join(", ")));
    }
    let far = |visit: &&(f64, Fate, f64)| visit.0 < range.lower || visit.0 > range.upper;
    let beyond = plot.launches.iter().flat_map(|launch| &launch.visits).filter(far).count();
    if beyond > 0 {
        notes.push(format!("at the upper or lower edge: beyond the axis ({beyond})"));
    }
    if plot.every > 1 {
        notes.push(format!("1 of {} visits is shown", plot.every));
    }
    notes
}
