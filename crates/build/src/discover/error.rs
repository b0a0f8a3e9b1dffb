use super::similar::similar;
use super::target::Skipped;
use crate::languages::{self, Language, Unbuilt};
use crate::projects;
use crate::toolchain::shell_word;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

fn builds() -> String {
    let of_tools: Vec<&str> = projects::all().iter().map(|tool| tool.tool().title).collect();
    format!("this version builds {}, {}, built programs", languages::titles(), of_tools.join(", "))
}

const PROJECTS_NAMED: usize = 2;

const NAMED: usize = 6;

/// Why targets could not be found. The text is one line; [`DiscoverError::hint`] says what to do.
#[derive(Debug, Error)]
pub enum DiscoverError {
    #[error("`{}` does not exist", .path.display())]
    NotFound { path: PathBuf },
    #[error("cannot read `{}`: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("cannot build `{}`: {}", .path.display(), why_not_built(.path))]
    NotBuilt { path: PathBuf, speaks: bool },
    #[error("nothing to measure in `{}`", .path.display())]
    Nothing { path: PathBuf, seen: Vec<String>, sources: Vec<Language>, unbuilt: Option<PathBuf> },
    /// Everything found was skipped: bench targets of other harnesses.
    #[error("no Tare benchmark in `{}`", .path.display())]
    AllSkipped { path: PathBuf, skipped: Vec<Skipped> },
    #[error("no {what} `{name}`")]
    NoSuch { what: &'static str, name: String, known: Vec<String> },
    #[error("`{flag}` applies to Cargo packages, and there is none here")]
    NotCargo { flag: &'static str },
    #[error("`{}` is not valid: {reason}", .path.display())]
    Manifest { path: PathBuf, reason: String },
    /// A path that is not UTF-8 could not be written into the run.
    #[error("the path `{}` is not valid UTF-8", .path.display())]
    NotUtf8 { path: PathBuf },
}

fn what_was_looked_for(seen: &[String], sources: &[Language]) -> String {
    let mut parts: Vec<String> = seen.iter().take(PROJECTS_NAMED).cloned().collect();
    if seen.len() > parts.len() {
        parts.push(format!("{} more projects have none either", seen.len() - parts.len()));
    }
    if !sources.is_empty() {
        parts.push(format!("looked for {}", languages::signs_of(sources)));
    }
    match parts.is_empty() {
        true => "no project and no source file of a language that Tare builds is there: `tare init --list` lists them"
            .to_owned(),
        false => parts.join("; "),
    }
}

fn why_not_built(path: &Path) -> String {
    match (Unbuilt::of(path), path.extension()) {
        (Some(language), _) => format!("there is no front end for {} yet", language.name),
        (None, Some(suffix)) => {
            format!("`.{}` is not a source file that this version builds", suffix.to_string_lossy())
        }
        (None, None) => "it is neither a source file nor an executable program".to_owned(),
    }
}

impl DiscoverError {
    pub fn hints(&self) -> Vec<String> {
        let hint = match self {
            DiscoverError::NotFound { path } => match similar(path) {
                Some(near) => format!("did you mean `{}`?", near.display()),
                None => "check the path; without one, `tare run` looks in the current folder".into(),
            },
            DiscoverError::Unreadable { path, .. } => format!("check the permissions: `ls -ld {}`", shell_word(path)),
            DiscoverError::NotBuilt { path, speaks } => match (Unbuilt::of(path), path.extension()) {
                (Some(language), _) => return language.hints(path, *speaks),
                (None, Some(suffix)) if suffix == "json" => {
                    "`tare compare OLD NEW` compares saved results, `tare show FILE` shows a `run.json`".to_owned()
                }
                (None, Some(_)) => builds(),
                (None, None) => {
                    format!("make it executable with `chmod +x {}`; {}", shell_word(path), builds())
                }
            },
            DiscoverError::Nothing { seen, sources, unbuilt, .. } => {
                let next = match unbuilt.as_ref().and_then(|path| Some((path, Unbuilt::of(path)?))) {
                    Some((path, language)) => {
                        let hints = language.hints(path, false);
                        format!("there is no front end for {} yet; {}", language.name, hints[0])
                    }
                    None => "write a first benchmark: `tare init`".to_owned(),
                };
                return vec![what_was_looked_for(seen, sources), next];
            }
            DiscoverError::AllSkipped { skipped, .. } => {
                let each: Vec<String> =
                    skipped.iter().take(NAMED).map(|s| format!("`{}` {} ({})", s.name, s.why, s.instead)).collect();
                let more = skipped.len().saturating_sub(NAMED);
                let more = if more > 0 { format!("; and {more} more") } else { String::new() };
                let moving = if skipped.iter().any(Skipped::is_of_another_tool) {
                    "; how to move a benchmark to Tare: `tare help moving`"
                } else {
                    ""
                };
                format!("{}{more}{moving}", each.join("; "))
            }
            DiscoverError::NoSuch { known, what, .. } if known.is_empty() => format!("there is no {what}"),
            DiscoverError::NoSuch { known, .. } => {
                let names: Vec<String> = known.iter().take(2 * NAMED).map(|name| format!("`{name}`")).collect();
                let more = if known.len() > names.len() { ", ..." } else { "" };
                format!("available: {}{more}", names.join(", "))
            }
            DiscoverError::NotCargo { flag } => format!("name a package, or leave `{flag}` out"),
            DiscoverError::Manifest { path, .. } => {
                format!("check it with `cargo metadata --no-deps --manifest-path {}`", shell_word(path))
            }
            DiscoverError::NotUtf8 { .. } => "rename it".into(),
        };
        vec![hint]
    }
}
