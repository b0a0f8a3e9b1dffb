//! The action and the files for CI: their steps run in a repository, with stand-ins for the tools that talk to GitHub
//! and GitLab. The benchmark tells its time.

use crate::support::{err, git_in, have, skip, Place, ROOT};
use std::process::{Command, Output};

/// Comments, a file each, as the real tools keep them: the first is of another tool.
const TALKER: &str = r#"#!/usr/bin/env python3
import json, os, pathlib, sys, urllib.parse
words, here = sys.argv[1:], pathlib.Path(os.environ["COMMENTS"])
place = next(word for word in words if "/comments" in word or "/notes" in word).split("?")[0]
method = next((words[i + 1] for i, word in enumerate(words) if word in ("--method", "--request")), "GET")
body = next((pathlib.Path(word.split("@", 1)[1]).read_text() for word in words if word.startswith(("body=@", "body@"))), None)
if method == "GET":
    comments = [{"id": int(f.name), "body": f.read_text()} for f in sorted(here.iterdir())]
    if "--jq" not in words: print(json.dumps(comments))
    for comment in comments if "--jq" in words else []:
        if comment["body"].startswith(os.environ["MARK"]): print(comment["id"])
elif method == "POST": (here / str(len(list(here.iterdir())) + 1)).write_text(body)
else: (here / place.rsplit("/", 1)[1]).write_text(body)
"#;

/// The script below the first line that is `key: |` or `- |` after `start`.
fn script(file: &str, start: &str) -> String {
    let text = std::fs::read_to_string(format!("{ROOT}/{file}")).expect("it is there");
    let rest = &text[text.find(start).unwrap_or_else(|| panic!("{file} has {start}"))..];
    let mut lines = rest.lines().skip_while(|line| !line.ends_with(" |")).skip(1).peekable();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let first = depth(lines.peek().expect("a script"));
    let own = lines.take_while(|line| line.trim().is_empty() || depth(line) >= first);
    own.map(|line| line.get(first..).unwrap_or_default().to_owned() + "\n").collect()
}

fn step(place: &Place, script: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new("bash");
    let path = format!("{}:{}", place.join("tools").display(), std::env::var("PATH").unwrap_or_default());
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(place.join("repo"));
    command.env("PATH", path).env("HOME", place.join("home")).env("XDG_CACHE_HOME", crate::support::cache());
    for (name, file) in [("COMMENTS", "comments"), ("GITHUB_STEP_SUMMARY", "summary"), ("GITHUB_OUTPUT", "output")] {
        command.env(name, place.join(file));
    }
    command.envs(variables.iter().copied()).output().expect("bash runs")
}

/// A repository whose last commit made its benchmark 1.5 times slower.
fn repository(name: &str) -> Option<Place> {
    if !have("bash") || !have("git") || !have("python3") {
        skip("files for CI", "there is no bash, git or python3");
        return None;
    }
    let place = Place::new(name);
    for talker in ["tools/gh", "tools/curl"] {
        place.script(talker, TALKER);
    }
    place.script("tools/tare", &format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_tare")));
    place.write("comments/1", "the report of another tool");
    place.told("repo/work", "bench work 1000000\n");
    git_in(&place, &["init", "-q"]);
    git_in(&place, &["add", "-A"]);
    git_in(&place, &["commit", "-qm", "one"]);
    place.told("repo/work", "bench work 1500000\n");
    git_in(&place, &["commit", "-qam", "two"]);
    Some(place)
}

/// What stands in the comments: that of the other tool, and one of ours, which was written twice.
fn assert_one_comment(place: &Place) {
    let comments = std::fs::read_dir(place.join("comments")).expect("there").count();
    assert_eq!((comments, place.read("comments/1").as_str()), (2, "the report of another tool"));
    let ours = place.read("comments/2");
    assert!(ours.starts_with("<!-- tare: benchmarks -->\n") && ours.contains("slower"), "{ours}");
}

#[test]
fn the_files_for_github_keep_one_comment_and_end_as_the_gate_does() {
    let Some(place) = repository("ci-github") else { return };
    let given =
        [("BASE", "HEAD^1"), ("HEAD", "HEAD"), ("BENCHMARKS", ""), ("FAIL_ON", "slower:3%"), ("BUDGET", "5s/case")];
    let talks = [("GITHUB_REPOSITORY", "a/b"), ("NUMBER", "7"), ("NAME", "benchmarks"), ("SOURCE", ""), ("CODE", "10")];
    let variables: Vec<(&str, &str)> = given.into_iter().chain(talks).chain([("ARGUMENTS", "--quick")]).collect();
    for file in ["action.yml", "examples/ci/github-actions.yml"] {
        for name in ["Install tare", "Compare with the base", "Comment"] {
            if file != "action.yml" && name == "Install tare" {
                continue;
            }
            let done = step(&place, &script(file, &format!("- name: {name}")), &variables);
            assert!(done.status.success(), "{file}, {name}: {}", err(&done));
        }
        assert!(place.read("output").ends_with("code=10\n"), "{}", place.read("output"));
        assert!(place.read("summary").contains("slower"));
        assert_one_comment(&place);
        assert_eq!(step(&place, &script(file, "- name: Verdict"), &variables).status.code(), Some(10));
    }
    // Where nothing was compared, the comment says so.
    std::fs::remove_file(place.join("repo/comment.md")).expect("there");
    let done = step(&place, &script("action.yml", "- name: Comment"), &variables);
    assert!(done.status.success() && place.read("comments/2").contains("Nothing was compared"), "{}", err(&done));
}

#[test]
fn the_file_for_gitlab_keeps_one_comment_and_ends_as_the_gate_does() {
    let Some(place) = repository("ci-gitlab") else { return };
    let base = git_in(&place, &["rev-parse", "HEAD^1"]);
    let talks = [("CI_API_V4_URL", "a"), ("CI_PROJECT_ID", "1"), ("CI_MERGE_REQUEST_IID", "7")];
    let own = [("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.as_str()), ("TARE_TOKEN", "token")];
    for _ in 0..2 {
        let variables: Vec<(&str, &str)> = talks.into_iter().chain(own).collect();
        let done = step(&place, &script("examples/ci/gitlab-ci.yml", "  script:"), &variables);
        assert_eq!(done.status.code(), Some(10), "{}", err(&done));
        assert_one_comment(&place);
    }
}
