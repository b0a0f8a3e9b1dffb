//! `not-at-reference`: the time of the body does not follow the core's clock, so it is given as the wall clock showed it.

use super::facts::Context;
use super::Severity;
use super::{Found, Rule, Sentence, Unit};

/// Exponent below which a body does not follow the clock.
const FOLLOWS_CLOCK: f64 = 0.5;

pub(super) const RULE: Rule = Rule::of_run(find);

fn find(context: &Context) -> Vec<Found> {
    context
        .measured()
        .filter_map(|m| {
            let exponent = m.times.exponent.filter(|e| *e < FOLLOWS_CLOCK)?;
            Some(Found {
                case: Some(m.case),
                severity: Severity::Note,
                evidence: Sentence::new(
                    "when the core slows down by 10 %, the time grows by only {growth}: no cycles are shown",
                )
                .number("growth", (exponent * 0.1_f64.ln_1p()).exp_m1(), Unit::Share),
                weight: 1.0 - exponent,
                advice: "it waits for memory or for something outside the core: compare it only within one run".into(),
                ..Found::default()
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(follows: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new().with_probe();
        let case = builder.case("g", "a", false);
        let cycle = |n: u32| 0.01 * f64::from((n * 7) % 5) - 0.02;
        twelve_launches(&mut builder, case, 100.0, |_, n, _| follows * cycle(n));
        for (n, launch) in builder.run.launches.iter_mut().enumerate() {
            let columns = &mut launch.series[0].columns;
            columns.probe_before_ns.iter_mut().for_each(|p| *p *= cycle(n as u32).exp());
            columns.probe_after_ns = columns.probe_before_ns.clone();
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn memory_does_not_follow_and_arithmetic_does() {
        assert_eq!(codes(&findings(0.0)), ["not-at-reference"]);
        assert!(findings(1.0).is_empty());
    }
}
