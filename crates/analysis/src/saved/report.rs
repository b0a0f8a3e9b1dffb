//! One saved side as a report: what `tare show FILE` shows of another tool's result.

use super::evidence::{centre_ns, launch_logs};
use super::{fact, Saved, SavedCase, SavedFailure, ShownTime, CPU_TIME, WALL_TIME};
use crate::estimate::NetTime;
use crate::report::{
    display_groups, histogram, CaseEstimates, CaseReport, JobReport, LaunchReport, MetricReport, Outcome,
    ProgramReport, Report, SHAPE_BARS,
};
use crate::visits::{Quantity, VisitCounts};
use tare_model::{Environment, GitState, Metric, Part, Per, Run, RunStatus, SCHEMA_VERSION};
use tare_stats::histogram::spark_counts;
use tare_stats::interval::{t_interval_log, Interval};
use tare_stats::location::mean;
use tare_stats::summary::Summary;

impl Saved {
    /// The report of the side alone: times with intervals over its processes, metrics, failures, findings.
    pub fn report(&self) -> Report {
        let failed = self.failed.iter().zip(self.cases.len()..);
        let mut cases: Vec<CaseReport> = self.cases.iter().zip(0..).map(|(case, at)| measured(case, at)).collect();
        let language = self.cases.first().map(|case| case.language.clone()).unwrap_or_default();
        cases.extend(failed.map(|(failure, at)| of_failure(failure, &language, at as u32)));
        // A job in which everything failed counts too.
        let mut jobs: Vec<JobReport> = Vec::new();
        for case in cases.iter().filter(|case| !case.job.is_empty()) {
            if jobs.iter().all(|known| known.name != case.job) {
                jobs.push(JobReport { name: case.job.clone(), settings: Vec::new() });
            }
        }
        let known = |name: &str| self.machine.get(name).cloned();
        Report {
            run: self.name.clone(),
            created: known(fact::DATE).unwrap_or_default(),
            method: self.detail.clone(),
            environment: self.environment(),
            status: RunStatus::Finished,
            minimum_effect: super::THRESHOLD,
            groups: display_groups(&cases),
            cases,
            findings: self.findings.clone(),
            programs: vec![ProgramReport {
                name: self.tool.clone(),
                language,
                compiler: known(fact::COMPILER),
                flags: known(fact::FLAGS),
                optimised: known(fact::OPTIMISED).map(|optimised| optimised != "no"),
                ..ProgramReport::default()
            }],
            jobs,
            ..Report::default()
        }
    }

    /// A run of this name without plan and measurements, for those who need one beside the report: other tools have no visits.
    pub fn empty_run(&self) -> Run {
        let part = Part { created: String::new(), environment: self.environment(), elapsed_s: 0.0 };
        Run {
            schema: SCHEMA_VERSION.to_owned(),
            id: self.name.clone(),
            parts: vec![part],
            status: RunStatus::Finished,
            ..Run::default()
        }
    }

    fn environment(&self) -> Environment {
        let known = |name: &str| self.machine.get(name).cloned();
        Environment {
            os: known(fact::OS).unwrap_or_default(),
            kernel: known(fact::KERNEL).unwrap_or_default(),
            architecture: known(fact::ARCHITECTURE).unwrap_or_default(),
            libc: known(fact::LIBC),
            cpu: known(fact::CPU).unwrap_or_default(),
            processors: known(fact::PROCESSORS).and_then(|count| count.parse().ok()).unwrap_or_default(),
            governor: known(fact::GOVERNOR),
            git: known(fact::REVISION).map(|revision| GitState {
                revision,
                dirty: known(fact::DIRTY).as_deref() == Some("yes"),
                branch: None,
            }),
            ..Environment::default()
        }
    }
}

fn named(case: &SavedCase, at: u32, outcome: Outcome) -> CaseReport {
    // One benchmark in several kinds of time becomes several cases.
    let name = match case.quantity.as_str() {
        WALL_TIME | CPU_TIME => case.name.clone(),
        other => format!("{} ({other})", case.name),
    };
    CaseReport {
        case: at,
        parameters: case.parameters.clone(),
        language: case.language.clone(),
        job: case.job.clone(),
        unit: case.unit.clone(),
        ..CaseReport::new(&case.key, &case.group, &name, outcome)
    }
}

fn of_failure(failed: &SavedFailure, language: &str, at: u32) -> CaseReport {
    let case = SavedCase { language: language.to_owned(), ..SavedCase::new(failed.key.as_str(), failed.name.as_str()) };
    // It may have broken any condition of a gate.
    CaseReport { contestant: true, job: failed.job.clone(), ..named(&case, at, Outcome::of_failure(&failed.failure)) }
}

fn measured(case: &SavedCase, at: u32) -> CaseReport {
    let all = case.launches.concat();
    let centre_ns = centre_ns(case).unwrap_or(f64::NAN);
    let is_cpu = case.quantity == CPU_TIME;
    let estimates = CaseEstimates {
        time: time(case, centre_ns),
        wall_ns: centre_ns,
        quantity: if is_cpu { Quantity::Cpu } else { Quantity::Wall },
        visits: VisitCounts { measured: all.len(), valid: all.len(), ..VisitCounts::default() },
        launches: launches(case),
        waves: 1,
        summary: Summary::of(&all),
        histogram: histogram(&all, 0.0),
        shape: if all.len() > 1 { spark_counts(&all, SHAPE_BARS) } else { Vec::new() },
        centre_ns,
        metrics: case.metrics.iter().filter_map(metric).collect(),
        ..CaseEstimates::default()
    };
    named(case, at, Outcome::Measured(Box::new(estimates)))
}

/// The time as its tool shows it, with the interval over processes.
fn time(case: &SavedCase, centre_ns: f64) -> NetTime {
    let interval = launch_logs(case).and_then(|logs| t_interval_log(&logs, 0.95)).map(|estimate| estimate.interval);
    let value_ns = match (case.shown, case.shown_interval) {
        (Some(ShownTime::Nothing), of) => {
            let upper_ns = of.or(interval).map_or(centre_ns, |interval| interval.upper);
            return NetTime::Below { upper_ns };
        }
        (Some(ShownTime::Time(ns)), _) => ns,
        (None, _) => centre_ns,
    };
    // Values may include the loop, while the shown time does not.
    let moved = |ns: f64| (ns - centre_ns + value_ns).max(0.0);
    // Rounding by the tool widens the interval.
    let half = 0.5 * case.resolution_ns.unwrap_or(0.0);
    let interval = interval.map(|i| Interval { lower: moved(i.lower - half), upper: moved(i.upper + half) });
    NetTime::Resolved { value_ns, interval: case.shown_interval.or(interval) }
}

/// One per process; a summary is one without values.
fn launches(case: &SavedCase) -> Vec<LaunchReport> {
    let of = |(values, number): (&Vec<f64>, u32)| LaunchReport {
        launch: number,
        raw_ns: case
            .location
            .centre(&values.iter().map(|value| value.ln()).collect::<Vec<f64>>())
            .map_or(f64::NAN, f64::exp),
        valid: values.len(),
        measured: values.len(),
        invocations: 1,
        ..LaunchReport::default()
    };
    match case.launches.is_empty() {
        true => vec![of((&Vec::new(), 0))],
        false => case.launches.iter().zip(0..).map(of).collect(),
    }
}

/// A metric by its name, its unit and its reference: the inverse of [`super::saved_metric`].
fn metric(case: &SavedCase) -> Option<MetricReport> {
    let quantity = case.quantity.as_str();
    let (rest, per) = match (quantity.strip_suffix("/op"), quantity.strip_suffix("/s")) {
        (Some(rest), _) => (rest, Per::Operation),
        (None, Some(rest)) => (rest, Per::Second),
        (None, None) => (quantity, Per::Iteration),
    };
    let (name, unit) = match rest {
        "B" if per == Per::Operation => (Metric::ALLOCATED_BYTES, "B"),
        "allocs" => (Metric::ALLOCATIONS, ""),
        rest => rest.rsplit_once(' ').filter(|(_, unit)| ["B", "ns"].contains(unit)).unwrap_or((rest, "")),
    };
    let launches: Vec<f64> = case.launches.iter().filter_map(|values| mean(values)).collect();
    Some(MetricReport {
        metric: Metric { name: name.to_owned(), unit: unit.to_owned(), better: case.better, per, exact: false },
        diagnoser: None,
        value: mean(&launches).filter(|value| value.is_finite())?,
        launches,
        occurs: 1.0,
        ratio: None,
    })
}
