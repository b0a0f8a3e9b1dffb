//! Nothing passes by its absence: whatever was asked for and is not there is undecided (11) or an error, and is said with `-q` too.

use crate::support::{err, out, reference, Place};
use std::io::Write;
use std::process::{Command, Stdio};

/// A file of Google Benchmark: names with their times.
fn google(rows: &[(&str, &str)]) -> String {
    let row = |(name, ns): &(&str, &str)| {
        format!(
            r#"{{"name": "{name}", "run_type": "iteration", "iterations": 9, "real_time": {ns}, "cpu_time": 4.0, "time_unit": "ns"}}"#
        )
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!(r#"{{"context": {{}}, "benchmarks": [{}]}}"#, rows.join(",\n"))
}

const GO: &str = "goos: linux\npkg: example.com/read\nBenchmarkRead/size=10-8 100 20.5 ns/op\nBenchmarkRead/size=20-8 100 30.5 ns/op\n";

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.write("two.json", &google(&[("a", "10.0"), ("b", "20.0")]));
    place.write("one.json", &google(&[("a", "10.5")]));
    place.write("renamed.json", &google(&[("a", "10.5"), ("c", "20.5")]));
    place.write("nan.json", &google(&[("a", "10.5"), ("b", "NaN")]));
    place.write("negative.json", &google(&[("a", "10.5"), ("b", "-3.0")]));
    place.write("none.json", &google(&[]));
    place.write("empty.json", "");
    std::fs::create_dir(place.join("nothing")).expect("a folder");
    place.write("logs/run.log", "no disk");
    place.write("cut.json", &google(&[("a", "10.5"), ("b", "20.0")])[..150]);
    place.write("go.txt", GO);
    place.write("go-new.txt", &GO.replace("Read/size=10", "Scan/size=10"));
    place
}

#[test]
fn what_is_not_there_passes_no_gate() {
    let place = place("absent");
    for (args, code, said) in [
        ("two.json one.json --fail-on limit", 11, "b: limit: it is missing on the new side"),
        ("two.json renamed.json --fail-on limit", 11, "b: limit: it is missing on the new side"),
        ("two.json nan.json --fail-on limit", 11, "b: limit: it failed"),
        ("two.json negative.json --fail-on limit", 11, "b: limit: it failed"),
        ("nan.json two.json --fail-on limit", 11, "b: limit: it failed on the base"),
        ("two.json two.json --fail-on limit", 11, "limit: no limit is set"),
        ("two.json two.json --fail-on counts", 11, "counts: no exact count was compared"),
        ("two.json two.json --fail-on different", 11, "saved data does not contain what the benchmarks returned"),
        ("two.json go.txt --fail-on slower", 11, "no benchmark is on both sides"),
        ("two.json go.txt", 4, "no benchmark is on both sides"),
        ("two.json none.json --fail-on slower", 2, "none.json"),
        ("two.json empty.json --fail-on slower", 2, "empty.json"),
        ("two.json nothing --fail-on slower", 2, "`nothing` is a folder without results: it is empty"),
        ("logs two.json --fail-on slower", 2, "`logs` is a folder without results: its only file is run.log"),
        ("two.json cut.json --fail-on slower", 2, "cut.json"),
        ("two.json two.json --filter zzz", 4, "none of 2 benchmarks matches `--filter zzz`"),
        ("two.json two.json --filter a --filter zzz", 4, "matches `--filter zzz`"),
        ("two.json two.json --exclude *", 4, "none of 2 benchmarks is left by `--exclude *`"),
        ("two.json renamed.json --rename b=nowhere", 4, "the new side has no `nowhere`"),
        ("two.json renamed.json --rename nowhere=c", 4, "the base has no `nowhere`"),
        ("two.json renamed.json --rename b=c --fail-on limit --limit time<=1s", 0, ""),
        ("two.json two.json --exclude b --fail-on limit --limit time<=1s", 0, ""),
        ("go.txt go-new.txt --fail-on limit", 11, "missing on the new side"),
        ("REFERENCE REFERENCE --filter zzz", 4, "`--filter zzz`"),
        ("REFERENCE REFERENCE --filter strlen --filter zzz", 4, "matches `--filter zzz`"),
        ("REFERENCE REFERENCE --rename sum=zzz", 4, "`--rename sum=zzz` matches nothing"),
    ] {
        let words = args.split(' ').map(|word| if word == "REFERENCE" { reference() } else { word });
        let output = place.tare(["compare", "-q"].into_iter().chain(words));
        assert_eq!(output.status.code(), Some(code), "{args}\n{}{}", out(&output), err(&output));
        assert!(err(&output).contains(said), "{args}\n{}", err(&output));
    }
    // Of a file nobody knows in which step something failed, and there is no program to run.
    let shown = place.ends_with(0, ["compare", "two.json", "nan.json"]);
    let says = |text: &str| shown.contains(text);
    assert!(says("no usable time") && says("measure again") && !says("in the body"), "{shown}");
    for verb in ["run", "list"] {
        let output = place.tare([verb, reference(), "--filter", "strlen", "--filter", "zzz", "-q"]);
        assert_eq!(output.status.code(), Some(4), "{verb}: {}", err(&output));
        assert!(err(&output).contains("matches `--filter zzz`"), "{}", err(&output));
    }
}

/// Be it that the names differ, that all failed, or that a value cannot be compared: without a gate it is one code, and the reason is said.
#[test]
fn nothing_compared_is_one_rule() {
    let place = place("nothing-compared");
    place.write("failed.json", &google(&[("a", "NaN"), ("b", "NaN")]));
    for (args, code, said) in [
        ("two.json failed.json", 4, "error: nothing was compared\n  a: failed on the new side: "),
        ("failed.json two.json", 4, "a: failed on the base: "),
        ("two.json failed.json --fail-on slower", 11, "the gate could not decide\n  a: slower: it failed"),
    ] {
        let output = place.tare(["compare"].into_iter().chain(args.split(' ')));
        assert_eq!(output.status.code(), Some(code), "{args}\n{}{}", out(&output), err(&output));
        assert!(err(&output).contains(said), "{args}\n{}", err(&output));
        assert!(!err(&output).contains("OLD COMMAND"), "no command was timed: {}", err(&output));
    }
}

/// What a file says of revisions is of the repository where it was measured.
#[test]
fn the_next_command_names_no_revision_of_elsewhere() {
    let place = Place::new("foreign-revisions");
    let file = |revision: &str, ns: u32| {
        let values: Vec<String> = (0..4).map(|n| format!("{}e-9", ns + n)).collect();
        format!(
            r#"{{"version": "1.0", "metadata": {{"unit": "second"}}, "benchmarks": [{{"metadata": {{"name": "pay", "commit_id": "{revision}"}}, "runs": [{{"values": [{}]}}]}}]}}"#,
            values.join(", ")
        )
    };
    place.write("old.json", &file("aaaaaaa1aaaa", 1000));
    place.write("new.json", &file("bbbbbbb2bbbb", 1010));
    let shown = place.ends_with(0, ["compare", "old.json", "new.json"]);
    assert!(shown.contains("UNCLEAR") && !shown.contains("tare compare aaaaaaa1aaaa"), "{shown}");
}

#[test]
fn limits_of_what_is_not_there_pass_no_gate() {
    let place = place("absent-limits");
    for (limit, code, said) in [
        ("\"a\" = { time = \"1 s\" }", 0, ""),
        ("\"a\" = { allocations = 0 }", 11, "allocations <= 0: saved data does not contain it"),
        ("\"b\" = { time = \"1 s\" }", 11, "b: b: it is missing on the new side"),
        ("\"zzz\" = { time = \"1 s\" }", 0, "zzz: it matches no benchmark that was measured"),
    ] {
        place.write("tare.toml", &format!("[limits]\n{limit}\n"));
        let output = place.tare(["compare", "two.json", "one.json"]);
        assert_eq!(output.status.code(), Some(code), "{limit}\n{}", err(&output));
        assert!(err(&output).contains(said), "{limit}\n{}", err(&output));
    }
    place.write("tare.toml", "[limits]\n\"zzz\" = { time = \"1 s\" }\n");
    let output = place.tare(["compare", "two.json", "renamed.json", "--exclude", "b", "--fail-on", "limit"]);
    assert_eq!(output.status.code(), Some(11), "{}", err(&output));
}

#[test]
fn a_rename_hint_can_be_typed() {
    let place = place("typed");
    place.write("quote.json", &google(&[("a", "10.5"), ("it's=b[x, y]", "20.5")]));
    for (base, new) in [("two.json", "renamed.json"), ("two.json", "quote.json"), ("go.txt", "go-new.txt")] {
        let shown = place.ends_with(0, ["compare", base, new]);
        let hint =
            shown.lines().find_map(|line| line.split_once("--rename ")).map(|(_, rest)| rest.trim_end_matches('`'));
        let hint = hint.unwrap_or_else(|| panic!("no hint in\n{shown}"));
        // A shell takes it apart, as that of a user would.
        let script = format!("\"$TARE\" compare {base} {new} --rename {hint}");
        let output = place.other("sh").args(["-c", &script]).output().expect("a shell");
        assert_eq!(output.status.code(), Some(0), "{hint}: {}", err(&output));
        assert!(!out(&output).contains("only in"), "{hint}\n{}", out(&output));
    }
}

#[test]
fn a_side_may_be_a_pipe() {
    let place = place("pipes");
    let expected = place.ends_with(0, ["compare", "two.json", "one.json", "--format", "csv"]);
    let mut command = place.command(["compare", "/dev/stdin", "one.json", "--format", "csv"]);
    let mut tare = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("tare starts");
    tare.stdin.take().expect("a pipe").write_all(place.read("two.json").as_bytes()).expect("written");
    let piped = String::from_utf8(tare.wait_with_output().expect("an end").stdout).expect("UTF-8");
    assert_eq!(piped.replace("/dev/stdin", "two.json"), expected);
    // A named one, whose writer comes later.
    assert!(Command::new("mkfifo").arg(place.join("fifo")).status().expect("mkfifo").success());
    let tare = place.command(["compare", "two.json", "fifo", "--format", "csv"]).stdout(Stdio::piped()).spawn();
    std::fs::write(place.join("fifo"), place.read("one.json")).expect("written");
    let piped =
        String::from_utf8(tare.expect("tare starts").wait_with_output().expect("an end").stdout).expect("UTF-8");
    assert_eq!(piped.replace("fifo", "one.json"), expected);
}

#[test]
fn flags_that_say_nothing_of_the_sides_are_refused_by_name() {
    let place = place("refused");
    for flags in [
        "--quick",
        "--long",
        "--launches 4",
        "--rounds 4",
        "--invocations 4",
        "--wall",
        "--min-effect 1%",
        "--cxx g++",
        "--cc gcc",
        "--flags -O3",
        "--no-align",
        "--layouts 4",
        "--features x",
        "--all-features",
        "--no-default-features",
        "--profile x",
        "--package x",
        "--bench x",
        "--diagnose memory",
    ] {
        let output = place.tare(["compare", "two.json", "one.json"].into_iter().chain(flags.split(' ')));
        let flag = flags.split(' ').next().unwrap_or_default();
        assert_eq!(output.status.code(), Some(2), "{flags}: {}", err(&output));
        assert!(err(&output).contains(&format!("`{flag}` has no effect on saved results")), "{}", err(&output));
        assert!(err(&output).contains("hint: "), "{}", err(&output));
    }
    // What changes nothing is no mistake.
    for flags in ["--budget 5s", "--timeout 5s", "--seed 4", "--keep-order", "--no-save"] {
        let output = place.tare(["compare", "two.json", "one.json"].into_iter().chain(flags.split(' ')));
        assert_eq!(output.status.code(), Some(0), "{flags}: {}", err(&output));
        assert_eq!(err(&output).contains("has no effect on saved results"), flags != "--no-save", "{}", err(&output));
    }
    let output = place.tare(["compare", "two.json", "one.json", "-o", "x.measurements.csv"]);
    assert_eq!((output.status.code(), out(&output)), (Some(2), String::new()), "{}", err(&output));
    for flags in ["--threshold 9%", "--noise 1ns", "--time cpu"] {
        let output = place.tare(["compare", reference(), reference()].into_iter().chain(flags.split(' ')));
        assert_eq!(output.status.code(), Some(2), "{flags}: {}", err(&output));
        assert!(err(&output).contains("applies to saved results"), "{}", err(&output));
    }
}

#[test]
fn cpu_time_is_compared_where_it_is_asked_for() {
    let place = place("cpu");
    let base_ns = |flags: &[&str]| {
        let args = [&["compare", "two.json", "one.json", "--format", "csv"], flags].concat();
        let csv = place.ends_with(0, args);
        let column = csv.lines().next().and_then(|names| names.split(',').position(|name| name == "base_ns"));
        let text = csv.lines().nth(1).and_then(|row| row.split(',').nth(column?)).expect("a time");
        text.parse::<f64>().expect("a number").round()
    };
    assert_eq!((base_ns(&[]), base_ns(&["--time", "wall"])), (10.0, 10.0));
    assert_eq!(base_ns(&["--time", "cpu"]), 4.0);
    let refused = place.tare(["compare", "go.txt", "go-new.txt", "--time", "cpu"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("`go.txt` has no CPU time"), "{}", err(&refused));
}
