//! HIP: C++ with kernels for AMD GPUs, and also for NVIDIA's. Each file is one call of hipcc, which takes the flags of clang.

use super::cuda::draft;
use super::first::{First, Inside};
use super::native::{self, Native};
use super::{Lack, Source};

pub(crate) const LANGUAGE: Source = Source {
    name: NATIVE.language,
    suffixes: &["hip"],
    build: |context, target| native::build(context, target, &NATIVE),
    lack: || native::lacks(&NATIVE).then_some(LACK),
    first: &[FIRST],
    ..native::SHARED
};

const FIRST: First = First {
    words: &["hip"],
    title: "HIP",
    alone: Some(|place| draft(place, "scale.hip", "hip")),
    project: None,
    home: |_| None,
    inside: |_| Inside::None,
};

const LACK: Lack = Lack {
    needs: "hipcc",
    program: "hipcc",
    instead: "install ROCm, or name its compiler: `HIPCXX=/opt/rocm/bin/hipcc`",
};

const NATIVE: Native = Native {
    language: "hip",
    variable: "HIPCXX",
    compilers: &["hipcc", "/opt/rocm/bin/hipcc"],
    standard: "-std=c++17",
    main: "main.cpp",
    // hipcc takes the flags of the host compiler directly.
    device: Some(&native::Device { to_host: "", to_linker: "-Wl,", flags: &[] }),
};
