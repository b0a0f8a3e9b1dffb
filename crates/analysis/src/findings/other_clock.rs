//! `other-clock`: the times of both sides are given at different clocks.

use super::{Code, Finding, Means, Pairs, Search, Sentence};
use crate::saved::{differing, fact};

pub(super) const SEARCH: Search = Search::of_saved(find);

fn find(found: &Pairs) -> Vec<Finding> {
    let advice = Sentence::new(
        "use one clock for both sides: runs on one machine share its profile; use {wall} for both sides or for neither",
    );
    let advice = advice.means("wall", Means::WallClock);
    differing(Code::OtherClock, &[fact::CLOCK], advice, found.base, found.new).into_iter().collect()
}
