//! The status line and the lines of finished cases, from synthetic events.

use crate::progress::{at_most, longer, Progress};
use std::time::Duration;
use tare_model::{
    Benchmark, Columns, Draw, Event, Failure, FailureKind, LaunchOutcome, Plan, Policy, Side, Stage, Step,
};
use tare_report::{width, Glyphs};

fn plan(budget_s: Option<f64>) -> Plan {
    let benchmark = |index, name: &str| Benchmark {
        index,
        group: "parse".into(),
        name: name.into(),
        baseline: index == 0,
        operations: 2,
        ..Benchmark::default()
    };
    let entry = tare_engine::CatalogEntry {
        artifact: 0,
        program: "bench.cpp".into(),
        benchmarks: vec![benchmark(0, "strtol"), benchmark(1, "a-benchmark-with-quite-a-long-name-indeed")],
    };
    tare_engine::plan(
        &[entry],
        Policy { width: 4, waves_min: 3, waves_max: 3, rounds: 24, budget_s, ..Policy::default() },
        1,
    )
}

fn launch(launch: u32, case: u32) -> Event {
    Event::LaunchStarted { launch, case, group: 0, wave: 1, draw: Draw::default(), start_ns: 0.0 }
}

fn over(launch: u32) -> Event {
    let outcome = LaunchOutcome::Finished;
    Event::LaunchFinished { launch, outcome, peak_memory_bytes: None, memory_growth_bytes: None }
}

/// Six complete launches of the first case.
fn six(progress: &mut Progress) {
    for number in 0..6 {
        [launch(number, 0), visits(number, 24), over(number)].iter().for_each(|event| {
            progress.on(event, Glyphs::Ascii);
        });
    }
}

fn visits(launch: u32, n: usize) -> Event {
    let columns = Columns { elapsed_ns: vec![1e6; n], ..Columns::default() };
    Event::Measured { launch, stage: Stage::Actual, round: 0, invocations: 1000, columns }
}

#[test]
fn the_status_line_says_what_runs_and_how_long_it_takes() {
    let mut progress = Progress::new(&plan(None), &[]);
    let line = |p: &Progress, columns| p.line(Duration::from_secs(6), columns, Glyphs::Unicode);
    assert_eq!(line(&progress, 80), "");
    progress.on(&launch(0, 0), Glyphs::Unicode);
    assert_eq!(line(&progress, 80), "parse/strtol  starting  wave 2/3   0 %");
    six(&mut progress);
    assert_eq!(line(&progress, 80), "parse/strtol  measuring  wave 2/3  25 %  18 s left");
    progress.on(&launch(6, 1), Glyphs::Unicode);
    insta::assert_snapshot!(line(&progress, 60));
    for columns in 0..100 {
        assert!(width(&line(&progress, columns)) <= columns.max(1), "{columns}");
    }
}

/// Its children run one at a time, so it has more waves.
#[test]
fn waves_are_those_of_the_group() {
    let mut plan = plan(None);
    plan.groups[0].baseline = None;
    let mut progress = Progress::new(&plan, &[]);
    for (wave, expected) in [(11, "wave 12/12"), (12, "wave 13/13")] {
        let started =
            Event::LaunchStarted { launch: wave, case: 0, group: 0, wave, draw: Draw::default(), start_ns: 0.0 };
        progress.on(&started, Glyphs::Ascii);
        let line = progress.line(Duration::from_secs(6), 80, Glyphs::Ascii);
        assert!(line.contains(expected), "{line}");
    }
}

#[test]
fn a_budget_bounds_the_time_that_is_left() {
    let mut progress = Progress::new(&plan(Some(10.0)), &[]);
    six(&mut progress);
    assert!(progress.line(Duration::from_secs(6), 80, Glyphs::Unicode).ends_with("4 s left"));
}

/// On a shared core a launch has more rounds, and more may follow.
#[test]
fn launches_count_and_not_their_visits() {
    let mut progress = Progress::new(&plan(None), &[]);
    let mut share = |events: &[Event]| {
        events.iter().for_each(|event| _ = progress.on(event, Glyphs::Ascii));
        let line = progress.line(Duration::from_secs(6), 80, Glyphs::Ascii);
        line.split(" %").next().and_then(|text| text.rsplit(' ').next()?.parse::<u32>().ok()).expect("a share")
    };
    assert_eq!(share(&[launch(0, 0), visits(0, 24 * 12)]), 4, "one of 24");
    assert_eq!(share(&[over(0)]), 4);
    let all: Vec<Event> =
        (1..24).flat_map(|number| [launch(number, number % 2), visits(number, 99), over(number)]).collect();
    assert_eq!(share(&all), 100);
    assert_eq!(share(&[launch(24, 0)]), 96, "one more than was planned");
}

#[test]
fn launches_that_are_always_made_may_take_longer_than_the_limit() {
    let mut limited = plan(Some(10.0));
    limited.policy.first_waves_always = true;
    let mut progress = Progress::new(&limited, &[]);
    progress.on(&launch(0, 0), Glyphs::Unicode);
    progress.on(&visits(0, 24), Glyphs::Unicode);
    let line = progress.line(Duration::from_secs(20), 80, Glyphs::Unicode);
    assert!(line.ends_with("3 min left"), "{line}");
    assert_eq!(longer(125.0), "this takes about 3 min: 4 launches of each need it");
    limited.policy.first_waves_always = false;
    let mut progress = Progress::new(&limited, &[]);
    progress.on(&launch(0, 0), Glyphs::Unicode);
    progress.on(&visits(0, 24), Glyphs::Unicode);
    assert!(progress.line(Duration::from_secs(20), 80, Glyphs::Unicode).ends_with("0 s left"));
    progress.on(&Event::Expected { total_s: 50.0 }, Glyphs::Unicode);
    assert!(progress.line(Duration::from_secs(20), 80, Glyphs::Unicode).ends_with("30 s left"));
}

#[test]
fn a_plan_says_how_long_it_takes_at_most() {
    let of = |budget_s, first_waves_always| {
        let mut plan = plan(budget_s);
        plan.policy.first_waves_always = first_waves_always;
        at_most(&plan)
    };
    assert_eq!(
        of(Some(20.0), true).as_deref(),
        Some("2 cases: at most 20 s, longer only for 4 launches of each (`--budget`)")
    );
    assert_eq!(of(Some(150.0), false).as_deref(), Some("2 cases: at most 3 min"));
    assert_eq!((of(Some(3.0), true), of(None, false)), (None, None), "what is short needs no words");
    let mut compared = plan(Some(10.0));
    compared.cases[0].side = Some(Side::Base);
    assert_eq!(at_most(&compared).as_deref(), Some("1 benchmark: at most 10 s"));
}

#[test]
fn a_case_that_ends_is_a_line() {
    let mut progress = Progress::new(&plan(None), &[]);
    for event in [launch(0, 0), visits(0, 24), launch(1, 1)] {
        assert_eq!(progress.on(&event, Glyphs::Unicode), None);
    }
    let done = progress.on(&Event::CaseFinished { case: 0 }, Glyphs::Unicode);
    assert_eq!(done.as_deref(), Some("[1/2] parse/strtol: about 500.0 ns including the loop"));
    let failure = Failure { cause: FailureKind::Timeout { seconds: 60.0 }, step: Step::Body, output: Vec::new() };
    let again = progress.on(&Event::CaseRepeated { case: 1, failure: failure.clone() }, Glyphs::Ascii);
    assert!(again.is_some_and(|line| line.ends_with("did not answer within 60 s; to be measured again alone")));
    // Alone, its children run one at a time, so it has more waves, and all of its visits are still to come.
    let first = Event::LaunchStarted { launch: 2, case: 1, group: 1, wave: 0, draw: Draw::default(), start_ns: 0.0 };
    for event in [over(0), over(1), first, visits(2, 12)] {
        progress.on(&event, Glyphs::Ascii);
    }
    let line = progress.line(Duration::from_secs(6), 80, Glyphs::Ascii);
    assert!(line.contains("measuring  wave 1/12  18 %"), "{line}");
    let failed = progress.on(&Event::CaseFailed { case: 1, failure }, Glyphs::Ascii);
    assert!(failed.is_some_and(|line| line.ends_with("failed: did not answer within 60 s")));
}

#[test]
fn cases_that_fail_alike_are_counted() {
    let mut progress = Progress::new(&plan(None), &[]);
    let failed = |seconds| {
        let cause = FailureKind::Timeout { seconds };
        Event::CaseFailed { case: 0, failure: Failure { cause, step: Step::Body, output: Vec::new() } }
    };
    let told = (0..500).filter_map(|_| progress.on(&failed(60.0), Glyphs::Ascii)).count();
    let other = progress.on(&failed(5.0), Glyphs::Ascii);
    assert!(told == 5 && other.is_some_and(|line| line.contains("failed: did not answer within 5 s")), "{told}");
    assert_eq!(progress.untold(), ["495 more failed: did not answer within 60 s"]);
    assert!(progress.untold().is_empty(), "once");
}

#[test]
fn a_program_is_named_where_names_are_not_unique() {
    let mut plan = plan(None);
    plan.cases[1].benchmark.name = "strtol".into();
    plan.cases[1].key = "other.cpp:parse/strtol".into();
    let done = |plan: &Plan| Progress::new(plan, &[]).on(&Event::CaseFinished { case: 1 }, Glyphs::Ascii);
    assert_eq!(done(&plan).as_deref(), Some("[1/2] other.cpp:parse/strtol: done"));
    for (case, side) in plan.cases.iter_mut().zip([Side::Base, Side::New]) {
        (case.key, case.side) = ("bench.cpp:parse/strtol".into(), Some(side));
    }
    assert_eq!(done(&plan).as_deref(), Some("[1/2] parse/strtol@new: done"));
}

/// The number of runs of a command per launch follows from its first run.
#[test]
fn whole_commands_go_from_nothing_to_all() {
    let mut plan = plan(None);
    plan.policy = Policy { launch_ns: Some(2e8), rounds: 60, ..plan.policy };
    let mut progress = Progress::new(&plan, &[]);
    let mut shares = Vec::new();
    for number in 0..24 {
        progress.on(&launch(number, number % 2), Glyphs::Unicode);
        // One run takes longer than a launch's time; two of the other fit.
        let (ns, runs) = if number % 2 == 0 { (3e8, 1) } else { (1e8, 2) };
        for _ in 0..runs {
            let columns = Columns { elapsed_ns: vec![ns], ..Columns::default() };
            progress.on(
                &Event::Measured { launch: number, stage: Stage::Actual, round: 0, invocations: 1, columns },
                Glyphs::Unicode,
            );
        }
        progress.on(&over(number), Glyphs::Unicode);
        let line = progress.line(Duration::from_secs(u64::from(number) + 1), 80, Glyphs::Unicode);
        let share = line.split(" %").next().and_then(|text| text.rsplit(' ').next()?.parse::<f64>().ok());
        shares.push(share.expect("a share"));
        assert!(number == 0 || line.contains(" s left"), "{line}");
    }
    assert!(shares.windows(2).skip(1).all(|pair| pair[0] < pair[1]) && shares[23] == 100.0, "{shares:?}");
    assert!((45.0..=55.0).contains(&shares[11]), "{shares:?}");
}
