//! The machine and the system on which a run was made.

use crate::artifact::WidthProbe;
use crate::Costs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A processor cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cache {
    /// Level, from 1.
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// Size in bytes.
    pub size_bytes: u64,
}

/// The clock at which times are shown. See [`crate::Clocking`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockReference {
    /// Length of a cycle, ns.
    pub cycle_ns: f64,
    /// Where it comes from: `machine profile` or `this run`.
    pub source: String,
}

/// The width of an unshared core: how fast it completes independent additions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoreWidth {
    /// Cycles that an independent addition takes on an unshared core.
    pub cycles_per_addition: f64,
    /// Where it comes from: `machine profile` or `this run`.
    pub source: String,
}

/// A width of an unshared core as a benchmark found it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LevelFound {
    /// The benchmark; empty: it is not known.
    pub by: String,
    /// Cycles that an independent addition takes.
    pub cycles_per_addition: f64,
    /// When: UTC, RFC 3339.
    pub recorded: String,
}

impl LevelFound {
    /// The benchmark, the run and the level. The time of recording identifies the run.
    pub fn vote(&self) -> (&str, &str, f64) {
        (&self.by, &self.recorded, self.cycles_per_addition)
    }
}

/// State of the working copy that was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GitState {
    /// Full revision.
    pub revision: String,
    /// Uncommitted changes to tracked files.
    pub dirty: bool,
    /// The branch that is checked out; on a machine of CI, the one that the CI system names. None if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// The machine and the system. What is unknown is None, never a guess.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Environment {
    /// Operating system with version, such as `Debian GNU/Linux 12`.
    pub os: String,
    /// Kernel with version.
    pub kernel: String,
    /// Architecture: `x86_64`, `aarch64`.
    pub architecture: String,
    /// C library with version.
    pub libc: Option<String>,
    /// Model name of the processor.
    pub cpu: String,
    /// Logical processors that the process may use.
    pub processors: u32,
    /// Physical cores.
    pub cores: Option<u32>,
    /// Two threads share a core.
    pub smt: Option<bool>,
    /// Caches of the first processor.
    pub caches: Vec<Cache>,
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// Model names of the GPUs that their driver lists, in the order of their addresses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gpus: Vec<String>,
    /// Frequency governor of the first processor.
    pub governor: Option<String>,
    /// Turbo is on.
    pub turbo: Option<bool>,
    /// `kernel.randomize_va_space`.
    pub aslr: Option<u32>,
    /// Transparent huge pages: `always`, `madvise`, `never`.
    pub thp: Option<String>,
    /// Clock source of the kernel.
    pub clock_source: Option<String>,
    /// A hypervisor is present.
    pub virtual_machine: Option<bool>,
    /// CPU quota of the container in processors.
    pub cpu_quota: Option<f64>,
    /// Load average of one minute at the start.
    pub load_1min: Option<f64>,
    /// Share of time stolen by the hypervisor over the run, 0 to 1.
    pub steal: Option<f64>,
    /// Share of time in which tasks waited for a CPU over the run, 0 to 1.
    pub cpu_pressure: Option<f64>,
    /// Swap in use, bytes.
    pub swap_used_bytes: Option<u64>,
    /// Working copy that was measured.
    pub git: Option<GitState>,
    /// The clock at which times are shown; None if no child has a clock probe.
    pub clock_reference: Option<ClockReference>,
    /// The width of an unshared core, by which windows are judged; None if no child reads it, or before it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_width: Option<CoreWidth>,
    /// The same for runtimes with their own width probe, by front end and runtime.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub core_width_of: BTreeMap<String, CoreWidth>,
    /// What `tare doctor --calibrate` found on this machine, in words; None if it was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<String>,
    /// The costs that it found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub costs: Option<Costs>,
}

impl Environment {
    /// Whether times of both machines are comparable: their processors are alike.
    pub fn is_like(&self, other: &Environment) -> bool {
        let kind = |of: &Environment| (of.cpu.clone(), of.processors, of.architecture.clone());
        kind(self) == kind(other)
    }

    /// Cycles per independent addition on an unshared core; None if unknown.
    pub fn unshared_cycles_per_addition(&self) -> Option<f64> {
        Some(self.core_width.as_ref()?.cycles_per_addition)
    }

    /// The same for a width probe; None if unknown, or if levels differ between processes.
    pub fn unshared_cycles_of(&self, probe: &WidthProbe) -> Option<f64> {
        Some(self.core_width_by(probe)?.cycles_per_addition)
    }

    /// The width of an unshared core, according to a width probe.
    pub fn core_width_by(&self, probe: &WidthProbe) -> Option<&CoreWidth> {
        match probe {
            WidthProbe::Native => self.core_width.as_ref(),
            WidthProbe::OfRuntime(runtime) => self.core_width_of.get(runtime),
            WidthProbe::None | WidthProbe::OfProcess => None,
        }
    }
}
