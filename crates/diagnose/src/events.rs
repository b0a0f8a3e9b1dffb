//! A runtime that writes down what it does while the program runs: the file with its events, in a pass of its own.

use crate::{runtime, Subject};
use std::path::PathBuf;
use tare_model::{Artifact, Lack, LanguageFacts, LateEvents, LaunchChange};

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
    runtime::facts(program)?.late_events.as_ref()
}

/// Whether the runtime of a program tells what it does, and why this one cannot.
pub(crate) fn lacks(program: &Artifact) -> Option<Option<Lack>> {
    of_program(program).map(|events| runtime::lack(program, events.lacks))
}

/// Whether a program is looked at by its events.
pub(crate) fn are_told(program: &Artifact) -> bool {
    of_program(program).is_some()
}

impl Events {
    /// None: its code is in a file.
    /// Err: why they have no place.
    pub(crate) fn of(subject: &Subject) -> Result<Option<Events>, String> {
        let facts = LanguageFacts::of_any(&subject.language);
        let Some(runtime) = facts.late_events.as_ref().filter(|_| subject.compiles_late) else { return Ok(None) };
        let folder = subject.folder.as_deref().ok_or("there is no folder for the events of the runtime")?;
        Ok(Some(Events { subject: subject.clone(), file: folder.join("events"), runtime }))
    }

    pub(crate) fn change(&self, wanted: Wanted) -> LaunchChange {
        let facts = LanguageFacts::of_any(&self.subject.language);
        runtime::change(facts, wanted(self.runtime)(&self.file.display().to_string()))
    }

    pub(crate) fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Whether a class is of the front end.
    pub(crate) fn is_own(&self, class: &str) -> bool {
        let is_of = |own: &&str| class.strip_prefix(*own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.runtime.own.iter().any(is_of)
    }

    /// The file, after the process has ended.
    pub(crate) fn read(&self) -> Result<Vec<u8>, String> {
        runtime::written(&self.file, "events")
    }
}
