//! `command-failed`: a command that was timed ended with an error. Reported where results are read.

use super::Rule;

pub(super) const RULE: Rule = Rule::ELSEWHERE;
