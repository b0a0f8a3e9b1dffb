use super::repo::Repo;
use crate::revision::side::{resolve_with, Side, SideContext, SideError};
use std::fs;
use std::path::Path;

fn resolve(repo: &Repo, text: &str) -> Result<Side, SideError> {
    let is_result = |path: &Path| fs::read_to_string(path).is_ok_and(|text| text.starts_with('{'));
    resolve_with(&repo.variables, text, &SideContext { folder: &repo.root, is_result: &is_result })
}

#[test]
fn words_mean_what_one_expects() {
    let repo = Repo::new();
    let at = |name: &str| repo.root.join(name);
    repo.write("before.json", "{}");
    repo.write("program", "#!/bin/sh\n");
    repo.write("script.c", "int main() {}\n");
    for name in ["program", "script.c"] {
        fs::set_permissions(at(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    assert_eq!(resolve(&repo, "before.json").unwrap(), Side::Result(at("before.json")));
    assert_eq!(resolve(&repo, "program").unwrap(), Side::Program(at("program")));
    assert_eq!(resolve(&repo, "script.c").unwrap(), Side::Source(at("script.c")));
    assert_eq!(resolve(&repo, "sub").unwrap(), Side::Source(at("sub")));
    assert_eq!(resolve(&repo, ".").unwrap(), Side::Source(at(".")));
    assert_eq!(resolve(&repo, at("sub").to_str().unwrap()).unwrap(), Side::Source(at("sub")));
    assert_eq!(resolve(&repo, "worktree").unwrap(), Side::Worktree);
    for revision in ["main", "HEAD", "HEAD~1", "v1", "feature/parser", "refs/heads/main"] {
        assert_eq!(resolve(&repo, revision).unwrap(), Side::Revision(revision.to_owned()));
    }
}

#[test]
fn two_meanings_are_told_with_both_ways_out() {
    let repo = Repo::new();
    fs::create_dir(repo.root.join("main")).unwrap();
    repo.write("v1", "{");
    let error = resolve(&repo, "main").unwrap_err();
    assert_eq!(error.to_string(), "`main` is a folder and a git revision");
    assert_eq!(error.hint(), "write `./main` for the folder and `refs/heads/main` for the git revision");
    assert_eq!(resolve(&repo, "./main").unwrap(), Side::Source(repo.root.join("./main")));
    assert_eq!(resolve(&repo, "refs/heads/main").unwrap(), Side::Revision("refs/heads/main".to_owned()));
    let error = resolve(&repo, "v1").unwrap_err();
    assert_eq!(error.hint(), "write `./v1` for the file and `refs/tags/v1` for the git revision");
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.write(&head[..8], "");
    assert!(resolve(&repo, &head[..8]).unwrap_err().hint().contains(&head), "the whole commit is no path");
    fs::create_dir(repo.root.join("worktree")).unwrap();
    let error = resolve(&repo, "worktree").unwrap_err();
    assert_eq!(error.hint(), "write `./worktree` for the folder and `.` for the uncommitted state");
}

#[test]
fn what_means_nothing_is_told() {
    let mut repo = Repo::new();
    let error = resolve(&repo, "mian").unwrap_err();
    assert_eq!(error.to_string(), "`mian` is neither a file, a folder nor a git revision");
    assert!(error.hint().contains("`main`"), "{}", error.hint());
    assert_eq!(resolve(&repo, "./mian").unwrap_err().to_string(), "`./mian` does not exist");
    let hint = |text: &str| resolve(&repo, text).unwrap_err().hint();
    let meant = [hint("latst"), hint("latset~2"), hint("wortkree"), hint("HAED").split(';').next().unwrap().to_owned()];
    let words = ["latest", "latest~2", "worktree", "HEAD"].map(|word| format!("did you mean `{word}`"));
    assert!(meant.iter().zip(&words).all(|(hint, word)| hint.starts_with(word.as_str())), "{meant:?}");
    assert!(matches!(resolve(&repo, "refs/heads/x").unwrap_err(), SideError::Revision(_)));
    assert!(resolve(&repo, "").is_err());
    // Paths still work without git or a repository.
    let folder = repo.folder.path.clone();
    repo.variables = repo.variables.with("GIT_CEILING_DIRECTORIES", &folder);
    repo.root = folder.join("outside");
    repo.write("a.c", "");
    assert_eq!(resolve(&repo, "a.c").unwrap(), Side::Source(repo.root.join("a.c")));
    assert!(resolve(&repo, "b.c").unwrap_err().hint().contains("check the path"));
    repo.variables = repo.variables.with("PATH", "/nonexistent");
    assert_eq!(resolve(&repo, "a.c").unwrap(), Side::Source(repo.root.join("a.c")));
    assert!(resolve(&repo, "main").unwrap_err().hint().contains("apt install git"));
}
