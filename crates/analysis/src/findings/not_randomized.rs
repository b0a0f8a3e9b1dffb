//! `not-randomized`: memory was to be randomized, and the program of the case cannot do that.

use super::{Context, Measured, Observation, Search};

pub(super) const SEARCH: Search = Search::of_cases(find);

fn find(context: &Context, m: Measured) -> Option<Observation> {
    let lacks = context.run.wants_other_memory(m.case) && !context.run.randomizes_memory(m.case);
    lacks.then(|| {
        let evidence = "its program cannot set up its data again at other memory addresses";
        let advice = "each process keeps its memory addresses: more launches show more of them";
        Observation::note(evidence, advice)
    })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use tare_model::Strategy;

    #[test]
    fn a_program_that_cannot_is_named_where_it_should() {
        let of = |wanted: bool, strategy: Strategy| {
            let mut builder = RunBuilder::new();
            let case = builder.case("g", "a", false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            builder.run.plan.policy.memory_randomization = wanted;
            builder.run.plan.cases[0].benchmark.strategy = strategy;
            let found = crate::analyse(&builder.run()).findings;
            codes(&found).contains(&"not-randomized")
        };
        assert!(of(true, Strategy::Throughput));
        assert!(!of(false, Strategy::Throughput) && !of(true, Strategy::ColdStart));
    }
}
