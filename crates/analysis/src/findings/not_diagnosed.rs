//! `not-diagnosed`: a measured case lacks what a diagnoser should have given.

use super::{Context, Measured, Observation, Search, Sentence};
use tare_model::{Artifact, Diagnosis, FailureKind, RunStatus};

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    context.measured().flat_map(|measured| of_measured(context, measured)).collect()
}

/// What a case lacks; several diagnosers share a finding if severity and advice are the same.
fn of_measured(context: &Context, measured: Measured) -> Vec<Observation> {
    let mut all: Vec<Observation> = Vec::new();
    for found in context
        .run
        .plan
        .diagnosers_of(measured.case)
        .filter_map(|name| of_case(context, measured, name))
        .map(|found| found.of(measured.case))
    {
        match all.iter_mut().find(|one| one.severity == found.severity && one.advice == found.advice) {
            Some(one) => one.evidence = one.evidence.clone().then(Sentence::new("; ")).then(found.evidence),
            None => all.push(found),
        }
    }
    all
}

fn of_case(context: &Context, measured: Measured, name: &str) -> Option<Observation> {
    let program = context.run.artifacts.get(context.run.plan.cases[measured.case as usize].artifact as usize)?;
    let is_this = |pass: &&Diagnosis| pass.case == measured.case && pass.diagnoser == name;
    if !context.run.diagnoses.iter().any(|pass| is_this(&pass)) {
        let declares_it = program.declares(name) && !program.lacks.contains_key(name);
        return (context.run.status == RunStatus::Finished && !declares_it)
            .then(|| Observation::note(lack(program, name), advice(program, name)));
    }
    let mut passes = context.run.diagnoses.iter().filter(is_this);
    // In merged runs, one pass may have failed and another not.
    let failure = passes.clone().all(|pass| pass.failure.is_some()).then(|| passes.next()?.failure.as_ref())??;
    if let FailureKind::Refused { message, .. } = &failure.cause {
        let evidence = Sentence::new("the diagnoser `{name}` has no values here: {why}")
            .text("name", name)
            .text("why", message.as_str());
        return Some(Observation::note(evidence, advice(program, name)));
    }
    let mut evidence =
        Sentence::new("the diagnoser `{name}` failed: {why}").text("name", name).text("why", failure.cause.text());
    if let Some(line) = failure.output.last() {
        evidence = evidence.then(Sentence::new("; the last line of its output: {line}").text("line", line));
    }
    Some(Observation::warning(evidence, "its time is not affected: it was measured before, in other processes"))
}

fn lack(program: &Artifact, name: &str) -> Sentence {
    match program.lacks.get(name).filter(|lack| !lack.reason.is_empty()) {
        Some(lack) => Sentence::new("the diagnoser `{name}` cannot look at it: {reason}")
            .text("name", name)
            .text("reason", &lack.reason),
        None => Sentence::new("its program has no diagnoser `{name}`").text("name", name),
    }
}

fn advice(program: &Artifact, name: &str) -> Sentence {
    const TIME: &str = "its time is not affected";
    match program.lacks.get(name).map(|lack| lack.advice.as_str()).filter(|advice| !advice.is_empty()) {
        Some(advice) => Sentence::new("{advice}; its time is not affected").text("advice", advice),
        None => Sentence::new(TIME),
    }
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{twelve_launches, RunBuilder};
    use crate::{Finding, Outcome};
    use tare_model::{Diagnoser, Diagnosis, Failure, FailureKind, Lack, Metric, Per, Step};

    fn pass(case: u32, peaks: &[f64]) -> Diagnosis {
        let failure = Failure {
            cause: FailureKind::Signal { signal: 11, name: "SIGSEGV".to_owned() },
            step: Step::Body,
            output: vec!["last words".to_owned()],
        };
        Diagnosis {
            metrics: [("peak".to_owned(), peaks.to_vec()), ("bytes".to_owned(), peaks.to_vec())].into(),
            failure: peaks.is_empty().then_some(failure),
            ..Diagnosis::new(case, "memory", 0, 10)
        }
    }

    fn run(has_it: bool, passes: Vec<Diagnosis>) -> tare_model::Run {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        builder.run.plan.diagnosis.diagnosers = vec!["memory".to_owned()];
        let metric = |name: &str, per| Metric { name: name.to_owned(), per, ..Metric::default() };
        let metrics = vec![metric("peak", Per::Iteration), metric("bytes", Per::Operation)];
        if has_it {
            builder.child().diagnosers = vec![Diagnoser { name: "memory".to_owned(), metrics, gives: Vec::new() }];
        }
        builder.run.diagnoses = passes;
        builder.run()
    }

    fn found(run: &tare_model::Run) -> Vec<Finding> {
        crate::analyse(run).findings.into_iter().filter(|f| f.code == crate::Code::NotDiagnosed).collect()
    }

    #[test]
    fn what_a_pass_gives_is_a_metric_that_says_where_it_is_from() {
        let mut run = run(true, vec![pass(0, &[30.0, 50.0]), pass(0, &[70.0])]);
        let report = crate::analyse(&run);
        let Outcome::Measured(estimates) = &report.cases[0].outcome else { panic!("it is measured") };
        let metrics: Vec<_> =
            estimates.metrics.iter().map(|m| (m.metric.name.as_str(), m.diagnoser.as_deref(), m.value)).collect();
        let memory = Some("memory");
        assert_eq!(metrics, [("memory/peak", memory, 50.0), ("memory/bytes", memory, 5.0)]);
        assert_eq!(estimates.metrics[0].launches, [40.0, 70.0]);
        assert_eq!(found(&run), []);
        // The times do not change.
        run.diagnoses.clear();
        let without = crate::analyse(&run);
        let Outcome::Measured(bare) = &without.cases[0].outcome else { panic!("it is measured") };
        let times = |e: &crate::CaseEstimates| format!("{:?} {:?} {:?}", e.time, e.raw, e.launches);
        assert_eq!((times(bare), bare.metrics.len()), (times(estimates), 0));
    }

    #[test]
    fn a_diagnoser_that_fails_or_is_not_there_costs_its_own_result() {
        let failed = found(&run(true, vec![pass(0, &[])]));
        let text = failed[0].evidence.to_string();
        assert!(text.contains("`memory` failed: killed by SIGSEGV") && text.ends_with("output: last words"), "{text}");
        assert_eq!(found(&run(true, vec![pass(0, &[]), pass(0, &[1.0])])), []);
        let lacks = found(&run(false, Vec::new()));
        assert_eq!((lacks[0].case, lacks[0].severity), (Some(0), crate::Severity::Note));
        let mut refused = run(false, Vec::new());
        let lack = Lack { reason: "it is linked statically".to_owned(), advice: "link it dynamically".to_owned() };
        refused.artifacts[0].lacks.insert("memory".to_owned(), lack);
        let said = found(&refused).remove(0);
        let text = "the diagnoser `memory` cannot look at it: it is linked statically";
        assert_eq!(said.evidence.to_string(), text);
        assert_eq!(said.advice.text.to_string(), "link it dynamically; its time is not affected");
        let mut stopped = run(false, Vec::new());
        stopped.status = tare_model::RunStatus::Interrupted;
        assert_eq!(found(&stopped), []);
    }
    #[test]
    fn what_a_runtime_cannot_tell_is_said_in_its_words() {
        let mut run = run(true, Vec::new());
        run.plan.diagnosis.diagnosers.clear();
        run.plan.cases[0].benchmark.diagnosers = vec!["memory".to_owned(), "threading".to_owned()];
        let refused = |name: &str, message: &str| {
            let (error, request) = ("not-supported".to_owned(), "diagnose".to_owned());
            let cause = FailureKind::Refused { error, message: message.to_owned(), request };
            let failure = Some(Failure { cause, step: Step::Body, output: Vec::new() });
            Diagnosis { diagnoser: name.to_owned(), failure, metrics: Default::default(), ..pass(0, &[]) }
        };
        run.diagnoses = vec![refused("memory", "this runtime counts nothing")];
        let all = found(&run);
        let text = "the diagnoser `memory` has no values here: this runtime counts nothing; \
            its program has no diagnoser `threading`";
        assert_eq!((all.len(), all[0].evidence.to_string().as_str()), (1, text));
        assert_eq!(all[0].severity, crate::Severity::Note);
    }
}
