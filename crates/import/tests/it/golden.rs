//! Values after import, for every form.

use crate::files::{bytes, RESULTS};
use crate::{case, read};
use tare_analysis::{
    compare_saved, fact, Better, NetTime, Outcome, Saved, SavedCase, SavedDesign, SavedOptions, ShownTime,
};

fn fixture(name: &str) -> Saved {
    tare_import::read(name, bytes(name)).unwrap_or_else(|e| panic!("{e}"))
}

fn shape(case: &SavedCase) -> Vec<usize> {
    case.launches.iter().map(Vec::len).collect()
}

fn parameters(case: &SavedCase) -> Vec<String> {
    case.parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect()
}

fn close(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 1e-12, "{value} {expected}");
}

#[test]
fn every_fixture_is_a_result_with_a_name_a_tool_and_usable_values() {
    for (name, bytes) in RESULTS {
        let saved = tare_import::read(name, bytes).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(saved.name, name);
        assert!(!saved.cases.is_empty() && !saved.tool.is_empty() && !saved.detail.is_empty(), "{name}");
        let values = saved.cases.iter().flat_map(|c| c.launches.iter().flatten());
        assert!(values.clone().all(|v| v.is_finite() && *v > 0.0), "{name}");
        let mut keys: Vec<&str> = saved.cases.iter().map(|c| c.key.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), saved.cases.len(), "{name}: keys are unique");
    }
}

#[test]
fn a_ratio_is_that_of_the_times_beside_it() {
    let mut compared = 0;
    for (name, bytes) in RESULTS {
        let base = tare_import::read(name, bytes).unwrap_or_else(|e| panic!("{e}"));
        if base.tool == "tare" {
            continue;
        }
        // Few slow values, with a different mean, and a summary whose mean and median differ.
        let mut new = Saved { name: "new".into(), ..base.clone() };
        for case in new.cases.iter_mut() {
            for (at, value) in case.launches.iter_mut().flatten().enumerate() {
                *value *= [1.1, 1.3, 9.0][at % 3];
            }
            if let Some(ShownTime::Time(ns)) = &mut case.shown {
                *ns *= 1.7;
            }
            if let SavedDesign::Summary(summary) = &mut case.design {
                summary.mean_ns = summary.mean_ns.map(|ns| ns * 2.1);
                summary.median_ns = summary.median_ns.map(|ns| ns * 0.6);
            }
        }
        for row in compare_saved(&base, &new, &SavedOptions::default()).rows.iter().filter(|row| row.metric.is_none()) {
            if let Some((base, new)) = row.base_ns.zip(row.new_ns) {
                assert!((row.ratio / (new / base) - 1.0).abs() < 1e-9, "{name}: {row:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn a_run_of_tare() {
    let saved = fixture("tare-run-1.json");
    assert_eq!(saved.tool, "tare");
    let parse = case(&saved, "words.cpp:words/parse");
    assert_eq!((parse.design, parse.launches.len()), (SavedDesign::Launches, 4));
    assert_eq!((parse.group.as_str(), parse.name.as_str(), parse.language.as_str()), ("words", "parse", "c++"));
    assert!(matches!(parse.shown, Some(ShownTime::Time(ns)) if (7.40..7.50).contains(&ns)));
    assert_eq!(saved.machine[fact::METHOD], "waves-1");
    assert_eq!(
        saved.machine[fact::FLAGS],
        "-std=c++17 -O2 -DNDEBUG -g1 -falign-functions=64 -falign-loops=64 -pthread"
    );
}

#[test]
fn google_benchmark() {
    let saved = fixture("google-benchmark.json");
    assert_eq!(saved.cases.len(), 6, "no aggregates, no complexities");
    let parse = case(&saved, "Parse");
    assert_eq!((parse.design, shape(parse)), (SavedDesign::Iterations, vec![3]));
    assert_eq!(parse.launches[0], [1.4104491043686405e+01, 1.6673593313626004e+01, 1.3940265921272252e+01]);
    // In µs.
    close(case(&saved, "Sort/16").launches[0][0], 93.08855456614388);
    assert_eq!(parameters(case(&saved, "Sort/16")), ["arg0=16"]);
    // Iterations in the name are how much is measured, not what.
    let named = case(&saved, "Sort/named/n:64");
    assert_eq!((named.name.as_str(), parameters(named)), ("Sort/named", vec!["n=64".to_owned()]));
    assert_eq!(parameters(case(&saved, "Shared/real_time/threads:2")), ["threads=2"]);
    assert_eq!(saved.failed.len(), 1, "three repetitions of one failure");
    assert_eq!(
        (saved.failed[0].key.as_str(), saved.failed[0].failure.cause.text()),
        ("Fails", "no such device".into())
    );
    assert_eq!(saved.machine[fact::TOOL_BUILD], "debug");
    assert_eq!(fixture("google-benchmark-once.json").cases[0].values(), 1);
}

#[test]
fn google_benchmark_with_aggregates_alone() {
    let saved = fixture("google-benchmark-aggregates.json");
    let SavedDesign::Summary(summary) = case(&saved, "Parse").design else { panic!("a summary") };
    close(summary.median_ns.expect("a median"), 14.68929109598634);
    close(summary.sd_ns.expect("an sd"), 2.0111083460183443);
    assert_eq!(summary.values, Some(4));
}

#[test]
fn benchmarkdotnet() {
    let saved = fixture("benchmarkdotnet-report-full.json");
    // One name in two jobs, which only the job distinguishes.
    let of_8 = case(&saved, "Words.Parsing.Parse(Text: \"a&b\")@Runtime=.NET 8.0, LaunchCount=2");
    assert_eq!((of_8.design, shape(of_8)), (SavedDesign::Launches, vec![5, 5]));
    assert!(
        matches!(of_8.shown, Some(ShownTime::Time(ns)) if ns > 0.0) && of_8.own_error.is_some_and(|e| e > 0.0),
        "{of_8:?}"
    );
    // The values of its mean: without outliers and overhead.
    close(of_8.launches[0][2], 12.212445137023925);
    let values = of_8.launches.concat();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    assert!(matches!(of_8.shown, Some(ShownTime::Time(ns)) if (ns / mean - 1.0).abs() < 1e-12));
    assert_eq!(parameters(of_8), ["Text=a&b"]);
    let nested = case(&saved, "Words.Outer+Sorting<Int32>.Sort(N: 64, Kind: \"reversed\")");
    assert_eq!((nested.group.as_str(), shape(nested)), ("Outer+Sorting<Int32>", vec![7]));
    assert_eq!(
        (nested.allocated_bytes, parameters(nested)),
        (Some(280.0), vec!["N=64".into(), "Kind=reversed".into()])
    );
    assert_eq!(case(&saved, "Words.Sorting.Once").launches, [[2_499_999.7]]);
    assert_eq!(
        (saved.failed[0].key.as_str(), saved.failed[0].name.as_str()),
        ("Words.Sorting.Throws@DefaultJob", "Sorting/Throws")
    );
    assert_eq!(saved.machine[fact::CPU], "AMD EPYC");
}

#[test]
fn benchmarkdotnet_shows_the_times_that_it_printed() {
    let saved = fixture("benchmarkdotnet-0.15-report-full.json");
    // The column `Mean` of BenchmarkDotNet's table.
    let means = [
        ("My.Space.Work.Same(S: \"a\\tb\")", 1591.269),
        ("My.Space.Work.Make(S: \"x&y=z\")", 33.088),
        ("My.Space.Jobs.Text(N: 1000)@two(IterationCount=4, LaunchCount=2, WarmupCount=2)", 22.5292),
    ];
    for (key, mean) in means {
        let shown = case(&saved, key).shown;
        assert!(matches!(shown, Some(ShownTime::Time(ns)) if (ns / mean - 1.0).abs() < 1e-4), "{key}: {shown:?}");
    }
    let report = saved.report();
    let time = |key: &str| match &report.cases.iter().find(|c| c.key == key).expect("a case").outcome {
        Outcome::Measured(estimates) => estimates.time.clone(),
        other => panic!("{other:?}"),
    };
    assert!(matches!(time(means[2].0), NetTime::Resolved { value_ns, .. } if (value_ns - 22.529).abs() < 1e-3));
    // A mean of 0 is less than what can be distinguished from the empty loop, here below 1 ns.
    let nothing = "My.Space.Outer+Inner<List<Int32>>.Take(point: p1, c: 'c')";
    assert_eq!(case(&saved, nothing).shown, Some(ShownTime::Nothing));
    assert!(
        matches!(time(nothing), NetTime::Below { upper_ns } if upper_ns > 0.0 && upper_ns < 1.0),
        "{:?}",
        time(nothing)
    );
    // Its values are not escaped.
    let odd = case(&saved, means[1].0);
    assert_eq!((parameters(odd), odd.allocated_bytes), (vec!["S=x&y=z".to_owned()], Some(88.0)));
    assert_eq!(saved.failed.len(), 2);
}

#[test]
fn benchmarkdotnet_in_brief_has_no_launches() {
    let saved = fixture("benchmarkdotnet-report-brief.json");
    let of_8 = case(&saved, "Words.Parsing.Parse(Text: \"a&b\")@Runtime=.NET 8.0, LaunchCount=2");
    assert_eq!((of_8.design, shape(of_8)), (SavedDesign::Iterations, vec![10]));
    assert_eq!(saved.findings[0].code.name(), "left-out");
}

#[test]
fn jmh() {
    let saved = fixture("jmh.json");
    let parse = case(&saved, "demo.Words.parse[n=16]:avgt");
    assert_eq!((parse.design, shape(parse)), (SavedDesign::Launches, vec![3, 3]));
    assert_eq!((parse.group.as_str(), parse.name.as_str()), ("demo.Words", "parse"));
    close(parse.launches[1][2], 88.20216970372138);
    assert_eq!(saved.machine[fact::FLAGS], "-Xmx64m");
}

#[test]
fn modes_of_jmh() {
    let saved = fixture("jmh-modes.json");
    // 21834.25680082008 operations per millisecond.
    let throughput = case(&saved, "demo.Words.parse[n=16]:thrpt");
    close(throughput.launches[0][0], 1e6 / 21834.25680082008);
    assert_eq!(throughput.quantity, "1 / throughput");
    let sampled = case(&saved, "demo.Words.parse[n=16]:sample");
    assert_eq!((shape(sampled), sampled.quantity.as_str()), (vec![3, 3], "wall time of single calls"));
    assert!((25.0..40.0).contains(&sampled.launches[0][0]), "the mean of a histogram: {}", sampled.launches[0][0]);
    let cold = case(&saved, "demo.Words.parse[n=16]:ss");
    assert_eq!((cold.launches[0][0], cold.allocated_bytes), (9855.0, Some(5706.666666666667)));
}

#[test]
fn modes_of_jmh_are_joined_mode_by_mode() {
    let modes = fixture("jmh-modes.json");
    let mut one = modes.clone();
    one.cases.retain(|c| c.key.ends_with(":sample"));
    let comparison = compare_saved(&modes, &one, &SavedOptions::default());
    assert_eq!(
        comparison.rows.iter().map(|r| r.key.as_str()).collect::<Vec<_>>(),
        ["demo.Words.parse[n=16]:sample", "demo.Words.parse[n=16]:sample B/op"]
    );
    assert!(comparison.not_measured.is_empty() && comparison.only_new.is_empty(), "{comparison:?}");
}

#[test]
fn pyperf() {
    let saved = fixture("pyperf.json");
    let parse = case(&saved, "parse");
    // Six runs; the first calibrated.
    assert_eq!((parse.design, shape(parse)), (SavedDesign::Launches, vec![3; 5]));
    close(parse.launches[0][0], 57.00247192319541);
    assert_eq!(saved.machine[fact::RUNTIME], "cpython 3.11.7 (64-bit)");
    // The name of a single benchmark is in the metadata of the file.
    assert_eq!(shape(case(&fixture("pyperf-single.json"), "solo")), [2, 2]);
    let of_nanobench = fixture("nanobench-pyperf.json");
    assert_eq!(case(&of_nanobench, "solo").design, SavedDesign::Iterations);
}

#[test]
fn pytest_benchmark() {
    let saved = fixture("pytest-benchmark.json");
    let sort = case(&saved, "py/test_it.py::test_sort[16]");
    assert_eq!(
        (sort.group.as_str(), sort.name.as_str(), parameters(sort)),
        ("sort", "test_sort", vec!["n=16".to_owned()])
    );
    assert_eq!((sort.design, shape(sort)), (SavedDesign::Iterations, vec![15]));
    close(sort.launches[0][0], 219.84999420965323);
    assert_eq!((saved.machine[fact::CPU].as_str(), saved.machine[fact::PROCESSORS].as_str()), ("AMD EPYC", "2"));
    assert!(!saved.machine.contains_key(fact::REVISION), "`unversioned` is no revision");
    let summary = fixture("pytest-benchmark-summary.json");
    let SavedDesign::Summary(summary) = summary.cases[0].design else { panic!("a summary") };
    close(summary.median_ns.expect("a median"), 71.59999768191483);
    assert_eq!(summary.values, Some(20));
}

#[test]
fn hyperfine() {
    let saved = fixture("hyperfine.json");
    let sleep = case(&saved, "sleep 0.001");
    // Consecutive runs share a session, so five of them do not count as five processes.
    assert_eq!((sleep.design, shape(sleep), sleep.processes()), (SavedDesign::Iterations, vec![5], 1));
    close(sleep.launches[0][1], 5796369.0);
    let saved = fixture("hyperfine-parameters.json");
    assert_eq!(parameters(case(&saved, "sleep 0.002 [n=2]")), ["n=2"]);
    assert_eq!(saved.findings[0].evidence.to_string(), "`false [n=1]` ended with status 1 in 3 of 3 runs");
}

#[test]
fn hyperfine_2() {
    let saved = fixture("hyperfine-2.json");
    assert_eq!((saved.tool.as_str(), saved.cases.len()), ("hyperfine", 4));
    // The given name, as in hyperfine 1; parameters are objects.
    let one = case(&saved, "one 1 [n=1]");
    assert_eq!((one.design, shape(one), parameters(one)), (SavedDesign::Iterations, vec![3], vec!["n=1".to_owned()]));
    close(one.launches[0][0], 70319559.0);
    let evidence: Vec<String> = saved.findings.iter().map(|finding| finding.evidence.to_string()).collect();
    assert_eq!(evidence[0], "`fails 1 [n=1]` ended with status 1 in 3 of 3 runs", "{evidence:?}");
    let text = crate::files::text("hyperfine-2.json").replacen("\"second\"", "\"fortnight\"", 1);
    let error = tare_import::read("given", text.as_bytes()).expect_err("a unit that is none").to_string();
    assert!(error.contains("`results[0].measurements[0].time_wall_clock.unit` is the text \"fortnight\""), "{error}");
}

#[test]
fn go() {
    let saved = fixture("go.txt");
    let sort = case(&saved, "example.com/words.Sort/n=64/kind=rev-2");
    assert_eq!((sort.design, shape(sort), sort.allocated_bytes), (SavedDesign::Iterations, vec![4], Some(512.0)));
    assert_eq!((sort.name.as_str(), parameters(sort)), ("Sort", vec!["n=64".to_owned(), "kind=rev".to_owned()]));
    assert_eq!(sort.launches, [[448.2, 558.2, 203.4, 445.1]]);
    assert_eq!(saved.cases[0].settings["GOMAXPROCS"], "2");
    assert_eq!(case(&saved, "example.com/words.Upper-2").values(), 4, "other metrics are not in the way");
    let units =
        |key: &str| case(&saved, key).metrics.iter().map(|m| (m.quantity.clone(), m.better)).collect::<Vec<_>>();
    let sorted = units("example.com/words.Sort/n=64/kind=rev-2");
    assert_eq!(sorted, [("B/op".to_owned(), Better::Lower), ("allocs/op".to_owned(), Better::Lower)]);
    assert_eq!(units("example.com/words.Upper-2"), [("words/op".to_owned(), Better::Unknown)], "MB/s is ns/op again");
    assert_eq!(sort.metrics[0].launches, [[512.0; 4]]);
}

#[test]
fn events_of_go() {
    let saved = fixture("go-json.txt");
    // `-cpu 1,2`: no suffix means one processor; the line with two is split into two events.
    assert_eq!(case(&saved, "example.com/words.Atoi").launches, [[4.662, 4.622]]);
    let two = case(&saved, "example.com/words.Atoi-2");
    assert_eq!((two.launches.concat(), parameters(two)), (vec![5.013, 4.973], vec!["processors=2".to_owned()]));
}

#[test]
fn nanobench() {
    let saved = fixture("nanobench.json");
    let parse = case(&saved, "words/parse");
    assert_eq!((parse.group.as_str(), parse.design, shape(parse)), ("words", SavedDesign::Iterations, vec![11]));
    close(parse.launches[0][1], 8.41746484701663);
    // A batch of four: the time is per operation.
    let four = case(&saved, "words/parse four");
    assert_eq!(four.operations, Some(4.0));
    close(four.launches[0][1], 8.666281494352726);
    assert_eq!(parameters(case(&saved, "words/ten[N=10]")), ["N=10"]);
}

#[test]
fn a_name_is_only_a_hint() {
    let text = crate::files::text("hyperfine.json");
    assert_eq!(read(text).tool, "hyperfine");
    assert_eq!(read(&format!("\u{feff}{text}")).tool, "hyperfine", "a byte order mark");
    let mut utf16 = vec![0xff, 0xfe];
    utf16.extend(crate::files::text("go.txt").encode_utf16().flat_map(u16::to_le_bytes));
    let of_unit: [fn(u16) -> [u8; 2]; 2] = [u16::to_le_bytes, u16::to_be_bytes];
    for bytes in of_unit.map(|of| text.encode_utf16().flat_map(of).collect::<Vec<u8>>()) {
        assert_eq!(
            tare_import::read("no-mark.json", &bytes).map(|saved| saved.tool).ok().as_deref(),
            Some("hyperfine")
        );
    }
    let saved = tare_import::read("redirected-in-powershell.txt", &utf16).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(saved.cases.len(), 4);
}
