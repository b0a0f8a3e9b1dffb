//! How often findings speak on machines that are merely noisy. Every line that is not true costs the others their readers.

use crate::common::simulate::{run, Plan};
use std::collections::BTreeMap;
use tare_stats::noise::{Parameters, Scenario};

/// A machine without modes: on the worst of the three they are part of the model, and finding them is right.
fn without_modes(scenario: Scenario) -> Parameters {
    Parameters { slow_share: 0.0, switch_share: 0.0, ..scenario.parameters() }
}

/// Share of cases about which each code speaks, over `runs` runs of a plan with different seeds. Findings for many cases are
/// counted for all of them.
fn rates(runs: u64, plan: impl Fn(u64) -> Plan) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    let mut cases = 0.0;
    for seed in 0..runs {
        let plan = plan(seed);
        let report = tare_analysis::analyse(&run(&plan, |_| 0.0));
        cases += f64::from(plan.cases);
        for finding in &report.findings {
            let many = finding.evidence.split_once(" cases: ").and_then(|(n, _)| n.parse::<f64>().ok());
            let spoken_of = if finding.case.is_some() { 1.0 } else { many.unwrap_or(f64::from(plan.cases)) };
            *counts.entry(finding.code.clone()).or_default() += spoken_of;
        }
    }
    counts.into_iter().map(|(code, count)| (code, count / cases)).collect()
}

/// Every code but the one that says that nothing could be said.
fn check(name: &str, most: f64, rates: &BTreeMap<String, f64>) {
    println!("{name}: {rates:?}");
    let loud: Vec<_> = rates.iter().filter(|(code, rate)| *code != "failed-to-decide" && **rate > most).collect();
    assert!(loud.is_empty(), "{name}: {loud:?}");
}

#[test]
fn noise_of_three_machines_is_no_finding() {
    for scenario in [Scenario::Quiet, Scenario::Ci, Scenario::Bad] {
        let machine = without_modes(scenario);
        let name = |kind: &str| format!("{scenario:?}, {kind}");
        check(&name("two contestants"), 0.03, &rates(150, |seed| Plan::of(machine, seed)));
        let alone = |seed| Plan { cases: 1, ..Plan::of(machine, 1000 + seed) };
        check(&name("one case"), 0.03, &rates(200, alone));
        let suite = |seed| Plan { pause_s: 6.0, ..Plan::of(machine, 2000 + seed) };
        check(&name("in a suite"), 0.03, &rates(150, suite));
        let long = |seed| Plan { waves: 8, rounds: 32, pause_s: 2.0, ..Plan::of(machine, 3000 + seed) };
        check(&name("long"), 0.03, &rates(60, long));
        let quick = |seed| Plan { waves: 1, rounds: 16, ..Plan::of(machine, 4000 + seed) };
        check(&name("quick"), 0.03, &rates(150, quick));
    }
}
