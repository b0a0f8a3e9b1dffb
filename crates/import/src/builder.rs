//! Collects the cases of a file: checks their values, keeps keys unique, counts.

use crate::node::Fault;
use std::collections::{HashMap, HashSet};
use tare_analysis::{Code, Finding, Saved, SavedCase, SavedDesign, SavedFailure, Sentence, Severity};
use tare_model::{Failure, FailureKind, Parameter, Step};

/// A side under construction.
pub(crate) struct Builder {
    saved: Saved,
    /// What tells cases of one key apart, beside each case.
    distinctions: Vec<String>,
    /// Keys of what failed.
    failed: HashSet<String>,
    values: usize,
}

impl Builder {
    pub fn new(tool: &'static str) -> Builder {
        let saved = Saved { tool: tool.to_owned(), ..Saved::default() };
        Builder { saved, distinctions: Vec::new(), failed: HashSet::new(), values: 0 }
    }

    /// A fact about machine, system, build or tool, where it is known.
    pub fn fact(&mut self, name: &str, value: Option<impl Into<String>>) {
        let value = value.map(Into::into).map(|v: String| v.trim().to_owned());
        if let Some(value) = value.filter(|v| !v.is_empty()) {
            self.saved.machine.insert(name.to_owned(), value);
        }
    }

    /// A case. Where its key is that of another one in the file, `distinction` is added to both.
    pub fn case(&mut self, case: SavedCase, distinction: impl Into<String>) -> Result<(), Fault> {
        self.values += case.values();
        if self.values > crate::VALUES_MAX {
            return Err(Fault::TooManyValues);
        }
        match unusable(&case) {
            Some(reason) => self.failed(&case.key, format!("no usable time: {reason}")),
            None => {
                self.saved.cases.push(case);
                self.distinctions.push(distinction.into());
            }
        }
        Ok(())
    }

    /// A benchmark that has no times.
    pub fn failed(&mut self, key: &str, message: impl Into<String>) {
        let cause = FailureKind::Exception { message: message.into(), exception: None, place: None };
        if self.failed.insert(key.to_owned()) {
            let failure = Failure { cause, step: Step::Body, output: Vec::new() };
            self.saved.failed.push(SavedFailure { key: key.to_owned(), name: key.to_owned(), failure });
        }
    }

    /// A remark about what was read.
    pub fn finding(&mut self, code: Code, severity: Severity, evidence: Sentence, advice: impl Into<Sentence>) {
        self.saved.findings.push(Finding::new(code, severity, evidence, advice));
    }

    /// The side; `detail` in one line.
    pub fn finish(mut self, detail: String) -> Result<Saved, Fault> {
        if self.saved.cases.is_empty() && self.saved.failed.is_empty() && self.saved.findings.is_empty() {
            return Err(Fault::NoBenchmarks);
        }
        self.saved.detail = detail;
        self.make_unique();
        Ok(self.saved)
    }

    /// Gives every case a key of its own: with what tells it apart, else with a number.
    fn make_unique(&mut self) {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for case in &self.saved.cases {
            *counts.entry(case.key.clone()).or_default() += 1;
        }
        let mut used: HashMap<String, usize> = HashMap::new();
        let mut repeated = Vec::new();
        for (case, distinction) in self.saved.cases.iter_mut().zip(&self.distinctions) {
            if counts[&case.key] > 1 {
                case.key.push_str(distinction);
            }
            let count = used.entry(case.key.clone()).or_default();
            *count += 1;
            if *count > 1 {
                repeated.push(case.key.clone());
                case.key = format!("{}#{count}", case.key);
            }
        }
        if let Some(first) = repeated.first() {
            let evidence = Sentence::new("{count} benchmarks share their name with another one, such as `{first}`")
                .count("count", repeated.len())
                .text("first", first);
            let advice = "give each benchmark its own name: these can only be told apart by their order";
            self.finding(Code::SameName, Severity::Warning, evidence, advice);
        }
    }
}

/// Why the values of a case cannot be used.
pub(crate) fn unusable(case: &SavedCase) -> Option<String> {
    let bad = |v: f64| !(v.is_finite() && v > 0.0);
    if let SavedDesign::Summary(summary) = case.design {
        return match summary.median_ns.or(summary.mean_ns) {
            None => Some("neither single values nor a mean".to_owned()),
            Some(value) if bad(value) => Some(format!("its mean is {value} ns")),
            Some(_) => None,
        };
    }
    let count = case.values();
    if count == 0 {
        return Some("no value was recorded".to_owned());
    }
    let values = case.launches.iter().flatten().enumerate();
    let (place, value) = values.filter(|(_, v)| bad(**v)).map(|(i, v)| (i, *v)).next()?;
    Some(format!("value {} of {count} is {value} ns", place + 1))
}

/// Text of parameters behind a name: `[n=1, kind=a]`; empty without parameters.
pub(crate) fn parameter_suffix(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let parts: Vec<String> = parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
    format!("[{}]", parts.join(", "))
}

/// A parameter.
pub(crate) fn parameter(name: impl Into<String>, value: impl Into<String>) -> Parameter {
    Parameter::new(name, value)
}

/// Joins different values in the order of their first appearance.
pub(crate) fn joined<'a>(values: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut different: Vec<&str> = Vec::new();
    for value in values {
        if !value.is_empty() && !different.contains(&value) && different.len() < 32 {
            different.push(value);
        }
    }
    (!different.is_empty()).then(|| different.join("; "))
}

/// Nanoseconds of a unit of time.
pub(crate) fn unit_ns(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" | "sec" | "second" | "seconds" => 1e9,
        "m" | "min" => 60e9,
        "h" | "hr" => 3600e9,
        "d" | "day" => 86_400e9,
        _ => return None,
    })
}
