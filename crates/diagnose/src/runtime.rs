//! Runtimes that compile a program while it runs: how to start them so that they report on themselves, and what they wrote.

use std::path::Path;
use tare_model::{Artifact, Lack, LanguageFacts, LaunchChange};

/// Larger files are not read, bytes.
const FILE_MAX: u64 = 512 << 20;

/// The facts of a program's language if its runtime compiles while it runs; else `None`.
pub(crate) fn facts(program: &Artifact) -> Option<&'static LanguageFacts> {
    let child = program.child.as_ref().filter(|child| child.compiles_late)?;
    let language = if child.language.is_empty() { &program.language } else { &child.language };
    Some(LanguageFacts::of_any(language))
}

/// Why the runtime of a program cannot do something, by the runtime's name from the child.
pub(crate) fn lack(program: &Artifact, lacks: fn(&str) -> Option<String>) -> Option<Lack> {
    let runtime = program.child.as_ref().and_then(|child| child.runtime.as_deref()).unwrap_or("its runtime");
    let reason = format!("`{}`: {}", program.name, lacks(runtime)?);
    Some(Lack { reason, advice: String::new() })
}

/// A launch with these variables; the user's options come before the diagnoser's.
pub(crate) fn change(language: &LanguageFacts, variables: Vec<(String, String)>) -> LaunchChange {
    let own = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let environment = variables.into_iter().map(|(name, value)| {
        let before = own(&name).filter(|_| language.option_variables.contains(&name.as_str()));
        let value = before.map_or_else(|| value.clone(), |before| format!("{before} {value}"));
        (name, value)
    });
    LaunchChange { environment: environment.collect(), ..LaunchChange::default() }
}

pub(crate) fn written(file: &Path, what: &str) -> Result<Vec<u8>, String> {
    let wrong = |error: std::io::Error| format!("the runtime wrote no {what}: {error}");
    match std::fs::metadata(file).map_err(wrong)?.len() > FILE_MAX {
        true => Err(format!("the runtime wrote more than {} MiB of {what}", FILE_MAX >> 20)),
        false => std::fs::read(file).map_err(wrong),
    }
}
