//! `debugger`: a debugger was attached to a program.

use super::{Context, Observation, Search, Sentence, Severity};

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let watched = context.programs().filter(|program| program.child.as_ref().is_some_and(|c| c.debugger));
    let evidence = |name: &str| Sentence::new("{program} ran under a debugger").name("program", name);
    watched.map(|program| Observation::new(Severity::Error, evidence(&program.name), "detach the debugger")).collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    #[test]
    fn a_debugger_makes_the_numbers_unusable() {
        for debugger in [false, true] {
            let mut builder = RunBuilder::new();
            builder.child().debugger = debugger;
            let case = builder.case("g", "a", false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            let found = crate::analyse(&builder.run()).findings;
            let expected: &[&str] = if debugger { &["debugger"] } else { &[] };
            assert_eq!(codes(&found), expected);
        }
    }
}
