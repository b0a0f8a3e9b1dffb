//! `tare bisect` on a repository of one C file, which a stand-in for the compiler builds. The benchmark tells its time.

use crate::support::{err, git_in, have, out, skip, Place};
use serde_json::Value;
use std::process::Output;

const PROGRAM: &str = "#include <tare.h>\n//bench mix/chain 1000\n";

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn commit(place: &Place, source: &str, subject: &str) -> String {
    place.write("repo/chain.c", source);
    git_in(place, &["add", "chain.c"]);
    git_in(place, &["commit", "--quiet", "--allow-empty", "--message", subject]);
    git_in(place, &["rev-parse", "HEAD"])
}

/// The chain takes 1000 ns in the tag `good`, then there is a commit that does not build, then 2000 ns.
fn repository(name: &str) -> Option<(Place, String)> {
    if !have("git") {
        skip(name, "`git` is not installed");
        return None;
    }
    let place = Place::with_stand_in(name);
    place.write("repo/.gitignore", ".tare\n");
    git_in(&place, &["init", "--quiet", "."]);
    // Beside what is sought, at both ends.
    place.write("repo/other.c", "#include <tare.h>\n#error broken\n");
    git_in(&place, &["add", "other.c"]);
    commit(&place, PROGRAM, &format!("first {}", place.join("").display()));
    git_in(&place, &["tag", "good"]);
    commit(&place, "#include <tare.h>\n#error broken\n", "Does not build");
    let culprit = commit(&place, &PROGRAM.replace("1000", "2000"), "Mix twice as often");
    commit(&place, &PROGRAM.replace("1000", "2000"), "Update the notes");
    Some((place, culprit))
}

#[test]
fn what_does_not_build_is_left_out_and_leaves_two_commits_undecided() {
    let Some((place, culprit)) = repository("bisect") else { return };
    let before = ["status --porcelain", "worktree list", "for-each-ref", "log --oneline"]
        .map(|words| git_in(&place, &words.split(' ').collect::<Vec<_>>()));
    let tare = |words: &[&str]| {
        let mut command = place.command(words);
        command.current_dir(place.join("repo")).output().expect("tare runs")
    };
    let short = ["--quick", "--layouts", "1", "--launches", "4", "--rounds", "8"];
    let done = tare(&[&["bisect", "good", "HEAD", "--json"], &short[..]].concat());
    // The one that does not build is beside it: both may have made it, and nothing decides which.
    assert_eq!(code(&done), Some(11), "{}\n{}", out(&done), err(&done));
    let found: Value = serde_json::from_str(&out(&done)).expect("JSON");
    assert_eq!((&found["outcome"], &found["culprit"]), (&"undecided".into(), &Value::Null), "{found:#}");
    let candidates: Vec<&str> =
        found["candidates"].as_array().expect("a list").iter().filter_map(|c| c["commit"].as_str()).collect();
    assert!(candidates.contains(&culprit.as_str()) && candidates.len() == 2, "{found:#}");
    assert_eq!(
        (&found["against_parent"]["verdict"], &found["against_parent"]["base"]),
        (&"slower".into(), &"good".into())
    );
    assert_eq!(found["against_parent"]["of_parent"], false, "the parent does not build");
    let reason = found["tried"].as_array().expect("a list").iter().find_map(|tried| tried["reason"].as_str());
    assert!(reason.is_some_and(|reason| reason.starts_with("it does not build: ")), "{found:#}");
    let failed: Vec<_> = found["failed"].as_array().expect("a list").iter().collect();
    let of = |at: usize| (failed[at]["name"].as_str(), failed[at]["end"].as_str());
    assert_eq!((failed.len(), of(0), of(1)), (2, (Some("other.c"), Some("good")), (Some("other.c"), Some("HEAD"))));
    // Resumed: all is known but the comparison with the parent.
    let id = found["id"].as_str().expect("an id");
    let files = ["b.md", "b.html", "b.csv", "b.svg", "b.junit.xml", "b.adoc"];
    let files: Vec<&str> = files.iter().flat_map(|file| ["-o", file]).collect();
    let again = tare(&[&["bisect", "--resume", id], &files[..]].concat());
    let text = out(&again);
    assert!(
        code(&again) == Some(11) && text.starts_with("UNDECIDED  mix/chain: slower since one of 2 commits"),
        "{text}\n{}",
        err(&again)
    );
    assert!(text.contains("  Mix twice as often\n") && text.contains("  it does not build: "), "{text}");
    let read = |file: &str| std::fs::read_to_string(place.join("repo").join(file)).expect("a file");
    let page = read("b.md");
    assert!(page.starts_with("### UNDECIDED: mix/chain: slower since one of 2 commits"), "{page}");
    assert!(page.contains("| candidate ") && page.contains("Mix twice as often") && page.contains("it does not build"));
    assert!(read("b.html").contains("Content-Security-Policy") && read("b.svg").starts_with("<svg"));
    let table = read("b.csv");
    assert!(
        table.starts_with("benchmark,commit,") && table.lines().count() == 4 && table.contains(&culprit),
        "{table}"
    );
    assert!(read("b.junit.xml").contains("<testcase") && read("b.adoc").contains("Mix twice as often"));
    for file in ["b.md", "b.html", "b.csv", "b.svg", "b.junit.xml", "b.adoc"] {
        std::fs::remove_file(place.join("repo").join(file)).expect("removed");
    }
    let refused = tare(&["bisect", "--resume", id, "-o", "b.pyperf.json"]);
    let why = "the format `pyperf` needs a run of Tare, with what each visit measured; this is a bisection";
    assert!(code(&refused) == Some(2) && err(&refused).contains(why), "{}", err(&refused));
    let after = ["status --porcelain", "worktree list", "for-each-ref", "log --oneline"]
        .map(|words| git_in(&place, &words.split(' ').collect::<Vec<_>>()));
    assert_eq!(before, after, "the user's files, refs and worktrees are as they were");
    // Cases that are called after commits are no series.
    let rebuilt = out(&tare(&["history", "rebuild"]));
    assert!(
        rebuilt.starts_with("the history has 0 runs, ") && rebuilt.contains(" of bisections and profiles left out"),
        "{rebuilt}"
    );
    // What is wrong with the arguments is said before anything is built.
    for (words, exit, said) in [
        (&["bisect", "HEAD", "good"][..], 2, "`tare bisect good HEAD`"),
        (&["bisect", "good", "good"], 2, "are the same commit"),
        (&["bisect", "good", "worktree"], 2, "is not a commit"),
        (&["bisect", "good"], 2, "<BAD>"),
        (&["bisect", "--resume", "latest"], 2, "is not the start of a bisection"),
        (&["bisect", "--resume", id, "--filter", "x"], 2, "is already about `chain.c:mix/chain`"),
    ] {
        let done = tare(words);
        assert!(code(&done) == Some(exit) && err(&done).contains(said), "{words:?}: {}", err(&done));
    }
}
