use super::repo::Repo;
use std::fs;
use std::path::Path;

/// A workspace of two packages, one of them linked into `node_modules`; all installed files are ignored.
fn workspace() -> Repo {
    let repo = Repo::empty();
    repo.write(".gitignore", "node_modules\n");
    repo.write("package.json", "{\"workspaces\": [\"parts/*\"]}\n");
    repo.write("package-lock.json", "1\n");
    repo.write("parts/own/package.json", "{\"name\": \"own\"}\n");
    repo.write("parts/own/index.js", "old\n");
    repo.commit("one");
    repo.git(&["tag", "v1"]);
    repo.write("parts/own/index.js", "new\n");
    repo.commit("two");
    repo
}

fn install(repo: &Repo) {
    repo.write("node_modules/other/index.js", "installed\n");
    repo.write("node_modules/@owner/third/index.js", "third\n");
    repo.write("node_modules/.bin/tool", "tool\n");
    repo.write("node_modules/.cache/x", "cached\n");
    repo.write("parts/own/node_modules/inner/index.js", "inner\n");
    std::os::unix::fs::symlink("../parts/own", repo.root.join("node_modules/own")).unwrap();
}

fn reads(folder: &Path, path: &str) -> Option<String> {
    fs::read_to_string(folder.join(path)).ok()
}

#[test]
fn packages_are_linked_also_into_a_checkout_that_was_there_before_them() {
    let repo = workspace();
    let folder = repo.checkout("v1").unwrap().folder;
    assert!(!folder.join("node_modules").exists());
    install(&repo);
    let before = repo.state();
    for _ in 0..2 {
        let checkout = repo.checkout("v1").unwrap();
        assert_eq!((checkout.folder.as_path(), checkout.warnings.len()), (folder.as_path(), 0));
    }
    for (path, text) in [
        ("node_modules/other/index.js", "installed\n"),
        ("node_modules/@owner/third/index.js", "third\n"),
        ("node_modules/.bin/tool", "tool\n"),
        ("parts/own/node_modules/inner/index.js", "inner\n"),
        // A package of the repository comes from the revision.
        ("node_modules/own/index.js", "old\n"),
    ] {
        assert_eq!(reads(&folder, path).as_deref(), Some(text), "{path}");
    }
    // A tool's files there do not end up among the user's files.
    fs::create_dir(folder.join("node_modules/.cache")).unwrap();
    fs::write(folder.join("node_modules/.cache/x"), "of the checkout\n").unwrap();
    assert_eq!(repo.state(), before);
    // The checkout counts as complete, and removing it keeps the targets of links.
    assert_eq!(repo.checkout("v1").unwrap().folder, folder);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(repo.state(), before);
}

#[test]
fn other_versions_are_remarked_and_committed_packages_stay() {
    let repo = workspace();
    install(&repo);
    let of = |revision: &str| repo.checkout(revision).unwrap().warnings;
    assert_eq!(of("v1"), Vec::<String>::new());
    // Scripts do not affect installed packages.
    repo.write("package.json", "{\"workspaces\": [\"parts/*\"], \"scripts\": {\"x\": \"y\"}}\n");
    assert_eq!(of("v1"), Vec::<String>::new());
    repo.write("package-lock.json", "2\n");
    let warned = of("v1");
    assert!(warned[0].starts_with("`package-lock.json` differs from that of the working tree"), "{warned:?}");
    repo.write("parts/own/package.json", "{\"dependencies\": {\"inner\": \"2\"}}\n");
    let warned = of("v1");
    assert!(warned.len() == 2 && warned[1].contains("`parts/own/node_modules`"), "{warned:?}");

    repo.git(&["add", "--force", "node_modules"]);
    repo.commit("with packages");
    let checkout = repo.checkout("HEAD").unwrap();
    assert!(!checkout.folder.join("node_modules/other").is_symlink());
    assert_eq!(reads(&checkout.folder, "node_modules/other/index.js").as_deref(), Some("installed\n"));
    assert!(!repo.checkout("HEAD~1").unwrap().folder.join("node_modules/.cache").exists());
}

#[test]
fn a_copy_of_a_package_of_the_repository_is_that_of_the_revision() {
    let repo = Repo::empty();
    repo.write(".gitignore", "node_modules\n");
    let manifest = |version: &str| format!("{{\"name\": \"@us/own\", \"version\": \"{version}\"}}\n");
    repo.write("bench/package.json", "{\"dependencies\": {\"@us/own\": \"^1.0.0\"}}\n");
    repo.write("parts/own/package.json", &manifest("1.0.0"));
    repo.write("parts/own/index.js", "old\n");
    repo.commit("one");
    repo.write("bench/node_modules/@us/own/package.json", &manifest("1.0.0"));
    repo.write("bench/node_modules/@us/own/index.js", "old\n");
    let copied = |revision: &str| {
        let checkout = repo.checkout(revision).unwrap();
        (reads(&checkout.folder, "bench/node_modules/@us/own/index.js").unwrap(), checkout.warnings.join("\n"))
    };
    assert_eq!(copied("worktree"), ("old\n".to_owned(), String::new()), "it is as its sources are");
    repo.write("parts/own/index.js", "new\n");
    repo.commit("two");
    assert_eq!(copied("HEAD"), ("new\n".to_owned(), String::new()));
    assert_eq!(copied("HEAD~1").0, "old\n");
    let (_, warning) = copied("worktree");
    assert!(warning.starts_with("`bench/node_modules/@us/own` is an old copy of `parts/own`"), "{warning}");
    // An earlier published version is not a copy of the repository's.
    repo.write("bench/node_modules/@us/own/package.json", &manifest("0.9.0"));
    let (text, warning) = copied("HEAD");
    assert!(text == "old\n" && warning.contains("is another version than `parts/own`"), "{warning}");
    assert_eq!(copied("worktree").1, "");
}

#[test]
fn a_lock_file_that_is_not_in_git_is_that_of_the_user() {
    let repo = Repo::new();
    repo.write(".gitignore", "Cargo.lock\n");
    repo.write("Cargo.toml", "[package]\nname = \"a\"\n");
    repo.commit("a library");
    repo.write("Cargo.lock", "one");
    let locked = || {
        let checkout = repo.checkout("HEAD").unwrap();
        (reads(&checkout.folder, "Cargo.lock").unwrap(), checkout.notes.len())
    };
    assert_eq!(locked(), ("one".to_owned(), 1));
    repo.write("Cargo.lock", "two");
    assert_eq!(locked(), ("two".to_owned(), 1));
    repo.write(".gitignore", "target\n");
    repo.commit("the lock file too");
    repo.write("Cargo.lock", "three");
    assert_eq!(locked(), ("two".to_owned(), 0), "a revision with one has its own");
}

#[test]
fn a_workspace_of_go_that_is_not_in_git_leads_into_the_checkout() {
    let repo = Repo::new();
    repo.write(".gitignore", "go.work\n");
    repo.write("app/go.mod", "module app\n");
    repo.commit("a module");
    let top = repo.checkout("HEAD").unwrap().folder;
    let root = repo.write("go.work", "").parent().unwrap().canonicalize().unwrap();
    repo.write("go.work", &format!("go 1.21\n\nuse (\n\t./app\n\t./later\n\t{}/app\n)\n", root.display()));
    let checkout = repo.checkout("HEAD").unwrap();
    assert_eq!(checkout.notes.len(), 1);
    // Go would fail on a module that the revision lacks.
    let expected = format!("go 1.21\n\nuse (\n\t./app\n\t{}/app\n)\n", top.display());
    assert_eq!(reads(&checkout.folder, "go.work"), Some(expected));
    fs::remove_file(root.join("go.work")).unwrap();
    assert_eq!(reads(&repo.checkout("HEAD").unwrap().folder, "go.work"), None);
    let above = root.with_file_name("go.work");
    fs::write(&above, format!("use ./{}/app\n", root.file_name().unwrap().to_string_lossy())).unwrap();
    let checkout = repo.checkout("HEAD").unwrap();
    assert!(reads(checkout.folder.parent().unwrap(), "go.work").is_some_and(|text| text.contains("/app")));
    fs::remove_file(above).unwrap();
}
