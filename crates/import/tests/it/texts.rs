use crate::{case, read, refused};
use tare_analysis::{SavedCase, SavedDesign, SavedSummary};

fn summary(case: &SavedCase) -> SavedSummary {
    match case.design {
        SavedDesign::Summary(summary) => summary,
        _ => panic!("{} is no summary", case.key),
    }
}

/// Output of Catch2 3; version 2 has other elements at the top.
const CATCH2: &str = r#"lines of a program before it
<?xml version="1.0" encoding="UTF-8"?>
<Catch2TestRun name="suite" rng-seed="1" xml-format-version="3" catch2-version="3.4.0">
  <TestCase name="parse &lt;int&gt; &amp;&#x41;&no;" tags="[!benchmark]" filename="a.cpp" line="3">
    <BenchmarkResults name="size > 8" samples="100" resamples="100000" iterations="12" clockResolution="21.5" estimatedDuration="3.5e+06">
      <!-- All values in nano seconds -->
      <mean value="1.25e+03" lowerBound="1200" upperBound="1300" ci="0.95"/>
      <standardDeviation value="50" lowerBound="40" upperBound="60" ci="0.95"/>
      <outliers variance="0.1" lowMild="0" lowSevere="0" highMild="1" highSevere="2"/>
    </BenchmarkResults>
    <Section name="long" filename="a.cpp" line="9">
      <BenchmarkResults name="throws" samples="100" resamples="100000" iterations="1">
        <failed message="no such file"/>
      </BenchmarkResults>
      <OverallResults successes="0" failures="1" expectedFailures="0"/>
    </Section>
    <BenchmarkResults name="crashes" samples="100" resamples="100000" iterations="1"
"#;

#[test]
fn benchmarks_of_catch2_are_means_within_their_test_cases() {
    let saved = read(CATCH2);
    assert_eq!((saved.tool.as_str(), saved.detail.as_str(), saved.cases.len()), ("catch2", "Catch2 3.4.0", 1));
    let one = case(&saved, "parse <int> &A&no;/size > 8");
    assert_eq!((one.group.as_str(), one.name.as_str()), ("parse <int> &A&no;", "size > 8"));
    let found = summary(one);
    assert_eq!((found.mean_ns, found.sd_ns, found.values), (Some(1250.0), Some(50.0), Some(100)));
    let failed: Vec<&str> = saved.failed.iter().map(|failed| failed.key.as_str()).collect();
    // The process ended in the test case, so more benchmarks may be missing.
    assert_eq!(failed, ["parse <int> &A&no;/long/throws", "parse <int> &A&no;"]);
    // If the text ends within a benchmark's element, the benchmark is named.
    let cut = &CATCH2[..CATCH2.find("<mean").expect("a mean")];
    assert_eq!(read(cut).failed[0].key, "parse <int> &A&no;/size > 8");
    let (message, _) = refused("<?xml version=\"1.0\"?><Catch name=\"tests\"><TestCase name=\"a\"/></Catch>");
    assert!(message.contains("is XML"), "{message}");
}

#[test]
fn a_test_case_of_catch2_that_is_left_before_its_benchmarks_says_why() {
    let skip = "<Skip filename=\"a.cpp\" line=\"3\">\n no disk\n</Skip><OverallResult success=\"true\" skips=\"1\"/>";
    let of = |tags: &str| {
        format!("<Catch2TestRun><TestCase name=\"reads\" tags=\"{tags}\">{skip}</TestCase></Catch2TestRun>")
    };
    let saved = tare_import::read("", of("[!benchmark]").as_bytes()).expect("it says something of benchmarks");
    let reasons: Vec<String> = saved.failed.iter().map(|failed| failed.failure.cause.text()).collect();
    assert!(saved.failed[0].key == "reads" && reasons[0].contains("no disk"), "{reasons:?}");
    assert!(tare_import::read("", of("").as_bytes()).is_err(), "a test");
}

#[test]
fn a_test_case_of_catch2_that_fails_before_its_benchmarks_is_a_failure() {
    let result = "<BenchmarkResults name=\"b\"><mean value=\"2\"/></BenchmarkResults>";
    let wrong = |kind: &str| {
        format!("<Expression success=\"false\" type=\"{kind}\"><Original>\n x &lt; 5\n</Original><Expanded>9</Expanded></Expression>")
    };
    let of = |tests: &[(&str, &str, String)]| {
        let test = |(name, tags, inner): &(&str, &str, String)| {
            format!("<TestCase name=\"{name}\" tags=\"{tags}\">{inner}<OverallResult success=\"false\"/></TestCase>")
        };
        let tests: String = tests.iter().map(test).collect();
        let saved = read(&format!("<?xml version=\"1.0\"?><Catch name=\"t\">{tests}</Catch>"));
        let said = |failed: &tare_analysis::SavedFailure| (failed.key.clone(), failed.failure.cause.text());
        (saved.cases.len(), saved.failed.iter().map(said).collect::<Vec<_>>())
    };
    let marked = "[!benchmark]";
    let (count, failed) = of(&[
        ("a/b", marked, wrong("REQUIRE")),
        ("late", "", format!("{result}<Exception>\n no &amp; </Exception>")),
        // The test case continues, so it is complete.
        ("checks", "", format!("{}{result}", wrong("CHECK"))),
        ("a test alone", "", wrong("REQUIRE")),
    ]);
    assert_eq!((count, failed.len(), failed[0].0.as_str(), failed[1].0.as_str()), (2, 2, "a/b", "late"));
    assert!(failed[0].1.contains("`REQUIRE(x < 5)`") && failed[1].1.contains("an exception: no &"), "{failed:?}");
    // A file without any result is still reported.
    assert_eq!(of(&[("alone", marked, wrong("CHECK"))]).1.len(), 1);
}

#[test]
fn columns_of_celero_are_found_by_their_names() {
    let saved = read(
        "Group,Experiment,Problem Space,Samples,Iterations,Failure,Baseline,us/Iteration,Iterations/sec,Min (us)\n\
         Sort,Std,64,30,100,0,1.0,2.5,400000,250\nSort,Own,0,30,100,1,0,0,0,0\n\
         Sort,Sin,-9223372036854775808,30,100,0,1.0,2.5,400000,250\n",
    );
    assert_eq!(case(&saved, "Sort/Sin").launches[0][0], 2500.0);
    let std = case(&saved, "Sort/Std[problem_space=64]");
    assert_eq!((std.launches[0][0], std.resolution_ns), (2500.0, Some(10.0)));
    assert_eq!(saved.failed[0].key, "Sort/Own");
}

#[test]
fn tables_of_nanobench_are_read_between_lines_of_the_program() {
    let saved = read(
        "[doctest] doctest version is \"2.4.9\"\n
| relative |               ms/op |                op/s |    err% |     total | strings
|---------:|--------------------:|--------------------:|--------:|----------:|:--------
|   100.0% |            1,234.50 |                0.81 |    2.0% |      0.01 | `a|b`
|    50.0% |                7.00 |                0.81 |    5.7% |      0.01 | :wavy_dash: `unstable` (Unstable with ~1.0 iters.)
===\n",
    );
    let found = summary(case(&saved, "strings/a|b"));
    assert_eq!(found.median_ns, Some(1_234_500_000.0));
    // The printed value is an interval of two decimals.
    let step = case(&saved, "strings/a|b").resolution_ns.expect("it is rounded");
    assert!((step - 10_000.0).abs() < 1e-6, "{step}");
    assert_eq!(summary(case(&saved, "strings/unstable")).median_ns, Some(7e6));
}

#[test]
fn of_a_short_time_nanobench_prints_more_digits_in_its_rate() {
    let saved = read(
        "| relative |             ns/byte |              byte/s |    err% |     total | String ops
|---------:|--------------------:|--------------------:|--------:|----------:|:-----------
|   100.0% |                0.05 |   20,025,522,315.33 |    0.3% |      0.03 | `copy`
|   254.2% |                0.00 |  625,000,000,000.00 |    0.1% |      0.02 | `find`
|          |                0.00 |                 inf |    0.1% |      0.02 | `nothing`
",
    );
    let median = |name: &str| summary(case(&saved, name)).median_ns.expect("a time");
    assert!((median("String ops/copy") - 0.049_936_3).abs() < 1e-7, "{}", median("String ops/copy"));
    assert!((median("String ops/find") - 0.001_6).abs() < 1e-12);
    assert_eq!(case(&saved, "String ops/copy").unit, "byte");
}

/// Saved output of tools is recognised, and the error names a readable form.
#[test]
fn what_tools_print_is_named() {
    for (text, form, instead) in [
        ("test sum ... bench:       0.31 ns/iter (+/- 0.02)\n", "libtest", "`target/criterion`"),
        ("fold/10   time:   [1.2290 ns 1.2341 ns 1.2400 ns]\n", "criterion", "`target/criterion`"),
        ("# JMH version: 1.37\n# VM version: JDK 17\n\nResult \"a.B.c\":\n", "JMH", "-rf json"),
        (
            "Benchmark   (n)  Mode  Cnt    Score    Error  Units\nB.c   1  avgt   10  812,345 ± 10,200  ns/op\n",
            "JMH",
            "-rf json",
        ),
        ("benchmark name    samples   iterations    est run time\n", "Catch2", "--reporter xml"),
        (
            "----\nBenchmark              Time             CPU   Iterations\n----\nBM_A    1.2 ns   1.2 ns  100\n",
            "Google",
            "--benchmark_out=FILE",
        ),
        (
            "```\n\nBenchmarkDotNet v0.14\n```\n| Method | Mean     | Error    |\n",
            "BenchmarkDotNet",
            "--exporters json",
        ),
        (
            "Benchmark 1: sleep 1\n  Time (mean ± σ):     1.002 s ±  0.001 s    [User: 0.0 s]\n",
            "hyperfine",
            "--export-json",
        ),
        ("| Command | Mean [ms] | Min [ms] |\n|:---|---:|\n", "hyperfine", "--export-json"),
        (
            "--- benchmark: 1 tests ---\nName (time in us)     Min     Max    Mean\n",
            "pytest-benchmark",
            "--benchmark-json=FILE",
        ),
        (".....................\nsort: Mean +- std dev: 1.2 us +- 0.1 us\n", "pyperf", "-o FILE"),
        ("\"Benchmark\";\"Mode\";\"Threads\"\n\"a.B.c\";\"avgt\";1\n", "JMH's CSV", "-rf json"),
        (
            "goos: linux\n     │   old.txt   │           new.txt           │\n     │   sec/op    │   sec/op     vs base        │\n",
            "benchstat",
            "go test -bench",
        ),
        ("name  old time/op  new time/op  delta\nA-8    100ns ± 1%   120ns ± 2%  +20%\n", "benchstat", "go test -bench"),
        (
            "name,min,max,mean,stddev,rounds,median,iqr,ops,total,iterations\na.py::test_x,1,1,1,0,5,1,0,1,5,1\n",
            "pytest-benchmark's CSV",
            "--benchmark-json=FILE",
        ),
        ("[ 50.00%] ··· suite.time_sort      2.00±0.1μs\n", "asv", "tare compare OLD NEW"),
        ("benchmark       time   95 % interval\n  a         1.00 ns  ±1 %\n", "a report of Tare", "tare runs"),
        ("run,case,group,name,parameters\n1,2,3,4,\n", "a report of Tare", "tare runs"),
        ("{\"version\": 1, \"runtime\": \"Deno/2.1.4\", \"cpu\": \"x\", \"benches\": []}", "`deno bench`", "`tare help moving`"),
        ("| Benchmark | a | b |\n|---|:---:|:---:|\n| sort | 2 us | 3 us: 1.50x slower |\n", "pyperf compare_to", "compare the files"),
        ("+-----------+---+\n| Benchmark | a | b |\n", "pyperf compare_to", "compare the files"),
        ("{\"reason\": \"benchmark-complete\", \"measured_values\": [1.0]}", "cargo-criterion", "`target/criterion`"),
        (
            "     │   old.txt   │           new.txt           │\n     │   sec/op    │   sec/op     vs base        │\n",
            "benchstat",
            "go test -bench",
        ),
        (
            "Timer precision: 20 ns\nbench     fastest       │ slowest       │ median        │ mean\n",
            "divan",
            "tare run PROGRAM",
        ),
        (
            "bench::sum short:10\n  Instructions:                  859|N/A       (*********)\n",
            "gungraun",
            "--diagnose instructions",
        ),
        ("bench_sum\n  Instructions:   859\n  Estimated Cycles:  1200\n", "iai", "--diagnose instructions"),
        (
            "{\"version\": \"2\", \"kind\": \"LibraryBenchmark\", \"callgrind_summary\": {}}",
            "gungraun",
            "--diagnose instructions",
        ),
        ("benchmark    avg (min … max) p75 / p99\n", "mitata", "tare run FILE"),
        (
            "   name      hz     min     max    mean     p75     p99    p995    p999     rme  samples\n",
            "vitest",
            "tare run FILE",
        ),
        ("RegExp#test x 4,161,532 ops/sec ±0.99% (89 runs sampled)\n", "benchmark.js", "tare help moving"),
    ] {
        let (error, hint) = super::refused(text);
        assert!(error.contains(form) && hint.contains(instead), "{text}{error}\n{hint}");
    }
}
