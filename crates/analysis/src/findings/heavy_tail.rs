//! `heavy-tail`: many visits take far longer than most. A visit is a mean over many calls, so single calls are even worse.

use super::shared::{is_shared, points};
use super::{Context, Measured, Observation, Search, Sentence, Unit};
use crate::visits::{Location, CALLS_MIN};
use tare_model::Visit;
use tare_stats::quantile::type7;

/// Share of visits beyond the upper fence.
const SHARE: f64 = 0.10;
/// p99 over the median (log).
const TAIL: f64 = 0.405;
/// Visits needed for p99.
const VISITS_MIN: usize = 100;

pub(super) const SEARCH: Search = Search::of_cases(of_case).may_be_the_machine();

fn of_case(_: &Context, m: Measured) -> Option<Observation> {
    let is_trimmed = m.times.location == Location::Trimmed;
    if !is_trimmed && !is_of_many_calls(&m) {
        return None;
    }
    let (high, tail) = tail(m)?;
    let evidence =
        Sentence::new("{outliers} of the visits are slow outliers; the 99th percentile is {p99} times the median")
            .number("outliers", high, Unit::Share)
            .number("p99", tail.exp(), Unit::Times);
    let advice = match is_trimmed {
        true => "the time shown is for a typical visit; look for garbage collection, locks or I/O, and read p99",
        false => "the time shown is the mean over all calls; look for a buffer, locks or I/O, and read p99",
    };
    Some(Observation::warning(evidence, advice).weighing(tail))
}

/// Whether its visits are averaged although they hold many calls. With few calls or with collections, slow ones are expected.
fn is_of_many_calls(m: &Measured) -> bool {
    let few = |visits: &[Visit]| visits.iter().all(|visit| visit.invocations < CALLS_MIN);
    let is_usual = m.times.memory_randomized || m.times.traits.collects || m.times.traits.keeps_all;
    !is_usual && !m.times.all_visits().all(|(_, visits)| few(visits))
}

/// Share of slow visits, and p99 over the median (log), if both are large.
pub(super) fn tail(measured: Measured) -> Option<(f64, f64)> {
    let count = measured.estimates.visits.outliers_high;
    let high = count as f64 / measured.estimates.visits.valid.max(1) as f64;
    if measured.estimates.visits.valid < VISITS_MIN || high < SHARE {
        return None;
    }
    let points = points(measured);
    let mut residuals: Vec<f64> = points.iter().map(|p| p.residual).collect();
    residuals.sort_by(f64::total_cmp);
    let tail = type7(&residuals, 0.99)? - type7(&residuals, 0.5)?;
    let fence = *residuals.get(residuals.len().checked_sub(count)?)?;
    (tail >= TAIL && !is_shared(&points, fence)).then_some((high, tail))
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(every: u64, cost: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        let mixed = |n: u32, round: usize| (u64::from(n) * 24 + round as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        twelve_launches(&mut builder, case, 100.0, |_, n, round| {
            let lot = mixed(n, round);
            if lot % every == 0 {
                cost * (1.0 + (lot / every % 16) as f64 / 8.0)
            } else {
                0.0
            }
        });
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn a_visit_in_seven_that_takes_twice_as_long() {
        let found = findings(7, 0.4);
        assert_eq!(codes(&found), ["heavy-tail"], "{found:?}");
        assert!(found[0].evidence.to_string().contains("of the visits are slow outliers"), "{}", found[0].evidence);
        assert!(findings(40, 0.7).is_empty());
    }
}
