use tare_model::Stage;
use tare_model::*;

fn series(elapsed: &[f64], cpu: &[f64], round: &[u32]) -> Series {
    let columns = Columns { elapsed_ns: elapsed.to_vec(), cpu_ns: cpu.to_vec(), ..Columns::default() };
    Series { stage: Stage::Actual, invocations: 10, round: round.to_vec(), columns }
}

#[test]
fn iterations_of_one_round_are_one_visit() {
    let found = visits(&series(&[1e6, 2e6, 4e6], &[1e6, 2e6, 4e6], &[0, 0, 1]));
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].wall_ns, 3e6);
    assert_eq!(found[0].invocations, 20.0);
    assert_eq!(found[1].wall_per_invocation_ns(), 4e5);
}

#[test]
fn a_gap_beyond_both_bounds_is_a_preemption() {
    let found = visits(&series(&[1.03e6, 1.015e6, 1e5], &[1e6, 1e6, 0.95e5], &[0, 1, 2]));
    let gaps: Vec<bool> = found.iter().map(Visit::has_gap).collect();
    assert_eq!(gaps, [true, false, false], "30 us of 1 ms; 15 us of 1 ms; 5 us of 0.1 ms");
}

/// Traits of visits of 1.04 ms CPU time each, which take 3 ms of wall time in every `gap_every`-th and as much in the others.
fn traits(gap_every: usize, waits: Option<f64>, threads: u32) -> (VisitTraits, usize) {
    let visits: Vec<Visit> = (0..100)
        .map(|n| Visit {
            round: n as u32,
            iterations: 1,
            invocations: 1.0,
            counted: None,
            wall_ns: if n % gap_every == 0 { 3e6 } else { 1.04e6 },
            cpu_ns: Some(1.04e6),
            process_cpu_ns: None,
            descendants_cpu_ns: 0.0,
            probe_ns: None,
            probe_moved: 0.0,
            waits: waits.map(|w| if n % gap_every == 0 { w } else { 0.0 }),
            compilations: 0.0,
            collections: 0.0,
            windows: None,
        })
        .collect();
    let benchmark = Benchmark { threads, ..Benchmark::default() };
    let traits = VisitTraits::of(&visits, &benchmark);
    // Counted visit by visit, in two heaps, they are the same.
    let mut counts = [TraitCounts::default(); 2];
    visits.iter().enumerate().for_each(|(at, visit)| counts[at % 2].add(visit));
    let counts = counts[0].plus(counts[1]);
    let valid = visits.iter().filter(|v| v.is_valid(traits)).count();
    assert_eq!((counts.traits(&benchmark), counts.valid(traits) as usize), (traits, valid));
    (traits, visits.iter().filter(|v| v.is_valid(traits)).count())
}

#[test]
fn a_body_that_sleeps_keeps_its_wall_time_whether_or_not_waits_are_reported() {
    for waits in [None, Some(1.0)] {
        let (found, valid) = traits(1, waits, 1);
        assert!(found.blocks && !found.computes, "{waits:?}: {found:?}");
        assert_eq!(valid, 100);
    }
    // The thread lost its CPU and did not wait: the machine was busy, and CPU time may stand for the work.
    let (found, valid) = traits(1, Some(0.0), 1);
    assert!(!found.blocks && found.computes && valid == 0, "{found:?}");
}

#[test]
fn of_a_body_that_says_that_it_waits_wall_time_counts_whatever_is_seen() {
    // One that polls: it has the CPU nearly all of the time, and a gap is its own.
    let found = visits(&series(&[1e6, 1e6, 2e6], &[1e6, 1e6, 1e6], &[0, 1, 2]));
    let traits = |waits| VisitTraits::of(&found, &Benchmark { waits, ..Benchmark::default() });
    let valid = |waits| found.iter().filter(|visit| visit.is_valid(traits(waits))).count();
    assert_eq!((valid(false), valid(true)), (2, 3));
    assert!(traits(true).blocks && !traits(true).computes && !traits(true).idles);
    let slept = visits(&series(&[1e6, 1e6, 2e6], &[1e5, 4e5, 1e6], &[0, 1, 2]));
    assert!(VisitTraits::of(&slept, &Benchmark { waits: true, ..Benchmark::default() }).idles);
}

#[test]
fn a_body_hands_over_whether_its_thread_sleeps_or_polls_meanwhile() {
    let hands_over = |waits: f64, helped: bool, compiled: usize, collections: f64| {
        let mut found = visits(&series(&[1e6; 9], &[9e5; 9], &[0, 1, 2, 3, 4, 5, 6, 7, 8]));
        let mut counts = TraitCounts::default();
        for (at, visit) in found.iter_mut().enumerate() {
            let (compilations, cpu) =
                (f64::from(u8::from(at < compiled)), if helped || at < compiled { 1.3e6 } else { 9e5 });
            *visit = Visit { waits: Some(waits), process_cpu_ns: Some(cpu), compilations, collections, ..*visit };
            counts.add(visit);
        }
        [true, false].map(|tells| counts.hands_over(tells))
    };
    assert_eq!(hands_over(1.0, true, 0, 0.0), [true, true]);
    assert_eq!(hands_over(0.0, true, 0, 0.0), [true, false], "they may be the runtime's");
    assert_eq!(hands_over(0.0, true, 0, 1.0), [false, false], "they are the collector's");
    assert_eq!(hands_over(0.0, false, 7, 0.0), [false, false], "they are the compiler's");
}

#[test]
fn a_body_that_polls_until_a_deadline_goes_by_the_wall_clock() {
    // Others had the CPU for a part of each visit, and the body did not wait.
    let traits = |wall: &[f64], cpu: &[f64]| {
        let mut series = series(wall, cpu, &[0, 1, 2, 3, 4, 5]);
        series.columns.waits = vec![0.0; wall.len()];
        let found = visits(&series);
        let mut counts = [TraitCounts::default(); 2];
        found.iter().enumerate().for_each(|(at, visit)| counts[at % 2].add(visit));
        let traits = VisitTraits::of(&found, &Benchmark::default());
        assert_eq!(counts[0].plus(counts[1]).traits(&Benchmark::default()), traits);
        (traits.blocks, traits.computes)
    };
    let half = [4.8e9, 5.3e9, 4.1e9, 6.0e9, 5.1e9, 4.6e9];
    assert_eq!(traits(&[1e10, 1.0001e10, 1e10, 1.00005e10, 1e10, 1e10], &half), (true, false));
    // It looks at the clock late where it was preempted.
    let late = [1.637e8, 1.714e8, 1.951e8, 1.680e8, 1.502e8, 1.591e8];
    assert_eq!(traits(&late, &[9.4e6, 1.25e7, 1.58e7, 1.11e7, 1.81e7, 8.2e6]), (true, false));
    // One that computes: its CPU time is what repeats.
    let longer = half.map(|cpu| 2e10 - cpu);
    assert_eq!(traits(&longer, &[5e9, 5.01e9, 4.99e9, 5e9, 5e9, 5.01e9]), (false, true));
    // Both repeat: nothing shows which it is.
    assert_eq!(traits(&[1e10; 6], &[5e9; 6]), (false, true));
}

#[test]
fn a_visit_in_which_the_body_waited_is_not_preempted() {
    let (found, valid) = traits(4, Some(1.0), 1);
    assert!(!found.computes && valid == 100, "{found:?}");
    assert_eq!(traits(4, Some(0.0), 1).1, 75);
    // Not known: a quarter is dropped, and still CPU time says nothing of a body that may wait.
    let (found, valid) = traits(4, None, 1);
    assert!(!found.blocks && !found.computes && valid == 75, "{found:?}");
}

#[test]
fn a_body_with_threads_is_not_judged_by_one_of_them() {
    for threads in [0, 2, 8] {
        let (found, valid) = traits(1, Some(0.0), threads);
        assert!(found.threaded && !found.computes && valid == 100, "{threads}: {found:?}");
    }
}

#[test]
fn readings_of_the_clocks_in_many_short_iterations_are_no_threads() {
    // 64 iterations of one invocation, each with an input of its own: reading the clocks takes longer than the body.
    let mut columns = series(&[180.0; 64], &[2775.0; 64], &[0; 64]);
    columns.columns.process_cpu_ns = vec![3890.0; 64];
    let threaded = |series: &tare_model::Series| VisitTraits::of(&visits(series), &Benchmark::default()).threaded;
    assert!(!threaded(&columns));
    columns.columns.process_cpu_ns = vec![9000.0; 64];
    assert!(threaded(&columns));
}

#[test]
fn descendants_work_for_a_body_however_coarse_the_system_tells_it() {
    // 100 visits of 1 ms, one of ten of which is told all that the descendants have used in these ten.
    let traits = |each_ns: f64| {
        let mut columns = series(&[1e6; 100], &[1e6; 100], &(0..100).collect::<Vec<u32>>());
        columns.columns.descendants_cpu_ns = (0..100).map(|at| if at % 10 == 9 { each_ns } else { 0.0 }).collect();
        VisitTraits::of(&visits(&columns), &Benchmark::default())
    };
    assert!(traits(2e6).threaded && !traits(2e6).computes);
    assert!(!traits(0.5e6).threaded, "a twentieth");
}

#[test]
fn a_visit_with_a_compilation_that_is_told_as_an_event_does_not_count() {
    let mut series = series(&[1e6, 1e6, 1e6], &[1e6, 1e6, 1e6], &[0, 1, 2]);
    let event = |iteration, kind: &str| RuntimeEvent { iteration, kind: kind.to_owned(), at_ns: 5.0, ns: 10.0 };
    series.columns.events = vec![event(1, "compilation"), event(2, "collection")];
    let valid: Vec<bool> = visits(&series).iter().map(|v| v.is_valid(VisitTraits::default())).collect();
    assert_eq!(valid, [true, false, true]);
}

#[test]
fn operations_that_are_counted_weigh_iterations_and_windows() {
    // Two iterations of a visit, of two windows each; the second does three times as many operations.
    let mut counted = series(&[2e5, 6e5], &[2e5, 6e5], &[0, 0]);
    counted.invocations = 10;
    counted.columns.operations = vec![2.0, 6.0];
    counted.columns.window_ns = vec![1e5, 1e5, 2e5, 4e5];
    counted.columns.width_ns = vec![1e3; 6];
    let alone = |readings: tare_model::Readings<'_>| {
        // The first window of each iteration.
        let mut found = tare_model::Windows { judged: 4, alone: 2, ..Default::default() };
        for window in [0, 2] {
            found.alone_ns += readings.window_ns[window];
            found.alone_operations += readings.operations_of(window);
        }
        Some(found)
    };
    let visit = tare_model::visits_judged(&counted, alone)[0];
    // 8e5 ns of 10 * 2 + 10 * 6 operations; what is declared does not matter.
    assert_eq!((visit.wall_per_operation_ns(7.0), visit.invocations), (1e4, 20.0));
    // 3e5 ns of five invocations of 2 and five of 6.
    assert_eq!(visit.alone_per_operation_ns(7.0), Some(7500.0));
    counted.columns.operations.clear();
    let visit = tare_model::visits_judged(&counted, alone)[0];
    assert_eq!((visit.wall_per_operation_ns(4.0), visit.alone_per_operation_ns(4.0)), (1e4, Some(7500.0)));
}

/// The visit of one iteration for each pair of probes.
fn probed(before: &[f64], after: &[f64]) -> Visit {
    let n = before.len().max(1);
    let mut series = series(&vec![1e6; n], &vec![1e6; n], &vec![0; n]);
    series.columns.probe_before_ns = before.to_vec();
    series.columns.probe_after_ns = after.to_vec();
    visits(&series)[0]
}

#[test]
fn a_visit_between_two_clocks_counts_at_their_mean_and_an_interrupted_probe_does_not() {
    let probe = |before: &[f64], after: &[f64]| probed(before, after).probe_ns;
    assert_eq!(probe(&[100.0], &[101.0]), Some(100.5));
    // The clock went from 3.2 to 3 GHz.
    assert_eq!(probe(&[100.0], &[106.0]), Some(103.0));
    assert_eq!(probe(&[100.0], &[150.0]), Some(100.0));
    assert_eq!(probe(&[], &[]), None);
    // Two iterations at two clocks, and one in which both probes were interrupted.
    assert_eq!(probe(&[100.0, 106.0], &[100.0, 106.0]), Some(103.0));
    assert_eq!(probe(&[100.0, 150.0], &[100.0, 150.0]), Some(100.0));
}

#[test]
fn how_far_the_clock_moved_is_that_of_the_mean_of_the_probes() {
    let moved = |before: &[f64], after: &[f64]| probed(before, after).probe_moved;
    let step = 1.06f64.ln();
    assert!((moved(&[100.0], &[106.0]) - step * step).abs() < 1e-12);
    assert_eq!((moved(&[100.0], &[100.0]), moved(&[100.0], &[150.0]), moved(&[], &[])), (0.0, 0.0, 0.0));
    // Four iterations know their mean as well as a quarter of the variance of one.
    assert!((moved(&[100.0; 4], &[106.0; 4]) - step * step / 4.0).abs() < 1e-12);
}

/// The traits that so many visits of `wall_ns` show, each of which had `compilations` methods compiled, and how many of them count.
fn compiling(wall_ns: f64, compilations: &[f64]) -> (VisitTraits, usize) {
    let times = vec![wall_ns; compilations.len()];
    let rounds: Vec<u32> = (0..compilations.len() as u32).collect();
    let mut series = series(&times, &times, &rounds);
    series.columns.compilations = compilations.to_vec();
    let found = visits(&series);
    let mut counts = TraitCounts::default();
    found.iter().for_each(|visit| counts.add(visit));
    let traits = counts.traits(&Benchmark::default());
    let valid = found.iter().filter(|visit| visit.is_valid(traits)).count();
    assert_eq!(counts.valid(traits) as usize, valid);
    (traits, valid)
}

#[test]
fn what_is_compiled_in_a_moment_does_not_matter_to_a_long_visit() {
    assert_eq!(compiling(1e6, &[1.0, 0.0, 0.0, 0.0]).1, 3);
    assert_eq!(compiling(1e8, &[3.0, 1.0, 2.0, 0.0]).1, 4);
    // A thousand methods do.
    assert_eq!(compiling(1e8, &[1000.0, 0.0, 0.0, 0.0]).1, 3);
}

#[test]
fn a_body_that_has_code_compiled_in_each_call_keeps_its_visits() {
    let (traits, valid) = compiling(1e6, &[1.0, 2.0, 1.0, 1.0]);
    assert!(traits.compiles && valid == 4, "{traits:?}");
    assert!(!compiling(1e6, &[1.0, 2.0, 0.0, 0.0]).0.compiles);
}

#[test]
fn what_other_threads_of_the_program_do_meanwhile_is_not_preemption() {
    let mut series = series(&[2e6, 2e6, 2e6], &[1e6, 1e6, 1e6], &[0, 1, 2]);
    // The collector had the processor all the time, for a tenth of it, and not at all.
    series.columns.process_cpu_ns = vec![2e6, 1.1e6, 1e6];
    series.columns.waits = vec![0.0; 3];
    let preempted: Vec<bool> = visits(&series).iter().map(Visit::is_preempted).collect();
    assert_eq!(preempted, [false, true, true]);
}

#[test]
fn a_body_with_collections_is_known_by_them() {
    let collects = |name: &str, counts: [f64; 4]| {
        let mut series = series(&[1e6; 4], &[1e6; 4], &[0, 1, 2, 3]);
        series.columns.metrics.insert(name.to_owned(), counts.to_vec());
        VisitTraits::of(&visits(&series), &Benchmark::default()).collects
    };
    assert!(collects("collections", [0.0, 0.0, 1.0, 0.0]) && collects("collections_0", [0.0, 0.0, 1.0, 0.0]));
    assert!(
        !collects("collections_0", [0.0; 4]) && !collects("collections_1", [1.0; 4]) && !collects("leaks", [1.0; 4])
    );
}

#[test]
fn where_a_body_waits_for_its_collector_cpu_time_may_stand_for_the_work_of_all_threads() {
    // Of ten visits three wait, and seven are preempted.
    let traits = |collections: f64| {
        let rounds: Vec<u32> = (0..10).collect();
        let mut series = series(&[4e6; 10], &[1e6; 10], &rounds);
        series.columns.process_cpu_ns = vec![1.05e6; 10];
        series.columns.waits = (0..10).map(|at| if at % 4 == 0 { 1.0 } else { 0.0 }).collect();
        series.columns.metrics.insert("collections".to_owned(), vec![collections; 10]);
        let found = visits(&series);
        let traits = VisitTraits::of(&found, &Benchmark::default());
        let valid = found.iter().filter(|visit| visit.is_valid(traits)).count();
        (traits.computes, traits.blocks, valid, found[0].cpu_per_operation_ns(1.0, traits))
    };
    assert_eq!(traits(1.0), (true, false, 3, Some(1.05e5)));
    // Whose gaps these are cannot be told: all of the wall time counts, and nothing is left without a time.
    assert_eq!(traits(0.0), (false, true, 10, Some(1e5)));
}
