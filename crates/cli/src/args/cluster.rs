//! Arguments that say on which machines a run is measured.

use crate::cluster::Slurm;
use crate::units;
use clap::Args;

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "How much to measure")]
pub struct ClusterArgs {
    /// Measure on nodes of a cluster: slurm, 'slurm: --partition=x'
    ///
    /// The plan is cut into parts, which are jobs of Slurm; what is compared
    /// is measured on one node at one time. What follows the colon is for
    /// `sbatch`. See `tare help cluster`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "WHERE", value_parser = str::parse::<Slurm>)]
    pub on: Option<Slurm>,
    /// Number of parts that `--on` cuts the plan into
    ///
    /// By default a part takes about 30 seconds, and there are at least 4.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(1_usize..=1000), requires = "on")]
    pub parts: Option<usize>,
}
