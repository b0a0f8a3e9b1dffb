//! `tare show`: shows a stored run or the result of another tool. On the same screen, a run prints the same bytes as when it was measured.

use crate::args::ShowArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::gate;
use crate::output;
use crate::request;
use crate::sides::read_result;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_analysis::{Report, RowOrder, Saved};
use tare_model::{ExitCode, Run};
use tare_report::{clean, screen, Attached, Document, Exporter, Presentation, OTHER_TOOL};
use tare_store::{RunRef, Store, StoreError};

/// Criterion's name of its last results.
const CRITERION: &str = "new";

pub fn show(args: &ShowArgs, gate: &Gate, console: &Console) -> Result<ExitCode, Failure> {
    let form = args.flame.as_ref().and_then(|_| Exporter::of_name("flamegraph")).unwrap_or(args.format.0);
    let forms = output::of(form, &args.output)?;
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    if let Some(saved) = other_tool(args, &store)? {
        return show_saved((args, gate), &saved, &forms, console);
    }
    let reference = store.reference(&args.run).map_err(Failure::Store)?;
    if args.log {
        return log(&args.run, &reference, &store, console);
    }
    let run = request::load(&store, &reference)?;
    gate::check(gate, run.plan.policy.minimum_effect, gate::Least::OfRun)?;
    let order = args.order.order;
    if order != RowOrder::Declared && tare_analysis::is_comparison(&run) {
        console
            .note("`--order` has no effect on a comparison: its rows are sorted by verdict, the largest change first");
    }
    let report = tare_analysis::analyse(&run).in_order(order);
    if !args.statistics.is_empty() {
        let rows = tare_analysis::statistics(&run, &args.statistics);
        let document = Document::of_statistics(&report, &args.statistics, &rows, console.glyphs);
        console.data(&console.render(&screen(&document, &console.view(true))))?;
        return Ok(ExitCode::Ok);
    }
    if let Some(pattern) = &args.code {
        let attachments = store.attachments(&reference).map_err(Failure::Store)?;
        return super::code::code(&run, &report, &attachments, pattern, console);
    }
    if let Some(pattern) = &args.inlining {
        let attachments = store.attachments(&reference).map_err(Failure::Store)?;
        return super::code::inlining(&run, &report, &attachments, pattern, console);
    }
    let attached = output::attached(&run, &store.attachments(&reference).map_err(Failure::Store)?);
    if let Some(case) = &args.flame {
        return flame((&run, attached), &report, case, &forms, console);
    }
    show_report((&run, attached), &report, gate, &forms, console)
}

fn flame(
    (run, mut attached): (&Run, Attached),
    report: &Report,
    case: &str,
    forms: &output::Forms,
    console: &Console,
) -> Result<ExitCode, Failure> {
    attached.only_profiles_of(report, |name| tare_engine::matches(case, name));
    let Some(document) = Document::of_profiles(report, &attached) else {
        let has_any = run.attachments.iter().any(tare_report::is_profile);
        return Err(Failure::Usage {
            what: match has_any {
                true => format!("no case of run `{}` that fits `{}` has a profile", run.id, clean(case)),
                false => format!("run `{}` has no profile", run.id),
            },
            hint: match has_any {
                true => format!("`tare show {} --flame` shows all of them", run.id),
                false => "make one: `tare profile TARGET CASE`".to_owned(),
            },
        });
    };
    console.data(&console.render(&screen(&document, &console.view(true))))?;
    let shown = output::shown(tare_report::of_run(run, report), true, &Gate::default(), forms, console);
    output::write(&Presentation { attached, ..shown }, &forms.outputs, console)?;
    Ok(ExitCode::Ok)
}

fn show_report(
    (run, attached): (&Run, Attached),
    report: &Report,
    gate: &Gate,
    forms: &output::Forms,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let shown = output::shown(tare_report::of_run(run, report), true, gate, forms, console);
    let shown = Presentation { attached, ..shown };
    let is_drawn = output::show(&shown, forms, console)?;
    Ok(match output::say_judgement(&shown, console) {
        // The requested picture could not be drawn.
        ExitCode::Ok if !is_drawn => ExitCode::NothingMatched,
        code => code,
    })
}

/// The result of another tool; None for a run of Tare, and for anything unknown, which the store reports.
fn other_tool(args: &ShowArgs, store: &Store) -> Result<Option<Saved>, Failure> {
    let path = Path::new(&args.run);
    let reference = store.reference(&args.run).ok();
    let is_path = matches!(reference, Some(RunRef::Path(_)));
    let is_stored = !is_path && reference.is_some_and(|reference| store.locate(&reference).is_ok());
    let is_run = ["run.json", "events.jsonl"].iter().any(|name| path.join(name).is_file() || path.ends_with(name));
    if is_stored || is_run {
        return Ok(None);
    }
    if !path.exists() {
        // Run ids contain no `.`.
        return match path.extension() {
            Some(_) => Err(Failure::Usage {
                what: format!("there is no file `{}`", clean(&args.run)),
                hint: "check the name; `tare runs` lists the stored runs".to_owned(),
            }),
            None => Ok(None),
        };
    }
    match read_result(&args.run, path, CRITERION) {
        Ok(saved) if saved.tool == "tare" => Ok(None),
        Ok(saved) => Ok(Some(saved)),
        // The store explains reports of Tare and damaged runs.
        Err(Failure::Import(error)) if error.is_unknown() && is_path => {
            match store.load(&RunRef::Path(path.to_owned())) {
                Err(StoreError::NotARun { .. }) => Err(Failure::Import(error)),
                _ => Ok(None),
            }
        }
        Err(failure) => Err(failure),
    }
}

fn show_saved(
    (args, gate): (&ShowArgs, &Gate),
    saved: &Saved,
    forms: &output::Forms,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let needs_visits = [
        ("--code", args.code.is_some()),
        ("--inlining", args.inlining.is_some()),
        ("--log", args.log),
        ("--statistics", !args.statistics.is_empty()),
    ];
    if let Some((flag, _)) = needs_visits.iter().find(|(_, given)| *given) {
        return Err(Failure::Usage {
            what: format!("`{flag}` needs a run of `tare`, but `{}` is a result of {}", args.run, saved.tool),
            hint: "leave it out".to_owned(),
        });
    }
    forms.refuse(&OTHER_TOOL, "use a format for results, such as `--csv` or `-o FILE.json`")?;
    let (run, report) = (saved.empty_run(), saved.report().in_order(args.order.order));
    show_report((&run, Attached::default()), &report, gate, forms, console)
}

fn log(asked: &str, reference: &RunRef, store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let events = store.events(reference).map_err(Failure::Store)?.ok_or_else(|| Failure::Usage {
        what: format!("run `{asked}` has no log"),
        hint: "merged runs have none".to_owned(),
    })?;
    console.result(&crate::log::text(&events))?;
    Ok(ExitCode::Ok)
}
