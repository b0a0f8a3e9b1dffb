//! Facts about the machine that runs pass on to later ones: the reference clock and the width of an unshared core.

use crate::calibration;
use crate::console::Console;
use crate::time;
use tare_analysis::windows::{agreed_level, levels_found, remember};
use tare_analysis::{better_reference, own_cycle_ns};
use tare_machine::environment;
use tare_model::{Calibration, ClockReference, CoreWidth, Environment, LevelFound, Run};
use tare_report::significant;
use tare_store::MachineProfile;

/// The source of a machine profile's values, as named in the header of the table.
const PROFILE: &str = "machine profile";
/// The source of a core width found by inspecting the processors, without a benchmark.
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

/// The first run on a machine stores its clock as the reference clock of later runs; each run stores the width of an unshared core that its
/// benchmarks found. If most of the latest runs had a very different clock, it becomes the reference.
pub fn keep(run: &Run, console: &Console) {
    let Some(folder) = tare_store::state_dir() else { return };
    let environment = run.newest_environment();
    let known = MachineProfile::load(&folder, &environment.cpu, environment.processors).0;
    let before = known.as_ref().map(|profile| profile.cycle_ns);
    let Some(profile) = known.clone().or_else(|| first_profile(run)) else { return };
    let profile = with_clock(with_widths(profile, run), run);
    // If this fails, the next run measures it again, so it is not worth a warning.
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

/// Adds the widths found by this run's benchmarks. If native code found none, the width from inspecting the processors is kept.
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
    // A resumed run may span two days and two clocks.
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
