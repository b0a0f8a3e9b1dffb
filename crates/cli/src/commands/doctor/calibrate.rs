//! A calibration: built-in kernels against themselves (A/A) and against the same code in other layouts (A/A'). They are built, planned,
//! measured and analysed like any comparison.

use crate::console::Console;
use crate::failure::Failure;
use crate::machine_profile;
use crate::pipeline;
use crate::recording;
use crate::request;
use crate::time;
use std::time::Instant;
use tare_analysis::{analyse, assess, calibration_pairs, own_cycle_ns, CalibrationPair, Spent};
use tare_build::toolchain::BuildOptions;
use tare_diagnose::Diagnosers;
use tare_engine::{plan_comparison, Amount, CatalogEntry};
use tare_machine::environment;
use tare_model::{
    Artifact, Benchmark, Calibration, CommandLine, Costs, Effort, Environment, Event, Job, Missing, Policy, Run,
    RunStatus, METHOD_VERSION, SCHEMA_VERSION,
};
use tare_runner::{NoListener, RunFolder, RunRequest};
use tare_stats::location::median;

const KERNELS: &str = include_str!("kernels.cpp");
/// The group of the cost benchmarks; all others are kernels.
const COSTS: &str = "cost";
/// How many times each cost benchmark repeats its operation.
const TIMES: f64 = 64.0;
/// Waves per comparison: enough to see whether comparisons differ more than their processes do.
const WAVES: u32 = 4;
/// Number of other layouts of the kernels (method 8.2 has 8).
const LAYOUTS: u32 = 8;
const LAYOUTS_QUICK: u32 = 4;

pub struct Done {
    /// None if nothing could be compared.
    pub calibration: Option<Calibration>,
    /// The median over the runs of the core's cycle time, ns.
    pub cycle_ns: Option<f64>,
    /// The smallest core width found by the runs, cycles per addition.
    pub cycles_per_addition: Option<f64>,
}

/// Calibrates for `time_s`, but at least one comparison of each kernel with itself.
pub fn calibrate(quick: bool, time_s: f64, console: &Console) -> Result<Done, Failure> {
    let layouts = if quick { LAYOUTS_QUICK } else { LAYOUTS };
    let (artifact, benchmarks) = build(layouts, console)?;
    let (of_costs, kernels): (Vec<Benchmark>, Vec<Benchmark>) = benchmarks.into_iter().partition(|b| b.group == COSTS);
    let mut machine = environment::read();
    machine_profile::know(&mut machine, console);
    let effort = if quick { Effort::Quick } else { Effort::Default };
    let policy = Policy { waves_min: WAVES, waves_max: WAVES, usual_launches: false, ..Policy::of(effort) };
    if artifact.layouts.len() < 2 {
        console.note("A/A' is skipped: the built-in kernels could not be linked in another layout");
    }
    console.note(&format!("comparing identical programs for {time_s:.0} s: leave the machine in its usual state"));
    let start = Instant::now();
    let (mut same, mut rebuilt) = (Vec::new(), Vec::new());
    let (mut spent, mut cycles_ns) = (Spent::default(), Vec::new());
    // A calibration measures the width again even if the profile has one.
    recording::look_at_width(&mut machine);
    for round in 0.. {
        // Alternating, so that both see the same minutes.
        let layout = (round % 2 == 1).then(|| other_layout(&artifact, round / 2)).flatten();
        let run = compare(sides(&artifact, layout), &kernels, &policy, &machine)?;
        if run.status != RunStatus::Finished {
            return Err(Failure::Interrupted);
        }
        spent.elapsed_s += run.elapsed_s;
        spent.launches += run.launches.len() as u32;
        cycles_ns.extend(own_cycle_ns(&run));
        // Each run starts with the width that the previous one found.
        machine.core_width = run.newest_environment().core_width.clone();
        let found: &mut Vec<CalibrationPair> = if layout.is_some() { &mut rebuilt } else { &mut same };
        found.extend(calibration_pairs(&run));
        if start.elapsed().as_secs_f64() + spent.elapsed_s / f64::from(round as u32 + 1) > time_s {
            break;
        }
    }
    let policy = Policy { waves_min: 2, waves_max: 2, ..policy };
    let costs = compare(sides(&artifact, None), &of_costs, &policy, &machine).ok().and_then(|run| costs_of(&run));
    if costs.is_none() {
        console.note("the costs of mispredictions, misses, atomic instructions and system calls could not be measured");
    }
    let calibration = assess(&same, &rebuilt, spent).map(|c| Calibration { recorded: time::now(), costs, ..c });
    let cycles_per_addition = machine.unshared_cycles_per_addition();
    Ok(Done { calibration, cycle_ns: median(&cycles_ns), cycles_per_addition })
}

/// The costs measured by the cost benchmarks; None if one of them has no time.
fn costs_of(run: &Run) -> Option<Costs> {
    let (cycle_ns, report) = (own_cycle_ns(run)?, analyse(run));
    let cycles = |name: &str| {
        let its = report
            .cases
            .iter()
            .filter(|case| case.name == name)
            .filter_map(|case| case.estimates()?.time.resolved_ns());
        // Other load on the machine only adds to a time, so take the minimum.
        let least = its.fold(f64::INFINITY, f64::min) / cycle_ns / TIMES;
        least.is_finite().then_some(least)
    };
    // Half of the random branches are predicted by chance, hence the factor 2.
    let mispredicted = 2.0 * (cycles("mispredicted")? - cycles("foreseen")?);
    let first = cycles("first_cache")?;
    let costs = Costs {
        mispredicted,
        l1_miss: cycles("l1_miss")? - first,
        memory: cycles("main_memory")? - first,
        atomic: cycles("atomic")?,
        syscall: cycles("syscall")?,
    };
    (mispredicted > 0.0 && costs.l1_miss > 0.0 && costs.memory > costs.l1_miss).then_some(costs)
}

fn other_layout(artifact: &Artifact, number: usize) -> Option<usize> {
    let others = artifact.layouts.len().checked_sub(1).filter(|n| *n > 0)?;
    Some(1 + number % others)
}

fn build(layouts: u32, console: &Console) -> Result<(Artifact, Vec<Benchmark>), Failure> {
    let cache = tare_store::cache_dir().ok_or(Failure::NoHome { variable: "XDG_CACHE_HOME" })?;
    let folder = cache.join("doctor");
    let path = folder.join("kernels.cpp");
    std::fs::create_dir_all(&folder).map_err(Failure::writing(&folder))?;
    // Not rewritten if unchanged: its modification time keeps the build cache valid.
    if std::fs::read_to_string(&path).ok().as_deref() != Some(KERNELS) {
        tare_store::write_atomically(&path, 0o600, |writer| writer.write_all(KERNELS.as_bytes()))
            .map_err(Failure::writing(&path))?;
    }
    let options = BuildOptions { cache, layouts: layouts + 1, ..BuildOptions::default() };
    let mut prepared =
        pipeline::prepare_jobs(&[path], std::slice::from_ref(&options), Policy::default().timeout_s, console)?;
    match (prepared.artifacts.pop(), prepared.entries.pop()) {
        (Some(artifact), Some(entry)) => Ok((artifact, entry.benchmarks)),
        _ => Err(Failure::NoBenchmarks { programs: vec!["kernels.cpp".to_owned()], language: String::new() }),
    }
}

/// The first layout against layout `new`. Without it the program against itself, both sides drawing among all layouts as in `tare compare`,
/// so that the effect of layouts is part of the spread between launches.
fn sides(artifact: &Artifact, new: Option<usize>) -> [Artifact; 2] {
    let laid_out = |layout: usize| {
        let mut side = Artifact { layouts: Vec::new(), ..artifact.clone() };
        if let (Some(program), Some(layout)) = (side.command.first_mut(), artifact.layouts.get(layout)) {
            program.clone_from(layout);
        }
        side
    };
    match new {
        Some(new) => [laid_out(0), laid_out(new)],
        None => [artifact.clone(), artifact.clone()],
    }
}

fn compare(
    sides: [Artifact; 2],
    benchmarks: &[Benchmark],
    policy: &Policy,
    machine: &Environment,
) -> Result<Run, Failure> {
    let entry =
        |artifact: u32| [CatalogEntry { artifact, program: "doctor".to_owned(), benchmarks: benchmarks.to_vec() }];
    let planned = plan_comparison(&entry(0), &entry(1), &[], *policy, request::seed(&Amount::default()));
    let started = Event::RunStarted {
        schema: SCHEMA_VERSION.to_owned(),
        id: "doctor".to_owned(),
        created: time::now(),
        tare: env!("CARGO_PKG_VERSION").to_owned(),
        method: METHOD_VERSION.to_owned(),
        command: Vec::new(),
        request: CommandLine::default(),
        environment: Box::new(machine.clone()),
        artifacts: sides.into(),
        jobs: vec![Job::default()],
        sides: Some(Box::default()),
        missing: Missing::default(),
        plan: Box::new(planned.plan),
    };
    let (new, folder, mut none) = (RunRequest::New(Box::new(started)), RunFolder::new(), Diagnosers::default());
    tare_runner::run(new, &folder, &mut none, &mut NoListener).map_err(Failure::Run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_draw_layouts_unless_layouts_are_compared() {
        let layouts = ["a", "b", "c"];
        let artifact: Artifact = serde_json::from_value(serde_json::json!({
            "name": "k", "language": "c++", "toolchain": "file", "command": ["./k"], "directory": ".", "hash": "00", "layouts": layouts,
        }))
        .expect("an artifact");
        assert!(sides(&artifact, None).iter().all(|side| side.layouts == layouts));
        let [base, new] = sides(&artifact, Some(2));
        assert!(!base.varies_layout() && !new.varies_layout());
        assert_eq!((base.command, new.command), (vec!["a".to_owned()], vec!["c".to_owned()]));
    }
}
