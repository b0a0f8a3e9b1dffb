//! `debug-build`: a program was built without optimisation.

use super::facts::Context;
use super::Severity;
use super::{Means, Observation, Search, Sentence};

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let artifacts = context.run.artifacts.iter().enumerate();
    artifacts
        .filter_map(|(index, artifact)| {
            let child = artifact.child.as_ref().filter(|c| c.optimised == Some(false))?;
            let measured = |m: super::facts::Measured| context.cases[m.case as usize].program as usize == index;
            context.measured().any(measured).then(|| {
                let how: Sentence = match (&child.compiler, &child.flags) {
                    (Some(compiler), Some(flags)) => {
                        Sentence::new(" ({compiler} {flags})").text("compiler", compiler).text("flags", flags)
                    }
                    (Some(compiler), None) => Sentence::new(" ({compiler})").text("compiler", compiler),
                    _ => "".into(),
                };
                Observation {
                    case: None,
                    severity: Severity::Warning,
                    evidence: Sentence::new("{program} was built without optimisation")
                        .name("program", &artifact.name)
                        .then(how),
                    weight: 1.0,
                    advice: Sentence::new(
                        "build with optimisation ({flags}): a debug build is slow in different places",
                    )
                    .means("flags", Means::Optimise(child.language.clone())),
                    ..Observation::default()
                }
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(optimised: Option<bool>) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        builder.child().optimised = optimised;
        builder.child().compiler = Some("g++ 13".into());
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn only_what_is_known_to_be_unoptimised() {
        let found = findings(Some(false));
        assert_eq!(codes(&found), ["debug-build"]);
        assert_eq!(found[0].evidence.to_string(), "bench.cpp was built without optimisation (g++ 13)");
        assert!(findings(None).is_empty() && findings(Some(true)).is_empty());
    }
}
