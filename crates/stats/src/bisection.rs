//! Bisection with measurements that may be wrong: which commit of a history moved a time from one level to another.
//!
//! The two ends of the history are known. Every measurement of a commit says how far its time is from the middle between both ends,
//! and how well that is known; from it comes the probability that the commit is on the side of the bad end, which is never taken for
//! certain ([`DOUBT`]). A candidate explains a history if all commits that contain it are bad and all others good, so the posterior of
//! a candidate is the product of these probabilities. The next commit to measure is the one from which the most is expected to be
//! learned; a commit whose measurements lie near the middle teaches little, and others are measured in its place.
//!
//! The middle, and not the levels of the ends, decides: with several steps of one direction it is the step that crosses the middle
//! which is found, and that is the largest wherever one step is larger than all others together.

use crate::interval::Interval;
use crate::special::{t_isf, t_sf};

/// Probability that a commit is measured on the wrong side for a reason that no interval shows.
pub const DOUBT: f64 = 1e-4;
/// Probability of the culprit from which it is found.
pub const SURE: f64 = 0.99;
/// Probability of an error that is expected of a measurement before it is made.
const EXPECTED_ERROR: f64 = 0.02;
/// What a measurement must be expected to teach, bits.
const GAIN_MIN: f64 = 1e-3;
/// Measurements of one commit, at most.
pub const REPEATS_MAX: usize = 12;
/// Measurements of one commit that may fail for a reason which is not its own; from then on it is left out.
pub const MISSES_MAX: u32 = 3;
/// What is left of what a commit is expected to teach, after each of these: others are measured first.
const AFTER_MISS: f64 = 0.5;
/// How likely a commit beside one that cannot be measured cannot be measured either; falls by the same factor with each commit.
const BROKEN_TOO: f64 = 0.7;
/// Below this a standard error is not believed (log scale).
const LEAST_ERROR: f64 = 1e-9;

/// The commits that may have changed the time, from the oldest to the newest. The last is the bad end; the good end is not among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// A bit for each commit that a commit contains: its ancestors and itself.
    contains: Vec<Vec<u64>>,
}

impl History {
    /// A history from the parents of each commit, by their places; parents outside of the history are left out.
    ///
    /// `None` without a commit, where a parent does not stand before its child, or where the last commit does not contain all others.
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

    /// A history without merges; `None` without a commit.
    pub fn line(commits: usize) -> Option<History> {
        let parents: Vec<Vec<usize>> = (0..commits).map(|commit| commit.checked_sub(1).into_iter().collect()).collect();
        History::new(&parents)
    }

    /// Number of commits.
    pub fn len(&self) -> usize {
        self.contains.len()
    }

    /// Never: a history has a commit.
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

/// How far a commit is from the middle between both ends, on the log scale: positive is on the side of the bad end.
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
    /// Probability that the commit is on the side of the bad end, within [`DOUBT`] of 0 and 1; one half where nothing is known.
    pub fn bad(&self) -> f64 {
        let tail = self.error_of(1.0);
        let bad = if self.estimate >= 0.0 { 1.0 - tail } else { tail };
        bad.clamp(DOUBT, 1.0 - DOUBT)
    }

    /// The ratio that a distance on the log scale is.
    pub fn ratio(&self) -> f64 {
        self.estimate.exp()
    }

    /// Its 95 % interval; `None` where the error is unknown.
    pub fn ratio_interval(&self) -> Option<Interval> {
        let reach = t_isf(0.025, self.df) * self.standard_error;
        Interval::new((self.estimate - reach).exp(), (self.estimate + reach).exp())
    }

    /// Probability that so many times as large an error leads to the wrong side.
    fn error_of(&self, times: f64) -> f64 {
        let tail = t_sf(self.estimate.abs() / (times * self.standard_error.max(LEAST_ERROR)), self.df);
        if tail.is_finite() {
            tail.min(0.5)
        } else {
            0.5
        }
    }

    /// Several measurements of one commit as one, weighted by their errors. Where they disagree by more than their errors say, the
    /// error of the whole is larger by as much. `None` for none.
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

/// What is known of one commit.
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
    /// One of these is the culprit; several where those between them cannot be measured. In the order of the history.
    Found(Vec<usize>),
    /// Nothing more can be learned; these are the most probable, together as probable as [`SURE`].
    Stuck(Vec<usize>),
}

/// A search under way.
#[derive(Debug, Clone)]
pub struct Bisection {
    history: History,
    known: Vec<CommitState>,
    /// Measurements of each commit that failed for a reason which is not its own.
    misses: Vec<u32>,
}

impl Bisection {
    /// A search of which nothing but the ends is known.
    pub fn new(history: History) -> Bisection {
        let known = vec![CommitState::Nothing; history.len()];
        let misses = vec![0; history.len()];
        Bisection { history, known, misses }
    }

    /// The commits.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Takes a measurement of a commit in; one that is not of the history is ignored.
    pub fn measured(&mut self, commit: usize, distance: Distance) {
        match self.known.get_mut(commit) {
            Some(CommitState::Measured(all)) => all.push(distance),
            Some(known) => *known = CommitState::Measured(vec![distance]),
            None => {}
        }
    }

    /// Notes that a commit cannot be measured, by a fault of its own. What was measured of it stays, but is not repeated.
    pub fn broken(&mut self, commit: usize) {
        match self.known.get_mut(commit) {
            Some(CommitState::Measured(_)) => self.misses[commit] = MISSES_MAX,
            Some(known) => *known = CommitState::Broken,
            None => {}
        }
    }

    /// Notes that a measurement of a commit failed, by no fault of the commit: it is tried again a few times, after others.
    pub fn missed(&mut self, commit: usize) {
        if let Some(misses) = self.misses.get_mut(commit) {
            *misses += 1;
        }
    }

    /// Nothing is known of a commit, and it is not measured again.
    fn is_left_out(&self, commit: usize) -> bool {
        match self.known[commit] {
            CommitState::Broken => true,
            CommitState::Nothing => self.misses[commit] >= MISSES_MAX,
            CommitState::Measured(_) => false,
        }
    }

    /// What all measurements of a commit say together; `None` before the first.
    pub fn distance(&self, commit: usize) -> Option<Distance> {
        match self.known.get(commit)? {
            CommitState::Measured(all) => Distance::pooled(all),
            CommitState::Nothing | CommitState::Broken => None,
        }
    }

    /// The probability of each commit to be the culprit; they add up to 1.
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

    /// The most probable commit with those that no commit which can be measured tells from it.
    fn class_of(&self, posterior: &[f64]) -> Vec<usize> {
        let most = posterior.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(commit, _)| commit);
        let is_broken = |commit: usize| self.is_left_out(commit);
        let all = 0..self.history.len();
        let is_alike = |other: &usize| {
            let mut measurable = all.clone().filter(|&commit| !is_broken(commit));
            measurable.all(|commit| self.history.contains(commit, most) == self.history.contains(commit, *other))
        };
        // Two that can be measured are distinguished by measuring one of them.
        let may_be = |other: &usize| *other == most || is_broken(*other) || is_broken(most);
        all.clone().filter(may_be).filter(is_alike).collect()
    }

    /// The commit whose measurement is expected to teach the most; the bad end teaches nothing.
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
        // The first of equal ones.
        let best = gains.fold(None, |best: Option<(usize, f64)>, (commit, gain)| match best {
            Some((_, most)) if most >= gain => best,
            _ => Some((commit, gain)),
        });
        best.filter(|(_, gain)| *gain >= GAIN_MIN).map(|(commit, _)| commit)
    }

    /// How likely each commit cannot be measured, as it stands near one that cannot.
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

/// The fewest commits that are together as probable as [`SURE`], in the order of the history.
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
