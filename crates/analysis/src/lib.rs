//! From a Run to a Report. Pure: the same Run gives the same Report, byte for byte, live or years later.
#![forbid(unsafe_code)]

mod report;

pub use report::*;

/// What a Run says.
pub fn analyse(_run: &tare_model::Run) -> Report {
    todo!()
}

/// Whether a group of cases needs no further wave.
pub fn settled(_run: &tare_model::Run, _group: u32) -> bool {
    false
}
