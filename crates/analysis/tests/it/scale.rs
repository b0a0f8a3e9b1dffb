//! A million measurements are analysed within a second (release); here only a loose bound is checked.

use crate::common::{log_ns, noisy_logs, RunBuilder, CYCLE_NS};
use std::time::Instant;
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
    // As every finished run has it: it is settled once, at its end.
    builder.run.environment.clock_reference =
        Some(ClockReference { cycle_ns: CYCLE_NS, source: "this run".to_owned() });
    builder.run()
}

/// CPU time of this thread, s.
fn cpu_s() -> Option<f64> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(line.split(' ').next()?.parse::<f64>().ok()? * 1e-9)
}

#[test]
fn a_million_measurements() {
    for (name, cases, iterations) in [("many cases", 3472, 1), ("many iterations", 100, 35), ("a few huge", 4, 868)] {
        let run = large(cases, iterations);
        let count: usize = run.launches.iter().flat_map(|l| &l.series).map(|s| s.columns.len()).sum();
        let (start, cpu) = (Instant::now(), cpu_s());
        let report = tare_analysis::analyse(&run);
        let wall = start.elapsed().as_secs_f64();
        // Other tests and other work share the processors: CPU time where the system tells it.
        let took = cpu.zip(cpu_s()).map_or(wall, |(before, after)| after - before);
        println!("{name}: {count} measurements of {} cases in {took:.3} s ({wall:.3} s of wall)", report.cases.len());
        assert!(count > 990_000 && took < 10.0, "{name}: {took} s");
    }
}
