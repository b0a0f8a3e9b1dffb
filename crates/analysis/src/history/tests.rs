//! Series of made-up runs.

use super::*;
use crate::history::{Accepted, HistoryBase, HistoryPoint, NOISE_RUNS_MIN};
use tare_stats::interval::Interval;

fn runs(n: usize) -> Vec<HistoryRun> {
    let run = |at: usize| HistoryRun {
        run: format!("{at:08x}"),
        created: format!("2026-{:02}-{:02}T00:00:00Z", at / 28 + 1, at % 28 + 1),
        method: "waves-2".into(),
        revision: Some(format!("{at:040x}")),
        minimum_effect: 0.01,
        cycle_ns: Some(0.25),
        ..HistoryRun::default()
    };
    (0..n).map(run).collect()
}

fn kept(run: usize, time_ns: f64) -> Kept {
    let point = HistoryPoint {
        key: "p/a".into(),
        name: "p/a".into(),
        job: String::new(),
        compiler: "gcc 12".into(),
        flags: "-O2".into(),
        time_ns: Some(time_ns),
        interval: None,
        is_cpu_time: false,
        is_shared: false,
        at_reference: true,
        base: None,
    };
    Kept { run, point }
}

/// Equal apart from noise of about 0.2 %.
fn wobble(run: usize) -> f64 {
    1.0 + 0.002 * [0.3, -0.8, 0.5, 0.1, -0.4, 0.9, -0.2][run % 7]
}

#[test]
fn a_step_has_its_runs_and_what_changed() {
    let mut all: Vec<Kept> = (0..20).map(|at| kept(at, 100.0 * wobble(at) * if at < 12 { 1.0 } else { 1.1 })).collect();
    all[12..].iter_mut().for_each(|one| one.point.compiler = "gcc 13".into());
    let found = history(runs(20), all, &HistoryOptions::default());
    let trend = &found.trends[0];
    assert_eq!((trend.basis.clone(), trend.steps.len(), trend.used()), (Basis::Time, 1, 20));
    let step = &trend.steps[0];
    assert_eq!((step.before, step.at, step.after), (11, 12, 12));
    assert_eq!((step.verdict, step.confirmed), (Verdict::Slower, true));
    assert!(step.interval.contains(1.1), "{step:?}");
    assert_eq!(step.changes, [Change { what: "compiler", from: "gcc 12".into(), to: "gcc 13".into() }]);
    assert_eq!(trend.levels.iter().map(|l| (l.first, l.last)).collect::<Vec<_>>(), [(0, 11), (12, 19)]);
    assert_eq!(found.runs_since(trend, step), 8);
}

/// Twelve runs; the eighth has the old code beside a neighbour, so the cut fits best before it.
#[test]
fn a_step_lies_between_the_ends_that_it_has() {
    let value = |at| 100.0 * wobble(at) * if at < 8 { 1.0 } else { 1.02 } * if at == 7 { 1.0105 } else { 1.0 };
    let found = history(runs(12), (0..12).map(|at| kept(at, value(at))).collect(), &HistoryOptions::default());
    let step = &found.trends[0].steps[0];
    assert_eq!((step.before, step.at, step.after), (6, 7, 8));
}

#[test]
fn a_step_of_a_benchmark_that_is_gone_becomes_old() {
    let all = (0..20).map(|at| kept(at, 100.0 * wobble(at) * if at < 12 { 1.0 } else { 1.1 }));
    let found = history(runs(28), all.collect(), &HistoryOptions::default());
    assert_eq!(found.runs_since(&found.trends[0], &found.trends[0].steps[0]), 16);
}

#[test]
fn one_odd_run_at_the_end_hides_nothing() {
    type Odd = fn(&mut Kept);
    let slower = |at: usize| wobble(at) * if at < 10 { 1.0 } else { 1.1 };
    let all = |odd: Odd| {
        let mut all: Vec<Kept> = (0..16).map(|at| kept(at, 100.0 * slower(at))).collect();
        odd(&mut all[15]);
        all
    };
    let mut other_method = runs(16);
    other_method[15].method = "waves-1".into();
    let mut no_clock = runs(16);
    no_clock[15].cycle_ns = None;
    use LeftOut::*;
    let cases: [(Vec<HistoryRun>, Odd, LeftOut); 4] = [
        (runs(16), |one| one.point.is_cpu_time = true, OtherTime),
        (no_clock, |one| one.point.at_reference = false, OtherTime),
        (runs(16), |one| one.point.time_ns = None, NoTime),
        (other_method, |_| (), OtherMethod),
    ];
    for (runs, odd, why) in cases {
        let found = history(runs, all(odd), &HistoryOptions::default());
        let trend = &found.trends[0];
        assert_eq!((trend.points[15].left_out, trend.used(), trend.steps.len()), (Some(why), 15, 1), "{why:?}");
        assert!(trend.steps[0].confirmed && trend.steps[0].after == 10, "{why:?}");
    }
    // A lasting change of the method defines the new kind.
    let mut changed = runs(16);
    changed[13..].iter_mut().for_each(|run| run.method = "waves-3".into());
    assert_eq!(history(changed, all(|_| ()), &HistoryOptions::default()).trends[0].used(), 3);
}

#[test]
fn the_machine_is_on_both_sides_of_a_ratio() {
    // All became slower at once: because of the machine, not the code.
    let slow = |at: usize| wobble(at) * if at < 12 { 1.0 } else { 1.3 };
    let with_base = |at: usize| {
        let interval = Interval { lower: 1.9, upper: 2.1 };
        let base =
            HistoryBase { name: "p/base".into(), identity: "case p/base".into(), ratio: 2.0 * wobble(at), interval };
        let mut one = kept(at, 100.0 * slow(at));
        one.point.base = Some(base);
        one
    };
    let found = history(runs(20), (0..20).map(with_base).collect(), &HistoryOptions::default());
    assert_eq!(found.trends[0].basis, Basis::Ratio { base: "p/base".into() });
    assert!(found.trends[0].steps.is_empty());
    let times = history(runs(20), (0..20).map(|at| kept(at, 100.0 * slow(at))).collect(), &HistoryOptions::default());
    assert_eq!(times.trends[0].steps.len(), 1);
}

#[test]
fn values_that_are_no_series_are_left_out_by_name() {
    let mut all: Vec<Kept> = (0..20).map(|at| kept(at, 100.0 * wobble(at))).collect();
    (all[3].point.is_shared, all[3].point.time_ns) = (true, Some(160.0));
    all[4].point.time_ns = None;
    all[5].point.is_cpu_time = true;
    let mut runs = runs(20);
    runs[6].method = "waves-1".into();
    // The machine's profile was made again: 4 GHz became 5.
    runs[7].cycle_ns = Some(0.2);
    all[7].point.time_ns = Some(80.0);
    let found = history(runs, all, &HistoryOptions::default());
    let why: Vec<Option<LeftOut>> = found.trends[0].points[3..8].iter().map(|p| p.left_out).collect();
    use LeftOut::*;
    assert_eq!(why, [Some(CoreShared), Some(NoTime), Some(OtherTime), Some(OtherMethod), None]);
    assert_eq!(found.trends[0].points[7].time_ns.map(f64::round), Some(100.0));
    assert!(found.trends[0].steps.is_empty());
}

#[test]
fn many_small_changes_are_one_creep_with_their_sum() {
    let all = |n: usize| (0..n).map(|at| kept(at, 100.0 * wobble(at) * 1.005_f64.powi(at as i32))).collect::<Vec<_>>();
    let found = history(runs(28), all(28), &HistoryOptions::default());
    let trend = &found.trends[0];
    let creep = trend.creep.expect("a creep");
    assert_eq!((creep.first, creep.last, creep.verdict), (0, 27, Verdict::Slower));
    assert!(creep.interval.contains(1.005_f64.powi(27)), "{creep:?}");
    assert!(trend.steps.is_empty() && trend.levels.is_empty(), "{trend:?}");
    assert_eq!((found.runs_of(trend, &creep), found.runs_after(trend, &creep)), (27, 0));
    // Too few runs to distinguish it from a step.
    assert_eq!(history(runs(12), all(12), &HistoryOptions::default()).trends[0].creep, None);
}

#[test]
fn noise_is_of_neighbours_and_leaves_steps_out() {
    let noise_of = |factor: &dyn Fn(usize) -> f64| {
        let draw = |at: usize| if at % 2 == 0 { 1.0 } else { 1.01 };
        let all = (0..20).map(|at| kept(at, 100.0 * draw(at) * factor(at))).collect();
        history(runs(20), all, &HistoryOptions::default()).trends[0].noise()
    };
    // Every difference between neighbours is 1 %: ln 1.01 / 0.6745 / √2.
    let expected = 0.009_950_33 / 0.674_489_75 / std::f64::consts::SQRT_2;
    let alone = noise_of(&|_| 1.0).expect("20 runs");
    assert!((alone - expected).abs() < 1e-6, "{alone} {expected}");
    let with_step = noise_of(&|at| if at < 10 { 1.0 } else { 1.5 }).expect("20 runs");
    assert!((with_step - expected).abs() < 1e-6, "{with_step}");
    let few = (0..NOISE_RUNS_MIN - 1).map(|at| kept(at, 100.0)).collect();
    assert_eq!(history(runs(20), few, &HistoryOptions::default()).trends[0].noise(), None);
}

/// The same under another name.
fn named(run: usize, time_ns: f64, name: &str) -> Kept {
    let mut one = kept(run, time_ns);
    (one.point.key, one.point.name) = (format!("p.cpp:{name}"), name.to_owned());
    one
}

fn renamed(pairs: &[(&str, &str)]) -> HistoryOptions {
    let renames = pairs.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
    HistoryOptions { renames, ..HistoryOptions::default() }
}

#[test]
fn a_benchmark_is_followed_through_its_names() {
    // Renamed twice, and slower since the second time.
    let name = |at: usize| ["p/a[n=1]", "p/b[n=1]", "p/c[n=1]"][at / 8];
    let all: Vec<Kept> =
        (0..24).map(|at| named(at, 100.0 * wobble(at) * if at < 16 { 1.0 } else { 1.1 }, name(at))).collect();
    let options = renamed(&[("p/a", "p/b"), ("p/b", "p/c")]);
    let found = history(runs(24), all.clone(), &options);
    let trend = &found.trends[0];
    assert_eq!((found.trends.len(), trend.points.len(), trend.steps.len()), (1, 24, 1));
    assert_eq!((trend.name.as_str(), trend.key.as_str()), ("p/c[n=1]", "p.cpp:p/c[n=1]"));
    assert_eq!(
        (trend.earlier.clone(), trend.renamed_at),
        (vec!["p/a[n=1]".to_owned(), "p/b[n=1]".to_owned()], Some(16))
    );
    // If it still runs under its old name beside the new one, it is another benchmark in those runs.
    let both: Vec<Kept> = all.iter().cloned().chain([named(20, 5.0, "p/a[n=1]")]).collect();
    let found = history(runs(24), both, &options);
    assert_eq!((found.trends.len(), found.trends[0].points.len()), (1, 24));
    // A benchmark that never had the new name keeps its own; a circle leads nowhere; a longer name is a different one.
    let old: Vec<Kept> = all[..8].to_vec();
    assert_eq!(history(runs(24), old, &options).trends[0].name, "p/a[n=1]");
    assert_eq!(renamed(&[("x", "y"), ("y", "x")]).name_now("x"), None);
    assert_eq!(renamed(&[("p/a", "p/b")]).name_now("p/ab"), None);
    assert_eq!(renamed(&[("p/a[n=1]", "q")]).name_now("p/a[n=1]").as_deref(), Some("q"));
}

#[test]
fn a_base_that_was_renamed_is_the_same_base() {
    let with_base = |at: usize, base: &str| {
        let mut one = named(at, 100.0, "p/x");
        let ratio = 1.5 * wobble(at);
        let identity = format!("case p.cpp:{base}");
        one.point.base =
            Some(HistoryBase { name: base.into(), identity, ratio, interval: Interval { lower: ratio, upper: ratio } });
        one
    };
    // Most have the new name: otherwise there are no ratios without the rename.
    let name = |at: usize| if at < 6 { "p/old" } else { "p/new" };
    let all: Vec<Kept> = (0..16).flat_map(|at| [with_base(at, name(at)), named(at, 50.0, name(at))]).collect();
    let used = |options: &HistoryOptions| {
        let found = history(runs(16), all.clone(), options);
        found.trends.iter().find(|trend| trend.name == "p/x").map(Trend::used)
    };
    assert_eq!((used(&HistoryOptions::default()), used(&renamed(&[("p/old", "p/new")]))), (Some(10), Some(16)));
}

/// Accepts the changes up to a run.
fn accepted(run: usize) -> HistoryOptions {
    let created = runs(run + 1)[run].created.clone();
    let one = Accepted { key: "p/a".into(), run: format!("{run:08x}"), created, ..Accepted::default() };
    HistoryOptions { accepted: vec![one], ..HistoryOptions::default() }
}

#[test]
fn what_is_accepted_stays_so_until_it_changes_again() {
    let cost = |at: usize| [1.0, 1.1, 1.3][at / 10];
    let all: Vec<Kept> = (0..30).map(|at| kept(at, 100.0 * wobble(at) * cost(at))).collect();
    let steps = |options: &HistoryOptions| -> Vec<bool> {
        history(runs(30), all.clone(), options).trends[0].steps.iter().map(|step| step.accepted).collect()
    };
    assert_eq!(steps(&HistoryOptions::default()), [false, false]);
    assert_eq!(steps(&accepted(15)), [true, false]);
    assert_eq!(steps(&accepted(29)), [true, true]);
}

#[test]
fn a_creep_against_a_pinned_base_is_found_and_may_be_accepted() {
    // The machine drifts by more than the benchmark; the ratio to the base does not.
    let mut rng = tare_stats::Rng::new(7);
    let mut all = Vec::new();
    for at in 0..40 {
        let drift = 1.0 + 0.05 * (at as f64 / 5.0).sin();
        let ratio = 1.005_f64.powi(at) * (0.01 * rng.normal()).exp();
        let mut one = kept(at as usize, 100.0 * drift * ratio);
        let interval = Interval { lower: ratio * 0.99, upper: ratio * 1.01 };
        one.point.base = Some(HistoryBase { name: "v1.0".into(), identity: "side v1.0 f00".into(), ratio, interval });
        all.push(one);
    }
    let creep = |options: &HistoryOptions| history(runs(40), all.clone(), options).trends[0].creep;
    let found = creep(&HistoryOptions::default()).expect("a creep");
    assert!(found.interval.contains(1.005_f64.powi(39)) && found.verdict == Verdict::Slower, "{found:?}");
    assert!(creep(&accepted(39)).is_some_and(|creep| creep.accepted));
    assert!(creep(&accepted(20)).is_some_and(|creep| !creep.accepted), "it has grown since");
}

#[test]
fn what_another_machine_measured_is_of_no_series_of_this_one() {
    use crate::findings::common::{twelve_launches, RunBuilder};
    use crate::history::history_of_run;
    let points = |cpu: &str| {
        let mut builder = RunBuilder::new();
        for name in ["a", "b"] {
            let case = builder.case("g", name, false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        }
        let mut second = builder.run.parts[0].clone();
        second.environment.cpu = cpu.to_owned();
        builder.run.parts.push(second);
        builder.run.launches.iter_mut().filter(|launch| launch.case == 1).for_each(|launch| launch.part = 1);
        let run = builder.run();
        history_of_run(&run, &crate::analyse(&run)).1.into_iter().map(|point| point.name).collect::<Vec<_>>()
    };
    let here = RunBuilder::new().run().environment().cpu.clone();
    assert_eq!((points(&here).len(), points("another").len()), (2, 1));
}
