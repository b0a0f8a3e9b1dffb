//! `no-steady-state`: the warm-up of the first launch never settled, so every launch measures some part of a change.

use super::facts::{Context, Measured};
use super::{text, Found, Rerun};
use tare_model::{visits, Launch, LaunchOutcome, Severity, Stage, Visit};
use tare_stats::changepoint::steady_state;

/// Iterations below which a warm-up shows nothing.
const ITERATIONS_MIN: usize = 40;
/// Difference (log) from the final level that counts: of a managed runtime, whose levels are true steps ...
const LEVEL_MANAGED: f64 = 0.02;
/// ... and of native code, where a busy machine makes smaller steps all the time.
const LEVEL_NATIVE: f64 = 0.05;
/// The stretch at the end that must be steady.
const SETTLED_MIN: f64 = 0.25;
/// Share of all iterations at the final level from which what was between was an interruption.
const AGREE_MAX: f64 = 0.6;

pub(super) fn find(context: &Context) -> Vec<Found> {
    context.measured().filter_map(|m| case(context, m)).collect()
}

fn case(context: &Context, measured: Measured) -> Option<Found> {
    let managed = context.child(measured.case)?.managed;
    // Native code has nothing to compile: on a busy machine what moves for some milliseconds is the machine. What the body itself
    // does from call to call shows in the visits, which others look at.
    if !managed && context.busy {
        return None;
    }
    let launches = context.run.launches.iter().filter(|l| l.outcome == LaunchOutcome::Finished);
    let iterations = launches
        .filter(|l| l.case == measured.case)
        .map(warm_up)
        .find(|iterations| !iterations.is_empty())
        .filter(|iterations| iterations.len() >= ITERATIONS_MIN)?;
    let levels: Vec<f64> = iterations.iter().map(level).collect();
    let segments = steady_state(&levels).segments;
    let last = segments.last()?;
    let limit = if managed { LEVEL_MANAGED } else { LEVEL_NATIVE };
    let differs = segments.iter().rev().find(|s| (s.mean - last.mean).abs() > limit)?;
    let settled = levels.len() - differs.end;
    let agree = segments.iter().filter(|s| (s.mean - last.mean).abs() <= limit).map(|s| s.end - s.start);
    let n = levels.len() as f64;
    (settled as f64 <= SETTLED_MIN * n && agree.sum::<usize>() as f64 <= AGREE_MAX * n).then(|| {
        let took: f64 = iterations.iter().map(|v| v.wall_ns).sum();
        let direction = if differs.mean > last.mean { "faster" } else { "slower" };
        Found {
            case: Some(measured.case),
            severity: Severity::Warning,
            evidence: format!(
                "after {} of warm-up it still became {direction} by {}; only its last {settled} of {} iterations agree",
                text::ns(took),
                text::log_percent(differs.mean - last.mean),
                levels.len()
            ),
            weight: (differs.mean - last.mean).abs(),
            advice:
                "the body's work may change from call to call, or its runtime still compile: read the time as an average"
                    .to_owned(),
            rerun: Rerun::spending("--long"),
        }
    })
}

/// Each iteration of the warm-up of a launch.
fn warm_up(launch: &Launch) -> Vec<Visit> {
    let series = launch.series.iter().filter(|s| s.stage == Stage::Warmup);
    // All iterations of a warm-up have one round; each is looked at by itself.
    series
        .flat_map(|s| visits(&tare_model::Series { round: (0..s.columns.len() as u32).collect(), ..s.clone() }))
        .filter(|v| v.wall_ns > 0.0)
        .collect()
}

/// Log time of an iteration in cycles of the core where its clock is known: a step of the clock is no warm-up.
fn level(visit: &Visit) -> f64 {
    let ns = match visit.cpu_ns {
        Some(cpu) if visit.has_gap() && visit.waits == Some(0.0) && cpu > 0.0 => cpu,
        _ => visit.wall_ns,
    };
    (ns / visit.invocations).ln() - visit.probe_ns.filter(|p| *p > 0.0).map_or(0.0, f64::ln)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, noisy_logs, twelve_launches, RunBuilder};
    use tare_model::Stage;

    fn findings(shift: impl Fn(usize) -> f64) -> Vec<tare_model::Finding> {
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
        assert!(found[0].evidence.contains("only its last 20 of 200 iterations agree"), "{}", found[0].evidence);
    }

    #[test]
    fn on_a_busy_machine_it_is_said_of_runtimes_that_compile_alone_and_names_the_machine() {
        let busy = |managed: bool| {
            let mut builder = RunBuilder::new();
            builder.child().managed = managed;
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
        let one = found.iter().find(|f| f.code == "no-steady-state").expect("a runtime may still compile");
        assert!(one.advice.text.starts_with("the machine was busy"), "{one:?}");
    }

    #[test]
    fn one_that_settles_is_nothing() {
        assert!(findings(|i| if i < 100 { 0.5 } else { 0.0 }).is_empty());
        assert!(findings(|_| 0.0).is_empty());
    }
}
