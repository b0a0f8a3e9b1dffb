//! Analyses a million measurements; anything quadratic would take minutes. `bench/host-cost` measures the time.

use crate::common::{log_ns, noisy_logs, RunBuilder, CYCLE_NS};
use tare_model::ClockReference;

/// A run of `cases` cases with 12 launches of 24 visits of `iterations` iterations.
fn large(cases: u32, iterations: usize) -> tare_model::Run {
    let mut builder = RunBuilder::new().with_probe();
    for index in 0..cases {
        let case = builder.case(&format!("g{}", index / 4), &format!("c{index}"), index % 4 == 0);
        for n in 0..12 {
            let seed = u64::from(index * 12 + n);
            let logs = noisy_logs(log_ns(100.0), 24 * iterations, seed);
            let launch = builder.launch(case, n / 4, &logs);
            launch.series[0].round = (0..24 * iterations).map(|i| (i / iterations) as u32).collect();
        }
    }
    // As in every finished run, where it is settled once at the end.
    builder.run.environment_mut().clock_reference =
        Some(ClockReference { cycle_ns: CYCLE_NS, source: "this run".to_owned() });
    builder.run()
}

#[test]
#[ignore = "a million measurements"]
fn a_million_measurements() {
    // A million for many cases, a third of a million for large ones.
    for (name, cases, iterations, least) in
        [("many cases", 3472, 1, 285), ("many iterations", 33, 35, 10_000), ("a few huge", 4, 289, 82_500)]
    {
        let run = large(cases, iterations);
        let count: usize = run.launches.iter().flat_map(|l| &l.series).map(|s| s.columns.len()).sum();
        let report = tare_analysis::analyse(&run);
        assert!(count > least * cases as usize && report.cases.len() == cases as usize, "{name}");
    }
}
