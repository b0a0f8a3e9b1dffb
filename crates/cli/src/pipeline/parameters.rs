//! The parameters that `--param` names, and what became of them.

use crate::failure::Failure;
use tare_build::toolchain::BuildFailure;
use tare_model::{Artifact, ChildFacts};
use tare_report::clean;

/// The parameters that `--param` names, and what became of them.
pub(super) struct RequestedParameters {
    names: Vec<String>,
    taken: Vec<String>,
    is_possible: bool,
    /// The command that lists the parameters.
    list: String,
}

impl RequestedParameters {
    pub(super) fn of(built: &[Result<Artifact, BuildFailure>], list: &str) -> RequestedParameters {
        let first = built.iter().find_map(|result| result.as_ref().ok());
        let names =
            first.map_or_else(Vec::new, |a| a.given_by_name().iter().map(|(name, _)| (*name).to_owned()).collect());
        RequestedParameters { names, taken: Vec::new(), is_possible: false, list: list.to_owned() }
    }

    /// Notes what a program said. One that cannot be given values is measured as it is declared.
    pub(super) fn note(
        &mut self,
        artifact: &mut Artifact,
        facts: &ChildFacts,
        outcomes: Vec<tare_runner::SetParameter>,
    ) -> Result<(), Failure> {
        if !facts.can("parameters") {
            artifact.given.clear();
            return Ok(());
        }
        self.is_possible = true;
        for (name, outcome) in outcomes {
            match outcome {
                Ok(0) => {}
                Ok(_) => self.taken.push(name),
                Err(reason) => {
                    return Err(Failure::Usage {
                        what: clean(&format!("`--param` of `{name}`: {reason}")),
                        hint: format!("list the declared values: `{}`", self.list),
                    });
                }
            }
        }
        Ok(())
    }

    /// Every name is a parameter of some benchmark.
    pub(super) fn all_taken(&self) -> Result<(), Failure> {
        let Some(name) = self.names.iter().find(|name| !self.taken.contains(name)) else { return Ok(()) };
        let (what, hint) = match self.is_possible {
            true => (
                format!("no benchmark has a parameter `{}`", clean(name)),
                format!("list the parameters with their values: `{}`", self.list),
            ),
            false => (
                "none of these programs accepts values for parameters".to_owned(),
                "leave `--param` out, and declare the value in the source".to_owned(),
            ),
        };
        Err(Failure::Usage { what, hint })
    }
}
