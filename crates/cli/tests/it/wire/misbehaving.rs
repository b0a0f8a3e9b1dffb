//! Children that misbehave: each way is one named failure of the one benchmark that does it, and the others go on.

use crate::support::{err, json, out, Place};
use serde_json::Value;

/// What hangs is waited for so long, and what behaves has to answer within this time however busy the machine is.
const TIMEOUT: &str = "30s";
/// A look at each benchmark.
const FEW: [&str; 7] = ["--quick", "--launches", "2", "--rounds", "2", "--invocations", "1000"];

/// What is expected of `misbehave MODE`.
struct Expected {
    mode: &'static str,
    /// Stable kind of the failure.
    kind: &'static str,
    /// What the child was doing, as the screen says it.
    step: &'static str,
    /// How it ended, as the screen says it.
    text: &'static str,
    /// The last line that it printed, if any.
    output: &'static str,
}

const fn expect(
    mode: &'static str,
    kind: &'static str,
    step: &'static str,
    text: &'static str,
    output: &'static str,
) -> Expected {
    Expected { mode, kind, step, text, output }
}

/// A broken rule is the front end's: neither the user's body nor another step of the user's code is named.
const FRONT_END: &str = "the front end broke the protocol: ";
/// The host cannot tell the body from what is prepared for it between iterations.
const BODY: &str = "in the body or its preparation (its input, an iteration set-up)";
const THREW: &str = "threw std::runtime_error: it threw at bad.cpp:7";

/// The reason, before the lines of the stack.
const PANIC: &str = "panic: index out of range [4]";

/// What goes wrong in `bad` alone.
const IN_ONE_BENCHMARK: &[Expected] = &[
    expect("segfault@body", "signal", BODY, "killed by SIGSEGV (signal 11)", "about to fail"),
    expect("abort@body", "signal", BODY, "killed by SIGABRT (signal 6)", "assertion failed: x > 0"),
    expect("panic@body", "early-exit", BODY, "exited unexpectedly with status 2", PANIC),
    expect("sigkill@body", "signal", BODY, "killed by SIGKILL (signal 9)", ""),
    expect("exit0@body", "early-exit", BODY, "exited unexpectedly with status 0", ""),
    expect(
        "exit3@clean-up",
        "early-exit",
        "in the clean-up",
        "exited unexpectedly with status 3",
        "error: no such file",
    ),
    expect("exception@set-up", "exception", "in the set-up", THREW, ""),
    expect("exception@iteration-set-up", "exception", "in the iteration set-up", THREW, ""),
    expect("exception@body", "exception", BODY, THREW, ""),
    expect("exception@iteration-clean-up", "exception", "in the iteration clean-up", THREW, ""),
    expect("exception@clean-up", "exception", "in the clean-up", THREW, ""),
    expect("stop@body", "timeout", BODY, "did not answer within 30 s", ""),
    expect("ignore-term-hang@clean-up", "timeout", "in the clean-up", "did not answer within 30 s", ""),
    expect("flood@body", "output-flood", BODY, "printed ", "fff"),
    expect("setsid@set-up", "stray-process", "while exiting", "left", ""),
    expect("bare@body", "stray-process", "while exiting", "left", ""),
    expect("fork-link@body", "stray-process", "while exiting", "left", ""),
    expect("fork-on@body", "stray-process", "", "one that it forked must not return", ""),
    expect("clock-wild", "clock", "", "its clock is wrong: it reported 1.0e9 s for 1000 invocations", ""),
    expect("clock-stands", "clock", "", "its clock does not advance: it reported 0.000 s for ", ""),
    expect("nonsense@body", "protocol", FRONT_END, "R7: a reply is not a JSON object", ""),
    expect("not-utf8@body", "protocol", FRONT_END, "R7: a reply is not UTF-8", ""),
    expect("too-long@body", "protocol", FRONT_END, "R7: a reply is longer than 16 MiB", ""),
    expect(
        "half-hang@body",
        "protocol",
        FRONT_END,
        "incomplete reply, no line end within 30 s: `{\"reply\":\"mea`",
        "",
    ),
    expect("half-exit@body", "protocol", FRONT_END, "R7: it exited after 13 bytes of a reply: `{\"reply\":\"mea`", ""),
    expect("close-link@body", "protocol", FRONT_END, "R4: it closed the link but did not exit", ""),
    expect("bad-requires", "unsupported", "", "requires `x-future`, which this version of `tare` does not support", ""),
    expect(
        "refuses",
        "refused",
        "",
        "refused the request `measure workload 1 1000 0` with the error `out-of-battery`: not so",
        "",
    ),
    expect("bad-twice", "protocol", FRONT_END, "R8: it sent a second reply: `{\"reply\":\"checked\"", ""),
];

/// What goes wrong before anything can be measured: the program as a whole fails, with exit code 102.
const WHILE_LISTING: &[Expected] = &[
    expect("segfault@start", "", "while starting", "killed by SIGSEGV (signal 11)", "about to fail"),
    expect("exit3@hello", "", "while starting", "exited unexpectedly with status 3", "error: no such file"),
    expect("panic@list", "", "while listing its benchmarks", "exited unexpectedly with status 2", PANIC),
    expect("hang@hello", "", "while starting", "did not answer within 30 s", ""),
    expect("abort@list", "", "while listing its benchmarks", "killed by SIGABRT (signal 6)", "assertion failed: x > 0"),
    expect("nonsense@list", "", FRONT_END, "R7: a reply is not a JSON object", ""),
    expect("half-exit@list", "", FRONT_END, "R7: it exited after 13 bytes of a reply", ""),
    expect("half-hang@list", "", FRONT_END, "R7: incomplete reply, no line end within 30 s: `{\"reply\":\"mea`", ""),
    expect("wrong-version", "", "while starting", "speaks protocol 2, 3, but this `tare` speaks protocol 1", ""),
    expect("twice", "", "", "R8: ", ""),
    expect("wrong-count", "", FRONT_END, "R13: `count` is 4 after 3 benchmarks", ""),
    expect("frames-on-stdout", "", "while starting", "did not answer within 30 s", "{\"reply\":\"hello\""),
    expect("no-bye", "", FRONT_END, "R8: `bye` was not answered within 30 s", ""),
    expect("bye-3", "", FRONT_END, "after `bye` it must exit with status 0, but it exited with status 3", ""),
    expect("nonsense@end", "", FRONT_END, "R5: it wrote after its reply to `bye`: `nonsense`", ""),
    expect("hang@end", "", FRONT_END, "it replied to `bye`, but was still running 20 s later", ""),
    expect("fork@list", "", "while exiting", "left", ""),
];

/// The outcome of each case by name.
fn outcomes(report: &Value) -> Vec<(String, Value)> {
    let cases = report["report"]["cases"].as_array().expect("cases").iter();
    cases.map(|case| (case["name"].as_str().expect("a name").to_owned(), case["outcome"].clone())).collect()
}

/// The program fails in `bad` as expected, `good` and `fine` are measured, nobody is left.
fn one_failure(expected: &Expected) {
    let place = Place::new("misbehaving");
    let program = place.misbehave(expected.mode);
    let output = place.tare(["run", &program, "--timeout", TIMEOUT, "-o", "r.json"].iter().chain(&FEW));
    let (screen, mode) = (out(&output), expected.mode);
    assert_eq!(output.status.code(), Some(100), "{mode}: {screen}{}", err(&output));
    for (name, outcome) in outcomes(&json(&place.read("r.json"))) {
        let state = outcome["outcome"].as_str();
        match name.as_str() {
            "bad" => {
                assert_eq!(state, Some("failed"), "{mode}: {outcome}");
                assert_eq!(outcome["failure"]["cause"]["kind"], expected.kind, "{mode}: {outcome}");
            }
            // On a busy machine every visit of a launch may have been interrupted: then there is no value, and no failure.
            _ => assert!(matches!(state, Some("measured" | "not-measured")), "{mode}: {name}: {outcome}"),
        }
    }
    let (_, failures) = screen.split_once("failures (1)\n").unwrap_or_else(|| panic!("{mode}: one failure: {screen}"));
    let step = if ["", FRONT_END].contains(&expected.step) {
        expected.step.to_owned()
    } else {
        format!("{}: ", expected.step)
    };
    let head = format!("  error: group/bad  {step}");
    assert!(failures.starts_with(&head), "{mode}: {failures}");
    let unbroken = failures.replace("\n    ", " ");
    assert!(unbroken.contains(expected.text), "{mode}: {failures}");
    assert!(step != FRONT_END || unbroken.contains(" (`misbehave 1`, asked `"), "{mode}: {failures}");
    // An exception is told whole.
    let is_told = expected.kind != "exception";
    assert_eq!(failures.contains(&format!("    command: `{program}`\n")), is_told, "{mode}: {failures}");
    assert_eq!(failures.contains("    hint: "), is_told, "{mode}: {failures}");
    assert!(
        expected.output.is_empty() || failures.contains(&format!("    output:  {}", expected.output)),
        "{mode}: {failures}"
    );
    place.assert_nothing_left(mode);
}

/// What hangs does so beside the others, as most of the time it is waited for.
fn in_parallel(all: &[Expected], one: fn(&Expected)) {
    let (hang, fail): (Vec<&Expected>, Vec<&Expected>) =
        all.iter().partition(|expected| ["20 s", "30 s"].iter().any(|time| expected.text.contains(time)));
    std::thread::scope(|scope| {
        for expected in hang {
            scope.spawn(move || one(expected));
        }
        fail.into_iter().for_each(one);
    });
}

#[test]
fn each_way_to_fail_is_named_and_the_others_go_on() {
    in_parallel(IN_ONE_BENCHMARK, one_failure);
}

#[test]
fn each_way_to_fail_before_measuring_is_named() {
    in_parallel(WHILE_LISTING, |expected| {
        let place = Place::new("listing");
        let program = place.misbehave(expected.mode);
        let output = place.tare(["run", &program, "--timeout", TIMEOUT]);
        let (reported, mode) = (err(&output), expected.mode);
        assert_eq!((output.status.code(), out(&output)), (Some(102), String::new()), "{mode}: {reported}");
        let step = if ["", FRONT_END].contains(&expected.step) {
            expected.step.to_owned()
        } else {
            format!("{}: ", expected.step)
        };
        // What goes wrong after the list is another sentence.
        let is_at_end = ["no-bye", "hang@end", "fork@list", "bye-3", "nonsense@end"].contains(&mode);
        let what = match is_at_end {
            true => format!("`{mode}` failed after listing its benchmarks"),
            false => format!("cannot list the benchmarks of `{mode}`"),
        };
        let head = format!("error: {what}\n  {step}");
        assert!(reported.starts_with(&head) && reported.contains(expected.text), "{mode}: {reported}");
        assert!(reported.contains(&format!("\n  command: `{program}`\n")), "{mode}: {reported}");
        assert!(
            expected.output.is_empty() || reported.contains(&format!("\n  output: {}", expected.output)),
            "{mode}: {reported}"
        );
        assert!(reported.contains("\n\nhint: "), "{mode}: {reported}");
        assert!(!place.join(".tare").exists(), "{mode}");
        place.assert_nothing_left(mode);
    });
}

#[test]
fn a_program_that_cannot_be_listed_does_not_stop_the_others() {
    let place = Place::new("others");
    place.write("tare.toml", "[history]\nrecord = true\n");
    let (bad, good) = (place.misbehave("abort@list"), place.misbehave("well"));
    let output = place.tare(["run", &bad, &good].iter().chain(&FEW));
    assert_eq!(output.status.code(), Some(102), "{}", err(&output));
    assert!(err(&output).contains("cannot list the benchmarks of `abort@list`"));
    assert!(out(&output).contains("good") && out(&output).contains("fine"), "{}", out(&output));
    let history = place.ends_with(0, ["history"]);
    assert!(
        history.contains("failures (1)\n  error: abort@list  killed by SIGABRT (signal 6); in 1 of 1 run"),
        "{history}"
    );
    let undecided = place.fails_with(11, ["history", "--fail-on", "slower"]);
    assert!(
        undecided.contains("the gate could not decide\n  abort@list: slower: it failed in the newest run: killed"),
        "{undecided}"
    );
}

/// Two processes of `bad` that need one lock: it is measured alone, and no failure.
#[test]
fn what_needs_something_for_itself_is_measured_again_alone() {
    let place = Place::new("exclusive");
    let program = place.misbehave("exclusive");
    let output = place.tare(["run", &program, "-o", "r.json"].iter().chain(&FEW));
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
    let said = "group/bad: threw std::runtime_error: it threw at bad.cpp:7; to be measured again alone";
    assert!(err(&output).contains(said), "{}", err(&output));
    let text =
        "repeated-alone group/bad: failed beside other processes (threw std::runtime_error: it threw at bad.cpp:7) and was measured \
                again alone: it has no ratio";
    let screen = out(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, outcome) in outcomes(&json(&place.read("r.json"))) {
        // On a busy machine every visit of a launch may have been interrupted.
        let state = outcome["outcome"].as_str();
        assert!(matches!(state, Some("measured" | "not-measured")), "{name}: {outcome}");
        if name == "bad" && state == Some("measured") {
            assert!(outcome["ratio"].is_null() && screen.contains(text), "{outcome}: {screen}");
        }
    }
    place.assert_nothing_left("exclusive");
}

/// What a `benchmark` line says of itself is what the host does: with another launch, or longer iterations, the child refuses.
#[test]
fn benchmarks_are_run_as_they_say() {
    for mode in ["launch", "batches", "unknown-words"] {
        let place = Place::new(mode);
        let program = place.misbehave(mode);
        let words = ["run", &program, "--quick", "--launches", "2", "--rounds", "3", "-o", "r.json"];
        let output = place.tare(words);
        assert_eq!(output.status.code(), Some(0), "{mode}: {}{}", out(&output), err(&output));
        for (name, outcome) in outcomes(&json(&place.read("r.json"))) {
            assert_ne!(outcome["outcome"], "failed", "{mode}: {name}: {outcome}");
        }
    }
}

/// A name that another has, or none: that row fails with what to change, and the others are measured.
#[test]
fn a_wrong_declaration_costs_its_own_row() {
    for (mode, failed, text) in [
        ("duplicate-names", "good (2)", "invalid declaration: `group/good` is declared"),
        ("empty-name", "(no name)", "invalid declaration: its name is empty; give it one"),
    ] {
        let place = Place::new("declared");
        let program = place.misbehave(mode);
        let screen = place.ends_with(100, ["run", &program, "-o", "r.json"].iter().chain(&FEW));
        assert!(screen.contains("failures (1)\n") && screen.contains(text), "{mode}: {screen}");
        for (name, outcome) in outcomes(&json(&place.read("r.json"))) {
            // On a busy machine every visit of a launch may have been interrupted.
            let wanted: &[&str] = if name == failed { &["failed"] } else { &["measured", "not-measured"] };
            assert!(wanted.contains(&outcome["outcome"].as_str().unwrap_or_default()), "{mode}: {name}: {outcome}");
        }
        let reported = err(&place.tare(["list", &program]));
        assert!(reported.contains("warning: ") && reported.contains(failed), "{mode}: {reported}");
    }
}

#[test]
fn what_is_legal_is_no_failure() {
    for mode in ["print@set-up", "print@body", "print@clean-up", "slow-end", "empty-list"] {
        let place = Place::new("legal");
        let program = place.misbehave(mode);
        let code = if mode == "empty-list" { 4 } else { 0 };
        let screen = place.ends_with(code, ["run", &program].iter().chain(&FEW));
        assert!(!screen.contains("failure"), "{mode}: {screen}");
        if mode.starts_with("print") {
            // What was printed is kept with the launch, and no frame of it is taken for a reply.
            let events = std::fs::read_to_string(place.only_run().join("events.jsonl")).expect("events");
            assert!(events.contains("a line of the user's") && events.contains("a frame"), "{mode}");
        }
        place.assert_nothing_left(mode);
    }
}

#[test]
fn columns_of_wrong_length_fail_every_case_by_their_rule() {
    for mode in ["columns-too-short", "columns-too-long", "columns-differ", "capability-without-column"] {
        let place = Place::new("columns");
        let program = place.misbehave(mode);
        let screen = place.ends_with(100, ["run", &program].iter().chain(&FEW));
        assert!(screen.contains("failures (3)") && screen.contains("R19"), "{mode}: {screen}");
    }
}

/// Times in another unit are the front end's mistake, and are noticed before a visit lasts for minutes.
#[test]
fn times_in_another_unit_are_said_to_be() {
    for (mode, text) in [
        ("seconds", "is it in seconds?"),
        ("microseconds", "R7: times are in nanoseconds, but `elapsed_ns` is"),
        ("not-a-number", "R7: a reply is not a JSON object"),
        ("infinite", "R7: a reply is not a JSON object: number out of range"),
    ] {
        let place = Place::new("unit");
        let program = place.misbehave(mode);
        let args = ["run", &program, "--quick", "--launches", "1", "--rounds", "2", "--filter", "*good"];
        let screen = place.ends_with(100, args).replace("\n    ", " ");
        assert!(screen.contains(FRONT_END) && screen.contains(text), "{mode}: {screen}");
    }
}

/// A body that takes memory which it does not give back is stopped before the machine suffers.
#[test]
fn growth_without_end_is_stopped() {
    let place = Place::new("growth");
    let program = place.misbehave("grow-fast");
    // 4 MiB a visit, however long the system needs for that.
    let few = ["--launches", "1", "--rounds", "20", "--invocations", "4"];
    let output = place.tare(["run", &program, "-o", "r.json"].iter().chain(&few));
    assert_eq!(output.status.code(), Some(100), "{}{}", out(&output), err(&output));
    for (name, outcome) in outcomes(&json(&place.read("r.json"))) {
        if name == "bad" {
            assert_eq!(outcome["failure"]["cause"]["kind"], "memory-growth", "{outcome}");
            let bytes = outcome["failure"]["cause"]["bytes"].as_u64().expect("a number");
            assert!(bytes > 1 << 20, "{bytes}");
        } else {
            assert_ne!(outcome["outcome"], "failed");
        }
    }
    assert!(out(&output).contains("memory grew"), "{}", out(&output));
    place.assert_nothing_left("grow-fast");
}
