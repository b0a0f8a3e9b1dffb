//! A history for programs; `docs/reference/files.md` describes it.

use super::words::left_out;
use crate::elements::data::{pretty, Fields};
use serde::Serialize;
use tare_analysis::history::{Basis, History, HistoryFailure, HistoryRun, Trend, TrendPoint};

pub(crate) fn json(history: &History) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        format: &'static str,
        version: &'static str,
        history: &'a History,
    }
    pretty(&Document { format: "tare-history", version: "1.0", history })
}

/// A row per benchmark and run. The first row after a step describes it. Failures have a row without values.
pub(crate) fn csv(history: &History) -> String {
    let of_trend = |trend: &Trend| {
        let points = trend.points.iter().enumerate();
        points.map(|(at, point)| fields(history, trend, at, point, "")).collect::<Vec<_>>()
    };
    let of_run = |(run, of): (usize, &HistoryRun)| {
        of.failed.iter().map(|failed| of_failure(history, run, failed)).collect::<Vec<_>>()
    };
    Fields::csv(history.trends.iter().flat_map(of_trend).chain(history.runs.iter().enumerate().flat_map(of_run)))
}

fn of_failure(history: &History, run: usize, failed: &HistoryFailure) -> Fields {
    let (name, job) = (failed.name.clone(), failed.job.clone());
    let trend = Trend { key: name.clone(), name, job, ..Trend::default() };
    fields(history, &trend, 0, &TrendPoint { run, ..TrendPoint::default() }, &failed.why)
}

fn fields(history: &History, trend: &Trend, at: usize, point: &TrendPoint, failed: &str) -> Fields {
    let run = history.runs.get(point.run);
    let of_run = |value: fn(&HistoryRun) -> &str| run.map_or("", value);
    let mut f = Fields::default();
    f.put("key", &trend.key);
    f.put("benchmark", &trend.name);
    f.put("job", &trend.job);
    f.put("machine", history.machine.label());
    f.put("run", of_run(|run| &run.run));
    f.put("created", of_run(|run| &run.created));
    f.put("project", of_run(|run| &run.project));
    f.put("branch", of_run(|run| run.branch.as_deref().unwrap_or_default()));
    f.put("revision", of_run(|run| run.revision.as_deref().unwrap_or_default()));
    f.put("dirty", run.is_some_and(|run| run.dirty));
    f.put("compiler", &point.compiler);
    f.put("method", of_run(|run| &run.method));
    f.number("time_ns", point.time_ns);
    f.interval("time_ns", point.time_interval.as_ref());
    f.put("base", point.base.as_deref().unwrap_or_default());
    f.number("ratio", point.ratio);
    f.interval("ratio", point.ratio_interval.as_ref());
    let basis = match trend.basis {
        Basis::Ratio { .. } => "ratio",
        Basis::Time => "time",
    };
    f.put("basis", basis);
    f.put("left_out", point.left_out.map_or("", left_out));
    let level = trend.levels.iter().find(|level| level.first <= at && at <= level.last);
    f.number("level", level.map(|level| level.value));
    let step = trend.steps.iter().find(|step| step.at == at);
    f.put("step", step.map_or("", |step| step.verdict.word()));
    f.number("step_ratio", step.map(|step| step.ratio));
    f.interval("step_ratio", step.map(|step| &step.interval));
    f.number("step_p", step.map(|step| step.p));
    f.put("step_confirmed", step.map(|step| step.confirmed.to_string()).unwrap_or_default());
    let creep = trend.creep.as_ref().filter(|creep| creep.first <= at && at <= creep.last);
    f.put("creep", creep.map_or("", |creep| creep.verdict.word()));
    f.number("creep_ratio", creep.map(|creep| creep.ratio));
    f.interval("creep_ratio", creep.map(|creep| &creep.interval));
    f.put("accepted", step.map_or(creep.is_some_and(|creep| creep.accepted), |step| step.accepted).to_string());
    f.put("failed", failed);
    f
}
