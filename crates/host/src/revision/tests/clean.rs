use super::repo::Repo;
use std::fs;

#[test]
fn submodules_and_large_files_are_named() {
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
        assert!(text.contains("its submodules are empty") && text.contains("`third party/lib`"), "{text}");
        assert!(text.contains("Git LFS") && text.contains("`data é.bin`"), "{text}");
        assert_eq!(fs::read_to_string(checkout.folder.join("data é.bin")).unwrap(), pointer);
        let failed = repo.path(&checkout, "third party/lib/bench.c").unwrap_err();
        assert!(failed.hint().contains("submodule `third party/lib`"), "{}", failed.hint());
    }
}

#[test]
fn a_cache_inside_of_the_tree_is_told() {
    let mut repo = Repo::new();
    repo.cache = repo.root.join(".cache");
    let checkout = repo.checkout("v1").unwrap();
    assert!(checkout.warnings[0].contains("inside of the working tree"), "{:?}", checkout.warnings);
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
