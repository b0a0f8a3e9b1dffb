//! People's marks in a history: a benchmark was renamed, a change is accepted.

use super::{HistoryOptions, HistoryRun, Kept, Trend};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Accepts the changes of a benchmark up to a run, but no later ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Accepted {
    #[serde(skip)]
    pub key: String,
    #[serde(skip)]
    pub job: String,
    pub run: String,
    pub created: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// Most renames of a benchmark in a row.
const RENAMES_MAX: usize = 32;

impl HistoryOptions {
    /// The current name of a benchmark, with the parameters that it had; `None` if it was not renamed.
    pub fn name_now(&self, name: &str) -> Option<String> {
        let once = |name: &str| {
            self.renames.iter().find_map(|(old, new)| {
                let rest = name.strip_prefix(old.as_str())?;
                // For all its parameters, or for a single case.
                (old != new && (rest.is_empty() || rest.starts_with('['))).then(|| format!("{new}{rest}"))
            })
        };
        let mut now = once(name)?;
        for _ in 0..RENAMES_MAX {
            match once(&now) {
                Some(next) => now = next,
                None => return Some(now).filter(|now| now != name),
            }
        }
        // Circular renames lead nowhere.
        None
    }
}

/// Earlier names of benchmarks, and the last run with one of them, by key and job.
pub(super) type Earlier = HashMap<(String, String), (Vec<String>, usize)>;

/// Moves values of renamed benchmarks to the current names, if these have values too. In a run that has both, the newer name counts.
pub(super) fn follow(kept: &mut Vec<Kept>, options: &HistoryOptions) -> Earlier {
    if options.renames.is_empty() {
        return Earlier::new();
    }
    let mut keys: HashMap<(&str, &str), &str> = HashMap::new();
    for one in kept.iter() {
        keys.insert((&one.point.name, &one.point.job), &one.point.key);
    }
    // From a key to the current key and name.
    let mut moved: BTreeMap<(String, String), (String, String)> = BTreeMap::new();
    for ((name, job), key) in &keys {
        let now = options.name_now(name);
        let found = now.and_then(|now| Some(((*keys.get(&(now.as_str(), *job))?).to_owned(), now)));
        if let Some(found) = found.filter(|(new, _)| new != key) {
            moved.insert(((*key).to_owned(), (*job).to_owned()), found);
        }
    }
    let of = |one: &Kept| (one.point.key.clone(), one.point.job.clone());
    let taken: HashSet<(String, String, usize)> = kept
        .iter()
        .filter(|one| moved.values().any(|(key, _)| *key == one.point.key))
        .map(|one| (one.point.key.clone(), one.point.job.clone(), one.run))
        .collect();
    let mut earlier = Earlier::new();
    kept.retain_mut(|one| {
        let Some((key, name)) = moved.get(&of(one)) else { return true };
        if taken.contains(&(key.clone(), one.point.job.clone(), one.run)) {
            return false;
        }
        let (names, last) = earlier.entry((key.clone(), one.point.job.clone())).or_default();
        *last = one.run.max(*last);
        if !names.contains(&one.point.name) {
            names.push(one.point.name.clone());
        }
        one.point.key.clone_from(key);
        one.point.name.clone_from(name);
        true
    });
    // A renamed base is still the same base.
    for base in kept.iter_mut().filter_map(|one| one.point.base.as_mut()) {
        let now = base
            .identity
            .strip_prefix(OF_CASE)
            .and_then(|key| moved.iter().find(|((old, _), _)| old == key).map(|(_, now)| now.clone()));
        if let Some((key, name)) = now {
            base.identity = format!("{OF_CASE}{key}");
            base.name = name;
        }
    }
    earlier
}

/// Prefix of the identity of a base that is a benchmark.
pub(super) const OF_CASE: &str = "case ";

/// Marks accepted changes: steps that began up to a run, and a creep that has not grown by the minimum effect since.
pub(super) fn accept(runs: &[HistoryRun], trend: &mut Trend, options: &HistoryOptions) {
    let of = |one: &&Accepted| one.key == trend.key && one.job == trend.job;
    let Some(accepted) = options.accepted.iter().find(of) else { return };
    let is_up_to = |point: usize| {
        let run = trend.points.get(point).and_then(|point| runs.get(point.run));
        run.is_some_and(|run| run.created <= accepted.created)
    };
    let steps: Vec<bool> = trend.steps.iter().map(|step| is_up_to(step.at)).collect();
    let creep = trend.creep.is_some_and(|creep| {
        let used: Vec<usize> = (creep.first..=creep.last).filter(|&at| trend.points[at].left_out.is_none()).collect();
        let since = used.iter().filter(|&&at| !is_up_to(at)).count();
        let least = options.minimum_effect.or_else(|| Some(runs.last()?.minimum_effect)).unwrap_or(0.0);
        // It grows evenly.
        let grown = creep.ratio.ln().abs() * since as f64 / used.len().saturating_sub(1).max(1) as f64;
        is_up_to(creep.first) && grown < least.ln_1p()
    });
    for (step, is_accepted) in trend.steps.iter_mut().zip(steps) {
        step.accepted = is_accepted;
    }
    if let Some(found) = &mut trend.creep {
        found.accepted = creep;
    }
    trend.accepted = Some(accepted.clone());
}
