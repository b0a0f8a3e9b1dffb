//! `no-steady-state`: the warm-up of the first launch never settled, so every launch measures part of a change.

use super::{Code, Context, How, Measured, Observation, Search, Sentence, Unit};
use crate::core::{visits_with, Judge};
use tare_model::{Launch, LaunchOutcome, Stage, Visit, VisitTraits};
use tare_stats::changepoint::steady_state;

/// Shorter warm-ups show nothing, iterations.
const ITERATIONS_MIN: usize = 40;
/// Smallest difference (log) from the final level that counts: for late-compiled code, whose levels are true steps ...
const LEVEL_COMPILED: f64 = 0.02;
/// ... and for native code, as a busy machine makes smaller steps all the time.
const LEVEL_NATIVE: f64 = 0.05;
/// Share at the end that must be steady.
const SETTLED_MIN: f64 = 0.25;
/// If at least this share of all iterations is at the final level, the rest was an interruption.
const AGREE_MAX: f64 = 0.6;

pub(super) const SEARCH: Search = Search::of_cases(case).may_be_the_machine().told_by(&[
    Code::Drift,
    Code::WavesDisagree,
    Code::TwoModes,
    Code::LaunchesDisagree,
]);

fn case(context: &Context, measured: Measured) -> Option<Observation> {
    let late = context.child(measured.case)?.compiles_late;
    // Native code has nothing to compile: on a busy machine, changes within some milliseconds are the machine's.
    if !late && context.busy {
        return None;
    }
    let finished = |l: &&Launch| l.outcome == LaunchOutcome::Finished && l.case == measured.case;
    let launches = context.run.launches.iter().filter(finished);
    let iterations =
        launches.map(|l| warm_up(l, measured.times.judge_of(l.id))).find(|iterations| !iterations.is_empty())?;
    // Effects of a neighbour on the core are no warm-up.
    let judged = iterations.iter().any(|v| v.windows.is_some());
    let core_is_shared = context.core.as_ref().is_some_and(crate::report::CoreSummary::is_shared);
    if !late && !judged && core_is_shared {
        return None;
    }
    let counts = |v: &&Visit| !judged || v.alone_per_operation_ns(1.0).is_some();
    let levels: Vec<f64> = iterations.iter().filter(counts).map(level).collect();
    if levels.len() < ITERATIONS_MIN {
        return None;
    }
    let segments = steady_state(&levels).segments;
    let last = segments.last()?;
    let limit = if late { LEVEL_COMPILED } else { LEVEL_NATIVE };
    let differs = segments.iter().rev().find(|s| (s.mean - last.mean).abs() > limit)?;
    let settled = levels.len() - differs.end;
    let agree = segments.iter().filter(|s| (s.mean - last.mean).abs() <= limit).map(|s| s.end - s.start);
    let n = levels.len() as f64;
    (settled as f64 <= SETTLED_MIN * n && agree.sum::<usize>() as f64 <= AGREE_MAX * n).then(|| {
        let took: f64 = iterations.iter().map(|v| v.wall_ns).sum();
        let became = match differs.mean > last.mean {
            true => "the time was still falling after {warm-up} of warm-up, by {change}",
            false => "the time was still rising after {warm-up} of warm-up, by {change}",
        };
        let evidence = Sentence::new(became)
            .then("; only the last {settled} of {iterations} iterations agree".into())
            .number("warm-up", took, Unit::Ns)
            .number("change", (last.mean - differs.mean).exp_m1().abs(), Unit::Share)
            .count("settled", settled)
            .count("iterations", levels.len());
        let advice =
            "the work may change from call to call, or the runtime may still be compiling: read the time as an average";
        Observation::warning(evidence, advice).weighing((differs.mean - last.mean).abs()).again(How::Longer)
    })
}

fn warm_up(launch: &Launch, judge: Option<Judge>) -> Vec<Visit> {
    // Before the loops it runs again, already warm.
    let before_loops = |s: &&tare_model::Series| !matches!(s.stage, Stage::Overhead | Stage::Rolled);
    let series = launch.series.iter().take_while(before_loops).filter(|s| s.stage == Stage::Warmup);
    // All iterations of a warm-up have one round; each is considered separately.
    series
        .flat_map(|s| {
            visits_with(&tare_model::Series { round: (0..s.columns.len() as u32).collect(), ..s.clone() }, judge)
        })
        .filter(|v| v.wall_ns > 0.0)
        .collect()
}

/// Log time of an iteration, alone and in cycles if known: a step of the clock is no warm-up.
fn level(visit: &Visit) -> f64 {
    let ns = match (visit.alone_per_operation_ns(1.0), visit.cpu_per_operation_ns(1.0, VisitTraits::default())) {
        (Some(alone), _) => alone,
        (None, Some(cpu)) if visit.has_gap() && visit.waits == Some(0.0) && cpu > 0.0 => cpu,
        _ => visit.wall_per_operation_ns(1.0),
    };
    ns.ln() - visit.probe_ns.filter(|p| *p > 0.0).map_or(0.0, f64::ln)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, noisy_logs, share, twelve_launches, RunBuilder};
    use tare_model::Stage;

    fn findings(shift: impl Fn(usize) -> f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        let times = noisy_logs(250_000_f64.ln(), 200, 9);
        let elapsed = times.iter().enumerate().map(|(i, y)| (y + shift(i)).exp()).collect();
        let series = builder.series(Stage::Warmup, 2500, elapsed);
        builder.run.launches[0].series.insert(0, series);
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn a_warm_up_that_goes_up_and_down_to_its_end() {
        let found = findings(|i| if (i / 30) % 2 == 0 { 0.1 } else { 0.0 });
        assert_eq!(codes(&found), ["no-steady-state"]);
        assert!(
            found[0].evidence.to_string().contains("only the last 20 of 200 iterations agree"),
            "{}",
            found[0].evidence
        );
    }

    #[test]
    fn on_a_busy_machine_it_is_said_of_runtimes_that_compile_alone_and_names_the_machine() {
        let busy = |late: bool| {
            let mut builder = RunBuilder::new();
            builder.child().compiles_late = late;
            let case = builder.case("g", "a", false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            let elapsed = (0..200).map(|i| if (i / 30) % 2 == 0 { 2.8e5 } else { 2.5e5 }).collect();
            let series = builder.series(Stage::Warmup, 2500, elapsed);
            builder.run.launches[0].series.insert(0, series);
            for launch in &mut builder.run.launches {
                let elapsed = &mut launch.series.last_mut().expect("visits").columns.elapsed_ns;
                elapsed.iter_mut().step_by(12).for_each(|e| *e *= 1.5);
            }
            crate::analyse(&builder.run()).findings
        };
        assert!(!codes(&busy(false)).contains(&"no-steady-state"));
        let found = busy(true);
        let one = found.iter().find(|f| f.code.name() == "no-steady-state").expect("a runtime may still compile");
        assert!(one.advice.text.to_string().starts_with("the machine was busy"), "{one:?}");
    }

    /// A warm-up of 200 iterations that a neighbour slows by half in stretches of 30; `judged`: with windows.
    fn with_neighbour(late: bool, judged: bool) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new().with_windows();
        builder.child().compiles_late = late;
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        let there = |iteration: usize| (iteration / 30) % 2 == 1;
        let slower = if judged { 1.0 } else { 1.5 };
        let elapsed = (0..200).map(|i| if there(i) { slower * 2.5e5 } else { 2.5e5 }).collect();
        let mut warm_up = builder.series(Stage::Actual, 2500, elapsed);
        for launch in &mut builder.run.launches {
            share(launch, 1.5, |visit, _| visit % 4 == 0);
        }
        let mut first = tare_model::Launch { series: vec![warm_up.clone()], ..builder.run.launches[0].clone() };
        if judged {
            share(&mut first, 1.5, |visit, _| there(visit));
            warm_up = first.series.remove(0);
        }
        warm_up.stage = Stage::Warmup;
        builder.run.launches[0].series.insert(0, warm_up);
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn what_a_neighbour_on_the_core_does_is_no_warm_up() {
        for late in [false, true] {
            assert!(with_neighbour(late, true).is_empty(), "{:?}", with_neighbour(late, true));
        }
        assert!(with_neighbour(false, false).is_empty(), "{:?}", with_neighbour(false, false));
    }

    #[test]
    fn one_that_settles_is_nothing() {
        assert!(findings(|i| if i < 100 { 0.5 } else { 0.0 }).is_empty());
        assert!(findings(|_| 0.0).is_empty());
    }
}
