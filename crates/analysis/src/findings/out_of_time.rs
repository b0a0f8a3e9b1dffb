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
    let pattern = match (run.plan.policy.first_waves_always, names.len()) {
        (false, 1) => "the budget of {budget} was spent before {count} benchmark started: {names}",
        (false, _) => "the budget of {budget} was spent before {count} benchmarks started: {names}",
        (true, 1) => "the others took twice the {budget} that were expected of all; {count} benchmark did not start: {names}",
        (true, _) => "the others took twice the {budget} that were expected of all; {count} benchmarks did not start: {names}",
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
        findings_of(budget_s, status, |_| ())
    }

    fn findings_of(budget_s: Option<f64>, status: RunStatus, change: fn(&mut tare_model::Run)) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        builder.case("g", "b", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        let mut run = builder.run();
        run.plan.policy.budget_s = budget_s;
        run.status = status;
        run.results[1].complete = false;
        change(&mut run);
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
    fn a_run_without_a_budget_of_its_own_took_twice_as_long_as_announced() {
        let run = |run: &mut tare_model::Run| run.plan.policy.first_waves_always = true;
        let evidence = findings_of(Some(12.0), RunStatus::Finished, run)[0].evidence.to_string();
        assert_eq!(evidence, "the others took twice the 12 s that were expected of all; 1 benchmark did not start: `g/b`");
    }

    #[test]
    fn a_run_that_was_stopped_or_has_no_budget_is_not_out_of_time() {
        assert!(findings(Some(2.0), RunStatus::Interrupted).is_empty());
        assert!(findings(None, RunStatus::Finished).is_empty());
    }
}
