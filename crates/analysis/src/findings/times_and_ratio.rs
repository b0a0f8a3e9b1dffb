//! `times-and-ratio`: the ratio of the two times shown is not within the interval of the ratio beside them.

use super::facts::Context;
use super::Severity;
use super::{Observation, Search};
use crate::ratio::other_ratio;

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let of_case = |m: super::facts::Measured| {
        let ratio = m.estimates.ratio.as_ref()?;
        let ratio_of_times = ratio.ratio_of_times?;
        Some(Observation {
            case: Some(m.case),
            severity: Severity::Note,
            evidence: other_ratio(ratio_of_times),
            weight: (ratio_of_times / ratio.ratio).ln().abs(),
            advice: "to compare the two, use the ratio".into(),
            ..Observation::default()
        })
    };
    context.measured().filter_map(of_case).collect()
}
