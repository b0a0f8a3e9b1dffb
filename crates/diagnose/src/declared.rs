//! A diagnoser that a program implements itself: its front end names it in `hello`.

use crate::{told, Diagnoser, Findings, Pass, Subject, Work};
use tare_model::{Artifact, ChildFindings, Lack, LaunchChange};

/// A diagnoser of programs, known only by name.
#[derive(Debug)]
pub struct Declared {
    name: String,
    found: ChildFindings,
}

impl Declared {
    pub fn new(name: &str) -> Declared {
        Declared { name: name.to_owned(), found: ChildFindings::default() }
    }
}

impl Diagnoser for Declared {
    fn name(&self) -> &str {
        &self.name
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        (!program.declares(&self.name)).then(|| Lack { reason: String::new(), advice: String::new() })
    }

    fn pass(&self, _: &Artifact) -> Pass {
        Pass::of(Work::Diagnose)
    }

    fn begin(&mut self, _: &Subject) -> Result<LaunchChange, String> {
        self.found = ChildFindings::default();
        Ok(LaunchChange::default())
    }

    fn told(&mut self, found: ChildFindings) {
        self.found = found;
    }

    fn findings(&mut self) -> Result<Findings, String> {
        Ok(told::findings(&self.name, std::mem::take(&mut self.found)))
    }
}
