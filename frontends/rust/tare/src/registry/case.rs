use super::{Bench, Choice, Rate};
use crate::guard::guard;
use crate::show::record;
use crate::vtable::Vtable;

/// A benchmark with its parameters filled in.
pub(crate) struct Case {
    pub(crate) bench: &'static Bench,
    pub(crate) choice: Choice,
    pub(crate) parameters: Vec<(&'static str, String)>,
    /// The type of each value, in the protocol's terms.
    pub(crate) types: Vec<&'static str>,
    pub(crate) operations: u64,
    pub(crate) rates: Vec<Rate>,
    /// The number of threads that the body uses, or that run it.
    pub(crate) threads: u32,
    /// The reason to skip it, if any.
    pub(crate) skipped: Option<String>,
    /// The declared name, changed if another case has it.
    pub(crate) name: String,
    pub(crate) vtable: Vtable,
    /// An error in its declaration, which makes it fail.
    pub(crate) fault: Option<String>,
}

/// The maximum number of threads in lockstep; more is assumed to be a mistake.
const MOST_THREADS: u32 = 4096;

impl Case {
    /// A case without values of parameters.
    pub(super) fn of(bench: &'static Bench) -> Case {
        let generics = bench.generics.iter().map(|&(name, value)| (name, value.to_owned()));
        let types = bench.generics.iter().map(|&(_, value)| match value {
            "true" | "false" => "boolean",
            value if value.parse::<i128>().is_ok() => "integer",
            _ => "text",
        });
        Case {
            bench,
            choice: Choice(Vec::new(), bench.added),
            parameters: generics.collect(),
            types: types.collect(),
            operations: 1,
            rates: Vec::new(),
            threads: bench.threads,
            skipped: None,
            name: bench.name.to_owned(),
            vtable: (bench.vtable)(),
            fault: None,
        }
    }

    /// Takes the number of threads from the last parameter.
    pub(super) fn run_on_threads(&mut self) {
        let said = self.parameters.last().map_or("", |(_, value)| value);
        match said.parse() {
            Ok(threads @ 1..=MOST_THREADS) => self.threads = threads,
            _ => self.fault = Some(format!("`threads` is {said}; it must be a whole number from 1 to {MOST_THREADS}")),
        }
    }

    /// Computes the declared operations and rates.
    pub(super) fn count(&mut self) {
        let bench = self.bench;
        let operations = guard("set-up", || (bench.operations)(&self.choice));
        let rates = guard("set-up", || bench.rates.map_or(Ok(Vec::new()), |rates| rates(&self.choice)));
        for failure in [operations.as_ref().err(), rates.as_ref().err()].into_iter().flatten() {
            self.fault.get_or_insert(failure.what());
        }
        self.operations = operations.unwrap_or(1);
        self.rates = rates.unwrap_or_default();
        if let Some(added) = bench.added {
            self.operations = added.operations;
            self.rates.extend(added.rates.iter().map(|(name, amount)| Rate::new(name, Some(*amount))));
            self.skipped = added.skipped.clone();
        }
        if bench.team {
            if self.rates.is_empty() {
                self.rates.push(Rate::new("calls", Some(1)));
            }
            // The amounts of all threads together.
            for amount in self.rates.iter_mut().filter_map(|rate| rate.amount.as_mut()) {
                *amount = amount.saturating_mul(u64::from(self.threads));
            }
        }
    }

    pub(crate) fn group(&self) -> &'static str {
        self.bench.group.unwrap_or_else(|| self.bench.module.split_once("::").map_or("", |(_, inner)| inner))
    }

    /// Tells it from the other cases, whose order may differ between processes.
    pub(crate) fn key(&self) -> String {
        format!("{:016x}", record(format_args!("{}", self.full_name())).hash)
    }

    /// `group/name/parameter=value/...`, the name for filters and cargo-nextest.
    pub(crate) fn full_name(&self) -> String {
        let mut name = match self.group() {
            "" => self.name.clone(),
            group => format!("{group}/{}", self.name),
        };
        for (parameter, value) in &self.parameters {
            name += &format!("/{parameter}={}", value.replace(char::is_whitespace, "_"));
        }
        name
    }
}
