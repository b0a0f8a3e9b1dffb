//! `tare history`: what the runs of a project came to over time.

mod keep;

pub use keep::record;

use super::output;
use crate::args::{HistoryArgs, HistoryShowArgs, HistoryVerb};
use crate::console::Console;
use crate::failure::Failure;
use crate::pictures::{self, Look};
use crate::request;
use std::path::{Path, PathBuf};
use tare_analysis::gate::Rule;
use tare_analysis::history::{
    history as history_of, History, HistoryOptions, NamedRun, OtherMachine, Trend, TrendCreep, TrendStep,
};
use tare_analysis::Verdict;
use tare_engine::matches;
use tare_history::{Case, HistoryFile, Machine, Range};
use tare_model::ExitCode;
use tare_report::{clean, short, HistoryForm, HistoryShown, Rendered, HISTORY_FORMS};
use tare_stats::{CREEP_RUNS_MIN, STEP_RUNS_MIN};
use tare_store::Store;

/// Runs from the newest back whose steps count for `--fail-on`: by then a step that there is can be confirmed.
const RECENT: usize = 10;

/// `tare history`.
pub fn history(args: &HistoryArgs, console: &Console) -> Result<ExitCode, Failure> {
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    match &args.verb {
        None => show(&args.show, &store, console),
        Some(HistoryVerb::Rebuild) => keep::rebuild(&store, console),
        Some(HistoryVerb::Add { runs }) => keep::add(runs, &store, console),
        Some(HistoryVerb::Prune { keep }) => keep::prune(*keep, &store, console),
    }
}

/// The file of a store.
pub fn path_of(store: &Store) -> PathBuf {
    store.root().join("history.db")
}

fn show(args: &HistoryShowArgs, store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let outputs = outputs(&args.output)?;
    check_rules(&args.fail_on)?;
    let found = match HistoryFile::open_existing(&path_of(store)).map_err(Failure::History)? {
        Some(file) => read(args, &file, store)?,
        None => None,
    };
    let is_undecided = found.is_none() && !args.fail_on.is_empty();
    if found.is_none() {
        console.note(&nothing_yet(store));
        if is_undecided {
            console.warn("the gate could not decide: there is no history");
        }
        // Of a table nothing is left to say; a file or a form for programs is empty.
        if outputs.is_empty() && args.format.name == HISTORY_FORMS[0].name {
            return Ok(if is_undecided { ExitCode::GateUndecided } else { ExitCode::Ok });
        }
    }
    let history = found.unwrap_or_default();
    let (view, md_limit) = (console.view(true), args.shortening.most());
    let shown = HistoryShown { history: &history, view, md_limit, is_detailed: !args.cases.is_empty() };
    let mut is_drawn = true;
    match (args.format.render)(&shown) {
        Rendered::Lines(lines) => console.data(&console.render(&lines))?,
        Rendered::Text(text) => console.data(&text)?,
        Rendered::Nothing { text, why } => {
            console.data(&text)?;
            output::warn_of_nothing(None, why, console);
            is_drawn = false;
        }
        Rendered::Pieces(pieces) => console.result_pieces(pieces)?,
    }
    for (path, form, look) in outputs {
        let text = match (form.render)(&shown) {
            Rendered::Lines(lines) => lines.iter().map(|line| line.plain() + "\n").collect(),
            Rendered::Text(text) => text,
            Rendered::Nothing { text, why } => {
                output::warn_of_nothing(Some(path), why, console);
                is_drawn = false;
                text
            }
            Rendered::Pieces(pieces) => pieces.collect(),
        };
        match look {
            Some(look) => output::write_file(path, &pictures::bytes(&text, look, path, console)?)?,
            None => output::write_file(path, text.as_bytes())?,
        }
    }
    Ok(match judged(&history, &args.fail_on, console) {
        ExitCode::Ok if is_undecided => ExitCode::GateUndecided,
        // What was asked for could not be drawn.
        ExitCode::Ok if !is_drawn => ExitCode::NothingMatched,
        code => code,
    })
}

/// Why there is nothing to show, and what to do.
fn nothing_yet(store: &Store) -> String {
    let stored = store.list().is_ok_and(|runs| !runs.is_empty());
    match stored {
        true => "no history yet: `tare history rebuild` builds it from the stored runs; with `record = true` in the section \
                 `[history]` of `tare.toml`, every new run is added"
            .to_owned(),
        false => "no history yet: with `record = true` in the section `[history]` of `tare.toml`, every run is added to it".to_owned(),
    }
}

type FormOfFile<'a> = (&'a Path, &'static HistoryForm, Option<Look>);

fn outputs(paths: &[PathBuf]) -> Result<Vec<FormOfFile<'_>>, Failure> {
    let of = |path: &'_ PathBuf| -> Result<(&'static HistoryForm, Option<Look>), Failure> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let picture = pictures::of_name(&name);
        let form = HistoryForm::of_file(picture.as_ref().map_or(&name, |(svg, _)| svg)).ok_or_else(|| {
            let known: Vec<&str> = HISTORY_FORMS.iter().map(|form| form.extension).chain([".png"]).collect();
            Failure::Usage {
                what: format!("the extension of `{}` is not a format of a history", path.display()),
                hint: format!("use one of {}", known.join(", ")),
            }
        })?;
        tare_store::can_write(path).map_err(Failure::writing(path))?;
        Ok((form, picture.map(|(_, look)| look)))
    };
    paths.iter().map(|path| of(path).map(|(form, look)| (path.as_path(), form, look))).collect()
}

/// What is asked for; None where the history has no runs.
fn read(args: &HistoryShowArgs, file: &HistoryFile, store: &Store) -> Result<Option<History>, Failure> {
    let machines = file.machines().map_err(Failure::History)?;
    let Some(machine) = chosen(&machines, args.machine.as_deref())? else { return Ok(None) };
    let cases = match args.cases.as_slice() {
        [] => None,
        patterns => Some(selected(&file.cases().map_err(Failure::History)?, patterns)?),
    };
    let range = Range { machine: machine.id, cases, last: args.last as usize };
    let (mut runs, older, kept) = file.read(&range).map_err(Failure::History)?;
    if !args.cases.is_empty() {
        let is_asked = |name: &str| args.cases.iter().any(|pattern| matches(pattern, name));
        runs.iter_mut().for_each(|run| run.failed.retain(|failed| is_asked(&failed.name)));
    }
    let names = store.baselines().map_err(Failure::Store)?;
    let place = |id: &str| runs.iter().position(|run| run.run == id);
    let baselines =
        names.into_iter().filter_map(|(name, baseline)| Some(NamedRun { name, run: place(&baseline.run)? })).collect();
    let options = HistoryOptions { minimum_effect: args.min_effect };
    let others = machines.iter().filter(|other| other.id != machine.id);
    let others = others.map(|other| OtherMachine { machine: other.machine.clone(), runs: other.runs }).collect();
    let found = history_of(runs, kept, &options);
    Ok(Some(History { machine: machine.machine.clone(), baselines, older, others, ..found }))
}

/// The machine that is meant; the first is that of the newest run.
fn chosen<'a>(machines: &'a [Machine], name: Option<&str>) -> Result<Option<&'a Machine>, Failure> {
    let Some(name) = name else { return Ok(machines.first()) };
    let labels: Vec<String> = machines.iter().map(|m| clean(&m.machine.label())).collect();
    let is_meant = |label: &String| label.to_lowercase().contains(&name.to_lowercase());
    let exact = labels.iter().position(|label| label == name);
    let fitting: Vec<usize> = (0..machines.len()).filter(|&at| is_meant(&labels[at])).collect();
    match (exact, fitting.as_slice()) {
        (Some(at), _) | (None, &[at]) => Ok(machines.get(at)),
        (None, several) => Err(Failure::Usage {
            what: match several.len() {
                0 => format!("`--machine {}` is not part of the name of a machine in the history", clean(name)),
                n => format!("`--machine {}` is part of the names of {n} machines", clean(name)),
            },
            hint: format!("the machines are {}", crate::failure::quoted_list(&labels)),
        }),
    }
}

/// The benchmarks that patterns match; each pattern must match one.
fn selected(cases: &[Case], patterns: &[String]) -> Result<Vec<i64>, Failure> {
    let fits = |pattern: &str, case: &Case| matches(pattern, &case.name) || matches(pattern, &case.key);
    for pattern in patterns {
        if !cases.iter().any(|case| fits(pattern, case)) {
            let names: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
            return Err(Failure::NothingMatched {
                selection: format!("`{}`", clean(pattern)),
                is_regex: request::is_regex(pattern),
                of: cases.len(),
                nearest: tare_text::nearest(pattern, &names, 3),
                list: "tare history".to_owned(),
            });
        }
    }
    let taken = cases.iter().filter(|case| patterns.iter().any(|pattern| fits(pattern, case)));
    Ok(taken.map(|case| case.id).collect())
}

/// A gate that cannot fail must not look like one that did not.
fn warn_of_too_few(history: &History, rules: &[Rule], console: &Console) {
    let asks_for_creep = |rule: &Rule| matches!(rule, Rule::Creep { .. });
    if !rules.iter().all(asks_for_creep) {
        warn_below(history, "a step is confirmed", STEP_RUNS_MIN, console);
    }
    if rules.iter().any(asks_for_creep) {
        warn_below(history, "a creep is seen", CREEP_RUNS_MIN, console);
    }
}

/// What failed in the newest run has no value that a rule could be about.
fn warn_of_failed(history: &History, console: &Console) -> bool {
    let failed = history.runs.last().map_or(&[][..], |run| &run.failed);
    let Some(first) = failed.first() else { return false };
    let others = match failed.len() - 1 {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    let (name, why) = (short(&clean(&first.name)), clean(&first.why));
    console.warn(&format!("the gate could not decide: `{name}` failed in the newest run: {why}{others}"));
    true
}

fn warn_below(history: &History, what: &str, least: usize, console: &Console) {
    let is_gone = |trend: &Trend| trend.points.last().is_none_or(|last| history.runs.len() - last.run > RECENT);
    let too_few = |trend: &&Trend| !is_gone(trend) && trend.used() < least;
    let all: Vec<&Trend> = history.trends.iter().filter(too_few).collect();
    let Some(first) = all.first() else { return };
    let name = clean(&first.name);
    let others = match all.len() - 1 {
        0 => String::new(),
        1 => " and 1 other benchmark".to_owned(),
        n => format!(" and {n} other benchmarks"),
    };
    console.warn(&format!(
        "the gate cannot fail on `{name}`{others}: {what} from {least} runs that can be used, and it has {}; \
         `tare history {} -v` says which are not used",
        first.used(),
        tare_report::shell_word(&name)
    ));
}

fn check_rules(rules: &[Rule]) -> Result<(), Failure> {
    match rules.iter().find(|rule| !matches!(rule, Rule::Slower { .. } | Rule::Faster { .. } | Rule::Creep { .. })) {
        None => Ok(()),
        Some(_) => Err(Failure::Usage {
            what: "a history can fail on `slower`, `faster` and `creep` alone".to_owned(),
            hint: "what single runs must not do is checked where they are made: `tare run --fail-on limit`".to_owned(),
        }),
    }
}

/// Whether a creep breaks a rule: its sum counts, whenever it began.
fn creeps(history: &History, trend: &Trend, creep: &TrendCreep, rules: &[Rule]) -> bool {
    let breaks = |rule: &Rule| matches!(rule, Rule::Creep { from } if creep.ratio >= 1.0 + from.unwrap_or(0.0));
    let is_recent = history.runs_after(trend, creep) < RECENT;
    is_recent && creep.verdict == Verdict::Slower && rules.iter().any(breaks)
}

/// The exit code: that of the gate where a confirmed step of the newest runs breaks a rule.
fn judged(history: &History, rules: &[Rule], console: &Console) -> ExitCode {
    let breaks = |step: &TrendStep, rule: &Rule| {
        let is_of_rule = match rule {
            Rule::Slower { .. } => step.verdict == Verdict::Slower,
            Rule::Faster { .. } => step.verdict == Verdict::Faster,
            _ => false,
        };
        is_of_rule && step.ratio.max(1.0 / step.ratio) >= 1.0 + rule.from().unwrap_or(0.0)
    };
    // Of all runs: a step of a benchmark that is gone becomes old, too.
    let is_recent = |trend: &Trend, step: &TrendStep| history.runs_since(trend, step) <= RECENT;
    let mut code = ExitCode::Ok;
    if !rules.is_empty() {
        warn_of_too_few(history, rules, console);
        if warn_of_failed(history, console) {
            code = ExitCode::GateUndecided;
        }
    }
    for trend in &history.trends {
        if let Some(creep) = trend.creep.filter(|creep| creeps(history, trend, creep, rules)) {
            let ratio = tare_report::ratio(creep.ratio, &creep.interval);
            let (name, runs) = (clean(&trend.name), history.runs_of(trend, &creep));
            console.warn(&format!("the gate failed: `{name}` became slower {ratio} little by little over {runs} runs"));
            code = ExitCode::GateFailed;
        }
        for step in trend.steps.iter().filter(|step| step.confirmed && is_recent(trend, step)) {
            if rules.iter().any(|rule| breaks(step, rule)) {
                let ratio = tare_report::ratio(step.ratio, &step.interval);
                console.warn(&format!(
                    "the gate failed: `{}` became {} {ratio}",
                    clean(&trend.name),
                    step.verdict.word()
                ));
                code = ExitCode::GateFailed;
            }
        }
    }
    code
}
