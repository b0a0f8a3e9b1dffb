//! `command-failed`: a command that was timed ended with an error. Reported where results are read.

use super::Search;

pub(super) const SEARCH: Search = Search::ELSEWHERE;
