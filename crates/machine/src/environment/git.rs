//! The state of the measured working copy.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tare_model::GitState;
use tare_process::helper::{run, Limits};

/// Slower repositories are left out: a line of the report is not worth seconds of waiting.
const TIMEOUT: Duration = Duration::from_secs(2);
const LEVELS: usize = 128;

/// Revision and dirtiness of the working copy around `dir`. None without a repository or git, before the first commit, and when git takes
/// too long. Git runs only if there is a `.git`.
pub fn git_state(dir: &Path) -> Option<GitState> {
    let dir = dir.canonicalize().ok()?;
    dir.ancestors().take(LEVELS).find(|folder| folder.join(".git").exists())?;
    let mut command = Command::new("git");
    // A repository's configuration can name programs; `status` would start the file system monitor.
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

/// Git's placeholder for a branch.
const DETACHED: &str = "(detached)";

/// CI systems check out a revision and pass its branch in the environment: GitHub (pull request, then push), GitLab, Jenkins, Buildkite.
fn branch_of_ci() -> Option<String> {
    let named = |name: &str| std::env::var(name).ok().filter(|branch| !branch.is_empty());
    let of_github = || named("GITHUB_REF_NAME").filter(|_| named("GITHUB_REF_TYPE").as_deref() != Some("tag"));
    named("GITHUB_HEAD_REF").or_else(of_github).or_else(|| {
        ["CI_COMMIT_BRANCH", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "BRANCH_NAME", "BUILDKITE_BRANCH"]
            .into_iter()
            .find_map(named)
    })
}
