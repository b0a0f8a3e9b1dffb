//! The user's request: parses the command line, checks it, and fills in `tare.toml`. Also builds the derived values that other code needs.

mod again;
mod amount;
mod build;
pub mod concern;
mod config;
pub mod contradictions;
mod expand;
mod line;
mod resolve;
mod settings;
mod timed;

pub use amount::seed;
#[cfg(any(test, fuzzing))]
pub use config::Config;
pub use expand::is_of_profile;
#[cfg(any(test, fuzzing))]
pub use line::parse_by;
pub use line::{of_words, parse};
pub use resolve::{history_settings, resolve, RECORD};
pub use settings::{code_of, Settings};
pub use timed::{all_found, launches_and_rounds, Timed};

use crate::args::{Cli, ContextArgs, SelectArgs};
use crate::console::Console;
use crate::diagnose::KnownDiagnosers;
use crate::failure::Failure;
use std::path::Path;
use tare_build::discover::Statements;
use tare_build::languages::Language;
use tare_engine::Selection;
use tare_model::{CommandLine, ContextEntry, Run};
use tare_report::{clean, shell_word, Volume};
use tare_store::{RunRef, Store};

pub fn any_of<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

pub fn selection(args: &SelectArgs) -> Selection {
    Selection {
        filters: args.filter.clone(),
        exclusions: args.exclude.clone(),
        categories: args.category.clone(),
        all_categories: args.all_categories.clone(),
        excluded_categories: args.exclude_category.clone(),
        shard: args.shard,
    }
}

pub fn selection_text(selection: &Selection) -> String {
    let flags = |flag: &str, values: &[String]| values.iter().map(|v| format!("`{flag} {v}`")).collect::<Vec<_>>();
    let mut parts = flags("--filter", &selection.filters);
    parts.extend(flags("--category", &selection.categories));
    parts.extend(flags("--all-categories", &selection.all_categories));
    parts.extend(flags("--exclude-category", &selection.excluded_categories));
    parts.extend(flags("--exclude", &selection.exclusions));
    parts.extend(selection.shard.map(|shard| format!("`--shard {shard}`")));
    parts.join(" ")
}

pub fn context(asked: &ContextArgs) -> Result<Vec<ContextEntry>, Failure> {
    let entries = &asked.context;
    let is_second = |at: &usize| entries[..*at].iter().any(|entry| entry.name == entries[*at].name);
    match (0..entries.len()).find(is_second) {
        None => Ok(entries.clone()),
        Some(at) => Err(Failure::Usage {
            what: format!("`--context {}=...` is given twice", clean(&entries[at].name)),
            hint: "give each name once".to_owned(),
        }),
    }
}

fn first_line(error: &clap::Error) -> String {
    clean(error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: "))
}

/// Settles the request before any other code sees the command: refuses contradictory flags, replaces a stored run's name by its request,
/// and fills in defaults.
pub fn settle(cli: &mut Cli, request: CommandLine, console: &Console) -> Result<Settings, Failure> {
    let request = expand::expand(cli, request)?;
    contradictions::check(&request, console)?;
    let request = again::expand(cli, request)?;
    let mut settings = resolve(&cli.command, request)?;
    settings.build.verbose = console.volume == Volume::Verbose;
    Ok(settings)
}

pub fn load(store: &Store, reference: &RunRef) -> Result<Run, Failure> {
    store.load(reference).map_err(Failure::Store)
}

pub fn known_diagnosers() -> Result<KnownDiagnosers, Failure> {
    Ok(config::Config::find(Path::new("."))?.diagnosers())
}

pub fn check_command(command: &[String]) -> Result<(), Failure> {
    command.first().map_or(Ok(()), |program| check_program(program))
}

pub fn check_program(program: &str) -> Result<(), Failure> {
    let hint = match tare_harness::command::resolved(program) {
        Some(_) => return Ok(()),
        None if program.contains('/') && Path::new(program).is_file() => {
            let word = shell_word(&clean(program));
            let interpreter = tare_build::languages::interpreter_of(Path::new(program))
                .map(|name| format!(", or name its interpreter: `{name} {word}`"));
            format!("make it executable: `chmod +x {word}`{}", interpreter.unwrap_or_default())
        }
        None => "give a path, such as `./program`, or a command on the PATH, such as `python3`".to_owned(),
    };
    Err(Failure::Usage { what: clean(&tare_harness::command::why_not(program)), hint })
}

pub fn statements(code: &[String], set_up: &[String]) -> Result<Option<Statements>, Failure> {
    match Language::with_statements().filter(|_| !code.is_empty()) {
        Some(language) => Ok(Some(Statements { language, code: code.to_vec(), set_up: set_up.join("\n") })),
        None if set_up.is_empty() => Ok(None),
        None => Err(Failure::Usage {
            what: "`--set-up` runs before statements, and there is none".to_owned(),
            hint: "name a statement: `tare run --python 'sorted(x)' --set-up 'x = [3, 1]'`".to_owned(),
        }),
    }
}
