//! CUDA: C++ with kernels for NVIDIA's GPUs. One file is one call of nvcc, which has the C++ compiler make the code of the host.

use super::native::{self, Device, Native};
use super::{Lack, Source};

pub(crate) const LANGUAGE: Source = Source {
    name: NATIVE.language,
    suffixes: &["cu"],
    includes: &["cuh"],
    build: |context, target| native::build(context, target, &NATIVE),
    lack: || native::lacks(&NATIVE).then_some(LACK),
    first: &[native::first::CUDA],
    ..native::SHARED
};

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
            // Without it the driver compiles the kernels again when the program starts.
            ("-arch=native", &["-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code"]),
        ],
    }),
};
