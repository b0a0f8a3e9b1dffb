//! The event file of a runtime that records what it does while the program runs, in a pass of its own.

use crate::{runtime, Subject};
use std::path::PathBuf;
use tare_model::{Artifact, Lack, LanguageFacts, LateEvents, LaunchChange};

pub(crate) struct Events {
    subject: Subject,
    file: PathBuf,
    runtime: &'static LateEvents,
}

/// How a runtime is asked for events.
pub(crate) type Wanted = fn(&LateEvents) -> fn(&str) -> Vec<(String, String)>;

/// How the runtime of a program reports events; `None` if it compiles nothing or reports none.
fn of_program(program: &Artifact) -> Option<&'static LateEvents> {
    runtime::facts(program)?.late_events.as_ref()
}

/// For a runtime that can report events, why this one cannot.
pub(crate) fn lacks(program: &Artifact) -> Option<Option<Lack>> {
    of_program(program).map(|events| runtime::lack(program, events.lacks))
}

/// Whether a program is inspected through events.
pub(crate) fn are_told(program: &Artifact) -> bool {
    of_program(program).is_some()
}

impl Events {
    /// `None` if its code is in a file. The error says why there is no place for them.
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

    /// Whether a class belongs to the front end.
    pub(crate) fn is_own(&self, class: &str) -> bool {
        let is_of = |own: &&str| class.strip_prefix(*own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.runtime.own.iter().any(is_of)
    }

    /// The file, after the process has ended.
    pub(crate) fn read(&self) -> Result<Vec<u8>, String> {
        runtime::written(&self.file, "events")
    }
}
