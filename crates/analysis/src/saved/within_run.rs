//! The metrics of a run's contestants against their baseline's, judged like those of saved sides.

use super::metric::{is_count_alone, judged};
use super::{saved_metric, SavedCase};
use crate::report::{CaseReport, MetricRatio, MetricReport, Outcome};
use tare_model::CaseGroup;

/// Compares the metrics of the contestants of a group with their baseline's.
pub(crate) fn compare_metrics(group: &CaseGroup, cases: &mut [CaseReport]) {
    let of = |case: &CaseReport| case.estimates().map_or_else(Vec::new, |estimates| estimates.metrics.clone());
    let Some(base) = group.baseline.map(|base| of(&cases[base as usize])) else { return };
    let saved = |metric: &MetricReport| saved_metric(metric, SavedCase::new(String::new(), String::new()));
    for contestant in group.contestants() {
        let Outcome::Measured(estimates) = &mut cases[contestant as usize].outcome else { continue };
        for metric in &mut estimates.metrics {
            let is_its = |of_base: &&MetricReport| of_base.metric == metric.metric;
            let of_base = base.iter().find(is_its).filter(|_| !is_count_alone(&saved(metric)));
            let found = of_base.and_then(|of_base| judged(&saved(of_base), &saved(metric)));
            // From nothing to something there is no ratio; the values show it.
            let found = found.filter(|found| found.ratio.is_finite());
            metric.ratio = found.map(|found| MetricRatio {
                ratio: found.ratio,
                interval: found.interval,
                verdict: found.ruling.verdict,
            });
        }
    }
}
