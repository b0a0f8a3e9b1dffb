//! `other-clock`: the times of both sides are given at different clocks.

use super::{Code, Finding, Means, Pairs, Search, Sentence};
use crate::saved::{differing, fact};

pub(super) const SEARCH: Search = Search::of_saved(find);

fn find(found: &Pairs) -> Vec<Finding> {
    let advice = match [found.base, found.new].iter().all(|side| side.tool == "tare") {
        true => Sentence::new(
            "use one clock for both sides: runs on one machine share its profile; use {wall} for both sides or for neither",
        )
        .means("wall", Means::WallClock),
        false => "measure both sides with the same clock: the timers of two clocks differ in steps and cost".into(),
    };
    differing(Code::OtherClock, &[fact::CLOCK], advice, found.base, found.new).into_iter().collect()
}
