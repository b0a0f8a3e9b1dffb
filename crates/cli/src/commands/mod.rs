//! One file per verb.

mod baseline;
mod bisect;
mod clean;
mod code;
mod compare;
mod completions;
mod conformance;
mod doctor;
mod dry;
mod help;
mod history;
mod init;
mod list;
mod manual;
mod merge;
mod run;
mod runs;
mod show;
mod time;
mod watch;
mod why;

use crate::args::{Cli, Command};
use crate::console::Console;
use crate::failure::Failure;
use crate::request;
use tare_model::{CommandLine, ExitCode};

#[cfg(test)]
pub use bisect::KIND as BISECTION;
#[cfg(test)]
pub use help::{names, page, FINDINGS, TOPICS};
#[cfg(test)]
pub use manual::pages as manual_pages;
/// Runs as Tare's own child if this process was started as one, to measure commands or to run the programs of another harness.
pub fn child() -> Option<std::process::ExitCode> {
    time::child().or_else(tare_harness::child)
}

pub fn dispatch(cli: &mut Cli, request: CommandLine, console: &mut Console) -> Result<ExitCode, Failure> {
    let settings = &request::settle(cli, request, console)?;
    console.request = settings.request.clone();
    match &cli.command {
        Command::Init(args) => init::init(args, console),
        Command::Run(_) => run::run(settings, console),
        Command::Time(_) => time::time(settings, console),
        Command::Compare(_) => compare::compare(settings, console),
        Command::Why(args) => why::why(args, &settings.request, console),
        Command::Bisect(_) => bisect::bisect(settings, console),
        Command::Watch(_) => watch::watch(settings, console),
        // Settling the request replaced this command.
        Command::Profile(_) => Ok(ExitCode::Usage),
        Command::Baseline(args) => baseline::baseline(args, console),
        Command::List(args) => list::list(args, settings, console),
        Command::Show(args) => show::show(args, &settings.gate, console),
        Command::Runs(args) => runs::runs(args, console),
        Command::History(args) => history::history(args, console),
        Command::Merge(args) => merge::merge(args, console),
        Command::Clean(args) => clean::clean(args, console),
        Command::Conformance(args) => conformance::conformance(args, console),
        Command::Doctor(args) => doctor::doctor(args, console),
        Command::Completions(args) => completions::completions(args, console),
        Command::Help(args) => help::help(args, console),
    }
}
