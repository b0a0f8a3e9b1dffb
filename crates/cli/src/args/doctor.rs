//! Arguments of `tare doctor`.

use crate::units;
use clap::Args;

pub const EXAMPLES: &str = "\
Examples:
  tare doctor              what disturbs measurements, and how to fix it
  tare doctor --calibrate  find the smallest change that can be detected
  tare doctor --strict     exit with 96 if anything disturbs, for scripts";

#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Compare identical programs and store the result
    ///
    /// Built-in programs are compared with themselves and with copies in
    /// other layouts. The result is kept as this machine's calibration.
    #[arg(verbatim_doc_comment)]
    #[arg(long)]
    pub calibrate: bool,
    /// Take a tenth of the time (--calibrate: 15 s)
    #[arg(long)]
    pub quick: bool,
    /// How long to calibrate, such as 10min
    ///
    /// At least one round of all kernels is measured.
    #[arg(long, value_name = "DURATION", value_parser = units::duration_s, requires = "calibrate", conflicts_with = "quick")]
    pub time: Option<f64>,
    /// Exit with 96 if anything disturbs
    #[arg(long)]
    pub strict: bool,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}
