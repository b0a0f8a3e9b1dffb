//! Results of other tools as CI and programs leave them: they are read, or what is lost is a failure with its name in every form.

use crate::support::{err, out, Place, ROOT};
use std::fs;

const HEADER: &str = "goos: linux\ngoarch: amd64\npkg: example.org/till\ncpu: Some CPU\nBenchmarkSum-4   \t  400000\t      250.0 ns/op\n";

/// What `go test -bench` printed, in which `Pay` began and has no result.
const KILLED: &str = "BenchmarkPay-4   \t";
const SKIPPED: &str = "BenchmarkPay-4   \t--- SKIP: BenchmarkPay-4\n    till_test.go:9: needs a server\nPASS\nok  \texample.org/till\t1.2s\n";
const NOT_BUILT: &str = "PASS\nok  \texample.org/till\t1.2s\n# example.org/pay\npay.go:3:1: undefined: rate\nFAIL\texample.org/pay [build failed]\nFAIL\n";

#[test]
fn what_began_and_has_no_result_is_a_failure_in_every_form() {
    let place = Place::new("foreign-lost");
    for (file, rest, name, why) in [
        ("killed.txt", KILLED, "example.org/till/Pay", "it started but has no result"),
        ("built.txt", NOT_BUILT, "example.org/pay", "the package did not build: pay.go:3:1: undefined: rate"),
    ] {
        place.write(file, &format!("{HEADER}{rest}"));
        let forms = ["r.md", "r.html", "r.json", "r.csv", "r.junit.xml"];
        let outputs = forms.iter().flat_map(|form| ["-o", form]);
        // It is lost on both sides.
        let output = place.tare(["compare", file, file, "--fail-on", "limit"].into_iter().chain(outputs.clone()));
        assert_eq!(output.status.code(), Some(11), "{file}\n{}{}", out(&output), err(&output));
        assert!(err(&output).contains(&format!("{name}: limit: it failed")), "{}", err(&output));
        let shown = out(&output);
        assert!(shown.contains("failures (2)") && shown.replace("\n    ", " ").contains(why), "{shown}");
        for form in forms {
            let text = place.read(form).replace('\\', "");
            assert!(text.contains(why), "{file} {form}\n{text}");
        }
        assert!(place.read("r.junit.xml").contains("errors=\"1\""), "{}", place.read("r.junit.xml"));
        // Alone, in the same forms.
        let output = place.tare(["show", file, "--fail-on", "limit"].into_iter().chain(outputs));
        assert_eq!(output.status.code(), Some(11), "{file}\n{}{}", out(&output), err(&output));
        assert!(out(&output).contains("failures (1)") && out(&output).contains("Sum   "), "{}", out(&output));
        for form in forms {
            let text = place.read(form).replace('\\', "");
            assert!(text.contains(why) && text.contains("Sum"), "{file} {form}\n{text}");
        }
        // Who knows of it leaves it out by its name.
        place.ends_with(0, ["compare", file, file, "--fail-on", "limit", "--limit", "time<=1s", "--exclude", name]);
    }
}

#[test]
fn what_skipped_itself_is_named_in_every_form_and_breaks_a_gate_on_one_side_alone() {
    let place = Place::new("foreign-skipped");
    place.write("skipped.txt", &format!("{HEADER}{SKIPPED}"));
    place.write("measured.txt", &format!("{HEADER}BenchmarkPay-4   \t  100\t   9000 ns/op\nPASS\n"));
    let why = "till_test.go:9: needs a server";
    let forms = ["r.md", "r.html", "r.json", "r.csv", "r.adoc", "r.junit.xml"];
    let outputs = forms.iter().flat_map(|form| ["-o", form]);
    for (new, code, said) in
        [("skipped.txt", 0, why.to_owned()), ("measured.txt", 11, format!("it is skipped on the base: {why}"))]
    {
        let words = ["compare", "skipped.txt", new, "--fail-on", "limit", "--limit", "time<=1s"];
        let output = place.tare(words.into_iter().chain(outputs.clone()));
        assert_eq!(output.status.code(), Some(code), "{new}\n{}{}", out(&output), err(&output));
        assert!(out(&output).contains(&format!("example.org/till/Pay: {said}")), "{}", out(&output));
        for form in forms {
            let text = place.read(form).replace('\\', "").replace("&#95;", "_");
            assert!(text.contains(&said), "{new} {form}\n{text}");
        }
        let wanted = if code == 0 { "skipped=\"1\"" } else { "failures=\"1\"" };
        assert!(place.read("r.junit.xml").contains(wanted), "{}", place.read("r.junit.xml"));
    }
    let shown = place.ends_with(0, ["show", "skipped.txt"].into_iter().chain(outputs));
    assert!(shown.contains(&format!("skipped: {why}")), "{shown}");
    for form in forms {
        let text = place.read(form).replace('\\', "").replace("&#95;", "_");
        assert!(text.contains(why), "{form}\n{text}");
    }
}

#[test]
fn output_before_the_numbers_hides_no_change() {
    let place = Place::new("foreign-output");
    for (side, ns) in [("old", 9000), ("new", 14_400)] {
        fs::create_dir_all(place.join(side)).expect("a folder");
        for i in 0..8 {
            let pay = format!("BenchmarkPay-4   \t2026/05/01 09:00:0{i} retrying\n2026/05/01 connected\n  100000\t  {}.5 ns/op\nPASS\n", ns + i);
            place.write(&format!("{side}/{i}.txt"), &format!("{HEADER}{pay}"));
        }
    }
    let output = place.tare(["compare", "old", "new", "--fail-on", "slower"]);
    assert_eq!(output.status.code(), Some(10), "{}{}", out(&output), err(&output));
    assert!(err(&output).contains("example.org/till/Pay: slower: ratio 1.6"), "{}", err(&output));
    // A file of a side that is cut off may have held anything.
    place.write("new/9.json", "{\"context\": {}, \"benchmarks\": [{\"na");
    let output = place.tare(["compare", "old", "new", "--fail-on", "limit"]);
    assert_eq!(output.status.code(), Some(11), "{}{}", out(&output), err(&output));
    assert!(err(&output).contains("9.json: limit: it failed"), "{}", err(&output));
}

#[test]
fn a_file_that_cannot_be_compared_says_what_it_is() {
    let place = Place::new("foreign-tables");
    place.write("r.csv", "command,mean,stddev,median,user,system,min,max\nmake,1.0,0.01,1.0,0.1,0.1,0.9,1.1\n");
    place.write("r.txt", &format!("{HEADER}PASS\n"));
    place.ends_with(0, ["compare", "r.txt", "r.txt", "-o", "report.json"]);
    for (file, what, hint) in [
        ("r.csv", "is hyperfine's CSV, which has no single times", "`--export-json FILE`"),
        ("report.json", "is a report of Tare, which has no measurements", "the result files"),
    ] {
        for words in [vec!["show", file], vec!["compare", file, file]] {
            let said = place.fails_with(2, words.clone());
            assert!(said.contains(what) && said.contains(hint), "{words:?}\n{said}");
        }
    }
}

#[test]
fn exact_metrics_and_those_of_nothing() {
    let place = Place::new("foreign-metrics");
    let write = |name: &str, bytes: u32, allocations: u32| {
        let line = format!("BenchmarkText 1 {bytes} text-bytes {allocations} allocs/op\n");
        place.write(name, &format!("Unit text-bytes assume=exact better=lower\nUnit allocs/op assume=exact\n{line}"));
    };
    write("old.txt", 600, 0);
    write("new.txt", 610, 3);
    place.ends_with(0, ["compare", "old.txt", "old.txt", "--fail-on", "unclear"]);
    let output = place.tare(["compare", "old.txt", "new.txt", "--fail-on", "slower"]);
    assert_eq!(output.status.code(), Some(10), "{}{}", out(&output), err(&output));
    let shown = out(&output);
    assert!(shown.contains("from 0") && shown.contains("1.017") && !shown.contains("inf"), "{shown}");
    assert!(err(&output).contains("Text allocs/op: slower: from 0 to 3 allocs/op"), "{}", err(&output));
}

#[test]
fn a_result_of_another_tool_is_shown() {
    let place = Place::new("foreign-shown");
    for file in ["go.txt", "google-benchmark.json", "hyperfine.json", "jmh.json", "nanobench.json", "pyperf.json"] {
        fs::copy(format!("{ROOT}/fixtures/foreign/{file}"), place.join(file)).expect("copied");
    }
    let shown = place.ends_with(0, ["show", "go.txt"]);
    assert!(shown.starts_with("go test -bench  go.txt") && shown.contains("Sort[n=16, kind=rev]"), "{shown}");
    assert!(shown.contains("128 B") && shown.ends_with("next: tare show go.txt -v\n"), "{shown}");
    for file in ["google-benchmark.json", "hyperfine.json", "jmh.json", "nanobench.json", "pyperf.json"] {
        let shown = place.ends_with(0, ["show", file, "-v", "-o", "r.html", "-o", "r.json", "-o", "r.svg"]);
        assert!(shown.contains(file) && !shown.contains("NaN"), "{shown}");
        assert!(place.read("r.json").contains("\"format\": \"tare-report\""), "{file}");
    }
    place.write("words.txt", "hello\n");
    for (args, said) in [
        ("show go.txt --statistics p99", "`--statistics` needs a run of `tare`"),
        (
            "show go.txt -o r.pyperf.json",
            "the format `pyperf` needs a run of Tare, with what each visit measured; this is a result of another tool",
        ),
        ("show nowhere.txt", "nowhere.txt"),
        ("show words.txt", "text that begins with `hello`"),
    ] {
        let output = place.tare(args.split(' '));
        assert_ne!(output.status.code(), Some(0), "{args}");
        assert!(err(&output).contains(said), "{args}\n{}", err(&output));
    }
}

#[test]
fn every_file_of_a_folder_is_read_or_named() {
    let place = Place::new("foreign-any-name");
    let text = |ns: u32| format!("on host7\n{HEADER}BenchmarkPay-4 \t 100 \t {ns} ns/op\nPASS\nok  \tx\t1s\n");
    for (at, name) in ["1.log", "2", "3.csv", "4.results"].into_iter().enumerate() {
        place.write(&format!("d/{name}"), &text(100 + at as u32));
    }
    place.write("d/README", "results of Monday\n");
    place.write("other/a.txt", &text(9));
    std::os::unix::fs::symlink(place.join("other"), place.join("d/link")).expect("linked");
    let shown = place.ends_with(0, ["show", "d", "-v"]);
    for said in ["4 processes", "`README` is not a known result format", "links to folders, special files", "`link`"] {
        assert!(shown.contains(said), "{said}\n{shown}");
    }
    let shown = place.ends_with(0, ["show", "d/2"]);
    assert!(shown.contains("Pay") && shown.contains("101.0 ns"), "{shown}");
}

#[test]
fn a_column_without_room_is_named() {
    let place = Place::new("foreign-wide");
    let units: String = (0..30).map(|at| format!(" {at} unit-number-{at}/op")).collect();
    place.write("r.txt", &format!("{HEADER}BenchmarkPay-4 100 5 ns/op{units}\n"));
    let shown = place.ends_with(0, ["show", "r.txt"]);
    assert!(shown.contains("no room for ") && shown.contains("unit-number-29/op"), "{shown}");
}

#[test]
fn results_are_found_by_their_endings_and_compressed() {
    let place = Place::new("endings");
    let text = |ns: u32| format!("pkg: p\nBenchmarkSum-4 \t 100 \t {ns}.{ns} ns/op\nok  \tp\t1s\n");
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, text.as_bytes()).expect("written");
        encoder.finish().expect("gzip")
    };
    let xml = |ns: u32| {
        format!(
            "<?xml version=\"1.0\"?><Catch2TestRun catch2-version=\"3.8.0\"><TestCase name=\"sums\"><BenchmarkResults \
             name=\"fold\" samples=\"9\"><mean value=\"{ns}\"/></BenchmarkResults></TestCase></Catch2TestRun>"
        )
    };
    for (side, ns) in [("old", 100), ("new", 200)] {
        std::fs::create_dir_all(place.join(format!("{side}-gz"))).expect("a folder");
        for at in 0..4 {
            std::fs::write(place.join(format!("{side}-gz/{at}.txt.gz")), gzip(&text(ns + at))).expect("a file");
            place.write(&format!("{side}-xml/{at}.xml"), &xml(ns + at));
        }
    }
    let gates = [["old-gz", "new-gz"], ["old-xml", "new-xml"]];
    for [old, new] in gates {
        let said = place.ends_with(10, ["compare", old, new, "--fail-on", "slower"]);
        assert!(said.starts_with("SLOWER  1 benchmark compared"), "{said}");
    }
    place.ends_with(0, ["compare", "old-xml/0.xml", "new-xml/0.xml"]);
    std::fs::write(place.join("cut.txt.gz"), &gzip(&text(1))[..20]).expect("a file");
    let said = place.fails_with(2, ["show", "cut.txt.gz"]);
    assert!(said.contains("damaged or cut off"), "{said}");
}
