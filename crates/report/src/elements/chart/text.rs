//! Charts drawn with characters. The visits of all launches share an axis, so that differences between launches are visible at a glance.

use super::{Chart, Plot, Strip, StripLaunch};
use crate::elements::chart::tree::{name, Node, Tree};
use crate::elements::document::View;
use crate::words::number::{percent, significant, TimeUnit};
use crate::words::text::{cut_middle, width, Glyphs, Line, Role};
use tare_analysis::Fate;
use tare_stats::histogram::Bin;
use tare_stats::quantile::type7;

const AXIS_MAX: usize = 64;
const AXIS_MIN: usize = 16;
const LAUNCHES_MAX: usize = 40;
const NAME_MAX: usize = 12;
/// Values further than this many interquartile ranges from the quartiles are beyond the axis.
const REACH: f64 = 3.0;
/// Values further than this are outliers (Tukey).
const FENCE: f64 = 1.5;

pub(crate) fn lines(chart: &Chart, indent: usize, view: &View) -> Vec<Line> {
    match &chart.plot {
        Plot::Strip(strip) => strip_lines(strip, indent, view),
        Plot::Flame(tree) => flame_lines(tree, indent, view),
        _ => Vec::new(),
    }
}

struct Values {
    name: String,
    sorted: Vec<f64>,
    quartiles: [f64; 3],
}

impl Values {
    fn of(strip: &Strip, name: &str, tone: super::Tone) -> Option<Values> {
        let own = strip.launches.iter().filter(|launch| launch.tone == tone);
        let mut sorted: Vec<f64> = own.flat_map(counted).collect();
        sorted.sort_by(f64::total_cmp);
        let quartiles = [type7(&sorted, 0.25)?, type7(&sorted, 0.5)?, type7(&sorted, 0.75)?];
        Some(Values { name: name.to_owned(), sorted, quartiles })
    }

    /// The range up to this many interquartile ranges from the quartiles, limited to the values.
    fn within(&self, ranges: f64) -> [f64; 2] {
        let [lower, _, upper] = self.quartiles;
        let reach = ranges * (upper - lower);
        let inside = |value: &&f64| **value >= lower - reach && **value <= upper + reach;
        let first = self.sorted.iter().find(inside).copied().unwrap_or(lower);
        [first, self.sorted.iter().rev().find(inside).copied().unwrap_or(upper)]
    }
}

fn counted(launch: &StripLaunch) -> impl Iterator<Item = f64> + '_ {
    launch
        .visits
        .iter()
        .filter(|(value, fate, _)| *fate == Fate::Counted && value.is_finite())
        .map(|(value, ..)| *value)
}

struct Axis {
    lower: f64,
    upper: f64,
    columns: usize,
}

impl Axis {
    fn at(&self, value: f64) -> Option<usize> {
        let share = (value - self.lower) / (self.upper - self.lower);
        let last = self.columns - 1;
        (0.0..=1.0).contains(&share).then(|| ((share * self.columns as f64) as usize).min(last))
    }
}

fn strip_lines(strip: &Strip, indent: usize, view: &View) -> Vec<Line> {
    let sides: Vec<Values> = strip.names.iter().filter_map(|(name, tone)| Values::of(strip, name, *tone)).collect();
    let ends = || sides.iter().map(|side| side.within(REACH));
    let lower = ends().map(|[lower, _]| lower).fold(f64::INFINITY, f64::min);
    let upper = ends().map(|[_, upper]| upper).fold(f64::NEG_INFINITY, f64::max);
    if !(lower.is_finite() && upper.is_finite() && lower > 0.0) {
        return Vec::new();
    }
    let unit = TimeUnit::of(upper);
    let time = |ns: f64| format!("{} {}", significant(ns / unit.ns(), 4), unit.symbol(view.glyphs));
    let names = sides.iter().map(|side| width(&side.name).min(NAME_MAX)).max().filter(|_| sides.len() > 1).unwrap_or(0);
    let waves = strip.launches.iter().map(|launch| launch.wave.saturating_add(1)).max().unwrap_or(0);
    let label =
        indent + "distribution".len().max(format!("wave {waves}").len()) + 2 + if names > 0 { names + 2 } else { 0 };
    let right = 2 + width(&time(upper)) + "  99 dropped".len();
    let columns = view.columns.saturating_sub(label + right).clamp(AXIS_MIN, AXIS_MAX);
    // Equal values get an artificial width.
    let (lower, upper) = if upper > lower { (lower, upper) } else { (lower * 0.995, upper * 1.005) };
    let axis = Axis { lower, upper, columns };
    let mut row = Rows { lines: Vec::new(), indent, label, names, view };
    let (left, right) = (time(lower), time(upper));
    let gap = columns.saturating_sub(width(&left) + width(&right)).max(1);
    row.add("visits", "", Role::Quiet, format!("{left}{}{right}", " ".repeat(gap)), String::new());
    for side in &sides {
        let beyond = side.sorted.iter().filter(|value| axis.at(**value).is_none()).count();
        let beyond = if beyond > 0 { format!("{beyond} beyond") } else { String::new() };
        row.add("box", &side.name, Role::Value, of_box(side, &axis, view.glyphs), beyond);
    }
    for side in &sides {
        let text = sparks(side.sorted.iter().copied(), &axis, view.glyphs);
        row.add("distribution", &side.name, Role::Value, text, time(side.quartiles[1]));
    }
    let mut wave = None;
    for launch in strip.launches.iter().take(LAUNCHES_MAX) {
        let number = launch.wave.saturating_add(1);
        let lead = if wave == Some(launch.place()) { String::new() } else { format!("wave {number}") };
        wave = Some(launch.place());
        let name = strip.names.iter().find(|(_, tone)| *tone == launch.tone).map_or("", |(name, _)| name);
        let dropped = launch.visits.iter().filter(|(_, fate, _)| *fate != Fate::Counted).count();
        let mut behind = launch.value.map_or_else(|| " ".repeat(width(&time(lower))), time);
        if dropped > 0 {
            behind.push_str(&format!("  {dropped} dropped"));
        }
        row.add(&lead, name, Role::Plain, sparks(counted(launch), &axis, view.glyphs), behind);
    }
    let hidden = strip.launches.len().saturating_sub(LAUNCHES_MAX);
    let mut lines = row.lines;
    if hidden > 0 {
        lines.push(Line::of(Role::Quiet, format!("{}{hidden} more launches", " ".repeat(indent))));
    }
    lines
}

struct Rows<'a> {
    lines: Vec<Line>,
    indent: usize,
    label: usize,
    names: usize,
    view: &'a View,
}

impl Rows<'_> {
    fn add(&mut self, label: &str, name: &str, role: Role, drawn: String, behind: String) {
        let mut line = Line::of(Role::Quiet, format!("{}{label}", " ".repeat(self.indent)));
        if self.names > 0 {
            line.pad_to(self.label - self.names - 2);
            line.push(Role::Quiet, cut_middle(name, self.names, self.view.glyphs));
        }
        line.pad_to(self.label);
        line.push(role, drawn);
        if !behind.is_empty() {
            line.push(Role::Plain, format!("  {behind}"));
        }
        self.lines.push(line.fit(self.view.columns, self.view.glyphs));
    }
}

/// Whiskers to the last values within the fences, a box for the quartiles and the median, and the outliers.
fn of_box(side: &Values, axis: &Axis, glyphs: Glyphs) -> String {
    let [line, start, end, inside, median, outlier] = match glyphs {
        Glyphs::Unicode => ['─', '├', '┤', '▒', '┃', '·'],
        Glyphs::Ascii => ['-', '|', '|', '=', 'O', '.'],
    };
    let last = axis.columns - 1;
    let at = |value: f64| axis.at(value).unwrap_or(if value < axis.lower { 0 } else { last });
    let whiskers = side.within(FENCE);
    let mut drawn = vec![' '; axis.columns];
    for &value in side.sorted.iter().filter(|value| **value < whiskers[0] || **value > whiskers[1]) {
        if let Some(column) = axis.at(value) {
            drawn[column] = outlier;
        }
    }
    let [from, to] = whiskers.map(at);
    drawn[from..=to].fill(line);
    drawn[at(side.quartiles[0])..=at(side.quartiles[2])].fill(inside);
    if from < at(side.quartiles[0]) {
        drawn[from] = start;
    }
    if to > at(side.quartiles[2]) {
        drawn[to] = end;
    }
    drawn[at(side.quartiles[1])] = median;
    drawn.into_iter().collect()
}

/// The number of values in each column, as heights.
fn sparks(values: impl Iterator<Item = f64>, axis: &Axis, glyphs: Glyphs) -> String {
    let mut counts = vec![0_usize; axis.columns];
    values.filter_map(|value| axis.at(value)).for_each(|column| counts[column] += 1);
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let height = |count: usize| match count {
        0 => ' ',
        count => glyphs.spark((count * 8).div_ceil(most) - 1),
    };
    counts.into_iter().map(height).collect()
}

const LEAST: f64 = 0.005;
/// Deeper frames are not indented further, to leave room for names.
const INDENT_MAX: usize = 24;

fn flame_lines(tree: &Tree, indent: usize, view: &View) -> Vec<Line> {
    let mut all = Lines { tree, indent, view, lines: Vec::new(), hidden: 0 };
    all.rows(&tree.roots, 0);
    let Lines { mut lines, hidden, .. } = all;
    if hidden > 0 {
        let text = format!("{hidden} frames below {} are left out", percent(LEAST));
        lines.push(Line::of(Role::Quiet, " ".repeat(indent) + &text));
    }
    lines
}

struct Lines<'a> {
    tree: &'a Tree,
    indent: usize,
    view: &'a View,
    lines: Vec<Line>,
    hidden: usize,
}

impl Lines<'_> {
    fn rows(&mut self, nodes: &[Node], depth: usize) {
        let totals = self.tree.totals;
        let mut sorted: Vec<&Node> = nodes.iter().collect();
        sorted.sort_by(|a, b| b.share(totals).total_cmp(&a.share(totals)).then_with(|| a.name.cmp(&b.name)));
        for node in sorted {
            if node.share(totals) < LEAST {
                self.hidden += 1;
                continue;
            }
            self.lines.push(self.row(node, depth));
            self.rows(&node.children, depth + 1);
        }
    }

    /// `  42.1 %    321  name`, after the base's share if there is a base.
    fn row(&self, node: &Node, depth: usize) -> Line {
        let tree = self.tree;
        let share = |side: usize| {
            let percent = 100.0 * node.total[side] as f64 / tree.totals[side].max(1) as f64;
            format!("{percent:5.1} %")
        };
        let mut line = Line::of(Role::Plain, " ".repeat(self.indent));
        if tree.is_difference {
            line.push(Role::Quiet, format!("{}  ", share(0)));
        }
        line.push(Role::Value, share(1));
        line.push(Role::Quiet, format!(" {:>7}  ", tree.amount(node.total[1])));
        if tree.is_difference {
            let grew = tree.change(node.total);
            let [up, down] = if self.view.glyphs == Glyphs::Ascii { ["+", "-"] } else { ["▲", "▼"] };
            match grew {
                Some(grew) if grew > 0.0 => line.push(Role::Bad, format!("{up} ")),
                Some(_) => line.push(Role::Good, format!("{down} ")),
                None => line.push(Role::Plain, "  "),
            };
        }
        line.push(Role::Quiet, " ".repeat(depth.min(INDENT_MAX)));
        let room = self.view.columns.saturating_sub(line.width()).max(12);
        line.push(Role::Plain, cut_middle(&name(&node.name, self.view.glyphs), room, self.view.glyphs));
        line
    }
}

const BAR_MAX: usize = 50;
/// Most bins drawn; a longer histogram is truncated with a note.
const BINS_MAX: usize = 60;

pub(crate) fn histogram(bins: &[Bin], unit: TimeUnit, indent: usize, view: &View) -> Vec<Line> {
    let most = bins.iter().map(|b| b.count).max().unwrap_or(0);
    if most == 0 {
        return Vec::new();
    }
    let digits = digits(bins);
    let end = |ns: f64| significant(ns / unit.ns(), digits);
    let labels: Vec<(String, String)> = bins.iter().map(|b| (end(b.lower), end(b.upper))).collect();
    let left = labels.iter().map(|l| width(&l.0)).max().unwrap_or(0);
    let right = labels.iter().map(|l| width(&l.1)).max().unwrap_or(0);
    let counts = most.to_string().len();
    let symbol = unit.symbol(view.glyphs);
    let taken = indent + 1 + left + 2 + right + 2 + width(symbol) + 2 + counts + 2;
    let room = view.columns.saturating_sub(taken).clamp(8, BAR_MAX);
    let mut lines = Vec::new();
    for (bin, (lower, upper)) in bins.iter().zip(&labels).take(BINS_MAX) {
        let ends = format!("{}[{lower:>left$}, {upper:>right$}) {symbol}", " ".repeat(indent));
        let eighths = (bin.count * room * 8).div_ceil(most);
        lines.push(
            Line::of(Role::Plain, format!("{ends}  {:>counts$}  ", bin.count))
                .with(Role::Value, view.glyphs.bar(eighths)),
        );
    }
    if bins.len() > BINS_MAX {
        lines.push(Line::of(Role::Quiet, format!("{}{} more bins", " ".repeat(indent), bins.len() - BINS_MAX)));
    }
    lines
}

/// Digits needed to distinguish the ends of the narrowest bin, at least four.
fn digits(bins: &[Bin]) -> usize {
    let narrowest = bins.iter().map(|b| b.upper - b.lower).filter(|w| *w > 0.0).fold(f64::INFINITY, f64::min);
    let greatest = bins.iter().map(|b| b.upper.abs()).fold(0.0, f64::max);
    let needed = (greatest / narrowest).log10().ceil();
    if needed.is_finite() {
        (needed as i64 + 1).clamp(4, 9) as usize
    } else {
        4
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::chart::{Axis as ChartAxis, Measure, Tone};
    use crate::elements::document::Volume;

    fn strip() -> Chart {
        let launch = |n: u32| {
            let visits = (0..24).map(|at| {
                let value =
                    10.0 + 0.1 * f64::from(n % 2) + 0.02 * f64::from((at * 7) % 11) + if at == 5 { 1.0 } else { 0.0 };
                (value, if at == 9 { Fate::Preempted } else { Fate::Counted }, 0.0)
            });
            StripLaunch { group: 0, wave: n / 2, tone: Tone::Nth(0), value: Some(10.1), visits: visits.collect() }
        };
        let plot = Strip {
            axis: ChartAxis::linear("time", Measure::Time),
            names: vec![("sum".to_owned(), Tone::Nth(0))],
            launches: (0..4).map(launch).collect(),
            every: 1,
            dropped: Vec::new(),
        };
        Chart { title: String::new(), reading: String::new(), plot: Plot::Strip(plot) }
    }

    fn shown(glyphs: Glyphs, columns: usize) -> String {
        let view = View { columns, glyphs, volume: Volume::Verbose, saved: false };
        lines(&strip(), 4, &view).iter().map(|line| line.plain() + "\n").collect()
    }

    #[test]
    fn launches_stand_below_their_distribution() {
        insta::assert_snapshot!(shown(Glyphs::Unicode, 80));
        let ascii = shown(Glyphs::Ascii, 80);
        assert!(ascii.is_ascii() && ascii.lines().count() == 7, "{ascii}");
        insta::assert_snapshot!(ascii);
    }

    #[test]
    fn a_narrow_screen_is_wide_enough() {
        for columns in [40, 60, 80] {
            assert!(shown(Glyphs::Unicode, columns).lines().all(|line| width(line) <= columns), "{columns}");
        }
    }
}
