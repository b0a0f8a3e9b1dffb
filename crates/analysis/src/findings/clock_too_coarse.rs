//! `clock-too-coarse`: the clock's step is a visible part of a visit. What it shows are steps, not times.

use super::facts::{Context, Measured};
use super::{text, Found};
use tare_model::{Severity, Stage};
use tare_stats::location::median;

/// Step of the clock as a share of a visit that is worth a word.
pub(super) const SHARE_MAX: f64 = 0.001;

/// What the clock can tell of the iterations of a case.
pub(super) struct Resolution {
    /// Step of the clock, ns.
    pub step_ns: f64,
    /// Typical length of what is timed at once, ns: of an iteration, or of one of its windows.
    pub iteration_ns: f64,
    /// Of how many of these a visit consists.
    pub iterations: f64,
    /// Step as a share of a visit; the steps of several iterations average out.
    pub share: f64,
}

/// None when the clock or the iterations are not known.
pub(super) fn resolution(context: &Context, measured: Measured) -> Option<Resolution> {
    let step_ns = context.child(measured.case)?.clock_resolution_ns;
    let launches = measured.times.launches.iter().map(|l| &context.run.launches[l.launch as usize]);
    let actual: Vec<_> = launches.flat_map(|l| &l.series).filter(|s| s.stage == Stage::Actual).collect();
    let timed = |s: &&tare_model::Series| match s.columns.windows() {
        0 => median(&s.columns.elapsed_ns),
        _ => median(&s.columns.window_ns),
    };
    let typical: Vec<f64> = actual.iter().filter_map(timed).collect();
    let iteration_ns = median(&typical).filter(|ns| *ns > 0.0)?;
    let iterations: usize = actual.iter().map(|s| s.columns.len() * s.columns.windows().max(1)).sum();
    let visits: usize = measured.times.launches.iter().map(|l| l.measured).sum();
    let each = (iterations as f64 / visits.max(1) as f64).max(1.0);
    Some(Resolution { step_ns, iteration_ns, iterations: each, share: step_ns / (iteration_ns * each.sqrt()) })
}

pub(super) fn find(context: &Context) -> Vec<Found> {
    if context.run.plan.policy.invocations.is_some() {
        // Then `too-short` says what to do.
        return Vec::new();
    }
    context
        .measured()
        .filter_map(|m| {
            let seen = resolution(context, m).filter(|r| r.share > SHARE_MAX)?;
            Some(Found {
                case: Some(m.case),
                severity: Severity::Warning,
                evidence: evidence(&seen),
                weight: seen.share,
                advice: "have the body do its work several times and declare the number of its operations".to_owned(),
                rerun: None,
            })
        })
        .collect()
}

/// A visit of several iterations averages their steps; then the step is not that share of what is timed at once.
fn evidence(seen: &Resolution) -> String {
    let (step, timed, share) = (text::ns(seen.step_ns), text::ns(seen.iteration_ns), text::percent(seen.share));
    if seen.iterations > 1.5 {
        let n = seen.iterations;
        format!("the clock makes steps of {step} in iterations of {timed}: {share} over the {n:.0} of a visit")
    } else {
        format!("the clock makes steps of {step}, {share} of a visit of {timed}")
    }
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(step_ns: f64) -> Vec<tare_model::Finding> {
        let mut builder = RunBuilder::new();
        builder.child().clock_resolution_ns = step_ns;
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn steps_of_five_microseconds_are_seen_and_those_of_a_good_clock_not() {
        let found = findings(5000.0);
        assert_eq!(codes(&found), ["clock-too-coarse"]);
        assert!(found[0].evidence.starts_with("the clock makes steps of 5.000 \u{b5}s, 0.5 % of a visit"), "{found:?}");
        assert!(findings(100.0).is_empty());
    }

    #[test]
    fn a_share_is_never_told_of_something_else() {
        let many =
            super::Resolution { step_ns: 20.0, iteration_ns: 600.0, iterations: 64.0, share: 20.0 / 600.0 / 8.0 };
        let told = super::evidence(&many);
        assert_eq!(told, "the clock makes steps of 20.00 ns in iterations of 600.0 ns: 0.4 % over the 64 of a visit");
    }
}
