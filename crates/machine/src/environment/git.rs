//! The state of the working copy that is measured.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tare_model::GitState;
use tare_process::helper::{run, Limits};

/// A repository that answers later is left out: its state is worth a line of the report, not seconds of waiting.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Folders above that are looked at.
const LEVELS: usize = 128;

/// Revision and dirtiness of the working copy that `dir` is in. None without a repository, without git, when git takes too
/// long, and before the first commit. Git is started only when there is a `.git` above.
pub fn git_state(dir: &Path) -> Option<GitState> {
    let dir = dir.canonicalize().ok()?;
    dir.ancestors().take(LEVELS).find(|folder| folder.join(".git").exists())?;
    let mut command = Command::new("git");
    // A repository can name programs in its configuration; the file system monitor is one that `status` would start.
    command.args(["--no-optional-locks", "-c", "core.fsmonitor=false"]).arg("-C").arg(&dir);
    command.args(["status", "--porcelain=v2", "--branch", "--untracked-files=no"]);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    let done = run(&mut command, Limits { time: TIMEOUT, bytes: 64 << 10 }).ok()?;
    if !done.success {
        return None;
    }
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let revision = text.lines().find_map(|l| l.strip_prefix("# branch.oid "))?.to_owned();
    let is_hash = revision.len() >= 40 && revision.bytes().all(|b| b.is_ascii_hexdigit());
    let dirty = text.lines().any(|l| !l.starts_with('#') && !l.is_empty());
    let named = text.lines().find_map(|l| l.strip_prefix("# branch.head ")).filter(|name| *name != DETACHED);
    let branch = named.map(str::to_owned).or_else(branch_of_ci);
    is_hash.then_some(GitState { revision, dirty, branch })
}

/// What git says in place of a branch.
const DETACHED: &str = "(detached)";

/// CI systems check out a revision, and name its branch in the environment: GitHub (of a pull request, then of a push), GitLab, Jenkins,
/// Buildkite.
fn branch_of_ci() -> Option<String> {
    let named = |name: &str| std::env::var(name).ok().filter(|branch| !branch.is_empty());
    let of_github = || named("GITHUB_REF_NAME").filter(|_| named("GITHUB_REF_TYPE").as_deref() != Some("tag"));
    named("GITHUB_HEAD_REF").or_else(of_github).or_else(|| {
        ["CI_COMMIT_BRANCH", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "BRANCH_NAME", "BUILDKITE_BRANCH"]
            .into_iter()
            .find_map(named)
    })
}
