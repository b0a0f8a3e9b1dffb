//! What stands around a body and is part of its raw times: the loop that calls it, or the shell that starts a command.

use tare_analysis::{CaseEstimates, CaseReport};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overhead {
    Loop,
    Shell,
    /// A command that is started as it is has nothing around it.
    Nothing,
}

impl Overhead {
    pub fn of(case: &CaseReport, estimates: &CaseEstimates) -> Overhead {
        let is_measured = estimates.overhead.as_ref().is_some_and(|e| e.value.max(e.interval.upper) > 0.0);
        match (case.is_command(), is_measured) {
            (false, _) => Overhead::Loop,
            (true, true) => Overhead::Shell,
            (true, false) => Overhead::Nothing,
        }
    }

    pub fn noun(self) -> Option<&'static str> {
        match self {
            Overhead::Loop => Some("the loop"),
            Overhead::Shell => Some("the start of the shell"),
            Overhead::Nothing => None,
        }
    }

    pub fn axis(self) -> &'static str {
        match self {
            Overhead::Loop => "time per operation with the loop",
            Overhead::Shell => "time with the start of the shell",
            Overhead::Nothing => "time",
        }
    }
}
