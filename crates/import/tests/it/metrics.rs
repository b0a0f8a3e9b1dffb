//! Quantities besides time in files: rows with their own verdicts, or a note.

use crate::read;
use tare_analysis::{compare_saved, Better, Comparison, Saved, SavedOptions, Verdict};

/// A side of eight files.
fn side(name: &str, file: impl Fn(usize) -> String) -> Saved {
    let parts = (0..8).map(|i| tare_import::read(name, file(i).as_bytes()).unwrap_or_else(|e| panic!("{e}")));
    Saved::merge(name, parts.collect()).expect("a side")
}

fn rows(comparison: &Comparison) -> Vec<(String, Verdict)> {
    comparison.rows.iter().map(|row| (row.name(), row.verdict)).collect()
}

fn compared(base: &Saved, new: &Saved) -> Vec<(String, Verdict)> {
    rows(&compare_saved(base, new, &SavedOptions::default()))
}

/// A time near 100 ns that varies between processes.
fn near(i: usize) -> f64 {
    100.0 + [0.0, 0.3, -0.2, 0.1, -0.4, 0.2, -0.1, 0.4][i % 8]
}

fn google(name: &str, counters: impl Fn(usize) -> String) -> Saved {
    side(name, |i| {
        format!(
            r#"{{"context": {{"date": "2026-01-01 1{i}:00"}}, "benchmarks": [{{"name": "Read", "run_name": "Read", "run_type": "iteration",
                "repetition_index": 0, "real_time": {ns}, "cpu_time": {ns}, "time_unit": "ns", {counters}}}]}}"#,
            ns = near(i),
            counters = counters(i)
        )
    })
}

#[test]
fn counters_of_google_benchmark_are_rows() {
    // 400 bytes per invocation, and a quarter of that.
    let counters = |bytes: f64, retries: f64, allocations: f64| {
        move |i: usize| {
            let rate = bytes / near(i) * 1e9;
            format!(
                r#""bytes_per_second": {rate}, "retries": {retries}, "allocs_per_iter": {allocations}, "CYCLES": 300"#
            )
        }
    };
    let base = google("base", counters(400.0, 3.0, 2.0));
    let base_again = google("new", |i| counters(400.0, 3.0, 2.0)(i));
    let expected = [
        ("Read", Verdict::Unclear),
        ("Read retries", Verdict::Same),
        ("Read allocs_per_iter", Verdict::Same),
        ("Read CYCLES", Verdict::Same),
    ];
    assert_eq!(
        compared(&base, &base_again),
        expected.map(|(name, verdict)| (name.to_owned(), verdict)),
        "a rate that says the time is left out"
    );
    let comparison = compare_saved(&base, &google("new", counters(100.0, 30.0, 3.0)), &SavedOptions::default());
    let expected = [
        ("Read", Verdict::Unclear),
        ("Read bytes_per_second", Verdict::Slower),
        ("Read retries", Verdict::Unclear),
        ("Read allocs_per_iter", Verdict::Slower),
        ("Read CYCLES", Verdict::Same),
    ];
    assert_eq!(rows(&comparison), expected.map(|(name, verdict)| (name.to_owned(), verdict)));
    assert!((comparison.rows[1].ratio - 4.0).abs() < 0.1, "the cost of a byte: {}", comparison.rows[1].ratio);
    assert!(
        comparison.rows[1].minimum_effect >= 0.05 && comparison.rows[1].interval.is_some(),
        "a rate drifts as times do"
    );
    assert!(
        comparison.rows[2].remark.contains("it is unknown whether more of `retries` is better"),
        "{}",
        comparison.rows[2].remark
    );
}

#[test]
fn counters_that_are_no_amounts_are_named() {
    let saved = google("base", |_| r#""balance": -3, "odd": NaN, "label": "text", "threads": 1"#.to_owned());
    let said: Vec<String> = saved.findings.iter().map(|finding| finding.evidence.to_string()).collect();
    assert_eq!(said[0], "metrics left out, because some values are negative or not finite: `balance`, `odd`");
    assert!(saved.cases[0].metrics.is_empty());
}

#[test]
fn counters_of_means_alone() {
    let saved = read(
        r#"{"context": {}, "benchmarks": [
            {"name": "A_mean", "run_name": "A", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 5, "cpu_time": 5, "time_unit": "ns", "hits": 7},
            {"name": "A_cv", "run_name": "A", "run_type": "aggregate", "aggregate_name": "cv", "real_time": 0.1, "cpu_time": 0.1, "time_unit": "ns", "hits": 0.2}]}"#,
    );
    assert_eq!(saved.cases[0].metrics[0].launches, [[7.0]]);
}

fn jmh(name: &str, secondary: &str) -> Saved {
    let forks: Vec<String> = (0..8).map(|i| format!("[{}, {}]", near(i), near(i) + 0.1)).collect();
    let text = format!(
        r#"[{{"benchmark": "A.b", "mode": "avgt", "primaryMetric": {{"score": 100, "scoreUnit": "ns/op", "rawData": [{}]}},
             "secondaryMetrics": {{{secondary}}}}}]"#,
        forks.join(",")
    );
    tare_import::read(name, text.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

fn raw(unit: &str, value: impl Fn(usize) -> f64) -> String {
    let forks: Vec<String> = (0..8).map(|i| format!("[{}]", value(i))).collect();
    format!(r#"{{"score": 1, "scoreUnit": "{unit}", "rawData": [{}]}}"#, forks.join(","))
}

#[test]
fn secondary_metrics_of_jmh_are_rows_where_their_unit_has_a_direction() {
    let of = |bytes: f64, hits: f64| {
        let all = [
            format!(r#""·gc.alloc.rate.norm": {}"#, raw("B/op", |i| bytes + 0.001 * i as f64)),
            format!(r#""instructions": {}"#, raw("#/op", |_| 700.0)),
            format!(r#""get": {}"#, raw("ops/us", |i| hits * near(i))),
            format!(r#""gc.alloc.rate": {}"#, raw("MB/sec", |_| 5.0)),
            r#""gc.count": {"score": 3, "scoreUnit": "counts", "rawData": [[3]]}"#.to_owned(),
            r#""gc.time": {"score": 0, "scoreUnit": "ms"}"#.to_owned(),
        ];
        jmh("side", &all.join(","))
    };
    let base = of(64.0, 2.0);
    let expected = [
        ("A/b", Verdict::Unclear),
        ("A/b B/op", Verdict::Slower),
        ("A/b instructions/op", Verdict::Same),
        ("A/b get ops/us", Verdict::Slower),
    ];
    assert_eq!(compared(&base, &of(6400.0, 1.0)), expected.map(|(name, verdict)| (name.to_owned(), verdict)));
    assert_eq!(
        base.findings[0].evidence.to_string(),
        "metrics left out, because their units do not show whether more is better: `gc.alloc.rate`, `gc.count`"
    );
    assert!(base.cases[0].allocated_bytes.is_some_and(|bytes| (bytes - 64.0).abs() < 0.01));
    // The JVM's own allocations do not count for the benchmark.
    let nothing = |factor: f64| {
        jmh("side", &format!(r#""gc.alloc.rate.norm": {}"#, raw("B/op", |i| factor * (1.0 + i as f64) * 1e-4)))
    };
    assert_eq!(compared(&nothing(1.0), &nothing(3.0))[1], ("A/b B/op".to_owned(), Verdict::Same));
    // From nothing to something.
    assert_eq!(compared(&nothing(1.0), &of(16.0, 2.0))[1], ("A/b B/op".to_owned(), Verdict::Slower));
}

fn bdn(name: &str, fields: &str) -> Saved {
    let measured = |launch: usize| {
        format!(
            r#"{{"IterationMode": "Workload", "IterationStage": "Actual", "LaunchIndex": {launch}, "Operations": 1, "Nanoseconds": {}}}"#,
            near(launch)
        )
    };
    let all: Vec<String> = (0..8).map(measured).collect();
    let text = format!(
        r#"{{"Benchmarks": [{{"FullName": "T.A", "Type": "T", "Method": "A", {fields} "Measurements": [{}]}}]}}"#,
        all.join(",")
    );
    tare_import::read(name, text.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn allocations_of_benchmarkdotnet_are_rows_collections_are_counted_and_its_other_metrics_are_named() {
    let memory = |bytes: f64| {
        format!(
            r#""Memory": {{"Gen0Collections": 3, "Gen1Collections": 0, "TotalOperations": 4096, "BytesAllocatedPerOperation": {bytes}}},"#
        )
    };
    let metric = |bytes: f64| {
        format!(
            r#""Metrics": [{{"Value": {bytes}, "Descriptor": {{"Id": "Allocated Memory", "DisplayName": "Allocated"}}}},
                {{"Value": 2, "Descriptor": {{"Id": "Native Leak", "DisplayName": "Native Memory Leak"}}}}],"#
        )
    };
    let base = bdn("base", &memory(64.0));
    assert!(base.findings.is_empty(), "{:?}", base.findings);
    let new = bdn("new", &memory(64.0));
    let comparison = compare_saved(&base, &new, &SavedOptions::default());
    assert_eq!((comparison.rows.len(), comparison.counted.len()), (2, 1), "only what is collected is counted");
    let counted = &comparison.counted[0];
    assert_eq!((counted.name.as_str(), counted.metric.base), ("T/A collections_0/op", 3.0 / 4096.0));
    // A verdict is given on request.
    let asked = |mut side: Saved| {
        assert!(side.direct("collections_0/op", Some(Better::Lower)));
        side
    };
    assert_eq!(compared(&asked(base.clone()), &asked(new))[2].0, "T/A collections_0/op");
    assert_eq!(compared(&base, &bdn("new", &memory(6400.0)))[1], ("T/A B/op".to_owned(), Verdict::Slower));
    assert_eq!(compared(&base, &bdn("new", &metric(64.0)))[1], ("T/A B/op".to_owned(), Verdict::Same));
    assert_eq!(compared(&bdn("base", &memory(0.0)), &base)[1], ("T/A B/op".to_owned(), Verdict::Slower));
    assert!(bdn("new", &metric(64.0)).findings[0].evidence.to_string().ends_with(": `Native Memory Leak`"));
}

#[test]
fn what_diagnosers_of_benchmarkdotnet_count_is_shown_and_has_a_verdict_where_it_is_asked_for() {
    let of = |items: f64, waits: f64, thrown: f64| {
        let values =
            [("CompletedWorkItemCount", items), ("LockContentionCount", waits), ("ExceptionFrequency", thrown)];
        let one = |(id, value): (&str, f64)| format!(r#"{{"Value": {value}, "Descriptor": {{"Id": "{id}"}}}}"#);
        bdn("side", &format!(r#""Metrics": [{}],"#, values.map(one).join(",")))
    };
    let (base, new) = (of(3.0, 0.25, 0.0), of(4.0, 0.5, 0.0));
    assert!(base.findings.is_empty(), "{:?}", base.findings);
    let comparison = compare_saved(&base, &new, &SavedOptions::default());
    // What neither side has is in no row.
    let counted: Vec<_> =
        comparison.counted.iter().map(|row| (row.name.as_str(), row.metric.base, row.metric.new)).collect();
    assert_eq!(
        (comparison.rows.len(), counted),
        (1, vec![("T/A threading/work_items/op", 3.0, 4.0), ("T/A threading/lock_contentions/op", 0.25, 0.5)])
    );
    let asked = |mut side: Saved| {
        for metric in ["threading/work_items/op", "threading/lock_contentions/op", "exceptions/thrown/op"] {
            assert!(side.direct(metric, Some(Better::Lower)));
        }
        side
    };
    let verdicts = compared(&asked(base), &asked(of(4.0, 0.5, 2.0)));
    // A whole number of the body's own events is exact with one process; how often threads met is not.
    let expected = [
        ("T/A threading/work_items/op", Verdict::Slower),
        ("T/A threading/lock_contentions/op", Verdict::Unclear),
        ("T/A exceptions/thrown/op", Verdict::Slower),
    ];
    assert_eq!(verdicts[1..], expected.map(|(name, verdict)| (name.to_owned(), verdict)));
}

#[test]
fn a_throughput_of_criterion_says_the_time_while_its_amount_stays() {
    let of = |amount: u32| {
        let files: Vec<(String, Vec<u8>)> = (0..8)
            .flat_map(|i| {
                let sample = format!(
                    r#"{{"sampling_mode": "Flat", "iters": [1, 1], "times": [{}, {}]}}"#,
                    near(i),
                    near(i) + 0.05
                );
                let about = format!(
                    r#"{{"full_id": "a", "group_id": "a", "directory_name": "a", "throughput": {{"Bytes": {amount}}}}}"#
                );
                [
                    (format!("{i}/a/new/sample.json"), sample.into_bytes()),
                    (format!("{i}/a/new/benchmark.json"), about.into_bytes()),
                ]
            })
            .collect();
        tare_import::read_folder("side", &files, "new").unwrap_or_else(|e| panic!("{e}"))
    };
    assert_eq!(compared(&of(1000), &of(1000)).len(), 1);
    assert_eq!(compared(&of(1000), &of(250))[1], ("a bytes/s".to_owned(), Verdict::Slower));
}

#[test]
fn what_was_not_measured_again_is_named_and_not_compared() {
    let of = |kept: f64, removed: f64| {
        side("side", |i| {
            format!(
                r#"{{"context": {{}}, "benchmarks": [{{"name": "Kept", "real_time": {}, "time_unit": "ns"}}, {{"name": "Removed", "real_time": {}, "time_unit": "ns"}}]}}"#,
                kept * near(i),
                removed * near(i)
            )
        })
    };
    let comparison = compare_saved(&of(1.0, 2.0), &of(1.01, 2.0), &SavedOptions::default());
    assert_eq!(comparison.rows.iter().map(|row| row.key.as_str()).collect::<Vec<_>>(), ["Kept"]);
    assert_eq!(comparison.not_measured, ["Removed"]);
    assert_eq!(comparison.why_not["Removed"], "its values are those of the base, so it was not measured again");
    let said = comparison.findings.iter().find(|finding| finding.code.name() == "same-data").expect("it is said");
    assert!(said.evidence.to_string().starts_with("not compared, because both sides have the same values: `Removed`"));
    // A file is compared with itself, with a note.
    let comparison = compare_saved(&of(1.0, 2.0), &of(1.0, 2.0), &SavedOptions::default());
    assert_eq!((comparison.rows.len(), comparison.not_measured.len()), (2, 0));
}
