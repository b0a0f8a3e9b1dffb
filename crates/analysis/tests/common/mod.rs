//! Runs made by hand: cases, launches and series from given log times, and whole runs of a simulated machine.
#![allow(dead_code)]

pub mod simulate;

use serde::de::DeserializeOwned;
use tare_model::{
    Benchmark, ChildFacts, Columns, CoreWidth, Environment, Launch, Policy, Run, Series, Stage, METHOD_VERSION,
    SCHEMA_VERSION,
};
use tare_stats::rng::Rng;

/// Length of a visit, ns.
pub const VISIT_NS: f64 = 1e6;
/// Length of the clock probe of the children, in cycles.
pub const PROBE_CYCLES: f64 = 10_000.0;
/// Length of a cycle while nothing drifts, ns.
pub const CYCLE_NS: f64 = 0.25;

/// Independent additions of a reading of the width probe.
pub const ADDITIONS: f64 = 14_400.0;
/// Cycles per addition on an unshared core; twice as many on a shared one.
pub const CYCLES_PER_ADDITION: f64 = 0.25;
pub const WINDOWS: usize = 10;

/// Natural logarithm of a time, so that tests read in ns.
pub fn log_ns(ns: f64) -> f64 {
    ns.ln()
}

/// `rounds` log times around `centre` with the noise of a quiet machine (0.5 %).
pub fn noisy_logs(centre: f64, rounds: usize, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed ^ 0x5eed);
    (0..rounds).map(|_| centre + 0.005 * rng.normal()).collect()
}

/// Twelve launches of `case` in three waves, with 24 rounds each; `shift` gives the log offset of wave, launch and round.
pub fn twelve_launches(builder: &mut RunBuilder, case: u32, ns: f64, shift: impl Fn(u32, u32, usize) -> f64) {
    for n in 0..12 {
        let wave = n / 4;
        let mut logs = noisy_logs(log_ns(ns), 24, u64::from(1000 * case + n));
        logs.iter_mut().enumerate().for_each(|(round, y)| *y += shift(wave, n, round));
        builder.launch(case, wave, &logs);
    }
}

/// Cuts the visits of a launch into windows between readings of the width probe. Readings for which `shared` (of visit and reading) is true
/// see a neighbour on the core, and windows between two such readings take `slower` times as long.
pub fn share(launch: &mut Launch, slower: f64, shared: impl Fn(usize, usize) -> bool) {
    let reading_ns = ADDITIONS * CYCLES_PER_ADDITION * CYCLE_NS;
    for series in launch.series.iter_mut().filter(|s| s.stage == Stage::Actual) {
        let columns = &mut series.columns;
        for visit in 0..columns.elapsed_ns.len() {
            let each = columns.elapsed_ns[visit] / WINDOWS as f64;
            let windows = (0..WINDOWS).map(|at| match [shared(visit, at), shared(visit, at + 1)] {
                [true, true] => each * slower,
                [false, false] => each,
                _ => each * slower.sqrt(),
            });
            let windows: Vec<f64> = windows.collect();
            let readings = (0..=WINDOWS).map(|at| if shared(visit, at) { 2.0 * reading_ns } else { reading_ns });
            let readings: Vec<f64> = readings.collect();
            columns.elapsed_ns[visit] = windows.iter().sum();
            columns.cpu_ns[visit] = columns.elapsed_ns[visit] - 1000.0 + readings.iter().sum::<f64>();
            columns.window_ns.extend(windows);
            columns.width_ns.extend(readings);
        }
    }
}

/// A Run under construction: one program, one comparison group for each group name.
pub struct RunBuilder {
    pub run: Run,
}

impl RunBuilder {
    /// A run without cases, of one optimised C++ program with CPU times and without a clock probe.
    pub fn new() -> RunBuilder {
        let child = ChildFacts {
            language: "c++".into(),
            optimised: Some(true),
            clock: "steady".into(),
            clock_resolution_ns: 20.0,
            unroll: 16,
            ..ChildFacts::default()
        };
        let artifact = serde_json::json!({
            "name": "bench.cpp", "language": "c++", "toolchain": "file", "command": ["./bench"], "directory": ".",
            "hash": "00", "layouts": ["a", "b"], "child": child,
        });
        // Via the stored form, so that optional fields may be left out here.
        let run = serde_json::json!({
            "schema": SCHEMA_VERSION, "id": "7f3a", "created": "2026-01-02T03:04:05Z", "tare": "0.1.0",
            "method": METHOD_VERSION, "command": ["tare", "run", "bench.cpp"],
            "parts": [{"created": "2026-01-02T03:04:05Z", "environment": Environment::default(), "elapsed_s": 3.0}],
            "artifacts": [artifact], "jobs": [{"id": ""}],
            // The waves of the golden vectors: four launches per side, at most eight looks.
            "plan": {"cases": [], "groups": [], "policy": Policy { width: 4, waves_min: 3, waves_max: 8, ..Policy::default() }, "seed": 1},
            "results": [], "launches": [], "status": "finished", "elapsed_s": 3.0,
        });
        RunBuilder { run: from_json(run) }
    }

    pub fn with_probe(mut self) -> RunBuilder {
        self.child().probe_cycles = Some(PROBE_CYCLES);
        self
    }

    /// Gives the children a clock probe and a width probe; [`share`] makes windows of the visits of a launch.
    pub fn with_windows(self) -> RunBuilder {
        let mut builder = self.with_probe();
        builder.child().width_additions = Some(ADDITIONS);
        builder.child().capabilities = ["probe", "windows"].map(str::to_owned).to_vec();
        let source = "machine profile".to_owned();
        builder.run.environment_mut().core_width = Some(CoreWidth { cycles_per_addition: CYCLES_PER_ADDITION, source });
        builder
    }

    /// Gives the children a width probe of their own, comparable between the processes of a runtime or not.
    pub fn own_width_probe(&mut self, per_runtime: bool) {
        let child = self.child();
        (child.width_per_process, child.width_per_runtime) = (true, per_runtime);
        let (probe, here) = (child.width_probe(), self.run.environment_mut());
        here.core_width_of = probe.runtime().map(str::to_owned).zip(here.core_width.take()).into_iter().collect();
    }

    /// Makes it a comparison: the cases of each group are two builds of one benchmark, the base first.
    pub fn compared(&mut self) {
        self.run.sides = Some(tare_model::Sides::default());
        for group in &mut self.run.plan.groups {
            group.same_invocations = true;
            for &case in &group.cases {
                let side = if group.baseline == Some(case) { tare_model::Side::Base } else { tare_model::Side::New };
                self.run.plan.cases[case as usize].side = Some(side);
            }
        }
    }

    /// The facts of the first program's child.
    pub fn child(&mut self) -> &mut ChildFacts {
        self.run.artifacts[0].child.as_mut().expect("the builder's artifact has a child")
    }

    /// Adds a case of the first program; the first baseline of a group name is the one that the group is compared with.
    pub fn case(&mut self, group: &str, name: &str, baseline: bool) -> u32 {
        let index = self.run.plan.cases.len() as u32;
        let benchmark: Benchmark = from_json(serde_json::json!({
            "index": index, "group": group, "name": name, "baseline": baseline, "returns": true,
        }));
        let key = format!("bench.cpp:{}", benchmark.full_name());
        let place = self.run.plan.cases.iter().position(|c| c.benchmark.group == group);
        self.run
            .plan
            .cases
            .push(from_json(serde_json::json!({"artifact": 0, "job": 0, "benchmark": benchmark, "key": key})));
        self.run.results.push(from_json(serde_json::json!({"complete": true})));
        let known = place.and_then(|p| self.run.plan.groups.iter().position(|g| g.cases.contains(&(p as u32))));
        let number = known.unwrap_or_else(|| {
            self.run.plan.groups.push(from_json(serde_json::json!({"cases": [], "baseline": null})));
            self.run.plan.groups.len() - 1
        });
        self.run.plan.groups[number].cases.push(index);
        if baseline && self.run.plan.groups[number].baseline.is_none() {
            self.run.plan.groups[number].baseline = Some(index);
        }
        index
    }

    /// A finished launch whose visit of round i takes `exp(logs[i])` ns per operation; CPU time is 1 µs less, and a probe, if the child has
    /// one, sees a steady clock.
    pub fn launch(&mut self, case: u32, wave: u32, logs: &[f64]) -> &mut Launch {
        let operations = self.run.plan.cases[case as usize].benchmark.operations as f64;
        let first = logs.first().map_or(1.0, |y| y.exp()) * operations;
        let invocations = (VISIT_NS / first).round().max(1.0);
        let elapsed: Vec<f64> = logs.iter().map(|y| y.exp() * operations * invocations).collect();
        let series = self.series(Stage::Actual, invocations as u64, elapsed);
        let group = self.run.plan.groups.iter().position(|g| g.cases.contains(&case)).unwrap_or(0) as u32;
        let id = self.run.launches.len() as u32;
        self.run.launches.push(from_json(serde_json::json!({
            "id": id, "case": case, "group": group, "wave": wave, "seed": id, "start_ns": f64::from(id) * 1e8,
            "invocations": invocations as u64, "outcome": "finished", "start_up_ns": 2e6,
            "peak_memory_bytes": 3 << 20, "memory_growth_bytes": 0, "series": [series],
        })));
        self.run.launches.last_mut().expect("one was pushed")
    }

    /// A series of one iteration a round.
    pub fn series(&self, stage: Stage, invocations: u64, elapsed_ns: Vec<f64>) -> Series {
        let count = elapsed_ns.len();
        let probe =
            self.run.artifacts[0].child.as_ref().and_then(|c| c.probe_cycles).map(|c| vec![c * CYCLE_NS; count]);
        let columns = Columns {
            cpu_ns: elapsed_ns.iter().map(|e| (e - 1000.0).max(0.9 * e)).collect(),
            waits: vec![0.0; count],
            probe_before_ns: probe.clone().unwrap_or_default(),
            probe_after_ns: probe.unwrap_or_default(),
            elapsed_ns,
            ..Columns::default()
        };
        let round = if stage == Stage::Actual { (0..count as u32).collect() } else { vec![0; count] };
        Series { stage, invocations, round, columns }
    }

    pub fn run(self) -> Run {
        self.run
    }
}

fn from_json<T: DeserializeOwned>(value: serde_json::Value) -> T {
    serde_json::from_value(value).expect("the builder writes what the model reads")
}

pub fn codes(findings: &[crate::Finding]) -> Vec<&'static str> {
    findings.iter().map(|f| f.code.name()).collect()
}
