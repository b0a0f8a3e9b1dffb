//! `same-name`: benchmarks of a result have the name of others. Told where results are read.

use super::Rule;

pub(super) const RULE: Rule = Rule::TOLD;
