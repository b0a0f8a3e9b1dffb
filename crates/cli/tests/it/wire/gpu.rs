//! Kernels of a GPU, timed by its events. The device is the simulated one of the C++ front end, and a stand-in for nvcc hands the
//! host's code to g++ as the real one does.

use crate::support::{err, have, json, out, skip, Place, ROOT};

const KERNELS: &str = r#"#include <tare/gpu.hpp>
TARE_BENCH("scale/one", [] { tare::gpu::time([](tare::gpu::stream on) { simulate(on, 40000, 30000); }); })
    .own_time().bytes(1000000).baseline().set_up([] { (void)tare::gpu::ready(); });
TARE_BENCH("scale/four", [] { tare::gpu::time([](tare::gpu::stream on) { simulate(on, 30000, 20000); }); })
    .own_time().bytes(1000000).set_up([] { (void)tare::gpu::ready(); });
"#;

/// What nvcc refuses is refused: flags of the host's compiler, and one of its own flags twice.
const NVCC: &str = r#"#!/usr/bin/env python3
import os, subprocess, sys
if "--version" in sys.argv:
    sys.exit(print("nvcc: NVIDIA (R) Cuda compiler driver"))
words, host, seen = iter(sys.argv[1:]), [], set()
for word in words:
    name = word.split("=")[0]
    if word.startswith("-Xcompiler="): host.append(word.split("=", 1)[1])
    elif word.startswith("-Xlinker="): host.append("-Wl," + word.split("=", 1)[1])
    elif name in ("-arch", "-gencode", "-lineinfo", "-std"):
        if name in seen: sys.exit(f"nvcc fatal   : redefinition of argument '{name[1:]}'")
        seen.add(name)
        if name == "-std": host.append(word)
    elif word.endswith(".cu"): host += ["-x", "c++", word, "-x", "none"]
    elif word.startswith("-") and word[:2] not in ("-O", "-D", "-I", "-l", "-L", "-o", "-M", "-c") and word != "-isystem":
        sys.exit(f"nvcc fatal   : Unknown option '{word}'")
    else: host.append(word)
open(os.environ["NVCC_SAW"], "a").write(" ".join(sys.argv[1:]) + "\n")
sys.exit(subprocess.run(["g++", "-isystem", os.environ["SIMULATED_GPU"], *host]).returncode)
"#;

fn tare(place: &Place, words: &[&str], variables: &[(&str, &str)]) -> std::process::Output {
    let mut command = place.command(words.iter().copied());
    command.env("SIMULATED_GPU", format!("{ROOT}/frontends/cpp/tests/gpu")).env("NVCC_SAW", place.join("saw"));
    command.env("CUDACXX", place.join("nvcc")).envs(variables.iter().copied());
    command.output().expect("it starts")
}

fn place(name: &str) -> Option<Place> {
    if !have("g++") || !have("python3") {
        skip("kernels of a GPU", "there is no g++ or no python3");
        return None;
    }
    let place = Place::new(name);
    place.write("kernels.cu", KERNELS);
    place.script("nvcc", NVCC);
    Some(place)
}

#[test]
fn kernels_are_timed_by_the_device() {
    let Some(place) = place("gpu") else { return };
    let run = ["run", "kernels.cu", "--quick", "--launches", "2", "--rounds", "3", "-o", "r.json"];
    let done = tare(&place, &run, &[]);
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    let screen = out(&done);
    assert!(screen.contains("0.750 faster"), "the ratio is exact, as the device's time is: {screen}");
    let report = json(&place.read("r.json"));
    let cases = report["report"]["cases"].as_array().expect("cases").clone();
    let times: Vec<f64> = cases.iter().map(|case| case["outcome"]["time"]["value_ns"].as_f64().expect("ns")).collect();
    assert!((times[0] - 40_000.0).abs() < 5.0 && (times[1] - 30_000.0).abs() < 5.0, "{times:?}");
    let program = &report["report"]["programs"][0];
    assert!(program["flags"].as_str().is_some_and(|flags| flags.contains("-arch=native")), "{program}");
    // Flags of the file win over ours, which nvcc refuses to hear twice; those of the host's compiler are handed on.
    place.write("kernels.cu", &format!("// tare-flags: -arch=sm_90 -std=c++20\n{KERNELS}"));
    let done = tare(&place, &[&run[..], &["--job", "target-cpu=x86-64"]].concat(), &[]);
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    let saw = place.read("saw");
    let last = saw.lines().rfind(|line| line.contains("kernels.cu")).expect("it was called");
    assert!(last.contains(" -Xcompiler=-march=x86-64") && !last.contains("-arch=native"), "{last}");
    place.assert_nothing_left("kernels of a GPU");
}

#[test]
fn without_a_gpu_or_its_compiler_the_reason_is_said() {
    let Some(place) = place("no-gpu") else { return };
    let done = tare(&place, &["run", "kernels.cu", "--quick"], &[("NO_DEVICE", "1")]);
    assert!(out(&done).contains("skipped: no GPU: no CUDA-capable device is detected"), "{}", out(&done));
    let done = tare(&place, &["run", "kernels.cu", "--quick"], &[("CUDACXX", "nvcc-of-nowhere")]);
    assert_eq!(done.status.code(), Some(96), "{}", err(&done));
    assert!(err(&done).contains("`nvcc-of-nowhere` was not found on the PATH"), "{}", err(&done));
    place.assert_nothing_left("without a GPU");
}
