//! `instrumented`: a compiler built something into a program that watches it, such as a sanitizer.

use super::facts::{Context, Measured};
use super::Severity;
use super::{Observation, Search, Sentence};

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let is_measured = |index: usize| {
        let program = |m: Measured| context.cases[m.case as usize].program as usize;
        context.measured().map(program).any(|program| program == index)
    };
    // One sentence names the programs that are built alike.
    let mut all: Vec<(&[String], Vec<String>)> = Vec::new();
    for (index, artifact) in context.run.artifacts.iter().enumerate() {
        if artifact.instruments.is_empty() || !is_measured(index) {
            continue;
        }
        match all.iter_mut().find(|(instruments, _)| *instruments == artifact.instruments) {
            Some((_, programs)) if programs.contains(&artifact.name) => {}
            Some((_, programs)) => programs.push(artifact.name.clone()),
            None => all.push((&artifact.instruments, vec![artifact.name.clone()])),
        }
    }
    let found = |(instruments, programs): (&[String], Vec<String>)| Observation {
        case: None,
        severity: Severity::Warning,
        evidence: Sentence::new("the build is instrumented with {instruments}, which takes extra time: {programs}")
            .text("instruments", instruments.join(" and "))
            .names("programs", programs),
        weight: 1.0,
        advice: "build without them to measure the program as it is".into(),
        ..Observation::default()
    };
    all.into_iter().map(found).collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    #[test]
    fn all_that_was_built_in_is_named() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        let mut run = builder.run();
        assert!(crate::analyse(&run).findings.is_empty());
        run.artifacts[0].instruments = ["AddressSanitizer", "-pg"].map(str::to_owned).to_vec();
        let found = crate::analyse(&run).findings;
        assert_eq!(codes(&found), ["instrumented"]);
        let evidence = found[0].evidence.to_string();
        assert_eq!(
            evidence,
            "the build is instrumented with AddressSanitizer and -pg, which takes extra time: `bench.cpp`"
        );
    }
}
