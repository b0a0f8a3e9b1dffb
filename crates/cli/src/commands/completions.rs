//! `tare completions`: what a shell needs to complete commands and flags, from their declarations.

use crate::args::{Cli, CompletionsArgs};
use crate::console::Console;
use crate::failure::Failure;
use clap::CommandFactory;
use tare_model::ExitCode;

/// `tare completions`.
pub fn completions(args: &CompletionsArgs, console: &Console) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tare", &mut script);
    console.bytes(&script)?;
    Ok(ExitCode::Ok)
}
