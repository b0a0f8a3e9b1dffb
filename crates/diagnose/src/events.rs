//! A runtime that writes down what it does while the program runs: the file with its events, in a pass of its own.

use crate::Subject;
use std::path::{Path, PathBuf};
use tare_model::{Artifact, Lack, LanguageFacts, LateEvents, LaunchChange};

/// A larger file is not read, bytes.
const FILE_MAX: u64 = 512 << 20;

/// The events of a pass.
pub(crate) struct Events {
    subject: Subject,
    file: PathBuf,
    runtime: &'static LateEvents,
}

/// How a runtime is asked for events.
pub(crate) type Wanted = fn(&LateEvents) -> fn(&str) -> Vec<(String, String)>;

/// How the runtime of a program tells what it does; None: it compiles nothing, or tells nothing.
fn of_program(program: &Artifact) -> Option<&'static LateEvents> {
    let child = program.child.as_ref().filter(|child| child.compiles_late)?;
    let language = if child.language.is_empty() { &program.language } else { &child.language };
    LanguageFacts::of_any(language).late_events.as_ref()
}

/// Whether the runtime of a program tells what it does, and why this one cannot.
pub(crate) fn lacks(program: &Artifact) -> Option<Option<Lack>> {
    let events = of_program(program)?;
    let runtime = program.child.as_ref().and_then(|child| child.runtime.as_deref()).unwrap_or("its runtime");
    let reason = (events.lacks)(runtime);
    Some(reason.map(|reason| Lack { reason: format!("`{}`: {reason}", program.name), advice: String::new() }))
}

/// Whether a program is looked at by its events.
pub(crate) fn are_told(program: &Artifact) -> bool {
    of_program(program).is_some()
}

impl Events {
    /// None: its code is in a file.
    ///
    /// # Errors
    /// Why they have no place.
    pub(crate) fn of(subject: &Subject) -> Result<Option<Events>, String> {
        let facts = LanguageFacts::of_any(&subject.language);
        let Some(runtime) = facts.late_events.as_ref().filter(|_| subject.compiles_late) else { return Ok(None) };
        let folder = subject.folder.as_deref().ok_or("there is no folder for the events of the runtime")?;
        Ok(Some(Events { subject: subject.clone(), file: folder.join("events"), runtime }))
    }

    pub(crate) fn change(&self, wanted: Wanted) -> LaunchChange {
        let environment = wanted(self.runtime)(&self.file.display().to_string()).into_iter().collect();
        LaunchChange { environment, ..LaunchChange::default() }
    }

    pub(crate) fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Whether a class is of the front end.
    pub(crate) fn is_own(&self, class: &str) -> bool {
        let is_of = |own: &&str| class.strip_prefix(*own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.runtime.own.iter().any(|own| is_of(&own))
    }

    /// The file, after the process has ended.
    pub(crate) fn read(&self) -> Result<Vec<u8>, String> {
        written(&self.file, "events")
    }
}

/// What a runtime wrote into a file.
pub(crate) fn written(file: &Path, what: &str) -> Result<Vec<u8>, String> {
    let wrong = |error: std::io::Error| format!("the runtime wrote no {what}: {error}");
    match std::fs::metadata(file).map_err(wrong)?.len() > FILE_MAX {
        true => Err(format!("the runtime wrote more than {} MiB of {what}", FILE_MAX >> 20)),
        false => std::fs::read(file).map_err(wrong),
    }
}
