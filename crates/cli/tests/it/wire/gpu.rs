//! Kernels of a GPU. A stand-in for nvcc makes a program that tells the times of a device; that of the C++ front end with a simulated device is
//! tested there.

use crate::support::{err, have, out, skip, Place};

/// What nvcc refuses is refused: flags of the host's compiler, and one of its own flags twice.
const NVCC: &str = r#"#!/usr/bin/env python3
import os, subprocess, sys
if "--version" in sys.argv:
    sys.exit(print("nvcc: NVIDIA (R) Cuda compiler driver"))
words, host, seen = iter(sys.argv[1:]), [], set()
for word in words:
    name = word.split("=")[0]
    if name in ("-arch", "-gencode", "-lineinfo", "-std"):
        if name in seen: sys.exit(f"nvcc fatal   : redefinition of argument '{name[1:]}'")
        seen.add(name)
    elif word.endswith(".cu"): host.append(word.replace(".cu", ".cpp"))
    elif word.startswith(("-Xcompiler=", "-Xlinker=")): pass
    elif word.startswith("-") and word[:2] not in ("-O", "-D", "-I", "-l", "-L", "-o", "-M", "-c") and word != "-isystem":
        sys.exit(f"nvcc fatal   : Unknown option '{word}'")
    else: host.append(word)
open(os.environ["NVCC_SAW"], "a").write(" ".join(sys.argv[1:]) + "\n")
sys.exit(subprocess.run([os.environ["CXX"], *host]).returncode)
"#;
const KERNELS: &str = "//bench scale/one 40000 \"baseline\":true\n//bench scale/four 30000\n";

fn tare(place: &Place, words: &[&str], variables: &[(&str, &str)]) -> std::process::Output {
    let mut command = place.command(words.iter().copied());
    command.env("NVCC_SAW", place.join("saw")).env("CUDACXX", place.join("nvcc")).envs(variables.iter().copied());
    command.output().expect("it starts")
}

fn place(name: &str) -> Option<Place> {
    if !have("python3") {
        skip("kernels of a GPU", "there is no python3");
        return None;
    }
    let place = Place::with_stand_in(name);
    place.write("kernels.cu", &format!("#include <tare/gpu.hpp>\n{KERNELS}"));
    place.write("kernels.cpp", KERNELS);
    place.script("nvcc", NVCC);
    Some(place)
}

#[test]
fn kernels_are_built_with_flags_that_nvcc_takes() {
    let Some(place) = place("gpu") else { return };
    let run = ["run", "kernels.cu", "--quick", "--launches", "4", "--rounds", "3"];
    let done = tare(&place, &run, &[]);
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    assert!(out(&done).contains("0.750 faster"), "{}", out(&done));
    assert!(place.read("saw").contains("-arch=native"), "{}", place.read("saw"));
    // Flags of the file win over ours, which nvcc refuses to hear twice; those of the host's compiler are handed on.
    place.write("kernels.cu", &format!("// tare-flags: -arch=sm_90 -std=c++20\n#include <tare/gpu.hpp>\n{KERNELS}"));
    let done = tare(&place, &[&run[..], &["--job", "target-cpu=x86-64"]].concat(), &[]);
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    let saw = place.read("saw");
    let last = saw.lines().rfind(|line| line.contains("kernels.cu")).expect("it was called");
    assert!(last.contains(" -Xcompiler=-march=x86-64") && !last.contains("-arch=native"), "{last}");
    let done = tare(&place, &["run", "kernels.cu", "--quick"], &[("CUDACXX", "nvcc-of-nowhere")]);
    assert_eq!(done.status.code(), Some(96), "{}", err(&done));
    assert!(err(&done).contains("`nvcc-of-nowhere` was not found on the PATH"), "{}", err(&done));
    place.assert_nothing_left("kernels of a GPU");
}
