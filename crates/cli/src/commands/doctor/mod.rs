//! `tare doctor`: what makes this machine unfit for measuring, and how small a change it can detect.

mod build;
mod calibrate;
mod screen;
#[cfg(test)]
mod tests;

use crate::args::DoctorArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::machine_profile;
use calibrate::Done;
use serde::Serialize;
use std::path::{Path, PathBuf};
use tare_analysis::windows::{agreed_level, AgreedLevel};
use tare_machine::doctor::{self, Check, State, WatchTimes};
use tare_machine::environment;
use tare_model::{Calibration, ExitCode, LevelFound};
use tare_store::MachineProfile;

/// Version of the JSON form; new fields do not change it.
const VERSION: u32 = 1;
const CALIBRATE_S: f64 = 60.0;
const QUICK_S: f64 = 15.0;

#[derive(Debug, Serialize)]
struct Diagnosis {
    version: u32,
    fit: bool,
    checks: Vec<Check>,
    calibration: Option<Calibration>,
    /// Cycle time at the reference clock, ns.
    cycle_ns: Option<f64>,
    core_widths: Vec<KeptWidth>,
    #[serde(skip)]
    kept: Option<PathBuf>,
    #[serde(skip)]
    fresh: bool,
}

#[derive(Debug, Serialize)]
struct KeptWidth {
    /// Native code, or front end and runtime.
    probe: String,
    /// The width by which the next run judges its windows; None if none of the found ones is plausible.
    cycles_per_addition: Option<f64>,
    #[serde(skip)]
    agreed: Option<AgreedLevel>,
    /// Oldest first.
    found: Vec<LevelFound>,
}

impl KeptWidth {
    fn new(probe: String, found: Vec<LevelFound>) -> KeptWidth {
        let agreed = agreed_level(found.iter().map(LevelFound::vote));
        KeptWidth { probe, cycles_per_addition: agreed.map(|agreed| agreed.cycles_per_addition), agreed, found }
    }
}

impl Diagnosis {
    fn new(checks: Vec<Check>, profile: Option<MachineProfile>) -> Diagnosis {
        let widths = profile.as_ref().map(|profile| profile.widths.clone()).unwrap_or_default();
        Diagnosis {
            version: VERSION,
            fit: checks.iter().all(|c| c.state != State::Warning),
            checks,
            cycle_ns: profile.as_ref().map(|p| p.cycle_ns),
            calibration: profile.and_then(|p| p.calibration),
            core_widths: widths.into_iter().map(|(probe, found)| KeptWidth::new(probe, found)).collect(),
            kept: None,
            fresh: false,
        }
    }

    fn keep(
        &mut self,
        done: Done,
        machine: (String, u32),
        folder: Option<&Path>,
        console: &Console,
    ) -> Result<(), Failure> {
        // Unlike a run, a calibration replaces the reference clock, because its user wants the current value.
        self.cycle_ns = done.cycle_ns.or(self.cycle_ns);
        let Some(calibration) = done.calibration else { return Ok(()) };
        self.fresh = true;
        self.calibration = Some(calibration.clone());
        let Some((cycle_ns, folder)) = self.cycle_ns.zip(folder) else {
            console.warn("the calibration is not stored: there is no home folder, or the core's clock is unknown");
            return Ok(());
        };
        let mut profile = MachineProfile::new(machine, cycle_ns, calibration.recorded.clone());
        // Each runtime measures its own width again.
        let found = done.cycles_per_addition.map(|cycles_per_addition| LevelFound {
            by: machine_profile::LOOK.to_owned(),
            cycles_per_addition,
            recorded: calibration.recorded.clone(),
        });
        profile.widths = found.into_iter().map(|found| (MachineProfile::NATIVE.to_owned(), vec![found])).collect();
        profile.calibration = Some(calibration);
        self.kept = Some(profile.save(folder).map_err(Failure::Store)?);
        Ok(())
    }
}

pub fn doctor(args: &DoctorArgs, console: &Console) -> Result<ExitCode, Failure> {
    let machine = environment::read();
    let folder = tare_store::state_dir();
    let stored = folder.as_ref().map(|f| MachineProfile::load(f, &machine.cpu, machine.processors));
    let (stored, note) = stored.unwrap_or_default();
    if let Some(note) = note {
        console.note(&format!("`{}` is ignored: {}", note.path.display(), note.reason));
    }
    let mut checks = doctor::examine(if args.quick { WatchTimes::QUICK } else { WatchTimes::USUAL });
    checks.push(build::build(cfg!(debug_assertions)));
    let mut diagnosis = Diagnosis::new(checks, stored);
    let mut code = ExitCode::Ok;
    if args.calibrate {
        let time_s = args.time.unwrap_or(if args.quick { QUICK_S } else { CALIBRATE_S });
        let done = calibrate::calibrate(args.quick, time_s, console)?;
        if done.calibration.is_none() {
            console.warn("no kernel could be compared: the machine is not calibrated");
            code = ExitCode::CaseFailed;
        }
        diagnosis.keep(done, (machine.cpu, machine.processors), folder.as_deref(), console)?;
    }
    let text = match args.json {
        true => serde_json::to_string_pretty(&diagnosis).expect("plain data") + "\n",
        false => console.render(&screen::screen(&diagnosis, &console.view(false))),
    };
    console.data(&text)?;
    Ok(if args.strict && !diagnosis.fit && code == ExitCode::Ok { ExitCode::SetUp } else { code })
}
