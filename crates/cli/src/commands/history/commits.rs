//! The commits of each step, from the local repository.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Duration;
use tare_analysis::history::{Commit, CommitsBetween, History};
use tare_process::helper::{run, Limits};

/// A repository that takes longer is not queried again.
const TIMEOUT: Duration = Duration::from_secs(5);
const BYTES: usize = 4 << 20;
/// Number of commit pairs to look up, newest steps first.
const PAIRS_MAX: usize = 200;
const NAMED_MAX: usize = 20;
/// Shortest abbreviation of a revision that identifies it.
const DIGITS_MIN: usize = 10;
const REVISIONS_MAX: usize = 500;

/// Number of commits, and the newest of them.
type Ahead = (usize, Vec<Commit>);

/// The repository of the current folder, with cached answers.
#[derive(Default)]
pub struct Commits {
    between: BTreeMap<(String, String), Option<Ahead>>,
    is_silent: bool,
}

impl Commits {
    pub fn add_to(&mut self, history: &mut History) {
        let revisions: BTreeSet<String> =
            history.runs.iter().filter_map(|run| commit(run.revision.as_deref())).collect();
        if revisions.is_empty() || self.is_silent {
            return;
        }
        let Some(here) = self.here(&revisions) else { return };
        let web = git(["remote", "get-url", "origin"]).and_then(|remote| web_of(remote.trim()));
        history.compare_url = web.as_ref().map(|web| format!("{web}compare/"));
        history.commit_url = web.map(|web| format!("{web}commit/"));
        let of = |run: usize| here.get(&commit(history.runs.get(run)?.revision.as_deref())?).cloned();
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for trend in &history.trends {
            let run = |at: usize| trend.points.get(at).map(|point| point.run);
            pairs.extend(trend.steps.iter().filter_map(|step| Some((run(step.after)?, run(step.before)?))));
        }
        for (after, before) in pairs.into_iter().rev().take(PAIRS_MAX) {
            let both = of(before).zip(of(after)).filter(|(old, new)| old != new);
            let found = both.and_then(|pair| self.between(pair)).filter(|(count, _)| *count > 0);
            let between = found.map(|(count, newest)| CommitsBetween { before, after, count, newest });
            history.commits.extend(between);
        }
    }

    /// Which of these revisions the repository has, with their full ids.
    fn here(&mut self, revisions: &BTreeSet<String>) -> Option<BTreeMap<String, String>> {
        let all: Vec<&String> = revisions.iter().collect();
        let mut here = BTreeMap::new();
        for some in all.chunks(REVISIONS_MAX) {
            let asked =
                ["rev-list", "--no-walk", "--ignore-missing"].into_iter().chain(some.iter().map(|one| one.as_str()));
            for whole in self.git(asked)?.lines() {
                // Some runs store only an abbreviated revision.
                let starts = some.iter().filter(|start| whole.starts_with(start.as_str()));
                here.extend(starts.map(|start| ((*start).clone(), whole.to_owned())));
            }
        }
        Some(here).filter(|here| !here.is_empty())
    }

    /// How many commits the second revision has that the first lacks, and the newest of them.
    fn between(&mut self, pair: (String, String)) -> Option<Ahead> {
        if let Some(known) = self.between.get(&pair) {
            return known.clone();
        }
        let range = format!("{}..{}", pair.0, pair.1);
        let count = self.git(["rev-list", "--count", &range]).and_then(|text| text.trim().parse().ok());
        let most = format!("--max-count={NAMED_MAX}");
        let found = count.and_then(|count| {
            let text = self.git(["log", "--no-decorate", "--no-color", "--format=%h %s", &most, &range])?;
            let line = |line: &str| {
                let (revision, title) = line.split_once(' ').unwrap_or((line, ""));
                Commit { revision: revision.to_owned(), title: title.to_owned() }
            };
            Some((count, text.lines().map(line).collect()))
        });
        self.between.insert(pair, found.clone());
        found
    }

    fn git<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) -> Option<String> {
        let said = git(words);
        self.is_silent |= said.is_none();
        said
    }
}

/// A revision: hexadecimal digits only, so that git does not read it as a flag.
fn commit(revision: Option<&str>) -> Option<String> {
    let revision = revision?;
    let is_whole = revision.len() >= DIGITS_MIN && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_whole.then(|| revision.to_owned())
}

fn git<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut command = Command::new("git");
    // A repository can name programs to run in its configuration.
    command.args(["--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false"]);
    command.args(words);
    let done = run(&mut command, Limits { time: TIMEOUT, bytes: BYTES }).ok()?;
    done.success.then(|| String::from_utf8_lossy(&done.stdout).into_owned())
}

/// The web address for commits and comparisons, if the repository was cloned from GitHub or GitLab.
fn web_of(remote: &str) -> Option<String> {
    let path = ["https://", "ssh://git@", "git@"].iter().find_map(|start| remote.strip_prefix(start))?;
    // The address may contain a token, which must not appear on a page.
    let path = path.rsplit_once('@').map_or(path, |(_, path)| path);
    let (host, path) = path.split_once(['/', ':'])?;
    let path = path.trim_end_matches('/').trim_end_matches(".git");
    let is_plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._/~".contains(&b));
    if host.is_empty() || path.is_empty() || !is_plain(host) || !is_plain(path) {
        return None;
    }
    match host {
        "github.com" => Some(format!("https://{host}/{path}/")),
        host if host.contains("gitlab") => Some(format!("https://{host}/{path}/-/")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::web_of;

    #[test]
    fn the_web_page_of_a_remote_has_no_secret() {
        let github = Some("https://github.com/o/r/".to_owned());
        for remote in ["https://github.com/o/r.git", "git@github.com:o/r.git", "https://x:token@github.com/o/r"] {
            assert_eq!(web_of(remote), github, "{remote}");
        }
        assert_eq!(web_of("ssh://git@gitlab.example/a/b/c.git").as_deref(), Some("https://gitlab.example/a/b/c/-/"));
        for other in ["/srv/r.git", "https://example.com/o/r", "https://github.com/o/\"><script>", "https://github.com"]
        {
            assert_eq!(web_of(other), None, "{other}");
        }
    }
}
