//! `left-out`: something of the data is in no row or in no mean. Readers report what they leave out.

use super::facts::{Context, Measured};
use super::{Code, Finding, Observation, Pairs, Search, Sentence, Severity};
use crate::saved::geometric_mean;

/// The kind of the events of metrics that have no value, as they were NaN or an infinity.
const NOT_FINITE: &str = "not-finite";

pub(super) const SEARCH: Search = Search::of_run(not_finite).and_of_saved(find);

/// Cases that reported NaN or an infinity.
fn not_finite(context: &Context) -> Vec<Observation> {
    let of_case = |m: Measured| {
        let found = m.estimates.events.iter().find(|event| event.kind == NOT_FINITE)?;
        Some(Observation {
            case: Some(m.case),
            severity: Severity::Note,
            evidence: Sentence::new("a metric was NaN or infinite, {count} times: it has no value there")
                .count("count", found.count as usize),
            weight: found.count as f64,
            advice: "check what the benchmark divides by".into(),
            ..Observation::default()
        })
    };
    context.measured().filter_map(of_case).collect()
}

/// Ratios that are not in the geometric mean.
fn find(found: &Pairs) -> Vec<Finding> {
    let mean = geometric_mean(found.rows);
    if mean.left_out == 0 {
        return Vec::new();
    }
    let evidence = Sentence::new("{count} of {rows} ratios are not finite and are left out of the geometric mean")
        .count("count", mean.left_out)
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
    }
}
