//! What each number in a file refers to: how many calls, which time, under which settings.

use crate::{case, read};
use tare_analysis::{compare_saved, Code, Comparison, Saved, SavedOptions};

fn compared(base: &Saved, new: &Saved) -> Comparison {
    let there = compare_saved(base, new, &SavedOptions::default());
    let back = compare_saved(new, base, &SavedOptions::default());
    assert_eq!(there.not_measured, back.not_measured, "whichever side it is");
    there
}

fn told(comparison: &Comparison, code: Code) -> Vec<String> {
    comparison.findings.iter().filter(|f| f.code == code).map(|f| f.evidence.to_string()).collect()
}

fn jmh(mode: &str, batch: u32, warmup: u32, score: f64) -> Saved {
    let fork = format!("[{score}, {}, {}]", score * 1.01, score * 0.99);
    read(&format!(
        r#"[{{"jmhVersion": "1.37", "benchmark": "o.B.f", "mode": "{mode}", "threads": 1, "forks": 5, "warmupIterations": {warmup},
            "measurementBatchSize": {batch}, "primaryMetric": {{"score": {score}, "scoreUnit": "us/op",
            "rawData": [{}]}}, "secondaryMetrics": {{}}}}]"#,
        [fork.as_str(); 5].join(",")
    ))
}

#[test]
fn scores_of_jmh_for_batches_of_another_size_are_not_compared() {
    for mode in ["ss", "avgt"] {
        let comparison = compared(&jmh(mode, 1, 0, 100.0), &jmh(mode, 10, 0, 1000.0));
        assert_eq!((comparison.rows.len(), &comparison.not_measured[..]), (0, &["o.B/f".to_owned()][..]));
        let why = &told(&comparison, Code::NotCompared)[0];
        assert!(why.contains("(op / batch of 10 calls)"), "{why}");
    }
    assert_eq!(compared(&jmh("ss", 10, 0, 100.0), &jmh("ss", 10, 0, 101.0)).rows.len(), 1);
    let comparison = compared(&jmh("avgt", 1, 5, 100.0), &jmh("avgt", 1, 0, 101.0));
    assert_eq!(told(&comparison, Code::OtherTool), ["settings differ: warmupIterations `5` and `0` of `o.B.f:avgt`"]);
}

fn google(name: &str, iterations: u32, wall: f64, cpu: f64) -> Saved {
    let row = |index: u32| {
        let (wall, cpu) = (wall + f64::from(index), cpu + f64::from(index));
        format!(
            r#"{{"name": "{name}", "run_name": "{name}", "run_type": "iteration", "repetitions": 4, "repetition_index": {index},
                "iterations": {iterations}, "real_time": {wall}, "cpu_time": {cpu}, "time_unit": "ns"}}"#
        )
    };
    let rows: Vec<String> = (0..4).map(row).collect();
    read(&format!(r#"{{"context": {{"library_version": "v1.9.0"}}, "benchmarks": [{}]}}"#, rows.join(",")))
}

#[test]
fn a_single_call_is_not_compared_with_the_mean_of_many() {
    let one = google("BM/iterations:1", 1, 5000.0, 5000.0);
    let comparison = compared(&one, &google("BM/iterations:1000", 1000, 1000.0, 1000.0));
    assert_eq!((comparison.rows.len(), comparison.not_measured.len()), (0, 1));
    assert!(told(&comparison, Code::NotCompared)[0].contains("of a single call"), "{:?}", comparison.findings);
    // The setting `--benchmark_min_time=1x` is in no name.
    assert_eq!(compared(&google("BM", 1, 5000.0, 5000.0), &google("BM", 1000, 1000.0, 1000.0)).rows.len(), 0);
    // One second each, against a tool that measures for half a second.
    let slow = google("BM", 1, 1.1e9, 1.1e9);
    let comparison = compared(&google("BM", 800, 1e6, 1e6), &slow);
    assert_eq!((comparison.rows.len(), told(&comparison, Code::OtherTool)), (1, Vec::new()));
    // Both are means, but one side has far fewer calls.
    let comparison = compared(
        &google("BM/iterations:10", 10, 1000.0, 1000.0),
        &google("BM/iterations:100000", 100_000, 1000.0, 1000.0),
    );
    let said = [
        "settings differ: iterations `10` and `100000` of `BM`",
        "a value is the mean of far fewer calls on one side: `BM`",
    ];
    assert_eq!((comparison.rows.len(), told(&comparison, Code::OtherTool)), (1, said.map(str::to_owned).to_vec()));
}

#[test]
fn calls_are_counted_in_every_form_that_tells_them() {
    let go = |calls: u32, ns: u32| read(&format!("pkg: p\nBenchmarkA-4 \t {calls} \t {ns} ns/op\nok  \tp\t1s\n"));
    let pytest = |calls: u32, seconds: f64| {
        read(&format!(
            r#"{{"machine_info": {{}}, "benchmarks": [{{"name": "t", "fullname": "t.py::t", "options": {{"disable_gc": false}},
                "stats": {{"iterations": {calls}, "mean": {seconds}, "data": [{seconds}, {seconds}]}}}}]}}"#
        ))
    };
    let pyperf = |calls: u32, seconds: f64| {
        read(&format!(
            r#"{{"version": "1.0", "metadata": {{"name": "t", "loops": {calls}}}, "benchmarks": [{{"runs": [{{"values": [{seconds}]}}]}}]}}"#
        ))
    };
    let dotnet = |calls: u32, ns: f64| {
        let of = format!(
            r#"{{"IterationMode": "Workload", "IterationStage": "Actual", "LaunchIndex": 1, "Operations": {calls}, "Nanoseconds": {}}}"#,
            ns * f64::from(calls)
        );
        read(&format!(
            r#"{{"Title": "t", "HostEnvironmentInfo": {{}}, "Benchmarks": [{{"FullName": "B.f", "Type": "B", "Method": "f", "Statistics": {{"Mean": {ns}, "N": 1}}, "Measurements": [{of}]}}]}}"#
        ))
    };
    for [one, many] in [
        [go(1, 5000), go(1_000_000, 1000)],
        [pytest(1, 5e-6), pytest(1000, 1e-6)],
        [pyperf(1, 5e-6), pyperf(1000, 1e-6)],
        [dotnet(1, 5000.0), dotnet(4096, 1000.0)],
    ] {
        let comparison = compared(&one, &many);
        assert_eq!((comparison.rows.len(), comparison.not_measured.len()), (0, 1), "{}", one.tool);
        assert_eq!(compared(&many, &many).rows.len(), 1, "{}", one.tool);
    }
}

#[test]
fn iterations_of_dotnet_that_begin_cold_are_another_kind_of_time() {
    let of = |job: &str| {
        let text = format!(
            r#"{{"Title": "t", "HostEnvironmentInfo": {{}}, "Benchmarks": [{{"DisplayInfo": "B.f: {job}", "FullName": "B.f", "Type": "B",
                "Method": "f", "Statistics": {{"Mean": 5, "N": 1, "OriginalValues": [5]}}}}]}}"#
        );
        read(&text)
    };
    let usual = of("DefaultJob");
    let comparison = compared(&usual, &of("Dry(IterationCount=1, RunStrategy=ColdStart)"));
    assert!(told(&comparison, Code::NotCompared)[0].contains("the kinds of time differ"), "{:?}", comparison.findings);
    let comparison = compared(&usual, &of("Job-ABCDEF(InvocationCount=16, UnrollFactor=16)"));
    let said = "settings differ: InvocationCount `not set` and `16` of `B.f`; UnrollFactor `not set` and `16` of `B.f`";
    assert_eq!((comparison.rows.len(), &told(&comparison, Code::OtherTool)[..]), (1, &[said.to_owned()][..]));
}

#[test]
fn the_time_that_a_name_asks_for_is_judged() {
    let of = |name: &str| case(&google(name, 100, 1000.0, 8000.0), name).quantity.clone();
    assert_eq!(of("BM/process_time"), "CPU time");
    for wall in ["BM", "BM/real_time", "BM/manual_time", "BM/process_time/real_time"] {
        assert_eq!(of(wall), "wall time");
    }
    let comparison = compared(&google("BM/process_time", 9, 1e3, 1e3), &google("BM/process_time", 9, 1e3, 8e3));
    assert!(comparison.rows[0].ratio > 7.0 && comparison.rows[0].remark.contains("judged by CPU time"));
}

#[test]
fn settings_of_pytest_are_told() {
    let of = |gc: bool, warmup: bool| {
        read(&format!(
            r#"{{"machine_info": {{}}, "benchmarks": [{{"name": "t", "fullname": "t.py::t", "options": {{"disable_gc": {gc}, "warmup": {warmup}}},
                "stats": {{"mean": 1e-6, "data": [1e-6, 2e-6]}}}}]}}"#
        ))
    };
    let said = "settings differ: disable_gc `false` and `true` of `t.py::t`; warmup `false` and `true` of `t.py::t`";
    assert_eq!(told(&compared(&of(false, false), &of(true, true)), Code::OtherTool), [said]);
}

#[test]
fn files_of_a_side_with_other_settings_are_told() {
    let files = |warmups: [u32; 2]| {
        let text = |warmup: u32| {
            format!(
                r#"[{{"jmhVersion": "1", "benchmark": "o.B.f", "mode": "avgt", "warmupIterations": {warmup},
                    "primaryMetric": {{"score": 1, "scoreUnit": "us/op", "rawData": [[{}]]}}}}]"#,
                warmup + 1
            )
        };
        let files = [("1.json", text(warmups[0])), ("2.json", text(warmups[1]))];
        tare_import::read_folder("side", &files, "new").unwrap_or_else(|e| panic!("{e}"))
    };
    let said = files([0, 5]).findings.iter().map(|f| f.evidence.to_string()).collect::<Vec<_>>();
    assert_eq!(said, ["the files differ in warmupIterations: `0; 5`"]);
}
