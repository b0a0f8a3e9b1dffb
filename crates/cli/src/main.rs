//! The `tare` command: arguments in, exit code out. The work is in the other crates; here is what a person meets.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod config;
mod console;
mod failure;
mod gate;
mod nearest;
mod painter;
mod pipeline;
mod progress;
mod recording;
mod request;
mod sides;
#[cfg(test)]
mod tests;
mod time;
mod units;

use args::Cli;
use clap::Parser;
use console::Console;
use std::process;
use tare_report::{Glyphs, Volume};

fn main() -> process::ExitCode {
    let cli = Cli::parse();
    let volume = match (cli.talk.verbose, cli.talk.quiet) {
        (true, _) => Volume::Verbose,
        (_, true) => Volume::Quiet,
        _ => Volume::Default,
    };
    let glyphs = if cli.talk.ascii { Glyphs::Ascii } else { Glyphs::Unicode };
    let console = Console::new(cli.talk.color, volume, glyphs);
    let code = commands::dispatch(&cli, &console).unwrap_or_else(|failure| {
        console.fail(&failure);
        failure.exit_code()
    });
    // Every code is below 256 (`ExitCode::number`); a larger one would be a mistake and is shown as such.
    process::ExitCode::from(u8::try_from(code.number()).unwrap_or(1))
}
