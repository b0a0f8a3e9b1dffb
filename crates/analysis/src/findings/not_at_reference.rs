//! `not-at-reference`: the time of the body does not follow the core's clock, or it is not known, so it is the wall clock's.

use super::{Context, Measured, Observation, Search, Sentence, Unit};
use crate::clock::MOVED_MIN;
use crate::visits::ExponentError;

/// Exponent below which a body does not follow the clock.
const FOLLOWS_CLOCK: f64 = 0.5;
/// Standard errors by which it must be below that: what launches differ by, for whatever reason, looks like a body that does not follow.
const ERRORS: f64 = 2.0;

pub(super) const SEARCH: Search = Search::of_cases(find);

fn find(_: &Context, m: Measured) -> Option<Observation> {
    let exponent = m.times.exponent.filter(|e| *e < FOLLOWS_CLOCK)?;
    let ExponentError { error, moved } = m.times.exponent_error;
    let is_established = moved >= MOVED_MIN && exponent + ERRORS * error < FOLLOWS_CLOCK;
    let (evidence, advice) = match is_established {
        true => (
            Sentence::new("when the core slows down by 10 %, the time grows by only {growth}: no cycles are shown")
                .number("growth", (exponent * 0.1_f64.ln_1p()).exp_m1(), Unit::Share),
            "it waits for memory or for something outside the core: compare it only within one run",
        ),
        false => (
            Sentence::new(
                "Tare could not tell whether the time follows the core's clock, which moved by {moved}: no cycles are \
                         shown",
            )
            .number("moved", moved.exp_m1(), Unit::Share),
            "compare it only within one run",
        ),
    };
    Some(Observation::note(evidence, advice).weighing(1.0 - exponent))
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    /// The clock moves by `moved` (log) over the launches.
    fn findings(follows: f64, moved: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new().with_probe();
        let case = builder.case("g", "a", false);
        let cycle = |n: u32| moved * (f64::from((n * 7) % 5) / 4.0 - 0.5);
        twelve_launches(&mut builder, case, 100.0, |_, n, _| follows * cycle(n));
        for (n, launch) in builder.run.launches.iter_mut().enumerate() {
            let columns = &mut launch.series[0].columns;
            columns.probe_before_ns.iter_mut().for_each(|p| *p *= cycle(n as u32).exp());
            columns.probe_after_ns = columns.probe_before_ns.clone();
        }
        // That the clock moved is a finding of its own.
        let found = crate::analyse(&builder.run()).findings;
        found.into_iter().filter(|f| f.code != crate::Code::ClockSpeed).collect()
    }

    #[test]
    fn memory_does_not_follow_and_arithmetic_does() {
        let found = findings(0.0, 0.15);
        assert_eq!(codes(&found), ["not-at-reference"]);
        assert!(found[0].evidence.to_string().starts_with("when the core slows down by 10 %"), "{found:?}");
        assert!(found[0].advice.text.to_string().starts_with("it waits for memory"), "{found:?}");
        assert!(findings(1.0, 0.15).is_empty());
    }

    #[test]
    fn a_clock_that_hardly_moves_establishes_nothing() {
        let found = findings(0.0, 0.06);
        assert_eq!(codes(&found), ["not-at-reference"]);
        let evidence = "Tare could not tell whether the time follows the core's clock, which moved by 6.2 %";
        assert!(found[0].evidence.to_string().starts_with(evidence), "{found:?}");
        assert!(!found[0].advice.text.to_string().contains("memory"), "{found:?}");
    }
}
