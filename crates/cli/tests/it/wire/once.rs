//! What is made once for all processes of a run: it is there for each of them, and gone afterwards unless it is to be kept. With the
//! conformance benchmark `once`, which returns the number of the process that was first. What a host leaves that is killed goes with the
//! next run.

use crate::support::{children, err, eventually, out, Place, SHORT};
use std::path::PathBuf;
use std::time::Duration;

/// What lies in a folder and the folders below it, files alone.
fn files(folder: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(path) } else { vec![path] }).collect()
}

#[test]
fn it_goes_with_the_run_unless_it_is_kept() {
    let place = Place::new("once");
    let program = children().join("conformance-child").to_string_lossy().into_owned();
    std::fs::create_dir(place.join("tmp")).expect("a folder");
    let run = |flags: &[&str]| {
        let mut command = place.command(["run", &program, "--filter", "conformance/once"]);
        // Relative, and each program finds it all the same.
        let output = command.args(flags).env("TMPDIR", "tmp").output().expect("tare runs");
        assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
        (out(&output), err(&output))
    };
    let (_, reported) = run(&SHORT);
    assert!(!reported.contains("once per run"), "{reported}");
    assert_eq!(std::fs::read_dir(place.join("tmp")).expect("a folder").count(), 0, "nothing is left");
    let text = place.run_json()["results"][0]["text"].as_str().expect("it returned something").to_owned();
    assert!(text.parse::<u32>().is_ok_and(|pid| pid > 0), "{text}");

    let (_, reported) = run(&["--quick", "--launches", "2", "--rounds", "5", "--no-save", "--keep"]);
    let kept = files(place.join("tmp"));
    assert_eq!(kept.len(), 1, "one file for both launches: {kept:?}");
    let folder = kept[0].parent().and_then(|part| part.parent()).expect("a part of a folder");
    assert!(
        reported.contains(&format!("the data that the benchmarks share is in `{}`", folder.display())),
        "{reported}"
    );

    // A dry run has one too, which all of its processes share.
    let (_, reported) = run(&["--dry", "--keep"]);
    assert!(reported.contains("the data that the benchmarks share is in"), "{reported}");
    place.assert_nothing_left("a run with a folder");
}

#[test]
fn what_a_killed_host_left_goes_with_the_next_run() {
    let place = Place::new("once-killed");
    let program = children().join("conformance-child").to_string_lossy().into_owned();
    let tmp = place.join("tmp");
    std::fs::create_dir_all(tmp.join("tare-run-1-0")).expect("a folder of nobody's");
    let run = |flags: &[&str]| {
        let mut command = place.command(["run", &program, "--filter", "conformance/once"]);
        command.args(flags).env("TMPDIR", &tmp);
        command
    };
    let mut killed = place.start_command(run(&["--launches", "32", "--rounds", "1000"]));
    assert!(eventually(Duration::from_secs(300), || files(tmp.clone()).iter().any(|path| path.ends_with("0/maker"))));
    killed.kill().expect("it runs");
    killed.wait().expect("it ended");
    place.assert_nothing_left("a host that was killed");
    assert!(files(tmp.clone()).iter().any(|path| path.ends_with("0/maker")), "nobody has removed it");
    // Another run, which keeps its own.
    let output = run(&["--dry", "--keep"]).output().expect("tare runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
    let mut left: Vec<_> = std::fs::read_dir(&tmp).expect("a folder").flatten().map(|entry| entry.path()).collect();
    left.sort();
    assert_eq!(left.len(), 2, "{left:?}");
    assert_eq!(left[0], tmp.join("tare-run-1-0"), "no host had it");
    let kept = format!("the data that the benchmarks share is in `{}`", left[1].display());
    assert!(err(&output).contains(&kept), "{}", err(&output));
    // What is kept is not taken for what a host left.
    assert_eq!(run(&["--dry"]).output().expect("tare runs").status.code(), Some(0));
    assert_eq!(files(left[1].clone()).len(), 1, "{left:?}");
}
