//! A program that was not built by Tare: its language is unknown.

use super::Source;
use crate::toolchain::program;

pub(super) const PROGRAM: Source = Source {
    name: "unknown",
    suffixes: &[],
    project: None,
    uses_tare: |_| false,
    foreign: |_| None,
    build: program::build,
    native: None,
};
