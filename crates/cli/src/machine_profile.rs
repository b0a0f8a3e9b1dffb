//! What runs learn of the machine and hand on to later ones: the clock that times are given at, and the width of a core that nobody
//! else uses.

use crate::calibration;
use crate::console::Console;
use crate::time;
use std::collections::BTreeMap;
use tare_analysis::{better_reference, own_cycle_ns};
use tare_engine::NEXT_LEVEL;
use tare_machine::environment;
use tare_model::{Calibration, ClockReference, CoreWidth, Environment, Run};
use tare_report::significant;
use tare_store::MachineProfile;

/// Where the machine profile says that it is from; the word stands in the header of the table.
const PROFILE: &str = "machine profile";
/// Runs whose clocks are remembered.
const RECENT_RUNS: usize = 12;

/// What the machine profile knows, for a run that is about to start.
pub fn know(environment: &mut Environment, console: &Console) {
    let Some(folder) = tare_store::state_dir() else { return };
    let (profile, note) = MachineProfile::load(&folder, &environment.cpu, environment.processors);
    if let Some(note) = note {
        console.note(&format!("`{}` is ignored: {}", note.path.display(), note.reason));
    }
    let width = |cycles_per_addition| CoreWidth { cycles_per_addition, source: PROFILE.to_owned() };
    environment.core_width = MachineProfile::unshared_cycles_per_addition(&folder, &environment.cpu).map(width);
    let Some(profile) = profile else { return };
    let of_runtimes = profile.cycles_per_addition_of.into_iter();
    environment.core_width_of = of_runtimes.map(|(runtime, cycles)| (runtime, width(cycles))).collect();
    environment.clock_reference = Some(ClockReference { cycle_ns: profile.cycle_ns, source: PROFILE.to_owned() });
    environment.calibration = profile.calibration.as_ref().map(calibration::line);
}

/// What `tare doctor --calibrate` found on this machine.
pub fn calibration() -> Option<Calibration> {
    let machine = environment::read();
    MachineProfile::load(&tare_store::state_dir()?, &machine.cpu, machine.processors).0?.calibration
}

/// The first run on a machine writes its clock down, so that later runs are given at the same one, and each run the width of a core
/// that nobody shares, where it found one that was not known. Where most of the latest runs had quite another clock, that becomes the
/// one to be given at.
pub fn keep(run: &Run, console: &Console) {
    let Some(folder) = tare_store::state_dir() else { return };
    let environment = run.newest_environment();
    let known = MachineProfile::load(&folder, &environment.cpu, environment.processors).0;
    let before = known.as_ref().map(|profile| profile.cycle_ns);
    let Some(profile) = known.clone().or_else(|| first_profile(run)) else { return };
    let profile = with_clock(with_width(profile, environment), run);
    // Without it the next run takes its own again: nothing is wrong then, and nothing needs to be reported.
    if known.as_ref() != Some(&profile) && profile.save(&folder).is_ok() {
        if let Some(before) = before.filter(|before| *before != profile.cycle_ns) {
            let [now, before] = [profile.cycle_ns, before].map(|cycle_ns| significant(1.0 / cycle_ns, 3));
            console.note(&format!(
                "later runs will show times at {now} GHz instead of {before} GHz: most recent runs had a clock close to that"
            ));
        }
    }
}

/// The clock of a run that had no other.
fn first_profile(run: &Run) -> Option<MachineProfile> {
    let clock = run.environment().clock_reference.as_ref().filter(|clock| clock.source != PROFILE)?;
    let environment = run.newest_environment();
    Some(MachineProfile {
        cpu: environment.cpu.clone(),
        processors: environment.processors,
        cycle_ns: clock.cycle_ns,
        recent_cycle_ns: Vec::new(),
        cycles_per_addition: None,
        cycles_per_addition_of: BTreeMap::new(),
        recorded: time::now(),
        calibration: None,
    })
}

fn with_width(mut profile: MachineProfile, environment: &Environment) -> MachineProfile {
    let is_new = |width: &&CoreWidth| width.source != PROFILE;
    // Another run may have read it while this one was stopped, beside fewer neighbours.
    let is_better = |new: f64, known: Option<f64>| known.is_none_or(|known| new < NEXT_LEVEL * known);
    let new = environment.core_width.as_ref().filter(is_new).map(|width| width.cycles_per_addition);
    profile.cycles_per_addition =
        new.filter(|new| is_better(*new, profile.cycles_per_addition)).or(profile.cycles_per_addition);
    for (runtime, width) in environment.core_width_of.iter().filter(|(_, width)| is_new(width)) {
        let known = profile.cycles_per_addition_of.get(runtime).copied();
        if is_better(width.cycles_per_addition, known) {
            profile.cycles_per_addition_of.insert(runtime.clone(), width.cycles_per_addition);
        }
    }
    profile
}

/// With the clock of this run among the latest.
fn with_clock(mut profile: MachineProfile, run: &Run) -> MachineProfile {
    // What was continued may be of two days and two clocks.
    let own = own_cycle_ns(run).filter(|_| run.parts.len() == 1);
    let Some(own) = own.filter(|own| own.is_finite() && *own > 0.0) else { return profile };
    let recent = &mut profile.recent_cycle_ns;
    recent.push(own);
    recent.drain(..recent.len().saturating_sub(RECENT_RUNS));
    if let Some(better) = better_reference(profile.cycle_ns, recent) {
        (profile.cycle_ns, profile.recorded) = (better, time::now());
    }
    profile
}
