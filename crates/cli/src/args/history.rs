//! Arguments of `tare history`.

use super::OutputArgs;
use crate::units;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::str::FromStr;
use tare_analysis::gate::Rule;

pub(super) const EXAMPLES: &str = "\
Examples:
  tare history                     all benchmarks, with their steps
  tare history 'parse/*' -v        some of them, with every value
  tare history -o history.html     a page with charts
  tare history --site public       a site with a page for each benchmark
  tare history rebuild             read all stored runs again
  tare history prune --keep 500";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct HistoryArgs {
    /// What to do with the history, other than to show it.
    #[command(subcommand)]
    pub verb: Option<HistoryVerb>,
    #[command(flatten)]
    pub show: HistoryShowArgs,
}

/// What to show of a history.
#[derive(Debug, Args)]
pub struct HistoryShowArgs {
    /// Show the values of matching benchmarks, such as 'sort/*[n=10]'
    ///
    /// Part of `group/name[param=value]`, or a glob that matches all of it.
    #[arg(verbatim_doc_comment)]
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,
    /// Use the newest N of these runs [default: 100]
    #[arg(long, value_name = "N", default_value_t = 100, hide_default_value = true, allow_negative_numbers = true, value_parser = units::whole(1_u32..))]
    pub last: u32,
    /// Part of a machine's name [default: newest run's]
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
    /// Only the runs of this branch [default: all]
    #[arg(long, value_name = "NAME")]
    pub branch: Option<String>,
    /// Another project in a shared history
    ///
    /// [default: that of `tare.toml`, or the name of its folder]
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// Smallest step [default: as in the newest run]
    #[arg(long, value_name = "PERCENT", value_parser = units::share)]
    pub min_effect: Option<f64>,
    /// Fail on a recent change: slower, faster, creep
    ///
    /// slower[:PERCENT], faster[:PERCENT] or creep[:PERCENT], separated by
    /// commas. Confirmed steps that began in the newest 10 runs count, and a
    /// creep that goes on, by its sum. The exit code is 10.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Output")]
    pub fail_on: Vec<Rule>,
    /// Also write the history as a folder of pages
    ///
    /// An index, a page for each benchmark and each stored run, badges, and a
    /// feed of steps, to be published as they are. All machines and all
    /// benchmarks are in it, whichever CASE names. Files whose content stays
    /// the same are not written again.
    /// `--last 1000` shows more than the newest 100 runs.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub site: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What to do with a history.
#[derive(Debug, Subcommand)]
pub enum HistoryVerb {
    /// Add all stored runs again, and replace a damaged history
    Rebuild,
    /// Add the stored runs that the history lacks
    ///
    /// Such as those that ended while its database did not answer. A run that
    /// is there already is not added twice.
    #[command(verbatim_doc_comment)]
    Push,
    /// Add runs, such as those of another machine
    Add {
        /// Starts of ids, `latest`, baselines or paths of a `run.json`
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<String>,
    },
    /// Say that the changes of a benchmark may stay
    Accept(AcceptArgs),
    /// Say that a benchmark has another name now
    Rename(RenameArgs),
    /// Remove old runs from the history; stored runs stay
    Prune {
        /// What to keep of each machine: 500 runs, or those of 90d
        ///
        /// A run that has the name of a baseline always stays.
        #[arg(long, value_name = "N|DAYS")]
        keep: KeepText,
    },
}

#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// The benchmarks, such as 'sort/*[n=10]'
    ///
    /// All of their steps and creeps up to the newest run are accepted: no gate
    /// fails on them, and pages show them as accepted. What changes later is
    /// not accepted.
    #[arg(verbatim_doc_comment)]
    #[arg(required = true, value_name = "CASE")]
    pub cases: Vec<String>,
    /// Why they may stay, for those who read the history
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// They are not accepted any more
    #[arg(long, conflicts_with = "reason")]
    pub forget: bool,
}

#[derive(Debug, Args)]
pub struct RenameArgs {
    /// `group/name` as it was; with parameters, one case of it
    #[arg(value_name = "OLD")]
    pub old: String,
    /// As it is now
    #[arg(value_name = "NEW", required_unless_present = "forget")]
    pub new: Option<String>,
    /// OLD was not renamed after all
    #[arg(long, conflicts_with = "new")]
    pub forget: bool,
}

/// `500` or `90d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepText {
    /// So many runs.
    Runs(usize),
    /// So many days.
    Days(u64),
}

impl FromStr for KeepText {
    type Err = String;

    fn from_str(text: &str) -> Result<KeepText, String> {
        /// A hundred years.
        const DAYS_MAX: u64 = 36_525;
        let parsed = match text.strip_suffix('d') {
            None => text.parse().ok().filter(|runs| *runs > 0).map(KeepText::Runs),
            Some(days) => days.parse().ok().filter(|days| (1..=DAYS_MAX).contains(days)).map(KeepText::Days),
        };
        // None at all are no history: who wants that removes the file.
        parsed.ok_or_else(|| "write a number of runs, such as 500, or of days, such as 90d; at least 1".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::KeepText;

    #[test]
    fn what_is_kept_is_runs_or_days() {
        assert_eq!("500".parse(), Ok(KeepText::Runs(500)));
        assert_eq!("90d".parse(), Ok(KeepText::Days(90)));
        for bad in ["", "d", "-1", "0", "0d", "90 days", "1.5", "999999999d"] {
            assert!(bad.parse::<KeepText>().is_err(), "{bad}");
        }
    }
}
