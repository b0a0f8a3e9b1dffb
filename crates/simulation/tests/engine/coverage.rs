//! The 95 % interval of a plain time holds the truth about as often as it says.

use crate::support::{at_least, at_most};
use tare_model::{Effort, Policy};
use tare_simulation::{centre, coverage};
use tare_stats::noise::{Neighbours, Parameters, Scenario};

const SCENARIOS: [Scenario; 3] = [Scenario::Quiet, Scenario::Ci, Scenario::Bad];

/// The luck of launches and the noise of visits, without what the whole machine does over time.
pub fn luck_only(scenario: Scenario) -> Parameters {
    let noise = scenario.parameters();
    Parameters { drift_sd: 0.0, neighbours: Neighbours { rate: 0.0, ..noise.neighbours }, ..noise }
}

#[test]
#[ignore = "simulation"]
fn of_the_luck_of_launches() {
    for scenario in SCENARIOS {
        let noise = luck_only(scenario);
        let long_run = centre(noise, 20_000);
        for (effort, runs) in [(Effort::Quick, 800), (Effort::Default, 800), (Effort::Long, 200)] {
            let found = coverage(noise, long_run, 1, &Policy::of(effort), runs, 7000).expect("runs end");
            // One launch in five in another mode is far from normal: four launches do not show it.
            let least = if scenario == Scenario::Bad { 0.90 } else { 0.93 };
            let range = at_least(found.intervals, least)..=at_most(found.intervals, 0.97).min(found.intervals);
            assert!(range.contains(&found.long_run), "{scenario:?} {effort:?}: {found:?}");
        }
    }
}

/// The truth that a plain run can know is that of this machine in this run.
#[test]
#[ignore = "simulation"]
fn of_the_run() {
    for scenario in SCENARIOS {
        let found = coverage(scenario.parameters(), 0.0, 1, &Policy::default(), 500, 9000).expect("runs end");
        assert!(found.run >= at_least(found.intervals, 0.90), "{scenario:?}: {found:?}");
    }
}
