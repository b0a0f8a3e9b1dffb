//! The report of a run, part by part.

use super::attachments::attachments;
use super::case::estimates;
use super::core_use::core_summary;
use super::scaling::scalings;
use super::{CaseReport, GroupReport, JobReport, LaunchCount, Outcome, ProgramReport, Report};
use crate::finding::{side_name, Finding};
use crate::ratio::{ratio_of_times, ratios, Pair, RatioReport};
use crate::visits::CaseTimes;
use tare_model::{CaseGroup, LanguageFacts, Run};

/// The reports of the cases, without the ratios of their metrics, which are judged like those of saved sides.
pub(crate) fn case_reports(
    run: &Run,
    times: &[CaseTimes],
    pairs: &[Option<Pair>],
    reference: Option<f64>,
) -> Vec<CaseReport> {
    let ratios = ratios(run, pairs);
    let mut cases: Vec<CaseReport> =
        times.iter().zip(ratios).map(|(times, ratio)| case_report(run, times, ratio, reference)).collect();
    leave_out_ratios_of_nothing(&mut cases);
    mark_other_ratios(run, &mut cases);
    for group in &run.plan.groups {
        mark_contestants(run, group, &mut cases);
    }
    cases
}

pub(crate) fn report(
    run: &Run,
    times: &[CaseTimes],
    cases: Vec<CaseReport>,
    findings: Vec<Finding>,
    reference: Option<f64>,
) -> Report {
    Report {
        run: run.id.clone(),
        created: run.created.clone(),
        tare: run.tare.clone(),
        method: run.method.clone(),
        environment: environment(run, reference),
        status: run.status,
        elapsed_s: run.elapsed_s,
        launches: launches(run),
        core: core_summary(run, times),
        request: run.wanted(),
        is_comparison: run.sides.is_some(),
        minimum_effect: run.plan.policy.minimum_effect,
        groups: display_groups(&cases),
        scaling: scalings(&cases),
        cases,
        findings,
        programs: run.artifacts.iter().map(program).collect(),
        jobs: jobs(run),
        not_built: run.missing.failed.clone(),
        attachments: attachments(run),
        without_baseline: run.missing.alone.clone(),
    }
}

fn launches(run: &Run) -> LaunchCount {
    let policy = &run.plan.policy;
    let of_group = |group: &tare_model::CaseGroup| {
        let (least, most) = policy.waves_of(group);
        (least == most).then(|| least as usize * policy.width_of(group) as usize * group.cases.len())
    };
    let made = run.launches.len();
    let planned: Option<usize> = run.plan.groups.iter().map(of_group).sum();
    // Large spread leads to further launches.
    LaunchCount { made, planned: planned.filter(|planned| *planned >= made) }
}

/// A time that cannot be distinguished from nothing has no ratio in either direction: it would be one of loops.
fn leave_out_ratios_of_nothing(cases: &mut [CaseReport]) {
    let nothing: Vec<bool> = cases.iter().map(CaseReport::is_nothing).collect();
    for case in cases {
        if let Outcome::Measured(estimates) = &mut case.outcome {
            let counts = |r: &RatioReport| !nothing[case.case as usize] && !nothing[r.baseline as usize];
            estimates.ratio = estimates.ratio.take().filter(counts);
        }
    }
}

/// Marks what a gate needs to know about contestants of a baseline.
fn mark_contestants(run: &Run, group: &tare_model::CaseGroup, cases: &mut [CaseReport]) {
    let known =
        |&case: &u32| run.results[case as usize].failure.is_some() || run.results[case as usize].digest.is_some();
    let results_known = group.cases.iter().all(known);
    let base_is_nothing = group.baseline.is_some_and(|base| cases[base as usize].is_nothing());
    for case in group.contestants() {
        let case = &mut cases[case as usize];
        (case.contestant, case.results_known) = (true, results_known);
        case.of_nothing = base_is_nothing || case.is_nothing();
    }
}

fn environment(run: &Run, reference: Option<f64>) -> tare_model::Environment {
    let mut environment = run.environment().clone();
    (environment.steal, environment.cpu_pressure) = (run.steal(), run.cpu_pressure());
    let known = environment.clock_reference.as_ref().map(|c| c.cycle_ns);
    if let Some(cycle_ns) = reference.filter(|_| reference != known) {
        environment.clock_reference = Some(tare_model::ClockReference { cycle_ns, source: "this run".to_owned() });
    }
    environment
}

fn jobs(run: &Run) -> Vec<JobReport> {
    let named = run.jobs.iter().filter(|job| !job.id.is_empty());
    named.map(|job| JobReport { name: job.id.clone(), settings: job.settings() }).collect()
}

fn program(artifact: &tare_model::Artifact) -> ProgramReport {
    let child = artifact.child.as_ref();
    ProgramReport {
        name: artifact.name.clone(),
        language: child.map_or_else(|| artifact.language.clone(), |c| c.language.clone()),
        compiler: child.and_then(|c| c.compiler.clone()),
        runtime: child.and_then(|c| c.runtime.clone()),
        flags: child.and_then(|c| c.flags.clone()),
        optimised: child.and_then(|c| c.optimised),
        command: artifact.own_command().to_vec(),
        context: artifact.all_context(),
    }
}

fn case_report(run: &Run, times: &CaseTimes, ratio: Option<RatioReport>, reference: Option<f64>) -> CaseReport {
    let case = &run.plan.cases[times.case as usize];
    let result = &run.results[times.case as usize];
    let artifact = &run.artifacts[case.artifact as usize];
    let outcome = match &result.failure {
        Some(failure) => Outcome::of_failure(failure),
        None => match estimates(run, times, ratio, reference) {
            Some(estimates) => Outcome::Measured(Box::new(estimates)),
            None => Outcome::NotMeasured,
        },
    };
    let language = program(artifact).language;
    let own = LanguageFacts::of_any(&language).own_variables;
    let environment = case.benchmark.launch.environment.iter().filter(|(name, _)| !own.contains(&name.as_str()));
    CaseReport {
        case: times.case,
        key: case.key.clone(),
        group: case.benchmark.group.clone(),
        name: case.benchmark.name.clone(),
        parameters: case.benchmark.parameters.clone(),
        settings: environment.map(|(name, value)| (name.clone(), value.clone())).collect(),
        language,
        program: case.artifact,
        job: run.jobs.get(case.job as usize).map(|j| j.id.clone()).unwrap_or_default(),
        side: side_name(run, case).to_owned(),
        unit: case.benchmark.unit.clone(),
        description: case.benchmark.description.clone(),
        strategy: case.benchmark.strategy,
        baseline: case.benchmark.baseline,
        contestant: false,
        results_known: false,
        of_nothing: false,
        prepares: case.benchmark.input_bytes.is_some() || case.benchmark.has_iteration_set_up(),
        outcome,
    }
}

pub(crate) fn display_groups(cases: &[CaseReport]) -> Vec<GroupReport> {
    let mut places = std::collections::HashMap::new();
    let mut groups: Vec<GroupReport> = Vec::new();
    for case in cases {
        let place = *places.entry(case.group.as_str()).or_insert_with(|| {
            groups.push(GroupReport { name: case.group.clone(), cases: Vec::new() });
            groups.len() - 1
        });
        groups[place].cases.push(case.case);
    }
    groups
}

/// Marks ratios that differ from the ratio of the shown times.
fn mark_other_ratios(run: &Run, cases: &mut [CaseReport]) {
    for case in run.plan.groups.iter().flat_map(CaseGroup::contestants) {
        let ratio = cases[case as usize].estimates().and_then(|estimates| estimates.ratio.as_ref());
        let found = ratio.and_then(|ratio| {
            let shown = [shown_ns(&cases[ratio.baseline as usize])?, shown_ns(&cases[case as usize])?];
            ratio_of_times(shown, ratio.interval)
        });
        if let Outcome::Measured(estimates) = &mut cases[case as usize].outcome {
            if let Some(ratio) = &mut estimates.ratio {
                ratio.ratio_of_times = found;
            }
        }
    }
}

fn shown_ns(case: &CaseReport) -> Option<f64> {
    case.estimates()?.time.resolved_ns()
}
