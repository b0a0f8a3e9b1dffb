//! The binary as started by cargo, cargo-nextest or a person.

mod support;

use support::{err, out, run};

#[test]
fn cargo_test_runs_each_body_once() {
    let output = run("sample", &[]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("running 22 benchmarks once"), "{text}");
    assert!(text.contains("test parse/std ... ok"), "{text}");
    assert!(text.contains("test result: ok. 22 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out;"), "{text}");
    let output = run("sample", &["parse", "--quiet"]);
    assert!(out(&output).contains("2 passed; 0 failed; 0 ignored; 0 measured; 20 filtered out;"));
}

#[test]
fn lists_are_what_nextest_wants() {
    let output = run("sample", &["--list", "--format", "terse"]);
    let text = out(&output);
    assert_eq!(text.lines().count(), 22);
    assert!(text.lines().all(|line| line.ends_with(": benchmark")), "{text}");
    assert!(text.contains("repeat/n=10/text=b_\"c\": benchmark\n"), "{text}");
    assert!(err(&output).is_empty());
    assert_eq!(out(&run("sample", &["--list", "--format", "terse", "--ignored"])), "");
    assert!(out(&run("sample", &["--list"])).ends_with("\n0 tests, 22 benchmarks\n"));
    assert_eq!(out(&run("sample", &["--list", "--format=terse", "hand", "--bench"])), "parse/hand: benchmark\n");
}

#[test]
fn nextest_runs_one_by_its_exact_name() {
    let output = run("sample", &["--exact", "repeat/n=10/text=a", "--nocapture"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).contains("1 passed; 0 failed; 0 ignored; 0 measured; 21 filtered out"), "{}", out(&output));
    let output = run("sample", &["--exact", "double", "--nocapture", "--ignored"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).contains("running 0 benchmarks"));
}

#[test]
fn without_tare_cargo_bench_runs_each_body_once_and_says_how_to_measure() {
    let output = run("sample", &["parse", "--bench"]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("\nrunning 2 benchmarks once\n") && text.contains("test parse/std ... ok"), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("hint: `tare` on the PATH")), "{text}");
    let output = run("sample", &["parse", "--bench", "--test"]);
    assert!(out(&output).contains("test parse/hand ... ok") && !out(&output).contains("hint"));
}

#[test]
fn filters() {
    let list = |words: &[&str]| out(&run("sample", &[&["--list", "--format", "terse"], words].concat()));
    assert_eq!(list(&["hand", "double"]).lines().count(), 2);
    assert_eq!(list(&["parse", "--skip", "hand"]), "parse/std: benchmark\n");
    assert_eq!(list(&["parse", "--skip=std", "--skip", "hand"]), "");
    assert_eq!(list(&["--exact", "parse"]), "");
    for words in [&["nowhere"][..], &["nowhere", "--bench"]] {
        let output = run("sample", words);
        assert_eq!(output.status.code(), Some(0));
        assert!(err(&output).contains("no benchmark matches `nowhere` (22 in this program"), "{}", err(&output));
    }
}

#[test]
fn options_of_libtest_are_taken_and_others_are_not() {
    let words =
        "--nocapture --show-output -q --color never --color=always --test-threads 1 --include-ignored --format pretty \
        --logfile /dev/null -Z unstable-options --report-time --ensure-time --shuffle --shuffle-seed 1 \
        --exclude-should-panic --force-run-in-process double";
    let words: Vec<&str> = words.split_whitespace().collect();
    let output = run("sample", &words);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("1 passed"));
    for words in [&["--save-baseline", "x"][..], &["--frob"], &["-x"], &["--skip"]] {
        let output = run("sample", words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(err(&output).starts_with("error: "), "{}", err(&output));
    }
    assert!(out(&run("sample", &["--version"])).starts_with("tare-rust "));
    assert!(out(&run("sample", &["--help"])).contains("--skip FILTER"));
    let output = run("sample", &["double", "--", "--quick", "--bench"]);
    assert!(out(&output).contains("double"), "what follows -- is for tare run: {}", err(&output));
}

#[test]
fn failures_do_not_stop_the_others() {
    let output = run("failing", &[]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(101), "{text}");
    for line in ["test good ... ok", "test body ... FAILED", "test set_up ... FAILED", "test also_good ... ok"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(text.contains("panic in body at tests/benches/failing.rs:11: the body has no value"), "{text}");
    assert!(text.contains("failure in set-up: ParseIntError { kind: InvalidDigit }"), "{text}");
    assert!(text.contains("test result: FAILED. 3 passed; 4 failed"), "{text}");
    assert_eq!(run("failing", &["--bench"]).status.code(), Some(101));
}

/// With a `tare` on the `PATH` and no `TARE_DIRECT`, `--bench` becomes `tare run`.
#[test]
fn measuring_is_handed_over() {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("tare-tests-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let script = folder.join("tare");
    std::fs::write(&script, "#!/bin/sh\necho \"$@\"\necho \"$TARE_RUST_SELECTION\"\nexit 10\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = support::bench("sample");
    let mut command = std::process::Command::new(&path);
    command.args(["parse", "--skip", "hand", "--", "--quick", "--bench"]);
    command
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .env_remove("TARE_DIRECT")
        .env_remove("TARE_LINK");
    let output = command.output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(10));
    let text = out(&output);
    let mut lines = text.lines();
    let first = lines.next().unwrap();
    assert!(first.starts_with("run /") && first.ends_with(" --quick") && first.contains("/sample-"), "{text}");
    assert_eq!(lines.collect::<Vec<_>>(), ["", "+parse", "-hand"]);
}
