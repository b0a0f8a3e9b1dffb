use super::repo::Repo;
use crate::revision::history::{ahead, history_with, merge_base, Between};
use crate::revision::RevisionError;
use std::fs;

fn between(repo: &Repo, ends: [&str; 2], first_parent: bool) -> Result<Between, RevisionError> {
    history_with(&repo.variables, &repo.root, ends, first_parent)
}

fn subjects(between: &Between) -> Vec<&str> {
    between.commits.iter().map(|c| c.commit.subject.as_str()).collect()
}

/// `a`, then `b` on main and `c`, `d` on a branch, merged, then `e`.
fn merged() -> Repo {
    let repo = Repo::empty();
    let commit = |name: &str| {
        repo.write(&format!("{name}.c"), name);
        repo.commit(name);
    };
    commit("a");
    repo.git(&["tag", "start"]);
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    commit("c");
    commit("d");
    repo.git(&["checkout", "--quiet", "main"]);
    commit("b");
    repo.git(&["merge", "--quiet", "--no-ff", "-m", "merge", "side"]);
    commit("e");
    repo
}

#[test]
fn parents_stand_before_their_children() {
    let repo = merged();
    let all = between(&repo, ["start", "main"], false).unwrap();
    assert_eq!((subjects(&all).len(), subjects(&all)[3..].to_vec()), (5, vec!["merge", "e"]));
    let place = |subject: &str| subjects(&all).iter().position(|s| *s == subject).unwrap();
    let merge = &all.commits[place("merge")];
    assert_eq!(merge.parents, [place("b"), place("d")], "the first parent first");
    assert_eq!(all.commits[place("c")].parents, Vec::<usize>::new(), "its parent is the older end");
    assert_eq!(all.commits[place("c")].first_parent.as_deref(), Some(all.good.id.as_str()));
    let author = &all.commits[place("e")].author;
    assert!(author.name == "T" && author.date.len() >= 20, "{author:?}");
    let main = between(&repo, ["start", "main"], true).unwrap();
    assert_eq!(subjects(&main), ["b", "merge", "e"]);
    assert_eq!(main.commits[1].parents, [0]);
}

#[test]
fn ends_that_are_no_ends_are_errors() {
    let repo = merged();
    let fails = |ends: [&str; 2], text: &str, hint: &str| {
        let error = between(&repo, ends, false).unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
        assert!(error.hint().contains(hint), "{}", error.hint());
    };
    fails(["main", "HEAD"], "`main` and `HEAD` are the same commit", "an older revision first");
    fails(["main", "start"], "`start` does not descend from `main`", "`tare bisect start main`");
    repo.git(&["checkout", "--quiet", "-b", "other", "start"]);
    repo.write("f.c", "f");
    repo.commit("f");
    fails(["main", "other"], "`other` does not descend from `main`", "both branched off at ");
    repo.git(&["checkout", "--quiet", "--orphan", "alone"]);
    repo.commit("alone");
    fails(["main", "alone"], "`alone` does not descend", "no commit in common");
    fails(["nowhere", "main"], "`nowhere` is not a revision", "");
}

#[test]
fn a_shallow_clone_says_what_it_lacks() {
    let repo = merged();
    let from = format!("file://{}", repo.root.display());
    let clone = repo.folder.path.join("shallow");
    fs::create_dir(&clone).unwrap();
    let git = |words: &[&str]| super::repo::git(&repo.variables, &clone, words);
    git(&["clone", "--quiet", "--depth", "1", "--branch", "main", &from, "."]);
    git(&["fetch", "--quiet", "--depth", "1", "origin", "tag", "start"]);
    let error = history_with(&repo.variables, &clone, ["start", "main"], false).unwrap_err();
    assert!(error.to_string().contains("does not descend"), "{error:?}");
    assert!(error.hint().contains("git fetch --unshallow"), "{}", error.hint());
}

#[test]
fn what_a_base_has_since_the_fork() {
    let repo = merged();
    repo.git(&["checkout", "--quiet", "-b", "branch", "start"]);
    repo.write("g.c", "g");
    repo.commit("g");
    let start = repo.git(&["rev-parse", "start"]);
    assert_eq!(merge_base(&repo.root, "main", "branch").unwrap().id, start.trim());
    assert_eq!((ahead(&repo.root, "main", "branch"), ahead(&repo.root, "branch", "main")), (5, 1));
    assert_eq!((ahead(&repo.root, "start", "main"), ahead(&repo.root, "nowhere", "main")), (0, 0));
}
