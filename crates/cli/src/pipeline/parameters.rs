//! The parameters given by `--param`, and how programs used them.

use crate::failure::Failure;
use std::collections::BTreeSet;
use tare_build::toolchain::BuildFailure;
use tare_model::{Artifact, Benchmark, ChildFacts};
use tare_report::clean;

pub(super) struct RequestedParameters {
    names: Vec<String>,
    taken: Vec<String>,
    is_possible: bool,
    /// By parameter name, the problems with values for parameters that are fixed in a program's source.
    fixed: Vec<(String, String)>,
    list: String,
}

impl RequestedParameters {
    pub(super) fn of(built: &[Result<Artifact, BuildFailure>], list: &str) -> RequestedParameters {
        let first = built.iter().find_map(|result| result.as_ref().ok());
        let names =
            first.map_or_else(Vec::new, |a| a.given_by_name().iter().map(|(name, _)| (*name).to_owned()).collect());
        RequestedParameters { names, taken: Vec::new(), is_possible: false, fixed: Vec::new(), list: list.to_owned() }
    }

    /// Records a program's answer. If it cannot be given values, it is measured with its own: all, or those chosen.
    pub(super) fn note(
        &mut self,
        artifact: &mut Artifact,
        facts: &ChildFacts,
        outcomes: Vec<tare_runner::SetParameter>,
        benchmarks: &mut Vec<Benchmark>,
    ) -> Result<(), Failure> {
        if !facts.can("parameters") {
            self.choose(&artifact.given_by_name(), benchmarks);
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

    /// Keeps the benchmarks with the given values, if all of these values are declared.
    fn choose(&mut self, given: &[(&str, Vec<&str>)], benchmarks: &mut Vec<Benchmark>) {
        for (name, values) in given {
            let value_of = |b: &Benchmark| b.parameters.iter().find(|p| p.name == *name).map(|p| p.value.clone());
            let declared: BTreeSet<String> = benchmarks.iter().filter_map(value_of).collect();
            if declared.is_empty() {
                continue;
            }
            match values.iter().find(|value| !declared.contains(**value)) {
                Some(value) => {
                    let declared: Vec<String> = declared.into_iter().collect();
                    let why = format!(
                        "there is no `{value}`, and the values are fixed in the source: {}",
                        declared.join(", ")
                    );
                    self.fixed.push(((*name).to_owned(), why));
                }
                None => {
                    benchmarks.retain(|b| value_of(b).is_none_or(|value| values.contains(&value.as_str())));
                    self.taken.push((*name).to_owned());
                }
            }
        }
    }

    pub(super) fn all_taken(&self) -> Result<(), Failure> {
        let Some(name) = self.names.iter().find(|name| !self.taken.contains(name)) else { return Ok(()) };
        let fixed = self.fixed.iter().find(|(fixed, _)| fixed == name);
        let (what, hint) = match self.is_possible {
            _ if fixed.is_some() => (
                clean(&format!("`--param` of `{name}`: {}", fixed.map_or("", |(_, why)| why))),
                "choose some of them, or declare another value in the source".to_owned(),
            ),
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

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::Parameter;

    fn parameter(name: &str, value: &str) -> Parameter {
        Parameter { name: name.to_owned(), value: value.to_owned(), kind: None }
    }

    /// The values of `n` kept for a program with fixed values, and the message for the user.
    fn chosen(given: &[&str]) -> (Vec<String>, Option<String>) {
        let given = given.iter().map(|value| parameter("n", value)).collect();
        let mut artifact = Artifact { given, ..Artifact::default() };
        let of = |value: &str| Benchmark { parameters: vec![parameter("n", value)], ..Benchmark::default() };
        let mut benchmarks = vec![of("1"), of("8"), of("64"), Benchmark::default()];
        let mut requested = RequestedParameters::of(&[Ok(artifact.clone())], "tare list .");
        requested.note(&mut artifact, &ChildFacts::default(), Vec::new(), &mut benchmarks).expect("taken");
        assert!(artifact.given.is_empty(), "the program is given none");
        let left = benchmarks.iter().flat_map(|b| &b.parameters).map(|p| p.value.clone()).collect();
        (left, requested.all_taken().err().map(|failure| format!("{failure:?}")))
    }

    #[test]
    fn values_that_are_fixed_in_the_source_can_be_chosen() {
        assert_eq!(chosen(&["8", "1"]), (vec!["1".to_owned(), "8".to_owned()], None));
        let (left, told) = chosen(&["8", "2"]);
        assert_eq!(left.len(), 3);
        assert!(told.expect("told").contains("there is no `2`, and the values are fixed in the source: 1, 64, 8"));
    }
}
