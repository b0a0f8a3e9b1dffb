//! What each piece of evidence is to the difference of the times, and which comes first.

use super::sources::{is_function, is_on_one, is_work, places, COLLECTION};
use super::{Conclusion, Evidence, Pair, Role, Says};
use std::cmp::Ordering;

/// Share of the difference below which evidence is a remark.
const CAUSE: f64 = 0.1;
/// What has this share of something is most of it.
pub const MOST: f64 = 0.5;

type Holds = fn(&Evidence) -> bool;

/// What evidence can be to the difference, in the order in which it is shown: it is the first that holds. Of one row the heaviest comes first.
const CLASSES: [(Role, Holds); 7] = [
    // The function with most of it.
    (Role::Place, |found| found.says == Says::Where && found.weight >= MOST),
    // Measured, and most of it.
    (Role::Cause, |found| found.says != Says::Where && leads(found)),
    // Done differently.
    (Role::Cause, |found| found.says == Says::What && found.weight >= CAUSE),
    // Done more often.
    (Role::Cause, |found| found.says == Says::HowMuch && found.weight >= CAUSE),
    // Another function.
    (Role::Where, |found| found.says == Says::Where && found.weight >= 0.0),
    // Too little of it.
    (Role::Remark, |found| found.weight >= 0.0),
    // The other way than the times.
    (Role::Against, |_| true),
];

/// Kinds of evidence, each with what it brings with it.
const BRINGS: [(&str, &[&str]); 19] = [
    ("allocations", &["faults", "system", "misses", "copying", "collection", "locks", "atomics", "indirect"]),
    ("locks", &["atomics", "waits", "syscalls", "system", "switches", "faults", "sharing", "indirect", "vectors"]),
    ("syscalls", &["system", "waits", "switches", "indirect", "formatting"]),
    ("tasks", &["locks", "atomics", "waits", "syscalls", "system", "switches", "faults", "indirect", "allocations"]),
    ("faults", &["system"]),
    ("values", &["runtime", "dispatch", "look-ups", "allocations"]),
    ("stalls", &["chain", "misses"]),
    ("instructions", &["accesses", "branches", "calls"]),
    ("exceptions", &["allocations", "copying", "misses", "mispredictions", "indirect", "locks", "formatting"]),
    ("inlining", &["vectors", "stalls"]),
    ("indirect", &["vectors", "mispredictions", "inlining", "chain"]),
    ("dispatch", &["indirect", "mispredictions"]),
    ("hashing", &["mispredictions", "look-ups"]),
    ("look-ups", &["mispredictions"]),
    ("formatting", &["allocations", "copying", "divisions", "indirect", "mispredictions"]),
    ("regular-expressions", &["allocations", "indirect", "mispredictions", "dispatch", "copying"]),
    ("divisions", &["chain"]),
    ("sharing", &["atomics"]),
    ("atomics", &["vectors"]),
];

/// Counts that cost at least what samples have of these kinds.
const AT_LEAST: [(&str, &[&str]); 4] = [
    ("allocations", &["allocations", "collection"]),
    ("exceptions", &["exceptions"]),
    ("syscalls", &["system"]),
    ("faults", &["system"]),
];

pub fn rank(evidence: &mut [Evidence], pair: &Pair) {
    count_at_least(evidence);
    weigh(evidence, pair);
    let class = |found: &Evidence| CLASSES.iter().position(|(_, is_it)| is_it(found));
    let size = |found: &Evidence| (found.weight.abs().min(1.0), found.cycles.abs());
    evidence.sort_by(|a, b| class(a).cmp(&class(b)).then(size(b).partial_cmp(&size(a)).unwrap_or(Ordering::Equal)));
    for found in evidence.iter_mut() {
        found.role = class(found).map_or(Role::Remark, |at| CLASSES[at].0);
    }
    // What brings the first cause with it comes before that.
    let causes = (0..evidence.len()).filter(|at| evidence[*at].role == Role::Cause);
    let first = causes.reduce(|first, at| if brings_first(&evidence[at], &evidence[first]) { at } else { first });
    let mut line = Vec::new();
    if let Some(first) = first {
        evidence[..=first].rotate_right(1);
        line.push(evidence[0].clone());
    }
    // One place is the first line, and the others say more of it. What only one side runs is a cause by itself, where samples know one.
    let both_ns = pair.times_ns[0].zip(pair.times_ns[1]).map(<[f64; 2]>::from);
    let is_moved = |found: &Evidence| found.values.zip(both_ns).is_some_and(|(values, ns)| is_on_one(values, ns));
    let is_known = line.first().is_some_and(leads);
    let mut has_place = false;
    for found in evidence.iter_mut().filter(|found| found.role == Role::Place) {
        let is_it = !(has_place || is_known && is_moved(found));
        (found.role, has_place) = (if is_it { Role::Place } else { Role::Where }, has_place || is_it);
    }
    while let Some(found) = evidence.iter_mut().find(|found| follows(found, &line)) {
        // The function in which the first was done is its place.
        let is_place = !has_place && leads(found) && is_function(found) && is_work(&line[0]);
        found.role = if is_place { Role::Place } else { Role::Follows };
        line.push(found.clone());
    }
    evidence.sort_by_key(|found| found.role);
}

/// Counts cost at least what samples have of them.
fn count_at_least(evidence: &mut [Evidence]) {
    for (kind, parts) in AT_LEAST {
        let sampled = evidence.iter().filter(|found| found.is_measured && parts.contains(&found.kind));
        let sampled: f64 = sampled.map(|found| found.cycles).sum();
        let counts = evidence.iter_mut().filter(|found| found.kind == kind && found.each.is_some());
        for found in counts.filter(|found| found.cycles * sampled > 0.0 && found.cycles.abs() < sampled.abs()) {
            (found.cycles, found.each, found.is_measured) = (sampled, None, true);
        }
    }
}

fn weigh(evidence: &mut [Evidence], pair: &Pair) {
    let (direction, tendency) = (pair.direction(), pair.tendency());
    let measured = pair.time_ns().map(|ns| pair.cycles(ns).abs()).filter(|cycles| *cycles != 0.0);
    // Where it is not decided which side takes longer, nothing is a share of by how much: the greatest cost takes its place, or the difference
    // as far as it was measured.
    let difference = direction.and(measured);
    let costs = evidence.iter().filter(|found| found.says != Says::Where && found.cycles.is_finite());
    let most = costs.map(|found| found.cycles.abs()).fold(tendency.and(measured).unwrap_or(0.0), f64::max);
    let of = difference.unwrap_or(most);
    for found in evidence.iter_mut() {
        let has_cost = found.each.is_some() || found.is_measured;
        found.ns = pair.cycle_ns.map(|cycle| found.cycles * cycle).filter(|_| has_cost);
        let goes_against = tendency.is_some_and(|tendency| found.cycles * tendency < 0.0);
        let sign = if goes_against { -1.0 } else { 1.0 };
        found.weight = if of > 0.0 { sign * found.cycles.abs() / of } else { 0.0 };
        found.share = difference.and(Some(found.weight.abs())).filter(|share| *share != 0.0);
        found.is_against = direction.is_some() && goes_against;
    }
    // What is known to differ at an unknown cost counts where one function itself has most of the difference, or nothing else was done differently.
    let is_else = |found: &Evidence| found.says == Says::What && found.cycles.is_finite() && found.weight >= CAUSE;
    if places(pair).is_empty() && evidence.iter().any(is_else) {
        let unknown = evidence.iter_mut().filter(|found| found.cycles.is_infinite() && found.weight > 0.0);
        unknown.for_each(|found| found.weight = 0.0);
    }
}

/// A cause of another kind, which does not come from that itself. What was measured is neither the typical nor a small cost of something else.
fn brings_first(cause: &Evidence, other: &Evidence) -> bool {
    let is_small = other.is_measured && !is_known(cause)
        || (other.is_measured || cause.is_measured) && cause.weight < MOST * other.weight;
    let is_other = cause.kind != other.kind && cause.says == other.says;
    is_other && brings(cause, other) && !brings(other, cause) && !is_small
}

fn brings(cause: &Evidence, other: &Evidence) -> bool {
    let of_kind = BRINGS.iter().find(|(kind, _)| *kind == cause.kind);
    // A function alone says less than what was mostly done in it.
    let is_in_one = is_work(cause) && cause.kind != COLLECTION;
    let is_in_it = is_function(other) && is_in_one && cause.weight >= MOST * other.weight;
    cause.kind == other.kind || is_in_it || of_kind.is_some_and(|(_, kinds)| kinds.contains(&other.kind))
}

/// Whether evidence comes from a cause, which is the first of this line, or from something that does.
fn follows(found: &Evidence, line: &[Evidence]) -> bool {
    let Some(first) = line.first().filter(|first| *first != found) else { return false };
    // Counts explain what was measured, and parts that have more than all of the difference together have samples in common.
    let is_part = leads(first) && (!is_known(found) || first.weight + found.weight > 1.0);
    let is_brought = || line.iter().any(|by| brings(by, found));
    match found.role {
        Role::Cause => found.says == Says::HowMuch || is_part || is_brought(),
        Role::Remark => found.cycles != 0.0 && brings(first, found),
        _ => false,
    }
}

/// It was measured, and has most of the difference.
fn leads(found: &Evidence) -> bool {
    found.is_measured && found.weight >= MOST
}

/// It was measured, or is known to have been changed.
fn is_known(found: &Evidence) -> bool {
    found.is_measured || found.cycles.is_infinite()
}

pub fn conclusion(evidence: &[Evidence], pair: &Pair) -> Conclusion {
    let with = || evidence.iter().filter(|found| !found.is_against && found.says != Says::Where);
    let place = evidence.iter().any(|found| found.role == Role::Place);
    if pair.direction().is_none() {
        return if with().next().is_some() { Conclusion::Differs } else { Conclusion::Nothing };
    }
    let is_of_cause = |found: &Evidence| [Role::Cause, Role::Follows].contains(&found.role);
    let is_much = |found: &Evidence| found.share.is_some_and(|share| share >= CAUSE);
    let has_measured = evidence.iter().any(|found| found.is_measured && is_of_cause(found) && is_much(found));
    if !has_measured && evidence.iter().any(|found| is_of_cause(found) && found.cycles.is_infinite()) {
        return Conclusion::Differs;
    }
    // Costs of one kind contain those of another: the greatest alone counts.
    match with().filter_map(|found| found.share).filter(|share| share.is_finite()).max_by(f64::total_cmp) {
        Some(share) if share >= CAUSE => Conclusion::Typical { share },
        _ if place => Conclusion::Place,
        Some(share) => Conclusion::TooLittle { share },
        None => Conclusion::Nothing,
    }
}
