//! Collects the cases of a file: checks their values, keeps keys unique, counts values.

use crate::node::{Fault, Node};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use tare_analysis::{Better, Code, Finding, Saved, SavedCase, SavedDesign, SavedFailure, Sentence, Severity};
use tare_model::{Failure, FailureKind, Parameter, Step};

/// The peak memory of a process, named as in runs of Tare, with its unit.
pub(crate) const PEAK_MEMORY: &str = "peak_memory B";

/// The kind of time of calls that are the first of their process, or nearly.
pub(crate) const COLD: &str = "wall time of cold calls";

pub(crate) struct Builder {
    saved: Saved,
    /// Failed or skipped entries, without duplicates.
    failed: HashSet<(String, String, bool)>,
    /// The fault of the first unreadable entry, and the number of such entries.
    unreadable: Option<(Fault, usize)>,
    values: usize,
}

impl Builder {
    pub fn new(tool: &'static str) -> Builder {
        let saved = Saved { tool: tool.to_owned(), ..Saved::default() };
        Builder { saved, failed: HashSet::new(), unreadable: None, values: 0 }
    }

    pub fn fact(&mut self, name: &str, value: Option<impl Into<String>>) {
        let value = value.map(Into::into).map(|v: String| v.trim().to_owned());
        if let Some(value) = value.filter(|v| !v.is_empty()) {
            self.saved.machine.insert(name.to_owned(), value);
        }
    }

    /// Adds a case. If another one in the file has the same key, `distinction` is added to both.
    pub fn case(&mut self, case: SavedCase, distinction: impl Into<String>) -> Result<(), Fault> {
        self.values += case.values();
        if self.values > crate::VALUES_MAX {
            return Err(Fault::TooManyValues);
        }
        let case = with_name(case);
        match unusable(&case) {
            Some(reason) => self.lost(&case, format!("no usable time: {reason}")),
            None => {
                let (stem, distinction) = (case.key.clone(), distinction.into());
                self.saved.cases.push(SavedCase { stem, distinction, ..case });
            }
        }
        Ok(())
    }

    /// Adds a benchmark without times, of which only the key is known.
    pub fn failed(&mut self, key: &str, message: impl Into<String>) {
        self.lost(&SavedCase::new(key, key), message);
    }

    /// Adds a benchmark without times: a failure, with the name that patterns of `--filter` match.
    pub fn lost(&mut self, case: &SavedCase, message: impl Into<String>) {
        let case = &with_name(case.clone());
        self.without_times(case, SavedFailure::because(case.key.as_str(), case.selector(), message));
    }

    fn without_times(&mut self, case: &SavedCase, failed: SavedFailure) {
        let (job, portable_key) = (case.job.clone(), case.portable_key.clone());
        let failed = SavedFailure { job, portable_key, ..failed };
        if self.failed.insert(failed.identity()) {
            self.saved.failed.push(failed);
        }
    }

    /// Adds a benchmark that was skipped, which is not a failure.
    pub fn skipped(&mut self, case: &SavedCase, reason: &str) {
        let reason = if reason.is_empty() { "no reason given" } else { reason };
        let cause = FailureKind::Skipped { reason: reason.to_owned() };
        let failure = Failure { cause, step: Step::Body, output: Vec::new() };
        self.without_times(case, SavedFailure::new(case.key.as_str(), case.selector(), failure));
    }

    /// Adds a benchmark with an unreadable entry, which affects no other. If no other entry can be read either, the file is broken.
    pub fn unreadable(&mut self, case: &SavedCase, fault: Fault, root: &Node) -> Result<(), Fault> {
        if fault == Fault::TooManyValues {
            return Err(fault);
        }
        self.lost(case, format!("its entry in the file cannot be read: {}", fault.text(root)));
        self.unreadable = Some(self.unreadable.take().map_or((fault, 1), |(first, count)| (first, count + 1)));
        Ok(())
    }

    /// A metric of a case in this unit, with one list of values for each process.
    pub fn metric(case: &SavedCase, unit: &str, better: Better, launches: Vec<Vec<f64>>) -> SavedCase {
        SavedCase {
            design: if launches.len() > 1 { SavedDesign::Launches } else { SavedDesign::Iterations },
            quantity: unit.to_owned(),
            better,
            launches,
            operations: None,
            metrics: Vec::new(),
            otherwise: None,
            shown: None,
            own_error: None,
            resolution_ns: None,
            ..case.clone()
        }
    }

    /// Notes that these metrics are in no row, and why.
    pub fn metrics_left_out(&mut self, names: BTreeSet<String>, why: &str, advice: &str) {
        if !names.is_empty() {
            let evidence = Sentence::new("metrics left out, because {why}: {names}")
                .text("why", why)
                .names("names", names.into_iter().collect());
            self.finding(Code::LeftOut, Severity::Note, evidence, advice);
        }
    }

    pub fn finding(&mut self, code: Code, severity: Severity, evidence: Sentence, advice: impl Into<Sentence>) {
        self.saved.findings.push(Finding::new(code, severity, evidence, advice));
    }

    /// Finishes the side; `detail` is one line.
    pub fn finish(mut self, detail: String) -> Result<Saved, Fault> {
        if self.saved.cases.is_empty() && self.saved.failed.is_empty() && self.saved.findings.is_empty() {
            return Err(Fault::NoBenchmarks);
        }
        let is_all = |count: usize| self.saved.cases.is_empty() && self.saved.failed.len() <= count;
        if let Some((fault, _)) = self.unreadable.take().filter(|(_, count)| is_all(*count)) {
            return Err(fault);
        }
        self.saved.detail = detail;
        self.make_unique();
        Ok(self.saved)
    }

    /// Gives every case a unique key, and notes if only the order distinguishes them.
    fn make_unique(&mut self) {
        let repeated = self.saved.tell_apart();
        // Two cases must differ on screen: if group, name and parameters are the same, the whole key is shown.
        let shown: Vec<(String, String)> = self.saved.cases.iter().map(|c| (c.selector(), c.job.clone())).collect();
        let mut counts: HashMap<&(String, String), usize> = HashMap::new();
        shown.iter().for_each(|one| *counts.entry(one).or_default() += 1);
        for (case, one) in self.saved.cases.iter_mut().zip(&shown) {
            if counts[one] > 1 {
                case.name = case.key.strip_prefix(&format!("{}/", case.group)).unwrap_or(&case.key).to_owned();
                case.parameters.clear();
            }
        }
        // With several jobs, a failure names the job that failed.
        let of_cases = self.saved.cases.iter().map(|case| &case.job);
        let all = of_cases.chain(self.saved.failed.iter().map(|failed| &failed.job)).filter(|job| !job.is_empty());
        let several = all.collect::<HashSet<_>>().len() > 1;
        for failed in self.saved.failed.iter_mut().filter(|failed| several && !failed.job.is_empty()) {
            failed.key = format!("{}@{}", failed.stem, failed.job);
        }
        if !repeated.is_empty() {
            let names: BTreeSet<String> = repeated.into_iter().collect();
            let evidence = Sentence::new("several benchmarks have the same name: {names}")
                .names("names", names.into_iter().collect());
            let advice = "give each benchmark its own name: these can only be distinguished by their order";
            self.finding(Code::SameName, Severity::Warning, evidence, advice);
        }
    }
}

/// Ensures that a case has a name to show.
fn with_name(case: SavedCase) -> SavedCase {
    const NAMELESS: &str = "(no name)";
    let named = |text: String| if text.trim().is_empty() { NAMELESS.to_owned() } else { text };
    SavedCase { key: named(case.key), name: named(case.name), ..case }
}

/// `a/b/c` of these parts. If a part contains a slash, the parts before `c` are appended behind `@`, since `b/c` in `a` is not `c` in
/// `a/b`.
pub(crate) fn key_of(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    match parts.iter().any(|part| part.contains('/')) {
        true => format!("{}@{}", parts.join("/"), parts[..parts.len() - 1].join("@")),
        false => parts.join("/"),
    }
}

pub(crate) fn unusable(case: &SavedCase) -> Option<String> {
    /// A lifetime: no measurement takes longer.
    const LONGEST_NS: f64 = 3e18;
    /// Light is not a nanometre further by then.
    const SHORTEST_NS: f64 = 1e-9;
    let bad = |v: f64| !(SHORTEST_NS..LONGEST_NS).contains(&v);
    if let SavedDesign::Summary(summary) = case.design {
        return match summary.median_ns.or(summary.mean_ns) {
            None => Some("neither single values nor a mean".to_owned()),
            Some(value) if bad(value) => Some(format!("its mean is {} ns", plainly(value))),
            Some(_) => None,
        };
    }
    if !case.has_time() {
        return None;
    }
    let count = case.values();
    if count == 0 {
        return Some("no value was recorded".to_owned());
    }
    let values = case.launches.iter().flatten().enumerate();
    let (place, value) = values.filter(|(_, v)| bad(**v)).map(|(i, v)| (i, *v)).next()?;
    Some(format!("value {} of {count} is {} ns", place + 1, plainly(value)))
}

fn plainly(value: f64) -> String {
    const MANY: f64 = 1e15;
    match value.is_finite() && (value.abs() >= MANY || (value != 0.0 && value.abs() < 1.0 / MANY)) {
        true => format!("{value:e}"),
        false => value.to_string(),
    }
}

/// The fields among these that an object has, as settings.
pub(crate) fn settings(of: &Node, names: &[&'static str]) -> BTreeMap<&'static str, String> {
    names.iter().filter_map(|name| Some((*name, of.get(name)?.plain()?))).collect()
}

/// The fewest and most of some numbers of calls; None if one of them is unknown.
pub(crate) fn calls(counts: impl IntoIterator<Item = Option<f64>>) -> Option<[f64; 2]> {
    let both = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    let counts = counts.into_iter().map(|count| count.filter(|c| c.is_finite() && *c >= 1.0).map(|c| [c, c]));
    counts.reduce(|a, b| Some(both(a?, b?)))?
}

/// Parameters after a name: `[n=1, kind=a]`; empty if there are none.
pub(crate) fn parameter_suffix(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let parts: Vec<String> = parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
    format!("[{}]", parts.join(", "))
}

pub(crate) fn parameter(name: impl Into<String>, value: impl Into<String>) -> Parameter {
    Parameter::new(name, value)
}

pub(crate) fn joined<'a>(values: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut different: Vec<&str> = Vec::new();
    for value in values {
        if !value.is_empty() && !different.contains(&value) && different.len() < 32 {
            different.push(value);
        }
    }
    (!different.is_empty()).then(|| different.join("; "))
}

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
