//! `debug-build`: a program was built without optimisation.

use super::{Means, Observation, Search, Sentence};
use tare_model::Artifact;

pub(super) const SEARCH: Search = Search::of_run(|context| context.programs().filter_map(of_program).collect());

fn of_program(program: &Artifact) -> Option<Observation> {
    let child = program.child.as_ref().filter(|c| c.optimised == Some(false))?;
    let how: Sentence = match (&child.compiler, &child.flags) {
        (Some(compiler), Some(flags)) => {
            Sentence::new(" ({compiler} {flags})").text("compiler", compiler).text("flags", flags)
        }
        (Some(compiler), None) => Sentence::new(" ({compiler})").text("compiler", compiler),
        _ => "".into(),
    };
    let evidence = Sentence::new("{program} was built without optimisation").name("program", &program.name).then(how);
    let advice = Sentence::new("build with optimisation ({flags}): a debug build is slow in different places");
    Some(Observation::warning(evidence, advice.means("flags", Means::Optimise(child.language.clone()))))
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
