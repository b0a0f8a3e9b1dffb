//! `memory-growth`: each launch uses more memory the longer it runs, below the limit at which it is stopped.

use super::{Context, Means, Measured, Observation, Search, Sentence, Unit};
use tare_model::{Stage, INTERVAL_LAUNCHES};
use tare_stats::quantile::type7;

/// Smallest reported growth of a launch, bytes: pools and arenas grow by less.
const GROWTH_MIN: f64 = 4.0 * 1048576.0;
/// The same for a collected heap, which grows before it is collected.
const GROWTH_COLLECTED_MIN: f64 = 16.0 * 1048576.0;
/// The quarter of launches that grows least must grow by this share of the median: it is the body, not an accident.
const ALIKE: f64 = 0.5;

pub(super) const SEARCH: Search = Search::of_cases(case);

fn case(context: &Context, measured: Measured) -> Option<Observation> {
    let collects = context.child(measured.case).is_some_and(|c| c.collects);
    let launches = measured.times.launches.iter().map(|l| &context.run.launches[l.launch as usize]);
    let mut growths = Vec::new();
    let mut rates = Vec::new();
    for launch in launches {
        let Some(bytes) = launch.memory_growth_bytes.map(|b| b as f64) else { continue };
        let workload = launch.series.iter().filter(|s| s.stage != Stage::Overhead);
        let invocations: f64 = workload.map(|s| s.invocations as f64 * s.columns.len() as f64).sum();
        growths.push(bytes);
        rates.push(bytes / invocations.max(1.0));
    }
    if growths.len() < INTERVAL_LAUNCHES {
        return None;
    }
    growths.sort_by(f64::total_cmp);
    rates.sort_by(f64::total_cmp);
    let (typical, least) = (type7(&growths, 0.5)?, type7(&growths, 0.25)?);
    let limit = if collects { GROWTH_COLLECTED_MIN } else { GROWTH_MIN };
    (typical >= limit && least >= ALIKE * typical).then(|| {
        let evidence = Sentence::new("memory grows by {growth} during a launch, about {each} per invocation")
            .number("growth", typical, Unit::Bytes)
            .number("each", type7(&rates, 0.5).unwrap_or(0.0), Unit::Bytes);
        let advice = Sentence::new(
            "free or reset the state in an iteration set-up, or set the number of invocations ({invocations})",
        )
        .means("invocations", Means::Invocations);
        Observation::warning(evidence, advice).weighing(typical)
    })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(growth: impl Fn(usize) -> i64, collects: bool) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        builder.child().collects = collects;
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        builder.run.launches.iter_mut().enumerate().for_each(|(n, l)| l.memory_growth_bytes = Some(growth(n)));
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn growth_of_every_launch_is_the_body() {
        let found = findings(|n| (8 << 20) + n as i64 * 4096, false);
        assert_eq!(codes(&found), ["memory-growth"]);
        assert!(
            found[0].evidence.to_string().starts_with("memory grows by 8.0 MiB during a launch, about 3"),
            "{}",
            found[0].evidence
        );
    }

    #[test]
    fn growth_of_some_or_of_a_heap_that_is_collected_is_not() {
        assert!(findings(|n| if n % 2 == 0 { 8 << 20 } else { 0 }, false).is_empty());
        assert!(findings(|_| 8 << 20, true).is_empty());
        assert!(findings(|_| -4096, false).is_empty());
    }
}
