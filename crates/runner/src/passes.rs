//! Passes of diagnosers: after all times were measured, each in a process of its own, so that no time is of code that is watched.

use super::children::Answers;
use super::executors::Executor;
use tare_engine::{Action, Answer, Ask, Start};
use tare_model::{CaseGroup, Diagnoser, Diagnosis, LaunchOutcome, Loop, Metric, Run, Series, Stage, Strategy};
use tare_protocol::Request;

/// Iterations of a pass; one of bodies that take long.
const ITERATIONS: u64 = 5;
/// Invocations of an iteration at most: a body that is watched may be a hundred times slower.
const INVOCATIONS_MAX: u64 = 1000;
/// An iteration that takes longer is not repeated, ns.
const LONG_NS: f64 = 5e7;

/// Passes over a case whose metrics get a verdict: what differs from process to process is seen in no fewer.
const PASSES_COMPARED: usize = 4;

/// What a runtime that compiles late runs before a pass, ns: counted is what its compiled code does.
const WARM_UP_NS: f64 = 3.5e8;
/// Iterations of that at most.
const WARM_UPS_MAX: f64 = 1000.0;

/// The passes that a run still lacks: each diagnoser of the plan or of a declaration, over every case that was measured and whose program has it.
pub fn wanted(run: &Run) -> Vec<(u32, String)> {
    let mut wanted = Vec::new();
    for (at, case) in run.plan.cases.iter().enumerate() {
        let child = run.artifacts.get(case.artifact as usize).and_then(|artifact| artifact.child.as_ref());
        let diagnosers = child.map_or(&[][..], |child| &child.diagnosers).iter();
        let is_wanted = |diagnoser: &&Diagnoser| run.plan.diagnosers_of(at as u32).any(|name| name == diagnoser.name);
        for diagnoser in diagnosers.filter(is_wanted) {
            let name = &diagnoser.name;
            let is_one = |done: &&Diagnosis| done.case as usize == at && done.diagnoser == *name;
            let done: Vec<&Diagnosis> = run.diagnoses.iter().filter(is_one).collect();
            // One that failed is not made again.
            let failed = done.iter().any(|pass| pass.failure.is_some());
            if run.results[at].failure.is_none() && visits(run, at as u32).is_some() && !failed {
                let of_it = |group: &&CaseGroup| group.baseline.is_some() && group.cases.contains(&(at as u32));
                let is_compared = run.sides.is_some() || run.plan.groups.iter().any(|group| of_it(&group));
                let all = if is_compared && is_judged(diagnoser) { PASSES_COMPARED } else { 1 };
                wanted.extend((done.len()..all).map(|_| (at as u32, name.clone())));
            }
        }
    }
    wanted
}

/// Some of its metrics has a verdict without being asked for.
fn is_judged(diagnoser: &Diagnoser) -> bool {
    let mut names = diagnoser.metrics.iter().map(|metric| format!("{}/{}", diagnoser.name, metric.name));
    names.any(|name| !Metric::is_shown_alone(&name))
}

/// How a case was measured.
fn visits(run: &Run, case: u32) -> Option<&Series> {
    let mut finished = run.launches.iter().filter(|l| l.case == case && l.outcome == LaunchOutcome::Finished);
    finished.find_map(|launch| launch.series.iter().find(|series| series.stage == Stage::Actual))
}

/// What is asked in a pass: what a visit was, within what watched code can bear.
fn request(run: &Run, case: u32, name: &str) -> (Request, u64) {
    let visits = visits(run, case);
    let invocations = visits.map_or(1, |series| series.invocations).clamp(1, INVOCATIONS_MAX);
    let is_long = visits.is_some_and(|series| series.columns.elapsed_ns.iter().any(|ns| *ns > LONG_NS));
    let (iterations, lead) = match run.plan.cases[case as usize].benchmark.strategy {
        Strategy::ColdStart => (1, 0),
        _ if is_long => (1, 0),
        Strategy::Monitoring => (ITERATIONS, 0),
        Strategy::Throughput => (ITERATIONS, invocations),
    };
    (Request::Diagnose { name: name.to_owned(), iterations, invocations, lead }, invocations)
}

/// What is run before it, without the diagnoser: nothing where the runtime does not compile late, or where the first calls count.
fn warm_up(run: &Run, case: u32) -> Option<Request> {
    let planned = &run.plan.cases[case as usize];
    let child = run.artifacts.get(planned.artifact as usize)?.child.as_ref()?;
    if !child.compiles_late || planned.benchmark.strategy != Strategy::Throughput {
        return None;
    }
    let visits = visits(run, case)?;
    let elapsed = &visits.columns.elapsed_ns;
    let each = elapsed.iter().sum::<f64>() / elapsed.len().max(1) as f64;
    let iterations = (WARM_UP_NS / each.max(1.0)).ceil().clamp(1.0, WARM_UPS_MAX) as u64;
    Some(Request::Measure { which: Loop::Workload, iterations, invocations: visits.invocations, lead: 0, windows: 0 })
}

/// Makes one pass; None when the user interrupted.
pub fn pass(run: &Run, case: u32, name: &str, executor: &mut dyn Executor) -> Option<Diagnosis> {
    // The number of a launch that there is not: no child lives now.
    let launch = run.launches.len() as u32;
    let (request, invocations) = request(run, case, name);
    let part = run.parts.len() as u32 - 1;
    let mut diagnosis = Diagnosis {
        case,
        diagnoser: name.to_owned(),
        part,
        invocations,
        operations: Vec::new(),
        metrics: Default::default(),
        failure: None,
    };
    let ask = |request| Action::Ask(vec![Ask { launch, request, may_be_placed: false }]);
    let start = Action::Start(vec![Start { launch, case, seed: 0, is_watched: true }]);
    let asked = warm_up(run, case).into_iter().chain([request]).map(ask);
    for action in [start].into_iter().chain(asked).chain([Action::End(vec![launch])]) {
        let Answers { by_launch, interrupted, .. } = executor.act(action, Some(run));
        if interrupted {
            return None;
        }
        for (_, answer) in by_launch {
            match answer {
                Answer::Diagnosed { operations, metrics } => {
                    (diagnosis.operations, diagnosis.metrics) = (operations, metrics);
                }
                Answer::Failed { failure, .. } => {
                    diagnosis.metrics.clear();
                    diagnosis.failure = Some(failure);
                    return Some(diagnosis);
                }
                _ => {}
            }
        }
    }
    Some(diagnosis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(strategy: &str, invocations: u64, elapsed_ns: f64) -> Run {
        let series = serde_json::json!({"stage": "actual", "invocations": invocations, "round": [0], "columns": {"elapsed_ns": [elapsed_ns]}});
        let case = |artifact: u32, name: &str| {
            serde_json::json!({"artifact": artifact, "job": 0, "key": name,
            "benchmark": {"index": 0, "group": "", "name": name, "strategy": strategy}})
        };
        let launch = |id: u32, case: u32| {
            serde_json::json!({"id": id, "case": case, "group": case, "wave": 0, "seed": 1, "start_ns": 5.0,
            "outcome": "finished", "series": [series]})
        };
        let artifact = |diagnosers: serde_json::Value| {
            let child = tare_model::ChildFacts {
                diagnosers: serde_json::from_value(diagnosers).expect("diagnosers"),
                ..Default::default()
            };
            serde_json::json!({"name": "p", "language": "", "toolchain": "file", "command": ["p"], "directory": ".", "hash": "", "child": child})
        };
        serde_json::from_value(serde_json::json!({
            "schema": "2.0", "id": "a", "created": "", "tare": "", "method": "", "command": [],
            "parts": [{"created": "", "environment": {}, "elapsed_s": 1.0}],
            "artifacts": [artifact(serde_json::json!([{"name": "memory", "metrics": []}])), artifact(serde_json::json!([]))],
            "jobs": [{"id": ""}],
            "plan": {"cases": [case(0, "a"), case(1, "b"), case(0, "c"), case(0, "d")], "policy": {"diagnose": ["memory"]}, "seed": 1,
                "groups": [{"cases": [0, 1, 2, 3], "baseline": null}]},
            "results": vec![serde_json::json!({"complete": true}); 4], "launches": [launch(0, 0), launch(1, 1), launch(2, 2)],
            "status": "open", "elapsed_s": 1.0,
        }))
        .expect("a run")
    }

    #[test]
    fn what_was_measured_and_is_not_diagnosed_yet_is_wanted() {
        let mut run = run("throughput", 10, 1e6);
        // The program of the second lacks it; the fourth has no launch.
        let memory = |case: u32| (case, "memory".to_owned());
        assert_eq!(wanted(&run), [memory(0), memory(2)]);
        let failure = tare_model::Failure {
            cause: tare_model::FailureKind::NoValidVisits,
            step: tare_model::Step::Body,
            output: Vec::new(),
        };
        let done = |case, failure| Diagnosis {
            case,
            diagnoser: "memory".to_owned(),
            part: 0,
            invocations: 1,
            operations: Vec::new(),
            metrics: Default::default(),
            failure,
        };
        // One that failed is not tried again.
        run.diagnoses = vec![done(0, Some(failure))];
        assert_eq!(wanted(&run), [memory(2)]);
        run.plan.policy.diagnose.clear();
        assert_eq!(wanted(&run), []);
    }

    #[test]
    fn a_pass_is_as_long_as_the_code_can_bear() {
        let asked = |strategy, invocations, ns| request(&run(strategy, invocations, ns), 0, "memory").0.encode();
        assert_eq!(asked("throughput", 40, 1e6), "diagnose memory 5 40 40\n");
        assert_eq!(asked("throughput", 1_000_000, 1e6), "diagnose memory 5 1000 1000\n");
        assert_eq!(asked("throughput", 1, 1e9), "diagnose memory 1 1 0\n");
        assert_eq!(asked("monitoring", 1, 1e6), "diagnose memory 5 1 0\n");
        assert_eq!(asked("cold-start", 1, 1e6), "diagnose memory 1 1 0\n");
    }
    #[test]
    fn a_declaration_asks_for_its_own_benchmark_and_what_has_no_verdict_takes_one_pass() {
        let mut run = run("throughput", 10, 1e6);
        run.plan.policy.diagnose.clear();
        run.plan.cases[2].benchmark.diagnosers = vec!["threading".to_owned(), "of_another".to_owned()];
        run.plan.groups[0].baseline = Some(0);
        let child = run.artifacts[0].child.as_mut().expect("a child");
        let metric = |name: &str| Metric { name: name.to_owned(), ..Metric::default() };
        child.diagnosers = vec![Diagnoser { name: "threading".to_owned(), metrics: vec![metric("work_items")] }];
        let threading = |passes: usize| vec![(2, "threading".to_owned()); passes];
        assert_eq!(wanted(&run), threading(1));
        // A metric that is judged is seen in several processes.
        let child = run.artifacts[0].child.as_mut().expect("a child");
        child.diagnosers[0].metrics.push(metric("waits"));
        assert_eq!(wanted(&run), threading(PASSES_COMPARED));
    }

    #[test]
    fn what_compiles_late_is_run_before_a_pass() {
        let mut run = run("throughput", 40, 1e6);
        assert_eq!(warm_up(&run, 0), None);
        run.artifacts[0].child.as_mut().expect("a child").compiles_late = true;
        assert_eq!(warm_up(&run, 0).expect("a request").encode(), "measure workload 350 40 0\n");
        run.launches[0].series[0].columns.elapsed_ns = vec![1e9];
        assert_eq!(warm_up(&run, 0).expect("a request").encode(), "measure workload 1 40 0\n");
        run.plan.cases[0].benchmark.strategy = Strategy::Monitoring;
        assert_eq!(warm_up(&run, 0), None);
    }
}
