//! `left-out`: part of the data is in no row or mean. Readers report what they leave out.

use super::{Code, Context, Finding, Measured, Observation, Pairs, Search, Sentence, Severity};
use crate::report::ComparisonRow;

/// Event kind of metrics without a value, because they were NaN or infinite.
const NOT_FINITE: &str = "not-finite";
/// Prefix of the event kind of metrics that the program reports without declaring them; the name follows.
const UNDECLARED: &str = "undeclared-metric:";

pub(super) const SEARCH: Search = Search::of_run(of_events).and_of_saved(find);

/// Cases that reported NaN or an infinity, or a metric without a column.
fn of_events(context: &Context) -> Vec<Observation> {
    let told = |case: u32, count: u64, kind: &str| {
        let (evidence, advice) = match kind.strip_prefix(UNDECLARED) {
            Some(name) => (
                Sentence::new("the metric `{name}` has no column: its unit is only known while the benchmark runs")
                    .text("name", name),
                "write the unit in the call itself, as in `b.ReportMetric(x, \"p99-ns\")`",
            ),
            None if kind == NOT_FINITE => (
                Sentence::new("a metric was NaN or infinite, {count} times: it has no value there")
                    .count("count", count as usize),
                "check what the benchmark divides by",
            ),
            None => return None,
        };
        Some(Observation::note(evidence, advice).of(case).weighing(count as f64))
    };
    let of_case = |m: Measured| {
        let events = m.estimates.events.iter();
        events.filter_map(|event| told(m.case, event.count, &event.kind)).collect::<Vec<_>>()
    };
    context.measured().flat_map(of_case).collect()
}

/// Ratios excluded from the geometric mean.
fn find(found: &Pairs) -> Vec<Finding> {
    let infinite = |row: &&ComparisonRow| row.metric.is_none() && !row.ratio.ln().is_finite();
    let left_out = found.rows.iter().filter(infinite).count();
    if left_out == 0 {
        return Vec::new();
    }
    let evidence = Sentence::new("{count} of {rows} ratios are not finite and are left out of the geometric mean")
        .count("count", left_out)
        .count("rows", found.rows.len());
    let advice = "check the rows without a finite ratio";
    vec![Finding::new(Code::LeftOut, Severity::Warning, evidence, advice)]
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use tare_model::RuntimeEvent;

    #[test]
    fn nan_and_infinities_are_told() {
        let found = |kind: &str| {
            let mut builder = RunBuilder::new();
            let case = builder.case("g", "a", false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            let event = RuntimeEvent { iteration: 3, kind: kind.to_owned(), at_ns: 0.0, ns: 0.0 };
            builder.run.launches[0].series[0].columns.events = vec![event; 2];
            crate::analyse(&builder.run()).findings
        };
        assert!(found("collection").is_empty());
        let told = found("not-finite");
        assert_eq!(codes(&told), ["left-out"]);
        assert!(told[0].evidence.to_string().starts_with("a metric was NaN or infinite, 2 times"), "{told:?}");
        let told = found("undeclared-metric:p99-ns");
        assert!(told[0].evidence.to_string().starts_with("the metric `p99-ns` has no column"), "{told:?}");
    }
}
