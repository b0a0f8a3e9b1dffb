//! `same-name`: benchmarks of a result have the name of others. Reported where results are read.

use super::Rule;

pub(super) const RULE: Rule = Rule::ELSEWHERE;
