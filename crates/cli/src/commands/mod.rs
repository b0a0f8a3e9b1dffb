//! One file a verb.

mod baseline;
mod bisect;
mod clean;
mod compare;
mod conformance;
mod doctor;
mod dry;
mod help;
mod history;
mod list;
mod merge;
mod no_result;
mod output;
mod run;
mod runs;
mod show;
mod time;
mod watch;

use crate::again;
use crate::args::{Cli, Command};
use crate::console::Console;
use crate::failure::Failure;
use crate::preset;
use tare_model::ExitCode;

#[cfg(test)]
pub use bisect::KIND as BISECTION;
#[cfg(test)]
pub use help::{page, FINDINGS, TOPICS};
pub use time::child;

/// Does what was asked.
pub fn dispatch(cli: &mut Cli, console: &Console) -> Result<ExitCode, Failure> {
    again::expand(cli)?;
    preset::apply(&mut cli.command, console)?;
    match &cli.command {
        Command::Run(args) => run::run(args, console),
        Command::Time(args) => time::time(args, console),
        Command::Compare(args) => compare::compare(args, console),
        Command::Bisect(args) => bisect::bisect(args, console),
        Command::Watch(args) => watch::watch(args, console),
        Command::Baseline(args) => baseline::baseline(args, console),
        Command::List(args) => list::list(args, console),
        Command::Show(args) => show::show(args, console),
        Command::Runs(args) => runs::runs(args, console),
        Command::History(args) => history::history(args, console),
        Command::Merge(args) => merge::merge(args, console),
        Command::Clean(args) => clean::clean(args, console),
        Command::Conformance(args) => conformance::conformance(args, console),
        Command::Doctor(args) => doctor::doctor(args, console),
        Command::Help(args) => help::help(args, console),
    }
}
