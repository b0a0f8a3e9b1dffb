//! `--again RUN`: repeats the command of a stored run. It is replaced by that command first, so that the new run's command needs no other
//! run.

use crate::args::{AgainArgs, Cli, Command};
use crate::failure::{shell, Failure};
use crate::request;
use std::path::Path;
use tare_model::{CommandLine, Run};
use tare_report::{clean, once_more, undecided, undecided_of_comparison};
use tare_store::Store;

pub fn expand(cli: &mut Cli, request: CommandLine) -> Result<CommandLine, Failure> {
    let (verb, repeat) = match &cli.command {
        Command::Run(args) => ("run", &args.repeat),
        Command::Compare(args) => ("compare", &args.repeat),
        _ => return Ok(request),
    };
    let AgainArgs { again: Some(asked), unclear } = repeat else { return Ok(request) };
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let run = request::load(&store, &store.reference(asked).map_err(Failure::Store)?)?;
    check_verb(&run, verb, *unclear)?;
    let only = if *unclear { undecided_of(&run)? } else { Vec::new() };
    let words = once_more(&run.request, &only, &request).words();
    let (parsed, request) = request::parse(&words).map_err(|error| Failure::Usage {
        what: format!("the command of run `{}` cannot be repeated: {}", run.id, request::first_line(&error)),
        hint: format!("run it by hand: `{}`", shell(&run.command)),
    })?;
    *cli = parsed;
    Ok(request)
}

fn check_verb(run: &Run, verb: &str, unclear: bool) -> Result<(), Failure> {
    let made = run.request.verb.as_str();
    let unclear = if unclear { " --unclear" } else { "" };
    let hint = match made {
        _ if made == verb => return Ok(()),
        "run" | "compare" => format!("use the same: `tare {made} --again {}{unclear}`", run.id),
        _ => format!("run its command by hand: `{}`", shell(&run.command)),
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
