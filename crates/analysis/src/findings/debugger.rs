//! `debugger`: a debugger was attached to a program.

use super::facts::Context;
use super::Severity;
use super::{Observation, Search, Sentence};

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let with = |m: super::facts::Measured| context.cases[m.case as usize].program as usize;
    let measured: Vec<usize> = context.measured().map(with).collect();
    let artifacts = context.run.artifacts.iter().enumerate();
    artifacts
        .filter(|(index, a)| measured.contains(index) && a.child.as_ref().is_some_and(|c| c.debugger))
        .map(|(_, artifact)| Observation {
            case: None,
            severity: Severity::Error,
            evidence: Sentence::new("{program} ran under a debugger").name("program", &artifact.name),
            weight: 1.0,
            advice: "detach the debugger".into(),
            ..Observation::default()
        })
        .collect()
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
