//! How a benchmark is run.

use proc_macro::TokenStream;

use crate::tokens::{code, template};

/// The options about how a benchmark is run, as the fields of `Manner`; empty: not given.
#[derive(Clone, Default)]
pub(crate) struct Manner {
    pub(crate) waits: TokenStream,
    pub(crate) invocations_max: TokenStream,
    pub(crate) strategy: TokenStream,
    pub(crate) environment: TokenStream,
    pub(crate) arguments: TokenStream,
    pub(crate) diagnose: TokenStream,
    pub(crate) visit_time: TokenStream,
    pub(crate) warm_up_time: TokenStream,
    pub(crate) invocations: TokenStream,
    pub(crate) memory_randomization: TokenStream,
    pub(crate) cold_caches: TokenStream,
    pub(crate) results: TokenStream,
}

impl Manner {
    /// What is given here, and the rest from what holds for all.
    pub(crate) fn over(self, all: &Manner) -> Manner {
        let either = |own: TokenStream, all: &TokenStream| if own.is_empty() { all.clone() } else { own };
        Manner {
            waits: either(self.waits, &all.waits),
            invocations_max: either(self.invocations_max, &all.invocations_max),
            strategy: either(self.strategy, &all.strategy),
            environment: either(self.environment, &all.environment),
            arguments: either(self.arguments, &all.arguments),
            diagnose: either(self.diagnose, &all.diagnose),
            visit_time: either(self.visit_time, &all.visit_time),
            warm_up_time: either(self.warm_up_time, &all.warm_up_time),
            invocations: either(self.invocations, &all.invocations),
            memory_randomization: either(self.memory_randomization, &all.memory_randomization),
            cold_caches: either(self.cold_caches, &all.cold_caches),
            results: either(self.results, &all.results),
        }
    }

    pub(crate) fn tokens(self, home: &TokenStream) -> TokenStream {
        let or = |given: TokenStream, default: &str| if given.is_empty() { code(default) } else { given };
        let values = [
            ("HOME", home.clone()),
            ("WAITS", or(self.waits, "false")),
            ("MOST", or(self.invocations_max, "::core::option::Option::None")),
            ("STRATEGY", or(self.strategy, "\"throughput\"")),
            ("ENVIRONMENT", or(self.environment, "[]")),
            ("ARGUMENTS", or(self.arguments, "[]")),
            ("DIAGNOSE", or(self.diagnose, "[]")),
            ("VISIT", or(self.visit_time, "::core::option::Option::None")),
            ("WARMUP", or(self.warm_up_time, "::core::option::Option::None")),
            ("INVOCATIONS", or(self.invocations, "::core::option::Option::None")),
            ("RANDOMIZED", or(self.memory_randomization, "false")),
            ("COLD", or(self.cold_caches, "false")),
            ("RESULTS", or(self.results, "\"same\"")),
        ];
        let text = "HOME::__private::Manner {
            waits: WAITS,
            invocations_max: MOST,
            strategy: STRATEGY,
            environment: &ENVIRONMENT,
            arguments: &ARGUMENTS,
            diagnose: &DIAGNOSE,
            visit_time: VISIT,
            warm_up_time: WARMUP,
            invocations: INVOCATIONS,
            memory_randomization: RANDOMIZED,
            cold_caches: COLD,
            results: RESULTS,
        }";
        template(text, &values)
    }
}
