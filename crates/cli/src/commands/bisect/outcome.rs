//! The outcome of a bisection, for screens and for programs.

use serde_json::{json, Value};
use tare_analysis::{ComparisonRow, FailedRow};
use tare_build::revision::{Commit, HistoryCommit};
use tare_model::ExitCode;
use tare_report::failure_text;
use tare_stats::bisection::{Distance, History};
use tare_stats::interval::Interval;

/// Probability from which a commit counts as like one of the ends.
const LIKE: f64 = 0.95;
const LISTED: usize = 100;

#[derive(Debug, Clone)]
pub struct Compared {
    pub of_parent: bool,
    pub base: String,
    pub row: ComparisonRow,
    pub run: String,
}

#[derive(Debug, Clone, Default)]
pub struct TriedCommit {
    pub commit: usize,
    /// Logs of the ratios of its time to the good end's.
    pub levels: Vec<Distance>,
    pub runs: Vec<String>,
    /// Probability that it is on the bad side.
    pub bad: Option<f64>,
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// The culprit is one of these; several if the commits between cannot be measured.
    Found(Vec<usize>),
    /// The culprit is one of these, and more measuring does not separate them.
    Unclear(Vec<usize>),
    /// The search was stopped; the culprit is most likely one of these.
    Stopped(Vec<usize>),
}

pub struct Outcome {
    pub name: String,
    pub names: [String; 2],
    pub good: Commit,
    pub commits: Vec<HistoryCommit>,
    pub posterior: Vec<f64>,
    pub tried: Vec<TriedCommit>,
    pub ends: Compared,
    pub end: End,
    /// The culprit against its parent or a substitute for it: [`Compared::of_parent`].
    pub against_parent: Option<Compared>,
    pub trouble: Option<String>,
    pub failed: Vec<FailedRow>,
    pub elapsed_s: f64,
}

impl TriedCommit {
    /// The end that it is like; empty if it was not measured.
    pub fn like(&self) -> &'static str {
        match self.bad {
            Some(bad) if bad >= LIKE => "bad",
            Some(bad) if bad <= 1.0 - LIKE => "good",
            Some(_) => "unclear",
            None => "",
        }
    }

    pub fn ratio(&self) -> Option<(f64, Interval)> {
        let level = Distance::pooled(&self.levels)?;
        Some((level.ratio(), level.ratio_interval()?))
    }
}

impl Outcome {
    /// The culprit, if it is a single commit and its comparison confirms it.
    pub fn culprit(&self) -> Option<usize> {
        match &self.end {
            End::Found(candidates) if candidates.len() == 1 => candidates.first().copied(),
            _ => None,
        }
    }

    pub fn is_confirmed(&self) -> bool {
        self.against_parent.as_ref().is_some_and(|compared| compared.row.verdict == self.ends.row.verdict)
    }

    pub fn candidates(&self) -> &[usize] {
        let (End::Found(candidates) | End::Unclear(candidates) | End::Stopped(candidates)) = &self.end;
        candidates
    }

    /// The last two commits to compare: the id of the newest measurable one before the change, and the place of the oldest one after it.
    pub fn last_pair(&self, history: &History) -> Option<(String, usize)> {
        let End::Found(candidates) = &self.end else { return None };
        last_pair(&self.good.id, &self.commits, &self.tried, candidates, history)
    }

    /// The culprit's share of the whole change, on a log scale.
    pub fn share(&self) -> Option<f64> {
        let compared = self.against_parent.as_ref()?;
        Some(compared.row.ratio.ln() / self.ends.row.ratio.ln()).filter(|share| share.is_finite())
    }

    /// The exit code: 0 if one commit is found and its comparison confirms it.
    pub fn exit_code(&self) -> ExitCode {
        match self.culprit() {
            Some(_) if self.is_confirmed() => ExitCode::Ok,
            _ if tare_process::interrupted() => ExitCode::Interrupted,
            _ => ExitCode::GateUndecided,
        }
    }

    fn word(&self) -> &'static str {
        match (&self.end, self.culprit()) {
            (End::Found(_), _) if !self.is_confirmed() => "not-confirmed",
            (End::Found(_), Some(_)) => "found",
            (End::Found(_), None) => "undecided",
            (End::Unclear(_), _) => "unclear",
            (End::Stopped(_), _) => "stopped",
        }
    }

    pub fn json(&self) -> String {
        let commit = |place: usize| {
            let found = &self.commits[place];
            json!({
                "commit": found.commit.id,
                "author": found.author.name,
                "date": found.author.date,
                "subject": found.commit.subject,
                "probability": self.posterior[place],
            })
        };
        let compared = |compared: &Compared| {
            let row = &compared.row;
            json!({
                "base": compared.base,
                "of_parent": compared.of_parent,
                "verdict": row.verdict,
                "ratio": row.ratio,
                "interval": row.interval,
                "base_ns": row.base_ns,
                "new_ns": row.new_ns,
                "run": compared.run,
            })
        };
        let tried = |tried: &TriedCommit| {
            let ratio = tried.ratio();
            json!({
                "commit": self.commits[tried.commit].commit.id,
                "subject": self.commits[tried.commit].commit.subject,
                "like": if tried.like().is_empty() { "not-measured" } else { tried.like() },
                "bad": tried.bad,
                "ratio": ratio.map(|(ratio, _)| ratio),
                "interval": ratio.map(|(_, interval)| interval),
                "runs": tried.runs,
                "reason": tried.reason,
            })
        };
        let failed = |row: &FailedRow| {
            json!({
                "name": row.name,
                "end": self.names[usize::from(row.side == 1)],
                "reason": failure_text(&row.failure),
            })
        };
        let mut candidates: Vec<usize> = self.candidates().to_vec();
        candidates.sort_by(|&a, &b| self.posterior[b].total_cmp(&self.posterior[a]));
        candidates.truncate(LISTED);
        let document = json!({
            "format": "tare-bisection",
            "version": "1.0",
            "id": self.ends.run,
            "benchmark": self.name,
            "good": self.names[0],
            "good_commit": self.good.id,
            "bad": self.names[1],
            "bad_commit": self.commits.last().map(|last| &last.commit.id),
            "commits": self.commits.len(),
            "outcome": self.word(),
            "culprit": self.culprit().map(commit),
            "candidates": candidates.into_iter().map(commit).collect::<Vec<Value>>(),
            "ends": compared(&self.ends),
            "against_parent": self.against_parent.as_ref().map(compared),
            "trouble": self.trouble,
            "failed": self.failed.iter().map(failed).collect::<Vec<Value>>(),
            "tried": self.tried.iter().map(tried).collect::<Vec<Value>>(),
            "elapsed_s": self.elapsed_s,
        });
        format!("{document:#}\n")
    }
}

fn last_pair(
    good: &str,
    commits: &[HistoryCommit],
    tried: &[TriedCommit],
    candidates: &[usize],
    history: &History,
) -> Option<(String, usize)> {
    let failed = |commit: usize| tried.iter().find(|t| t.commit == commit && t.runs.is_empty() && t.reason.is_some());
    let contains_all = |commit: &usize| candidates.iter().all(|candidate| history.contains(*commit, *candidate));
    let new = (0..commits.len()).find(|commit| contains_all(commit) && failed(*commit).is_none())?;
    let is_no_base = |commit: usize| candidates.contains(&commit) || failed(commit).is_some();
    let mut base = new;
    // Terminates: parents come before their children.
    loop {
        let commit = &commits[base];
        let Some(id) = commit.first_parent.as_ref().filter(|id| *id != good) else {
            return Some((good.to_owned(), new));
        };
        // If the first parent is not among the commits between, follow the one that is.
        match commit.parents.first().filter(|&&parent| commits[parent].commit.id == *id) {
            Some(&parent) if is_no_base(parent) => base = parent,
            _ => return Some((id.clone(), new)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_build::revision::Author;

    /// Commits with the places of their parents and the id of the first parent.
    fn pair_of(
        commits: &[(&[usize], Option<&str>)],
        candidates: &[usize],
        tried: &[TriedCommit],
    ) -> Option<(String, usize)> {
        let of = |(at, (parents, first)): (usize, &(&[usize], Option<&str>))| HistoryCommit {
            commit: Commit { id: format!("c{at}"), short: format!("c{at}"), subject: String::new() },
            author: Author { name: String::new(), date: String::new() },
            first_parent: first.map(str::to_owned),
            parents: parents.to_vec(),
        };
        let all: Vec<HistoryCommit> = commits.iter().enumerate().map(of).collect();
        let parents: Vec<Vec<usize>> = all.iter().map(|commit| commit.parents.clone()).collect();
        last_pair("good", &all, tried, candidates, &History::new(&parents).expect("a history"))
    }

    fn pair(base: &str, new: usize) -> Option<(String, usize)> {
        Some((base.to_owned(), new))
    }

    #[test]
    fn the_culprit_is_compared_with_its_first_parent() {
        // `c0` starts a branch at `old`, an ancestor of the good end; `c1` merges it into the good end.
        let merged: [(&[usize], Option<&str>); 3] = [(&[], Some("old")), (&[0], Some("good")), (&[1], Some("c1"))];
        assert_eq!(pair_of(&merged, &[0], &[]), pair("old", 0));
        // The branch is the merge's second parent, and the only parent between the ends.
        assert_eq!(pair_of(&merged, &[1], &[]), pair("good", 1));
        assert_eq!(pair_of(&merged, &[2], &[]), pair("c1", 2));
        // A commit without parents is compared with the good end.
        assert_eq!(pair_of(&[(&[], None), (&[0], Some("good"))], &[0], &[]), pair("good", 0));
    }

    #[test]
    fn what_cannot_be_measured_is_no_base() {
        let line: [(&[usize], Option<&str>); 3] = [(&[], Some("good")), (&[0], Some("c0")), (&[1], Some("c1"))];
        let failed = TriedCommit { commit: 1, reason: Some("it does not build".to_owned()), ..TriedCommit::default() };
        assert_eq!(pair_of(&line, &[1, 2], std::slice::from_ref(&failed)), pair("c0", 2));
        assert_eq!(pair_of(&line, &[2], &[failed]), pair("c0", 2));
    }
}
