//! `different-results`: contestants of one comparison returned different results, so they may not do the same work. Two builds of one
//! benchmark should agree; for contestants of a group it is a note, and `--fail-on different` makes it a failure.

use super::{Context, Observation, Search, Sentence, Severity};
use tare_model::{CaseResult, Results};

pub(super) const SHOWN: usize = 24;

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let mut found = Vec::new();
    for group in &context.run.plan.groups {
        let Some(baseline) = group.baseline else { continue };
        let results: Option<Vec<(u32, &CaseResult)>> = group
            .cases
            .iter()
            .filter_map(|&case| Some((case, context.run.results.get(case as usize)?)))
            .filter(|(_, r)| r.failure.is_none())
            .map(|(case, r)| r.digest.as_ref().map(|_| (case, r)))
            .collect();
        // If a contestant has no result, the others may differ for a reason unknown to Tare.
        let Some(results) = results else { continue };
        let Some(&(_, base)) = results.iter().find(|(case, _)| *case == baseline) else { continue };
        let severity = if group.same_invocations { Severity::Warning } else { Severity::Note };
        let may_differ = |case: u32| match context.run.plan.cases.get(case as usize).map(|case| case.benchmark.results)
        {
            Some(Results::Change) => true,
            // Two builds of one benchmark should still agree.
            Some(Results::Differ) => !group.same_invocations,
            Some(Results::Same) | None => false,
        };
        if may_differ(baseline) {
            continue;
        }
        let differs = |&&(case, result): &&(u32, &CaseResult)| result.digest != base.digest && !may_differ(case);
        found.extend(results.iter().filter(differs).map(|&(case, result)| {
            let evidence = Sentence::new("returned {result}, the baseline returned {result-of-base}")
                .text("result", shown(result, base))
                .text("result-of-base", shown(base, result));
            let advice = "make all contestants do the same work, or put them into different groups";
            Observation::new(severity, evidence, advice).of(case)
        }));
    }
    found
}

/// The text of a result, or its digest if the texts do not show the difference.
fn shown(result: &CaseResult, other: &CaseResult) -> String {
    let short = |r: &CaseResult| r.text.as_deref().map(|t| cut(t, SHOWN));
    match short(result) {
        Some(text) if short(other).is_some_and(|t| t != text) => format!("`{text}`"),
        _ => format!("digest {}", cut(result.digest.as_deref().unwrap_or("none"), SHOWN)),
    }
}

/// At most `limit` characters of a text, on one line.
pub(super) fn cut(text: &str, limit: usize) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.chars().count() <= limit {
        return line;
    }
    line.chars().take(limit.saturating_sub(1)).chain(['\u{2026}']).collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use tare_model::Results;

    fn findings(results: &[Option<(&str, &str)>]) -> Vec<crate::Finding> {
        findings_of(results, false)
    }

    fn findings_of(results: &[Option<(&str, &str)>], builds: bool) -> Vec<crate::Finding> {
        declared(results, builds, &[])
    }

    fn declared(results: &[Option<(&str, &str)>], builds: bool, says: &[Results]) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        for (i, result) in results.iter().enumerate() {
            let case = builder.case("sum", &format!("c{i}"), i == 0);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            builder.run.results[i].digest = result.map(|r| r.0.to_owned());
            builder.run.plan.cases[i].benchmark.results = says.get(i).copied().unwrap_or_default();
            builder.run.results[i].text = result.map(|r| r.1.to_owned());
        }
        builder.run.plan.groups[0].same_invocations = builds;
        let found = crate::analyse(&builder.run()).findings;
        found.into_iter().filter(|f| f.code.name() == "different-results").collect()
    }

    #[test]
    fn the_one_that_differs_is_named() {
        let found = findings(&[Some(("aa", "17")), Some(("aa", "17")), Some(("bb", "18"))]);
        assert_eq!(codes(&found), ["different-results"]);
        assert_eq!(
            (found[0].case, found[0].evidence.to_string().as_str()),
            (Some(2), "returned `18`, the baseline returned `17`")
        );
    }

    #[test]
    fn two_builds_owe_the_same_result_and_contestants_may_not() {
        let results = [Some(("aa", "17")), Some(("bb", "18"))];
        assert_eq!(findings_of(&results, true)[0].severity, crate::Severity::Warning);
        assert_eq!(findings_of(&results, false)[0].severity, crate::Severity::Note);
    }

    #[test]
    fn what_differs_on_purpose_is_not_named() {
        use Results::{Change, Differ, Same};
        let results = [Some(("aa", "17")), Some(("bb", "18")), Some(("cc", "19"))];
        let named = |says: [Results; 3], builds| -> Vec<Option<u32>> {
            declared(&results, builds, &says).iter().map(|finding| finding.case).collect()
        };
        assert_eq!(named([Same, Differ, Same], false), [Some(2)]);
        assert_eq!(named([Differ, Same, Same], false), [], "the baseline differs from all");
        assert_eq!(named([Differ, Differ, Change], true), [Some(1)], "two builds do not differ on purpose");
        assert_eq!(named([Change, Change, Change], true), []);
    }

    #[test]
    fn equal_results_and_unknown_ones_are_nothing() {
        assert!(findings(&[Some(("aa", "17")), Some(("aa", "17.0"))]).is_empty());
        assert!(findings(&[Some(("aa", "17")), None, Some(("bb", "18"))]).is_empty());
    }
}
