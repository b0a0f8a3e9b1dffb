//! `other-code`: each call of some launches allocates another number of bytes than those of the others. Bytes are counted exactly: a runtime
//! that optimises by what it has counted gave these processes other code, or their data differ.

use super::facts::{Context, Measured};
use super::Severity;
use super::{Found, How, Rule, Sentence, Unit};
use std::collections::BTreeMap;
use tare_model::{Launch, Stage};
use tare_stats::location::mean;

/// Launches with an exact number of bytes, at least.
const LAUNCHES_MIN: usize = 4;
/// Numbers of bytes at most: data that chance makes differ in every launch.
const KINDS_MAX: usize = 3;
/// Smallest difference (log) of their times that is worth a word.
const EFFECT_MIN: f64 = 0.02;

pub(super) const RULE: Rule = Rule::of_run(find);

fn find(context: &Context) -> Vec<Found> {
    context.measured().filter_map(|m| case(context, m)).collect()
}

fn case(context: &Context, measured: Measured) -> Option<Found> {
    if !context.child(measured.case)?.compiles_late {
        return None;
    }
    let mut kinds = BTreeMap::<u64, Vec<f64>>::new();
    for times in &measured.times.launches {
        let bytes = bytes_of_a_call(&context.run.launches[times.launch as usize])?;
        kinds.entry(bytes).or_default().push(times.value);
    }
    let launches: usize = kinds.values().map(Vec::len).sum();
    if launches < LAUNCHES_MIN || kinds.len() > KINDS_MAX {
        return None;
    }
    let (&usual, most) = kinds.iter().max_by_key(|(_, values)| values.len())?;
    let (&other, rest) = kinds.iter().filter(|(bytes, _)| **bytes != usual).max_by_key(|(_, values)| values.len())?;
    let differs = mean(rest)? - mean(most)?;
    (2 * most.len() > launches && differs.abs() >= EFFECT_MIN).then(|| Found {
        case: Some(measured.case),
        severity: Severity::Warning,
        evidence: Sentence::new(
            "{rest} of {launches} run other code: a call allocates {other} B and not {usual} B, and takes {times} times as long",
        )
        .count("rest", rest.len())
        .number("launches", launches as f64, Unit::Launches)
        .count("other", other as usize)
        .count("usual", usual as usize)
        .number("times", differs.exp(), Unit::Times),
        weight: differs.abs() * rest.len() as f64 / launches as f64,
        advice: "the runtime optimises by what it has counted, and some processes get other code for good: the time is the mean of all \
                 of them, and more launches show how often it happens"
            .into(),
        again: Some(How::Longer),
    })
}

/// Bytes that each call of the launch allocates; None where its visits do not all say the same whole number.
fn bytes_of_a_call(launch: &Launch) -> Option<u64> {
    let visits = launch.series.iter().filter(|series| series.stage == Stage::Actual);
    let mut each = visits.flat_map(|series| {
        let allocated = series.columns.metrics.get("allocated_bytes").map_or(&[][..], Vec::as_slice);
        allocated.iter().map(|bytes| bytes / series.invocations.max(1) as f64)
    });
    let first = each.next().filter(|first| first.fract() == 0.0)?;
    each.all(|other| other == first).then_some(first as u64)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    /// Twelve launches of a body of 100 ns on a runtime that compiles late, some of which allocate more and take longer.
    fn run(bytes: impl Fn(usize) -> f64, level: impl Fn(usize) -> f64) -> crate::Report {
        let mut builder = RunBuilder::new();
        builder.child().compiles_late = true;
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, n, _| level(n as usize));
        for (number, launch) in builder.run.launches.iter_mut().enumerate() {
            for series in &mut launch.series {
                let all = bytes(number) * series.invocations as f64;
                series.columns.metrics.insert("allocated_bytes".to_owned(), vec![all; series.columns.len()]);
            }
        }
        crate::analyse(&builder.run())
    }

    fn other(number: usize) -> bool {
        number == 3 || number == 8
    }

    #[test]
    fn launches_that_allocate_another_number_of_bytes_run_other_code() {
        let report = run(|n| if other(n) { 8264.0 } else { 8216.0 }, |n| if other(n) { 0.15 } else { 0.0 });
        let found = report.findings.iter().find(|f| f.code.name() == "other-code").expect("a finding");
        let evidence = found.evidence.to_string();
        assert!(evidence.starts_with("2 of 12 launches run other code: a call allocates 8264 B and not 8216 B"), "{evidence}");
    }

    #[test]
    fn other_data_and_other_code_that_costs_nothing_are_no_finding() {
        let none = |report: crate::Report| !codes(&report.findings).contains(&"other-code");
        assert!(none(run(|n| if other(n) { 8264.0 } else { 8216.0 }, |_| 0.0)));
        assert!(none(run(|n| 8216.0 + n as f64, |n| if other(n) { 0.15 } else { 0.0 })));
        assert!(none(run(|_| 8216.0, |n| if other(n) { 0.15 } else { 0.0 })));
        // Not a whole number: what a call allocates depends on the call.
        assert!(none(run(|n| if other(n) { 8264.5 } else { 8216.0 }, |n| if other(n) { 0.15 } else { 0.0 })));
    }
}
