//! Rust: bench targets of packages of Cargo; around a single file a package is made.

pub(crate) mod cargo;
mod file;
mod first;
pub(crate) mod front_end;
mod harness;
mod hints;
mod rustflags;
mod rustup;

pub(crate) use first::COPY;

use super::Source;
use crate::projects::ProjectTool;

pub(crate) const LANGUAGE: Source = Source {
    name: "rust",
    suffixes: &["rs"],
    includes: &["rs"],
    settings: &["toml", "lock"],
    sign: "files that use tare",
    project: Some(ProjectTool(&cargo::CARGO)),
    uses_tare: harness::uses_tare,
    // A bench target says whose it is; a file by itself is built, and its compiler says what it lacks.
    foreign: |_| None,
    build: file::build,
    shelves: &["cargo", "rust"],
    hint: hints::of,
    first: &[first::FIRST],
    ..Source::NONE
};
