//! Means with and without outliers, as BenchmarkDotNet removes them: a look at a run, which changes no time and no verdict.

use crate::ratio::shown_times;
use crate::report::CaseReport;
use crate::visits::CaseTimes;
use tare_model::Run;
use tare_stats::location::mean;
use tare_stats::outliers::{remove, Removal};

/// A case with and without its outliers.
#[derive(Debug, Clone, PartialEq)]
pub struct WithoutOutliers {
    pub case: u32,
    pub visits: usize,
    /// How many of them are outliers that were removed.
    pub removed: usize,
    /// Mean and standard deviation of all valid visits, ns an operation with the loop.
    pub all: MeanAndDeviation,
    /// The same of those that are left.
    pub left: MeanAndDeviation,
}

/// A mean with its standard deviation, ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanAndDeviation {
    pub mean_ns: f64,
    pub deviation_ns: Option<f64>,
}

impl MeanAndDeviation {
    fn of(values: &[f64]) -> Option<MeanAndDeviation> {
        let mean_ns = mean(values)?;
        let squares: f64 = values.iter().map(|value| (value - mean_ns).powi(2)).sum();
        let deviation_ns = (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt());
        Some(MeanAndDeviation { mean_ns, deviation_ns })
    }
}

/// The measured cases of a run, in the order of its plan.
pub fn without_outliers(run: &Run, removal: Removal) -> Vec<WithoutOutliers> {
    let (all, _) = shown_times(run);
    let of_case = |times: &CaseTimes| {
        let visits: Vec<f64> = times.launches.iter().flat_map(|l| l.log_ns.iter().map(|log| log.exp())).collect();
        let left = remove(&visits, removal);
        Some(WithoutOutliers {
            case: times.case,
            visits: visits.len(),
            removed: visits.len() - left.len(),
            all: MeanAndDeviation::of(&visits)?,
            left: MeanAndDeviation::of(&left)?,
        })
    };
    all.iter().filter_map(of_case).collect()
}

impl WithoutOutliers {
    /// The case in a report of the same run.
    pub fn case_of<'a>(&self, cases: &'a [CaseReport]) -> Option<&'a CaseReport> {
        cases.get(self.case as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::common::{twelve_launches, RunBuilder};

    #[test]
    fn a_tail_moves_the_mean_and_no_verdict() {
        let mut builder = RunBuilder::new();
        for name in ["a", "b"] {
            let case = builder.case("g", name, name == "a");
            // Every tenth visit takes half as long again.
            twelve_launches(&mut builder, case, 100.0, |_, _, visit| if visit % 10 == 9 { 0.4 } else { 0.0 });
        }
        let run = builder.run();
        let [a, _] = without_outliers(&run, Removal::RemoveUpper).try_into().expect("two cases");
        assert!(a.removed > 0 && a.removed < a.visits / 5, "{a:?}");
        assert!(a.left.mean_ns < a.all.mean_ns && a.left.deviation_ns < a.all.deviation_ns, "{a:?}");
        let lower = without_outliers(&run, Removal::RemoveLower);
        assert_eq!((lower[0].removed, lower[0].all), (0, a.all));
    }
}
