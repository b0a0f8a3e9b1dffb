//! `tare time`: whole commands with their steps, statuses, parameters and files.

use crate::support::{json, out, Place};

/// Two launches of each command, one run in each.
const TWO: [&str; 3] = ["time", "--runs", "2"];

fn time<'a>(args: &[&'a str]) -> Vec<&'a str> {
    TWO.iter().chain(args).copied().collect()
}

#[test]
fn commands_are_measured_and_compared() {
    let place = Place::new("commands");
    let args = ["true", "echo two", "--name", "first", "-o", "r.md", "-o", "r.json", "-o", "r.measurements.csv"];
    let shown = place.ends_with(0, ["time", "--runs", "8"].iter().chain(&args));
    let row =
        |name: &str| shown.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default().to_owned();
    assert!(row("first").contains("base") && !row("echo two").is_empty(), "{shown}");
    assert!(
        shown.contains("command") && shown.contains("memory") && shown.contains("started without a shell"),
        "{shown}"
    );
    let run = place.run_json();
    let (policy, metrics) = (&run["plan"]["policy"], &run["launches"][0]["series"]);
    assert_eq!((policy["width"].as_u64(), policy["warmup_ns"].as_f64()), (Some(4), Some(0.0)), "{policy}");
    assert!(metrics.as_array().is_some_and(|all| all.iter().any(|s| s["columns"]["metrics"]["user_time"].is_array())));
    assert!(place.read("r.md").contains("echo two") && place.read("r.json").contains("peak_memory"));
    let report = json(&place.read("r.json"));
    let metrics = &report["report"]["cases"][1]["outcome"]["metrics"];
    assert!(metrics[2]["name"] == "peak_memory" && metrics[2]["ratio"]["verdict"].is_string(), "{metrics}");
    assert_eq!(place.read("r.measurements.csv").lines().filter(|line| line.contains("actual")).count(), 16);
    place.ends_with(0, ["show", "latest", "-v"]);
    place.assert_nothing_left("whole commands");
}

#[test]
fn steps_run_in_their_order_and_the_shell_where_it_is_needed() {
    let place = Place::new("command-steps");
    let note = |word: &str| format!("printf '{word} ' >> log");
    let commands = [note("{n}").replace('\'', "\""), note("S{n}"), note("p"), note("c"), note("C")];
    let [command, set_up, prepare, conclude, clean_up] = commands.each_ref().map(String::as_str);
    let steps = ["--setup", set_up, "--prepare", prepare, "--conclude", conclude, "--cleanup", clean_up];
    let output = place.tare(time(&[command, "--param", "n=1,2"]).into_iter().chain(steps));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("`sh` runs the commands, because"), "{said}");
    let log = place.read("log");
    let words: Vec<&str> = log.split_whitespace().collect();
    // Both set-ups, runs with a step before and after each, one clean-up of the same text.
    assert_eq!((&words[..2], words.last()), (&["S1", "S2"][..], Some(&"C")), "{log}");
    let runs = &words[2..words.len() - 1];
    assert!(runs.chunks(3).all(|run| run[0] == "p" && "12".contains(run[1]) && run[2] == "c"), "{log}");
    assert!(out(&output).contains("run by `sh -c`"), "{}", out(&output));
}

#[test]
fn a_status_that_is_no_success_fails_its_command_alone() {
    let place = Place::new("command-fails");
    let shown = place.ends_with(100, time(&["true", "sh -c 'echo why >&2; exit 3'"]));
    assert!(
        shown.contains("exited with status 3") && shown.contains("why") && shown.contains("--ignore-failure"),
        "{shown}"
    );
    assert!(!shown.contains("measure-commands"), "the command is named, not the child: {shown}");
    place.ends_with(0, time(&["sh -c 'exit 3'", "--ignore-failure=3"]));
    let shown = place.ends_with(100, time(&["false", "sleep 0.01", "--stop-on-error"]));
    assert!(shown.contains("not measured: the run was stopped"), "{shown}");
    place.ends_with(100, time(&["false", "sh -c 'exit 4'", "sleep 0.01", "--stop-on-error"]));
    let shown = place.ends_with(100, ["run", "--resume", "latest", "--stop-on-error"]);
    assert!(shown.contains("not measured: the run was stopped"), "what is resumed stops too: {shown}");
    let said = place.fails_with(2, time(&["no-such-program-of-anybody"]));
    assert!(said.contains("`no-such-program-of-anybody` not found"), "{said}");
    let said = place.fails_with(96, time(&["true", "--setup", "echo no >&2; exit 7", "--cleanup", "touch cleaned"]));
    assert!(
        said.contains("`--setup` failed") && said.contains("output: no") && place.join("cleaned").exists(),
        "{said}"
    );
    let said = place.fails_with(0, time(&["echo shown", "--show-output"]));
    assert!(said.contains("shown"), "{said}");
    place.assert_nothing_left("commands that fail");
}

#[test]
fn the_child_by_itself_says_what_it_is_for() {
    let said = Place::new("command-child").fails_with(2, ["measure-commands", "{}"]);
    assert!(said.contains("use `tare time`"), "{said}");
}

#[test]
fn what_is_wrong_is_said_in_words_of_commands() {
    let place = Place::new("command-words");
    let missing = place.fails_with(2, time(&["cat", "--stdin", "nofile"]));
    assert!(missing.contains("`--stdin nofile`: there is no such file"), "{missing}");
    // Within its seconds the child must start, too.
    let shown = place.ends_with(100, time(&["sleep 100", "--timeout", "30s", "--no-save"]));
    assert!(shown.contains("did not end within 30 s") && !shown.contains("in the body"), "{shown}");
    assert!(!shown.contains("did not answer"), "{shown}");
    let shown = place.ends_with(100, time(&["true", "--prepare", "false", "--no-save"]));
    assert!(shown.contains("the preparation failed: `--prepare`: `false`"), "{shown}");
    assert!(!shown.contains("--ignore-failure"), "{shown}");
    let output = place.tare(time(&["exit 3", "-i", "--no-save"]));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("that of the shell is subtracted") && !said.contains("in every time"), "{said}");
}
