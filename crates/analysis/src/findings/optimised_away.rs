//! `optimised-away`: the body takes no more than the empty loop around it, or less than half a cycle. Either it is as short as that,
//! or the compiler saw that nobody needs its result.

use super::facts::{Context, Measured};
use super::{text, Found};
use crate::clock::reference_cycle_ns;
use crate::report::NetTime;
use tare_model::Severity;

/// Length of a cycle where no probe tells it, ns (method 7.4e takes 0.2 ns for half a cycle).
const CYCLE_NS: f64 = 0.4;
/// A body with its loop that takes this many times the empty loop is something, however wide its interval is.
const LOOPS_MAX: f64 = 2.0;

pub(super) fn find(context: &Context) -> Vec<Found> {
    let cycle_ns = reference_cycle_ns(context.run).unwrap_or(CYCLE_NS);
    context.measured().filter_map(|m| case(context, m, cycle_ns)).collect()
}

fn case(context: &Context, measured: Measured, cycle_ns: f64) -> Option<Found> {
    let estimates = measured.estimates;
    // An operation can take less than half a cycle where an invocation does many; an invocation cannot.
    let operations = context.run.plan.cases[measured.case as usize].benchmark.operations as f64;
    let empty_ns = estimates.overhead.map(|o| 0.5 * (o.interval.lower + o.interval.upper));
    let loop_like = empty_ns.is_some_and(|e| estimates.centre_ns <= LOOPS_MAX * e);
    let evidence = match estimates.time {
        NetTime::Below { upper_ns } if loop_like => format!(
            "takes less than {}; the empty loop alone takes {}",
            text::ns(upper_ns),
            text::ns(empty_ns.unwrap_or(0.0))
        ),
        NetTime::Resolved { value_ns, .. } if value_ns * operations < 0.5 * cycle_ns => {
            format!("takes {}, less than half a cycle", text::ns(value_ns))
        }
        _ => return None,
    };
    Some(Found {
        case: Some(measured.case),
        severity: Severity::Warning,
        evidence,
        weight: -estimates.centre_ns,
        advice: "return the result from the body, and have it depend on an input that the compiler cannot know"
            .to_owned(),
        rerun: None,
    })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use tare_model::Stage;

    fn findings(ns: f64, empty_ns: f64, operations: u64) -> Vec<tare_model::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        builder.run.plan.cases[0].benchmark.operations = operations;
        twelve_launches(&mut builder, case, ns, |_, _, _| 0.0);
        let series = builder.series(Stage::Overhead, 1_000_000, vec![empty_ns * 1e6; 5]);
        builder.run.launches.iter_mut().for_each(|l| l.series.push(series.clone()));
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn what_takes_as_long_as_the_loop_is_suspicious() {
        let found = findings(0.26, 0.25, 1);
        assert_eq!(codes(&found), ["optimised-away"]);
        assert!(found[0].evidence.ends_with("the empty loop alone takes 0.250 ns"), "{}", found[0].evidence);
        assert_eq!(codes(&findings(0.1, 0.0001, 1)), ["optimised-away"]);
    }

    #[test]
    fn a_short_body_and_a_vectorised_operation_are_not() {
        assert!(findings(1.5, 0.25, 1).is_empty());
        assert!(findings(0.1, 0.25, 1000).is_empty());
    }
}
