//! `same-name`: benchmarks of a result have the name of others. Reported where results are read.

use super::Search;

pub(super) const SEARCH: Search = Search::ELSEWHERE;
