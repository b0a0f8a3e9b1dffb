//! Benchmarks of Go's `testing`, as they are.

use crate::support::{have, skip, Place, SHORT};

const BENCHMARKS: &str = r#"package shop

import (
	"fmt"
	"os"
	"testing"
)

var sink int

func TestMain(m *testing.M) { os.Exit(m.Run()) }

func BenchmarkSum(b *testing.B) {
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		sink += len(make([]byte, 64+sink%2))
	}
	b.ReportMetric(3, "cells/op")
}

func BenchmarkJoin(b *testing.B) {
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprintf("plain/n=%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			b.StopTimer()
			text := make([]byte, n)
			b.StartTimer()
			for i := 0; i < b.N; i++ {
				sink += len(string(text))
			}
		})
	}
}

func BenchmarkPanics(b *testing.B) {
	for i := 0; i < b.N; i++ {
		var list []int
		sink += list[i]
	}
}

func BenchmarkFatal(b *testing.B) {
	b.Run("sub", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			b.Fatalf("wanted %d", 3)
		}
	})
}

func BenchmarkSkips(b *testing.B) { b.Skip("needs a server") }

func BenchmarkExits(b *testing.B) {
	for i := 0; i < b.N; i++ {
		os.Exit(3)
	}
}

func BenchmarkWaits(b *testing.B) {
	for i := 0; i < b.N; i++ {
		<-make(chan int)
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
}
"#;

/// Behind a build tag, with a package of the vendor folder; the timer is started in each turn.
const TAGGED: &str = r#"//go:build extra

package shop

import (
	"testing"

	"example.org/dep"
)

func BenchmarkTagged(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		text := make([]byte, 64)
		b.StartTimer()
		sink += dep.Length(text)
	}
}
"#;

fn has_go(test: &str) -> bool {
    if !have("go") && !std::path::Path::new("/usr/local/go/bin/go").is_file() {
        skip(test, "Go is not installed");
        return false;
    }
    true
}

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.write("go.mod", "module example.org/shop\n\ngo 1.21\n");
    place.write("shop_test.go", BENCHMARKS);
    place
}

/// The result of a benchmark in `run.json`, by its group and name.
fn named<'a>(run: &'a serde_json::Value, group: &str, name: &str) -> Vec<&'a serde_json::Value> {
    let cases = run["plan"]["cases"].as_array().expect("cases");
    cases.iter().filter(|case| case["benchmark"]["group"] == group && case["benchmark"]["name"] == name).collect()
}

/// Time that a body excludes by `StopTimer` is not counted as work of other threads: no process uses more than all processors, which holds
/// however busy the machine is.
fn assert_no_time_is_counted_twice(run: &serde_json::Value) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let numbers = |values: &serde_json::Value| -> Vec<f64> {
        values.as_array().map_or(Vec::new(), |values| values.iter().filter_map(serde_json::Value::as_f64).collect())
    };
    let launches = run["launches"].as_array().expect("launches");
    let series = launches.iter().filter_map(|launch| launch["series"].as_array()).flatten();
    let visits: Vec<(f64, f64)> = series
        .flat_map(|series| {
            numbers(&series["columns"]["elapsed_ns"]).into_iter().zip(numbers(&series["columns"]["process_cpu_ns"]))
        })
        .filter(|(elapsed, _)| *elapsed > 100_000.0) // reading the clocks takes about a microsecond
        .collect();
    assert!(!visits.is_empty());
    for (elapsed, process) in visits {
        assert!(process <= 2.0 * processors * elapsed, "{process} ns of CPU in {elapsed} ns");
    }
}

/// Go's own profiler gives stacks and a file, and the machine code is in the test binary, with its lines.
fn assert_is_diagnosed(place: &Place, run: &serde_json::Value) {
    let cases = run["plan"]["cases"].as_array().expect("cases");
    let sum = cases.iter().position(|case| case["benchmark"]["name"] == "Sum").expect("a case");
    let attachments = run["attachments"].as_array().expect("attachments");
    let of_sum = |name: &&str| attachments.iter().any(|one| one["of"]["case"] == sum && one["name"] == **name);
    for name in ["profile.folded", "profile.pb.gz", "code.json"] {
        assert!(of_sum(&name), "{name} is not in {attachments:?}");
    }
    let shown = place.ends_with(0, ["show", "latest", "--flame", "Sum"]);
    assert!(shown.contains("example.org/shop.BenchmarkSum"), "{shown}");
    let shown = place.ends_with(0, ["show", "latest", "--code", "Sum"]);
    assert!(shown.contains("shop_test.go:") && shown.contains("runtime.makeslice"), "{shown}");
}

#[test]
fn benchmarks_of_testing_run_as_they_are() {
    if !has_go("benchmarks of testing") {
        return;
    }
    let place = place("go");
    place.write("inner/inner_test.go", "package inner_test\n\nimport \"testing\"\n\nfunc BenchmarkIn(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t}\n}\n");
    place.write("plain/plain_test.go", "package plain\n");
    let reported = place.ends_with(100, ["run", "./..."].iter().chain(&SHORT));
    let line = |text: &str| BENCHMARKS.lines().position(|line| line.contains(text)).map_or(0, |at| at + 1);
    let (fatal, waits) = (format!("shop_test.go:{}", line("wanted")), format!("shop_test.go:{} ", line("<-make")));
    for said in [
        "wanted 3 at shop_test.go",
        "index out of range [0]",
        "skipped: needs a server",
        "exited unexpectedly with status 3",
        "all goroutines are asleep",
        fatal.as_str(),
        waits.as_str(),
        "the body waits for something that will not happen",
    ] {
        assert!(reported.contains(said), "`{said}` is not in {reported}");
    }
    let run = place.run_json();
    assert_eq!(run["artifacts"].as_array().map(Vec::len), Some(2), "the package and the one below");
    assert_eq!(run["artifacts"][0]["language"], "go");
    let joined = named(&run, "Join", "plain");
    let values: Vec<&str> =
        joined.iter().filter_map(|case| case["benchmark"]["parameters"][0]["value"].as_str()).collect();
    assert_eq!(values, ["1", "8"]);
    for group_and_name in [("", "Sum"), ("", "In"), ("", "Parallel")] {
        assert_eq!(named(&run, group_and_name.0, group_and_name.1).len(), 1, "{group_and_name:?}");
    }
    assert_no_time_is_counted_twice(&run);
    let csv = place.ends_with(0, ["show", "latest", "--format", "csv"]);
    let sum = csv.lines().find(|line| line.contains("Sum")).unwrap_or_default();
    assert!(csv.contains("cells_op") && !sum.is_empty(), "{csv}");
    // Values are names in the source: `--param` chooses among them.
    let chosen = place.ends_with(0, ["list", ".", "--filter", "Join", "--param", "n=8"]);
    assert_eq!(chosen, "Join/plain[n=8]\n");
    let refused = place.fails_with(2, ["list", ".", "--param", "n=9"]);
    assert!(refused.contains("there is no `9`, and the values are fixed in the source: 1, 8"), "{refused}");
    place.assert_nothing_left("benchmarks of Go");
}

#[test]
fn tags_and_vendor_folders_are_those_of_go() {
    if !has_go("tags and vendor folders of Go") {
        return;
    }
    let place = place("go-tags");
    place.write("go.mod", "module example.org/shop\n\ngo 1.21\n\nrequire example.org/dep v1.0.0\n");
    place.write("vendor/modules.txt", "# example.org/dep v1.0.0\n## explicit; go 1.21\nexample.org/dep\n");
    place.write("vendor/example.org/dep/dep.go", "package dep\n\nfunc Length(text []byte) int { return len(text) }\n");
    place.write("tagged_test.go", TAGGED);
    // Go passes over a package none of whose tests are for these tags.
    place.write("only/only_test.go", "//go:build never\n\npackage only\n\nimport \"testing\"\n\nfunc BenchmarkOnly(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t}\n}\n");
    let listed = place.tare(["list", "./..."]);
    let said = String::from_utf8_lossy(&listed.stderr).into_owned();
    assert_eq!(listed.status.code(), Some(0), "{said}");
    assert!(
        said.contains("skipped `only`, which needs build tags that are not set: `--job=-tags=NAME` sets them"),
        "{said}"
    );
    let refused = place.fails_with(4, ["list", "./only"]);
    assert!(refused.contains("needs build tags that are not set"), "{refused}");
    // Its timer is stopped and started in each turn, which takes some thousand times as long as its body.
    let few = ["--filter", "Tagged", "--invocations", "5000"];
    place.ends_with(0, ["run", ".", "--job=-tags=extra"].iter().chain(&few).chain(&SHORT));
    let run = place.run_json();
    assert_eq!(named(&run, "", "Tagged").len(), 1);
    assert_no_time_is_counted_twice(&run);
}

#[test]
fn a_benchmark_of_go_is_diagnosed() {
    if !has_go("diagnosers of Go") {
        return;
    }
    let place = place("go-diagnosed");
    let diagnosed = ["run", ".", "--filter", "Sum", "--diagnose", "profile,code", "--diagnose-for", "0.1s"];
    place.ends_with(0, diagnosed.iter().chain(&SHORT));
    assert_is_diagnosed(&place, &place.run_json());
}

/// What a call makes before its loop, in memory of which no share may be left: it is counted exactly, where a time would depend on the machine.
const SET_UPS: &str = r#"package shop

import "testing"

func BenchmarkBefore(b *testing.B) {
	data := make([][]byte, 0, 64)
	for i := 0; i < 64; i++ {
		data = append(data, make([]byte, 100000))
	}
next:
	for i := 0; i < b.N; i++ {
		if i%2 == 0 {
			continue next
		}
		sink += len(data[i%len(data)])
	}
}

func BenchmarkGoroutines(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		own := make([]byte, 1000000)
		for pb.Next() {
			own[0]++
		}
	})
}

func BenchmarkTold(b *testing.B) {
	b.ReportMetric(7, "cells/op")
	for range make([]bool, b.N) {
		sink++
	}
}
"#;

#[test]
fn what_stands_before_a_loop_is_not_in_its_time() {
    if !has_go("set-ups before loops of Go") {
        return;
    }
    let place = place("go-set-up");
    place.write("set_test.go", SET_UPS);
    let filters = ["--filter", "Before", "--filter", "Goroutines", "--filter", "Told"];
    place.ends_with(0, ["run", ".", "--invocations", "4"].iter().chain(&filters).chain(&SHORT));
    let run = place.run_json();
    let bytes_of = |name: &str, metric: &str| -> Vec<f64> {
        let cases = run["plan"]["cases"].as_array().expect("cases");
        let case = cases.iter().position(|case| case["benchmark"]["name"] == name).expect("a case");
        let launches = run["launches"].as_array().expect("launches").iter().filter(|launch| launch["case"] == case);
        let series = launches.filter_map(|launch| launch["series"].as_array()).flatten();
        let values = series.filter(|series| series["stage"] == "actual").map(|series| &series["columns"]["metrics"]);
        values
            .filter_map(|metrics| metrics[metric].as_array())
            .flatten()
            .filter_map(serde_json::Value::as_f64)
            .collect()
    };
    for name in ["Before", "Goroutines"] {
        let bytes = bytes_of(name, "allocated_bytes");
        assert!(!bytes.is_empty() && bytes.iter().all(|bytes| *bytes < 100_000.0), "{name}: {bytes:?}");
    }
    assert!(bytes_of("Told", "cells_op").iter().all(|told| *told == 7.0), "what was reported before the loop stays");

    // A B of another package: the file is built as it is.
    place.write("other/testing/testing.go", "package testing\n\ntype B struct{ N int }\n");
    let other = "package other\n\nimport (\n\treal \"testing\"\n\n\t\"example.org/shop/other/testing\"\n)\n\nfunc turns(b *testing.B) (n int) {\n\tfor i := 0; i < b.N; i++ {\n\t\tn++\n\t}\n\treturn n\n}\n\nfunc BenchmarkOther(b *real.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tturns(&testing.B{N: 3})\n\t}\n}\n";
    place.write("other/other_test.go", other);
    assert_eq!(place.ends_with(0, ["list", "./other"]), "Other\n");
}

const DECLARED: &str = r#"package shop

import "testing"

var sink int

// BenchmarkOne is looked at.
//
//tare:diagnose code, profile
//tare:diagnose code no-such
//go:noinline
func BenchmarkOne(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += i
	}
}

//tare:diagnose code

// There is a line between the directive and this.
func BenchmarkTwo(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += i
	}
}

//tare:diagnosed code
func BenchmarkThree(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += i
	}
}

//tare:diagnose code
func BenchmarkGroup(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sink += i
		}
	})
	//tare:diagnose counters
	b.Run("counted", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sink += i
		}
	})
}
"#;

/// A directive above a function asks for diagnosers of the host and of the front end, and its sub-benchmarks have them too.
#[test]
fn directives_in_go_ask_for_diagnosers() {
    if !has_go("directives in Go") {
        return;
    }
    let place = Place::new("go-directives");
    place.write("go.mod", "module example.org/shop\n\ngo 1.21\n");
    place.write("shop_test.go", DECLARED);
    let screen = place.ends_with(0, ["run", ".", "-v", "--diagnose-for", "0.1s"].iter().chain(&SHORT));
    let run = place.run_json();
    let asked = |group: &str, name: &str| {
        let found = named(&run, group, name);
        let names = found[0]["benchmark"]["diagnosers"].as_array().cloned().unwrap_or_default();
        names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect::<Vec<String>>().join(" ")
    };
    assert_eq!(asked("", "One"), "code profile no-such");
    assert_eq!([asked("", "Two"), asked("", "Three")], ["", ""]);
    assert_eq!([asked("Group", "plain"), asked("Group", "counted")], ["code", "code counters"]);
    let cases = run["plan"]["cases"].as_array().expect("cases");
    let has_code: Vec<&str> = cases
        .iter()
        .enumerate()
        .filter(|(at, _)| {
            let mut attachments = run["attachments"].as_array().into_iter().flatten();
            attachments.any(|one| one["of"]["case"] == *at && one["name"] == "code.json")
        })
        .filter_map(|(_, case)| case["benchmark"]["name"].as_str())
        .collect();
    assert_eq!(has_code, ["One", "plain", "counted"], "{screen}");
    assert!(screen.contains("no-such"), "what is not known is a finding: {screen}");
    place.assert_nothing_left("directives in Go");
}

#[test]
fn what_go_does_not_compile_is_told_with_its_line() {
    if !has_go("a compile error of Go") {
        return;
    }
    let place = place("go-error");
    place.write("more_test.go", "package shop\n\nimport \"example.org/none\"\n\nvar _ = none.X\n");
    let reported = place.fails_with(101, ["list", "."]);
    assert!(reported.contains("more_test.go:3:8: no required module provides package example.org/none"), "{reported}");
    assert!(reported.contains("hint: add the module: `go get example.org/none`"), "{reported}");
    let reported = place.fails_with(96, ["list", "--job", "go9.99", "."]);
    assert!(
        reported.contains("`go9.99` was not found") && reported.contains("go install golang.org/dl/go9.99@latest"),
        "{reported}"
    );
    place.write("main.go", "package shop\n");
    std::fs::remove_file(place.join("shop_test.go")).expect("removed");
    let reported = place.fails_with(101, ["run", "main.go"]);
    assert!(reported.contains("its package has no benchmarks"), "{reported}");
}

/// A file in a folder that holds all sorts, such as `/tmp`.
#[test]
fn a_file_outside_of_every_module_is_a_package_by_itself() {
    if !has_go("a single file of Go") {
        return;
    }
    let place = Place::new("go-alone");
    let bench = |name: &str, body: &str| {
        format!(
            "package shop\n\nimport \"testing\"\n\nvar sink int\n\nfunc Benchmark{name}(b *testing.B) {{\n\tfor i := 0; i < b.N; i++ {{\n\t\tsink += {body}\n\t}}\n}}\n"
        )
    };
    place.write("one_test.go", &bench("One", "i"));
    place.write("two_test.go", &bench("Two", "i"));
    place.write("main.go", "package main\n\nfunc main() { broken }\n");
    let listed = place.ends_with(0, ["list", "one_test.go"]);
    assert!(listed.contains("One") && !listed.contains("Two"), "{listed}");
    // What it does not have itself may stand beside it.
    place.write("pair/half.go", "package shop\n\nfunc Half(n int) int { return n / 2 }\n");
    place.write("pair/half_test.go", &bench("Half", "Half(i)"));
    let listed = place.ends_with(0, ["list", "pair/half_test.go"]);
    assert!(listed.contains("Half"), "{listed}");
    // What is wrong is said of the file that was named.
    place.write("three_test.go", &bench("Three", "missing"));
    let said = place.fails_with(101, ["list", "three_test.go"]);
    assert!(said.contains("three_test.go:9") && !said.contains("redeclared"), "{said}");
}
