//! `optimised-away`: the body takes no more than the empty loop around it, or about half a cycle: it is that short, or the compiler removed
//! its work. The compiler may also do the work of several invocations once, which shows with fewer copies of the body in a row.

use super::{Context, Measured, Observation, Search, Sentence, Severity, Unit};
use crate::estimate::NetTime;
use tare_model::{LanguageFacts, Stage};
use tare_stats::location::median;

/// Assumed length of a cycle without a probe, ns.
const CYCLE_NS: f64 = 0.4;
/// Anything shorter is an instruction or two.
const CYCLES_MIN: f64 = 0.6;
/// A body whose time with the loop is this multiple of the empty loop is real, however wide its interval.
const LOOPS_MAX: f64 = 2.0;
/// If an invocation takes this many times as long with fewer copies of the body in a row ...
const MERGED_MIN: f64 = 1.6;
/// ... and is longer by this much, in cycles, which exceeds the cost of a loop turn, then the copies share work.
const MERGED_CYCLES_MIN: f64 = 0.75;
/// No warm loop takes this long per invocation, ns: if an empty one seems to, it was not measured well.
const EMPTY_MAX_NS: f64 = 1000.0;

pub(super) const SEARCH: Search = Search::of_cases(case);

fn case(context: &Context, measured: Measured) -> Option<Observation> {
    let cycle_ns = context.shown_cycle_ns.unwrap_or(CYCLE_NS);
    let estimates = measured.estimates;
    // Anything as short as the clock itself is uncertain; another finding says so.
    if super::too_short::resolution(context, measured).is_some_and(|seen| seen.is_lost()) {
        return None;
    }
    // An operation can take less than half a cycle if an invocation does many; an invocation cannot.
    let operations = measured.times.operations();
    let empty_ns = estimates.overhead.map(|o| 0.5 * (o.interval.lower + o.interval.upper));
    let loop_like = empty_ns.is_some_and(|e| estimates.centre_ns <= LOOPS_MAX * e && e * operations < EMPTY_MAX_NS);
    let is_tiny = |ns: f64| ns * operations < CYCLES_MIN * cycle_ns;
    // A body of a few instructions overlaps with its call, without having been removed.
    let calls_body = context.child(measured.case).is_some_and(|child| child.calls_body);
    let evidence = match estimates.time {
        NetTime::Below { upper_ns } if loop_like && calls_body => {
            Sentence::new("takes less than {time} beside its call, which alone takes {empty}")
                .number("time", upper_ns, Unit::NsAtMost)
                .number("empty", empty_ns.unwrap_or(0.0), Unit::Ns)
        }
        NetTime::Below { upper_ns } if loop_like => {
            Sentence::new("takes less than {time}; the empty loop alone takes {empty}")
                .number("time", upper_ns, Unit::NsAtMost)
                .number("empty", empty_ns.unwrap_or(0.0), Unit::Ns)
        }
        NetTime::Below { upper_ns } if is_tiny(upper_ns) => {
            in_cycles("takes less than {time}, which is {cycles}", upper_ns, Unit::NsAtMost, cycle_ns)
        }
        NetTime::Resolved { value_ns, .. } if is_tiny(value_ns) => {
            in_cycles("takes {time}, which is {cycles}", value_ns, Unit::Ns, cycle_ns)
        }
        _ => merged(context, measured, cycle_ns)?,
    };
    let (severity, advice) = match calls_body {
        true => (Severity::Note, "do the work several times in the body, and declare how many operations that is".into()),
        false => (
            Severity::Warning,
            Sentence::new(
                "return the result from the body, and make it depend on an input that the compiler cannot know; if it really is that \
                 short, do it several times per invocation and declare {operations}",
            )
            .text("operations", LanguageFacts::of_any(&context.cases[measured.case as usize].language).operations),
        ),
    };
    Some(Observation::new(severity, evidence, advice).weighing(-estimates.centre_ns))
}

/// An invocation's typical time in a long row of copies of the body, and its shortest in a short row, if the copies share work.
fn merged(context: &Context, measured: Measured, cycle_ns: f64) -> Option<Sentence> {
    let child = context.child(measured.case)?;
    let (long, short) = context.run.turns_of(measured.case)?;
    let short = short.filter(|short| !child.calls_body && (1..long).contains(short))?;
    let of_launches = |stage: Stage| -> Vec<Vec<f64>> {
        let launches = measured.times.launches.iter().filter_map(|l| context.run.launches.get(l.launch as usize));
        let last = launches.filter_map(|l| l.series.iter().rfind(|s| s.stage == stage));
        let each = |ns: &f64, invocations: u64| ns / invocations.max(1) as f64;
        last.map(|s| s.columns.elapsed_ns.iter().map(|ns| each(ns, s.invocations)).collect()).collect()
    };
    let medians: Vec<f64> = of_launches(Stage::Actual).iter().filter_map(|visits| median(visits)).collect();
    let in_long = median(&medians)?;
    // A neighbour on the core doubles some visits. If the copies share work, even the quickest visit is that long.
    let in_short = of_launches(Stage::Rolled).into_iter().flatten().reduce(f64::min)?;
    let shares_work = in_short >= MERGED_MIN * in_long && in_short - in_long >= MERGED_CYCLES_MIN * cycle_ns;
    shares_work.then(|| {
        Sentence::new("takes {time} in a loop of {long} copies and {rolled} in one of {short}: the copies share work")
            .number("time", in_long, Unit::Ns)
            .number("long", long as f64, Unit::Count)
            .number("rolled", in_short, Unit::Ns)
            .number("short", short as f64, Unit::Count)
    })
}

fn in_cycles(pattern: &str, ns: f64, unit: Unit, cycle_ns: f64) -> Sentence {
    Sentence::new(pattern).number("time", ns, unit).number("cycles", ns / cycle_ns, Unit::Cycles)
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use tare_model::Stage;

    fn findings(ns: f64, empty_ns: f64, operations: u64) -> Vec<crate::Finding> {
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
        assert!(
            found[0].evidence.to_string().ends_with("the empty loop alone takes 0.250 ns"),
            "{}",
            found[0].evidence
        );
        let advice = found[0].advice.text.to_string();
        assert!(
            advice.contains("if it really is that short, do it several times per invocation and declare `"),
            "{advice}"
        );
        assert_eq!(codes(&findings(0.1, 0.0001, 1)), ["optimised-away"]);
    }

    #[test]
    fn copies_that_share_work_are_not_the_body() {
        let of_visits = |ns: f64, rolled_ns: &[f64]| {
            let mut builder = RunBuilder::new();
            let case = builder.case("g", "a", false);
            builder.child().rolled_unroll = Some(4);
            builder.child().unroll = 16;
            twelve_launches(&mut builder, case, ns, |_, _, _| 0.0);
            let visits = rolled_ns.iter().map(|ns| ns * 1e5).collect();
            let series = builder.series(Stage::Rolled, 100_000, visits);
            builder.run.launches.iter_mut().for_each(|l| l.series.push(series.clone()));
            crate::analyse(&builder.run()).findings
        };
        let rolled = |ns: f64, rolled_ns: f64| of_visits(ns, &[rolled_ns; 5]);
        // A product of two small matrices into memory, of which one in sixteen and one in four remain.
        let found = rolled(0.61, 2.44);
        assert_eq!(codes(&found), ["optimised-away"]);
        let evidence = found[0].evidence.to_string();
        assert!(evidence.contains("in a loop of 16 copies and 2.440 ns in one of 4"), "{evidence}");
        // Most visits were disturbed, and one shows the true time.
        assert!(of_visits(1.0, &[2.2, 2.1, 1.05, 2.0, 1.9]).is_empty());
        // A loop of a cycle and a half; 16 copies have a smaller share of it each than four.
        assert!(rolled(0.30, 0.40).is_empty());
        assert!(rolled(2.0, 2.2).is_empty());
    }

    #[test]
    fn a_body_beside_its_call_was_not_left_out() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        builder.child().calls_body = true;
        twelve_launches(&mut builder, case, 2.4, |_, _, _| 0.0);
        let series = builder.series(Stage::Overhead, 1_000_000, vec![2.35e6; 5]);
        builder.run.launches.iter_mut().for_each(|l| l.series.push(series.clone()));
        let found = crate::analyse(&builder.run()).findings;
        assert_eq!((codes(&found), found[0].severity), (vec!["optimised-away"], Severity::Note));
        let evidence = found[0].evidence.to_string();
        assert!(evidence.ends_with("beside its call, which alone takes 2.350 ns"), "{evidence}");
    }

    #[test]
    fn the_copy_of_a_result_that_is_already_there_is_suspicious() {
        // At 0.25 ns per cycle: the rest of a hash, a division, a strlen with constant inputs.
        for ns in [0.027, 0.067, 0.13, 0.14] {
            let found = findings(ns, 0.017, 1);
            assert_eq!(codes(&found), ["optimised-away"], "{ns}");
        }
    }

    #[test]
    fn iterations_of_one_short_invocation_show_the_clock_and_no_optimiser() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 40.0, |_, _, _| 0.0);
        let series = builder.series(Stage::Overhead, 1, vec![38.0; 5]);
        for launch in &mut builder.run.launches {
            let actual = &mut launch.series[0];
            let (invocations, visits) = (actual.invocations as f64, actual.columns.len());
            actual.columns.elapsed_ns.iter_mut().for_each(|ns| *ns /= invocations);
            actual.columns.cpu_ns = actual.columns.elapsed_ns.clone();
            assert_eq!((actual.columns.waits.len(), actual.round.len()), (visits, visits));
            actual.invocations = 1;
            launch.series.push(series.clone());
        }
        let found = crate::analyse(&builder.run()).findings;
        assert_eq!(codes(&found), ["too-short"], "{found:?}");
        let evidence = found[0].evidence.to_string();
        assert!(evidence.starts_with("each invocation is timed on its own and takes 40."), "{evidence}");
    }

    #[test]
    fn a_short_body_and_a_vectorised_operation_are_not() {
        assert!(findings(1.5, 0.25, 1).is_empty());
        assert!(findings(0.1, 0.25, 1000).is_empty());
        // A body of 21 µs whose empty loop was cold, or lost the CPU in every iteration.
        assert!(findings(21_000.0, 30_000.0, 1).is_empty());
    }
}
