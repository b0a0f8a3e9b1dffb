//! The benchmarks of this program.
//!
//! Each `#[tare::bench]` puts one into [`BENCHES`].

mod case;
mod cases;
mod order;

use std::time::Duration;

use crate::added::Added;
use crate::list::List;
use crate::passing::Of;
use crate::show::Texts;
use crate::vtable::{Typed, Vtable};

pub(crate) use case::Case;
pub(crate) use cases::{cases, cases_with, having, Given};
pub(crate) use order::order;

/// A parameter of a benchmark.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its values are of the same rows as those of the parameter before.
    pub row: bool,
    /// Computes its values, as text: those that are given, or the declared ones; an error where one of those given does not fit.
    pub values: fn(given: &[String]) -> Result<Texts, String>,
}

/// Which value each parameter has: its position in the list, and the list where the host has set it.
pub struct Choice(pub(crate) Vec<(usize, Vec<String>)>, pub(crate) Option<&'static Added>);

impl Choice {
    /// The value of a parameter.
    pub fn pick<T>(
        &self,
        parameter: usize,
        values: impl IntoIterator<Item = T>,
        read: fn(&str, Of<T>) -> Result<T, String>,
    ) -> T {
        match &self.0[parameter] {
            (at, given) if given.is_empty() => {
                values.into_iter().nth(*at).expect("a parameter has the same values each time")
            }
            (at, given) => read(&given[*at], Of::new()).expect("it was read when it was set"),
        }
    }
}

/// How a benchmark is run, beside what its body needs.
pub struct Manner {
    /// The body blocks.
    pub waits: bool,
    /// Invocations of an iteration at most.
    pub invocations_max: Option<u64>,
    /// `throughput`, `monitoring` or `cold-start`.
    pub strategy: &'static str,
    /// Variables of the processes that measure it.
    pub environment: &'static [(&'static str, &'static str)],
    /// Arguments of their command line.
    pub arguments: &'static [&'static str],
    /// Diagnosers that look at it.
    pub diagnose: &'static [&'static str],
    /// Length of a visit.
    pub visit_time: Option<Duration>,
    /// Length of the warm-up.
    pub warm_up_time: Option<Duration>,
    /// Invocations of an iteration.
    pub invocations: Option<u64>,
    /// Each visit has the instance elsewhere in memory.
    pub memory_randomization: bool,
    /// Before each invocation the data of the process leaves the caches.
    pub cold_caches: bool,
    /// `same`, `change` or `differ`: what it says of its results.
    pub results: &'static str,
}

impl Manner {
    /// As it comes.
    pub const PLAIN: Manner = Manner {
        waits: false,
        invocations_max: None,
        strategy: "throughput",
        environment: &[],
        arguments: &[],
        diagnose: &[],
        visit_time: None,
        warm_up_time: None,
        invocations: None,
        memory_randomization: false,
        cold_caches: false,
        results: "same",
    };

    /// Invocations of an iteration at most: the caches are cold for the first alone.
    pub(crate) fn most(&self) -> Option<u64> {
        self.invocations_max.or(self.cold_caches.then_some(1))
    }

    /// What only all options together show.
    fn fault(&self) -> Option<String> {
        let several = self.most() != Some(1) || self.invocations.is_some_and(|wanted| wanted > 1);
        (self.cold_caches && several).then(|| {
            "`cold_caches` leaves one invocation per iteration: leave out `invocations_max` and `invocations`"
                .to_owned()
        })
    }
}

/// Computes what an invocation works through.
pub type Rates = fn(&Choice) -> Result<Vec<Rate>, String>;

/// What an invocation works through: name, unit, how much.
pub struct Rate {
    /// Lower-case letters, digits and `_`.
    pub name: &'static str,
    /// `B` for bytes; empty for a count.
    pub unit: &'static str,
    /// For an invocation; None: only the instance knows.
    pub amount: Option<u64>,
}

impl Rate {
    /// Bytes have their unit, everything else is a count.
    pub fn new(name: &'static str, amount: Option<u64>) -> Rate {
        Rate { name, unit: if name == "bytes" { "B" } else { "" }, amount }
    }
}

/// A benchmark as `#[tare::bench]` describes it.
pub struct Bench {
    /// As declared; else the module within the crate.
    pub group: Option<&'static str>,
    /// Name within the group.
    pub name: &'static str,
    /// `module_path!()`.
    pub module: &'static str,
    /// `file!()`.
    pub file: &'static str,
    /// `line!()`.
    pub line: u32,
    /// Position among the benchmarks of one attribute.
    pub order: u32,
    /// Generic parameters that are filled in.
    pub generics: &'static [(&'static str, &'static str)],
    /// Parameters.
    pub parameters: &'static [Parameter],
    /// Others of the group are compared with this one.
    pub baseline: bool,
    /// Operations that one invocation does.
    pub operations: fn(&Choice) -> Result<u64, String>,
    /// Name of an operation.
    pub unit: &'static str,
    /// What an invocation works through; None: nothing is said.
    pub rates: Option<Rates>,
    /// Why a case is not to be measured; None: all are.
    pub skipped: Option<fn(&Choice) -> Option<String>>,
    /// For filters.
    pub categories: &'static [&'static str],
    /// One line.
    pub description: &'static str,
    /// Threads that the body uses; 0 if unknown.
    pub threads: u32,
    /// The last parameter is the number of threads that run the body in step.
    pub team: bool,
    /// How it is run.
    pub manner: Manner,
    /// The body returns something.
    pub returns: bool,
    /// Declared in a program, not in a bench target: it measures without being asked by `--bench`.
    pub program: bool,
    /// The functions, for the form that the types choose.
    pub vtable: fn() -> Vtable,
    /// What was not declared by an attribute, but added when the program began.
    pub added: Option<&'static Added>,
}

impl Bench {
    /// Its group, name and fixed parameters.
    fn text(&self) -> String {
        let mut text = format!("{}/{}", self.group.unwrap_or_default(), self.name);
        for (name, value) in self.generics {
            text.push_str(&format!("/{name}={value}"));
        }
        text
    }

    /// Nothing declared.
    pub const EMPTY: Bench = Bench {
        group: None,
        name: "",
        module: "",
        file: "",
        line: 0,
        order: 0,
        generics: &[],
        parameters: &[],
        baseline: false,
        operations: |_| Ok(1),
        unit: "op",
        rates: None,
        skipped: None,
        categories: &[],
        description: "",
        threads: 1,
        team: false,
        manner: Manner::PLAIN,
        returns: true,
        program: false,
        vtable: || Typed::<()>::own(|_| Ok(()), |_, _| Duration::ZERO).erase(),
        added: None,
    };
}

/// All of this program, in no order.
pub static BENCHES: List<Bench> = List::new();
