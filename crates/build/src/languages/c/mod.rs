//! C: each file is one compiler call. Code shared with C++ is in `native`.

use super::native::{self, Native};
use super::{Lack, Source};

pub(crate) const LANGUAGE: Source = Source {
    name: NATIVE.language,
    suffixes: &["c"],
    build: |context, target| native::build(context, target, &NATIVE),
    lack: || native::lacks(&NATIVE).then_some(LACK),
    first: &[native::first::C],
    ..native::SHARED
};

const LACK: Lack = Lack { needs: "a C compiler", program: "gcc", instead: "install it: `apt install gcc libc6-dev`" };

pub(crate) const NATIVE: Native = Native {
    language: "c",
    variable: "CC",
    compilers: &["gcc", "clang", "cc"],
    standard: "-std=gnu11",
    main: "main.c",
    device: None,
};
