//! Benchmarks of Go's `testing`, as they are: a module, and what is a package by itself.

use crate::support::{err, have, out, skip, Place};
use serde_json::Value;

const FEW: [&str; 5] = ["--quick", "--launches", "1", "--rounds", "3"];

const BENCHMARKS: &str = r#"package shop

import (
	"fmt"
	"os"
	"testing"
)

var sink int

func TestMain(m *testing.M) { os.Exit(m.Run()) }

//tare:diagnose code, profile
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
fn named<'a>(run: &'a Value, group: &str, name: &str) -> Vec<&'a Value> {
    let cases = run["plan"]["cases"].as_array().expect("cases");
    cases.iter().filter(|case| case["benchmark"]["group"] == group && case["benchmark"]["name"] == name).collect()
}

/// Go's own profiler gives stacks and a file, and the machine code is in the test binary, with its lines.
fn assert_is_diagnosed(place: &Place, run: &Value) {
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

const DECLARED: &str = r#"package inner_test

import "testing"

var sink int

// BenchmarkOne is looked at.
//
//tare:diagnose code
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

/// The values that `testing` counted in the visits of a benchmark.
fn counted(run: &Value, name: &str, metric: &str) -> Vec<f64> {
    let cases = run["plan"]["cases"].as_array().expect("cases");
    let case = cases.iter().position(|case| case["benchmark"]["name"] == name).expect("a case");
    let launches = run["launches"].as_array().expect("launches").iter().filter(|launch| launch["case"] == case);
    let series = launches.filter_map(|launch| launch["series"].as_array()).flatten();
    let values = series.filter(|series| series["stage"] == "actual").map(|series| &series["columns"]["metrics"]);
    values.filter_map(|metrics| metrics[metric].as_array()).flatten().filter_map(Value::as_f64).collect()
}

/// A directive above a function asks for diagnosers of the host and of the front end, and its sub-benchmarks have them too.
fn assert_directives_are_followed(run: &Value) {
    let asked = |group: &str, name: &str| {
        let found = named(run, group, name);
        let names = found[0]["benchmark"]["diagnosers"].as_array().cloned().unwrap_or_default();
        names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect::<Vec<String>>().join(" ")
    };
    assert_eq!(asked("", "One"), "code no-such");
    assert_eq!([asked("", "Two"), asked("", "Three")], ["", ""]);
    assert_eq!([asked("Group", "plain"), asked("Group", "counted")], ["code", "code counters"]);
}

#[test]
fn a_module_runs_as_it_is() {
    if !has_go("benchmarks of testing") {
        return;
    }
    let place = place("go");
    place.write("set_test.go", SET_UPS);
    place.write("inner/inner_test.go", DECLARED);
    place.write("plain/plain_test.go", "package plain\n");
    let words = ["run", "./...", "-v", "--diagnose-for", "0.1s"];
    let reported = place.ends_with(100, words.iter().chain(&FEW));
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
        "no-such",
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
    for name in ["Sum", "One", "Parallel"] {
        assert_eq!(named(&run, "", name).len(), 1, "{name}");
    }
    assert!(!counted(&run, "Sum", "cells_op").is_empty(), "{run}");
    assert_directives_are_followed(&run);
    assert_is_diagnosed(&place, &run);
    // Values are names in the source: `--param` chooses among them.
    let chosen = place.ends_with(0, ["list", ".", "--filter", "Join", "--param", "n=8"]);
    assert_eq!(chosen, "Join/plain[n=8]\n");
    let refused = place.fails_with(2, ["list", ".", "--param", "n=9"]);
    assert!(refused.contains("there is no `9`, and the values are fixed in the source: 1, 8"), "{refused}");
    // What stands before a loop is not in it.
    std::fs::remove_dir_all(place.join(".tare")).expect("removed");
    let filters = ["--filter", "Before", "--filter", "Goroutines", "--filter", "Told"];
    place.ends_with(0, ["run", ".", "--invocations", "4"].iter().chain(&filters).chain(&FEW));
    let run = place.run_json();
    for name in ["Before", "Goroutines"] {
        let bytes = counted(&run, name, "allocated_bytes");
        assert!(!bytes.is_empty() && bytes.iter().all(|bytes| *bytes < 100_000.0), "{name}: {bytes:?}");
    }
    assert!(
        counted(&run, "Told", "cells_op").iter().all(|told| *told == 7.0),
        "what was reported before the loop stays"
    );
    place.assert_nothing_left("benchmarks of Go");
}

/// What is only listed: build tags, a vendor folder, a `B` of another package, files outside of every module, and what does not compile.
#[test]
#[ignore = "compiles many programs"]
fn packages_are_those_of_go_or_files_by_themselves() {
    if !has_go("packages of Go") {
        return;
    }
    let place = place("go-packages");
    place.write("go.mod", "module example.org/shop\n\ngo 1.21\n\nrequire example.org/dep v1.0.0\n");
    place.write("vendor/modules.txt", "# example.org/dep v1.0.0\n## explicit; go 1.21\nexample.org/dep\n");
    place.write("vendor/example.org/dep/dep.go", "package dep\n\nfunc Length(text []byte) int { return len(text) }\n");
    place.write("tagged_test.go", TAGGED);
    assert!(place.ends_with(0, ["list", ".", "--job=-tags=extra"]).contains("Tagged\n"));
    // Go passes over a package none of whose tests are for these tags.
    place.write("only/only_test.go", "//go:build never\n\npackage only\n\nimport \"testing\"\n\nfunc BenchmarkOnly(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t}\n}\n");
    place.write("other/testing/testing.go", "package testing\n\ntype B struct{ N int }\n");
    let other = "package other\n\nimport (\n\treal \"testing\"\n\n\t\"example.org/shop/other/testing\"\n)\n\nfunc turns(b *testing.B) (n int) {\n\tfor i := 0; i < b.N; i++ {\n\t\tn++\n\t}\n\treturn n\n}\n\nfunc BenchmarkOther(b *real.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tturns(&testing.B{N: 3})\n\t}\n}\n";
    place.write("other/other_test.go", other);
    let listed = place.tare(["list", "./only", "./other"]);
    let said = err(&listed);
    assert_eq!((listed.status.code(), out(&listed).as_str()), (Some(0), "Other\n"), "{said}");
    assert!(
        said.contains("skipped `only`, which needs build tags that are not set: `--job=-tags=NAME` sets them"),
        "{said}"
    );
    let refused = place.fails_with(4, ["list", "./only"]);
    assert!(refused.contains("needs build tags that are not set"), "{refused}");
    // A file in a folder that holds all sorts, such as `/tmp`. What it does not have itself may stand beside it.
    let alone = Place::new("go-alone");
    let bench = |name: &str, body: &str| {
        format!(
            "package shop\n\nimport \"testing\"\n\nvar sink int\n\nfunc Benchmark{name}(b *testing.B) {{\n\tfor i := 0; i < b.N; i++ {{\n\t\tsink += {body}\n\t}}\n}}\n"
        )
    };
    alone.write("pair/half.go", "package shop\n\nfunc Half(n int) int { return n / 2 }\n");
    alone.write("pair/half_test.go", &bench("Half", "Half(i)"));
    alone.write("two_test.go", &bench("Two", "i"));
    alone.write("main.go", "package main\n\nfunc main() { broken }\n");
    assert_eq!(
        alone.ends_with(0, ["list", "two_test.go", "pair/half_test.go"]),
        "Two   two_test.go\nHalf  half_test.go\n"
    );
    // What is wrong is said of the file that was named.
    alone.write("three_test.go", &bench("Three", "missing"));
    let said = alone.fails_with(101, ["list", "three_test.go"]);
    assert!(said.contains("three_test.go:9") && !said.contains("redeclared"), "{said}");
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
