//! CUDA: C++ with kernels for NVIDIA GPUs. Each file is one call of nvcc, which calls the C++ compiler for the host code.

use super::first::{Draft, First, Inside, NewProject};
use super::native::{self, Device, Native};
use super::{Lack, Source};

pub(crate) const LANGUAGE: Source = Source {
    name: NATIVE.language,
    suffixes: &["cu"],
    includes: &["cuh"],
    build: |context, target| native::build(context, target, &NATIVE),
    lack: || native::lacks(&NATIVE).then_some(LACK),
    first: &[FIRST],
    ..native::SHARED
};

/// The source; `@prefix@` stands for the prefix of runtime calls.
const SOURCE: &str = include_str!("first/scale.cu");

const FIRST: First = First {
    words: &["cuda", "cu"],
    title: "CUDA",
    alone: Some(|place| draft(place, "scale.cu", "cuda")),
    project: None,
    home: |_| None,
    inside: |_| Inside::None,
};

pub(crate) fn draft(place: &NewProject, name: &str, prefix: &str) -> Draft {
    Draft::new(place, &[(name, SOURCE)], name).with("@prefix@", prefix)
}

const LACK: Lack = Lack {
    needs: "nvcc",
    program: "nvcc",
    instead: "install the CUDA toolkit, or name its compiler: `CUDACXX=/usr/local/cuda/bin/nvcc`",
};

const NATIVE: Native = Native {
    language: "cuda",
    variable: "CUDACXX",
    compilers: &["nvcc", "/usr/local/cuda/bin/nvcc"],
    standard: "-std=c++17",
    main: "main.cpp",
    device: Some(&Device {
        to_host: "-Xcompiler=",
        to_linker: "-Xlinker=",
        flags: &[
            ("-lineinfo", &["-lineinfo", "--generate-line-info", "-G"]),
            // Otherwise the driver compiles the kernels again when the program starts.
            ("-arch=native", &["-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code"]),
        ],
    }),
};
