//! The `tare` command: arguments in, exit code out. The work is in the other crates; this is the user interface.
#![forbid(unsafe_code)]

mod args;
mod calibration;
mod cluster;
mod commands;
mod console;
mod crash;
mod diagnose;
mod failure;
mod gate;
mod history;
mod jobs;
mod log;
mod machine_profile;
mod markdown;
mod output;
mod painter;
mod pictures;
mod pipeline;
mod progress;
mod recording;
mod renames;
mod request;
mod session;
mod sides;
mod steps;
#[cfg(any(test, fuzzing))]
pub mod tests;
mod time;
mod units;

use console::{ColorChoice, Console};
use failure::Failure;
use std::process;
use tare_model::ExitCode;
use tare_report::{Glyphs, Volume};

fn main() -> process::ExitCode {
    crash::say_it_plainly();
    // First, so that a child of `tare time` stays small.
    if let Some(code) = commands::child() {
        return code;
    }
    // Without the handler, Ctrl-C would leave the status line and an incomplete run. A failure to install it is not an error.
    let _ = tare_process::install_interrupt_handler();
    let plain = Console::new(ColorChoice::Never, Volume::Default, Glyphs::Unicode);
    if let Some(code) = cluster::node(&plain) {
        return of_process(code);
    }
    let (mut cli, request) = match request::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        // Help and the version are answers too.
        Err(said) => match console::settled(said.print()) {
            Ok(()) => return process::ExitCode::from(u8::try_from(said.exit_code()).unwrap_or(1)),
            Err(failure) => {
                plain.fail(&failure);
                return of_process(failure.exit_code());
            }
        },
    };
    let volume = match (cli.talk.verbose, cli.talk.quiet) {
        (true, _) => Volume::Verbose,
        (_, true) => Volume::Quiet,
        _ => Volume::Default,
    };
    let glyphs = if cli.talk.ascii { Glyphs::Ascii } else { Glyphs::Unicode };
    let mut console = Console::new(cli.talk.color, volume, glyphs);
    crash::say_it_on(&console);
    let code = commands::dispatch(&mut cli, request, &mut console).unwrap_or_else(|failure| {
        // After an interrupt, failures are caused by it: a stopped compiler, a closed terminal.
        let failure = if tare_process::interrupted() { Failure::Interrupted } else { failure };
        console.fail(&failure);
        failure.exit_code()
    });
    of_process(code)
}

fn of_process(code: ExitCode) -> process::ExitCode {
    process::ExitCode::from(u8::try_from(code.number()).unwrap_or(1))
}
