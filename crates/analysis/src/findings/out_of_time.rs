//! `out-of-time`: the budget was spent before some benchmarks started.

use super::facts::Context;
use super::Severity;
use super::{How, Observation, Search, Sentence, Unit};
use crate::report::Outcome;
use tare_model::RunStatus;

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let run = context.run;
    let Some(budget_s) = run.plan.policy.budget_s.filter(|_| run.status == RunStatus::Finished) else {
        return Vec::new();
    };
    let mut names: Vec<String> = Vec::new();
    for case in context.cases.iter().filter(|case| matches!(case.outcome, Outcome::NotMeasured)) {
        // Both sides of a comparison have one name.
        let name = case.selector();
        if !run.results[case.case as usize].complete && names.last() != Some(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    let pattern = match names.len() {
        1 => "the budget of {budget} was spent before {count} benchmark started: {names}",
        _ => "the budget of {budget} was spent before {count} benchmarks started: {names}",
    };
    vec![Observation {
        case: None,
        severity: Severity::Warning,
        evidence: Sentence::new(pattern)
            .number("budget", budget_s, Unit::Seconds)
            .count("count", names.len())
            .names("names", names),
        weight: 1.0,
        advice: "raise the budget, or select fewer benchmarks".into(),
        again: Some(How::WithoutBudget),
    }]
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::{Again, How};
    use tare_model::RunStatus;

    fn findings(budget_s: Option<f64>, status: RunStatus) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        builder.case("g", "b", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        let mut run = builder.run();
        run.plan.policy.budget_s = budget_s;
        run.status = status;
        run.results[1].complete = false;
        crate::analyse(&run).findings
    }

    #[test]
    fn what_was_not_begun_is_named() {
        let found = findings(Some(2.0), RunStatus::Finished);
        assert_eq!(codes(&found), ["out-of-time"]);
        assert_eq!(found[0].evidence.to_string(), "the budget of 2 s was spent before 1 benchmark started: `g/b`");
        assert_eq!(found[0].advice.again, Some(Again::new(How::WithoutBudget)));
    }

    #[test]
    fn a_run_that_was_stopped_or_has_no_budget_is_not_out_of_time() {
        assert!(findings(Some(2.0), RunStatus::Interrupted).is_empty());
        assert!(findings(None, RunStatus::Finished).is_empty());
    }
}
