//! Arguments of `tare doctor`.

use crate::units;
use clap::Args;

pub const EXAMPLES: &str = "\
Examples:
  tare doctor                              what disturbs, with the command that mends it
  tare doctor --calibrate                  compare identical programs: what can be decided here
  tare doctor --strict                     exit code 96 where anything disturbs, for scripts";

/// `tare doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Compare built-in programs with themselves and with rebuilt ones, and keep what that says of the machine
    #[arg(long)]
    pub calibrate: bool,
    /// Look for a tenth of the time; with --calibrate, calibrate for 15 s instead of 60 s
    #[arg(long)]
    pub quick: bool,
    /// Calibrate for so long, such as 30s or 10min; at least one round of all kernels
    #[arg(long, value_name = "DURATION", value_parser = units::duration_s, requires = "calibrate", conflicts_with = "quick")]
    pub time: Option<f64>,
    /// End with exit code 96 where anything disturbs
    #[arg(long)]
    pub strict: bool,
    /// For programs
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}
