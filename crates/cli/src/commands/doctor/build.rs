//! How `tare` itself was built, which inspecting the machine does not show.

use tare_machine::doctor::{Check, State};

/// A debug build of `tare` sends its requests later and analyses slowly.
pub(super) fn build(debug: bool) -> Check {
    let (state, evidence, fix) = match debug {
        false => (State::Good, "`tare` is a release build", None),
        true => (
            State::Warning,
            "`tare` is a debug build, so it takes longer between visits",
            Some("cargo install --path crates/cli"),
        ),
    };
    Check { fix: fix.map(str::to_owned), ..Check::new("debug-build", state, evidence) }
}
