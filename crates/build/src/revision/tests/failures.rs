use super::repo::Repo;
use crate::revision::checkout::checkout_with;
use crate::revision::{RevisionError, Why};
use crate::toolchain::context::Variables;
use std::fs;

#[track_caller]
fn reported(error: &RevisionError, text: &str, hint: &str) {
    assert!(error.to_string().contains(text), "{error}");
    assert!(!error.to_string().contains('\n'), "{error}");
    assert!(error.hint().contains(hint), "{}", error.hint());
}

#[test]
fn an_unknown_revision_lists_its_neighbours() {
    let repo = Repo::new();
    reported(&repo.checkout("mian").unwrap_err(), "`mian` is not a revision of `", "known here: `main`");
    reported(&repo.checkout("HAED~1").unwrap_err(), "`HAED~1`", "did you mean `HEAD~1`; known here");
    reported(&repo.checkout("parser").unwrap_err(), "`parser`", "`feature/parser`");
    reported(&repo.checkout("0000000000").unwrap_err(), "`0000000000`", "`main`");
    reported(&repo.checkout("--all").unwrap_err(), "`--all`", "`main`");
    reported(&repo.checkout("").unwrap_err(), "``", "`main`");
    reported(&repo.checkout("v1..main").unwrap_err(), "`v1..main`", "`tare compare v1 main`");
    reported(&Repo::empty().checkout("HEAD").unwrap_err(), "`HEAD`", "no branch or tag yet");
    repo.git(&["checkout", "--quiet", "--detach"]);
    let names = repo.git(&["for-each-ref", "--format=%(refname)"]);
    names.lines().for_each(|name| _ = repo.git(&["update-ref", "-d", name]));
    reported(&repo.checkout("HEAD~9").unwrap_err(), "`HEAD~9`", "known here: `HEAD`");
    let repo = Repo::new();
    // A file is no commit.
    reported(&repo.checkout("main:bench.c").unwrap_err(), "`main:bench.c`", "");
}

#[test]
fn a_name_of_a_tag_and_of_a_branch_is_told() {
    let repo = Repo::new();
    repo.git(&["branch", "v1"]);
    let checkout = repo.checkout("v1").unwrap();
    assert!(checkout.warnings[0].contains("`refs/heads/v1` or `refs/tags/v1`"), "{:?}", checkout.warnings);
}

#[test]
fn a_path_that_the_revision_lacks() {
    let repo = Repo::new();
    repo.git(&["stash", "--quiet", "--include-untracked"]);
    fs::rename(repo.root.join("sub/new.c"), repo.root.join("moved.c")).unwrap();
    fs::create_dir(repo.root.join("benches")).unwrap();
    fs::rename(repo.root.join("bench.c"), repo.root.join("benches/bench.c")).unwrap();
    repo.commit("moved");
    let old = repo.checkout("v1").unwrap();
    let error = repo.path(&old, "moved.c").unwrap_err();
    reported(&error, "`moved.c` does not exist in `v1`", "git log --follow -- moved.c");
    let error = repo.path(&old, "benches/bench.c").unwrap_err();
    reported(&error, "`benches/bench.c` does not exist in `v1`", "it may be called `bench.c`");
    reported(&repo.path(&old, "/etc/passwd").unwrap_err(), "`/etc/passwd` is outside the repository", "name files");
    reported(&repo.path(&old, "../../x").unwrap_err(), "`../../x` is outside", "name files");
}

#[test]
fn no_repository_no_git_no_files() {
    let mut repo = Repo::new();
    let outside = repo.folder.path.join("outside");
    fs::create_dir(&outside).unwrap();
    repo.variables = repo.variables.with("GIT_CEILING_DIRECTORIES", &repo.folder.path);
    let error = checkout_with(&repo.variables, &outside, "main", None, &repo.cache).unwrap_err();
    reported(&error, "is not in a git repository", "tare compare OLD NEW");
    let gone = repo.folder.path.join("gone");
    reported(&checkout_with(&repo.variables, &gone, "main", None, &repo.cache).unwrap_err(), "is not in a git", "");
    let bare = repo.folder.path.join("bare.git");
    repo.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    reported(
        &checkout_with(&repo.variables, &bare, "main", None, &repo.cache).unwrap_err(),
        "no working tree",
        "git clone",
    );
    let without = Variables::default().with("PATH", "/nonexistent");
    reported(
        &checkout_with(&without, &repo.root, "main", None, &repo.cache).unwrap_err(),
        "`git` was not found",
        "apt install",
    );
}

#[test]
fn a_repository_of_another_user_is_named() {
    let mut repo = Repo::new();
    repo.variables = repo.variables.with("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    // Tare removes this variable from the environment, so the script sets it.
    let script = "#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec /usr/bin/git \"$@\"\n";
    let git = repo.folder.write("bin/git", script);
    fs::set_permissions(&git, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    if !std::path::Path::new("/usr/bin/git").is_file() {
        eprintln!("skipped: no `/usr/bin/git`");
        return;
    }
    let path = format!("{}:/usr/bin:/bin", repo.folder.path.join("bin").display());
    let variables = repo.variables.clone().with("PATH", path);
    let error = checkout_with(&variables, &repo.root, "main", None, &repo.cache).unwrap_err();
    reported(&error, "belongs to another user", "git config --global --add safe.directory '/");
}

#[test]
fn what_was_never_downloaded_is_told_and_not_downloaded() {
    let repo = Repo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = repo.folder.path.join("partial");
    let from = format!("file://{}", repo.root.display());
    repo.git(&["clone", "--quiet", "--filter=blob:none", &from, partial.to_str().unwrap()]);
    let count = || super::repo::git(&repo.variables, &partial, &["count-objects", "-v"]);
    let before = count();
    let error = checkout_with(&repo.variables, &partial, "origin/HEAD~1", None, &repo.cache).unwrap_err();
    reported(&error, "the repository lacks files of `origin/HEAD~1`", "tare never downloads");
    assert_eq!(count(), before);
}

#[test]
fn a_cache_that_cannot_be_written() {
    let mut repo = Repo::new();
    repo.cache = repo.root.join("bench.c/cache");
    let error = repo.checkout("v1").unwrap_err();
    reported(&error, "cannot create the cache", "");
    assert_eq!(error.why, Why::SetUp);
}
