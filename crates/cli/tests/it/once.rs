//! What is made once for all processes of a run: it is there for each of them, and gone afterwards unless it is to be kept. With the
//! conformance benchmark `once`, which returns the number of the process that was first.

use crate::support::{children, err, out, Place, SHORT};
use std::path::PathBuf;

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
    assert!(reported.contains(&format!("what was made once per run is in `{}`", folder.display())), "{reported}");

    // A dry run has one too, which all of its processes share.
    let (_, reported) = run(&["--dry", "--keep"]);
    assert!(reported.contains("what was made once per run is in"), "{reported}");
    place.assert_nothing_left("a run with a folder");
}
