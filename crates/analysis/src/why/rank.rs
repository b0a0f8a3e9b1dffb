//! Which evidence comes first. What says what was done differently comes before what says how much was done, if it would cost a fair part of the
//! difference; among equals what typically costs more comes first. What goes the other way than the times comes last.

use super::{Conclusion, Evidence, Pair};

/// Share of the greatest cost from which specific evidence comes before all that is not.
const FAIR: f64 = 0.2;
/// Share of the difference of the times below which the evidence explains nothing.
const LITTLE: f64 = 0.3;

/// Ranks evidence, and completes it with what both sides have in common.
pub fn rank(evidence: &mut [Evidence], pair: &Pair) {
    let direction = pair.direction();
    for found in evidence.iter_mut() {
        found.ns = pair.cycle_ns.map(|cycle| found.cycles * cycle).filter(|_| found.each.is_some());
        found.is_against = direction.is_some_and(|direction| found.cycles * direction < 0.0);
    }
    let greatest =
        evidence.iter().map(|found| found.cycles.abs()).filter(|cycles| cycles.is_finite()).fold(0.0, f64::max);
    let tier = |found: &Evidence| match found.is_specific && found.cycles.abs() >= FAIR * greatest {
        _ if found.is_against => 2,
        true => 0,
        false => 1,
    };
    evidence.sort_by(|a, b| {
        (tier(a), b.cycles.abs()).partial_cmp(&(tier(b), a.cycles.abs())).unwrap_or(std::cmp::Ordering::Equal)
    });
}

/// What ranked evidence amounts to.
pub fn conclusion(evidence: &[Evidence], pair: &Pair) -> Conclusion {
    let with: Vec<&Evidence> = evidence.iter().filter(|found| !found.is_against).collect();
    if with.is_empty() {
        return Conclusion::Nothing;
    }
    let (Some(_), Some(time_ns)) = (pair.direction(), pair.time_ns().filter(|ns| *ns != 0.0)) else {
        return Conclusion::Differs;
    };
    // Costs of one kind contain those of another: the greatest alone counts.
    let greatest = with.iter().filter_map(|found| found.ns).map(|ns| ns / time_ns).fold(f64::NAN, f64::max);
    match greatest {
        share if share.is_nan() => Conclusion::Differs,
        share if share < LITTLE && with.iter().all(|found| found.each.is_some()) => Conclusion::TooLittle { share },
        share if share < LITTLE => Conclusion::Differs,
        share => Conclusion::Typical { share },
    }
}
