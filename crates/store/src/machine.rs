//! The machine profile, shared by all runs on a machine so that their times are comparable: the length of a core cycle at the reference
//! clock, and the width of an unshared core. It also keeps calibration results.

use crate::atomic::{create_private_dir, write_atomically};
use crate::files::{self, Links};
use crate::StoreError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tare_model::{Calibration, LevelFound};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MachineProfile {
    pub cpu: String,
    pub processors: u32,
    /// Length of a core cycle, in ns.
    pub cycle_ns: f64,
    /// The same for each of the latest runs, oldest first. If most are far from `cycle_ns`, it is changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recent_cycle_ns: Vec<f64>,
    /// Width of an unshared core as found by benchmarks, oldest first: in native code ([`MachineProfile::NATIVE`]), or by front end and
    /// runtime.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub widths: BTreeMap<String, Vec<LevelFound>>,
    /// When it was recorded: UTC, RFC 3339.
    pub recorded: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// Why a profile file has no usable profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileNote {
    pub path: PathBuf,
    pub reason: String,
}

/// The file. It has a profile per machine, as machines may share a home folder.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Profiles {
    version: u32,
    machines: BTreeMap<String, MachineProfile>,
}

const VERSION: u32 = 1;

impl MachineProfile {
    /// The key of native code in `widths`.
    pub const NATIVE: &str = "native";

    pub fn new((cpu, processors): (String, u32), cycle_ns: f64, recorded: String) -> MachineProfile {
        let (recent_cycle_ns, widths, calibration) = (Vec::new(), BTreeMap::new(), None);
        MachineProfile { cpu, processors, cycle_ns, recent_cycle_ns, widths, recorded, calibration }
    }

    /// The profile of this machine in `state_dir/machine.json`. An unreadable file counts as missing, with a note.
    pub fn load(state_dir: &Path, cpu: &str, processors: u32) -> (Option<MachineProfile>, Option<ProfileNote>) {
        let path = state_dir.join("machine.json");
        match read(&path) {
            Ok(mut profiles) => {
                let profile = profiles.machines.remove(&key(cpu, processors)).filter(|p| is_length(&p.cycle_ns));
                (profile, None)
            }
            Err(None) => (None, None),
            Err(Some(reason)) => (None, Some(ProfileNote { path, reason })),
        }
    }

    /// Widths found by native code on all machines with this processor model. A core is no wider if the process may use fewer processors,
    /// and a core that is always shared now may have been unshared before.
    pub fn native_levels(state_dir: &Path, cpu: &str) -> Vec<LevelFound> {
        let profiles = read(&state_dir.join("machine.json")).unwrap_or_default();
        let of_model = profiles.machines.into_values().filter(|profile| profile.cpu == cpu);
        of_model.filter_map(|mut profile| profile.widths.remove(MachineProfile::NATIVE)).flatten().collect()
    }

    /// Saves the profile of this machine. Profiles of other machines are kept; a damaged file is replaced.
    pub fn save(&self, state_dir: &Path) -> Result<PathBuf, StoreError> {
        let mut profiles = read(&state_dir.join("machine.json")).unwrap_or_default();
        profiles.machines.insert(key(&self.cpu, self.processors), self.clone());
        profiles.save(state_dir)
    }

    fn cleaned(mut self) -> MachineProfile {
        self.widths.values_mut().for_each(|levels| levels.retain(|found| is_length(&found.cycles_per_addition)));
        self.recent_cycle_ns.retain(is_length);
        self
    }
}

impl Profiles {
    fn save(&mut self, state_dir: &Path) -> Result<PathBuf, StoreError> {
        let path = state_dir.join("machine.json");
        create_private_dir(state_dir).map_err(StoreError::writing(state_dir))?;
        self.version = VERSION;
        write_atomically(&path, 0o600, |writer| {
            serde_json::to_writer_pretty(&mut *writer, &self)?;
            writer.write_all(b"\n")
        })
        .map_err(StoreError::writing(&path))?;
        Ok(path)
    }
}

/// Whether a length from a file is plausible.
fn is_length(number: &f64) -> bool {
    number.is_finite() && *number > 0.0
}

/// `Err(None)`: the file does not exist.
fn read(path: &Path) -> Result<Profiles, Option<String>> {
    let text = match files::read(path, Links::Follow) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(None),
        other => other.map_err(|error| Some(error.to_string()))?,
    };
    let mut profiles: Profiles = serde_json::from_slice(&text).map_err(|error| Some(error.to_string()))?;
    if profiles.version != VERSION {
        return Err(Some(format!("it has version {}, this `tare` reads {VERSION}", profiles.version)));
    }
    profiles.machines = profiles.machines.into_iter().map(|(key, profile)| (key, profile.cleaned())).collect();
    Ok(profiles)
}

/// FNV-1a over what distinguishes machines. It is stored in files, so it must never change.
fn key(cpu: &str, processors: u32) -> String {
    let bytes = cpu.bytes().chain(std::iter::once(0)).chain(processors.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
