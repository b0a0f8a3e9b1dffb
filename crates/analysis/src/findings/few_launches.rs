//! `few-launches`: with fewer than four launches their spread is unknown, so the time has no interval.

use super::{Code, Context, Finding, How, Measured, Observation, Pairs, Search, Sentence, Severity, Unit, Units};
use crate::core::CoreUse;
use crate::report::ComparisonRow;
use crate::saved::more_processes;
use crate::verdict::Verdict;
use tare_model::INTERVAL_LAUNCHES;

pub(super) const SEARCH: Search = Search::of_cases(of_case).and_of_saved(of_saved);

fn of_case(context: &Context, m: Measured) -> Option<Observation> {
    let usable = m.estimates.launches.len();
    let made = context.run.launches.iter().filter(|launch| launch.case == m.case).count();
    // For which there was no time: `out-of-time` names them.
    let is_cut = made < INTERVAL_LAUNCHES && context.run.plan.policy.first_waves_always;
    if usable >= INTERVAL_LAUNCHES || is_cut {
        return None;
    }
    let of = if made > usable { "only {usable} of {made} can be used" } else { "only {usable} can be used" };
    let why = match m.times.core {
        CoreUse::Alone if made > usable => ": the others had too few visits alone on the core",
        _ => "",
    };
    let evidence = Sentence::new(of)
        .then(why.into())
        .then("; the interval of a time needs {least}".into())
        .number("usable", usable as f64, Unit::Launches)
        .count("made", made)
        .count("least", INTERVAL_LAUNCHES);
    let found = Observation::warning(evidence, "use more launches, because launches may differ");
    Some(found.weighing(1.0 / (usable.max(1) as f64)).again(How::Launches(12)))
}

/// Rows of saved data with too few processes behind them.
fn of_saved(found: &Pairs) -> Vec<Finding> {
    // A count that is exact has a verdict all the same.
    let few = |row: &&ComparisonRow| row.verdict == Verdict::Unclear && row.launches.iter().any(|n| *n < INTERVAL_LAUNCHES);
    let names: Vec<String> = found.rows.iter().filter(few).map(|row| row.key.clone()).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let evidence = Sentence::new(
        "{count} of {rows} comparisons have fewer than {least} processes on a side, so the spread between processes is unknown: \
         {names}",
    )
    .count("count", names.len())
    .count("rows", found.rows.len())
    .count("least", INTERVAL_LAUNCHES)
    .names("names", names);
    vec![Finding::new(
        Code::FewLaunches,
        Severity::Warning,
        evidence,
        more_processes(found.base, found.new, Units::Processes),
    )]
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, log_ns, noisy_logs, RunBuilder};
    use crate::{Again, How};

    fn findings(count: u64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        for n in 0..count {
            builder.launch(case, 0, &noisy_logs(log_ns(100.0), 24, n));
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn three_launches_are_few_and_four_are_not() {
        let found = findings(3);
        assert_eq!(codes(&found), ["few-launches"]);
        assert_eq!(found[0].advice.again, Some(Again::only(How::Launches(12), ["g/a"])));
        assert!(findings(4).is_empty());
    }

    #[test]
    fn those_that_are_compared_are_measured_again_together() {
        let mut builder = RunBuilder::new();
        for (name, is_baseline) in [("a", true), ("b", false)] {
            let case = builder.case("g", name, is_baseline);
            for n in 0..3 {
                builder.launch(case, 0, &noisy_logs(log_ns(100.0), 24, n));
            }
        }
        let report = crate::analyse(&builder.run());
        assert_eq!(report.launches.made, 6);
        let few: Vec<_> = report.findings.iter().filter(|f| f.code == crate::Code::FewLaunches).collect();
        assert_eq!(few.len(), 2, "{:?}", report.findings);
        for finding in few {
            assert_eq!(finding.advice.again, Some(Again::only(How::Launches(12), ["g/a", "g/b"])), "with a ratio");
            assert!(finding.evidence.to_string().ends_with("the interval of a time needs 4"), "{}", finding.evidence);
        }
    }
}
