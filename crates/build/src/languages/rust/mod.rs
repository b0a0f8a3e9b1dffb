//! Rust: bench targets of Cargo packages; a package is made for each single file.

pub(crate) mod cargo;
mod file;
mod first;
pub(crate) mod front_end;
mod harness;
mod hints;
mod rustflags;
mod rustup;

pub(crate) use first::COPY;

use super::{Lack, Source};
use crate::projects::ProjectTool;
use crate::toolchain::context::Variables;

pub(crate) const LANGUAGE: Source = Source {
    name: "rust",
    suffixes: &["rs"],
    includes: &["rs"],
    settings: &["toml", "lock"],
    sign: "files that use tare",
    project: Some(ProjectTool(&cargo::CARGO)),
    uses_tare: harness::uses_tare,
    foreign: harness::foreign,
    lack: || Variables::of_process().find("cargo").is_none().then_some(LACK),
    build: file::build,
    shelves: &["cargo", "rust"],
    hints: hints::HINTS,
    first: &[first::FIRST],
    ..Source::NONE
};

const LACK: Lack =
    Lack { needs: "Rust", program: "cargo", instead: "install it: see https://rustup.rs, or `apt install cargo`" };
