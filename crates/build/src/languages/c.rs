//! C: one file is one call of the compiler.

use super::{Native, Source};
use crate::discover::{foreign_header, includes_tare_header, ProjectTool};
use crate::toolchain::native;

pub(super) const C: Source = Source {
    name: "c",
    suffixes: &["c"],
    project: Some(ProjectTool::CMAKE),
    uses_tare: includes_tare_header,
    foreign: foreign_header,
    build: native::build,
    native: Some(Native { variable: "CC", compilers: ["gcc", "clang", "cc"], standard: "-std=gnu11", main: "main.c" }),
};
