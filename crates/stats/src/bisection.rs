//! Bisection with noisy measurements: finds the commit of a history that moved a time from one level to another.
//!
//! The levels at both ends of the history are known. A measurement of a commit gives its distance from the middle between them, with an
//! error; from these follows the probability that the commit is on the side of the bad end, which is never taken for certain ([`DOUBT`]). A
//! candidate explains a history if all commits that contain it are bad and all others good, so its posterior is the product of these
//! probabilities. The next commit to measure is the one with the largest expected information gain. A commit whose measurements lie near
//! the middle teaches little, so others are measured instead.
//!
//! Commits are compared with the middle, not with the levels of the ends: with several steps in one direction, the search finds the step
//! that crosses the middle, which is the largest one if it is larger than all others together.

use crate::interval::Interval;
use crate::special::{t_isf, t_sf};

/// Probability that a measurement puts a commit on the wrong side for a reason that its interval does not show.
pub const DOUBT: f64 = 1e-4;
/// Posterior probability at which the culprit counts as found.
pub const SURE: f64 = 0.99;
/// Assumed error probability of a measurement that has not been made yet.
const EXPECTED_ERROR: f64 = 0.02;
/// Smallest expected gain of a measurement worth making, bits.
const GAIN_MIN: f64 = 1e-3;
/// Measurements of one commit, at most.
pub const REPEATS_MAX: usize = 12;
/// Failed measurements of one commit, for reasons outside it, after which it is left out.
pub const MISSES_MAX: u32 = 3;
/// Factor on a commit's expected gain after each such failure, so that others are measured first.
const AFTER_MISS: f64 = 0.5;
/// Probability that a neighbour of an unmeasurable commit cannot be measured either; falls by the same factor with each commit of distance.
const BROKEN_TOO: f64 = 0.7;
/// Smaller standard errors are raised to this (log scale).
const LEAST_ERROR: f64 = 1e-9;

/// The commits that may have changed the time, oldest first. The last is the bad end; the good end is not included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// A bit set for each commit: its ancestors and itself.
    contains: Vec<Vec<u64>>,
}

impl History {
    /// Builds a history from each commit's parents, given as indices; parents outside the history are left out.
    ///
    /// `None` if empty, if a parent does not come before its child, or if the last commit does not contain all others.
    pub fn new(parents: &[Vec<usize>]) -> Option<History> {
        let words = parents.len().div_ceil(64);
        let mut contains: Vec<Vec<u64>> = Vec::with_capacity(parents.len());
        for (commit, parents) in parents.iter().enumerate() {
            let mut own = vec![0_u64; words];
            own[commit / 64] |= 1 << (commit % 64);
            for parent in parents {
                let of_parent = contains.get(*parent)?;
                own.iter_mut().zip(of_parent).for_each(|(own, of_parent)| *own |= of_parent);
            }
            contains.push(own);
        }
        let all: u32 = contains.last()?.iter().map(|word| word.count_ones()).sum();
        (all as usize == parents.len()).then_some(History { contains })
    }

    /// A linear history; `None` for 0 commits.
    pub fn line(commits: usize) -> Option<History> {
        let parents: Vec<Vec<usize>> = (0..commits).map(|commit| commit.checked_sub(1).into_iter().collect()).collect();
        History::new(&parents)
    }

    /// Number of commits.
    pub fn len(&self) -> usize {
        self.contains.len()
    }

    /// Always false: a history has a commit.
    pub fn is_empty(&self) -> bool {
        self.contains.is_empty()
    }

    /// Whether `ancestor` is `commit` or one of its ancestors.
    pub fn contains(&self, commit: usize, ancestor: usize) -> bool {
        self.contains
            .get(commit)
            .and_then(|words| words.get(ancestor / 64))
            .is_some_and(|w| w >> (ancestor % 64) & 1 == 1)
    }
}

/// How far a commit is from the middle between both ends, on the log scale; positive towards the bad end.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Distance {
    /// The distance, as a natural log of a ratio.
    pub estimate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Degrees of freedom of the error.
    pub df: f64,
}

impl Distance {
    /// Probability that the commit is on the side of the bad end, kept [`DOUBT`] away from 0 and 1; one half if nothing is known.
    pub fn bad(&self) -> f64 {
        let tail = self.error_of(1.0);
        let bad = if self.estimate >= 0.0 { 1.0 - tail } else { tail };
        bad.clamp(DOUBT, 1.0 - DOUBT)
    }

    /// The distance as a ratio.
    pub fn ratio(&self) -> f64 {
        self.estimate.exp()
    }

    /// Its 95 % interval; `None` if the error is unknown.
    pub fn ratio_interval(&self) -> Option<Interval> {
        let reach = t_isf(0.025, self.df) * self.standard_error;
        Interval::new((self.estimate - reach).exp(), (self.estimate + reach).exp())
    }

    /// Probability of the wrong side if the standard error is multiplied by `times`.
    fn error_of(&self, times: f64) -> f64 {
        let tail = t_sf(self.estimate.abs() / (times * self.standard_error.max(LEAST_ERROR)), self.df);
        if tail.is_finite() {
            tail.min(0.5)
        } else {
            0.5
        }
    }

    /// Pools several measurements of one commit, weighted by their errors. If they disagree by more than their errors explain, the pooled
    /// error grows accordingly. `None` for none.
    pub fn pooled(all: &[Distance]) -> Option<Distance> {
        let weight = |d: &Distance| d.standard_error.max(LEAST_ERROR).powi(-2);
        let weights: f64 = all.iter().map(weight).sum();
        let estimate = all.iter().map(|d| weight(d) * d.estimate).sum::<f64>() / weights;
        let disagreement: f64 = all.iter().map(|d| weight(d) * (d.estimate - estimate).powi(2)).sum();
        let excess = (disagreement / (all.len().max(2) - 1) as f64).max(1.0);
        let df = all.iter().map(|d| d.df).sum();
        (!all.is_empty()).then_some(Distance { estimate, standard_error: (excess / weights).sqrt(), df })
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
enum CommitState {
    #[default]
    Nothing,
    Measured(Vec<Distance>),
    /// It cannot be built, or lacks the benchmark.
    Broken,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Measure this commit.
    Measure(usize),
    /// One of these is the culprit, in the order of the history; several if the commits between them cannot be measured.
    Found(Vec<usize>),
    /// Nothing more can be learned; these are the most probable candidates, together at least [`SURE`].
    Stuck(Vec<usize>),
}

/// A search under way.
#[derive(Debug, Clone)]
pub struct Bisection {
    history: History,
    known: Vec<CommitState>,
    /// Failed measurements of each commit for reasons outside it.
    misses: Vec<u32>,
}

impl Bisection {
    /// A search before the first measurement.
    pub fn new(history: History) -> Bisection {
        let known = vec![CommitState::Nothing; history.len()];
        let misses = vec![0; history.len()];
        Bisection { history, known, misses }
    }

    /// The commits.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Adds a measurement; ignored if the commit is not part of the history.
    pub fn measured(&mut self, commit: usize, distance: Distance) {
        match self.known.get_mut(commit) {
            Some(CommitState::Measured(all)) => all.push(distance),
            Some(known) => *known = CommitState::Measured(vec![distance]),
            None => {}
        }
    }

    /// Notes that a commit cannot be measured by its own fault. Earlier measurements stay, but it is not measured again.
    pub fn broken(&mut self, commit: usize) {
        match self.known.get_mut(commit) {
            Some(CommitState::Measured(_)) => self.misses[commit] = MISSES_MAX,
            Some(known) => *known = CommitState::Broken,
            None => {}
        }
    }

    /// Notes a failed measurement that is not the commit's fault: it is retried a few times, after others.
    pub fn missed(&mut self, commit: usize) {
        if let Some(misses) = self.misses.get_mut(commit) {
            *misses += 1;
        }
    }

    /// Whether a commit has no measurement and will get none.
    fn is_left_out(&self, commit: usize) -> bool {
        match self.known[commit] {
            CommitState::Broken => true,
            CommitState::Nothing => self.misses[commit] >= MISSES_MAX,
            CommitState::Measured(_) => false,
        }
    }

    /// The pooled measurements of a commit; `None` before the first.
    pub fn distance(&self, commit: usize) -> Option<Distance> {
        match self.known.get(commit)? {
            CommitState::Measured(all) => Distance::pooled(all),
            CommitState::Nothing | CommitState::Broken => None,
        }
    }

    /// Probability of each commit to be the culprit; they add up to 1.
    pub fn posterior(&self) -> Vec<f64> {
        let measured: Vec<(usize, f64)> =
            (0..self.history.len()).filter_map(|commit| Some((commit, self.distance(commit)?.bad()))).collect();
        let log = |candidate: usize| -> f64 {
            let said = |&(commit, bad): &(usize, f64)| match self.history.contains(commit, candidate) {
                true => bad.ln(),
                false => (1.0 - bad).ln(),
            };
            measured.iter().map(said).sum()
        };
        let logs: Vec<f64> = (0..self.history.len()).map(log).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    /// What to do next.
    pub fn step(&self) -> Step {
        let posterior = self.posterior();
        let found = self.class_of(&posterior);
        if found.iter().map(|&commit| posterior[commit]).sum::<f64>() >= SURE {
            return Step::Found(found);
        }
        match self.most_informative(&posterior) {
            Some(commit) => Step::Measure(commit),
            None => Step::Stuck(most_probable(&posterior)),
        }
    }

    /// The most probable commit, with those that no measurable commit distinguishes from it.
    fn class_of(&self, posterior: &[f64]) -> Vec<usize> {
        let most = posterior.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(commit, _)| commit);
        let is_broken = |commit: usize| self.is_left_out(commit);
        let all = 0..self.history.len();
        let is_alike = |other: &usize| {
            let mut measurable = all.clone().filter(|&commit| !is_broken(commit));
            measurable.all(|commit| self.history.contains(commit, most) == self.history.contains(commit, *other))
        };
        let may_be = |other: &usize| *other == most || is_broken(*other) || is_broken(most);
        all.clone().filter(may_be).filter(is_alike).collect()
    }

    /// The commit with the largest expected gain; the bad end has none.
    fn most_informative(&self, posterior: &[f64]) -> Option<usize> {
        let (last, broken) = (self.history.len() - 1, self.nearness_to_broken());
        let gain = |commit: usize| -> Option<f64> {
            let misses = self.misses[commit];
            if misses >= MISSES_MAX {
                return None;
            }
            let error = match &self.known[commit] {
                CommitState::Nothing => EXPECTED_ERROR,
                CommitState::Measured(all) if all.len() < REPEATS_MAX => {
                    Distance::pooled(all)?.error_of((all.len() as f64).sqrt()).max(EXPECTED_ERROR)
                }
                CommitState::Measured(_) | CommitState::Broken => return None,
            };
            let bad: f64 =
                (0..=last).filter(|&c| self.history.contains(commit, c)).map(|candidate| posterior[candidate]).sum();
            let says_bad = bad * (1.0 - error) + (1.0 - bad) * error;
            Some((entropy(says_bad) - entropy(error)) * (1.0 - broken[commit]) * AFTER_MISS.powi(misses as i32))
        };
        let gains = (0..last).filter_map(|commit| Some((commit, gain(commit)?)));
        // On ties, the first.
        let best = gains.fold(None, |best: Option<(usize, f64)>, (commit, gain)| match best {
            Some((_, most)) if most >= gain => best,
            _ => Some((commit, gain)),
        });
        best.filter(|(_, gain)| *gain >= GAIN_MIN).map(|(commit, _)| commit)
    }

    /// Probability that each commit is unmeasurable, from its nearness to commits that are.
    fn nearness_to_broken(&self) -> Vec<f64> {
        let mut near = vec![0.0_f64; self.history.len()];
        let mut spread = |order: &mut dyn Iterator<Item = usize>| {
            let mut nearness = 0.0;
            for commit in order {
                nearness = if self.known[commit] == CommitState::Broken { 1.0 } else { nearness * BROKEN_TOO };
                near[commit] = near[commit].max(nearness);
            }
        };
        spread(&mut (0..self.history.len()));
        spread(&mut (0..self.history.len()).rev());
        near
    }
}

/// The smallest set of commits that together reach [`SURE`], in the order of the history.
pub fn most_probable(posterior: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..posterior.len()).collect();
    order.sort_by(|&a, &b| posterior[b].total_cmp(&posterior[a]));
    let mut sum = 0.0;
    let enough = order.iter().position(|&commit| {
        sum += posterior[commit];
        sum >= SURE
    });
    order.truncate(enough.map_or(order.len(), |at| at + 1));
    order.sort_unstable();
    order
}

/// Entropy of a coin, bits.
fn entropy(p: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    part(p) + part(1.0 - p)
}
