use super::repo::{git, Repo};
use crate::revision::checkout::checkout_with;
use std::fs;

#[test]
fn submodules_are_filled_and_large_files_are_named() {
    let repo = Repo::new();
    let other = Repo::new();
    repo.git(&["submodule", "--quiet", "add", other.root.to_str().unwrap(), "third party/lib"]);
    repo.write(".gitattributes", "*.bin filter=lfs\n");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
    repo.write("data é.bin", pointer);
    repo.commit("with both");
    for _ in 0..2 {
        let checkout = repo.checkout("HEAD").unwrap();
        let text = checkout.warnings.join("\n");
        assert!(text.contains("Git LFS") && text.contains("`data é.bin`") && !text.contains("submodule"), "{text}");
        assert_eq!(fs::read_to_string(checkout.folder.join("data é.bin")).unwrap(), pointer);
        // A submodule that the clone has is filled, even if it was changed.
        let inside = repo.path(&checkout, "third party/lib/bench.c").unwrap();
        assert_eq!(fs::read_to_string(&inside).unwrap(), "two\n");
        assert_eq!(git(&repo.variables, &checkout.folder, &["status", "--porcelain"]), "");
        fs::write(inside, "changed").unwrap();
    }
    // An earlier commit of it.
    git(&repo.variables, &repo.root.join("third party/lib"), &["checkout", "--quiet", "v1"]);
    repo.commit("an earlier one");
    let checkout = repo.checkout("HEAD").unwrap();
    assert_eq!(fs::read_to_string(checkout.folder.join("third party/lib/bench.c")).unwrap(), "one\n");
    let old = repo.checkout("HEAD~1").unwrap();
    assert_eq!(fs::read_to_string(old.folder.join("third party/lib/bench.c")).unwrap(), "two\n");
    // In nested submodules too.
    let top = Repo::new();
    let variables = &top.variables;
    top.git(&["submodule", "--quiet", "add", repo.root.to_str().unwrap(), "outer"]);
    git(variables, &top.root.join("outer"), &["submodule", "--quiet", "update", "--init"]);
    top.commit("nested");
    let checkout = top.checkout("HEAD").unwrap();
    assert_eq!(fs::read_to_string(checkout.folder.join("outer/third party/lib/bench.c")).unwrap(), "one\n");
}

#[test]
fn a_submodule_that_the_clone_lacks_is_named_and_comes_when_it_is_there() {
    let repo = Repo::new();
    let other = Repo::new();
    repo.git(&["submodule", "--quiet", "add", other.root.to_str().unwrap(), "lib"]);
    repo.commit("with a submodule");
    let clone = repo.folder.path.join("clone");
    repo.git(&["clone", "--quiet", ".", clone.to_str().unwrap()]);
    let checkout = || checkout_with(&repo.variables, &clone, "HEAD", None, &repo.cache).unwrap();
    let first = checkout();
    assert!(first.warnings.join("").contains("your clone lacks its submodules `lib`"), "{:?}", first.warnings);
    let failed = repo.path(&first, clone.join("lib/bench.c").to_str().unwrap()).unwrap_err();
    assert!(failed.hint().contains("`git submodule update --init -- lib`"), "{}", failed.hint());
    git(&repo.variables, &clone, &["submodule", "--quiet", "update", "--init"]);
    let second = checkout();
    assert_eq!((second.folder.clone(), second.warnings.len()), (first.folder, 0));
    assert_eq!(fs::read_to_string(second.folder.join("lib/bench.c")).unwrap(), "two\n");
}

#[test]
fn a_cache_inside_of_the_tree_is_told() {
    let mut repo = Repo::new();
    repo.cache = repo.root.join(".cache");
    let checkout = repo.checkout("v1").unwrap();
    assert!(checkout.warnings[0].contains("inside the working tree"), "{:?}", checkout.warnings);
}

#[test]
fn two_that_ask_at_once_get_the_same() {
    let repo = Repo::new();
    let folders: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| repo.checkout("v1").unwrap().folder)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(folders.iter().all(|folder| *folder == folders[0] && folder.join("bench.c").is_file()));
}

#[test]
fn large_files_come_from_the_clone_or_are_an_error() {
    let repo = Repo::new();
    let pointer =
        |digit: &str| format!("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 5\n", digit.repeat(64));
    repo.write(".gitattributes", "*.bin filter=lfs\n");
    repo.write("has.bin", &pointer("a"));
    repo.write("lacks.bin", &pointer("b"));
    repo.commit("with large files");
    let object = "a".repeat(64);
    repo.write(&format!(".git/lfs/objects/aa/aa/{object}"), "large");
    for _ in 0..2 {
        let checkout = repo.checkout("HEAD").unwrap();
        assert_eq!(fs::read_to_string(checkout.folder.join("has.bin")).unwrap(), "large");
        assert!(checkout.warnings.join("").contains("`lacks.bin`"), "{:?}", checkout.warnings);
        assert_eq!(git(&repo.variables, &checkout.folder, &["status", "--porcelain"]), "");
    }
    let warnings = repo.checkout("worktree").unwrap().warnings.join("");
    assert!(warnings.contains("`has.bin`, `lacks.bin`"), "{warnings}");
    // The user has the content of one that the clone lacks: the sides would read different data.
    repo.write("lacks.bin", "large");
    let failed = repo.checkout("HEAD").unwrap_err();
    assert!(failed.to_string().contains("pointers of Git LFS") && failed.hint().contains("git lfs fetch"), "{failed}");
}
