//! Rust: a package of Cargo is made around one file.

use super::Source;
use crate::discover::{uses_tare_crate, ProjectTool};
use crate::toolchain::rust_file;

pub(super) const RUST: Source = Source {
    name: "rust",
    suffixes: &["rs"],
    project: Some(ProjectTool::CARGO),
    uses_tare: uses_tare_crate,
    // A bench target says whose it is; a file by itself is built, and its compiler says what it lacks.
    foreign: |_| None,
    build: rust_file::build,
    native: None,
};
