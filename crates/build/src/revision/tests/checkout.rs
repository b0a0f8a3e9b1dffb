use super::repo::{git, Repo};
use crate::discover::discover;
use crate::revision::checkout::checkout_with;
use crate::toolchain::build_with;
use crate::toolchain::BuildOptions;
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_revision_is_a_folder_and_the_users_tree_stays_as_it_is() {
    let repo = Repo::new();
    repo.write(".gitattributes", "sub export-ignore\n");
    let before = repo.state();
    let checkout = repo.checkout("v1").unwrap();
    let commit = checkout.commit.clone().unwrap();
    assert_eq!((commit.subject.as_str(), checkout.name.as_str()), ("first: é", "v1"));
    assert_eq!(commit.id, repo.git(&["rev-parse", "v1"]));
    assert!(commit.id.starts_with(&commit.short) && commit.short.len() >= 4);
    assert_eq!(fs::read_to_string(checkout.folder.join("bench.c")).unwrap(), "one\n");
    assert!(checkout.folder.join("sub/in sub é.c").is_file() && !checkout.folder.join("sub/new.c").exists());
    assert_eq!(checkout.warnings, [""; 0]);
    assert!(!checkout.is_worktree());
    assert_eq!(repo.state(), before);
    // `git describe` in a build answers for this revision.
    assert_eq!(git(&repo.variables, &checkout.folder, &["describe", "--tags", "--always"]), "v1");
    assert_eq!(git(&repo.variables, &checkout.folder, &["rev-parse", "HEAD"]), commit.id);
    assert_eq!(git(&repo.variables, &checkout.folder, &["status", "--porcelain"]), "");
    assert_eq!(git(&repo.variables, &checkout.folder, &["log", "--format=%s"]), "first: é");
    let mode = fs::metadata(&repo.cache).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_checkout_is_made_once_and_mended() {
    let repo = Repo::new();
    let first = repo.checkout("HEAD~1").unwrap();
    let marker = first.folder.join("made by a build");
    fs::write(&marker, "").unwrap();
    // Another name of the same commit.
    assert_eq!(repo.checkout("v1").unwrap().folder, first.folder);
    assert!(marker.exists());
    fs::write(first.folder.join("bench.c"), "changed\n").unwrap();
    assert_eq!(repo.checkout("v1").unwrap().folder, first.folder);
    assert_eq!(fs::read_to_string(first.folder.join("bench.c")).unwrap(), "one\n");
    fs::remove_file(first.folder.join(".git/HEAD")).unwrap();
    assert!(repo.checkout("v1").unwrap().folder.join(".git/HEAD").is_file());
    let left: Vec<_> = fs::read_dir(repo.cache.join("revisions")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn paths_of_the_user_lead_to_the_same_place() {
    let repo = Repo::new();
    let mut checkout = repo.checkout("v1").unwrap();
    let inside = |name: &str| checkout.folder.join(name);
    assert_eq!(repo.path(&checkout, "sub").unwrap(), inside("sub"));
    assert_eq!(repo.path(&checkout, ".").unwrap(), checkout.folder);
    assert_eq!(repo.path(&checkout, "sub/../bench.c").unwrap(), inside("bench.c"));
    let absolute = repo.root.join("sub/in sub é.c");
    assert_eq!(repo.path(&checkout, absolute.to_str().unwrap()).unwrap(), inside("sub/in sub é.c"));
    // Through a link to the repository.
    let link = repo.folder.path.join("link");
    std::os::unix::fs::symlink(&repo.root, &link).unwrap();
    assert_eq!(repo.path(&checkout, link.join("bench.c").to_str().unwrap()).unwrap(), inside("bench.c"));
    // From a subfolder.
    let sub =
        crate::revision::checkout::checkout_with(&repo.variables, &repo.root.join("sub"), "v1", None, &repo.cache);
    checkout = sub.unwrap();
    assert_eq!(repo.path(&checkout, "in sub é.c").unwrap(), checkout.folder.join("sub/in sub é.c"));
    assert_eq!(repo.path(&checkout, ".").unwrap(), checkout.folder.join("sub"));
    assert_eq!(repo.path(&checkout, "..").unwrap(), checkout.folder);
}

#[test]
fn the_working_tree_is_built_in_place() {
    let repo = Repo::new();
    let before = repo.state();
    let checkout = repo.checkout("worktree").unwrap();
    assert!(checkout.is_worktree());
    assert_eq!(checkout.folder, repo.root);
    assert_eq!(checkout.commit.as_ref().unwrap().subject, "second");
    assert_eq!(repo.path(&checkout, "untracked.c").unwrap(), repo.root.join("untracked.c"));
    assert!(repo.path(&checkout, "nothing.c").is_err());
    assert_eq!(repo.state(), before);
    assert_eq!(Repo::empty().checkout("worktree").unwrap().commit, None);
}

#[test]
fn variables_of_a_hook_and_hooks_themselves_do_nothing() {
    let mut repo = Repo::new();
    let trap = repo.folder.write("trap", "#!/bin/sh\ntouch \"$HOME/sprung\"\n");
    fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).unwrap();
    for hook in ["post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"] {
        fs::copy(&trap, repo.root.join(".git/hooks").join(hook)).unwrap();
        let template = repo.folder.path.join("template/hooks");
        fs::create_dir_all(&template).unwrap();
        fs::copy(&trap, template.join(hook)).unwrap();
    }
    repo.folder.write(
        ".gitconfig",
        &format!(
            "[core]\n\tpager = {trap}\n\tfsmonitor = {trap}\n\thooksPath = {hooks}\n[init]\n\ttemplateDir = {template}\n\
             [submodule]\n\trecurse = true\n[log]\n\tshowSignature = true\n",
            trap = format!("\\\"{}\\\"", trap.display()),
            hooks = repo.root.join(".git/hooks").display(),
            template = repo.folder.path.join("template").display()
        ),
    );
    let elsewhere = Repo::new();
    repo.variables = repo
        .variables
        .with("GIT_DIR", elsewhere.root.join(".git"))
        .with("GIT_INDEX_FILE", repo.root.join(".git/index"))
        .with("GIT_WORK_TREE", "/")
        .with("GIT_OBJECT_DIRECTORY", "/nonexistent");
    let before = fs::read(repo.root.join(".git/index")).unwrap();
    let checkout = repo.checkout("v1").unwrap();
    assert_eq!(fs::read_to_string(checkout.folder.join("bench.c")).unwrap(), "one\n");
    assert_eq!(fs::read(repo.root.join(".git/index")).unwrap(), before);
    assert!(!repo.folder.path.join("sprung").exists());
}

#[test]
fn a_linked_worktree_and_a_shallow_clone_have_revisions_too() {
    let repo = Repo::new();
    let linked = repo.folder.path.join("linked");
    repo.git(&["worktree", "add", "--quiet", linked.to_str().unwrap(), "v1"]);
    let before = repo.state();
    let made = crate::revision::checkout::checkout_with(&repo.variables, &linked, "feature/parser", None, &repo.cache);
    let made = made.unwrap();
    assert_eq!(fs::read_to_string(made.folder.join("bench.c")).unwrap(), "two\n");
    assert_eq!(repo.state(), before);
    let shallow = repo.folder.path.join("shallow");
    let from = format!("file://{}", repo.root.display());
    repo.git(&["clone", "--quiet", "--depth=1", &from, shallow.to_str().unwrap()]);
    let cache = repo.folder.path.join("other cache");
    let made = crate::revision::checkout::checkout_with(&repo.variables, &shallow, "HEAD", None, &cache).unwrap();
    assert_eq!(git(&repo.variables, &made.folder, &["log", "--format=%s"]), "second");
    let failed =
        crate::revision::checkout::checkout_with(&repo.variables, &shallow, "HEAD~1", None, &cache).unwrap_err();
    assert!(failed.hint().contains("`git fetch --unshallow` fetches"), "{}", failed.hint());
    assert!(failed.to_string().contains("`HEAD~1`"), "{failed}");
}

#[test]
fn a_branch_that_only_the_remote_has_is_found_and_one_that_was_not_fetched_has_its_command() {
    let repo = Repo::new();
    let from = format!("file://{}", repo.root.display());
    let clone = repo.folder.path.join("clone");
    repo.git(&["branch", "base/one", "v1"]);
    repo.git(&["clone", "--quiet", &from, clone.to_str().unwrap()]);
    let checkout =
        |revision| crate::revision::checkout::checkout_with(&repo.variables, &clone, revision, None, &repo.cache);
    let made = checkout("base/one").unwrap();
    assert_eq!(fs::read_to_string(made.folder.join("bench.c")).unwrap(), "one\n");
    let warned = "there is no branch or tag `base/one` here: `origin/base/one` is meant";
    assert!(made.warnings.iter().any(|warning| warning == warned), "{:?}", made.warnings);
    assert!(checkout("base/one~0").is_ok());
    // Ambiguous: two remotes have it.
    git(&repo.variables, &clone, &["remote", "add", "other", &from]);
    git(&repo.variables, &clone, &["-c", "protocol.allow=always", "fetch", "--quiet", "other"]);
    let failed = checkout("base/one").unwrap_err();
    assert!(failed.hint().contains("`origin/base/one`, `other/base/one`"), "{}", failed.hint());

    let shallow = repo.folder.path.join("shallow");
    repo.git(&["clone", "--quiet", "--depth=1", "--branch=v1", &from, shallow.to_str().unwrap()]);
    let checkout =
        |revision| crate::revision::checkout::checkout_with(&repo.variables, &shallow, revision, None, &repo.cache);
    let failed = checkout("base/one").unwrap_err().hint();
    let fetch = "git fetch --depth=1 origin base/one:refs/remotes/origin/base/one";
    assert!(failed.contains(&format!("`{fetch}` fetches it")), "{failed}");
    assert!(failed.contains("fetch-depth: 0"), "{failed}");
    // Bisecting needs the commits between.
    let between = crate::revision::history::history_with(&repo.variables, &shallow, ["base/one", "HEAD"], false);
    let failed = between.unwrap_err().hint();
    assert!(failed.contains("`git fetch --unshallow --tags origin "), "{failed}");
    let words: Vec<&str> = ["-c", "protocol.allow=always"].into_iter().chain(fetch.split(' ').skip(1)).collect();
    git(&repo.variables, &shallow, &words);
    assert!(checkout("base/one").is_ok());
    let failed = checkout("HEAD~7").unwrap_err().hint();
    assert!(failed.contains("`git fetch --unshallow` fetches the older commits"), "{failed}");
}

#[test]
fn both_sides_are_built_apart_and_one_may_be_broken() {
    let repo = Repo::new();
    let source =
        |value: &str| format!("#include <tare.h>\nTARE_C_BENCH(\"x\") {{ int one = {value}; tare_keep(one); }}\n");
    repo.write("bench/a b.c", &source("1"));
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.write("bench/a b.c", &source("2"));
    repo.commit("better");
    repo.git(&["tag", "better"]);
    repo.write("bench/a b.c", &source("undeclared_name"));
    repo.commit("broken");
    let options = BuildOptions { cache: repo.cache.clone(), parallel: 2, layouts: 1, ..BuildOptions::default() };
    let build = |revision: &str| {
        let checkout = repo.checkout(revision).unwrap();
        let targets = discover(&[repo.path(&checkout, "bench/a b.c").unwrap()]).unwrap();
        build_with(&targets, &options, &repo.variables, &mut |_| ()).remove(0)
    };
    let (good, better) = (build("good").unwrap(), build("better").unwrap());
    assert_eq!(good.name, better.name);
    assert_ne!(good.command, better.command);
    assert_ne!(good.hash, better.hash);
    let failure = build("HEAD").unwrap_err();
    assert!(failure.output.contains("undeclared_name"), "{failure}");
    // The first side is still there.
    assert_eq!(build("good").unwrap(), good);
}

#[test]
fn a_partial_clone_has_the_files_of_its_sparse_checkout() {
    let repo = Repo::empty();
    repo.write("pay/a.c", "pay\n");
    repo.write("ship/b.c", "ship\n");
    repo.commit("both");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let clone = repo.folder.path.join("clone");
    let words = ["-c", "protocol.file.allow=always", "clone", "--quiet", "--filter=blob:none", "--sparse"];
    let url = format!("file://{}", repo.root.display());
    repo.git(&[&words[..], &[&url, &clone.to_string_lossy()]].concat());
    let git = |words: &[&str]| super::repo::git(&repo.variables, &clone, words);
    git(&["-c", "protocol.file.allow=always", "sparse-checkout", "set", "pay"]);
    let checkout = checkout_with(&repo.variables, &clone, "HEAD", None, &repo.cache).unwrap();
    assert!(checkout.folder.join("pay/a.c").is_file() && !checkout.folder.join("ship").exists());
    assert!(checkout.warnings.iter().any(|warning| warning.contains("sparse checkout")), "{:?}", checkout.warnings);
    // It is found again.
    assert_eq!(checkout_with(&repo.variables, &clone, "HEAD", None, &repo.cache).unwrap(), checkout);
}
