//! Which evidence comes first. What says what was done differently comes before what says how much was done, if it would cost a fair part of the
//! difference; among equals what typically costs more comes first. Then follows where the time is, and last what goes the other way than the
//! times, as far as they were measured.

use super::{Conclusion, Evidence, Pair, Says};

/// Share of the greatest cost from which what was done differently comes before how much was done.
const FAIR: f64 = 0.2;
/// Share of the difference of the times below which the evidence explains nothing.
const LITTLE: f64 = 0.3;

/// Ranks evidence, and completes it with what both sides have in common.
pub fn rank(evidence: &mut [Evidence], pair: &Pair) {
    let (direction, tendency) = (pair.direction(), pair.tendency());
    for found in evidence.iter_mut() {
        found.ns = pair.cycle_ns.map(|cycle| found.cycles * cycle).filter(|_| found.each.is_some());
        found.is_against = direction.is_some_and(|direction| found.cycles * direction < 0.0);
    }
    // Where the time is was measured, and contains all of it.
    let goes_against =
        |found: &Evidence| found.is_against || tendency.is_some_and(|tendency| found.cycles * tendency < 0.0);
    let causes = evidence.iter().filter(|found| found.says != Says::Where && !goes_against(found));
    let greatest = causes.map(|found| found.cycles.abs()).filter(|cycles| cycles.is_finite()).fold(0.0, f64::max);
    let tier = |found: &Evidence| match found.says {
        _ if goes_against(found) => 4,
        Says::What if found.cycles.abs() >= FAIR * greatest => 0,
        // What has no typical cost says less than where the time is.
        Says::What | Says::HowMuch if found.cycles != 0.0 => 1,
        Says::Where => 2,
        Says::What | Says::HowMuch => 3,
    };
    evidence.sort_by(|a, b| {
        (tier(a), b.cycles.abs()).partial_cmp(&(tier(b), a.cycles.abs())).unwrap_or(std::cmp::Ordering::Equal)
    });
}

/// What ranked evidence amounts to.
pub fn conclusion(evidence: &[Evidence], pair: &Pair) -> Conclusion {
    let with: Vec<&Evidence> = evidence.iter().filter(|found| !found.is_against && found.says != Says::Where).collect();
    if with.is_empty() {
        return if evidence.iter().any(|found| !found.is_against) { Conclusion::Place } else { Conclusion::Nothing };
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
