//! Traps of the forms for naive readers.

use crate::{case, read, refused};
use tare_analysis::{compare_saved, fact, SavedDesign, SavedOptions, Verdict};

fn google(rows: &str) -> String {
    format!(r#"{{"context": {{"num_cpus": 2}}, "benchmarks": [{rows}]}}"#)
}

#[test]
fn a_counter_may_have_the_name_of_a_field() {
    let saved = read(&google(
        r#"{"name": "A", "run_type": "iteration", "real_time": 5, "cpu_time": 5, "time_unit": "us", "real_time": NaN, "x": -Infinity}"#,
    ));
    assert_eq!(case(&saved, "A").launches, [[5000.0]]);
}

#[test]
fn settings_in_a_name_come_back_where_they_alone_tell_two_apart() {
    let row = |name: &str| format!(r#"{{"name": "{name}", "real_time": 1, "cpu_time": 1, "time_unit": "ns"}}"#);
    let saved = read(&google(&[row("A/8/iterations:5"), row("A/8/iterations:9"), row("B/min_time:0.500")].join(",")));
    let keys: Vec<&str> = saved.cases.iter().map(|c| c.key.as_str()).collect();
    assert_eq!(keys, ["A/8/iterations:5", "A/8/iterations:9", "B"]);
    let saved = read(&google(&row("Map<a/b, 3>/x:-4/8/real_time/threads:2")));
    let parameters: Vec<String> = saved.cases[0].parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
    assert_eq!(
        (saved.cases[0].name.as_str(), parameters.join(" ")),
        ("Map<a/b, 3>", "x=-4 arg1=8 threads=2".to_owned())
    );
}

#[test]
fn old_google_benchmark_does_not_mark_its_aggregates() {
    let saved = read(&google(
        r#"{"name": "A", "real_time": 5, "time_unit": "ns"}, {"name": "A", "real_time": 6, "time_unit": "ns"},
           {"name": "A_mean", "real_time": 5.5, "time_unit": "ns"}, {"name": "A_stddev", "real_time": 0.7, "time_unit": "ns"},
           {"name": "A_BigO", "cpu_coefficient": 1, "real_coefficient": 1, "big_o": "N"}, {"name": "A_RMS", "rms": 0}"#,
    ));
    assert_eq!((saved.cases.len(), saved.cases[0].launches[0].as_slice()), (1, [5.0, 6.0].as_slice()));
}

#[test]
fn what_skipped_itself_is_no_failure() {
    let saved =
        read(&google(r#"{"name": "A", "skipped": true, "skip_message": "no GPU", "real_time": 0, "time_unit": "ns"}"#));
    assert_eq!((saved.failed[0].failure.skipped(), saved.report().findings.len()), (Some("no GPU"), 0));
    // One failed repetition among others loses only itself, and is reported.
    let saved = read(&google(
        r#"{"name": "A", "repetition_index": 0, "real_time": 5, "time_unit": "ns"},
           {"name": "A", "repetition_index": 1, "error_occurred": true, "error_message": "boom", "real_time": 0, "time_unit": "ns"}"#,
    ));
    assert_eq!((saved.failed.len(), saved.cases[0].values()), (0, 1));
    assert_eq!(saved.findings[0].evidence.to_string(), "some repetitions failed or were skipped: `A (boom)`");
}

#[test]
fn no_word_behind_the_numbers_of_go_is_lost_without_a_word() {
    let saved = read("pkg: p\nBenchmarkA-4 \t 9 \t 5 ns/op \t 1.2.3 p99-ns \t 7 hits \t 3\nok  \tp\t1s\n");
    let units: Vec<&str> = saved.cases[0].metrics.iter().map(|m| m.quantity.as_str()).collect();
    assert_eq!(units, [""; 0]);
    let evidence = saved.findings[0].evidence.to_string();
    assert!(["1.2.3 p99-ns", "7 hits", "3 of p.A-4"].iter().all(|text| evidence.contains(text)), "{evidence}");
    let saved = read("pkg: p\nBenchmarkA-4 \t 9 \t 5 ns/op \t 2 %hit \t 3 p99.9-ns \t 4 MB\nok  \tp\t1s\n");
    assert_eq!((saved.cases[0].metrics.len(), saved.findings.len()), (3, 0));
}

#[test]
fn what_the_user_notes_and_the_processor_counts_is_named_where_it_is_left_out() {
    let pytest = read(
        r#"{"machine_info": {}, "benchmarks": [{"name": "t", "fullname": "t", "extra_info": {"rows": 5, "of": "x"}, "stats": {"mean": 1, "data": [1]}}]}"#,
    );
    let nanobench = read(
        r#"{"results": [{"name": "a", "median(elapsed)": 1e-9, "median(instructions)": 7, "median(cpucycles)": 0, "measurements": [{"elapsed": 1e-9}]}]}"#,
    );
    let said = |saved: &tare_analysis::Saved| saved.findings[0].evidence.to_string();
    assert!(said(&pytest).ends_with(": `rows`") && said(&nanobench).ends_with(": `instructions`"));
}

#[test]
fn what_has_no_name_is_called_so() {
    let saved = read(
        r#"{"results": [{"command": "", "times": [0.5, 0.6]}, {"command": " ", "times": [0.1]}, {"command": "ls", "times": [0.1]}]}"#,
    );
    let names: Vec<(&str, &str)> = saved.cases.iter().map(|c| (c.key.as_str(), c.name.as_str())).collect();
    assert_eq!(names, [("(no name)", "(no name)"), ("(no name)#2", "(no name)#2"), ("ls", "ls")]);
}

#[test]
fn a_time_beyond_all_measure_is_none() {
    let saved = read(&google(
        r#"{"name": "A", "real_time": 1e300, "cpu_time": 5, "time_unit": "ns"}, {"name": "B", "real_time": 1, "time_unit": "ns"},
           {"name": "C", "real_time": 1e-320, "time_unit": "ns"}"#,
    ));
    let why: Vec<String> = saved.failed.iter().map(|failed| failed.failure.cause.text()).collect();
    assert_eq!(why, ["1e300", "1e-320"].map(|value| format!("no usable time: value 1 of 1 is {value} ns")));
    assert_eq!(saved.cases.len(), 1);
}

#[test]
fn the_only_parameter_of_pytest_has_its_name_whatever_it_is() {
    let saved = read(
        r#"{"machine_info": {}, "benchmarks": [{"name": "t[[[\"a\",1]]]", "fullname": "t.py::t[[[\"a\",1]]]", "params": {"x": [["a", 1]]},
            "param": "[[\"a\",1]]", "stats": {"mean": 1e-6, "data": [1e-6]}}]}"#,
    );
    assert_eq!(saved.cases[0].selector(), r#"t[x=[["a",1]]]"#);
}

#[test]
fn each_way_in_which_a_command_failed_is_told() {
    let saved = read(r#"{"results": [{"command": "x", "times": [0.5, 0.6, 0.7], "exit_codes": [137, 0, 1]}]}"#);
    let said = saved.findings[0].evidence.to_string();
    assert_eq!(said, "`x` ended with status 1 or with status 137 in 2 of 3 runs");
}

#[test]
fn a_time_of_hyperfine_that_says_nothing_costs_itself_alone() {
    for value in ["0", "-1", "NaN", "1e400", "Infinity", "null"] {
        let text = format!(
            r#"{{"results": [{{"command": "bad", "times": [0.5, {value}]}}, {{"command": "good", "times": [0.5, 0.25]}}]}}"#
        );
        if value == "null" {
            assert!(refused(&text).0.contains("`results[0].times[1]` is null, not a number"), "{}", refused(&text).0);
            continue;
        }
        let saved = read(&text);
        assert_eq!((saved.cases.len(), saved.failed.len()), (2, 0), "{value}");
        assert_eq!(case(&saved, "bad").launches, [[5e8]]);
        let said = saved.findings[0].evidence.to_string();
        assert!(said.starts_with("1 of 2 times of `bad` are not above 0") && said.contains("-N"), "{said}");
    }
    let saved = read(r#"{"results": [{"command": "bad", "times": [0, 0]}, {"command": "old", "mean": 0.5}]}"#);
    assert!(saved.failed[0].failure.cause.text().contains("none of its 2 times is above 0"), "{:?}", saved.failed);
    assert_eq!(case(&saved, "old").values(), 0);
}

#[test]
fn numbers_of_jmh_may_be_texts() {
    let metric = |raw: &str| {
        read(&format!(
            r#"[{{"benchmark": "A.b", "mode": "avgt", "threads": 4, "forks": 0,
                 "primaryMetric": {{"score": "NaN", "scoreError": "NaN", "scoreUnit": "us/op", "rawData": {raw}}}}}]"#
        ))
    };
    let saved = metric("[[1.5, 2.5]]");
    assert_eq!(case(&saved, "A.b[threads=4]:avgt").launches, [[1500.0, 2500.0]]);
    assert_eq!(saved.cases[0].design, SavedDesign::Iterations, "one process");
    assert_eq!(metric("[[1.5, \"NaN\"]]").failed.len(), 1);
}

#[test]
fn a_benchmark_of_jmh_that_is_no_time_is_a_failure_with_its_name() {
    let saved = read(
        r#"[{"benchmark": "A.b", "mode": "avgt", "primaryMetric": {"score": 1, "scoreUnit": "MB/sec", "rawData": [[1]]}}]"#,
    );
    assert_eq!((saved.failed[0].key.as_str(), saved.failed[0].name.as_str()), ("A.b:avgt", "A/b"));
    assert_eq!(
        saved.failed[0].failure.cause.text(),
        "it is measured in MB/sec, which is neither a time nor a throughput"
    );
}

#[test]
fn pyperf_measures_memory_too() {
    let saved = read(
        r#"{"version": "1.0", "metadata": {"unit": "byte"}, "benchmarks": [
             {"metadata": {"name": "memory"}, "runs": [{"values": [1024]}]},
             {"metadata": {"name": "time", "unit": "second"}, "runs": [{"values": [0.5]}, {"warmups": [[1, 0.5]]}]}]}"#,
    );
    assert_eq!(case(&saved, "time").launches, [[5e8]]);
    let memory = case(&saved, "memory");
    assert_eq!((memory.has_time(), memory.metrics[0].quantity.as_str()), (false, "peak_memory B"));
    assert_eq!(memory.metrics[0].launches, [[1024.0]]);
}

#[test]
fn benchmarkdotnet_before_0_11_had_one_field_for_mode_and_stage() {
    let measured = |mode: &str, ns: u32| {
        format!(r#"{{"IterationMode": "{mode}", "LaunchIndex": 1, "Operations": 10, "Nanoseconds": {ns}}}"#)
    };
    let all = ["MainWarmup", "IdleTarget", "MainTarget", "Result"]
        .map(|mode| measured(mode, if mode == "Result" { 50 } else { 90 }));
    let saved = read(&format!(
        r#"{{"Title": "t", "HostEnvironmentInfo": {{"HasAttachedDebugger": true, "Configuration": "DEBUG"}},
            "Benchmarks": [{{"FullName": "A", "Statistics": {{"Median": ""}}, "Measurements": [{}]}}]}}"#,
        all.join(",")
    ));
    assert_eq!(saved.cases[0].launches, [[5.0]]);
    let codes: Vec<&str> = saved.findings.iter().map(|f| f.code.name()).collect();
    assert_eq!(codes, ["debug-build", "debugger"]);
    assert_eq!(saved.machine[fact::OPTIMISED], "no");
}

#[test]
fn go_results_appended_to_one_file_are_launches() {
    let run = |ns: u32| {
        format!("goos: linux\ngoarch: amd64\npkg: p\nBenchmarkA-8 \t 10 \t {ns} ns/op\nBenchmarkA-8 \t 10 \t {} ns/op\nPASS\nok  \tp\t0.1s\n", ns + 1)
    };
    let saved = read(&[run(10), run(20), run(30)].concat());
    assert_eq!(
        (saved.cases[0].design, saved.cases[0].launches.as_slice()),
        (SavedDesign::Launches, [[10.0, 11.0], [20.0, 21.0], [30.0, 31.0]].map(|l| l.to_vec()).as_slice())
    );
    assert_eq!(saved.cases[0].sessions.len(), 3);
}

/// Runs of `go test -count 2` with this GOMAXPROCS, appended to one file: times, bytes, and a custom unit.
fn go_runs(processors: u32, runs: &[(f64, u32, f64)]) -> tare_analysis::Saved {
    let run = |(ns, bytes, hits): &(f64, u32, f64)| {
        let line = |ns: f64| {
            format!("BenchmarkA-{processors} \t 10 \t {ns} ns/op \t {hits} hits/op \t {bytes} B/op \t 0 allocs/op\n")
        };
        format!(
            "Unit hits/op better=higher\ngoos: linux\npkg: p\n{}{}PASS\nok  \tp\t0.1s\n",
            line(*ns),
            line(ns * 1.001)
        )
    };
    read(&runs.iter().map(run).collect::<String>())
}

#[test]
fn go_of_machines_with_other_numbers_of_processors_is_paired_and_that_is_said() {
    let runs = [(10.0, 64, 5.0); 4];
    let of = |base: &tare_analysis::Saved, new: &tare_analysis::Saved| {
        let comparison = compare_saved(base, new, &SavedOptions::default());
        let told = comparison.findings.iter().filter(|f| f.code == tare_analysis::Code::OtherTool);
        let told: Vec<String> = told.map(|f| f.evidence.to_string()).collect();
        (comparison.rows.len(), [comparison.only_base, comparison.only_new].concat(), told)
    };
    let (rows, alone, told) = of(&go_runs(8, &runs), &go_runs(4, &runs));
    assert_eq!((rows, alone), (4, Vec::new()));
    assert_eq!(told, ["settings differ: GOMAXPROCS `8` and `4` of `p.A-4`"]);
    assert_eq!(of(&go_runs(8, &runs), &go_runs(8, &runs)).2, [""; 0]);
    // With `-cpu 1,8`, each number is a benchmark of its own.
    let several = read("pkg: p\nBenchmarkA \t 10 \t 9 ns/op\nBenchmarkA-8 \t 10 \t 2 ns/op\nok  \tp\t1s\n");
    let (rows, alone, told) = of(&several, &go_runs(4, &runs));
    assert_eq!((rows, alone, told), (0, vec!["p.A".to_owned(), "p.A-8".to_owned(), "p.A-4".to_owned()], Vec::new()));
}

#[test]
fn bytes_allocations_and_units_of_a_user_have_verdicts_of_their_own() {
    let base = go_runs(8, &[(10.0, 64, 5.0), (10.1, 64, 5.1), (9.9, 64, 4.9), (10.0, 64, 5.0)]);
    let new = go_runs(8, &[(10.0, 96, 8.0), (10.2, 96, 8.1), (9.9, 96, 7.9), (10.1, 96, 8.0)]);
    let comparison = compare_saved(&base, &new, &SavedOptions::default());
    let rows: Vec<_> = comparison.rows.iter().map(|r| (r.name(), r.verdict)).collect();
    let expected = [
        ("p/A", Verdict::Unclear),
        ("p/A hits/op", Verdict::Faster),
        ("p/A B/op", Verdict::Slower),
        ("p/A allocs/op", Verdict::Same),
    ];
    assert_eq!(rows, expected.map(|(name, verdict)| (name.to_owned(), verdict)));
    assert!((comparison.rows[2].ratio - 1.5).abs() < 1e-9 && (comparison.rows[1].ratio - 5.0 / 8.0).abs() < 1e-3);
    assert!(comparison.geometric_mean.is_some_and(|mean| (0.99..1.02).contains(&mean)), "of times alone");
    // From zero allocations to one, with one process that `-count` repeats.
    let none = go_runs(8, &[(10.0, 0, 5.0); 4]);
    let row = &compare_saved(&none, &base, &SavedOptions::default()).rows[2];
    assert_eq!((row.verdict, row.ratio), (Verdict::Slower, f64::INFINITY));
    let one = compare_saved(&go_runs(8, &[(10.0, 64, 5.0)]), &go_runs(8, &[(90.0, 96, 9.0)]), &SavedOptions::default());
    assert!(one.rows.iter().all(|row| row.verdict == Verdict::Unclear), "{:?}", one.rows);
    assert_eq!(one.rows.len(), 4);
}

#[test]
fn a_unit_that_nobody_explains_has_no_direction() {
    let of = |hits: f64| read(&format!("pkg: p\nBenchmarkA-8 10 5 ns/op {hits} hits/op\nok  \tp\t0.1s\n").repeat(4));
    let comparison = compare_saved(&of(5.0), &of(9.0), &SavedOptions::default());
    let row = &comparison.rows[1];
    assert_eq!((row.verdict, row.minimum_effect), (Verdict::Unclear, f64::INFINITY));
    assert!(row.remark.contains("it is unknown whether more of `hits/op` is better"), "{}", row.remark);
    assert_eq!(compare_saved(&of(5.0), &of(5.0), &SavedOptions::default()).rows[1].verdict, Verdict::Same);
}

#[test]
fn go_benchmarks_that_print_begin_no_process() {
    let saved = read(
        "goos: linux\npkg: p\nseed: 1\nBenchmarkA-8 \t 10 \t 5 ns/op\nseed: 2\nBenchmarkA-8 \t 10 \t 6 ns/op\nnote: x\n\
         BenchmarkTorn-8   \tseed: 3\nseed: 4\n     100\t  7.5 ns/op\nBenchmarkA-8 \t 10 \t 7 ns/op\nPASS\nok  \tp\t0.1s\n",
    );
    // Configuration lines distinguish results, as in benchstat; output of a benchmark before its numbers does not.
    let keys: Vec<&str> = saved.cases.iter().map(|c| c.key.as_str()).collect();
    let expected = ["p.A-8[seed=1]", "p.A-8[seed=2]", "p.Torn-8[note=x, seed=2]", "p.A-8[note=x, seed=2]"];
    assert_eq!(keys, expected);
    assert_eq!(case(&saved, "p.A-8[seed=2]").launches, [[6.0]]);
    assert_eq!(case(&saved, "p.A-8[seed=2]").selector(), "p/A[seed=2]");
    assert_eq!(case(&saved, "p.A-8[seed=2]").design, SavedDesign::Iterations);
    assert_eq!(case(&saved, "p.Torn-8[note=x, seed=2]").launches, [[7.5]]);
    assert!(saved.findings[0].evidence.to_string().contains("the same name: `note:`, `seed:`"), "{:?}", saved.findings);
}

#[test]
fn go_lines_are_torn_by_output_and_custom_metrics_stand_alone() {
    let saved = read(
        "pkg: p\r\nBenchmarkTorn-8   \thello from the benchmark\r\n     100\t  7.5 ns/op\t 3 B/op\r\nBenchmarkWords-8 10 42 words/op\r\n\
         BenchmarkDone\r\nBenchmarking is fun\r\n--- FAIL: BenchmarkBad\r\n    a_test.go:3: wrong\r\nFAIL\tp\t0.1s\r\n",
    );
    assert_eq!(case(&saved, "p.Torn-8").launches, [[7.5]]);
    let failed: Vec<_> =
        saved.failed.iter().map(|f| (f.key.as_str(), f.name.as_str(), f.failure.cause.text())).collect();
    let expected = [
        ("p.Bad-8", "p/Bad", "a_test.go:3: wrong".to_owned()),
        ("p.Done-8", "p/Done", "it started but has no result".to_owned()),
    ];
    assert_eq!(failed, expected);
    let words = case(&saved, "p.Words-8");
    assert_eq!((words.has_time(), words.metrics[0].quantity.as_str()), (false, "words/op"));
    assert_eq!(words.metrics[0].launches, [[42.0]]);
}

#[test]
fn nanobench_without_epochs_is_a_summary() {
    let saved = read(
        r#"{"results": [{"title": "benchmark", "name": "a", "unit": "byte", "batch": 2, "epochs": 11, "median(elapsed)": 4e-9,
             "medianAbsolutePercentError(elapsed)": nan}, {"name": "b", "median(elapsed)": -nan(ind)}]}"#,
    );
    let SavedDesign::Summary(summary) = case(&saved, "a").design else { panic!("a summary") };
    assert_eq!((summary.median_ns, summary.values, saved.cases[0].unit.as_str()), (Some(2.0), Some(11), "byte"));
    assert_eq!(saved.failed[0].key, "b");
}

#[test]
fn equal_names_stay_apart() {
    let saved = read(r#"{"results": [{"command": "x", "times": [1]}, {"command": "x", "times": [2]}]}"#);
    let keys: Vec<&str> = saved.cases.iter().map(|c| c.key.as_str()).collect();
    assert_eq!((keys, saved.findings[0].code.name()), (vec!["x", "x#2"], "same-name"));
}

/// Files of Google Benchmark with one row each.
fn google_files(version: &str, name: &str, real: f64, cpu: f64) -> Vec<tare_analysis::Saved> {
    let file = |at: u32| {
        let jitter = 1.0 + f64::from(at * 37 % 11) / 1e4;
        read(&format!(
            r#"{{"context": {{"num_cpus": 8, "caches": [], "library_version": "{version}"}}, "benchmarks": [{{"name": "{name}",
                "run_type": "iteration", "iterations": 9, "real_time": {}, "cpu_time": {}, "time_unit": "ns"}}]}}"#,
            real * jitter,
            cpu * jitter
        ))
    };
    (1..=4).map(file).collect()
}

fn compared(base: Vec<tare_analysis::Saved>, new: Vec<tare_analysis::Saved>) -> tare_analysis::Comparison {
    let merged = |name: &str, files| tare_analysis::Saved::merge(name, files).expect("there are files");
    compare_saved(&merged("old", base), &merged("new", new), &SavedOptions::default())
}

#[test]
fn a_benchmark_that_chose_wall_time_is_judged_by_it() {
    let of = |name: &str, real: f64| google_files("v1.9.4", name, real, 10.0);
    let verdict = |name: &str| compared(of(name, 100.0), of(name, 400.0)).rows[0].verdict;
    assert_eq!(
        ["A/real_time", "A/manual_time", "A"].map(verdict),
        [Verdict::Slower, Verdict::Slower, Verdict::Unclear]
    );
}

#[test]
fn wall_time_divided_by_threads_is_another_time() {
    let of = |version: &str, real: f64| google_files(version, "A/real_time/threads:4", real, 10.0);
    for old in ["v1.8.5", ""] {
        let across = compared(of(old, 100.0), of("v1.9.0", 400.0));
        assert!(across.rows.is_empty() && across.why_not["A[threads=4]"].contains("divided by threads"), "{across:?}");
    }
    assert_eq!(compared(of("v1.8.5", 100.0), of("v1.7.0", 100.0)).rows.len(), 1);
    assert_eq!(compared(of("v1.9.0", 400.0), of("v1.10.0", 400.0)).rows.len(), 1);
}

#[test]
fn a_command_that_failed_on_one_side_is_not_compared() {
    let of = |code: &str| {
        let file = |at: u32| {
            read(&format!(
                r#"{{"results": [{{"command": "render", "mean": 1.0, "times": [1.{at}, 1.1{at}], "exit_codes": [{code}, {code}]}}]}}"#
            ))
        };
        (1..=4).map(file).collect::<Vec<_>>()
    };
    let failed = compared(of("0"), of("1"));
    assert!(failed.rows.is_empty(), "{failed:?}");
    assert_eq!(failed.why_not["render"], "base: did not fail; new: its command ended with status 1");
    assert_eq!(compared(of("2"), of("2")).not_measured, [""; 0]);
    // One successful run of three does not stand for the others.
    let mostly = |at: u32| {
        let codes = r#""times": [1.0, 0.1, 0.1], "exit_codes": [0, 1, 1]"#;
        read(&format!(r#"{{"results": [{{"command": "render", "mean": 0.4{at}, {codes}}}]}}"#))
    };
    let failed = compared(of("0"), (1..=4).map(mostly).collect());
    assert_eq!(failed.why_not["render"], "base: did not fail; new: its command ended with status 1");
}

#[test]
fn what_another_timer_told_is_another_time() {
    let of = |timer: &str| {
        let stats = r#""stats": {"data": [0.1, 0.2, 0.1]}"#;
        let file = format!(
            r#"{{"machine_info": {{}}, "version": "4.0.0", "benchmarks": [{{"name": "test_x", "fullname": "t.py::test_x", "options": {{"timer": "{timer}"}}, {stats}}}]}}"#
        );
        read(&file).cases[0].quantity.clone()
    };
    assert_eq!([of("perf_counter"), of("time.process_time")], ["wall time", "CPU time"]);
}

#[test]
fn repetitions_that_mostly_failed_are_a_failure() {
    let of = |failed: usize| {
        let row = |at: usize| match at < failed {
            true => {
                r#"{"name": "BM_x", "run_type": "iteration", "error_occurred": true, "error_message": "no"}"#.to_owned()
            }
            false => format!(
                r#"{{"name": "BM_x", "run_type": "iteration", "iterations": 9, "real_time": 5{at}, "cpu_time": 5{at}, "time_unit": "ns"}}"#
            ),
        };
        let rows: Vec<String> = (0..4).map(row).collect();
        read(&format!(r#"{{"context": {{"library_version": "v1.9.0"}}, "benchmarks": [{}]}}"#, rows.join(",")))
    };
    assert_eq!((of(1).cases.len(), of(1).failed.len()), (1, 0));
    assert_eq!((of(3).cases.len(), of(3).failed.len()), (0, 1));
}

#[test]
fn go_names_that_end_in_a_number_are_told_from_processors() {
    let line = |name: &str, ns: f64| format!("BenchmarkRead/{name} \t 10 \t {ns} ns/op\n");
    let file = |lines: &[(&str, f64)]| {
        read(&format!("pkg: p\n{}ok  \tp\t1s\n", lines.iter().map(|(name, ns)| line(name, *ns)).collect::<String>()))
    };
    let found = |saved: &tare_analysis::Saved| -> Vec<(String, f64)> {
        saved.cases.iter().map(|case| (case.selector(), case.launches[0][0])).collect()
    };
    // `go test -cpu 1,4` of `block-4` and `block`.
    let many = file(&[("block-4", 400.0), ("block", 1600.0), ("block-4-4", 401.0), ("block-4", 1601.0)]);
    let expected = [
        ("p/Read/block-4[processors=1]", 400.0),
        ("p/Read/block[processors=1]", 1600.0),
        ("p/Read/block-4[processors=4]", 401.0),
        ("p/Read/block[processors=4]", 1601.0),
    ];
    assert_eq!(found(&many), expected.map(|(name, ns)| (name.to_owned(), ns)));
    let four = file(&[("block-4-4", 401.0), ("block-4", 1601.0)]);
    let one = file(&[("block-4", 400.0), ("block", 1600.0)]);
    assert_eq!(found(&one), [("p/Read/block-4".to_owned(), 400.0), ("p/Read/block".to_owned(), 1600.0)]);
    let rows = |base: &tare_analysis::Saved| -> Vec<_> {
        let rows = compare_saved(base, &one, &SavedOptions::default()).rows;
        rows.iter().map(|row| (row.base_ns.map(f64::round), row.new_ns.map(f64::round))).collect()
    };
    assert_eq!(rows(&four), [(Some(401.0), Some(400.0)), (Some(1601.0), Some(1600.0))]);
    assert_eq!(rows(&many), [(Some(400.0), Some(400.0)), (Some(1600.0), Some(1600.0))]);
}

#[test]
fn no_two_benchmarks_of_a_file_are_shown_alike() {
    let row = |name: &str| {
        format!(r#"{{"name": "{name}", "iterations": 9, "real_time": 5, "cpu_time": 5, "time_unit": "ns"}}"#)
    };
    let rows = ["A", "A/min_time:2.000", "A/real_time", "B/64", "B/64/real_time"].map(row).join(",");
    let google = read(&format!(r#"{{"context": {{"num_cpus": 8, "caches": []}}, "benchmarks": [{rows}]}}"#));
    let mut shown: Vec<String> = google.cases.iter().map(|case| case.selector()).collect();
    shown.sort();
    assert_eq!(shown, ["A", "A/min_time:2.000", "A/real_time", "B/64", "B/64/real_time"]);
    let of = |title: &str, name: &str| {
        read(&format!(
            r#"{{"results": [{{"title": "{title}", "name": "{name}", "measurements": [{{"elapsed": 1e-6}}]}}]}}"#
        ))
    };
    let across = compare_saved(&of("till", "pay/card"), &of("till/pay", "card"), &SavedOptions::default());
    assert_eq!((across.rows.len(), across.only_base.len(), across.only_new.len()), (0, 1, 1));
    let object = "UNSERIALIZABLE[Shape(make=<function at 0x7f>)]";
    let pytest = read(&format!(
        r#"{{"machine_info": {{}}, "version": "5.1.0", "benchmarks": [{{"name": "test_store[json-words]", "fullname": "t.py::test_store[json-words]",
            "params": {{"shape": "{object}", "tool": "json"}}, "param": "json-words", "stats": {{"data": [0.1, 0.2], "mean": 0.15}}}}]}}"#
    ));
    assert_eq!(pytest.cases[0].selector(), "test_store[param=json-words]");
}

#[test]
fn a_path_of_windows_may_stand_without_escapes() {
    let saved = read(
        r#"{"context": {"executable": "c:\work\users\udata\a.exe", "num_cpus": 8}, "benchmarks": [{"name": "A", "iterations": 9,
            "real_time": 5, "cpu_time": 5, "time_unit": "ns"}]}"#,
    );
    assert_eq!(case(&saved, "A").launches, [[5.0]]);
}
