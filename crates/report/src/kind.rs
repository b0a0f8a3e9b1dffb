//! The columns of the table of a run: their order, titles, and which of them go first on a narrow screen.

use crate::table::Align;

/// The shared columns, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
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

impl ColumnKind {
    /// Every column with its place in the queue of those that go when the screen is narrow; 0 stays.
    pub const ALL: [(ColumnKind, u8); 14] = [
        (ColumnKind::Language, 0),
        (ColumnKind::Program, 0),
        (ColumnKind::Job, 0),
        (ColumnKind::Time, 0),
        (ColumnKind::Interval, 1),
        (ColumnKind::Clock, 1),
        (ColumnKind::Core, 1),
        (ColumnKind::Cycles, 6),
        (ColumnKind::Strategy, 1),
        (ColumnKind::StartUp, 2),
        (ColumnKind::Ratio, 0),
        (ColumnKind::RatioInterval, 3),
        (ColumnKind::Shape, 7),
        (ColumnKind::Mark, 0),
    ];

    /// Columns of pages that are not shown at first.
    pub const MORE: [ColumnKind; 5] =
        [ColumnKind::Launches, ColumnKind::Visits, ColumnKind::Median, ColumnKind::Deviation, ColumnKind::Memory];

    pub fn names(self) -> bool {
        matches!(self, ColumnKind::Language | ColumnKind::Program | ColumnKind::Job | ColumnKind::Parameter(_))
    }

    pub fn is_result(self) -> bool {
        matches!(
            self,
            ColumnKind::Time
                | ColumnKind::Interval
                | ColumnKind::Cycles
                | ColumnKind::Ratio
                | ColumnKind::RatioInterval
        )
    }

    pub fn align(self) -> Align {
        match self {
            ColumnKind::Time
            | ColumnKind::Cycles
            | ColumnKind::StartUp
            | ColumnKind::Metric(_)
            | ColumnKind::Rate(_) => Align::Right,
            ColumnKind::Parameter(_) => Align::Right,
            more if ColumnKind::MORE.contains(&more) => Align::Right,
            _ => Align::Left,
        }
    }

    pub fn short(self) -> &'static str {
        match self {
            ColumnKind::Language => "lang",
            ColumnKind::Interval => "95 %",
            ColumnKind::Ratio => "ratio",
            ColumnKind::RatioInterval => "95 %",
            other => other.title(),
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            ColumnKind::Language => "language",
            ColumnKind::Program => "program",
            ColumnKind::Job => "job",
            ColumnKind::Time => "time",
            ColumnKind::Interval => "95 % interval",
            ColumnKind::Clock => "clock",
            ColumnKind::Core => "core",
            ColumnKind::Cycles => "cycles",
            ColumnKind::Ratio => "ratio to base",
            ColumnKind::RatioInterval => "95 % of ratio",
            ColumnKind::Strategy => "strategy",
            ColumnKind::StartUp => "start-up",
            ColumnKind::Launches => "launches",
            ColumnKind::Visits => "valid visits",
            ColumnKind::Median => "median with loop",
            ColumnKind::Deviation => "std. deviation",
            ColumnKind::Memory => "peak memory",
            ColumnKind::Shape => "shape",
            // A metric has the title that its name gives it.
            ColumnKind::Metric(_)
            | ColumnKind::Rate(_)
            | ColumnKind::Setting(_)
            | ColumnKind::Parameter(_)
            | ColumnKind::Mark => "",
        }
    }
}
