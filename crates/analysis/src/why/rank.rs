//! What each piece of evidence is to the difference of the times, and which comes first. A tenth of it makes a cause.

use super::sources::{is_function, is_on_one, is_work};
use super::{Conclusion, Evidence, Pair, Role, Says};

/// Share of the difference below which evidence is a remark.
const CAUSE: f64 = 0.1;
/// What was done differently comes before how much was done if it costs this share of what the greatest of all costs.
const FAIR: f64 = 0.2;
/// Of two kinds of work in samples one comes before what it brings if it has this share of that.
const FAIR_PART: f64 = 0.5;
/// A function with this share of the difference is the place of it.
pub const PLACE: f64 = 0.5;
/// The same together with what it calls.
pub const NEARLY_ALL: f64 = 0.9;

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

fn brings(cause: &Evidence, other: &Evidence, weight: &dyn Fn(&Evidence) -> f64) -> bool {
    let of_kind = BRINGS.iter().find(|(kind, _)| *kind == cause.kind);
    // A function alone says less than what was mostly done in it.
    let is_in_it = is_function(other) && is_work(cause) && weight(cause) >= FAIR_PART * weight(other);
    cause.kind == other.kind || is_in_it || of_kind.is_some_and(|(_, kinds)| kinds.contains(&other.kind))
}

pub fn rank(evidence: &mut [Evidence], pair: &Pair) {
    let (direction, tendency) = (pair.direction(), pair.tendency());
    // Where it is not decided which side takes longer, nothing is a share of by how much.
    let difference = direction.and(pair.time_ns()).map(|ns| pair.cycles(ns)).filter(|cycles| *cycles != 0.0);
    for (kind, parts) in AT_LEAST {
        let sampled = evidence.iter().filter(|found| found.is_measured && parts.contains(&found.kind));
        let sampled: f64 = sampled.map(|found| found.cycles).sum();
        let counts = evidence.iter_mut().filter(|found| found.kind == kind && found.each.is_some());
        for found in counts.filter(|found| found.cycles * sampled > 0.0 && found.cycles.abs() < sampled.abs()) {
            (found.cycles, found.each, found.is_measured) = (sampled, None, true);
        }
    }
    let costs = evidence.iter().filter(|found| found.says != Says::Where && found.cycles.is_finite());
    let most = costs.map(|found| found.cycles.abs()).fold(0.0, f64::max);
    // Where the difference is not decided, the greatest cost takes its place, or the difference as far as it was measured.
    let most = most.max(tendency.and(pair.time_ns()).map_or(0.0, |ns| pair.cycles(ns).abs()));
    let of_most = |found: &Evidence| if most > 0.0 { found.cycles.abs() / most } else { 0.0 };
    let weight = |found: &Evidence| found.share.unwrap_or_else(|| of_most(found));
    for found in evidence.iter_mut() {
        let has_cost = found.each.is_some() || found.is_measured;
        found.ns = pair.cycle_ns.map(|cycle| found.cycles * cycle).filter(|_| has_cost);
        found.is_against = direction.is_some_and(|direction| found.cycles * direction < 0.0);
        let goes_against = found.is_against || tendency.is_some_and(|tendency| found.cycles * tendency < 0.0);
        found.share = difference.map(|difference| (found.cycles / difference).abs()).filter(|_| found.cycles != 0.0);
        found.role = match (found.says, weight(found)) {
            _ if goes_against => Role::Against,
            (Says::Where, share) if share >= PLACE => Role::Place,
            (Says::Where, _) => Role::Where,
            (_, share) if share >= CAUSE => Role::Cause,
            _ => Role::Remark,
        };
    }
    let causes = evidence.iter().filter(|found| found.role == Role::Cause);
    let greatest = causes.map(|found| weight(found).min(1.0)).fold(0.0, f64::max);
    let key = |found: &Evidence| {
        let is_late = found.says == Says::HowMuch || weight(found) < FAIR * greatest;
        (found.role, found.role == Role::Cause && !leads(found, &weight), found.role == Role::Cause && is_late)
    };
    let size = |found: &Evidence| (weight(found).min(1.0), found.cycles.abs());
    evidence.sort_by(|a, b| {
        let ((a_weight, a_cycles), (b_weight, b_cycles)) = (size(a), size(b));
        key(a).cmp(&key(b)).then(b_weight.total_cmp(&a_weight)).then(b_cycles.total_cmp(&a_cycles))
    });
    causes_first(evidence, &weight);
    let first = evidence.iter().find(|found| found.role == Role::Cause).cloned();
    // One place is the first line, and the others say more of it. What only one side runs is a cause by itself, where samples know one.
    let is_known = first.as_ref().is_some_and(|first| leads(first, &weight));
    let both_ns = pair.times_ns[0].zip(pair.times_ns[1]).map(<[f64; 2]>::from);
    let is_moved =
        |found: &Evidence| found.values.zip(both_ns).is_some_and(|(values, both_ns)| is_on_one(values, both_ns));
    let places = evidence.iter_mut().filter(|found| found.role == Role::Place);
    places.filter(|found| is_known && is_moved(found)).for_each(|found| found.role = Role::Where);
    evidence.iter_mut().filter(|found| found.role == Role::Place).skip(1).for_each(|found| found.role = Role::Where);
    let has_place = evidence.iter().any(|found| found.role == Role::Place);
    let mut line: Vec<Evidence> = first.into_iter().collect();
    while let Some(found) = evidence.iter_mut().find(|found| follows(found, &line, &weight)) {
        // The function in which the first was done is its place.
        let is_place = !has_place && leads(found, &weight) && is_function(found) && is_work(&line[0]);
        found.role = if is_place { Role::Place } else { Role::Follows };
        line.push(found.clone());
    }
    evidence.sort_by_key(|found| found.role);
}

/// Moves what brings something with it before that.
fn causes_first(evidence: &mut [Evidence], weight: &dyn Fn(&Evidence) -> f64) {
    let are_causes =
        |a: &Evidence, b: &Evidence| [a, b].iter().all(|found| found.role == Role::Cause) && a.says == b.says;
    for later in 1..evidence.len() {
        let earlier = (0..later).find(|at| {
            are_causes(&evidence[*at], &evidence[later]) && brings_first(&evidence[later], &evidence[*at], weight)
        });
        if let Some(earlier) = earlier {
            evidence[earlier..=later].rotate_right(1);
        }
    }
}

/// A cause of another kind, which does not come from that itself. What was measured is neither the typical nor a small cost of something else.
fn brings_first(cause: &Evidence, other: &Evidence, weight: &dyn Fn(&Evidence) -> f64) -> bool {
    let is_small = other.is_measured && !is_known(cause)
        || (other.is_measured || cause.is_measured) && weight(cause) < FAIR_PART * weight(other);
    cause.kind != other.kind && brings(cause, other, weight) && !brings(other, cause, weight) && !is_small
}

/// Whether evidence comes from a cause, which is the first of this line, or from something that does.
fn follows(found: &Evidence, line: &[Evidence], weight: &dyn Fn(&Evidence) -> f64) -> bool {
    let Some(first) = line.first().filter(|first| *first != found) else { return false };
    // Counts explain what was measured, and parts that have more than all of the difference together have samples in common.
    let is_part = leads(first, weight) && (!is_known(found) || weight(first) + weight(found) > 1.0);
    let is_brought = line.iter().any(|by| brings(by, found, weight));
    match found.role {
        Role::Cause => found.says == Says::HowMuch || is_part || is_brought,
        Role::Remark => found.cycles != 0.0 && brings(first, found, weight),
        _ => false,
    }
}

/// It was measured, and has most of the difference.
fn leads(found: &Evidence, weight: &dyn Fn(&Evidence) -> f64) -> bool {
    found.is_measured && weight(found) >= PLACE
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
    if !has_measured && with().any(|found| found.cycles.is_infinite()) {
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
