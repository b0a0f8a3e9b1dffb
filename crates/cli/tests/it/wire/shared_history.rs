//! A history in a database that several share; names and changes that people say something of; projects and branches of a site.

use super::history::{added, recorded};
use crate::support::{err, git_in, json, out, skip, Place};
#[cfg(feature = "postgres")]
use crate::support::{reference, SHORT};
use std::fs;
use std::path::Path;

#[cfg(feature = "postgres")]
#[path = "../../../../history/tests/it/database.rs"]
#[allow(dead_code)]
mod database;

#[cfg(feature = "postgres")]
use database::Database;

#[cfg(feature = "postgres")]
const PASSWORD: &str = "s3cret:and/more";

/// All files below a folder.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[cfg(feature = "postgres")]
#[test]
fn a_shared_history_gets_every_run_even_if_it_could_not_be_reached() {
    let Some(mut database) = Database::start(&["fsync=off"]) else { return };
    let place = Place::new("history-shared");
    let url = database.url("owner", "");
    place.write("tare.toml", &format!("[history]\nrecord = true\nurl = \"{url}\"\nproject = \"one\"\n"));
    let run = || {
        let mut command = place.command(["run", reference(), "-f", "sum/*"].iter().chain(&SHORT));
        command.env("PGPASSWORD", PASSWORD).output().expect("started")
    };
    let count =
        |database: &Database| database.sql("SELECT count(*) FROM tare.run WHERE project = 'one'").expect("counted");
    assert!(place.fails_with(0, ["history"]).contains("no history yet"));
    let first = run();
    assert!(first.status.success() && !err(&first).contains("not in the history"), "{}", err(&first));
    assert_eq!(count(&database), "1");
    assert!(!place.join(".tare/history.db").exists());
    database.kill();
    let second = run();
    let said = err(&second);
    assert!(second.status.success() && out(&second).contains("sum"), "{said}");
    assert!(said.contains("the run is stored, but is not in the history: cannot reach `postgres://owner@"), "{said}");
    assert!(said.contains("`tare history push` adds it later"), "{said}");
    let error = place.fails_with(96, ["history"]);
    assert!(error.contains("cannot reach `postgres://owner@") && error.contains("hint: "), "{error}");
    database.up();
    assert!(place.ends_with(0, ["history", "push"]).starts_with("added 1 run, 1 there already: postgres://owner@"));
    assert!(place.ends_with(0, ["history", "push"]).starts_with("added 0 runs, 2 there already"));
    assert_eq!(count(&database), "2");
    assert!(place.ends_with(0, ["history", "rebuild"]).starts_with("the history has 2 runs: postgres://owner@"));
    let shown = json(&place.ends_with(0, ["history", "--format", "json"]));
    assert_eq!(shown["history"]["project"], "one");
    assert_eq!(shown["history"]["runs"].as_array().map(Vec::len), Some(2));
    // What was given to reach it is nowhere.
    for file in files(&place.join(".tare")) {
        let text = String::from_utf8_lossy(&fs::read(&file).expect("a file")).into_owned();
        assert!(!text.contains(PASSWORD) && !text.contains("postgres://"), "{}", file.display());
    }
    // Another project: its runs are its own, and the site has both.
    place.write("tare.toml", &format!("[history]\nrecord = true\nurl = \"{url}\"\nproject = \"two\"\n"));
    assert!(run().status.success());
    assert!(place.ends_with(0, ["history"]).contains("1 run"));
    assert!(place.ends_with(0, ["history", "--project", "one"]).contains("2 runs"));
    let error = place.fails_with(2, ["history", "--project", "three"]);
    assert!(error.contains("no run of the project `three`") && error.contains("`one` and `two`"), "{error}");
    place.ends_with(0, ["history", "--site", "public"]);
    let names: Vec<String> = files(&place.join("public")).iter().map(|path| path.display().to_string()).collect();
    let has = |part: &str| names.iter().any(|name| name.contains(part));
    assert!(has("/one-") && has("/two-") && has("/runs/"), "{names:?}");
    let index = place.read("public/index.html");
    assert!(index.contains("Projects") && index.contains("href=\"one-"), "links to the other project");
    // A role that may only read makes pages, and adds nothing.
    database
        .sql("CREATE ROLE pages LOGIN; GRANT USAGE ON SCHEMA tare TO pages; GRANT SELECT ON ALL TABLES IN SCHEMA tare TO pages")
        .expect("granted");
    let of_pages = url.replace("owner@", "pages@");
    place.write("tare.toml", &format!("[history]\nurl = \"{of_pages}\"\nproject = \"one\"\n"));
    assert!(place.ends_with(0, ["history"]).contains("2 runs"));
    let error = place.fails_with(96, ["history", "rebuild"]);
    assert!(error.contains("does not allow this") && error.contains("GRANT "), "{error}");
}

#[cfg(not(feature = "postgres"))]
#[test]
fn a_tare_without_postgres_names_the_feature() {
    let place = Place::new("history-without-postgres");
    place.write("tare.toml", "[history]\nurl = \"postgres://me@db.example/bench\"\n");
    for words in [&["history"][..], &["history", "push"]] {
        let error = place.fails_with(96, words);
        assert!(error.contains("built without PostgreSQL") && error.contains("--features postgres`"), "{error}");
    }
}

#[cfg(feature = "postgres")]
#[test]
fn a_password_has_no_place_in_a_configuration() {
    let place = Place::new("history-password");
    place.write("tare.toml", "[history]\nurl = \"postgres://me:s3cret@db.example/bench\"\n");
    for words in [&["history"][..], &["history", "push"], &["history", "--site", "public"]] {
        let error = place.fails_with(96, words);
        assert!(error.contains("it holds a password") && error.contains("PGPASSWORD"), "{error}");
        assert!(!error.contains("s3cret"), "{error}");
    }
    place.write("tare.toml", "[history]\nurl = \"mysql://me@db.example/bench\"\n");
    assert!(place.fails_with(96, ["history"]).contains("it begins with `postgres://`"));
}

#[test]
fn an_accepted_change_fails_no_gate_until_it_changes_again() {
    let place = Place::new("history-accepted");
    assert!(place.fails_with(2, ["history", "accept", "parse"]).contains("there is no history yet"));
    added(&place, 16, 10);
    let gate = || place.tare(["history", "-q", "--fail-on", "slower"]).status.code();
    assert_eq!(gate(), Some(10));
    let error = place.fails_with(4, ["history", "accept", "parse lnog"]);
    assert!(error.contains("did you mean `words/parse long`?"), "{error}");
    let said = place.ends_with(0, ["history", "accept", "words/*", "--reason", "safer <parsing>"]);
    assert_eq!(said, "accepted 1 change of `words/parse long`\n");
    assert_eq!(gate(), Some(0));
    let shown = place.ends_with(0, ["history", "--site", "public", "-o", "h.csv"]);
    assert!(shown.contains("accepted up to run abc0000f: safer <parsing>"), "{shown}");
    assert!(place.read("public/badge.svg").contains("no recent step"));
    assert!(!place.read("public/feed.xml").contains("<entry>"));
    assert!(place.read("public/index.html").contains("safer &lt;parsing&gt;"));
    assert!(place.read("h.csv").lines().next().is_some_and(|titles| titles.contains("accepted")));
    assert!(place.fails_with(0, ["history", "accept", "words/*"]).contains("nothing to accept"));
    // It changes again.
    let names = recorded(&place, 30, |at| [1.0, 1.3, 1.6][usize::from(at >= 10) + usize::from(at >= 20)]);
    place.ends_with(0, ["history".to_owned(), "add".to_owned()].into_iter().chain(names));
    assert_eq!(gate(), Some(10));
    assert!(place
        .ends_with(0, ["history", "accept", "words/*", "--forget"])
        .contains("of 1 benchmark are no longer accepted"));
}

#[test]
fn a_renamed_benchmark_goes_on_under_its_name_of_now() {
    let place = Place::new("history-renamed");
    let names = recorded(&place, 16, |at| if at < 10 { 1.0 } else { 1.3 });
    // Half of the runs know the second benchmark by another name.
    for name in &names[..8] {
        let text = place.read(name).replace("parse long", "parse old");
        place.write(name, &text);
    }
    place.ends_with(0, ["history".to_owned(), "add".to_owned()].into_iter().chain(names));
    let trends = || json(&place.ends_with(0, ["history", "--format", "json"]))["history"]["trends"].clone();
    assert_eq!(trends().as_array().map(Vec::len), Some(3));
    let error = place.fails_with(4, ["history", "rename", "words/parse odl", "words/parse long"]);
    assert!(error.contains("did you mean `words/parse old`?"), "{error}");
    assert!(place.fails_with(2, ["history", "rename", "x", "x"]).contains("both names are the same"));
    place.ends_with(0, ["history", "rename", "words/parse old", "words/parse long"]);
    let joined = trends();
    assert_eq!(joined.as_array().map(Vec::len), Some(2));
    let long =
        joined.as_array().and_then(|all| all.iter().find(|one| one["name"] == "words/parse long")).expect("a trend");
    assert_eq!(
        (long["points"].as_array().map(Vec::len), long["earlier"][0].as_str()),
        (Some(16), Some("words/parse old"))
    );
    assert_eq!(long["steps"].as_array().map(Vec::len), Some(1), "the step is where it was, not where the name changed");
    let one = place.ends_with(0, ["history", "words/parse long", "-v"]);
    assert!(one.contains("called `words/parse old` before"), "{one}");
    assert!(place.ends_with(0, ["history", "rename", "words/parse old", "--forget"]).contains("again"));
    assert_eq!(trends().as_array().map(Vec::len), Some(3));
    // `tare.toml` says the same for comparisons.
    place.write("tare.toml", "[compare]\nrename = { \"words/parse old\" = \"words/parse long\" }\n");
    assert_eq!(trends().as_array().map(Vec::len), Some(2));
}

#[test]
fn branches_have_pages_and_commits_between_two_runs_are_named() {
    if !crate::support::have("git") {
        return skip("branches_have_pages", "git");
    }
    let place = Place::new("history-branches");
    fs::create_dir(place.join("repo")).expect("a folder");
    let tare = |words: &[&str]| {
        let done = place.command(words).current_dir(place.join("repo")).output().expect("started");
        assert!(done.status.success(), "{words:?}: {}", err(&done));
        out(&done)
    };
    git_in(&place, &["init", "-q", "-b", "main"]);
    let mut commits = Vec::new();
    for at in 0..16 {
        git_in(&place, &["commit", "-q", "--allow-empty", "-m", &format!("Change <{at}>")]);
        commits.push(git_in(&place, &["rev-parse", "HEAD"]).trim().to_owned());
    }
    // The last but one of the first level is replaced, as by a forced push.
    git_in(&place, &["checkout", "-q", "--detach", &commits[3]]);
    git_in(&place, &["commit", "-q", "--allow-empty", "-m", "Gone"]);
    let gone = git_in(&place, &["rev-parse", "HEAD"]).trim().to_owned();
    git_in(&place, &["checkout", "-q", "main"]);
    git_in(&place, &["remote", "add", "origin", "https://user:s3cret@github.com/o/r.git"]);
    let names = recorded(&place, 16, |at| if at < 10 { 1.0 } else { 1.3 });
    for (at, name) in names.iter().enumerate() {
        let mut run = json(&place.read(name));
        let revision = if at == 5 { &gone } else { &commits[at] };
        let branch = if at % 4 == 1 { "topic/x" } else { "main" };
        run["parts"][0]["environment"]["git"] =
            serde_json::json!({"revision": revision, "dirty": false, "branch": branch});
        place.write(name, &run.to_string());
    }
    let paths: Vec<String> = names.iter().map(|name| format!("../{name}")).collect();
    tare(&["history", "add"].into_iter().chain(paths.iter().map(String::as_str)).collect::<Vec<_>>());
    let shown = tare(&["history", "--site", "public"]);
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("1 commit between them: ") && shown.contains("Change <10>"), "{shown}");
    let all = json(&tare(&["history", "--format", "json"]))["history"].clone();
    assert_eq!(all["commits"][0]["count"].as_u64(), Some(1));
    assert_eq!(
        json(&tare(&["history", "--branch", "main", "--format", "json"]))["history"]["runs"].as_array().map(Vec::len),
        Some(12)
    );
    let pages = files(&place.join("repo/public"));
    let page = |part: &str| {
        let found = pages
            .iter()
            .find(|path| path.display().to_string().contains(part) && path.extension().is_some_and(|e| e == "html"));
        fs::read_to_string(found.unwrap_or_else(|| panic!("{part}: {pages:?}"))).expect("a page")
    };
    assert!(page("branch-topic-x").contains("branch topic/x"));
    let index = place.read("repo/public/index.html");
    assert!(index.contains("Branches") && index.contains("topic/x"));
    let long = page("words-parse-long");
    assert!(
        long.contains("data-compare=\"https://github.com/o/r/compare/\"") && long.contains("data-commit="),
        "links to what changed"
    );
    for path in &pages {
        assert!(!fs::read_to_string(path).unwrap_or_default().contains("s3cret"), "{}", path.display());
    }
}
