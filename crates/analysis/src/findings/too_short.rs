//! `too-short`: a visit is too short for the clock, which then shows its steps and not times. Either an invocation is short and there is no more
//! of them in a visit, or the user fixed a number of invocations that is too small.

use super::facts::{Context, Measured};
use super::Severity;
use super::{Found, How, Rule, Sentence, Unit};
use tare_model::Stage;
use tare_stats::location::median;

/// Step of the clock as a share of a visit that is reported.
const SHARE_MAX: f64 = 0.001;
/// A shorter iteration has a visible part of reading the clock and of entering the loop in it, ns.
const ITERATION_MIN_NS: f64 = 10_000.0;

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

pub(super) const RULE: Rule = Rule::of_run(find);

fn find(context: &Context) -> Vec<Found> {
    let fixed = context.run.plan.policy.invocations;
    context
        .measured()
        .filter_map(|m| {
            let seen = resolution(context, m)?;
            match fixed {
                Some(fixed) => of_fixed(m.case, &seen, fixed),
                None => of_clock(m.case, &seen),
            }
        })
        .collect()
}

/// The user fixed the number of invocations.
fn of_fixed(case: u32, seen: &Resolution, fixed: u64) -> Option<Found> {
    (seen.share > SHARE_MAX || seen.iteration_ns < ITERATION_MIN_NS).then(|| Found {
        case: Some(case),
        severity: Severity::Warning,
        evidence: Sentence::new(match fixed {
            1 => "a visit of {invocations} invocation takes {timed}, and the resolution of the clock is {step}",
            _ => "a visit of {invocations} invocations takes {timed}, and the resolution of the clock is {step}",
        })
        .number("invocations", fixed as f64, Unit::Count)
        .number("timed", seen.iteration_ns, Unit::Ns)
        .number("step", seen.step_ns, Unit::Ns),
        weight: 1.0 / seen.iteration_ns,
        advice: "let Tare choose the number of invocations".into(),
        again: Some(How::FreeInvocations),
        with_baseline: false,
    })
}

/// Tare found the number of invocations, and the clock is too coarse for it.
fn of_clock(case: u32, seen: &Resolution) -> Option<Found> {
    (seen.share > SHARE_MAX).then(|| Found {
        case: Some(case),
        severity: Severity::Warning,
        evidence: evidence(seen),
        weight: seen.share,
        advice: "repeat the work in the body, and declare the number of operations".into(),
        ..Found::default()
    })
}

/// A visit of several iterations averages their steps; then the step is not that share of what is timed at once.
fn evidence(seen: &Resolution) -> Sentence {
    let pattern = match seen.iterations > 1.5 {
        true => "the resolution of the clock is {step} in iterations of {timed}: {share} over the {iterations} iterations of a visit",
        false => "the resolution of the clock is {step}, {share} of a visit of {timed}",
    };
    Sentence::new(pattern)
        .number("step", seen.step_ns, Unit::Ns)
        .number("timed", seen.iteration_ns, Unit::Ns)
        .number("share", seen.share, Unit::Share)
        .number("iterations", seen.iterations, Unit::Count)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::{Again, How};

    fn with_steps(step_ns: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        builder.child().clock_resolution_ns = step_ns;
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn steps_of_five_microseconds_are_seen_and_those_of_a_good_clock_not() {
        let found = with_steps(5000.0);
        assert_eq!(codes(&found), ["too-short"]);
        assert!(
            found[0].evidence.to_string().starts_with("the resolution of the clock is 5.000 \u{b5}s, 0.5 % of a visit"),
            "{found:?}"
        );
        assert!(with_steps(100.0).is_empty());
    }

    #[test]
    fn a_share_is_never_told_of_something_else() {
        let many =
            super::Resolution { step_ns: 20.0, iteration_ns: 600.0, iterations: 64.0, share: 20.0 / 600.0 / 8.0 };
        let reported = super::evidence(&many);
        assert_eq!(reported.to_string(), "the resolution of the clock is 20.00 ns in iterations of 600.0 ns: 0.4 % over the 64 iterations of a visit");
    }

    fn with_one_invocation(ns: f64) -> Vec<crate::Finding> {
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
        let found = with_one_invocation(300.0);
        assert_eq!(codes(&found), ["too-short"], "{found:?}");
        assert_eq!(found[0].advice.again, Some(Again::only(How::FreeInvocations, ["g/a"])));
        assert!(with_one_invocation(300_000.0).is_empty());
    }
}
