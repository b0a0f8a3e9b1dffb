//! `inputs-leave-caches`: the inputs of an iteration do not fit into the core's cache, and fetching them counts.

use super::{Context, Measured, Observation, Search, Sentence, Unit};
use crate::core::cache::cache_bytes;
use tare_model::Stage;

/// Least time for a byte from beyond the core's cache, ns: sixteen bytes per nanosecond, the rate of the third level.
const BYTE_NS: f64 = 1.0 / 16.0;
/// Smallest share of an invocation's time that is reported.
const SHARE: f64 = 0.05;

const SMALLER: &str = "make the input smaller; data that all invocations may share belongs in the set-up";
const FEWER: &str =
    "make the inputs smaller, or let Tare choose the number of invocations; data that all invocations may share belongs in the set-up";

pub(super) const SEARCH: Search = Search::of_cases(case);

fn case(context: &Context, measured: Measured) -> Option<Observation> {
    let benchmark = &context.run.plan.cases.get(measured.case as usize)?.benchmark;
    let each = benchmark.input_bytes?;
    let launches = measured.times.launches.iter().filter_map(|l| context.run.launches.get(l.launch as usize));
    let visits = launches.flat_map(|launch| launch.series.iter().map(move |series| (launch, series)));
    let visits = visits.filter(|(_, series)| series.stage == Stage::Actual);
    let (launch, prepared) =
        visits.map(|(launch, series)| (launch, series.invocations)).max_by_key(|(_, prepared)| *prepared)?;
    let cache = cache_bytes(context.run.environment_of(launch));
    let all = each.saturating_mul(prepared);
    let invocation_ns = measured.estimates.wall_ns * measured.times.operations();
    let cost_ns = BYTE_NS * each as f64;
    let (what, advice) = match prepared {
        1 => ("the input of an invocation is {each}, more than the {cache} of cache", SMALLER),
        _ => ("{prepared} inputs of {each} are prepared for an iteration, more than the {cache} of cache", FEWER),
    };
    (all > cache && cost_ns >= SHARE * invocation_ns).then(|| {
        let evidence = Sentence::new(what)
            .then(": an invocation of {time} may wait up to {cost} for its input".into())
            .count("prepared", prepared as usize)
            .number("each", each as f64, Unit::Bytes)
            .number("cache", cache as f64, Unit::Bytes)
            .number("cost", cost_ns, Unit::Ns)
            .number("time", invocation_ns, Unit::Ns);
        Observation::warning(evidence, advice).weighing(cost_ns / invocation_ns)
    })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use tare_model::Cache;

    /// A body of 25 ns with 40,000 invocations per visit and inputs of this size.
    fn found(input_bytes: Option<u64>, cache: u64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 25.0, |_, _, _| 0.0);
        builder.run.plan.cases[0].benchmark.input_bytes = input_bytes;
        builder.run.environment_mut().caches = vec![Cache { level: 2, kind: "unified".to_owned(), size_bytes: cache }];
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn inputs_beyond_the_cache_are_told_with_what_they_cost() {
        let told = found(Some(4096), 1 << 20);
        assert_eq!(codes(&told), ["inputs-leave-caches"]);
        let evidence = told[0].evidence.to_string();
        assert_eq!(
            evidence,
            "40564 inputs of 4.0 KiB are prepared for an iteration, more than the 1.0 MiB of cache: an invocation of \
             25.00 ns may wait up to 256.0 ns for its input"
        );
    }

    #[test]
    fn a_single_input_beyond_the_cache_is_told_in_the_singular() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 25.0, |_, _, _| 0.0);
        builder.run.plan.cases[0].benchmark.input_bytes = Some(8 << 20);
        builder.run.environment_mut().caches =
            vec![Cache { level: 2, kind: "unified".to_owned(), size_bytes: 1 << 20 }];
        let series = builder.run.launches.iter_mut().flat_map(|launch| &mut launch.series);
        series.for_each(|series| series.invocations = 1);
        let told = crate::analyse(&builder.run()).findings;
        let told = &told[codes(&told).iter().position(|code| *code == "inputs-leave-caches").unwrap()];
        let evidence = told.evidence.to_string();
        assert!(
            evidence.starts_with("the input of an invocation is 8.0 MiB, more than the 1.0 MiB of cache: "),
            "{evidence}"
        );
        assert!(!told.advice.text.to_string().contains("number of invocations"));
    }

    #[test]
    fn inputs_that_stay_or_cost_nothing_are_not() {
        assert!(found(None, 1 << 20).is_empty());
        assert!(found(Some(4096), 1 << 30).is_empty(), "they fit");
        assert!(found(Some(16), 1 << 19).is_empty(), "1 ns of 25");
    }
}
