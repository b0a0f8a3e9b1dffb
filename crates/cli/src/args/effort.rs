//! Arguments that say how much is measured.

use crate::units;
use clap::Args;
use tare_engine::LAUNCHES_MAX;

/// `--rounds` at most.
const ROUNDS_MAX: u32 = 10_000;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "How much to measure")]
pub struct EffortArgs {
    /// Faster, less certain
    ///
    /// About 0.2 s per case; 1.5 s per benchmark in `tare compare`.
    ///
    /// With a JIT compiler, which warms up in each process, about 5 s.
    #[arg(long, conflicts_with = "long")]
    pub quick: bool,
    /// Slower, more certain: until every verdict is clear
    ///
    /// Longer waves, up to 16 of them (32 in `tare compare`).
    #[arg(long)]
    pub long: bool,
    /// Stop after this time, such as 2min or 5s/case
    ///
    /// Benchmarks that did not start by then are listed as not measured. A
    /// body that hangs is stopped by `--timeout`, and may exceed the budget
    /// by as much.
    /// With `/case`, time that one case does not need goes to others.
    /// `none` lifts the limit of `tare.toml`.
    /// Without it the limit is 12s/case, or 1.5s/case with `--quick`; each
    /// case has four launches at least. `--long` and `--launches` lift it.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = units::budget)]
    pub budget: Option<tare_engine::Budget>,
    /// Longest wait for a reply from a program, such as 30s [default: 60s]
    #[arg(long, hide_short_help = true, value_name = "DURATION", allow_hyphen_values = true, value_parser = units::seconds)]
    pub timeout: Option<f64>,
    /// Smallest change that matters [default: 1%]
    ///
    /// Smaller ones are never called faster or slower.
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true, value_parser = units::share)]
    pub min_effect: Option<f64>,
    /// Launches of each case, rounded up to fill waves
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(1..=LAUNCHES_MAX))]
    pub launches: Option<u32>,
    /// Visits per launch
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(2..=ROUNDS_MAX))]
    pub rounds: Option<u32>,
    /// Invocations per visit, instead of finding a suitable number
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(1_u64..))]
    pub invocations: Option<u64>,
    /// Measure each visit at another address, to show its effect
    ///
    /// Before each visit the clean-up runs, blocks of random size are
    /// allocated and the set-up runs again. A finding lists the times.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true)]
    pub memory_randomization: bool,
    /// Pin single-threaded bodies to this processor [default: least shared]
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(0_u32..=4095))]
    pub cpu: Option<u32>,
    /// Show wall-clock times instead of times at the reference clock
    #[arg(long, hide_short_help = true)]
    pub wall: bool,
    /// Start benchmarks in the order of the table, not in a random one
    ///
    /// Benchmarks that are compared are always measured in turn.
    #[arg(long, hide_short_help = true)]
    pub keep_order: bool,
    /// Random seed, to repeat a run
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::seed)]
    pub seed: Option<u64>,
}
