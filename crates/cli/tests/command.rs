//! The real binary: streams, exit codes, the store. What needs a child uses the reference child of the protocol, built
//! with the system's C compiler; without one those tests pass over it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// A folder with nothing of the user's in it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("tare-cli-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("home")).expect("a folder");
        Place(path)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tare"));
        command.args(args).current_dir(&self.0).env("HOME", self.0.join("home")).stdin(Stdio::null());
        for name in ["XDG_CACHE_HOME", "XDG_STATE_HOME", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(name);
        }
        command
    }

    fn tare(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("tare runs")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The reference child, built once.
fn child() -> Option<&'static Path> {
    static CHILD: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/reference-child.c");
        let program = std::env::temp_dir().join(format!("tare-reference-child-{}", std::process::id()));
        let built = Command::new("cc").args(["-O2", "-o"]).arg(&program).arg(source).status();
        built.is_ok_and(|status| status.success()).then_some(program)
    };
    CHILD.get_or_init(build).as_deref()
}

#[test]
fn errors_go_to_stderr_with_their_exit_code() {
    let place = Place::new("errors");
    for (args, code, word) in [
        (&["show", "latest"][..], 2, "there is no run yet"),
        (&["show", "zebra"], 2, "is not an id"),
        (&["run", "nowhere.cpp"], 2, "does not exist"),
        (&["run", "."], 4, "nothing to measure"),
        (&["run", "--budget", "10"], 2, "needs a unit"),
        (&["run", "--resume", "ff"], 2, "no run `ff`"),
        (&["run", "-v", "-q"], 2, "cannot be used with"),
        (&["help", "zebra"], 2, "there is no help on `zebra`"),
        (&["show", "latest", "-o", "x.doc"], 2, "does not say its form"),
    ] {
        let output = place.tare(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", err(&output));
        assert!(err(&output).starts_with("error: ") && err(&output).contains(word), "{args:?}: {}", err(&output));
        assert_eq!(out(&output), "", "{args:?}");
    }
    assert!(!place.0.join(".tare").exists(), "nothing is made before there is something to keep");
}

#[test]
fn help_is_a_result() {
    let place = Place::new("help");
    for args in
        [&["help"][..], &["--help"], &["help", "glossary"], &["help", "run"], &["help", "exit-codes"], &["run", "-h"]]
    {
        let output = place.tare(args);
        assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()), "{args:?}");
        assert!(out(&output).len() > 200, "{args:?}");
    }
}

#[test]
fn show_prints_what_the_live_run_printed() {
    let Some(child) = child() else { return };
    let place = Place::new("show");
    let child = child.to_string_lossy();
    for (run, show) in [
        (vec!["run", &child, "--quick"], vec!["show", "latest"]),
        (vec!["run", &child, "--quick", "--format", "csv"], vec!["show", "latest", "--csv"]),
        (vec!["run", &child, "--quick", "-v", "--ascii"], vec!["show", "latest", "-v", "--ascii"]),
        (vec!["run", &child, "--quick", "-q", "--color", "always"], vec!["show", "latest", "-q", "--color", "always"]),
    ] {
        let (live, shown) = (place.tare(&run), place.tare(&show));
        assert_eq!(live.status.code(), Some(0), "{}", err(&live));
        assert_eq!(out(&live), out(&shown), "{run:?}");
        // Runs of one second cannot be told apart by their time.
        fs::remove_dir_all(place.0.join(".tare")).expect("removed");
    }
    assert!(place.0.join("home/.local/state/tare/machine.json").exists());
}

#[test]
fn files_are_written_beside_the_screen() {
    let Some(child) = child() else { return };
    let place = Place::new("files");
    let child = child.to_string_lossy();
    let args = [
        "run",
        &child,
        "--quick",
        "--no-save",
        "-o",
        "r.md",
        "-o",
        "r.csv",
        "-o",
        "r.json",
        "-o",
        "r.measurements.csv",
        "-o",
        "r.txt",
    ];
    let output = place.tare(&args);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let read = |name: &str| fs::read_to_string(place.0.join(name)).expect(name);
    assert!(read("r.md").contains("| --- |") || read("r.md").contains("|---|"));
    assert_eq!(read("r.csv").lines().count(), 6);
    assert!(read("r.measurements.csv").lines().count() > 100);
    assert!(read("r.json").contains("\"format\": \"tare-report\""));
    assert_eq!(read("r.txt"), out(&output));
    assert!(!place.0.join(".tare").exists(), "--no-save keeps nothing");
    let refused = place.tare(&["run", &child, "--quick", "--no-save", "-o", "no/such/folder/r.md"]);
    assert_eq!(refused.status.code(), Some(110), "{}", err(&refused));
}

#[test]
fn a_filter_that_fits_nothing_says_what_might() {
    let Some(child) = child() else { return };
    let place = Place::new("filter");
    let output = place.tare(&["list", &child.to_string_lossy(), "--filter", "strln"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(err(&output).contains("hint: did you mean `text/strlen`?"), "{}", err(&output));
    let output = place.tare(&["list", &child.to_string_lossy(), "--filter", "sum/*", "--exclude", "*1000*"]);
    assert_eq!(out(&output), "sum/loop[n=10]\nsum/formula[n=10]\n");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let Some(child) = child() else { return };
    let place = Place::new("pipe");
    let mut list =
        place.command(&["list", &child.to_string_lossy(), "--json"]).stdout(Stdio::piped()).spawn().expect("tare runs");
    drop(list.stdout.take());
    assert_eq!(list.wait().expect("an end").code(), Some(0));
}

#[test]
fn colours_follow_the_flag_and_the_variables() {
    let place = Place::new("colours");
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let output = place.command(args).envs(variables.iter().copied()).output().expect("tare runs");
        out(&output).contains('\x1b')
    };
    let help = ["help", "glossary"];
    assert!(!coloured(&help, &[]), "a pipe is not coloured");
    assert!(coloured(&help, &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&help, &[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&help, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&["help", "glossary", "--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!coloured(&["help", "glossary", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn a_killed_run_is_taken_up_again() {
    let Some(child) = child() else { return };
    let place = Place::new("resume");
    let child = child.to_string_lossy();
    let mut run = place
        .command(&["run", &child, "--filter", "strlen"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("tare runs");
    let events = || {
        let runs = fs::read_dir(place.0.join(".tare/runs")).ok()?;
        let folder = runs.flatten().next()?;
        fs::metadata(folder.path().join("events.jsonl")).ok().map(|data| data.len())
    };
    for _ in 0..500 {
        if events().is_some_and(|bytes| bytes > 20_000) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    run.kill().expect("killed");
    run.wait().expect("an end");
    let runs = place.tare(&["runs"]);
    if out(&runs).contains("finished") {
        return; // A machine so fast that there is nothing to take up.
    }
    assert!(out(&runs).contains("killed"), "{}", out(&runs));
    let resumed = place.tare(&["run", "--resume", "latest"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", err(&resumed));
    assert_eq!(out(&resumed), out(&place.tare(&["show", "latest"])));
    assert_eq!(place.tare(&["run", "--resume", "latest"]).status.code(), Some(2));
    assert!(out(&place.tare(&["clean", "--keep", "0"])).starts_with("dropped 1 run: "));
}
