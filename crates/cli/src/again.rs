//! `--again RUN`: the command of a stored run once more. What it stands for takes its place before anything else looks at it, so that the
//! new run holds a command that needs no other run.

use crate::args::{AgainArgs, Cli, Command};
use crate::failure::{shell, Failure};
use crate::request;
use clap::Parser;
use std::path::Path;
use tare_model::Run;
use tare_report::{clean, expanded, undecided, undecided_of_comparison};
use tare_store::Store;

/// Puts the command of the stored run in the place of one that names it.
///
/// # Errors
/// There is no such run, another command made it, or nothing of it is undecided.
pub fn expand(cli: &mut Cli) -> Result<(), Failure> {
    let (verb, repeat) = match &cli.command {
        Command::Run(args) => ("run", &args.repeat),
        Command::Compare(args) => ("compare", &args.repeat),
        _ => return Ok(()),
    };
    let AgainArgs { again: Some(asked), unclear } = repeat else { return Ok(()) };
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let run = store.load(&store.reference(asked).map_err(Failure::Store)?).map_err(Failure::Store)?;
    check_verb(&run, verb, *unclear)?;
    let only = if *unclear { undecided_of(&run)? } else { Vec::new() };
    let words = expanded(&run.command, &only, &further(&request::command_line(), verb));
    let parsed = Cli::try_parse_from(&words).map_err(|error| Failure::Usage {
        what: format!("the command of run `{}` cannot be given again: {}", run.id, first_line(&error.to_string())),
        hint: format!("give it by hand: `{}`", shell(&run.command)),
    })?;
    *cli = parsed;
    request::set_command_line(words);
    Ok(())
}

fn first_line(text: &str) -> String {
    clean(text.lines().next().unwrap_or_default().trim_start_matches("error: "))
}

/// Whether this verb made the run.
fn check_verb(run: &Run, verb: &str, unclear: bool) -> Result<(), Failure> {
    let made = run.command.get(1).map(String::as_str).unwrap_or_default();
    let unclear = if unclear { " --unclear" } else { "" };
    let hint = match made {
        _ if made == verb => return Ok(()),
        "run" | "compare" => format!("use the same: `tare {made} --again {}{unclear}`", run.id),
        _ => format!("give its command by hand: `{}`", shell(&run.command)),
    };
    Err(Failure::Usage { what: format!("run `{}` was made by `tare {}`", run.id, clean(made)), hint })
}

fn undecided_of(run: &Run) -> Result<Vec<String>, Failure> {
    let report = tare_analysis::analyse(run);
    let names = match tare_analysis::is_comparison(run) {
        true => undecided_of_comparison(&tare_analysis::compare_run(run, &report)),
        false => undecided(&report),
    };
    match names.is_empty() {
        false => Ok(names),
        true => Err(Failure::Usage {
            what: format!("run `{}` left nothing undecided", run.id),
            hint: "leave out `--unclear` to measure all of it again".to_owned(),
        }),
    }
}

/// What the command line says beside the run.
fn further(words: &[String], verb: &str) -> Vec<String> {
    let mut rest = words.iter().skip(1).peekable();
    let (mut further, mut has_verb) = (Vec::new(), false);
    while let Some(word) = rest.next() {
        match word.as_str() {
            word if word == verb && !has_verb => has_verb = true,
            "--again" => drop(rest.next()),
            "--unclear" => {}
            word if word.starts_with("--again=") => {}
            word => further.push(word.to_owned()),
        }
    }
    further
}

#[cfg(test)]
mod tests {
    use super::further;

    #[test]
    fn what_is_said_beside_the_run_stays() {
        let of = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            further(&words, "run").join(" ")
        };
        assert_eq!(of("tare -v run --again 7f3a --unclear --long -o x.md"), "-v --long -o x.md");
        assert_eq!(of("tare run --launches 9 --again=7f3a --job run"), "--launches 9 --job run");
    }
}
