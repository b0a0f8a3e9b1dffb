//! `too-short`: a visit is too short for the clock, so that clock steps show instead of times.

use super::{Context, How, Means, Measured, Observation, Search, Sentence, Unit};
use tare_model::{Stage, Strategy};
use tare_stats::location::median;

/// Smallest reported clock step, as a share of a visit.
const SHARE_MAX: f64 = 0.001;
/// In a shorter iteration, reading the clock and entering the loop are visible, ns.
const ITERATION_MIN_NS: f64 = 10_000.0;
/// A shorter iteration of one invocation is mostly clock, as two clock reads take 20 to 100 ns, ns.
const SINGLE_MIN_NS: f64 = 200.0;
/// Most launches of a case that a run can make.
const LAUNCHES_MAX: f64 = 224.0;

pub(super) struct Resolution {
    pub step_ns: f64,
    /// Typical length of what is timed at once, ns: an iteration or one of its windows.
    pub iteration_ns: f64,
    /// How many of these make up a visit.
    pub iterations: f64,
    /// Step as a share of a visit; the steps of several iterations average out.
    pub share: f64,
    is_single: bool,
}

impl Resolution {
    /// Whether one invocation is timed at a time and takes hardly more than reading the clock, so its own time is unknown.
    pub fn is_lost(&self) -> bool {
        self.is_single && self.iteration_ns < SINGLE_MIN_NS
    }
}

/// `None` if the clock or the iterations are unknown.
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
    let is_single = actual.iter().all(|s| s.invocations <= s.columns.windows().max(1) as u64);
    Some(Resolution {
        step_ns,
        iteration_ns,
        iterations: each,
        share: step_ns / (iteration_ns * each.sqrt()),
        is_single,
    })
}

pub(super) const SEARCH: Search = Search::of_cases(find);

fn find(context: &Context, m: Measured) -> Option<Observation> {
    let fixed = context.run.plan.policy.invocations;
    let seen = resolution(context, m)?;
    let benchmark = &context.run.plan.cases[m.case as usize].benchmark;
    // The user's number does not apply to a benchmark that allows fewer.
    let fixed = fixed.filter(|fixed| benchmark.invocations_max.is_none_or(|most| *fixed <= most));
    match (benchmark.strategy, fixed) {
        (Strategy::Process, _) => of_harness(m.case, &seen),
        (Strategy::ColdStart, _) => of_cold_start(m.case, &seen, m.times.launches.len()),
        (Strategy::Monitoring, _) => of_monitoring(m.case, &seen),
        (Strategy::Throughput, Some(fixed)) => of_fixed(m.case, &seen, fixed),
        (Strategy::Throughput, None) => of_clock(m.case, &seen),
    }
}

/// For a user-defined number of invocations.
fn of_fixed(case: u32, seen: &Resolution, fixed: u64) -> Option<Observation> {
    (seen.share > SHARE_MAX || seen.iteration_ns < ITERATION_MIN_NS).then(|| {
let evidence = Sentence::new(match fixed {
            1 => "a visit of {invocations} invocation takes {timed}, and according to the program the clock has a resolution of {step}",
            _ => "a visit of {invocations} invocations takes {timed}, and according to the program the clock has a resolution of {step}",
        })
        .number("invocations", fixed as f64, Unit::Count)
        .number("timed", seen.iteration_ns, Unit::Ns)
        .number("step", seen.step_ns, Unit::Ns);
let advice = "let Tare choose the number of invocations";
Observation::warning(evidence, advice).of(case).weighing(1.0 / seen.iteration_ns).again(How::FreeInvocations)
})
}

/// For a harness that decides how long it measures, and rounds its results.
fn of_harness(case: u32, seen: &Resolution) -> Option<Observation> {
    let share = seen.step_ns / seen.iteration_ns;
    (share > SHARE_MAX).then(|| {
        let evidence =
            Sentence::new("its harness has times in steps of {step}: {share} of {timed}, which it times at once")
                .number("step", seen.step_ns, Unit::Ns)
                .number("share", share, Unit::Share)
                .number("timed", seen.iteration_ns, Unit::Ns);
        let advice = "let the harness time more iterations at once: the intervals hold what it rounds";
        Observation::warning(evidence, advice).of(case).weighing(share)
    })
}

/// Tare chose the number of invocations, and the clock is too coarse for it.
fn of_clock(case: u32, seen: &Resolution) -> Option<Observation> {
    (seen.share > SHARE_MAX || seen.is_lost()).then(|| {
        let evidence = match seen.is_lost() {
            true => Sentence::new(
                "each invocation is timed on its own and takes {timed}, little more than reading the clock",
            )
            .number("timed", seen.iteration_ns, Unit::Ns),
            false => evidence(seen),
        };
        let advice = "repeat the work in the body, and declare the number of operations";
        Observation::warning(evidence, advice).of(case).weighing(seen.share)
    })
}

/// One call per process: it cannot be made longer, but the steps average out over processes.
fn of_cold_start(case: u32, seen: &Resolution, launches: usize) -> Option<Observation> {
    let wanted = (seen.share / SHARE_MAX).powi(2).ceil();
    ((launches as f64) < wanted).then(|| {
        let enough = wanted <= LAUNCHES_MAX;
        let advice = match enough {
            true => "use more launches: each has one cold start, and the steps of the clock average out",
            false => "a cold start is one call, and too short for this clock: include more work in it, or use a runtime with a finer clock",
        };
        Observation::warning(evidence(seen), advice).of(case).weighing(seen.share).again(enough.then_some(How::Launches(wanted as u64)))
    })
}

/// Each visit is one call, unless the user says otherwise.
fn of_monitoring(case: u32, seen: &Resolution) -> Option<Observation> {
    of_clock(case, seen).map(|found| Observation {
        advice: Sentence::new("measure several invocations at a time: {invocations}")
            .means("invocations", Means::Invocations),
        ..found
    })
}

/// A visit of several iterations averages their steps; the step is then another share of what is timed at once.
fn evidence(seen: &Resolution) -> Sentence {
    let pattern = match seen.iterations > 1.5 {
        true => {
            "according to the program, the resolution of the clock is {step} in iterations of {timed}: {share} over the {iterations} \
             iterations of a visit"
        }
        false => "according to the program, the resolution of the clock is {step}: {share} of a visit of {timed}",
    };
    Sentence::new(pattern)
        .number("step", seen.step_ns, Unit::Ns)
        .number("timed", seen.iteration_ns, Unit::Ns)
        .number("share", seen.share, Unit::Share)
        .number("iterations", seen.iterations, Unit::Count)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, log_ns, noisy_logs, twelve_launches, RunBuilder};
    use crate::{Again, How};
    use tare_model::Strategy;

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
            found[0].evidence.to_string().starts_with(
                "according to the program, the resolution of the clock is 5.000 \u{b5}s: 0.5 % of a visit"
            ),
            "{found:?}"
        );
        assert!(with_steps(100.0).is_empty());
    }

    #[test]
    fn a_share_is_never_told_of_something_else() {
        let many = super::Resolution {
            step_ns: 20.0,
            iteration_ns: 600.0,
            iterations: 64.0,
            share: 20.0 / 600.0 / 8.0,
            is_single: true,
        };
        let reported = super::evidence(&many);
        assert_eq!(
            reported.to_string(),
            "according to the program, the resolution of the clock is 20.00 ns in iterations of 600.0 ns: 0.4 % over the 64 iterations \
             of a visit"
        );
    }

    /// Twelve launches of one call each, with a clock step of 1 µs.
    fn of_strategy(strategy: Strategy, ns: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        builder.child().clock_resolution_ns = 1000.0;
        let case = builder.case("g", "a", false);
        builder.run.plan.cases[0].benchmark.strategy = strategy;
        // Cold starts ignore it.
        builder.run.plan.policy.invocations = Some(1);
        let rounds = if strategy == Strategy::ColdStart { 1 } else { 24 };
        for n in 0..12 {
            let launch = builder.launch(case, n / 4, &noisy_logs(log_ns(ns), rounds, u64::from(n)));
            launch.series[0].invocations = 1;
            launch.series[0].columns.elapsed_ns.iter_mut().for_each(|e| *e = ns * *e / 1e6);
            launch.series[0].columns.cpu_ns = launch.series[0].columns.elapsed_ns.clone();
        }
        crate::analyse(&builder.run()).findings.into_iter().filter(|f| f.code == crate::Code::TooShort).collect()
    }

    #[test]
    fn a_single_call_of_a_process_becomes_no_longer_by_batching() {
        let advice = |found: &[crate::Finding]| (found[0].advice.text.to_string(), found[0].advice.again.clone());
        // Steps of 0.5 % need 25 launches to average out to 0.1 %.
        let (text, again) = advice(&of_strategy(Strategy::ColdStart, 200_000.0));
        assert!(text.starts_with("use more launches: each has one cold start"), "{text}");
        let Some(Again { how: How::Launches(launches @ 24..=27), .. }) = again else { panic!("{again:?}") };
        assert!(launches > 12);
        let (text, again) = advice(&of_strategy(Strategy::ColdStart, 20_000.0));
        assert!(
            text.starts_with("a cold start is one call, and too short for this clock") && again.is_none(),
            "{text}"
        );
        assert_eq!(of_strategy(Strategy::ColdStart, 400_000.0), [], "twelve are enough");
        let (text, again) = advice(&of_strategy(Strategy::Monitoring, 20_000.0));
        assert!(text.starts_with("measure several invocations at a time") && again.is_none(), "{text}");
    }

    fn with_one_invocation(ns: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        builder.run.plan.policy.invocations = Some(1);
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
