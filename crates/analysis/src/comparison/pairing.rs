//! Which case of the base belongs to which case of the new side, and which pairs have a ratio.

use crate::finding::Finding;
use crate::findings::not_compared::{not_compared, Why};
use crate::findings::nothing_in_common::nothing_in_common;
use crate::findings::other_operations::{other_operations, other_turns};
use crate::findings::rename_without_effect::rename_without_effect;
use crate::findings::same_data;
use crate::saved::{
    in_same_windows, Calls, Identities, Identity, Saved, SavedCase, SavedDesign, CPU_TIME, PROCESSES_MIN, WALL_TIME,
};
use std::collections::{BTreeMap, HashMap, HashSet};

type Pair<'a> = (&'a SavedCase, &'a SavedCase);

pub(super) struct Pairing<'a> {
    pub pairs: Vec<Pair<'a>>,
    /// Pairs whose metrics are compared, but that lack a time on one side.
    pub without_time: Vec<Pair<'a>>,
    pub only_base: Vec<String>,
    pub only_new: Vec<String>,
    /// Names for patterns, for cases of the base alone whose key differs.
    pub selectors: BTreeMap<String, String>,
    /// Keys of pairs that are compared in the times of all windows, although one side has times alone on the core.
    pub all_windows: HashSet<&'a str>,
    pub not_compared: Vec<(String, String)>,
    pub findings: Vec<Finding>,
    pub identities: Identities<'a>,
}

/// Joins both sides by the identities of their cases. A rename applies if both its names exist.
pub(super) fn pair<'a>(base: &'a Saved, new: &'a Saved, renames: &'a BTreeMap<String, String>) -> Pairing<'a> {
    let (of_base, of_new) = (keys(base), keys(new));
    let holds = |from: &str, to: &str| of_base.contains(from) && of_new.contains(to);
    let identities = Identities::of([base, new]);
    let by_key: HashMap<&str, &SavedCase> = new.cases.iter().map(|case| (case.key.as_str(), case)).collect();
    let renamed = |case: &'a SavedCase| match renames.get(&case.key).filter(|to| holds(&case.key, to)) {
        Some(to) => by_key.get(to.as_str()).map_or((to.as_str(), ""), |case| identities.identity(case)),
        None => identities.identity(case),
    };
    let mut by_identity: HashMap<Identity, &SavedCase> = HashMap::new();
    for case in &base.cases {
        by_identity.entry(renamed(case)).or_insert(case);
    }
    let (mut pairs, mut only_new, mut all_windows) = (Vec::new(), Vec::new(), HashSet::new());
    let mut used = HashSet::new();
    for case in &new.cases {
        let identity = identities.identity(case);
        match by_identity.get(&identity) {
            Some(&of_base) if used.insert(identity) => {
                let (base, new) = in_one_quantity(of_base, case);
                if base.is_alone() != new.is_alone() {
                    all_windows.insert(case.key.as_str());
                }
                pairs.push(in_same_windows(base, new));
            }
            Some(_) => {}
            None => only_new.push(identities.name(case)),
        }
    }
    let alone: Vec<&SavedCase> = base.cases.iter().filter(|c| !used.contains(&renamed(c))).collect();
    let only_base: Vec<String> = alone.iter().map(|c| identities.name(c)).collect();
    let named_otherwise = alone.iter().map(|c| (identities.name(c), c.selector())).filter(|(key, name)| key != name);
    let selectors = named_otherwise.collect();
    // A rename with both names on the same sides belongs to revisions before or after it.
    let is_stale = |from: &str, to: &str| [from, to].iter().any(|name| of_base.contains(name) && of_new.contains(name));
    let wrong = renames.iter().filter(|(from, to)| !holds(from, to) && !is_stale(from, to));
    let wrong: Vec<String> = wrong.map(|(from, to)| format!("{from}={to}")).collect();
    let mut findings: Vec<Finding> = some(wrong, rename_without_effect).into_iter().collect();
    if pairs.is_empty() && !base.cases.is_empty() && !new.cases.is_empty() && of_base.is_disjoint(&of_new) {
        findings.push(nothing_in_common(&only_base, &only_new));
    }
    let (without_time, pairs) = pairs.into_iter().partition(|(base, new)| !base.has_time() || !new.has_time());
    let are_foreign = base.tool != "tare" && new.tool != "tare";
    let (pairs, mut not_compared) = comparable(pairs, are_foreign, &mut findings);
    not_compared.extend(time_of_one_side(&without_time, &mut findings));
    Pairing { pairs, without_time, all_windows, only_base, only_new, selectors, not_compared, findings, identities }
}

fn keys(side: &Saved) -> HashSet<&str> {
    side.cases.iter().map(|c| c.key.as_str()).chain(side.failed.iter().map(|f| f.key.as_str())).collect()
}

/// A pair in one kind of time if both have one: CPU time if both may be compared on it, else wall time, as in a run.
fn in_one_quantity<'a>(base: &'a SavedCase, new: &'a SavedCase) -> Pair<'a> {
    // A differently defined time is not replaced by one that the user did not ask for.
    let is_usual = |case: &SavedCase| [WALL_TIME, CPU_TIME].contains(&case.quantity.as_str());
    if base.quantity == new.quantity || !is_usual(base) || !is_usual(new) {
        return (base, new);
    }
    let both = |quantity| base.in_quantity(quantity).zip(new.in_quantity(quantity));
    [CPU_TIME, WALL_TIME].into_iter().find_map(both).unwrap_or((base, new))
}

fn some(names: Vec<String>, finding: impl Fn(Vec<String>) -> Finding) -> Option<Finding> {
    (!names.is_empty()).then(|| finding(names))
}

fn time_of_one_side(pairs: &[Pair], findings: &mut Vec<Finding>) -> Vec<(String, String)> {
    let uneven = || pairs.iter().filter(|(base, new)| base.has_time() != new.has_time());
    findings.extend(some(uneven().map(|(_, new)| new.key.clone()).collect(), |names| not_compared(Why::NoTime, names)));
    uneven().map(|(_, new)| (new.selector(), "only one side has its time".to_owned())).collect()
}

/// Drops pairs without a ratio, with the reason. `are_foreign`: files of other tools, which may contain leftovers.
fn comparable<'a>(
    pairs: Vec<Pair<'a>>,
    are_foreign: bool,
    findings: &mut Vec<Finding>,
) -> (Vec<Pair<'a>>, Vec<(String, String)>) {
    let (mut units, mut quantities, mut empty, mut operations) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut single = Vec::new();
    let (mut kept, mut dropped, mut leftovers, mut turns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // If two sides are equal throughout, one file was given twice: that is reported, and compared.
    let may_lie_there = are_foreign && !pairs.iter().all(|(base, new)| is_leftover(base, new));
    for (base, new) in pairs {
        let mut drop = |why: String| dropped.push((new.selector(), why));
        if base.unit != new.unit {
            drop(format!("its units differ: {} and {}", base.unit, new.unit));
            units.push(format!("{} ({} / {})", new.key, base.unit, new.unit));
        } else if base.quantity != new.quantity {
            drop(format!("its kinds of time differ: {} and {}", base.quantity, new.quantity));
            quantities.push(format!("{} ({} / {})", new.key, base.quantity, new.quantity));
        } else if !has_values(base) || !has_values(new) {
            drop("a side has no usable value".to_owned());
            empty.push(new.key.clone());
        } else if Calls::of(base, new) == Calls::Single {
            drop("a value of one side is of a single call, the other a mean of many".to_owned());
            single.push(new.key.clone());
        } else if base.ended != new.ended {
            let side = |case: &SavedCase| match &case.ended {
                Some(how) => format!("its command ended {how}"),
                None => "did not fail".to_owned(),
            };
            drop(format!("base: {}; new: {}", side(base), side(new)));
        } else if may_lie_there && is_leftover(base, new) {
            drop("its values are those of the base, so it was not measured again".to_owned());
            leftovers.push(new.key.clone());
        } else {
            if base.operations.zip(new.operations).is_some_and(|(a, b)| a != b) {
                operations.push(new.key.clone());
            }
            if base.loop_cost.zip(new.loop_cost).is_some_and(|(base, new)| base.turn != new.turn) {
                turns.push(new.key.clone());
            }
            kept.push((base, new));
        }
    }
    findings.extend(some(units, |names| not_compared(Why::Units, names)));
    findings.extend(some(quantities, |names| not_compared(Why::Quantities, names)));
    findings.extend(some(empty, |names| not_compared(Why::NoValues, names)));
    findings.extend(some(single, |names| not_compared(Why::Calls, names)));
    findings.extend(some(leftovers, same_data::leftover));
    findings.extend(some(operations, other_operations));
    findings.extend(some(turns, other_turns));
    (kept, dropped)
}

/// Whether one of two cases is a copy of the other, as tools leave behind for deleted benchmarks.
fn is_leftover(base: &SavedCase, new: &SavedCase) -> bool {
    const DIFFERENT_MIN: usize = PROCESSES_MIN;
    let mut different: Vec<u64> = new.launches.iter().flatten().map(|value| value.to_bits()).collect();
    different.sort_unstable();
    different.dedup();
    different.len() >= DIFFERENT_MIN && base.launches == new.launches
}

fn has_values(case: &SavedCase) -> bool {
    let usable = |v: &f64| v.is_finite() && *v > 0.0;
    match case.design {
        SavedDesign::Summary(s) => s.median_ns.or(s.mean_ns).is_some_and(|v| usable(&v)),
        _ => case.launches.iter().flatten().any(usable),
    }
}
