//! `out-of-time`: the budget was spent before some benchmarks started.

use super::{Context, How, Observation, Search, Sentence, Unit};
use crate::report::Outcome;
use tare_model::{RunStatus, INTERVAL_LAUNCHES};

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let run = context.run;
    let policy = &run.plan.policy;
    let Some(budget_s) = policy.budget_s.filter(|_| run.status == RunStatus::Finished) else {
        return Vec::new();
    };
    // Without a budget of the user's own each case has so many launches, unless that takes much longer than was expected.
    let wanted = if policy.first_waves_always { INTERVAL_LAUNCHES } else { 1 };
    let mut names: Vec<String> = Vec::new();
    for case in context.cases {
        let launches = match &case.outcome {
            Outcome::NotMeasured if !run.results[case.case as usize].complete => 0,
            Outcome::Measured(_) => run.launches.iter().filter(|launch| launch.case == case.case).count(),
            _ => wanted,
        };
        // Both sides of a comparison share a name.
        let name = case.selector();
        if launches < wanted && names.last() != Some(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    let (pattern, spent_s) = match (policy.first_waves_always, names.len()) {
        (false, 1) => ("the budget of {budget} was spent before {count} benchmark started: {names}", budget_s),
        (false, _) => ("the budget of {budget} was spent before {count} benchmarks started: {names}", budget_s),
        (true, 1) => {
            ("after {budget} there was no time for {wanted} launches of {count} benchmark: {names}", run.elapsed_s)
        }
        (true, _) => {
            ("after {budget} there was no time for {wanted} launches of {count} benchmarks: {names}", run.elapsed_s)
        }
    };
    let evidence = Sentence::new(pattern)
        .number("budget", spent_s, Unit::Seconds)
        .count("wanted", wanted)
        .count("count", names.len())
        .names("names", names.clone());
    let advice = "measure the others too";
    vec![Observation { only: names, ..Observation::warning(evidence, advice).again(How::WithoutBudget) }]
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::{Again, Code, How};
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
        assert_eq!(found[0].advice.again, Some(Again::only(How::WithoutBudget, ["g/b"])));
    }

    #[test]
    fn a_run_without_a_budget_of_its_own_took_twice_as_long_as_announced() {
        let run = |run: &mut tare_model::Run| (run.plan.policy.first_waves_always, run.elapsed_s) = (true, 24.0);
        let found = findings_of(Some(12.0), RunStatus::Finished, run);
        let out_of_time = found.iter().find(|f| f.code == Code::OutOfTime).expect("it says so");
        let evidence = out_of_time.evidence.to_string();
        assert_eq!(evidence, "after 24 s there was no time for 4 launches of 1 benchmark: `g/b`");
    }

    #[test]
    fn a_run_that_was_stopped_or_has_no_budget_is_not_out_of_time() {
        assert!(findings(Some(2.0), RunStatus::Interrupted).is_empty());
        assert!(findings(None, RunStatus::Finished).is_empty());
    }
}
