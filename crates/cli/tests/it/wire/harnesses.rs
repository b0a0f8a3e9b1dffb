//! Benchmarks written for another harness: their programs are launched as they are.

use crate::support::{out, Place, ROOT, SHORT};

/// A stand-in for a program of Google Benchmark, whose BM_Parse/64 takes so long.
fn google_benchmark(place: &Place, name: &str, time: &str) -> String {
    let text = std::fs::read_to_string(format!("{ROOT}/fixtures/harnesses/google-benchmark.sh")).expect("a fixture");
    assert!(text.contains("time=50\n"));
    place.script(name, &text.replace("time=50\n", &format!("time={time}\n")))
}

#[test]
fn a_program_of_google_benchmark_is_measured_and_its_failures_cost_only_themselves() {
    let place = Place::new("harness-run");
    google_benchmark(&place, "bench", "50");
    let output = place.tare(["run", "./bench", "--exclude", "BM_Hang"].iter().chain(&SHORT));
    let (shown, said) = (out(&output), String::from_utf8_lossy(&output.stderr).into_owned());
    assert_eq!(output.status.code(), Some(100), "{said}");
    let row =
        |name: &str| shown.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default().to_owned();
    assert!(row("BM_Parse[arg0=64]").contains("GB/s") && row("BM_Sort<std::less<int>>").contains("100"), "{shown}");
    assert!(row("BM_Threads[threads=2]").contains("ns") && shown.contains("digits"), "{shown}");
    assert!(row("BM_Error").contains("failed: no data file"), "{shown}");
    assert!(
        row("BM_Crash").contains("failed: its process was killed by signal 6") && shown.contains("assertion failed"),
        "{shown}"
    );
    assert!(shown.contains("another benchmark is called `BM_Same` too"), "{shown}");
    assert_eq!(said.matches("no correction for the clock").count(), 1, "{said}");
    let run = place.run_json();
    assert_eq!(
        (&run["artifacts"][0]["toolchain"], &run["artifacts"][0]["language"]),
        (&"harness".into(), &"c++".into())
    );
    let launches = run["launches"].as_array().expect("launches");
    let operations = |launch: &serde_json::Value| launch["series"][0]["columns"]["operations"][0].as_f64();
    assert!(launches.iter().any(|launch| operations(launch) == Some(100_000.0)), "{launches:?}");
    place.ends_with(0, ["show", "latest", "-v"]);
    place.assert_nothing_left("a harness");
}

/// A function that fills a table first, in each of its calls: by itself the harness calls it for half a second.
#[test]
fn a_benchmark_of_google_benchmark_is_not_called_more_often_than_the_harness_does_it() {
    let place = Place::new("harness-restarts");
    let text = std::fs::read_to_string(format!("{ROOT}/fixtures/harnesses/google-benchmark.sh")).expect("a fixture");
    let seconds = "    --benchmark_min_time=* | --benchmark_repetitions=*) ;;";
    let memo = "    --benchmark_min_time=0.001) memo=4300 ;;\n    --benchmark_min_time=0.008) memo=600 ;;\n    \
                --benchmark_min_time=0.064) memo=70 ;;\n    --benchmark_min_time=0.512) memo=12 ;;\n";
    let row = "            BM_Error)";
    let text = text
        .replace(seconds, &format!("{memo}{seconds}"))
        .replace(row, &format!("            BM_Memo) row \"$name\" ${{memo:-1}} '' ;;\n{row}"))
        .replace("BM_Same\nBM_Same", "BM_Memo");
    place.script("bench", &text);
    let shown =
        place.ends_with(0, ["run", "./bench", "--filter", "BM_Memo", "--filter", "BM_Sort*"].iter().chain(&SHORT));
    let row = |name: &str| shown.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
    assert!(row("BM_Memo").contains(" 12.") && row("BM_Sort").contains(" 100"), "{shown}");
    place.assert_nothing_left("a harness whose calls are longer");
}

/// Its process is ended with that of the harness.
#[test]
fn a_benchmark_of_google_benchmark_that_hangs_is_ended() {
    let place = Place::new("harness-hangs");
    google_benchmark(&place, "bench", "50");
    let shown =
        place.ends_with(100, ["run", "./bench", "--timeout", "30s", "--filter", "BM_Hang"].iter().chain(&SHORT));
    assert!(shown.contains("BM_Hang") && shown.contains("failed") && shown.contains("--timeout"), "{shown}");
    place.assert_nothing_left("a harness that hangs");
}

#[test]
fn two_programs_of_google_benchmark_are_compared() {
    let place = Place::new("harness-compare");
    google_benchmark(&place, "old/bench", "50");
    google_benchmark(&place, "new/bench", "60");
    // By the name that it has there.
    let filters = ["--filter", "BM_Parse/64", "--filter", "BM_Sort*"];
    let shown = place.ends_with(0, ["compare", "old/bench", "new/bench"].iter().chain(&filters));
    assert!(shown.contains("slower 1") && shown.contains("same 2"), "{shown}");
    let listed = place.ends_with(0, ["list", "new", "--tree"]);
    assert!(
        listed.contains("BM_Parse[arg0=1024]") && listed.contains("of one page"),
        "a folder is searched for such programs: {listed}"
    );
}

/// Programs of four harnesses as they answer to the flags that Tare gives them. Each has what its harness is recognised by.
const OTHERS: [(&str, &str); 4] = [
    (
        "catch2",
        "# Catch9Benchmark6Detail17BenchmarkFunction5modelI
case $1 in
    '[!benchmark]' | crash) crashes='<TestCase name=\"crash\" tags=\"[!benchmark]\"><FatalErrorCondition>SIGSEGV</FatalErrorCondition></TestCase>' ;;
    '[!benchmark] ~\"crash\"' | 'sum\\, \\[fast\\]') ;;
    *) echo \"another test: $1\" >&2; exit 1 ;;
esac
while test \"$1\" != -o; do shift; done
test \"$crashes\" && echo \"<?xml version='1.0'?><Catch>$crashes</Catch>\" > \"$2\" && exit 11
cat > \"$2\" <<'XML'
<?xml version=\"1.0\"?>
<Catch name=\"t\"><TestCase name=\"sum, [fast]\"><BenchmarkResults name=\"of 100\" samples=\"100\"><mean value=\"71.5\"/></BenchmarkResults>
<BenchmarkResults name=\"bad\" samples=\"100\"><failed message=\"no data\"/></BenchmarkResults></TestCase></Catch>
XML
exit 1  # as many assertions failed
",
    ),
    (
        "criterion03",
        "# CRITERION_HOME
for word; do case $word in
    *-time=0.*) echo \"error: Invalid value: The argument '${word#*=}' isn't a valid value\"; exit 1 ;;
    --list) list=true ;;
esac; done
test \"$list\" && echo 'old: bench' && exit
mkdir -p \"$CRITERION_HOME/old/new\"
printf '{\"group_id\":\"old\",\"function_id\":null,\"value_str\":null,\"throughput\":null,\"full_id\":\"old\"}' > \"$CRITERION_HOME/old/new/benchmark.json\"
printf '{\"sampling_mode\":\"Linear\",\"iters\":[1.0,2.0],\"times\":[70.5,141.0]}' > \"$CRITERION_HOME/old/new/sample.json\"
",
    ),
    (
        "celero",
        "# Runs a specific group of benchmarks.
test \"$1\" = -t && printf 'Group,Experiment,Problem Space,Iterations,Failure,us/Iteration\\nSort,Std,64,1000000,0,0.0735\\nSort,Throws,64,1000,1,0\\n' > \"$2\"
",
    ),
    (
        "nanobench",
        "# NANOBENCH_SUPPRESS_WARNINGS
echo '[doctest] run with --help for options'
printf '| ns/op | op/s | err%% | total | strings\\n|--:|--:|--:|--:|:--\\n| 75.50 | 1.0 | 0.1%% | 0.1 | `append`\\n'
",
    ),
];

/// A program of divan with an argument, counters, allocations, and two numbers of threads behind a benchmark that ends the process.
const DIVAN: &str = "#!/bin/sh
# DIVAN_SAMPLE_COUNT
row() { printf '%s │ %s │ %s │ %s │ 5 │ 5\\n' \"$1 $2\" \"$2\" \"$2\" \"$2\"; }
echo 'd        fastest │ slowest │ median │ mean │ samples │ iters'
case \" $* \" in
    *' --include-ignored '*) printf 'd::parse::64: benchmark\\nd::panics: benchmark\\nd::shared: benchmark\\nd::slow: benchmark\\n' ;;
    *' --list '*) printf 'd::parse::64: benchmark\\nd::panics: benchmark\\nd::shared: benchmark\\n' ;;
    *' d::panics '*) echo '╰─ panics'; exit 101 ;;
    *' --exact d::shared --threads=4 '*) row '╰─ shared  ' '77.5 ns' ;;
    *' --sample-count=5 '*' d::shared '*)
        echo '╰─ shared        │ │ │ │ │'
        row '   ├─ t=1 ' '76 ns'
        row '   ╰─ t=4 ' '77 ns' ;;
    *' --exact d::shared '*) row '╰─ shared  ' '76 ns' ;;
    *)
        echo '├─ parse         │ │ │ │ │'
        row '│  ╰─ 64  ' '78.5 ns'
        row '│         ' '815.2 MB/s'
        row '│         ' 'alloc:'
        row '│         ' '3'
        row '│         ' '1.5 KB'
        case \" $* \" in *' --exact '*) exit ;; esac
        echo '├─ panics'
        exit 101 ;;
esac
";

#[test]
fn programs_of_other_harnesses_are_recognised_and_measured() {
    let place = Place::new("harness-others");
    for (name, text) in OTHERS {
        place.script(&format!("bin/{name}"), &format!("#!/bin/sh\n{text}"));
    }
    place.script("bin/divan", DIVAN);
    // What only looks like one costs itself alone.
    place.script("bin/unlike", "#!/bin/sh\n# benchmark_list_tests\necho usage: unlike FILE\n");
    let output = place.tare(["run", "bin"].iter().chain(&SHORT));
    let (shown, said) = (out(&output), String::from_utf8_lossy(&output.stderr).into_owned());
    let row = |name: &str| shown.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
    for (name, value) in [("old", "70.5"), ("of 100", "71.5"), ("Std", "73.5"), ("append", "75.5")] {
        assert!(row(name).contains(value), "{name}: {shown}{said}");
    }
    assert!(row("d::shared[threads=4]").contains("77.5"), "{shown}{said}");
    assert!(row("d::parse[arg=64]").contains("78.5") && row("d::parse[arg=64]").contains("1500"), "{shown}{said}");
    for (name, why) in
        [("bad", "no data"), ("d::slow", "declared with `ignore`"), ("crash", "SIGSEGV"), ("Sort/Throws", "a failure")]
    {
        assert!(shown.contains(name) && shown.contains(why), "a benchmark that fails is one row: {shown}");
    }
    assert!(said.contains("criterion takes whole seconds only"), "{said}");
    assert!(said.contains("it looks like a program of Google Benchmark, but"), "{said}");
    place.assert_nothing_left("other harnesses");
}

/// A sample of a thousand iterations takes six microseconds, and so it does if each takes a tenth of a nanosecond more.
#[test]
fn what_a_harness_rounds_is_not_the_same() {
    let place = Place::new("harness-rounds");
    for side in ["old", "new"] {
        let table = "Group,Experiment,Problem Space,Iterations,Failure,us/Iteration\\nSort,Std,64,1000,0,0.006\\n";
        let text = format!(
            "#!/bin/sh\n# Runs a specific group of benchmarks. {side}\ntest \"$1\" = -t && printf '{table}' > \"$2\"\n"
        );
        place.script(&format!("{side}/celero"), &text);
    }
    let shown = place.ends_with(0, ["compare", "old/celero", "new/celero"].iter().chain(&SHORT));
    assert!(shown.contains("UNCLEAR") && shown.contains("in steps of 1.000 µs"), "{shown}");
}

/// A suite of a harness that no release of Tare knows: lines of `go test` come out.
const SUITE: &str = "case $1 in
list) printf 'suite of three\\nbench: fast\\nbench: slow\\nbench: broken\\n' ;;
run) case $2 in
    *fast) echo \"BenchmarkFast 1000 50.$(($$ % 10)) ns/op\" ;;
    *slow) echo \"BenchmarkSlow 1000 500.$(($$ % 10)) ns/op\" ;;
    *) echo nothing to measure ;;
    esac ;;
esac
";

#[test]
fn a_harness_of_the_project_is_run_as_tare_toml_says() {
    let place = Place::new("harness-declared");
    place.write("suites/parse.suite", SUITE);
    let table = "[harness.ours]\nfiles = \"*.suite\"\nlist = \"sh {file} list\"\nnames = \"bench: *\"\n";
    place.write("tare.toml", &format!("{table}run = \"sh {{file}} run {{name}}\"\n"));
    let shown = place.ends_with(100, ["run", "suites"].iter().chain(&SHORT));
    let row =
        |name: &str| shown.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default().to_owned();
    assert!(row("bench: fast").contains("50.") && row("bench: slow").contains("500"), "{shown}");
    assert!(
        row("bench: broken").contains("its result cannot be read") && shown.contains("nothing to measure"),
        "{shown}"
    );
    assert!(!shown.contains("suite of three"), "{shown}");
    assert!(shown.contains("suites/parse.suite`") && !shown.contains("measure-suite"), "{shown}");
    place.write("tare.toml", &format!("{table}run = \"sh {{file}}\"\n"));
    let reported = place.fails_with(2, ["list", "suites"]);
    assert!(reported.contains("`harness.ours`: `run` needs `{name}`"), "{reported}");
}
