use super::cache::{hash_file, Key};
use super::context::{text, BuildContext, BuildResult, Built};
use super::failure::BuildFailure;
use super::harness::{run_by_declared, run_by_harness};
use super::layout;
use crate::discover::Target;
use crate::languages;
use std::io;
use std::path::{Path, PathBuf};
use tare_model::Artifact;

pub(super) const COMMAND: &str = "command";
const PROGRAM: &str = "program";

/// Builds nothing; the program runs in the current folder, as it would from the shell.
pub(crate) fn build(context: &BuildContext, target: &Target) -> BuildResult {
    if let Some((name, declared)) = context.options.discover.harness_of(&target.path) {
        return run_by_declared(target, name, declared);
    }
    let hash = hash_file(&target.path).map_err(BuildFailure::unreadable(&target.path))?;
    let directory = here()?;
    as_it_is(context, target, PROGRAM, vec![text(&target.path)], &directory, hash)
}

/// Builds nothing either: a program from the `PATH` or a path, with its arguments.
pub(crate) fn build_command(context: &BuildContext, target: &Target, words: &[String]) -> BuildResult {
    let program = words.first().map_or("", String::as_str);
    if context.variables.find(program).is_none() {
        let hint = "give a path, such as `./bench`, or a program of the `PATH`, such as `python3`".to_owned();
        return Err(BuildFailure::new(format!("program `{program}` not found"), Some(hint)));
    }
    let directory = here()?;
    let of_language = languages::all().find_map(|language| (language.command)(context, words));
    let words = of_language.unwrap_or_else(|| Ok(words.to_vec()))?;
    let hash = hash_of_command(&words, &directory)
        .map_err(|e| BuildFailure::new(format!("cannot read its parts: {e}"), None))?;
    as_it_is(context, target, COMMAND, words, &directory, hash)
}

fn as_it_is(
    context: &BuildContext,
    target: &Target,
    toolchain: &str,
    command: Vec<String>,
    directory: &Path,
    hash: String,
) -> BuildResult {
    let layouts = layout::none(context, "it was built elsewhere");
    let artifact = Artifact { layouts, ..target.artifact(toolchain, command, directory, hash) };
    Ok(Built { artifact: run_by_harness(artifact)?, cached: true })
}

/// The artifact of a command that is not built, run in the current folder.
pub fn command_artifact(name: &str, words: Vec<String>) -> io::Result<Artifact> {
    let directory = std::env::current_dir()?;
    let hash = hash_of_command(&words, &directory)?;
    let (name, toolchain, directory) = (name.to_owned(), COMMAND.to_owned(), text(&directory));
    Ok(Artifact { name, toolchain, command: words, directory, hash, ..Artifact::default() })
}

/// Hash of a program and its arguments, if any.
pub(super) fn hash_of_program(words: &[String], directory: &Path) -> io::Result<String> {
    match words {
        [program] => hash_file(&directory.join(program)),
        words => hash_of_command(words, directory),
    }
}

/// Hash of the words, and of the content of those that are files.
pub(crate) fn hash_of_command(words: &[String], directory: &Path) -> io::Result<String> {
    let mut key = Key::new(COMMAND);
    for word in words {
        key = key.with(word);
        let path = directory.join(word);
        if path.is_file() {
            key = key.with(hash_file(&path)?);
        }
    }
    Ok(key.finish())
}

pub(crate) fn here() -> Result<PathBuf, BuildFailure> {
    let unusable = |e| {
        let hint = Some("change to another folder".to_owned());
        BuildFailure::new(format!("the current folder cannot be used: {e}"), hint)
    };
    std::env::current_dir().map_err(unusable)
}
