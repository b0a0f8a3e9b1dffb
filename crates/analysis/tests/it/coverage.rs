//! How often the 95 % interval of a time contains the truth, for the report's interval and for one with the wave as its unit. Measures the
//! method on simulated machines: printed rather than asserted.

use crate::common::simulate::{run, Plan};
use crate::measured;
use std::collections::BTreeMap;
use tare_analysis::LaunchReport;
use tare_stats::interval::{t_interval, Interval};
use tare_stats::noise::Scenario;
use tare_stats::special::f_sf;
use tare_stats::spread::variance;

/// Log times of the launches of each wave.
fn waves(launches: &[LaunchReport]) -> Vec<Vec<f64>> {
    let mut waves: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    launches.iter().for_each(|l| waves.entry(l.wave).or_default().push(l.raw_ns.ln()));
    waves.into_values().collect()
}

fn mean(xs: &[f64]) -> f64 {
    xs.iter().sum::<f64>() / xs.len() as f64
}

/// Over launches; over waves; over waves unless an F test at 25 % sees no difference between them.
fn intervals(launches: &[LaunchReport]) -> [Interval; 3] {
    let waves = waves(launches);
    let all: Vec<f64> = waves.iter().flatten().copied().collect();
    let means: Vec<f64> = waves.iter().map(|w| mean(w)).collect();
    let of_launches = t_interval(&all, 0.95).unwrap().interval;
    let of_waves = t_interval(&means, 0.95).unwrap().interval;
    let within = mean(&waves.iter().map(|w| variance(w).unwrap()).collect::<Vec<_>>());
    let between = variance(&means).unwrap() * waves[0].len() as f64;
    let p = f_sf(between / within, (waves.len() - 1) as f64, (all.len() - waves.len()) as f64);
    [of_launches, of_waves, if p < 0.25 { of_waves } else { of_launches }]
}

/// For each kind of interval: the share that contains the mean over all runs, and the mean half-width in per cent.
fn coverage(runs: u64, plan: impl Fn(u64) -> Plan) -> [(f64, f64); 3] {
    let all: Vec<[Interval; 3]> = (0..runs)
        .map(|seed| {
            let report = tare_analysis::analyse(&run(&plan(seed), |_| 0.0));
            intervals(&measured(&report, 0).launches)
        })
        .collect();
    let centre = mean(&all.iter().map(|i| 0.5 * (i[0].lower + i[0].upper)).collect::<Vec<_>>());
    [0, 1, 2].map(|kind| {
        let held = all.iter().filter(|i| i[kind].contains(centre)).count() as f64 / runs as f64;
        (held, 50.0 * mean(&all.iter().map(|i| i[kind].width()).collect::<Vec<_>>()))
    })
}

#[test]
#[ignore = "a measurement: cargo test -p tare-analysis --test it coverage -- --ignored --nocapture"]
fn coverage_of_the_interval_of_a_time() {
    for scenario in [Scenario::Quiet, Scenario::Ci, Scenario::Bad] {
        for (name, pause_s, waves) in [("at once", 0.0, 3), ("in a suite", 6.0, 3), ("long suite", 6.0, 8)] {
            let plan = |seed| Plan { cases: 1, pause_s, waves, ..Plan::of(scenario.parameters(), 9000 + seed) };
            let [launches, waves, either] = coverage(400, plan);
            println!("{scenario:?}, {name}: launches {launches:.3?}, waves {waves:.3?}, tested {either:.3?}");
        }
    }
}
