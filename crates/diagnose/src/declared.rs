//! A diagnoser that programs bring themselves: their front end names it in `hello`.

use crate::{Diagnoser, Work};
use tare_model::{Artifact, Lack};

/// A diagnoser of programs, known by its name alone.
#[derive(Debug)]
pub struct Declared {
    name: String,
}

impl Declared {
    /// The diagnoser of this name.
    pub fn new(name: &str) -> Declared {
        Declared { name: name.to_owned() }
    }
}

impl Diagnoser for Declared {
    fn name(&self) -> &str {
        &self.name
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        (!program.declares(&self.name)).then(|| Lack { reason: String::new(), advice: String::new() })
    }

    fn work(&self) -> Work {
        Work::Diagnose
    }
}
