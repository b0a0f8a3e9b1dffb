//! The columns of the table of a run: their order, titles, and which of them go first on a narrow screen.

use crate::table::Align;

/// The shared columns, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Language,
    Program,
    Job,
    Time,
    Interval,
    Clock,
    Core,
    Cycles,
    Ratio,
    RatioInterval,
    /// How it is measured, where that is not throughput.
    Strategy,
    /// What a process took before a cold start.
    StartUp,
    /// What a parameter is, on a page: its place among those that have a column.
    Parameter(usize),
    /// What jobs set: its place among the settings in which they differ.
    Setting(usize),
    /// What a child measures beside the time: its place among the metrics of the report.
    Metric(usize),
    /// What is worked through in a second: its place among the rates of the report.
    Rate(usize),
    /// What pages have for those who ask.
    Launches,
    Visits,
    Median,
    Deviation,
    Memory,
    Shape,
    Mark,
}

impl Kind {
    /// Every column with its place in the queue of those that go when the screen is narrow; 0 stays.
    pub const ALL: [(Kind, u8); 14] = [
        (Kind::Language, 0),
        (Kind::Program, 0),
        (Kind::Job, 0),
        (Kind::Time, 0),
        (Kind::Interval, 1),
        (Kind::Clock, 1),
        (Kind::Core, 1),
        (Kind::Cycles, 6),
        (Kind::Strategy, 1),
        (Kind::StartUp, 2),
        (Kind::Ratio, 0),
        (Kind::RatioInterval, 3),
        (Kind::Shape, 7),
        (Kind::Mark, 0),
    ];

    /// Columns of pages that are not shown at first.
    pub const MORE: [Kind; 5] = [Kind::Launches, Kind::Visits, Kind::Median, Kind::Deviation, Kind::Memory];

    pub fn names(self) -> bool {
        matches!(self, Kind::Language | Kind::Program | Kind::Job | Kind::Parameter(_))
    }

    /// It says what came of it.
    pub fn is_result(self) -> bool {
        matches!(self, Kind::Time | Kind::Interval | Kind::Cycles | Kind::Ratio | Kind::RatioInterval)
    }

    pub fn align(self) -> Align {
        match self {
            Kind::Time | Kind::Cycles | Kind::StartUp | Kind::Metric(_) | Kind::Rate(_) => Align::Right,
            Kind::Parameter(_) => Align::Right,
            more if Kind::MORE.contains(&more) => Align::Right,
            _ => Align::Left,
        }
    }

    /// The title where there is little room.
    pub fn short(self) -> &'static str {
        match self {
            Kind::Language => "lang",
            Kind::Interval => "95 %",
            Kind::Ratio => "ratio",
            Kind::RatioInterval => "95 %",
            other => other.title(),
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Kind::Language => "language",
            Kind::Program => "program",
            Kind::Job => "job",
            Kind::Time => "time",
            Kind::Interval => "95 % interval",
            Kind::Clock => "clock",
            Kind::Core => "core",
            Kind::Cycles => "cycles",
            Kind::Ratio => "ratio to base",
            Kind::RatioInterval => "95 % of ratio",
            Kind::Strategy => "strategy",
            Kind::StartUp => "start-up",
            Kind::Launches => "launches",
            Kind::Visits => "valid visits",
            Kind::Median => "median with loop",
            Kind::Deviation => "std. deviation",
            Kind::Memory => "peak memory",
            Kind::Shape => "shape",
            // A metric has the title that its name gives it.
            Kind::Metric(_) | Kind::Rate(_) | Kind::Setting(_) | Kind::Parameter(_) | Kind::Mark => "",
        }
    }
}
