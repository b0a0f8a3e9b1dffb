//! How often findings appear on merely noisy machines. Every false line costs the others their readers.

use crate::common::simulate::{run, Plan};
use std::collections::BTreeMap;
use tare_stats::noise::{Parameters, Scenario};

/// A machine without modes: the worst of the three models them, so finding them there is right.
fn without_modes(scenario: Scenario) -> Parameters {
    Parameters { slow_share: 0.0, switch_share: 0.0, ..scenario.parameters() }
}

/// Share of cases with each code, over `runs` runs of a plan with different seeds. Findings on many cases count for all of them.
fn rates(runs: u64, plan: impl Fn(u64) -> Plan) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    let mut cases = 0.0;
    for seed in 0..runs {
        let plan = plan(seed);
        let report = tare_analysis::analyse(&run(&plan, |_| 0.0));
        cases += f64::from(plan.cases);
        for finding in &report.findings {
            let many = finding.evidence.value("cases");
            let spoken_of = if finding.case.is_some() { 1.0 } else { many.unwrap_or(f64::from(plan.cases)) };
            *counts.entry(finding.code.to_string()).or_default() += spoken_of;
        }
    }
    counts.into_iter().map(|(code, count)| (code, count / cases)).collect()
}

/// All codes except the one that nothing could be decided.
fn check(name: &str, most: f64, rates: &BTreeMap<String, f64>) {
    println!("{name}: {rates:?}");
    let loud: Vec<_> = rates.iter().filter(|(code, rate)| *code != "failed-to-decide" && **rate > most).collect();
    assert!(loud.is_empty(), "{name}: {loud:?}");
}

/// Runs of all shapes on the three machines: `times` as many as usual, with seeds from `first` on.
fn all_shapes(first: u64, times: u64, most: f64) {
    let runs = |usual: u64| usual * times;
    for scenario in [Scenario::Quiet, Scenario::Ci, Scenario::Bad] {
        let machine = without_modes(scenario);
        let name = |kind: &str| format!("{scenario:?}, {kind}");
        let of = |seed| Plan::of(machine, first + seed);
        check(&name("two contestants"), most, &rates(runs(150), of));
        let alone = |seed| Plan { cases: 1, ..of(10_000 + seed) };
        check(&name("one case"), most, &rates(runs(200), alone));
        let suite = |seed| Plan { pause_s: 6.0, ..of(20_000 + seed) };
        check(&name("in a suite"), most, &rates(runs(150), suite));
        let long = |seed| Plan { waves: 8, rounds: 32, pause_s: 2.0, ..of(30_000 + seed) };
        check(&name("long"), most, &rates(runs(60), long));
        let quick = |seed| Plan { waves: 1, rounds: 16, ..of(40_000 + seed) };
        check(&name("quick"), most, &rates(runs(150), quick));
    }
}

#[test]
#[ignore = "simulation"]
fn noise_of_three_machines_is_no_finding() {
    all_shapes(0, 1, 0.04);
}

#[test]
#[ignore = "ten times as many runs of other seeds"]
fn noise_is_no_finding_with_other_seeds() {
    all_shapes(9_000_000, 10, 0.04);
}
