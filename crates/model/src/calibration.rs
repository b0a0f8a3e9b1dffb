//! What a machine can decide: found by comparing programs with themselves.

use serde::{Deserialize, Serialize};

/// The spread of one built-in kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelSpread {
    pub name: String,
    /// Standard deviation of a process effect, log scale (0.01 is 1 %).
    pub process_sd: f64,
}

/// The smallest effect that can be decided in a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Decidable {
    pub seconds: f64,
    pub launches: u32,
    /// The effect that is found in 90 of 100 comparisons, as a share (0.01 is 1 %).
    pub effect: f64,
}

/// Comparisons with programs of the same code in another layout.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LayoutSpread {
    pub comparisons: u32,
    /// Those that were called different: correctly, but only because of the build.
    pub alarms: u32,
    /// Standard deviation between builds, log scale; None below two layouts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_sd: Option<f64>,
    /// Smallest effect that cannot come from the build alone, log scale; None below two layouts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

/// What some things cost on a machine, in cycles of a core.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Costs {
    pub mispredicted: f64,
    /// A load that misses the first cache and waits for the next, and one that waits for the memory.
    pub l1_miss: f64,
    pub memory: f64,
    pub atomic: f64,
    pub syscall: f64,
}

/// The results of comparing identical programs on a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// When: UTC, RFC 3339.
    pub recorded: String,
    /// Comparisons of a program with itself.
    pub comparisons: u32,
    /// Those whose repeated 99 % interval excluded no change, whatever its size.
    pub alarms: u32,
    /// The number that chance alone explains in 99 of 100 calibrations.
    pub alarms_expected: u32,
    /// Variance between waves over what the spread within them predicts: 1 is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    pub process_sd: f64,
    #[serde(default)]
    pub kernels: Vec<KernelSpread>,
    /// What can be decided in 1, 5 and 30 s.
    #[serde(default)]
    pub decides: Vec<Decidable>,
    /// The effect of the build; None if it could not be varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutSpread>,
    /// None if they could not be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<Costs>,
}

/// On an unreliable machine, the smallest effect decidable in this time is the minimum effect, in s.
const PATIENCE_S: f64 = 5.0;

impl Calibration {
    /// Recommended minimum effect on this machine, as a share: `usual`, or more if builds with a fixed layout differ by more, or identical
    /// programs were called different more often than by chance.
    pub fn minimum_effect(&self, usual: f64, varies_layout: bool) -> f64 {
        let of_layout = self.layout.and_then(|l| l.margin).filter(|_| !varies_layout).map(f64::exp_m1);
        let in_time = |d: &&Decidable| d.seconds <= PATIENCE_S;
        let of_alarms =
            self.decides.iter().rfind(in_time).filter(|_| self.alarms > self.alarms_expected).map(|d| d.effect);
        [of_layout, of_alarms].into_iter().flatten().filter(|m| m.is_finite()).fold(usual, f64::max)
    }
}
