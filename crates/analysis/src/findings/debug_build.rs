//! `debug-build`: a program was built without optimisation.

use super::facts::Context;
use super::Found;
use tare_model::Severity;

pub(super) fn find(context: &Context) -> Vec<Found> {
    let artifacts = context.run.artifacts.iter().enumerate();
    artifacts
        .filter_map(|(index, artifact)| {
            let child = artifact.child.as_ref().filter(|c| c.optimised == Some(false))?;
            let measured = |m: super::facts::Measured| context.cases[m.case as usize].program as usize == index;
            context.measured().any(measured).then(|| {
                let how = match (&child.compiler, &child.flags) {
                    (Some(compiler), Some(flags)) => format!(" ({compiler} {flags})"),
                    (Some(compiler), None) => format!(" ({compiler})"),
                    _ => String::new(),
                };
                Found {
                    case: None,
                    severity: Severity::Warning,
                    evidence: format!("{} was built without optimisation{how}", artifact.name),
                    weight: 1.0,
                    advice: "build it as it will be used (`-O2`, `--release`): without, other things are slow"
                        .to_owned(),
                    rerun: None,
                }
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(optimised: Option<bool>) -> Vec<tare_model::Finding> {
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
        assert_eq!(found[0].evidence, "bench.cpp was built without optimisation (g++ 13)");
        assert!(findings(None).is_empty() && findings(Some(true)).is_empty());
    }
}
