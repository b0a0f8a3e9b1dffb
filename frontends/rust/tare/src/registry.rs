//! The benchmarks of this program.
//!
//! Each `#[tare::bench]` puts one into [`BENCHES`].

mod case;
mod cases;

use std::time::Duration;

use crate::added::Added;
use crate::list::List;
use crate::passing::Of;
use crate::show::{lasting, Shown, Texts};
use crate::vtable::{Typed, Vtable};

pub(crate) use case::Case;
pub(crate) use cases::{cases, cases_with, having, Given};

/// A parameter of a benchmark.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its values are in the same rows as those of the previous parameter.
    pub row: bool,
    /// Computes its values as text: the given ones if there are any, else the declared ones. An error if a given value does not fit.
    pub values: fn(given: &[String]) -> Result<Texts, String>,
}

/// The value of each parameter.
pub struct Choice(pub(crate) Vec<Chosen>, pub(crate) Option<&'static Added>);

/// A value of a parameter.
pub(crate) struct Chosen {
    /// Its index.
    pub(crate) at: usize,
    /// Its text, if it has one.
    pub(crate) text: Option<String>,
    /// The list of values, if the host has set it.
    pub(crate) given: Vec<String>,
}

impl Choice {
    /// The value of a parameter. The declared values may have another order each time, as in a `HashSet`.
    pub fn pick<T, I: IntoIterator<Item = T>>(
        &self,
        parameter: usize,
        values: impl Fn() -> I,
        show: fn(&T) -> Shown,
        read: fn(&str, Of<T>) -> Result<T, String>,
    ) -> T {
        let Chosen { at, text, given } = &self.0[parameter];
        if let Some(given) = given.get(*at) {
            return read(given, Of::new()).expect("it was read when it was set");
        }
        let is_it = |value: &T| text.is_none() || lasting(show(value)) == *text;
        let value = values().into_iter().nth(*at).filter(is_it).or_else(|| values().into_iter().find(is_it));
        value.expect("a parameter has the same values each time")
    }
}

/// Settings for running a benchmark, apart from its body.
pub struct Manner {
    /// The body blocks.
    pub waits: bool,
    /// The maximum number of invocations per iteration.
    pub invocations_max: Option<u64>,
    /// `throughput`, `monitoring` or `cold-start`.
    pub strategy: &'static str,
    /// Environment variables of the processes that measure it.
    pub environment: &'static [(&'static str, &'static str)],
    /// Command-line arguments of these processes.
    pub arguments: &'static [&'static str],
    /// Diagnosers to run for it.
    pub diagnose: &'static [&'static str],
    /// Length of a visit.
    pub visit_time: Option<Duration>,
    /// Length of the warm-up.
    pub warm_up_time: Option<Duration>,
    /// Invocations per iteration.
    pub invocations: Option<u64>,
    /// Move the instance to another address for each visit.
    pub memory_randomization: bool,
    /// Flush the data of the process from the caches before each invocation.
    pub cold_caches: bool,
    /// What is declared about its results: `same`, `change` or `differ`.
    pub results: &'static str,
}

impl Manner {
    /// The defaults.
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

    /// The maximum number of invocations per iteration; 1 with cold caches, which are cold only for the first.
    pub(crate) fn most(&self) -> Option<u64> {
        self.invocations_max.or(self.cold_caches.then_some(1))
    }

    /// An error in the combination of options.
    fn fault(&self) -> Option<String> {
        let several = self.most() != Some(1) || self.invocations.is_some_and(|wanted| wanted > 1);
        (self.cold_caches && several).then(|| {
            "`cold_caches` leaves one invocation per iteration: leave out `invocations_max` and `invocations`"
                .to_owned()
        })
    }
}

/// Computes the rates of an invocation.
pub type Rates = fn(&Choice) -> Result<Vec<Rate>, String>;

/// An amount that an invocation processes.
pub struct Rate {
    /// Lower-case letters, digits and `_`.
    pub name: &'static str,
    /// `B` for bytes; empty for a count.
    pub unit: &'static str,
    /// The amount per invocation; `None` if it depends on the instance.
    pub amount: Option<u64>,
}

impl Rate {
    /// A rate with the unit `B` if it is named `bytes`, else a count.
    pub fn new(name: &'static str, amount: Option<u64>) -> Rate {
        Rate { name, unit: if name == "bytes" { "B" } else { "" }, amount }
    }
}

/// A benchmark as `#[tare::bench]` describes it.
pub struct Bench {
    /// The declared group; `None` for the module within the crate.
    pub group: Option<&'static str>,
    /// Name within the group.
    pub name: &'static str,
    /// `module_path!()`.
    pub module: &'static str,
    /// `file!()`.
    pub file: &'static str,
    /// `line!()`.
    pub line: u32,
    /// Index among the benchmarks of one attribute.
    pub order: u32,
    /// Generic parameters with their chosen types or constants.
    pub generics: &'static [(&'static str, &'static str)],
    /// Parameters.
    pub parameters: &'static [Parameter],
    /// Whether others of the group are compared with this one.
    pub baseline: bool,
    /// Operations per invocation.
    pub operations: fn(&Choice) -> Result<u64, String>,
    /// Name of an operation.
    pub unit: &'static str,
    /// Rates, if any are declared.
    pub rates: Option<Rates>,
    /// The reason to skip a case, if any; `None` if no case is skipped.
    pub skipped: Option<fn(&Choice) -> Option<String>>,
    /// Categories, for filters.
    pub categories: &'static [&'static str],
    /// Description of one line.
    pub description: &'static str,
    /// Threads that the body uses; 0 if unknown.
    pub threads: u32,
    /// Whether the last parameter is the number of threads that run the body in lockstep.
    pub team: bool,
    /// Settings for running it.
    pub manner: Manner,
    /// Whether the body returns a value.
    pub returns: bool,
    /// Whether it is declared in a program instead of a bench target, and measures without `--bench`.
    pub program: bool,
    /// Its functions, for the form that the types choose.
    pub vtable: fn() -> Vtable,
    /// The data of a benchmark that was added at run time instead of declared by an attribute.
    pub added: Option<&'static Added>,
}

impl Bench {
    /// An empty declaration.
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

/// All benchmarks of this program, in no order.
pub static BENCHES: List<Bench> = List::new();

/// All benchmarks in the order of their declarations.
fn benches() -> Vec<&'static Bench> {
    let mut all = BENCHES.items();
    all.sort_by_key(|bench| (bench.file, bench.line, bench.order, bench.module, bench.name));
    all
}
