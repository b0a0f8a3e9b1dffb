//! Programs with benchmarks of another harness: `tare` itself runs them, as a child that speaks the protocol.

use super::cache::hash_file;
use super::context::{text, BuildContext, BuildResult, Built};
use super::failure::BuildFailure;
use super::layout;
use super::program::hash_of_program;
use crate::discover::{harness_in, Target};
use std::path::Path;
use tare_harness::{program_of, words, Declared, Harness, Spec};
use tare_model::{Artifact, HARNESS};

/// The artifact of a program with its arguments, run directly or by its harness.
pub(crate) fn run_by_harness(artifact: Artifact) -> Result<Artifact, BuildFailure> {
    let program = artifact.command.first().map(|program| Path::new(&artifact.directory).join(program));
    match program.and_then(|program| harness_in(&program)) {
        Some(harness) => run_by(artifact, harness),
        None => Ok(artifact),
    }
}

/// The artifact of a program that belongs to this harness.
pub(crate) fn run_by(artifact: Artifact, harness: &dyn Harness) -> Result<Artifact, BuildFailure> {
    let about = harness.about();
    let spec = Spec { harness: about.name.to_owned(), declared: None };
    Ok(Artifact { language: about.language.to_owned(), ..run_as(artifact, &spec)? })
}

/// A file that a harness of `tare.toml` runs, in the folder of the file.
pub(super) fn run_by_declared(target: &Target, name: &str, declared: &Declared) -> BuildResult {
    let hash = hash_file(&target.path).map_err(BuildFailure::unreadable(&target.path))?;
    let artifact = Artifact {
        name: target.name.clone(),
        language: declared.language.clone().unwrap_or_else(|| target.language.name().to_owned()),
        command: vec![text(&target.path)],
        directory: text(target.path.parent().unwrap_or(&target.path)),
        hash,
        ..Artifact::default()
    };
    let spec = Spec { harness: name.to_owned(), declared: Some(declared.clone()) };
    Ok(Built { artifact: run_as(artifact, &spec)?, cached: true })
}

/// Times from other harnesses vary more between launches than those of Tare: a few layouts do not give a comparison enough launches.
const LAYOUTS_MIN: usize = 32;

/// The layouts of a new program that this harness runs; none if there are too few.
pub(crate) fn layouts_for(harness: Option<&dyn Harness>, context: &BuildContext, layouts: Vec<String>) -> Vec<String> {
    let needed = LAYOUTS_MIN.min(context.options.layouts as usize);
    match harness.is_some() && !layouts.is_empty() && layouts.len() < needed {
        true => layout::none(context, &format!("only {} layouts could be linked in time", layouts.len())),
        false => layouts,
    }
}

fn run_as(artifact: Artifact, spec: &Spec) -> Result<Artifact, BuildFailure> {
    let tare = std::env::current_exe()
        .map_err(|e| BuildFailure::new(format!("the path of `tare` is not known: {e}"), None))?;
    let command = words(&text(&tare), spec, &artifact.command);
    Ok(Artifact { toolchain: HARNESS.to_owned(), command, ..artifact })
}

pub(super) fn hash_now(artifact: &Artifact) -> std::io::Result<String> {
    let at = artifact.command.iter().position(|word| Some(word.as_str()) == program_of(&artifact.command));
    hash_of_program(&artifact.command[at.unwrap_or(0)..], Path::new(&artifact.directory))
}
