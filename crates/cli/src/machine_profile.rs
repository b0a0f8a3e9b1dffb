//! What runs learn of the machine and hand on to later ones: the clock that times are given at, and the width of a core that nobody
//! else uses.

use crate::calibration;
use crate::console::Console;
use crate::time;
use tare_analysis::windows::{agreed_level, levels_found, remember};
use tare_analysis::{better_reference, own_cycle_ns};
use tare_machine::environment;
use tare_model::{Calibration, ClockReference, CoreWidth, Environment, LevelFound, Run};
use tare_report::significant;
use tare_store::MachineProfile;

/// Where the machine profile says that it is from; the word stands in the header of the table.
const PROFILE: &str = "machine profile";
/// Who finds the width of a core by a look at the processors, without a benchmark.
pub const LOOK: &str = "tare";
const RECENT_RUNS: usize = 12;

pub fn know(environment: &mut Environment, console: &Console) {
    let Some(folder) = tare_store::state_dir() else { return };
    let (profile, note) = MachineProfile::load(&folder, &environment.cpu, environment.processors);
    if let Some(note) = note {
        console.note(&format!("`{}` is ignored: {}", note.path.display(), note.reason));
    }
    let width = |found: &[LevelFound]| {
        let agreed = agreed_level(found.iter().map(LevelFound::vote))?;
        Some(CoreWidth { cycles_per_addition: agreed.cycles_per_addition, source: PROFILE.to_owned() })
    };
    environment.core_width = width(&MachineProfile::native_levels(&folder, &environment.cpu));
    let Some(profile) = profile else { return };
    let of_runtimes = profile.widths.iter().filter(|(probe, _)| *probe != MachineProfile::NATIVE);
    environment.core_width_of =
        of_runtimes.filter_map(|(runtime, found)| Some((runtime.clone(), width(found)?))).collect();
    environment.clock_reference = Some(ClockReference { cycle_ns: profile.cycle_ns, source: PROFILE.to_owned() });
    environment.calibration = profile.calibration.as_ref().map(calibration::line);
    environment.costs = profile.calibration.and_then(|calibration| calibration.costs);
}

pub fn calibration() -> Option<Calibration> {
    let machine = environment::read();
    MachineProfile::load(&tare_store::state_dir()?, &machine.cpu, machine.processors).0?.calibration
}

/// The first run on a machine writes its clock down, so that later runs are given at the same one, and each run what its benchmarks found
/// the width of a core that nobody shares to be. Where most of the latest runs had quite another clock, that becomes the
/// one to be given at.
pub fn keep(run: &Run, console: &Console) {
    let Some(folder) = tare_store::state_dir() else { return };
    let environment = run.newest_environment();
    let known = MachineProfile::load(&folder, &environment.cpu, environment.processors).0;
    let before = known.as_ref().map(|profile| profile.cycle_ns);
    let Some(profile) = known.clone().or_else(|| first_profile(run)) else { return };
    let profile = with_clock(with_widths(profile, run), run);
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

fn first_profile(run: &Run) -> Option<MachineProfile> {
    let clock = run.environment().clock_reference.as_ref().filter(|clock| clock.source != PROFILE)?;
    let environment = run.newest_environment();
    Some(MachineProfile::new((environment.cpu.clone(), environment.processors), clock.cycle_ns, time::now()))
}

/// With what the benchmarks of this run found. Native code that shows nothing leaves what a look at the processors found.
fn with_widths(mut profile: MachineProfile, run: &Run) -> MachineProfile {
    let mut found: Vec<(String, LevelFound)> = Vec::new();
    let recorded = time::now();
    for (probe, by, cycles_per_addition) in levels_found(run) {
        let probe = probe.runtime().unwrap_or(MachineProfile::NATIVE).to_owned();
        found.push((probe, LevelFound { by, cycles_per_addition, recorded: recorded.clone() }));
    }
    let looked = run.newest_environment().core_width.as_ref().filter(|width| width.source != PROFILE);
    let is_known = found.iter().any(|(probe, _)| probe == MachineProfile::NATIVE);
    if let Some(&CoreWidth { cycles_per_addition, .. }) = looked.filter(|_| !is_known) {
        found.push((
            MachineProfile::NATIVE.to_owned(),
            LevelFound { by: LOOK.to_owned(), cycles_per_addition, recorded },
        ));
    }
    found.into_iter().for_each(|(probe, found)| remember(profile.widths.entry(probe).or_default(), found));
    profile
}

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
