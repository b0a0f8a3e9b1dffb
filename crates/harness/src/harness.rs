//! What a harness is to Tare.

use crate::{Suite, Trouble, ALL};
use serde::{Deserialize, Serialize};
use tare_analysis::Saved;
use tare_model::Parameter;

/// A harness that others wrote: its programs are listed, and run for one benchmark.
pub trait Harness: Sync {
    /// The word for it in commands and in `tare.toml`.
    fn name(&self) -> &str;
    /// As people call it.
    fn title(&self) -> &str;
    /// Language of its benchmarks, as artifacts have it.
    fn language(&self) -> &str;
    /// Whether a built program is of it, by its bytes: nothing is started.
    fn is_in(&self, program: &[u8]) -> bool;
    /// The benchmarks of a program.
    ///
    /// # Errors
    /// The program fails, or says what cannot be understood.
    fn list(&self, suite: &Suite) -> Result<Vec<Listed>, Trouble>;
    /// A process that runs every benchmark as briefly as it can, for what they count beside their time. None where that is not known, or
    /// takes too long.
    fn look(&self, suite: &Suite) -> Option<Saved>;
    /// A process that measures one benchmark.
    ///
    /// # Errors
    /// The program fails, or has no result of the benchmark.
    fn measure(&self, suite: &Suite, name: &str) -> Result<Measured, Trouble>;
    /// Whether the CPU time of this benchmark is all of its work, so that it may stand for the time beside other processes: it computes, in
    /// one thread.
    fn computes(&self, listed: &Listed) -> bool {
        _ = listed;
        false
    }
    /// Which of the values of a process verdicts use.
    fn statistic(&self) -> Statistic {
        Statistic::Mean
    }
}

/// What a process has measured.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// Its results.
    pub saved: Saved,
    /// How often the benchmark ran for them; None where that is not told.
    pub iterations: Option<f64>,
}

/// How the values of a process make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// Their arithmetic mean.
    Mean,
    /// The one in the middle.
    Median,
}

/// A benchmark as its harness lists it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    /// As the harness calls it: by this it is chosen.
    pub full: String,
    /// Its group; may be empty.
    pub group: String,
    /// Its name without parameters.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The name of its results, as the importer makes it.
    pub key: String,
}

impl Listed {
    /// A benchmark whose name says nothing more.
    pub(crate) fn of_name(name: &str) -> Listed {
        Listed { full: name.to_owned(), name: name.to_owned(), key: name.to_owned(), ..Listed::default() }
    }
}

/// A text as a regular expression that fits it alone.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| ".[{()*+?^$|\\".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

/// The harness of a built program, if it has one that is known.
pub fn of_program(program: &[u8]) -> Option<&'static dyn Harness> {
    ALL.iter().copied().find(|harness| harness.is_in(program))
}

/// Whether programs of the harness that is called so can be run.
pub fn knows(name: &str) -> bool {
    ALL.iter().any(|harness| [harness.name(), harness.title()].contains(&name))
}

/// The harness of this name.
pub(crate) fn named(name: &str) -> Option<&'static dyn Harness> {
    ALL.iter().copied().find(|harness| harness.name() == name)
}
