//! How the child is started, and its arguments.

use crate::child::CHILD;
use crate::declared::Declared;
use crate::metrics::Extra;
use serde::{Deserialize, Serialize};
use tare_model::HARNESS_PROGRAM;

/// Before the argument with a launch's benchmark.
const OF_BENCHMARK: &str = "--tare-benchmark";

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    pub harness: String,
    /// For one that `tare.toml` describes: how to run it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<Declared>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OfBenchmark {
    /// The harness's own name.
    pub name: String,
    pub metrics: Vec<Extra>,
    /// Whether its CPU time covers all its work.
    pub computes: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<String>,
}

impl OfBenchmark {
    /// The arguments of its launches.
    pub(crate) fn arguments(&self) -> Vec<String> {
        vec![OF_BENCHMARK.to_owned(), serde_json::to_string(self).unwrap_or_default()]
    }
}

/// The command of the child: this `tare`, the harness, and the program with its arguments.
pub fn words(tare: &str, spec: &Spec, program: &[String]) -> Vec<String> {
    let spec = serde_json::to_string(spec).unwrap_or_default();
    let own = [tare.to_owned(), CHILD.to_owned(), spec];
    own.into_iter().chain(program.iter().cloned()).collect()
}

/// The program in a command from [`words`]; None for any other command.
pub fn program_of(command: &[String]) -> Option<&str> {
    command.get(1).filter(|word| *word == CHILD)?;
    command.get(HARNESS_PROGRAM).map(String::as_str)
}

/// The parts of the arguments after [`CHILD`].
pub(crate) fn parsed(arguments: &[String]) -> Result<(Spec, Vec<String>, Option<OfBenchmark>), String> {
    let (spec, rest) = arguments.split_first().ok_or("the harness is missing")?;
    let spec = serde_json::from_str(spec).map_err(|error| error.to_string())?;
    Ok(match rest {
        [program @ .., mark, last] if mark == OF_BENCHMARK => {
            (spec, program.to_vec(), Some(serde_json::from_str(last).map_err(|error| error.to_string())?))
        }
        program => (spec, program.to_vec(), None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_of_a_launch_is_read_as_it_was_made() {
        let spec = Spec { harness: "google-benchmark".to_owned(), declared: None };
        let mut command = words("/bin/tare", &spec, &["/b/bench".to_owned(), "--x".to_owned()]);
        assert_eq!(program_of(&command), Some("/b/bench"));
        assert_eq!(parsed(&command[2..]).expect("good"), (spec.clone(), command[3..].to_vec(), None));
        let of = OfBenchmark { name: "BM_a/1".to_owned(), ..OfBenchmark::default() };
        command.extend(of.arguments());
        let program = vec!["/b/bench".to_owned(), "--x".to_owned()];
        assert_eq!(parsed(&command[2..]).expect("good"), (spec, program, Some(of)));
        assert!(parsed(&[]).is_err() && program_of(&["a".to_owned(), "b".to_owned()]).is_none());
    }
}
