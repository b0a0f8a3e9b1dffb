//! Statistics of visits that a user requests by name: a view of a run, which changes no time or verdict.

use crate::ratio::shown_times;
use crate::visits::CaseTimes;
use std::str::FromStr;
use tare_model::Run;
use tare_stats::location::{mean, median};
use tare_stats::quantile::type7;
use tare_stats::spread::{mad, sd};

/// A number that describes the valid visits of a case: one of the known ones, or the quotient of two.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistic {
    /// As the user wrote it.
    pub name: String,
    of: One,
    over: Option<One>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum One {
    Mean,
    Min,
    Max,
    Deviation,
    Error,
    Variation,
    Mad,
    Percentile(f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatisticKind {
    Time,
    Share,
    Number,
}

/// The names of those that are no percentiles, with their descriptions.
pub const STATISTICS: [(&str, &str); 9] = [
    ("mean", "arithmetic mean"),
    ("median", "the same as p50"),
    ("min", "smallest"),
    ("max", "largest"),
    ("stddev", "standard deviation"),
    ("stderr", "standard deviation over the root of the number of visits"),
    ("cv", "standard deviation as a share of the mean"),
    ("mad", "median distance from the median"),
    ("p99", "percentile; any from p0 to p100, such as p99.9"),
];

impl FromStr for One {
    type Err = String;

    fn from_str(name: &str) -> Result<One, String> {
        let percentile = || name.strip_prefix('p')?.parse::<f64>().ok().filter(|p| (0.0..=100.0).contains(p));
        Ok(match name {
            "mean" => One::Mean,
            "median" => One::Percentile(0.5),
            "min" => One::Min,
            "max" => One::Max,
            "stddev" => One::Deviation,
            "stderr" => One::Error,
            "cv" => One::Variation,
            "mad" => One::Mad,
            _ => One::Percentile(percentile().ok_or_else(|| unknown(name))? / 100.0),
        })
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = STATISTICS.iter().map(|(name, _)| *name).collect();
    format!("no statistic is called `{name}`: use {}, or a quotient of two, such as p99/median", names.join(", "))
}

impl FromStr for Statistic {
    type Err = String;

    fn from_str(text: &str) -> Result<Statistic, String> {
        let text = text.trim();
        let (of, over) = match text.split_once('/') {
            Some((of, over)) => (of.trim().parse()?, Some(over.trim().parse()?)),
            None => (text.parse()?, None),
        };
        Ok(Statistic { name: text.to_owned(), of, over })
    }
}

impl One {
    fn of(self, sorted: &[f64]) -> Option<f64> {
        let deviation = || sd(sorted);
        match self {
            One::Mean => mean(sorted),
            One::Min => sorted.first().copied(),
            One::Max => sorted.last().copied(),
            One::Deviation => deviation(),
            One::Error => Some(deviation()? / (sorted.len() as f64).sqrt()),
            One::Variation => Some(deviation()? / mean(sorted)?),
            One::Mad => mad(sorted),
            One::Percentile(_) if sorted.len() < self.visits_min() => None,
            One::Percentile(share) => type7(sorted, share),
        }
    }

    /// Fewest visits to show it: with fewer, the 99th percentile is the largest value or the one before it.
    fn visits_min(self) -> usize {
        match self {
            One::Percentile(share) if share > 0.0 && share < 1.0 => {
                // For 0.99 it must be 100, not 101 from rounding.
                (1.0 / share.min(1.0 - share) - 1e-6).ceil() as usize
            }
            One::Deviation | One::Error | One::Variation => 2,
            _ => 1,
        }
    }
}

impl Statistic {
    pub fn kind(&self) -> StatisticKind {
        match (self.over, self.of) {
            (Some(_), _) => StatisticKind::Number,
            (None, One::Variation) => StatisticKind::Share,
            (None, _) => StatisticKind::Time,
        }
    }

    pub fn visits_min(&self) -> usize {
        self.of.visits_min().max(self.over.map_or(1, One::visits_min))
    }

    /// Its value for visits in ascending order; `None` if they are too few.
    pub fn of(&self, sorted: &[f64]) -> Option<f64> {
        let of = self.of.of(sorted)?;
        let value = match self.over {
            Some(over) => of / over.of(sorted)?,
            None => of,
        };
        value.is_finite().then_some(value)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct CaseStatistics {
    pub case: u32,
    pub visits: usize,
    pub median_ns: f64,
    pub values: Vec<Option<f64>>,
}

/// The measured cases of a run, in the order of its plan. Times are per operation, with the loop.
pub fn statistics(run: &Run, asked: &[Statistic]) -> Vec<CaseStatistics> {
    let of_case = |times: &CaseTimes| {
        let logs = times.launches.iter().flat_map(|launch| &launch.log_ns);
        let mut visits: Vec<f64> = logs.map(|log| log.exp()).collect();
        visits.sort_by(f64::total_cmp);
        Some(CaseStatistics {
            case: times.case,
            visits: visits.len(),
            median_ns: median(&visits)?,
            values: asked.iter().map(|statistic| statistic.of(&visits)).collect(),
        })
    };
    shown_times(run).0.iter().filter_map(of_case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, values: &[f64]) -> Option<f64> {
        name.parse::<Statistic>().expect("a statistic").of(values)
    }

    #[test]
    fn each_name_is_its_number() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        for (name, value) in [
            ("mean", 50.5),
            ("median", 50.5),
            ("min", 1.0),
            ("max", 100.0),
            ("p25", 25.75),
            ("p99", 99.01),
            ("p100", 100.0),
            ("stddev", 29.011),
            ("stderr", 2.9011),
            ("cv", 0.574_48),
            ("max/min", 100.0),
            ("p99 / median", 1.960_6),
        ] {
            let found = of(name, &values).expect("a value");
            assert!((found / value - 1.0).abs() < 1e-4, "{name}: {found}");
        }
        assert_eq!(of("p99.9", &values), None, "it takes a thousand");
        assert_eq!("p99.9".parse::<Statistic>().map(|s| s.visits_min()), Ok(1000));
        assert_eq!((of("p99", &values[1..]), of("cv", &values[..1]), of("mean", &[])), (None, None, None));
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["p101", "p-1", "average", "", "p99/", "px", "pNaN"] {
            let why = name.parse::<Statistic>().expect_err(name);
            assert!(why.contains("use mean, median"), "{why}");
        }
    }
}
