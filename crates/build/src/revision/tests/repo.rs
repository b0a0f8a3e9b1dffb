use crate::revision::checkout::{checkout_with, Checkout};
use crate::revision::RevisionError;
use crate::toolchain::context::Variables;
use crate::toolchain::tests::help::Folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository with three commits, uncommitted changes, and a cache beside it.
pub(super) struct Repo {
    pub(super) folder: Folder,
    pub(super) root: PathBuf,
    pub(super) cache: PathBuf,
    pub(super) variables: Variables,
}

impl Repo {
    pub(super) fn empty() -> Repo {
        let folder = Folder::new();
        let root = folder.path.join("the repo é");
        fs::create_dir(&root).unwrap();
        let variables = Variables::of_process()
            .without(&["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"])
            .with("HOME", &folder.path)
            .with("XDG_CONFIG_HOME", folder.path.join("config"))
            .with("GIT_CONFIG_NOSYSTEM", "1");
        let repo = Repo { cache: folder.path.join("cache"), folder, root, variables };
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo
    }

    /// main: v1 (`first`), then `second`; branch `feature/parser`; a dirty tree with a stash.
    pub(super) fn new() -> Repo {
        let repo = Repo::empty();
        repo.write("bench.c", "one\n");
        repo.write("sub/in sub é.c", "inner\n");
        repo.commit("first: é");
        repo.git(&["tag", "v1"]);
        repo.write("bench.c", "two\n");
        repo.write("sub/new.c", "new\n");
        repo.commit("second");
        repo.git(&["branch", "feature/parser"]);
        repo.write("bench.c", "stashed\n");
        repo.git(&["stash", "--quiet"]);
        repo.write("bench.c", "uncommitted\n");
        repo.write("untracked.c", "untracked\n");
        repo.write("staged.c", "staged\n");
        repo.git(&["add", "staged.c"]);
        repo
    }

    pub(super) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(super) fn commit(&self, subject: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", subject]);
        self.git(&["rev-parse", "HEAD"])
    }

    #[track_caller]
    pub(super) fn git(&self, words: &[&str]) -> String {
        git(&self.variables, &self.root, words)
    }

    pub(super) fn checkout(&self, revision: &str) -> Result<Checkout, RevisionError> {
        checkout_with(&self.variables, &self.root, revision, None, &self.cache)
    }

    pub(super) fn path(&self, checkout: &Checkout, path: &str) -> Result<PathBuf, RevisionError> {
        checkout.path_with(&self.variables, Path::new(path))
    }

    /// Everything that a user could notice: git's state, and every file of `.git` without times.
    pub(super) fn state(&self) -> String {
        let mut files = Vec::new();
        collect(&self.root, &mut files);
        files.sort();
        let asked = [
            &["status", "--porcelain=v2", "--branch"][..],
            &["stash", "list"],
            &["worktree", "list"],
            &["for-each-ref"],
            &["rev-parse", "HEAD"],
        ];
        let answers: Vec<String> = asked.iter().map(|words| self.git(words)).collect();
        format!("{}\n{}", files.join("\n"), answers.join("\n"))
    }
}

fn collect(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.push(path.display().to_string());
            collect(&path, files);
        } else {
            let content = fs::read(&path).unwrap_or_default();
            files.push(format!("{} {}", path.display(), crate::toolchain::cache::hash(&content)));
        }
    }
}

#[track_caller]
pub(crate) fn git(variables: &Variables, folder: &Path, words: &[&str]) -> String {
    let mut command: Command = variables.command(&variables.find("git").unwrap());
    command.current_dir(folder).env("GIT_OPTIONAL_LOCKS", "0");
    for setting in ["user.name=T", "user.email=t@example.org", "protocol.file.allow=always", "commit.gpgSign=false"] {
        command.args(["-c", setting]);
    }
    let output = command.args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}
