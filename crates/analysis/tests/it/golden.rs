//! Results known in advance: by construction, or from the golden vectors of the method.

use crate::common::{log_ns, noisy_logs, twelve_launches, RunBuilder, CYCLE_NS, PROBE_CYCLES};
use crate::measured;
use tare_analysis::{analyse, NetTime, Quantity, RatioReport, Verdict};
use tare_model::{ClockReference, Metric, Per, RuntimeEvent, Stage};
use tare_stats::multiplicity::benjamini_hochberg;

/// method-vectors.json, `golden_PE`: four launches per side in two waves.
const GOLDEN: [[f64; 8]; 2] = [
    [-0.004, 0.006, 0.001, -0.003, 0.017, 0.023, 0.012, 0.019],
    [0.002, -0.005, 0.004, 0.0, 0.018, 0.021, 0.027, 0.014],
];

fn close(a: f64, b: f64, relative: f64) {
    assert!((a - b).abs() <= relative * b.abs().max(1e-12), "{a} is not {b}");
}

/// A baseline and contestants whose launches have the effects of the golden waves; contestants beyond the first are shifted.
fn golden_run(waves: usize, shifts: &[f64]) -> RunBuilder {
    let mut builder = RunBuilder::new();
    let base = builder.case("g", "base", true);
    for (wave, effects) in GOLDEN.iter().take(waves).enumerate() {
        for effect in &effects[..4] {
            builder.launch(base, wave as u32, &[log_ns(100.0) + effect; 24]);
        }
    }
    for (index, shift) in shifts.iter().enumerate() {
        let case = builder.case("g", &format!("new{index}"), false);
        for (wave, effects) in GOLDEN.iter().take(waves).enumerate() {
            for effect in &effects[4..] {
                builder.launch(case, wave as u32, &[log_ns(100.0) + effect + shift; 24]);
            }
        }
    }
    builder
}

fn ratio(builder: RunBuilder, case: u32) -> RatioReport {
    measured(&analyse(&builder.run()), case).ratio.clone().expect("a comparison")
}

#[test]
fn golden_waves_give_golden_ratios() {
    let first = ratio(golden_run(1, &[0.0]), 1);
    close(first.ratio.ln(), 0.01775, 1e-9);
    close(first.interval.lower.ln(), 0.0013042184142288207, 1e-9);
    close(first.interval.upper.ln(), 0.03419578158577118, 1e-9);
    close(first.interval_99.lower.ln(), -0.004623686585226303, 1e-9);
    close(first.interval_90.lower.ln(), 0.003457641479394603, 1e-9);
    close(first.p, 0.0502541, 1e-6);
    assert_eq!((first.verdict, first.looks), (Verdict::Unclear, 1));
    let second = ratio(golden_run(2, &[0.0]), 1);
    close(second.ratio.ln(), 0.01875, 1e-9);
    close(second.interval_99.lower.ln(), 0.0084956041156938, 1e-9);
    close(second.interval_99.upper.ln(), 0.0290043958843062, 1e-9);
    close(second.p, 5.774683e-5, 1e-6);
    assert_eq!((second.verdict, second.looks), (Verdict::Slower, 2));
    assert_eq!(second.p, second.q, "one comparison is not corrected");
}

#[test]
fn verdicts_mirror() {
    let base = ratio(golden_run(2, &[0.0]), 1);
    let faster = ratio(golden_run(2, &[-0.0375]), 1);
    assert_eq!(faster.verdict, Verdict::Faster);
    close(faster.ratio.ln(), -base.ratio.ln(), 1e-9);
    close(faster.interval.lower.ln(), -base.interval.upper.ln(), 1e-9);
    assert_eq!(ratio(golden_run(2, &[-0.01875]), 1).verdict, Verdict::Same);
}

#[test]
fn five_comparisons_are_corrected() {
    let shifts = [0.0, -0.01, -0.012, -0.018, -0.019];
    let report = analyse(&golden_run(2, &shifts).run());
    let ratios: Vec<&RatioReport> = (1..=5).map(|c| measured(&report, c).ratio.as_ref().unwrap()).collect();
    let p: Vec<f64> = ratios.iter().map(|r| r.p).collect();
    let q: Vec<f64> = ratios.iter().map(|r| r.q).collect();
    assert_eq!(q, benjamini_hochberg(&p));
    close(q[0], 5.0 * 5.774683e-5, 1e-6);
    for r in ratios.iter().filter(|r| matches!(r.verdict, Verdict::Slower | Verdict::Faster)) {
        assert!(r.q <= 0.05 && (r.interval_99.lower > 1.0 || r.interval_99.upper < 1.0));
    }
    let four = analyse(&golden_run(2, &shifts[..4]).run());
    let pairs = (1..=4).map(|c| measured(&four, c).ratio.as_ref().map(|r| (r.p, r.q)).unwrap());
    assert!(pairs.into_iter().all(|(p, q)| p == q));
}

#[test]
fn the_loop_is_taken_off() {
    let net = |with_rolled: bool| {
        let mut builder = RunBuilder::new();
        builder.child().rolled_unroll = Some(4);
        let case = builder.case("g", "a", false);
        for n in 0..12 {
            builder.launch(case, n / 4, &[log_ns(10.0); 24]);
        }
        // T(u) = t + c / u with c = 1.6: 0.1 ns of the 10 ns at unroll 16, 10.3 ns at unroll 4.
        let empty = builder.series(Stage::Overhead, 100_000, vec![0.5e5; 5]);
        let rolled = builder.series(Stage::Rolled, 100_000, vec![10.3e5; 5]);
        for launch in &mut builder.run.launches {
            launch.series.push(empty.clone());
            if with_rolled {
                launch.series.push(rolled.clone());
            }
        }
        let report = analyse(&builder.run());
        let estimates = measured(&report, 0).clone();
        close(estimates.raw.unwrap().value, 10.0, 1e-9);
        match estimates.time {
            NetTime::Resolved { value_ns, .. } => value_ns,
            NetTime::Below { .. } => panic!("10 ns are something"),
        }
    };
    close(net(false), 9.5, 1e-9);
    close(net(true), 9.9, 1e-9);
}

#[test]
fn a_call_of_the_body_is_taken_off_as_it_costs_beside_the_body() {
    // An empty call takes 1.5 ns alone; beside this body a second one adds `adds_ns`.
    let net = |raw_ns: f64, adds_ns: f64, calls_body: bool| {
        let mut builder = RunBuilder::new();
        let child = builder.child();
        (child.rolled_unroll, child.calls_body) = (Some(8), calls_body);
        let case = builder.case("g", "a", false);
        for n in 0..12 {
            builder.launch(case, n / 4, &[log_ns(raw_ns); 24]);
        }
        let empty = builder.series(Stage::Overhead, 100_000, vec![1.5e5; 5]);
        let rolled = builder.series(Stage::Rolled, 100_000, vec![(raw_ns + adds_ns) * 1e5; 5]);
        for launch in &mut builder.run.launches {
            launch.series.extend([empty.clone(), rolled.clone()]);
        }
        match measured(&analyse(&builder.run()), 0).time {
            NetTime::Resolved { value_ns, .. } => Some(value_ns),
            NetTime::Below { .. } => None,
        }
    };
    // It hides behind a body that waits for its own results.
    close(net(10.0, 0.0, true).unwrap(), 10.0, 1e-9);
    close(net(2.5, 1.5, true).unwrap(), 1.0, 1e-9);
    assert_eq!(net(1.6, 1.5, true), None, "an empty body, but for the luck of its place");
    assert_eq!(net(2.5, 1.5, false), None, "no better than a share of a turn");
}

/// Calls in C#: the second loop adds a different time beside each body, within the usual difference of two such loops.
#[test]
fn the_ratio_is_that_of_the_times_with_one_loop() {
    let mut builder = RunBuilder::new();
    let child = builder.child();
    (child.rolled_unroll, child.calls_body) = (Some(8), true);
    let bodies = [(10.4, 1.3), (4.1, 1.5)].map(|(raw_ns, adds_ns)| {
        let case = builder.case("g", if raw_ns > 5.0 { "a" } else { "b" }, raw_ns > 5.0);
        for n in 0..12 {
            builder.launch(case, n / 4, &[log_ns(raw_ns); 24]);
        }
        (case, raw_ns, adds_ns)
    });
    let empty = builder.series(Stage::Overhead, 100_000, vec![2e5; 5]);
    let rolled = bodies.map(|(case, raw_ns, adds_ns)| {
        (case, builder.series(Stage::Rolled, 100_000, vec![(raw_ns + adds_ns) * 1e5; 5]))
    });
    for launch in &mut builder.run.launches {
        let (_, rolled) = rolled.iter().find(|(case, _)| *case == launch.case).expect("a body");
        launch.series.extend([empty.clone(), rolled.clone()]);
    }
    let report = analyse(&builder.run());
    let times = [0, 1].map(|case| measured(&report, case).time.resolved_ns().expect("it is something"));
    close(times[0], 9.0, 1e-9);
    close(times[1], 2.7, 1e-9);
    let ratio = measured(&report, 1).ratio.as_ref().expect("it has a baseline");
    close(ratio.ratio, times[1] / times[0], 1e-9);
    assert!(ratio.ratio_of_times.is_none());
}

#[test]
fn times_are_given_at_the_reference_clock() {
    let report = |follows: f64| {
        let mut builder = RunBuilder::new().with_probe();
        let case = builder.case("g", "a", false);
        let cycle = |n: u32| 0.01 + 0.02 * (f64::from((n * 5) % 12) / 5.5 - 1.0);
        for n in 0..12 {
            let launch = builder.launch(case, n / 4, &[log_ns(100.0) + follows * cycle(n); 24]);
            launch.series[0].columns.probe_before_ns.fill(PROBE_CYCLES * CYCLE_NS * cycle(n).exp());
            launch.series[0].columns.probe_after_ns = launch.series[0].columns.probe_before_ns.clone();
        }
        let source = "machine profile".to_owned();
        builder.run.environment_mut().clock_reference = Some(ClockReference { cycle_ns: CYCLE_NS, source });
        measured(&analyse(&builder.run()), 0).clone()
    };
    let follows = report(1.0);
    assert!(follows.at_reference_clock);
    close(follows.raw.unwrap().value, 100.0, 0.001);
    close(follows.wall_ns, 100.0 * 0.01_f64.exp(), 0.002);
    close(follows.cycles.unwrap().value, 400.0, 0.001);
    let stays = report(0.0);
    close(stays.raw.unwrap().value, 100.0, 0.002);
    assert!(stays.cycles.is_none());
}

/// A constant clock says nothing about how closely a body follows it: far from the reference the doubt is greatest.
#[test]
fn a_clock_off_the_reference_widens_the_interval() {
    let interval = |away: f64| {
        let mut builder = RunBuilder::new().with_probe();
        let case = builder.case("g", "a", false);
        for n in 0..12 {
            let cycle = away + 0.0002 * (f64::from((n * 5) % 12) / 5.5 - 1.0);
            let logs = noisy_logs(log_ns(100.0) + 0.6 * cycle, 24, u64::from(n));
            let launch = builder.launch(case, n / 4, &logs);
            launch.series[0].columns.probe_before_ns.fill(PROBE_CYCLES * CYCLE_NS * cycle.exp());
            launch.series[0].columns.probe_after_ns = launch.series[0].columns.probe_before_ns.clone();
        }
        let source = "machine profile".to_owned();
        builder.run.environment_mut().clock_reference = Some(ClockReference { cycle_ns: CYCLE_NS, source });
        measured(&analyse(&builder.run()), 0).raw.unwrap().interval
    };
    let (at, near, off, far) = (interval(0.0), interval(0.012), interval(0.05), interval(0.08));
    assert!(at.width() < 0.3 && at.width() < near.width() && near.width() < off.width(), "{at:?} {near:?} {off:?}");
    assert!(near.contains(100.0) && near.width() < 2.0, "{near:?}");
    assert!(off.contains(100.0) && off.width() < 5.0, "{off:?}");
    // Further away, times are given at the core's own clock.
    assert!(far.contains(100.0 * (0.6_f64 * 0.08).exp()) && far.width() < 0.3, "{far:?}");
}

#[test]
fn cpu_time_stands_in_on_a_loaded_host() {
    let mut builder = RunBuilder::new();
    let case = builder.case("g", "a", false);
    twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
    for launch in &mut builder.run.launches {
        let columns = &mut launch.series[0].columns;
        columns.elapsed_ns.iter_mut().enumerate().filter(|(i, _)| i % 3 != 0).for_each(|(_, e)| *e *= 3.0);
    }
    let report = analyse(&builder.run());
    let estimates = measured(&report, 0);
    assert_eq!(estimates.quantity, Quantity::Cpu);
    assert_eq!((estimates.visits.measured, estimates.visits.preempted, estimates.visits.valid), (288, 192, 288));
    close(estimates.centre_ns, 99.9, 0.003);
}

#[test]
fn operations_divide_everything() {
    let mut builder = RunBuilder::new();
    let case = builder.case("g", "a", false);
    builder.run.plan.cases[0].benchmark.operations = 1000;
    twelve_launches(&mut builder, case, 2.0, |_, _, _| 0.0);
    let metric = |name: &str, per| Metric { name: name.to_owned(), per, ..Metric::default() };
    builder.child().metrics = vec![
        metric(Metric::ALLOCATIONS, Per::Operation),
        metric("depth", Per::Iteration),
        metric("of_nobody", Per::Iteration),
    ];
    for launch in &mut builder.run.launches {
        let depth = (0..24).map(|n| f64::from(n % 3)).collect();
        let allocations = vec![500.0 * launch.series[0].invocations as f64; 24];
        let columns = &mut launch.series[0].columns;
        columns.metrics = [(Metric::ALLOCATIONS.to_owned(), allocations), ("depth".to_owned(), depth)].into();
        let event = |kind: &str| RuntimeEvent { iteration: 3, kind: kind.to_owned(), at_ns: 10.0, ns: 50.0 };
        columns.events = vec![event("collection"), event("nap"), event("collection")];
    }
    let report = analyse(&builder.run());
    let estimates = measured(&report, 0);
    close(estimates.centre_ns, 2.0, 0.003);
    close(estimates.wall_ns, 2.0, 0.003);
    close(estimates.metric(Metric::ALLOCATIONS).unwrap(), 0.5, 1e-12);
    close(estimates.metric("depth").unwrap(), 1.0, 1e-12);
    assert_eq!((estimates.metric("of_nobody"), estimates.metrics[0].launches.len()), (None, 12));
    let events: Vec<(&str, u64, f64)> = estimates.events.iter().map(|e| (e.kind.as_str(), e.count, e.ns)).collect();
    assert_eq!(events, [("collection", 24, 1200.0), ("nap", 12, 600.0)]);
}
