//! Parts of findings: values with units in sentences, and advice as a value. Flags and commands are rendered at the edge.

mod advice;
mod codes;
mod names;
mod number;
mod sentence;

pub use advice::{each_once, Advice, Again, Decide, How, LISTED_MAX};
pub use number::{at_most, Number, Unit};
pub use sentence::{Means, Sentence, Units, Value};

pub(crate) use codes::codes;
pub use codes::Code;
pub(crate) use names::{names, side_name};
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Note,
    /// The number may mislead.
    Warning,
    /// The number must not be used.
    Error,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<u32>,
    /// Indices of all its cases where one remark stands for several; empty otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<u32>,
    pub evidence: Sentence,
    pub advice: Advice,
}

impl Finding {
    pub fn new(code: Code, severity: Severity, evidence: Sentence, advice: impl Into<Sentence>) -> Finding {
        let advice = Advice { text: advice.into(), again: None };
        Finding { code, severity, case: None, cases: Vec::new(), evidence, advice }
    }

    pub fn concerns(&self, case: u32) -> bool {
        self.case == Some(case) || self.cases.contains(&case)
    }

    /// The same with the name of its subject before the evidence: a side, a machine.
    pub fn of(self, name: &str) -> Finding {
        Finding { evidence: Sentence::new("{of}: ").name("of", name).then(self.evidence), ..self }
    }
}
