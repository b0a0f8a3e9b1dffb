//! Who used the core, judged by the width probe alone: from readings to the windows of a visit, and on to the usable launches.

mod alone;
pub mod cache;
mod level;
mod probe;
mod process;
mod windows;

pub use alone::AloneLaunches;
pub(crate) use alone::{hidden, is_restless, windows_of, VALID_MIN};
pub use level::{agreed_level, level_of_cases, levels_found, remember, AgreedLevel, LEVELS_AGREE};
pub use probe::ProbeFault;
pub use process::ProcessReadings;
pub(crate) use process::{faults, judges_of, own_level};
pub use windows::{visits_with, Judge};

use serde::Serialize;

/// The windows in which the compared and shown time was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoreUse {
    Alone,
    /// All windows, since too few were alone, or since CPU time or the other side has no others.
    Any,
    /// Not judged: the child has no width probe, or an invocation is too long.
    NotJudged,
}
