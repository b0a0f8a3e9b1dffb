//! `instrumented`: a compiler built monitoring code into a program, such as a sanitizer.

use super::{Context, Observation, Search, Sentence};

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    // One sentence names the programs that are built alike.
    let mut all: Vec<(&[String], Vec<String>)> = Vec::new();
    for program in context.programs().filter(|program| !program.instruments.is_empty()) {
        match all.iter_mut().find(|(instruments, _)| *instruments == program.instruments) {
            Some((_, programs)) if programs.contains(&program.name) => {}
            Some((_, programs)) => programs.push(program.name.clone()),
            None => all.push((&program.instruments, vec![program.name.clone()])),
        }
    }
    let found = |(instruments, programs): (&[String], Vec<String>)| {
        let evidence =
            Sentence::new("the build is instrumented with {instruments}, which takes extra time: {programs}")
                .text("instruments", instruments.join(" and "))
                .names("programs", programs);
        Observation::warning(evidence, "build without them to measure the program as it is")
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
