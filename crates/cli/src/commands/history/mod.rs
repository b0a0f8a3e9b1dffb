//! `tare history`: the results of a project's runs over time.

mod commits;
mod marks;
mod site;

use crate::args::{HistoryArgs, HistoryShowArgs, HistoryVerb};
use crate::console::Console;
use crate::failure::Failure;
use crate::history::{self as kept, Database};
use crate::output::{self, no_result, Form, Forms};
use commits::Commits;
use std::path::Path;
use tare_analysis::gate::{Gate, Rule, RECENT_RUNS};
use tare_analysis::history::{history as history_of, History, HistoryOptions, NamedRun, OtherMachine, Trend};
use tare_engine::matches;
use tare_history::{Case, HistoryDb, Machine, Range, Renamed};
use tare_model::ExitCode;
use tare_report::{clean, HistorySubject, EXPORTERS};
use tare_stats::{CREEP_RUNS_MIN, STEP_RUNS_MIN};
use tare_store::Store;

pub fn history(args: &HistoryArgs, console: &Console) -> Result<ExitCode, Failure> {
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    match &args.verb {
        None => show(&args.show, &store, console),
        Some(HistoryVerb::Rebuild) => kept::rebuild(&store, console),
        Some(HistoryVerb::Push) => kept::push(&store, console),
        Some(HistoryVerb::Accept(args)) => marks::accept(args, &store, console),
        Some(HistoryVerb::Rename(args)) => marks::rename(args, &store, console),
        Some(HistoryVerb::Add { runs }) => kept::add(runs, &store, console),
        Some(HistoryVerb::Prune { keep }) => kept::prune(*keep, &store, console),
    }
}

fn show(args: &HistoryShowArgs, store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let forms = output::asked(&args.output)?;
    forms.refuse(HistorySubject::KIND, "use another, such as `-o history.html`, `.svg` or `.csv`")?;
    check_rules(&args.fail_on)?;
    no_result::guard(&forms.outputs, console, || {
        let place = Database::of(store)?;
        let found = match place.open_existing()? {
            Some(history) => {
                let mut source = Source::new(history, place, store);
                (source.last, source.min_effect) = (args.last as usize, args.min_effect);
                read(args, &mut source, (&forms, console))?
            }
            None => None,
        };
        show_found(found, args, &forms, store, console)
    })
}

fn show_found(
    found: Option<History>,
    args: &HistoryShowArgs,
    forms: &Forms,
    store: &Store,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let is_nothing = found.is_none();
    if is_nothing {
        console.note(&nothing_yet(store));
    }
    let history = found.unwrap_or_default();
    let subject = HistorySubject { history: &history, is_detailed: !args.cases.is_empty() };
    let gate = Gate { rules: args.fail_on.clone(), ..Gate::default() };
    let shown = output::shown(Box::new(subject), true, &gate, forms, console);
    // With an empty table there is nothing more to say; files and forms for programs are written empty.
    let is_said = is_nothing && forms.outputs.is_empty() && forms.printed == Form::Exporter(EXPORTERS[0]);
    let is_drawn = is_said || output::show(&shown, forms, console)?;
    if !is_nothing && !gate.is_empty() {
        warn_of_too_few(&history, &gate.rules, console);
    }
    Ok(match output::say_judgement(&shown, console) {
        // The requested picture could not be drawn.
        ExitCode::Ok if !is_drawn => ExitCode::NothingMatched,
        code => code,
    })
}

fn nothing_yet(store: &Store) -> String {
    let stored = store.list().is_ok_and(|runs| !runs.is_empty());
    match stored {
        true => "no history yet: `tare history rebuild` builds it from the stored runs; `record = true` in the section `[history]` of `tare.toml` adds every new run"
            .to_owned(),
        false => "no history yet: `record = true` in the section `[history]` of `tare.toml` adds every run to it".to_owned(),
    }
}

struct Source<'a> {
    history: HistoryDb,
    place: Database,
    store: &'a Store,
    commits: Commits,
    /// Number of newest runs to consider.
    last: usize,
    /// Smallest step to report; None: as in the newest run.
    min_effect: Option<f64>,
}

/// The requested history; None if it has no runs. `--site` also writes the pages.
fn read(args: &HistoryShowArgs, source: &mut Source, to: (&Forms, &Console)) -> Result<Option<History>, Failure> {
    let project = args.project.clone().unwrap_or_else(|| source.place.project.clone());
    let all = source.history.machines().map_err(Failure::History)?;
    let of_project: Vec<Machine> = all.iter().filter(|machine| machine.project == project).cloned().collect();
    if of_project.is_empty() {
        check_project(&project, &all, args)?;
    }
    let Some(machine) = chosen(&of_project, args.machine.as_deref())? else { return Ok(None) };
    let found = source.read_of(machine, &args.cases, args.branch.as_deref())?;
    if let Some(folder) = &args.site {
        site::write(folder, (args, source), &all, &found, to)?;
    }
    let others = of_project.iter().filter(|other| other.id != machine.id);
    let others = others.map(|other| OtherMachine { machine: other.machine.clone(), runs: other.runs }).collect();
    Ok(Some(History { others, ..found }))
}

/// A project without runs is an error if it was named, or if other projects have runs.
fn check_project(project: &str, all: &[Machine], args: &HistoryShowArgs) -> Result<(), Failure> {
    let mut names: Vec<String> = all.iter().map(|machine| clean(&machine.project)).collect();
    names.sort();
    names.dedup();
    if args.project.is_none() && (names.is_empty() || args.site.is_none() && args.cases.is_empty()) {
        return Ok(());
    }
    let known = match names.as_slice() {
        [] => "it has no runs at all".to_owned(),
        names => format!("those with runs are {}", crate::failure::quoted_list(names)),
    };
    Err(Failure::Usage {
        what: format!("the history has no run of the project `{}`", clean(project)),
        hint: format!("name another with `--project NAME`: {known}"),
    })
}

impl<'a> Source<'a> {
    fn new(history: HistoryDb, place: Database, store: &'a Store) -> Source<'a> {
        Source { history, place, store, commits: Commits::default(), last: usize::MAX, min_effect: None }
    }

    fn read_of(&mut self, machine: &Machine, names: &[String], branch: Option<&str>) -> Result<History, Failure> {
        let renames = self.history.renames(&machine.project).map_err(Failure::History)?;
        let renames: Vec<Renamed> = self.place.renames.iter().cloned().chain(renames).collect();
        let renames = renames.into_iter().map(|one| (one.old, one.new)).collect();
        let accepted = self.history.accepted(&machine.project).map_err(Failure::History)?;
        let options = HistoryOptions { minimum_effect: self.min_effect, renames, accepted };
        let cases = match names {
            [] => None,
            patterns => {
                let cases = self.history.cases(&machine.project).map_err(Failure::History)?;
                Some(selected(&cases, patterns, &options)?)
            }
        };
        let range = Range {
            project: machine.project.clone(),
            machine: machine.id,
            branch: branch.map(str::to_owned),
            cases,
            last: self.last,
        };
        let (mut runs, older, kept) = self.history.read(&range).map_err(Failure::History)?;
        if !names.is_empty() {
            let is_asked = |name: &str| names.iter().any(|pattern| matches(pattern, name));
            runs.iter_mut().for_each(|run| run.failed.retain(|failed| is_asked(&failed.name)));
        }
        let baselines = self.store.baselines().map_err(Failure::Store)?;
        let place = |id: &str| runs.iter().position(|run| run.run == id);
        let baselines = baselines
            .into_iter()
            .filter_map(|(name, baseline)| Some(NamedRun { name, run: place(&baseline.run)? }))
            .collect();
        let mut found = history_of(runs, kept, &options);
        if machine.project == self.place.project {
            self.commits.add_to(&mut found);
            found.commit_url = self.place.commit_url.clone().or(found.commit_url);
        }
        let project = machine.project.clone();
        let branch = branch.map(str::to_owned);
        Ok(History { project, branch, machine: machine.machine.clone(), baselines, older, ..found })
    }
}

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
                0 => format!("`--machine {}` matches no machine in the history", clean(name)),
                n => format!("`--machine {}` matches {n} machines", clean(name)),
            },
            hint: format!("the machines are {}", crate::failure::quoted_list(&labels)),
        }),
    }
}

fn selected(cases: &[Case], patterns: &[String], options: &HistoryOptions) -> Result<Vec<i64>, Failure> {
    // Includes cases that had other names before.
    let is_now = |pattern: &str, case: &Case| options.name_now(&case.name).is_some_and(|name| matches(pattern, &name));
    let fits = |pattern: &str, case: &Case| {
        matches(pattern, &case.name) || matches(pattern, &case.key) || is_now(pattern, case)
    };
    for pattern in patterns {
        if !cases.iter().any(|case| fits(pattern, case)) {
            let names: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
            return Err(Failure::NothingMatched {
                selection: format!("`{}`", clean(pattern)),
                of: cases.len(),
                nearest: tare_model::text::nearest(pattern, &names, 3),
                list: "tare history".to_owned(),
            });
        }
    }
    let taken = cases.iter().filter(|case| patterns.iter().any(|pattern| fits(pattern, case)));
    Ok(taken.map(|case| case.id).collect())
}

/// Warns if a gate cannot fail yet, so that it does not look like one that passed.
fn warn_of_too_few(history: &History, rules: &[Rule], console: &Console) {
    let asks_for_creep = |rule: &Rule| matches!(rule, Rule::Creep { .. });
    if !rules.iter().all(asks_for_creep) {
        warn_below(history, "a step is confirmed", STEP_RUNS_MIN, console);
    }
    if rules.iter().any(asks_for_creep) {
        warn_below(history, "a creep is found", CREEP_RUNS_MIN, console);
    }
}

fn warn_below(history: &History, what: &str, least: usize, console: &Console) {
    let is_gone = |trend: &Trend| trend.points.last().is_none_or(|last| history.runs.len() - last.run > RECENT_RUNS);
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
