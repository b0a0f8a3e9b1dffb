//! Forms of other versions, and partly broken files.

use crate::{case, read};
use tare_analysis::{Saved, SavedCase, ShownTime};
use tare_import::read_folder;

fn google(rows: &[String]) -> Saved {
    read(&format!(r#"{{"context": {{"date": "2026-01-01"}}, "benchmarks": [{}]}}"#, rows.join(",")))
}

/// A row with these fields, a name and times.
fn row(name: &str, ns: f64, fields: &str) -> String {
    format!(r#"{{"name": "{name}", {fields} "real_time": {ns}, "cpu_time": {ns}, "time_unit": "ns"}}"#)
}

fn values(saved: &Saved) -> Vec<(&str, Vec<f64>)> {
    saved.cases.iter().map(|case| (case.key.as_str(), case.launches.concat())).collect()
}

fn codes(saved: &Saved) -> Vec<&str> {
    saved.findings.iter().map(|finding| finding.code.name()).collect()
}

#[test]
fn repetitions_of_google_benchmark_that_begin_again_are_of_another_benchmark() {
    let of = |index: usize, ns: f64| {
        row("Read", ns, &format!(r#""run_name": "Read", "run_type": "iteration", "repetition_index": {index},"#))
    };
    let aggregate =
        |ns: f64| row("Read_mean", ns, r#""run_name": "Read", "run_type": "aggregate", "aggregate_name": "mean","#);
    let saved = google(&[of(0, 10.0), of(1, 11.0), aggregate(10.5), of(0, 90.0), of(1, 91.0), aggregate(90.5)]);
    assert_eq!(values(&saved), [("Read", vec![10.0, 11.0]), ("Read#2", vec![90.0, 91.0])]);
    assert_eq!(codes(&saved), ["same-name"]);
    // Random order does not begin another benchmark.
    let saved = google(&[of(1, 11.0), of(2, 12.0), of(0, 10.0)]);
    assert_eq!(values(&saved), [("Read", vec![11.0, 12.0, 10.0])]);
    // Only aggregates.
    let saved = google(&[aggregate(10.0), aggregate(90.0)]);
    assert_eq!(saved.cases.iter().map(|case| case.key.as_str()).collect::<Vec<_>>(), ["Read", "Read#2"]);
    // Files of two programs merged into one.
    let numbered =
        |ns: f64| row("Read", ns, r#""family_index": 0, "per_family_instance_index": 0, "repetition_index": 0,"#);
    assert_eq!(values(&google(&[numbered(5.0), numbered(6.0)])).len(), 2);
}

#[test]
fn google_benchmark_of_2016_has_neither_numbers_nor_types() {
    let saved = google(&[row("A", 5.0, ""), row("B", 1.0, ""), row("A", 50.0, "")]);
    assert_eq!(values(&saved), [("A", vec![5.0]), ("B", vec![1.0]), ("A#2", vec![50.0])], "others stand between them");
    let saved = google(&[
        row("A", 5.0, ""),
        row("A", 6.0, ""),
        row("A_mean", 5.5, ""),
        row("A", 7.0, ""),
        row("A_mean", 7.0, ""),
    ]);
    assert_eq!(values(&saved), [("A", vec![5.0, 6.0]), ("A#2", vec![7.0])], "an aggregate ends a benchmark");
    let saved = google(&[row("A", 5.0, ""), row("A", 6.0, "")]);
    assert_eq!(values(&saved), [("A", vec![5.0, 6.0])]);
    let said = saved.findings[0].evidence.to_string();
    assert_eq!(said, "several rows have the same name, and are treated as repetitions of one benchmark: `A`");
}

#[test]
fn a_row_of_google_benchmark_that_cannot_be_read_costs_itself_alone() {
    let broken = [
        r#"{"name": "Torn", "real_time": "soon"}"#,
        r#"{"real_time": 1}"#,
        "7",
        r#"{"name": "Odd", "real_time": 1, "time_unit": "weeks"}"#,
    ];
    let rows: Vec<String> = broken.iter().map(|row| (*row).to_owned()).chain([row("A", 5.0, "")]).collect();
    let saved = google(&rows);
    assert_eq!(values(&saved), [("A", vec![5.0])]);
    let failed: Vec<(&str, String)> = saved.failed.iter().map(|f| (f.key.as_str(), f.failure.cause.text())).collect();
    assert_eq!(
        failed[0],
        (
            "Torn",
            "its entry in the file cannot be read: `benchmarks[0].real_time` is the text \"soon\", not a number"
                .to_owned()
        )
    );
    assert_eq!(
        failed.iter().map(|(key, _)| *key).collect::<Vec<_>>(),
        ["Torn", "benchmarks[1]", "benchmarks[2]", "Odd"]
    );
}

#[test]
fn an_entry_of_nanobench_or_python_that_cannot_be_read_costs_itself_alone() {
    let files = [
        r#"{"results": [{"name": "a", "median(elapsed)": 1}, {"name": "b", "measurements": [{"elapsed": "soon"}]}, {"median(elapsed)": 1}]}"#,
        r#"{"machine_info": {}, "benchmarks": [{"name": "a", "stats": {"data": [1]}}, {"name": "b", "stats": {}}, {"stats": {"data": [1]}}]}"#,
        r#"{"version": "1.0", "benchmarks": [{"metadata": {"name": "a"}, "runs": [{"values": [1]}]}, {"metadata": {"name": "b"}, "runs": [5]}, {}]}"#,
    ];
    for (file, nameless) in files.iter().zip(["results[2]", "benchmarks[2]", "benchmark 3"]) {
        let saved = read(file);
        let measured: Vec<&str> = saved.cases.iter().map(|case| case.key.as_str()).collect();
        let failed: Vec<&str> = saved.failed.iter().map(|failed| failed.key.as_str()).collect();
        assert_eq!((measured, failed), (vec!["a"], vec!["b", nameless]), "{file}");
        for failed in &saved.failed {
            let why = failed.failure.cause.text();
            assert!(why.starts_with("its entry in the file cannot be read: `"), "{why}");
        }
        // If no entry can be read, the file itself is broken.
        let broken = file.replace("\"a\"", "5").replace("[{\"values\": [1]}]", "5");
        assert!(crate::refused(&broken).0.starts_with("`given` is "), "{file}");
    }
}

#[test]
fn programs_in_one_folder_that_share_a_name_stay_apart() {
    let file = |program: &str, name: &str, ns: f64| {
        let rows = row(name, ns, "");
        let text = format!(r#"{{"context": {{"executable": "build/{program}"}}, "benchmarks": [{rows}]}}"#);
        (format!("{program}-{ns}.json"), text.into_bytes())
    };
    let files =
        [file("map", "Read", 5.0), file("map", "Read", 6.0), file("set", "Read", 50.0), file("set", "Write", 1.0)];
    let saved = read_folder("old", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(values(&saved), [("Read@map", vec![5.0, 6.0]), ("Write", vec![1.0]), ("Read@set", vec![50.0])]);
    assert!(codes(&saved).is_empty(), "{:?}", saved.findings);
}

/// A file of BenchmarkDotNet with these benchmarks; `host` is the field before them.
fn bdn(host: &str, benchmarks: &[&str]) -> Saved {
    read(&format!(r#"{{{host}"Benchmarks": [{}]}}"#, benchmarks.join(",")))
}

const SUM: &str = r#"{"DisplayInfo": "Till.Sum: DefaultJob", "Namespace": "Shop", "Type": "Till", "Method": "Sum", "Parameters": "",
    "FullName": "Shop.Till.Sum", "Statistics": {"OriginalValues": [40, 41], "Mean": 40.5}}"#;
const PAY: &str = r#"{"DisplayInfo": "Till.Pay: DefaultJob [N=3, Kind=a]", "Namespace": "Shop", "Type": "Till", "Method": "Pay",
    "Parameters": "N=3&Kind=a", "Statistics": {"OriginalValues": [90, 91], "Mean": 90.5}}"#;

#[test]
fn benchmarkdotnet_without_host_or_full_names() {
    for host in ["", r#""HostEnvironmentInfo": null, "#, "\u{feff}"] {
        let text = format!(r#"{{{}"Benchmarks": [{SUM}, {PAY}]}}"#, host.trim_start_matches('\u{feff}'));
        let text = if host == "\u{feff}" { format!("{host}{text}") } else { text };
        let saved = read(&text);
        assert_eq!(saved.tool, "benchmarkdotnet");
        assert_eq!(
            values(&saved),
            [("Shop.Till.Sum", vec![40.0, 41.0]), ("Shop.Till.Pay(N: 3, Kind: a)", vec![90.0, 91.0])]
        );
    }
}

#[test]
fn what_benchmarkdotnet_says_of_a_machine_has_the_names_of_other_tools() {
    let of = |caption: &str| {
        let host = format!(
            r#""HostEnvironmentInfo": {{"BenchmarkDotNetCaption": "{caption}", "Architecture": "X64", "OsVersion": "Linux Debian GNU/Linux 12 (bookworm)", "DotNetCliVersion": ""}}, "#
        );
        let saved = bdn(&host, &[r#"{"FullName": "A.F", "Statistics": {"Mean": 1.5}}"#]);
        ["architecture", "os", "compiler", "tool"].map(|fact| saved.machine.get(fact).cloned().unwrap_or_default())
    };
    assert_eq!(of("BenchmarkDotNet"), ["x86_64", "Debian GNU/Linux 12 (bookworm)", "", ""]);
    assert_eq!(of("Tare")[3], "tare");
}

#[test]
fn a_benchmark_of_benchmarkdotnet_that_cannot_be_read_costs_itself_alone() {
    let torn =
        r#"{"FullName": "Shop.Till.Torn", "Type": "Till", "Method": "Torn", "Measurements": [{"IterationMode": 5}]}"#;
    let failed = r#"{"FullName": "Shop.Till.Bad", "Type": "Till", "Method": "Bad", "Statistics": null}"#;
    let saved = bdn("", &[SUM, torn, failed, "null", r#"{"DisplayInfo": "Till.Old: DefaultJob"}"#]);
    assert_eq!(values(&saved), [("Shop.Till.Sum", vec![40.0, 41.0])]);
    let names: Vec<(&str, &str)> = saved.failed.iter().map(|f| (f.key.as_str(), f.name.as_str())).collect();
    assert_eq!(
        names,
        [
            ("Shop.Till.Torn", "Till/Torn"),
            ("Shop.Till.Bad", "Till/Bad"),
            ("Benchmarks[3]", "Benchmarks[3]"),
            ("Till.Old", "Till.Old")
        ]
    );
    let why = saved.failed[0].failure.cause.text();
    assert_eq!(why, "its entry in the file cannot be read: `Benchmarks[1].Measurements[0].IterationMode` is the number 5, not a text");
}

#[test]
fn a_failure_of_benchmarkdotnet_is_of_its_job() {
    let of = |job: &str, statistics: &str| {
        format!(
            r#"{{"FullName": "T.A", "Type": "T", "Method": "A", "DisplayInfo": "T.A: {job}(Runtime={job})", "Statistics": {statistics}}}"#
        )
    };
    let saved = bdn("", &[&of("Old", r#"{"OriginalValues": [5, 6]}"#), &of("New", "null")]);
    assert_eq!((saved.cases[0].key.as_str(), saved.failed[0].key.as_str()), ("T.A", "T.A@New(Runtime=New)"));
    // Also shown alone if nothing was measured for its job.
    let report = saved.report();
    assert_eq!(
        report.cases.iter().map(|c| c.job.as_str()).collect::<Vec<_>>(),
        ["Old(Runtime=Old)", "New(Runtime=New)"]
    );
    assert_eq!(report.jobs.len(), 2);
    assert!(saved.of_job("old").expect("a job").failed.is_empty());
}

#[test]
fn jmh_of_several_runs_in_one_file() {
    let of = |args: &str, ns: f64| {
        format!(
            r#"{{"benchmark": "A.b", "mode": "avgt", "jvmArgs": [{args}], "primaryMetric": {{"score": 1, "scoreUnit": "ns/op", "rawData": [[{ns}]]}}}}"#
        )
    };
    let saved = read(&format!("[{}, {}]", of("\"-Xmx1g\"", 5.0), of("\"-Xmx2g\"", 6.0)));
    assert_eq!(values(&saved), [("A.b:avgt@-Xmx1g", vec![5.0]), ("A.b:avgt@-Xmx2g", vec![6.0])]);
    let saved = read(&format!(
        "[{}, {}]",
        of("", 5.0),
        r#"{"benchmark": "A.c", "mode": "avgt", "primaryMetric": {"scoreUnit": 7}}"#
    ));
    assert_eq!(
        (values(&saved).len(), saved.failed[0].key.as_str(), saved.failed[0].name.as_str()),
        (1, "A.c:avgt", "A/c")
    );
    let nothing = r#"{"benchmark": "A.n", "mode": "avgt", "primaryMetric": {"score": "NaN", "scoreUnit": "ns/op", "rawData": [["NaN"]]}}"#;
    let saved = read(&format!("[{}, {nothing}]", of("", 5.0)));
    assert_eq!(saved.failed[0].failure.cause.text(), "no usable time: value 1 of 1 is NaN ns");
}

fn tree(files: &[(&str, &str)]) -> Saved {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    read_folder("criterion", &files, "new").unwrap_or_else(|e| panic!("{e}"))
}

const SAMPLE: &str = r#"{"sampling_mode": "Flat", "iters": [1, 2], "times": [10, 22]}"#;
const ABOUT: &str = r#"{"group_id": "till", "function_id": "sum", "value_str": null, "full_id": "till/sum", "directory_name": "till/sum"}"#;

#[test]
fn a_benchmark_of_criterion_without_values_is_a_failure_with_its_name() {
    let saved = tree(&[
        ("0/till/sum/new/sample.json", SAMPLE),
        ("0/till/sum/new/benchmark.json", ABOUT),
        ("0/pay/new/", ""),
        ("0/other/", ""),
        ("0/torn/new/benchmark.json", r#"{"full_id": "torn"}"#),
        ("0/gone/main/sample.json", SAMPLE),
    ]);
    assert_eq!(values(&saved), [("till/sum", vec![10.0, 11.0])]);
    let failed: Vec<(&str, String)> = saved.failed.iter().map(|f| (f.key.as_str(), f.failure.cause.text())).collect();
    let expected = [
        ("torn", "criterion recorded no values: the benchmark failed or was stopped"),
        ("pay", "its folder `new` is empty: the benchmark failed or was stopped"),
    ];
    assert_eq!(failed, expected.map(|(key, why)| (key, why.to_owned())));
    assert_eq!(saved.findings[0].evidence.to_string(), "left out, because they lack the baseline `new`: `0/gone`");
}

#[test]
fn names_are_those_of_their_files_whatever_the_job() {
    let one: &SavedCase = &bdn("", &[SUM]).cases[0].clone();
    assert_eq!((one.stem.as_str(), one.distinction.as_str()), ("Shop.Till.Sum", "@DefaultJob"));
    assert_eq!(case(&bdn("", &[SUM]), "Shop.Till.Sum").job, "DefaultJob");
}

#[test]
fn a_benchmark_of_benchmarkdotnet_without_statistics_failed_however_far_it_came() {
    let iteration = |stage: &str, ns: f64| {
        format!(
            r#"{{"IterationMode": "Workload", "IterationStage": "{stage}", "LaunchIndex": 1, "IterationIndex": 1, "Operations": 100, "Nanoseconds": {ns}}}"#
        )
    };
    let of = |name: &str, statistics: &str, measurements: &[String]| {
        let fields = format!(
            r#""DisplayInfo": "Till.{name}: DefaultJob", "Type": "Till", "Method": "{name}", "FullName": "Till.{name}""#
        );
        format!(r#"{{{fields}, "Statistics": {statistics}, "Measurements": [{}]}}"#, measurements.join(", "))
    };
    let some = [iteration("Warmup", 250.0), iteration("Actual", 240.0), iteration("Actual", 241.8)];
    let nothing = r#"{"OriginalValues": [0, 0], "Mean": 0, "N": 2}"#;
    let saved = bdn(
        "",
        &[of("Fills", "null", &some), of("Roots", nothing, &some), of("Brief", nothing, &[])]
            .each_ref()
            .map(String::as_str),
    );
    let names: Vec<&str> = saved.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!((names, saved.cases[0].shown), (vec!["Roots"], Some(ShownTime::Nothing)));
    let reasons: Vec<String> = saved.failed.iter().map(|failed| failed.failure.cause.text()).collect();
    assert!(reasons[0].contains("the benchmark failed after 2 iterations"), "{reasons:?}");
    assert!(reasons[1].contains("could not distinguish its time from an empty loop"), "{reasons:?}");
    assert!(saved.failed[1].failure.skipped().is_some(), "it was measured");
}
