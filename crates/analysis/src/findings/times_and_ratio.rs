//! `times-and-ratio`: the ratio of the two times shown is not within the interval of the ratio beside them.

use super::facts::Context;
use super::Severity;
use super::{Observation, Search};

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let of_case = |m: super::facts::Measured| {
        let ratio = m.estimates.ratio.as_ref()?;
        let disagreement = ratio.disagreement?;
        Some(Observation {
            case: Some(m.case),
            severity: if disagreement.because.is_minor() { Severity::Note } else { Severity::Warning },
            evidence: disagreement.sentence(),
            weight: (disagreement.ratio_of_times / ratio.ratio).ln().abs(),
            advice: "to compare the two, use the ratio".into(),
            ..Observation::default()
        })
    };
    context.measured().filter_map(of_case).collect()
}
