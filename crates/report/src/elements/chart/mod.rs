//! Charts as values: content and units, without appearance. [`svg`] draws them.

pub(crate) mod axis;
pub(crate) mod svg;
pub(crate) mod text;
pub(crate) mod tree;

pub(crate) use axis::{Range, Scale};

use tare_analysis::{Fate, Verdict};
use tare_stats::histogram::Bin;
use tare_stats::interval::Interval;
use tree::Tree;

#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub title: String,
    pub reading: String,
    pub plot: Plot,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Plot {
    Dots(DotPlot),
    Bars(DotPlot),
    Boxes(BoxPlot),
    Density(Density),
    Strip(Strip),
    Lines(LinePlot),
    Trend(TrendPlot),
    Flame(Tree),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    Time,
    Ratio,
    /// Relative to a centre, as shares; 0 is the centre.
    Deviation,
    /// Shares from 0 to 1.
    Share,
    Seconds,
    Count,
    Number,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The quantity; the unit follows from the values.
    pub label: String,
    pub measure: Measure,
    pub is_log: bool,
}

impl Axis {
    pub(crate) fn linear(label: &str, measure: Measure) -> Axis {
        Axis { label: label.to_owned(), measure, is_log: false }
    }

    pub(crate) fn log(label: &str, measure: Measure) -> Axis {
        Axis { label: label.to_owned(), measure, is_log: true }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// The only subject, or the baseline of others.
    Base,
    New,
    /// One of several equal subjects.
    Nth(usize),
    Verdict(Verdict),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    pub label: String,
    pub value: f64,
    pub interval: Option<Interval>,
    pub text: String,
    pub tone: Tone,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DotPlot {
    pub axis: Axis,
    /// From top to bottom; a group's name is above its rows.
    pub groups: Vec<(String, Vec<Dot>)>,
    pub reference: Option<f64>,
    pub band: Option<Interval>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BoxRow {
    pub label: String,
    /// Lower whisker, first quartile, median, third quartile, upper whisker.
    pub values: [f64; 5],
    pub outliers: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BoxPlot {
    pub axis: Axis,
    /// From top to bottom; a group's name is above its rows.
    pub groups: Vec<(String, Vec<BoxRow>)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Density {
    pub axis: Axis,
    /// Name, tone and histogram of each.
    pub series: Vec<(String, Tone, Vec<Bin>)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StripLaunch {
    pub group: u32,
    pub wave: u32,
    pub tone: Tone,
    pub value: Option<f64>,
    /// Visits in order of time: the value, whether it counts, and the share of dropped windows.
    pub visits: Vec<(f64, Fate, f64)>,
}

impl StripLaunch {
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.group, self.wave)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    pub axis: Axis,
    pub names: Vec<(String, Tone)>,
    /// In start order.
    pub launches: Vec<StripLaunch>,
    /// Only every so-many-th visit is shown; 1: all.
    pub every: usize,
    pub dropped: Vec<(Fate, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub interval: Option<Interval>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Separate points, with intervals as bars.
    Points,
    /// Joined points, with intervals as a band.
    Band,
    /// A joined line without marks: a fit.
    Curve,
    /// Joined marks, with intervals as bars.
    Line,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LineSeries {
    /// Series with the same name share a legend entry.
    pub name: String,
    pub tone: Tone,
    pub style: Style,
    pub points: Vec<Point>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LinePlot {
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<LineSeries>,
    pub reference: Option<f64>,
    pub band: Option<Interval>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TrendMark {
    pub day: String,
    pub value: Option<f64>,
    pub interval: Option<Interval>,
    pub is_used: bool,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TrendCut {
    pub at: usize,
    pub verdict: Verdict,
    /// Both rules agree.
    pub confirmed: bool,
    pub label: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TrendPlot {
    pub y: Axis,
    pub marks: Vec<TrendMark>,
    /// First mark, last mark and value of each level.
    pub levels: Vec<(usize, usize, f64)>,
    pub cuts: Vec<TrendCut>,
}

/// The range around 1 of changes that are too small to count.
pub(crate) fn effect_band(minimum_effect: f64) -> Option<Interval> {
    (minimum_effect.is_finite() && minimum_effect > 0.0)
        .then(|| Interval { lower: 1.0 / (1.0 + minimum_effect), upper: 1.0 + minimum_effect })
}

pub(crate) fn reason(fate: Fate) -> &'static str {
    match fate {
        Fate::Counted => "counted",
        Fate::Preempted => "preempted",
        Fate::Shared => "not alone on the core",
        Fate::Disturbed => "clock changed or code was compiled",
    }
}
