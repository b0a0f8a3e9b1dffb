//! `tare completions`: scripts that complete commands and flags in a shell, from the declarations.

use super::help;
use crate::args::{Cli, CompletionsArgs};
use crate::console::Console;
use crate::failure::Failure;
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use tare_build::languages::first::starters;
use tare_model::ExitCode;

pub fn completions(args: &CompletionsArgs, console: &Console) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut grammar(), "tare", &mut script);
    console.bytes(&script)?;
    Ok(ExitCode::Ok)
}

/// The declarations, with value lists for arguments that the parser accepts as any text.
fn grammar() -> Command {
    let values = |command: Command, argument: &'static str, words: Vec<&'static str>| {
        command.mut_arg(argument, |arg| arg.value_parser(PossibleValuesParser::new(words)).hide_possible_values(false))
    };
    let languages = starters().iter().map(|starter| starter.word()).collect();
    // clap wants static names; leaking is fine since the process ends here.
    let topics = help::names().into_iter().map(|name| &*name.leak()).collect();
    Cli::command()
        .mut_subcommand("init", |command| values(command, "language", languages))
        .mut_subcommand("help", |command| values(command, "topic", topics))
}
