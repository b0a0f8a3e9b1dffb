//! `too-short`: the user fixed a number of invocations that makes a visit too short for the clock to time it.

use super::clock_too_coarse::{resolution, SHARE_MAX};
use super::facts::Context;
use super::{text, Found, Rerun};
use tare_model::Severity;

/// A shorter iteration has a visible part of reading the clock and of entering the loop in it, ns.
const ITERATION_MIN_NS: f64 = 10_000.0;

pub(super) fn find(context: &Context) -> Vec<Found> {
    let Some(fixed) = context.run.plan.policy.invocations else { return Vec::new() };
    context
        .measured()
        .filter_map(|m| {
            let seen = resolution(context, m)?;
            (seen.share > SHARE_MAX || seen.iteration_ns < ITERATION_MIN_NS).then(|| Found {
                case: Some(m.case),
                severity: Severity::Warning,
                evidence: format!(
                    "a visit of {fixed} invocation(s) takes {}, the clock makes steps of {}",
                    text::ns(seen.iteration_ns),
                    text::ns(seen.step_ns)
                ),
                weight: 1.0 / seen.iteration_ns,
                advice: "let Tare find the number of invocations".to_owned(),
                rerun: Some(Rerun { flags: String::new(), without: &["--invocations"], with_baseline: false }),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(ns: f64) -> Vec<tare_model::Finding> {
        let mut builder = RunBuilder::new();
        builder.run.plan.policy.invocations = Some(1);
        builder.run.command.extend(["--invocations".to_owned(), "1".to_owned()]);
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, ns, |_, _, _| 0.0);
        for launch in &mut builder.run.launches {
            launch.series[0].invocations = 1;
            launch.series[0].columns.elapsed_ns.iter_mut().for_each(|e| *e = ns * *e / 1e6);
            launch.series[0].columns.cpu_ns = launch.series[0].columns.elapsed_ns.clone();
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn one_short_invocation_is_too_short_and_one_long_is_not() {
        let found = findings(300.0);
        assert_eq!(codes(&found), ["too-short"], "{found:?}");
        let command = found[0].advice.command.as_deref();
        assert_eq!(command, Some("tare run bench.cpp --filter 'g/a'"));
        assert!(findings(300_000.0).is_empty());
    }
}
