//! The machine profile: the length of a core cycle at the clock that times are given at. It is the one thing that runs
//! share, so that two runs of the same machine are given at the same clock. Beside it stands what a calibration found.

use crate::atomic::{create_private_dir, write_atomically};
use crate::files::{self, Links};
use crate::StoreError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tare_model::Calibration;

/// What is known of a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MachineProfile {
    /// Model name of the processor.
    pub cpu: String,
    /// Logical processors.
    pub processors: u32,
    /// Length of a core cycle, ns.
    pub cycle_ns: f64,
    /// The same of each of the latest runs by itself, the oldest first: where most of them are far from `cycle_ns`, it moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recent_cycle_ns: Vec<f64>,
    /// Cycles that an independent addition takes on an unshared core; absent in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles_per_addition: Option<f64>,
    /// The same by the width probes of runtimes, by front end and runtime. A calibration has them read anew.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cycles_per_addition_of: BTreeMap<String, f64>,
    /// When it was recorded: UTC, RFC 3339.
    pub recorded: String,
    /// What `tare doctor --calibrate` found; absent in files of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// Why a profile file exists but gives no profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileNote {
    pub path: PathBuf,
    pub reason: String,
}

/// The file: profiles by machine, as a home folder may be shared between machines.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Profiles {
    version: u32,
    machines: BTreeMap<String, MachineProfile>,
}

const VERSION: u32 = 1;

impl MachineProfile {
    /// The profile of this machine in `state_dir/machine.json`. A file that cannot be understood counts as absent, with a note.
    pub fn load(state_dir: &Path, cpu: &str, processors: u32) -> (Option<MachineProfile>, Option<ProfileNote>) {
        let path = state_dir.join("machine.json");
        match read(&path) {
            Ok(mut profiles) => {
                let mut profile = profiles.machines.remove(&key(cpu, processors)).filter(|p| is_length(&p.cycle_ns));
                if let Some(profile) = &mut profile {
                    profile.cycles_per_addition_of.retain(|_, cycles| is_length(cycles));
                    profile.recent_cycle_ns.retain(is_length);
                }
                (profile, None)
            }
            Err(None) => (None, None),
            Err(Some(reason)) => (None, Some(ProfileNote { path, reason })),
        }
    }

    /// Cycles that an independent addition takes on an unshared core of this processor model: the lowest value that any
    /// profile of the model has. A core is no wider for a process that may use fewer of the processors, and one that is always shared
    /// there may have been alone before.
    pub fn unshared_cycles_per_addition(state_dir: &Path, cpu: &str) -> Option<f64> {
        let profiles = read(&state_dir.join("machine.json")).ok()?;
        let of_model = profiles.machines.values().filter(|profile| profile.cpu == cpu);
        of_model.filter_map(|p| p.cycles_per_addition).filter(is_length).reduce(f64::min)
    }

    /// Writes the profile of this machine. Profiles of other machines are kept, and a damaged file is replaced.
    ///
    /// # Errors
    /// [`StoreError::CannotWrite`].
    pub fn save(&self, state_dir: &Path) -> Result<PathBuf, StoreError> {
        let path = state_dir.join("machine.json");
        create_private_dir(state_dir).map_err(StoreError::writing(state_dir))?;
        let mut profiles = read(&path).unwrap_or_default();
        profiles.version = VERSION;
        profiles.machines.insert(key(&self.cpu, self.processors), self.clone());
        write_atomically(&path, 0o600, |writer| {
            serde_json::to_writer_pretty(&mut *writer, &profiles)?;
            writer.write_all(b"\n")
        })
        .map_err(StoreError::writing(&path))?;
        Ok(path)
    }
}

/// What a file may be trusted with.
fn is_length(number: &f64) -> bool {
    number.is_finite() && *number > 0.0
}

/// `Err(None)`: there is no file.
fn read(path: &Path) -> Result<Profiles, Option<String>> {
    let text = match files::read(path, Links::Follow) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(None),
        other => other.map_err(|error| Some(error.to_string()))?,
    };
    let profiles: Profiles = serde_json::from_slice(&text).map_err(|error| Some(error.to_string()))?;
    if profiles.version != VERSION {
        return Err(Some(format!("it has version {}, this `tare` reads {VERSION}", profiles.version)));
    }
    Ok(profiles)
}

/// FNV-1a over what tells machines apart; written down in files, so it must never change.
fn key(cpu: &str, processors: u32) -> String {
    let bytes = cpu.bytes().chain(std::iter::once(0)).chain(processors.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
