//! C: one file is one call of the compiler. What it shares with C++ is in `native`.

mod first;

use super::native::{self, Native};
use super::Source;

pub(crate) const LANGUAGE: Source = Source {
    name: NATIVE.language,
    suffixes: &["c"],
    build: |context, target| native::build(context, target, &NATIVE),
    first: &[first::FIRST],
    ..native::SHARED
};

/// How its programs are compiled.
pub(crate) const NATIVE: Native = Native {
    language: "c",
    variable: "CC",
    compilers: &["gcc", "clang", "cc"],
    standard: "-std=gnu11",
    main: "main.c",
    device: None,
};
