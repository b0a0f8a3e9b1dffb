//! `same-name`: benchmarks of a result share a name. Reported where results are read.

use super::Search;

pub(super) const SEARCH: Search = Search::ELSEWHERE;
