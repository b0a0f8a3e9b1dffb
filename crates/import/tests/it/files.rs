//! The fixtures: real files of real tools, see `fixtures/foreign/README.md`.

macro_rules! fixture {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../../../fixtures/foreign/", $name)) as &[u8])
    };
}

/// All single files that are results.
pub const RESULTS: [(&str, &[u8]); 21] = [
    fixture!("tare-run-1.json"),
    fixture!("tare-run-2.json"),
    fixture!("google-benchmark.json"),
    fixture!("google-benchmark-once.json"),
    fixture!("google-benchmark-aggregates.json"),
    fixture!("benchmarkdotnet-0.15-report-full.json"),
    fixture!("benchmarkdotnet-report-full.json"),
    fixture!("benchmarkdotnet-report-brief.json"),
    fixture!("jmh.json"),
    fixture!("jmh-modes.json"),
    fixture!("pyperf.json"),
    fixture!("pyperf-single.json"),
    fixture!("nanobench-pyperf.json"),
    fixture!("pytest-benchmark.json"),
    fixture!("pytest-benchmark-summary.json"),
    fixture!("hyperfine.json"),
    fixture!("hyperfine-parameters.json"),
    fixture!("hyperfine-2.json"),
    fixture!("go.txt"),
    fixture!("go-json.txt"),
    fixture!("nanobench.json"),
];

pub const CRITERION: [(&str, &[u8]); 18] = [
    fixture!("criterion/parse/base/benchmark.json"),
    fixture!("criterion/parse/base/estimates.json"),
    fixture!("criterion/parse/base/sample.json"),
    fixture!("criterion/parse/new/benchmark.json"),
    fixture!("criterion/parse/new/estimates.json"),
    fixture!("criterion/parse/new/sample.json"),
    fixture!("criterion/sort/std/16/base/benchmark.json"),
    fixture!("criterion/sort/std/16/base/estimates.json"),
    fixture!("criterion/sort/std/16/base/sample.json"),
    fixture!("criterion/sort/std/16/new/benchmark.json"),
    fixture!("criterion/sort/std/16/new/estimates.json"),
    fixture!("criterion/sort/std/16/new/sample.json"),
    fixture!("criterion/sort/std/64/base/benchmark.json"),
    fixture!("criterion/sort/std/64/base/estimates.json"),
    fixture!("criterion/sort/std/64/base/sample.json"),
    fixture!("criterion/sort/std/64/new/benchmark.json"),
    fixture!("criterion/sort/std/64/new/estimates.json"),
    fixture!("criterion/sort/std/64/new/sample.json"),
];

pub fn bytes(name: &str) -> &'static [u8] {
    let all = RESULTS.iter().chain(&CRITERION);
    all.clone().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("no fixture `{name}`")).1
}

pub fn text(name: &str) -> &'static str {
    std::str::from_utf8(bytes(name)).expect("fixtures are text")
}
