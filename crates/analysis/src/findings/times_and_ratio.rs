//! `times-and-ratio`: the ratio of the two shown times is outside the interval of the ratio next to them.

use super::{Context, Measured, Observation, Search};
use crate::ratio::other_ratio;

pub(super) const SEARCH: Search = Search::of_cases(find);

fn find(_: &Context, m: Measured) -> Option<Observation> {
    let ratio = m.estimates.ratio.as_ref()?;
    let of_times = ratio.ratio_of_times?;
    let found = Observation::note(other_ratio(of_times), "to compare the two, use the ratio");
    Some(found.weighing((of_times / ratio.ratio).ln().abs()))
}
