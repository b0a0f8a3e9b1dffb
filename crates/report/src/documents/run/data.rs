//! A run as data at full precision, for spreadsheets and programs.

use crate::elements::data::{exact, pretty, record, Fields};
use crate::parts::jobs;
use crate::parts::metric::{rate, rates};
use crate::parts::tabulate::metrics;
use crate::words::advice::{said, FindingText};
use crate::words::again::resume;
use crate::words::label::stage;
use serde::Serialize;
use tare_analysis::{each_once, CaseEstimates, CaseReport, CoreUse, NetTime, Outcome, Quantity, Report};
use tare_model::{FailedProgram, Launch, Metric, Run, Series};

pub fn json(report: &Report) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        format: &'static str,
        version: &'static str,
        report: &'a Report,
        said: Vec<FindingText>,
        #[serde(skip_serializing_if = "Option::is_none")]
        resume_with: Option<String>,
    }
    let said = said(&report.findings, &report.request);
    pretty(&Document { format: "tare-report", version: "1.0", report, said, resume_with: resume(report) })
}

/// The report as CSV: a header line, then a line per case. Times are in ns per operation, shares from 0 to 1.
pub fn csv(report: &Report) -> String {
    let (metrics, rates) = (metrics(report, |_| true), rates(report));
    let mut rows: Vec<Fields> = report.cases.iter().map(|case| fields(report, case, &metrics, &rates)).collect();
    let columns = rows.first().map(|row| row.names.clone()).unwrap_or_default();
    rows.extend(report.not_built.iter().map(|failed| not_built(report, failed, &columns)));
    Fields::csv(rows)
}

/// A program without results: its name and the reason, in the columns of cases.
fn not_built(report: &Report, failed: &FailedProgram, columns: &[String]) -> Fields {
    let cause = &failed.failure.cause;
    let mut f = Fields { names: columns.to_vec(), values: vec![String::new(); columns.len()] };
    f.set("run", &report.run);
    f.set("program", &failed.program);
    f.set("outcome", "not-built");
    f.set("failure", cause.code());
    f.set("failure_text", cause.text());
    f
}

fn fields(report: &Report, case: &CaseReport, metrics: &[&Metric], rates: &[String]) -> Fields {
    let mut f = Fields::default();
    let parameters: Vec<String> = case.parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
    let (outcome, estimates, failure) = match &case.outcome {
        Outcome::Measured(e) => ("measured", Some(&**e), None),
        Outcome::Failed { failure } => ("failed", None, Some(failure)),
        Outcome::Skipped { .. } => ("skipped", None, None),
        Outcome::NotMeasured => ("not-measured", None, None),
    };
    f.put("run", &report.run);
    f.put("case", &case.key);
    f.put("group", &case.group);
    f.put("name", &case.name);
    f.put("parameters", parameters.join(", "));
    f.put("language", &case.language);
    f.put("program", report.programs.get(case.program as usize).map_or("", |p| p.name.as_str()));
    f.put("context", report.programs.get(case.program as usize).map_or_else(String::new, jobs::text));
    f.put("job", &case.job);
    let job = report.jobs.iter().find(|job| job.name == case.job);
    f.put("job_settings", job.map_or_else(String::new, jobs::settings));
    f.put("unit", &case.unit);
    f.put("baseline", case.baseline);
    f.put("outcome", outcome);
    f.put("failure", failure.map_or("", |x| x.cause.code()));
    let reason = match &case.outcome {
        Outcome::Skipped { reason } => reason.clone(),
        _ => failure.map_or_else(String::new, |x| x.cause.text()),
    };
    f.put("failure_text", reason);
    times(&mut f, estimates);
    ratio(&mut f, report, estimates);
    counts(&mut f, estimates);
    summary(&mut f, estimates);
    core(&mut f, estimates);
    // Their number varies, so they come last.
    for name in rates {
        let found = estimates.and_then(|e| rate(e, name));
        f.number(&format!("{name}_per_s"), found.map(|rate| rate.per_second));
        f.interval(&format!("{name}_per_s"), found.and_then(|rate| rate.interval.as_ref()));
    }
    for Metric { name, .. } in metrics {
        f.number(name, estimates.and_then(|e| e.metric(name)));
    }
    f
}

fn times(f: &mut Fields, e: Option<&CaseEstimates>) {
    let (value, interval, below) = match e.map(|e| &e.time) {
        Some(NetTime::Resolved { value_ns, interval }) => (Some(*value_ns), interval.as_ref(), None),
        Some(NetTime::Below { upper_ns }) => (None, None, Some(*upper_ns)),
        None => (None, None, None),
    };
    f.number("time_ns", value);
    f.number("time_lower_ns", interval.map(|i| i.lower));
    f.number("time_upper_ns", interval.map(|i| i.upper));
    f.number("time_below_ns", below);
    f.estimate("raw", "_ns", e.and_then(|e| e.raw.as_ref()));
    f.estimate("overhead", "_ns", e.and_then(|e| e.overhead.as_ref()));
    f.estimate("cycles", "", e.and_then(|e| e.cycles.as_ref()));
    f.number("wall_ns", e.map(|e| e.wall_ns));
    f.put("quantity", e.map_or("", |e| if e.quantity == Quantity::Cpu { "cpu" } else { "wall" }));
    f.put("at_reference_clock", e.map(|e| e.at_reference_clock.to_string()).unwrap_or_default());
    f.number("centre_ns", e.map(|e| e.centre_ns));
    f.number("spread_ns", e.map(|e| e.spread_ns));
}

fn ratio(f: &mut Fields, report: &Report, e: Option<&CaseEstimates>) {
    let r = e.and_then(|e| e.ratio.as_ref());
    let base = r.and_then(|r| report.cases.get(r.baseline as usize));
    let named = |c: &CaseReport| match report.jobs.len() {
        0 | 1 => c.key.clone(),
        _ => format!("{}@{}", c.key, c.job),
    };
    f.put("base_case", base.map_or_else(String::new, named));
    f.number("ratio", r.map(|r| r.ratio));
    f.interval("ratio", r.map(|r| &r.interval));
    f.interval("ratio_99", r.map(|r| &r.interval_99));
    f.interval("ratio_90", r.map(|r| &r.interval_90));
    f.put("verdict", r.map_or("", |r| r.verdict.word()));
    f.number("p", r.map(|r| r.p));
    f.number("q", r.map(|r| r.q));
    f.count("looks", r.map(|r| r.looks as usize));
    f.number("certified_margin", r.map(|r| r.certified_margin));
    f.number("minimum_effect", r.map(|r| r.minimum_effect));
    f.number("ratio_of_times", r.and_then(|r| r.ratio_of_times));
}

fn counts(f: &mut Fields, e: Option<&CaseEstimates>) {
    f.count("peak_memory_bytes", e.and_then(|e| e.peak_memory_bytes).map(|b| b as usize));
    f.count("launches", e.map(|e| e.launches.len()));
    f.count("waves", e.map(|e| e.waves as usize));
    f.count("visits_measured", e.map(|e| e.visits.measured));
    f.count("visits_valid", e.map(|e| e.visits.valid));
    f.count("visits_preempted", e.map(|e| e.visits.preempted));
    f.count("visits_disturbed", e.map(|e| e.visits.disturbed));
    f.count("outliers_low", e.map(|e| e.visits.outliers_low));
    f.count("outliers_high", e.map(|e| e.visits.outliers_high));
    f.put("digest", e.and_then(|e| e.digest.clone()).unwrap_or_default());
}

fn core(f: &mut Fields, e: Option<&CaseEstimates>) {
    let c = e.and_then(|e| e.core.as_ref());
    let times = match c.map(|c| c.times) {
        Some(CoreUse::Alone) => "alone",
        Some(CoreUse::Any) => "any",
        Some(CoreUse::NotJudged) => "not-judged",
        None if e.is_some() => "not-judged",
        None => "",
    };
    f.put("core", times);
    f.count("windows", c.map(|c| c.windows as usize));
    f.number("alone_share", c.map(|c| c.alone_share));
    f.number("alone_ns", c.and_then(|c| c.alone_ns));
    f.number("shared_ns", c.and_then(|c| c.shared_ns));
    f.number("slow_down", c.and_then(|c| c.slow_down));
    f.count("visits_shared", e.map(|e| e.visits.shared));
}

fn summary(f: &mut Fields, e: Option<&CaseEstimates>) {
    let s = e.and_then(|e| e.summary.as_ref());
    f.count("visit_n", s.map(|s| s.n));
    f.number("visit_mean_ns", s.map(|s| s.mean));
    f.number("visit_standard_error_ns", s.map(|s| s.standard_error));
    f.number("visit_standard_deviation_ns", s.map(|s| s.standard_deviation));
    f.number("visit_min_ns", s.map(|s| s.min));
    f.number("visit_lower_fence_ns", s.map(|s| s.lower_fence));
    f.number("visit_q1_ns", s.map(|s| s.q1));
    f.number("visit_median_ns", s.map(|s| s.median));
    f.number("visit_q3_ns", s.map(|s| s.q3));
    f.number("visit_upper_fence_ns", s.map(|s| s.upper_fence));
    f.number("visit_max_ns", s.map(|s| s.max));
    f.number("visit_skewness", s.and_then(|s| s.skewness));
    f.number("visit_kurtosis", s.and_then(|s| s.kurtosis));
    f.number("visit_modality_value", s.map(|s| s.m_value));
    f.number("visit_p67_ns", s.map(|s| s.percentiles.p67));
    f.number("visit_p80_ns", s.map(|s| s.percentiles.p80));
    f.number("visit_p85_ns", s.map(|s| s.percentiles.p85));
    f.number("visit_p90_ns", s.map(|s| s.percentiles.p90));
    f.number("visit_p95_ns", s.map(|s| s.percentiles.p95));
    f.number("visit_p99_ns", s.and_then(|s| s.percentiles.p99));
}

/// Every raw measurement of a run: a row per iteration, with all its windows in a cell. Produced line by line, as there may be a million.
pub fn measurements_csv(run: &Run) -> impl Iterator<Item = String> + '_ {
    let names = "run,case,group,name,parameters,job,side,launch,wave,stage,round,iteration,invocations,operations,time_ns,elapsed_ns";
    let metrics = metrics_of_children(run);
    let fixed = tare_model::Columns::default();
    let fixed = fixed.fixed().into_iter().map(|(name, _)| name);
    let names = names.split(',').chain(fixed).chain(["window_ns", "width_ns"]).map(str::to_owned);
    let names: Vec<String> = names.chain(metrics.iter().cloned()).collect();
    let series = run.launches.iter().flat_map(|launch| launch.series.iter().map(move |series| (launch, series)));
    std::iter::once(record(&names)).chain(series.flat_map(move |(launch, series)| {
        (0..series.columns.len()).map({
            let metrics = metrics.clone();
            move |at| row(run, launch, series, at, &metrics)
        })
    }))
}

fn row(run: &Run, launch: &Launch, series: &Series, at: usize, metrics: &[String]) -> String {
    let case = run.plan.cases.get(launch.case as usize);
    let benchmark = case.map(|c| &c.benchmark);
    let operations = series.operations(at, benchmark.map_or(1, |b| b.operations));
    let elapsed = series.columns.elapsed_ns[at];
    let mut fields = vec![
        run.id.clone(),
        case.map(|c| c.key.clone()).unwrap_or_default(),
        benchmark.map(|b| b.group.clone()).unwrap_or_default(),
        benchmark.map(|b| b.name.clone()).unwrap_or_default(),
        benchmark.map(|b| b.parameter_text()).unwrap_or_default(),
        case.and_then(|c| run.jobs.get(c.job as usize)).map(|job| job.id.clone()).unwrap_or_default(),
        case.and_then(|c| c.side).map(|side| side.name().to_owned()).unwrap_or_default(),
        launch.id.to_string(),
        launch.wave.to_string(),
        stage(series.stage),
        series.round.get(at).map(u32::to_string).unwrap_or_default(),
        at.to_string(),
        series.invocations.to_string(),
        exact(operations),
        exact(elapsed / operations),
        exact(elapsed),
    ];
    let value = |column: &Vec<f64>| column.get(at).copied().map(exact).unwrap_or_default();
    fields.extend(series.columns.fixed().map(|(_, column)| value(column)));
    let windows = series.columns.windows();
    let several = |values: &[f64], each: usize| {
        let of_iteration = values.get(at * each..(at + 1) * each).unwrap_or_default();
        of_iteration.iter().copied().map(exact).collect::<Vec<_>>().join(" ")
    };
    fields.push(several(&series.columns.window_ns, windows));
    fields.push(several(&series.columns.width_ns, windows + 1));
    fields.extend(metrics.iter().map(|name| series.columns.metrics.get(name).map(value).unwrap_or_default()));
    record(&fields)
}

fn metrics_of_children(run: &Run) -> Vec<String> {
    let metrics = run.artifacts.iter().filter_map(|a| a.child.as_ref()).flat_map(|child| &child.metrics);
    each_once(metrics.map(|metric| &metric.name))
}
