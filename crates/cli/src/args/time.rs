//! `tare time`.

use super::{ContextArgs, GateArgs, OrderArgs, OutputArgs};
use crate::units;
use clap::Args;
use tare_engine::LAUNCHES_MAX;

pub(super) const EXAMPLES: &str = "\
Examples:
  tare time 'sort big.txt' 'sort -u big.txt'
  tare time './old input' './new input' --fail-on slower
  tare time 'make -j {jobs}' --param jobs=1,2,4 --prepare 'make clean'
  tare time 'grep -c x < log' 'rg -c x log' -i --runs 20";

#[derive(Debug, Args)]
pub struct TimeArgs {
    /// The commands; the others are compared with the first
    ///
    /// Each in quotes, as you would type it. Commands are started without a
    /// shell, unless one of them has shell syntax; then `sh` runs them all.
    #[arg(verbatim_doc_comment)]
    #[arg(required = true, value_name = "COMMAND")]
    pub commands: Vec<String>,
    /// Name in the table; repeat it for each command
    #[arg(short, long, value_name = "NAME", help_heading = "Which commands")]
    pub name: Vec<String>,
    /// Compare with this command, or parameter value 'n=1'
    ///
    /// A command by its name, its text or its number from 1.
    #[arg(long, hide_short_help = true, value_name = "WHICH", help_heading = "Which commands")]
    pub baseline: Option<String>,
    /// Try each of these values instead of `{NAME}`
    ///
    /// Lists and ranges: `n=1,2,4`, `n=1..8`, `t=0.5..2:0.5` (steps),
    /// `size=1..1024:*2` (factors). Repeat the flag for other parameters.
    /// They are replaced in commands, steps, input and output.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "NAME=VALUES", value_parser = parameter, help_heading = "Which commands")]
    pub param: Vec<(String, Vec<String>)>,
    #[command(flatten)]
    pub surroundings: SurroundingArgs,
    #[command(flatten)]
    pub effort: TimeEffortArgs,
    #[command(flatten)]
    pub gate: GateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub order: OrderArgs,
    #[command(flatten)]
    pub context: ContextArgs,
    /// Do not store the run in `.tare/`
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub no_save: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "How to run")]
pub struct SurroundingArgs {
    /// Run before each run, untimed
    ///
    /// Once for all commands, or repeated: once for each, in their order. The
    /// same holds for --conclude, --setup, --cleanup, --stdin and --stdout.
    #[arg(verbatim_doc_comment)]
    #[arg(short, long, value_name = "CMD")]
    pub prepare: Vec<String>,
    /// Run after each run, untimed
    #[arg(long, hide_short_help = true, value_name = "CMD")]
    pub conclude: Vec<String>,
    /// Run once for each command, before everything
    #[arg(short, long, value_name = "CMD")]
    pub setup: Vec<String>,
    /// Run once for each command, after everything
    #[arg(short, long, value_name = "CMD")]
    pub cleanup: Vec<String>,
    /// Shell for all commands, or none
    ///
    /// A shell with its arguments, such as 'bash --norc'. Without the flag
    /// `sh` runs all commands if one has shell syntax, else none does.
    #[arg(verbatim_doc_comment)]
    #[arg(short = 'S', long, value_name = "SHELL")]
    pub shell: Option<String>,
    /// Run no command by a shell (the same as --shell none)
    #[arg(short = 'N', long, hide_short_help = true, conflicts_with = "shell")]
    pub no_shell: bool,
    /// Accept every exit status, or only 0 and these
    ///
    /// Such as --ignore-failure=1,2.
    #[arg(short, long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "all", value_parser = statuses)]
    pub ignore_failure: Option<tare_harness::command::Ignored>,
    /// Standard input of the commands: a file [default: empty]
    #[arg(long, visible_alias = "input", hide_short_help = true, value_name = "FILE")]
    pub stdin: Vec<String>,
    /// Standard output of the commands: null, pipe or a file
    ///
    /// `null` is the default. Some programs, such as grep, do less when they
    /// write to /dev/null: `pipe` reads what they write, and drops it.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "WHERE")]
    pub stdout: Vec<String>,
    /// Show what the commands print, on standard error
    #[arg(long, hide_short_help = true, conflicts_with = "stdout")]
    pub show_output: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "How much to measure")]
pub struct TimeEffortArgs {
    /// Faster, less certain: 4 runs at least
    #[arg(long, conflicts_with = "long")]
    pub quick: bool,
    /// Slower, more certain: until every interval is narrow
    #[arg(long)]
    pub long: bool,
    /// Runs of each command [default: fill 2 s, at least 12]
    ///
    /// Rounded up to fill waves.
    #[arg(verbatim_doc_comment)]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(1_u32..=100_000), conflicts_with_all = ["quick", "long"])]
    pub runs: Option<u32>,
    /// Launches of each command, each with as many runs as fit 0.2 s
    ///
    /// Rounded up to fill waves.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(1..=LAUNCHES_MAX), conflicts_with_all = ["quick", "long", "runs"])]
    pub launches: Option<u32>,
    /// Untimed runs before the first [default: 1]
    #[arg(short, long, value_name = "N", default_value_t = 1, hide_default_value = true, allow_negative_numbers = true, value_parser = units::whole(1_u32..=1_000_000))]
    pub warmup: u32,
    /// Stop after this time, such as 2min or 5s/case
    ///
    /// A command that is running then is not stopped: `--timeout` limits how
    /// long one may take. `none` lifts the limit of `tare.toml`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = units::budget)]
    pub budget: Option<tare_engine::Budget>,
    /// Longest time of a command [default: 1h]
    #[arg(long, hide_short_help = true, value_name = "DURATION", allow_hyphen_values = true, value_parser = units::seconds)]
    pub timeout: Option<f64>,
    /// Smallest change that matters [default: 1%]
    #[arg(long, hide_short_help = true, value_name = "PERCENT", allow_hyphen_values = true, value_parser = units::share)]
    pub min_effect: Option<f64>,
    /// Stop the run when a command fails, instead of measuring the others
    #[arg(long, hide_short_help = true)]
    pub stop_on_error: bool,
    /// Start commands in the order of the table, not in a random one
    #[arg(long, hide_short_help = true)]
    pub keep_order: bool,
    /// Random seed, to repeat the order of a run
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = units::seed)]
    pub seed: Option<u64>,
}

/// `n=1,2,4`.
fn parameter(text: &str) -> Result<(String, Vec<String>), String> {
    let (name, values) = text.split_once('=').ok_or("it needs a value: `NAME=VALUES`, such as `n=1,2,4`")?;
    let good = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if name.is_empty() || !name.chars().all(good) {
        return Err(format!("`{name}` is not a name: use letters, digits, `_` and `-`"));
    }
    Ok((name.to_owned(), tare_harness::command::values(values)?))
}

/// `all`, or exit statuses separated by commas.
fn statuses(text: &str) -> Result<tare_harness::command::Ignored, String> {
    // hyperfine has a longer word for it.
    if text == "all" || text == "all-non-zero" {
        return Ok(tare_harness::command::Ignored::All);
    }
    let status = |word: &str| word.trim().parse::<i32>().ok().filter(|status| (1..=255).contains(status));
    let all: Option<Vec<i32>> = text.split(',').map(status).collect();
    all.map(tare_harness::command::Ignored::Statuses)
        .ok_or_else(|| "exit statuses are numbers from 1 to 255: `1,2`".to_owned())
}
