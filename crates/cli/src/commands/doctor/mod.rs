//! `tare doctor`: what makes this machine unfit to measure on, and what it can decide.

mod build;
mod calibrate;
mod screen;
#[cfg(test)]
mod tests;

pub use screen::calibration_line;

use crate::args::DoctorArgs;
use crate::console::Console;
use crate::failure::Failure;
use serde::Serialize;
use std::path::PathBuf;
use tare_machine::doctor::{self, Check, Look, State};
use tare_machine::environment;
use tare_model::{Calibration, ExitCode};
use tare_store::MachineProfile;

/// Version of the JSON form; a field more keeps it.
const VERSION: u32 = 1;
const CALIBRATE_S: f64 = 60.0;
const QUICK_S: f64 = 15.0;

/// What is shown.
#[derive(Debug, Serialize)]
struct Diagnosis {
    version: u32,
    /// Nothing that can be seen disturbs.
    fit: bool,
    checks: Vec<Check>,
    calibration: Option<Calibration>,
    /// Length of a core cycle at the clock that times are given at, ns.
    cycle_ns: Option<f64>,
    /// Where a calibration of now was written.
    #[serde(skip)]
    kept: Option<PathBuf>,
    /// A calibration was made now.
    #[serde(skip)]
    fresh: bool,
}

impl Diagnosis {
    fn new(checks: Vec<Check>, profile: Option<MachineProfile>) -> Diagnosis {
        Diagnosis {
            version: VERSION,
            fit: checks.iter().all(|c| c.state != State::Warning),
            checks,
            cycle_ns: profile.as_ref().map(|p| p.cycle_ns),
            calibration: profile.and_then(|p| p.calibration),
            kept: None,
            fresh: false,
        }
    }
}

/// `tare doctor`.
pub fn doctor(args: &DoctorArgs, console: &Console) -> Result<ExitCode, Failure> {
    let machine = environment::read();
    let folder = tare_store::state_dir();
    let stored = folder.as_ref().map(|f| MachineProfile::load(f, &machine.cpu, machine.processors));
    let (stored, note) = stored.unwrap_or_default();
    if let Some(note) = note {
        console.note(&format!("`{}` is ignored: {}", note.path.display(), note.reason));
    }
    let mut checks = doctor::examine(if args.quick { Look::QUICK } else { Look::USUAL });
    checks.push(build::build(cfg!(debug_assertions)));
    let mut diagnosis = Diagnosis::new(checks, stored);
    let mut code = ExitCode::Ok;
    if args.calibrate {
        let time_s = args.time.unwrap_or(if args.quick { QUICK_S } else { CALIBRATE_S });
        let done = calibrate::calibrate(args.quick, time_s, console)?;
        diagnosis.fresh = done.calibration.is_some();
        diagnosis.cycle_ns = diagnosis.cycle_ns.or(done.cycle_ns);
        let cycles_per_addition = done.cycles_per_addition;
        match (done.calibration, diagnosis.cycle_ns, folder) {
            (Some(calibration), cycle_ns, folder) => {
                diagnosis.calibration = Some(calibration.clone());
                match cycle_ns.zip(folder) {
                    Some((cycle_ns, folder)) => {
                        let (cpu, processors) = (machine.cpu, machine.processors);
                        let recorded = calibration.recorded.clone();
                        let calibration = Some(calibration);
                        let profile =
                            MachineProfile { cpu, processors, cycle_ns, cycles_per_addition, recorded, calibration };
                        diagnosis.kept = Some(profile.save(&folder).map_err(Failure::Store)?);
                    }
                    None => console
                        .warn("the calibration is not stored: there is no home folder, or the core's clock is unknown"),
                }
            }
            (None, ..) => {
                console.warn("no kernel could be compared: the machine is not calibrated");
                code = ExitCode::CaseFailed;
            }
        }
    }
    let text = match args.json {
        true => serde_json::to_string_pretty(&diagnosis).expect("plain data") + "\n",
        false => console.render(&screen::screen(&diagnosis, &console.view(false))),
    };
    console.data(&text)?;
    Ok(if args.strict && !diagnosis.fit && code == ExitCode::Ok { ExitCode::SetUp } else { code })
}
