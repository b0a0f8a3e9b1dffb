//! `width-probe`: the readings of a program's width probe are unusable, so it is unknown who used the core while it was measured.

use super::{Context, Means, Observation, Search, Sentence, Severity, Unit};
use crate::core::ProbeFault;

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let faults = context.probe_faults.iter().zip(&context.run.artifacts);
    faults.filter_map(|(fault, program)| Some(found(&program.name, (*fault)?))).collect()
}

fn found(program: &str, fault: ProbeFault) -> Observation {
    let why = match fault {
        ProbeFault::Short(ns) => Sentence::new("a reading takes {reading}, which is too short: the compiler may have removed its work")
            .number("reading", ns, Unit::Ns),
        ProbeFault::Folded(steps) => {
            Sentence::new("it does {steps} steps per cycle, which no core can do: the compiler removed most of its work")
                .number("steps", steps, Unit::Count)
        }
        ProbeFault::Flat(share) => {
            Sentence::new("its long readings are only {longer} longer than its short ones, and a shared core makes them 25 % longer or more")
                .number("longer", share, Unit::Share)
        }
    };
    // Neighbours that use little of the core look like this too.
    let evidence = Sentence::new("the width probe of {program} cannot be used: ")
        .names("program", vec![program.to_owned()])
        .then(why)
        .then("; others on the core may have affected its times".into());
    let advice = Sentence::new("fix the probe in the front end: {conformance} tests it")
        .means("conformance", Means::Conformance);
    let severity = if matches!(fault, ProbeFault::Flat(_)) { Severity::Note } else { Severity::Warning };
    Observation::new(severity, evidence, advice)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, share, twelve_launches, RunBuilder};
    use crate::Finding;

    /// A case without a neighbour whose readings are `times` as long as they should be; one in three is longer by `longer`.
    fn findings(per_process: bool, times: f64, longer: f64) -> Vec<Finding> {
        findings_of(per_process.then_some(false), times, longer)
    }

    /// The same with the child's own probe, per runtime or not.
    fn findings_of(own_per_runtime: Option<bool>, times: f64, longer: f64) -> Vec<Finding> {
        let mut builder = RunBuilder::new().with_windows();
        own_per_runtime.into_iter().for_each(|per_runtime| builder.own_width_probe(per_runtime));
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        for launch in &mut builder.run.launches {
            share(launch, 1.0, |_, _| false);
            let readings = &mut launch.series[0].columns.width_ns;
            readings.iter_mut().enumerate().for_each(|(i, ns)| *ns *= times * if i % 3 == 1 { longer } else { 1.0 });
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn a_folded_probe_blames_itself_and_no_neighbour() {
        // The loop takes 0.9 µs, 3600 cycles. Wide cores do six additions per cycle.
        for (times, part) in [(0.02, "a reading takes 18.00 ns"), (0.39, "it does 10 steps per cycle")] {
            for per_process in [false, true] {
                let found = findings(per_process, times, 1.5);
                let part = if per_process { "a reading takes" } else { part };
                assert_eq!(codes(&found), ["width-probe"], "{found:?}");
                assert!(found[0].evidence.to_string().contains(part), "{}", found[0].evidence);
            }
        }
        assert!(findings(false, 1.0, 1.0).is_empty() && findings(true, 1.0, 1.0).is_empty());
        assert!(findings(false, 0.67, 1.0).is_empty(), "six additions in a cycle");
    }

    #[test]
    fn steps_of_the_clock_are_no_neighbour() {
        let found = findings(true, 1.0, 1.14);
        assert_eq!(codes(&found), ["width-probe"], "{found:?}");
        assert!(found[0].evidence.to_string().contains("only 14 % longer"), "{}", found[0].evidence);
        assert!(!codes(&findings(true, 1.0, 1.6)).contains(&"width-probe"));
        // If the level is known from elsewhere, it may be a neighbour with a varying load.
        let found = findings_of(Some(true), 1.4, 1.14);
        assert_eq!(codes(&found), ["core-shared"], "{found:?}");
    }
}
