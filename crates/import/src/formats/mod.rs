//! The forms, one file each.

mod benchmarkdotnet;
pub(crate) mod catch2;
pub(crate) mod criterion;
pub(crate) mod go;
mod google_benchmark;
pub(crate) mod google_name;
mod google_rows;
mod hyperfine;
mod jmh;
mod nanobench;
mod pyperf;
mod pytest_benchmark;
pub(crate) mod tables;
pub(crate) mod tare_run;

use crate::node::{Fault, Node};
use tare_analysis::Saved;

pub(crate) fn read_json(tool: &'static str, root: &Node) -> Result<Saved, Fault> {
    match tool {
        "google-benchmark" => google_benchmark::read(root),
        "benchmarkdotnet" => benchmarkdotnet::read(root),
        "jmh" => jmh::read(root),
        "pyperf" => pyperf::read(root),
        "pytest-benchmark" => pytest_benchmark::read(root),
        "hyperfine" => hyperfine::read(root),
        _ => nanobench::read(root),
    }
}
