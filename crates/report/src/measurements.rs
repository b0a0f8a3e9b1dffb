//! Every raw measurement of a run as CSV: one row an iteration, whose windows and readings between them are a cell each.

use crate::csv::{exact, record};
use tare_model::{Launch, Run, Series, Stage};

/// Columns with several values an iteration, separated by spaces.
const OF_WINDOWS: [&str; 2] = ["window_ns", "width_ns"];

/// The lines of the file, each with its line end, made one at a time: a run may hold a million of them.
pub fn measurements_csv(run: &Run) -> impl Iterator<Item = String> + '_ {
    let names = [
        "run",
        "case",
        "group",
        "name",
        "parameters",
        "job",
        "side",
        "launch",
        "wave",
        "stage",
        "round",
        "iteration",
        "invocations",
        "operations",
        "time_ns",
        "elapsed_ns",
    ];
    let metrics = metrics(run);
    let fixed = tare_model::Columns::default();
    let fixed = fixed.fixed().into_iter().map(|(name, _)| name);
    let names: Vec<String> = names
        .iter()
        .copied()
        .chain(fixed)
        .chain(OF_WINDOWS)
        .chain(metrics.iter().copied())
        .map(str::to_owned)
        .collect();
    let series = run.launches.iter().flat_map(|launch| launch.series.iter().map(move |series| (launch, series)));
    std::iter::once(record(&names)).chain(series.flat_map(move |(launch, series)| {
        (0..series.columns.len()).map({
            let metrics = metrics.clone();
            move |at| row(run, launch, series, at, &metrics)
        })
    }))
}

fn row(run: &Run, launch: &Launch, series: &Series, at: usize, metrics: &[&str]) -> String {
    let case = run.plan.cases.get(launch.case as usize);
    let benchmark = case.map(|c| &c.benchmark);
    let operations = series.operations(at, benchmark.map_or(1, |b| b.operations));
    let elapsed = series.columns.elapsed_ns[at];
    let job = case.and_then(|c| run.jobs.get(c.job as usize)).map_or("", |j| j.id.as_str());
    let side = case.and_then(|c| c.side).map_or("", |side| side.name());
    let mut fields = vec![
        run.id.clone(),
        case.map_or_else(String::new, |c| c.key.clone()),
        benchmark.map_or_else(String::new, |b| b.group.clone()),
        benchmark.map_or_else(String::new, |b| b.name.clone()),
        benchmark.map_or_else(String::new, |b| b.parameter_text()),
        job.to_owned(),
        side.to_owned(),
        launch.id.to_string(),
        launch.wave.to_string(),
        stage(series.stage).to_owned(),
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
    fields.extend(metrics.iter().map(|name| series.columns.metrics.get(*name).map(value).unwrap_or_default()));
    record(&fields)
}

/// The metrics that the children of a run name, each once.
fn metrics(run: &Run) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for metric in run.artifacts.iter().filter_map(|a| a.child.as_ref()).flat_map(|child| &child.metrics) {
        if !names.contains(&metric.name.as_str()) {
            names.push(&metric.name);
        }
    }
    names
}

pub(crate) fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Jitting => "jitting",
        Stage::Pilot => "pilot",
        Stage::Warmup => "warmup",
        Stage::Overhead => "overhead",
        Stage::Rolled => "rolled",
        Stage::Actual => "actual",
    }
}
