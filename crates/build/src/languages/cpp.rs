//! C++: one file is one call of the compiler.

use super::{Native, Source};
use crate::discover::{foreign_header, includes_tare_header, ProjectTool};
use crate::toolchain::native;

pub(super) const CPP: Source = Source {
    name: "c++",
    suffixes: &["cpp", "cc", "cxx"],
    project: Some(ProjectTool::CMAKE),
    uses_tare: includes_tare_header,
    foreign: foreign_header,
    build: native::build,
    native: Some(Native {
        variable: "CXX",
        compilers: ["g++", "clang++", "c++"],
        standard: "-std=c++17",
        main: "main.cpp",
    }),
};
