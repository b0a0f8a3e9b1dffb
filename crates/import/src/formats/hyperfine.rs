//! hyperfine's JSON. Every run is a process of its own, but all runs of a command follow each other within seconds and share the state of
//! the machine. So a file is one session, and its times count as those of one process. (When each run counted, 13 of 90 pairs of files of
//! the same commands got a verdict.) User plus system time is the CPU time, of which hyperfine keeps only the mean.
//!
//! Before hyperfine 1.6, a result has only a mean; up to 1.20 also `times`; from 1.19 also `memory_usage_byte`; from hyperfine 2
//! (`"schema_version": 2`) `measurements`, each run with its metrics, and parameters as objects.
//!
//! It lacks: machine, versions, the shell, the set-up commands. Times are in seconds. With `--shell` other than `none`, hyperfine subtracts
//! the start of the shell and writes 0 for negative times, so values of 0 are left out.

use super::{Format, Read};
use crate::builder::{parameter, parameter_suffix, Builder, PEAK_MEMORY};
use crate::node::{Fault, Node, Value};
use std::collections::BTreeSet;
use tare_analysis::{fact, Better, Location, Saved, SavedCase, SavedDesign, SavedSummary};
use tare_analysis::{Code, Sentence, Severity};
use tare_model::Parameter;

const NS: f64 = 1e9;
/// Minimum CPU share of a command's time for its CPU time to be useful: below, commands mostly wait, often on purpose.
const COMPUTES: f64 = 0.1;
const BELOW_SHELL: &str =
    "it is less than hyperfine subtracts for the start of the shell; `hyperfine -N` starts no shell";
const WITHOUT_SHELL: &str = "measure again with `hyperfine -N`: the remaining times are the longer ones";

pub(crate) const FORMAT: Format = Format {
    tool: "hyperfine",
    known_as: "hyperfine (`--export-json FILE`)",
    is_json: |head| head.holds("results", "command"),
    read: Read::Json(read),
    too_little: &[
        (&["command,mean,stddev"], "hyperfine's CSV, which has no single times", INSTEAD),
        (&["Time (mean ± σ):"], "hyperfine's text, which has no single times", INSTEAD),
        (&["| Command |", "Mean"], "hyperfine's table, which has no single times", INSTEAD),
    ],
    ..Format::NONE
};
const INSTEAD: &str = "run hyperfine with `--export-json FILE`";

fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("hyperfine");
    for result in root.need("results")?.list()? {
        let mut case = case(&mut builder, result)?;
        let all = case.values();
        case.launches.iter_mut().for_each(|values| values.retain(|value| value.is_finite() && *value > 0.0));
        let left_out = all - case.values();
        if left_out > 0 && left_out == all {
            builder.lost(&case, format!("none of its {all} times is above 0: {BELOW_SHELL}"));
            continue;
        }
        if left_out > 0 {
            let evidence = Sentence::new("{count} of {all} times of `{command}` are not above 0, and left out: {why}")
                .count("count", left_out)
                .count("all", all)
                .name("command", case.key.as_str())
                .text("why", BELOW_SHELL);
            builder.finding(Code::LeftOut, Severity::Warning, evidence, WITHOUT_SHELL);
        }
        builder.case(case, "")?;
    }
    let metadata = root.get("metadata").unwrap_or(&Node::NOTHING);
    let version = metadata.text_at("hyperfine_version");
    let platform = metadata.get("platform").unwrap_or(&Node::NOTHING);
    builder.fact(fact::TOOL_VERSION, version);
    builder.fact(fact::DATE, metadata.text_at("start_time"));
    builder.fact(fact::OS, platform.text_at("os"));
    builder.fact(fact::ARCHITECTURE, platform.text_at("architecture"));
    builder.finish(format!("hyperfine {}", version.unwrap_or_default()).trim_end().to_owned())
}

fn case(builder: &mut Builder, result: &Node) -> Result<SavedCase, Fault> {
    // A name, if given, is used instead of the command, as before it had a field of its own.
    let command = result.get("name").map_or_else(|| result.need("command"), Ok)?.text()?;
    let value_of = |v: &Node| v.plain().or_else(|| v.get("value")?.plain());
    let parameters: Vec<Parameter> = result
        .get("parameters")
        .map(|p| p.fields().iter().filter_map(|(name, v)| Some(parameter(name.as_str(), value_of(v)?))).collect())
        .unwrap_or_default();
    let key = match parameters.is_empty() {
        true => command.to_owned(),
        false => format!("{command} {}", parameter_suffix(&parameters)),
    };
    let ended = exit_codes(builder, &key, result)?;
    let seconds = |field: &str| result.number_at(field).map(|s| s * NS);
    let mut case = SavedCase { parameters, location: Location::OverCalls, ended, ..SavedCase::new(key, command) };
    let runs = result.get("measurements").map(Node::list).transpose()?;
    match (runs, result.get("times")) {
        (Some(runs), _) => {
            case.design = SavedDesign::Iterations;
            case.launches = vec![runs.iter().map(|run| ns_of(run, "time_wall_clock")).collect::<Result<_, Fault>>()?];
        }
        (None, Some(times)) => {
            case.design = SavedDesign::Iterations;
            case.launches = vec![times.numbers()?.into_iter().map(|s| s * NS).collect()];
        }
        (None, None) => {
            let summary = SavedSummary {
                mean_ns: seconds("mean"),
                median_ns: seconds("median"),
                sd_ns: seconds("stddev"),
                values: None,
            };
            case.design = SavedDesign::Summary(summary);
        }
    }
    case.metrics = memory(result, &case)?.into_iter().collect();
    let mean_of = |metric: &'static str| {
        let values: Vec<f64> = runs?.iter().map(|run| ns_of(run, metric).ok()).collect::<Option<_>>()?;
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let wall = seconds("mean").or_else(|| seconds("median")).or_else(|| mean_of("time_wall_clock"));
    let [user, system] = [("user", "time_user"), ("system", "time_system")]
        .map(|(field, metric)| seconds(field).or_else(|| mean_of(metric)));
    let cpu = user.zip(system).map(|(user, system)| user + system);
    case.otherwise = wall.zip(cpu).filter(|(wall, cpu)| *cpu > COMPUTES * wall).map(|(_, cpu)| {
        let summary = SavedSummary { mean_ns: Some(cpu), median_ns: None, sd_ns: None, values: None };
        Box::new(SavedCase {
            quantity: "CPU time".to_owned(),
            design: SavedDesign::Summary(summary),
            launches: Vec::new(),
            otherwise: None,
            ..case.clone()
        })
    });
    Ok(case)
}

/// The peak memory of each run, bytes, if hyperfine recorded it.
fn memory(result: &Node, case: &SavedCase) -> Result<Option<SavedCase>, Fault> {
    let of_run = |run: &Node| run.get("memory_peak_resident")?.number_at("value");
    let values: Vec<f64> = match (result.get("memory_usage_byte"), result.get("measurements")) {
        (Some(values), _) => values.numbers()?,
        (None, Some(runs)) => runs.list()?.iter().filter_map(of_run).collect(),
        (None, None) => Vec::new(),
    };
    // Systems without this figure have 0 everywhere.
    let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite() && *value > 0.0).collect();
    Ok((!values.is_empty()).then(|| Builder::metric(case, PEAK_MEMORY, Better::Lower, vec![values])))
}

fn ns_of(run: &Node, metric: &'static str) -> Result<f64, Fault> {
    let metric = run.need(metric)?;
    match metric.get("unit").map(Node::text).transpose()? {
        None | Some("second") => Ok(metric.need("value")?.number()? * NS),
        Some(_) => Err(metric.need("unit")?.wrong("second")),
    }
}

/// How a command ended if most runs failed: with `--ignore-failure`, failing runs are timed as if they worked.
fn exit_codes(builder: &mut Builder, key: &str, result: &Node) -> Result<Option<String>, Fault> {
    let codes: Vec<&Node> = match (result.get("exit_codes"), result.get("measurements")) {
        (Some(codes), _) => codes.list()?.iter().collect(),
        (None, Some(runs)) => runs.list()?.iter().filter_map(|run| run.get("exit_code")).collect(),
        (None, None) => return Ok(None),
    };
    let failed: Vec<&Node> = codes.iter().copied().filter(|c| c.value != Value::Number(0.0)).collect();
    if failed.is_empty() {
        return Ok(None);
    }
    let way = |code: &&Node| match &code.value {
        Value::Number(status) => format!("with status {status}"),
        _ => "by a signal".to_owned(),
    };
    let how = failed.iter().map(way).collect::<BTreeSet<String>>().into_iter().collect::<Vec<String>>().join(" or ");
    let evidence = Sentence::new("`{command}` ended {how} in {failed} of {runs} runs")
        .name("command", key)
        .text("how", how.as_str())
        .count("failed", failed.len())
        .count("runs", codes.len());
    let advice = "make sure that the command succeeds: a failing command may just stop early";
    builder.finding(Code::CommandFailed, Severity::Warning, evidence, advice);
    Ok((2 * failed.len() > codes.len()).then_some(how))
}
