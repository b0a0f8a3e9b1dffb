//! Whole runs on the simulated machines of `tare_stats::noise`: waves of children that are visited in turn.

use super::{log_ns, RunBuilder, VISIT_NS};
use tare_model::{Run, Series, Stage};
use tare_stats::changepoint::steady_state;
use tare_stats::noise::{Machine, Parameters, Process};
use tare_stats::rng::Rng;

/// Start-up and warm-up of the children of a wave together, s.
const START_S: f64 = 0.25;
/// Lead-in and round trip of a visit, s.
const BETWEEN_VISITS_S: f64 = 0.3e-3;
/// Fewest and most iterations of the warm-up of a case's first launch.
const WARM_UP: (usize, usize) = (40, 320);
/// Length of such an iteration, s.
const WARM_UP_S: f64 = 0.25e-3;

/// A run to simulate: one comparison group whose cases all cost the same unless `plant` says otherwise.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The machine.
    pub machine: Parameters,
    /// Seed of everything random.
    pub seed: u64,
    /// Cases, the first of which is the baseline when there are more.
    pub cases: u32,
    pub waves: u32,
    pub rounds: u32,
    /// Time between two waves, s; other groups of a suite run meanwhile.
    pub pause_s: f64,
    /// Time of an operation, ns.
    pub ns: f64,
}

impl Plan {
    /// Two contestants for three waves of 24 rounds, straight after one another.
    pub fn of(machine: Parameters, seed: u64) -> Plan {
        Plan { machine, seed, cases: 2, waves: 3, rounds: 24, pause_s: 0.0, ns: 100.0 }
    }
}

/// The place of a planted effect.
#[derive(Clone, Copy)]
pub struct At {
    /// Index of the case.
    pub case: u32,
    pub wave: u32,
    /// Child within the wave.
    pub child: u32,
    pub round: u32,
    /// A uniform number that the launch keeps.
    pub luck: f64,
    /// A uniform number of the visit.
    pub visit_luck: f64,
}

/// Simulates a plan; `plant` gives the log cost of a visit beyond the machine's.
pub fn run(plan: &Plan, plant: impl Fn(At) -> f64) -> Run {
    let mut builder = RunBuilder::new();
    for case in 0..plan.cases {
        builder.case("group", &format!("case{case}"), case == 0 && plan.cases > 1);
    }
    let mut machine = Machine::with(plan.machine, plan.seed);
    let mut rng = Rng::new(plan.seed ^ 0xabcd);
    let mut now = 20.0;
    for wave in 0..plan.waves {
        let mut children: Vec<(u32, u32, Process, f64, Vec<f64>)> = (0..plan.cases)
            .flat_map(|case| (0..4).map(move |child| (case, child)))
            .map(|(case, child)| {
                let seed = rng.next_u64();
                (case, child, machine.process(seed, 0.0), rng.uniform(), Vec::new())
            })
            .collect();
        let mut warm_up = Vec::new();
        if wave == 0 {
            for (_, _, process, ..) in children.iter_mut().filter(|c| c.1 == 0) {
                let logs = warm_up_logs(|i| machine.visit(process, now + i as f64 * WARM_UP_S, WARM_UP_S));
                now += logs.len() as f64 * WARM_UP_S;
                warm_up.push(logs.iter().map(|y| WARM_UP_S * 1e9 * y.exp()).collect::<Vec<f64>>());
            }
        }
        now += START_S;
        for round in 0..plan.rounds {
            let mut order: Vec<usize> = (0..children.len()).collect();
            rng.shuffle(&mut order);
            for index in order {
                let (case, child, process, luck, logs) = &mut children[index];
                let noise = machine.visit(process, now, VISIT_NS * 1e-9);
                let at = At { case: *case, wave, child: *child, round, luck: *luck, visit_luck: rng.uniform() };
                logs.push(log_ns(plan.ns) + noise + plant(at));
                now += VISIT_NS * 1e-9 + BETWEEN_VISITS_S;
            }
        }
        for (case, child, _, _, logs) in children {
            let elapsed = (child == 0 && wave == 0).then(|| warm_up[case as usize].clone());
            let before: Option<Series> = elapsed.map(|e| builder.series(Stage::Warmup, 2500, e));
            let launch = builder.launch(case, wave, &logs);
            launch.start_ns = now * 1e9;
            launch.series.splice(0..0, before);
        }
        now += plan.pause_s;
    }
    builder.run()
}

/// Warms up as the engine does: until the last quarter is steady, or the search ends.
fn warm_up_logs(mut visit: impl FnMut(usize) -> f64) -> Vec<f64> {
    let mut logs = Vec::new();
    let mut wanted = WARM_UP.0;
    loop {
        logs.extend((logs.len()..wanted).map(&mut visit));
        let segments = steady_state(&logs).segments;
        let last = segments.last().map_or(0.0, |s| s.mean);
        let settled_from = segments.iter().rev().find(|s| s.mean - last > 0.03).map_or(0, |s| s.end);
        if 4 * (logs.len() - settled_from) >= logs.len() || logs.len() >= WARM_UP.1 {
            return logs;
        }
        wanted = 2 * logs.len();
    }
}
