//! What each piece of evidence is to the difference of the times, and which comes first. A tenth of it makes a cause.

use super::sources::ONLY_THERE;
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
    (
        "allocations",
        &["faults", "system", "misses", "copying", "collection", "locks", "atomics", "indirect", "runtime"],
    ),
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
    ("regular-expressions", &["allocations", "indirect", "mispredictions", "dispatch", "copying", "runtime"]),
    ("divisions", &["chain"]),
    ("sharing", &["atomics"]),
    ("atomics", &["vectors"]),
];

/// Kinds that cost at least what samples say of what they bring.
const AT_LEAST: [(&str, &str); 3] = [("allocations", "collection"), ("syscalls", "system"), ("faults", "system")];

fn brings(cause: &Evidence, other: &Evidence) -> bool {
    let of_kind = BRINGS.iter().find(|(kind, _)| *kind == cause.kind);
    cause.kind == other.kind || of_kind.is_some_and(|(_, kinds)| kinds.contains(&other.kind))
}

pub fn rank(evidence: &mut [Evidence], pair: &Pair) {
    let (direction, tendency) = (pair.direction(), pair.tendency());
    // Where it is not decided which side takes longer, nothing is a share of by how much.
    let difference = direction.and(pair.time_ns()).map(|ns| pair.cycles(ns)).filter(|cycles| *cycles != 0.0);
    for (kind, part) in AT_LEAST {
        let sampled = evidence.iter().find(|found| found.kind == part).map_or(0.0, |found| found.cycles);
        let causes = evidence.iter_mut().filter(|found| found.kind == kind && found.cycles * sampled > 0.0);
        for found in causes.filter(|found| found.cycles.abs() < sampled.abs()) {
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
        let is_known = found.each.is_some() || found.is_measured;
        found.ns = pair.cycle_ns.map(|cycle| found.cycles * cycle).filter(|_| is_known);
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
    let only = evidence.iter().filter(|found| found.kind == ONLY_THERE).map(weight).fold(0.0, f64::max);
    if only >= NEARLY_ALL {
        // What only one side runs has branches and misses of its own.
        evidence.iter_mut().filter(|found| found.is_simulated).for_each(|found| found.says = Says::HowMuch);
    }
    // Where nothing else has much of what that function has, it is what was done.
    let has_much =
        |found: &Evidence| found.says == Says::What && weight(found) >= FAIR_PART * only && !found.is_against;
    if only >= PLACE && !evidence.iter().any(has_much) {
        evidence.iter_mut().filter(|found| found.kind == ONLY_THERE).for_each(|found| found.says = Says::What);
    }
    let causes = evidence.iter().filter(|found| found.role == Role::Cause);
    let greatest = causes.map(|found| weight(found).min(1.0)).fold(0.0, f64::max);
    // Where several could be all of it, what was measured comes first.
    let key = |found: &Evidence| {
        let is_late = found.says == Says::HowMuch || weight(found) < FAIR * greatest;
        let weight = weight(found).min(1.0) + if found.is_measured { 0.1 } else { 0.0 };
        (found.role, is_late && found.role == Role::Cause, weight, found.cycles.abs())
    };
    evidence.sort_by(|a, b| {
        let ((a_role, a_late, a_weight, a_cycles), (b_role, b_late, b_weight, b_cycles)) = (key(a), key(b));
        (a_role, a_late).cmp(&(b_role, b_late)).then(b_weight.total_cmp(&a_weight)).then(b_cycles.total_cmp(&a_cycles))
    });
    causes_first(evidence, &weight);
    // One place is the first line, and the others say more of it.
    evidence.iter_mut().filter(|found| found.role == Role::Place).skip(1).for_each(|found| found.role = Role::Where);
    let first = evidence.iter().find(|found| found.role == Role::Cause).cloned();
    if let Some(first) = first {
        let others = evidence.iter_mut().filter(|found| **found != first);
        // Counts can only be a part of what samples or an experiment have all of.
        let is_all = first.is_measured && weight(&first) >= NEARLY_ALL;
        let follow = others.filter(|found| match found.role {
            Role::Cause => found.says == Says::HowMuch || brings(&first, found) || is_all && !found.is_measured,
            Role::Remark => found.cycles != 0.0 && brings(&first, found),
            _ => false,
        });
        follow.for_each(|found| found.role = Role::Follows);
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

/// A cause of another kind, which does not come from that itself. What samples have is not the small cost of something else.
fn brings_first(cause: &Evidence, other: &Evidence, weight: &dyn Fn(&Evidence) -> f64) -> bool {
    let is_small = other.is_measured && weight(cause) < FAIR_PART * weight(other);
    cause.kind != other.kind && brings(cause, other) && !brings(other, cause) && !is_small
}

pub fn conclusion(evidence: &[Evidence], pair: &Pair) -> Conclusion {
    let with = || evidence.iter().filter(|found| !found.is_against && found.says != Says::Where);
    let place = evidence.iter().any(|found| found.role == Role::Place);
    if pair.direction().is_none() {
        return if with().next().is_some() { Conclusion::Differs } else { Conclusion::Nothing };
    }
    let has_measured = evidence.iter().any(|found| found.role == Role::Cause && found.is_measured);
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
