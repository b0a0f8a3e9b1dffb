//! `tare history --site`: the history as a folder of pages. Unchanged files are not rewritten.

use super::Source;
use crate::args::HistoryShowArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::output;
use crate::output::Forms;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_analysis::history::History;
use tare_history::Machine;
use tare_model::text::plural;
use tare_report::{clean, page_of_run, Exporter, Rendered, Site};
use tare_store::{write_atomically, RunRef, Store};

/// Permissions of the files: another user may publish them.
const MODE: u32 = 0o644;
/// Text that every page of Tare contains.
const MARK: &str = "made by <b>Tare</b>";

/// Number of files of a site that were written, and that were already there.
#[derive(Default)]
struct Count {
    written: usize,
    unchanged: usize,
}

pub(super) fn write(
    folder: &Path,
    (args, source): (&HistoryShowArgs, &mut Source),
    all: &[Machine],
    found: &History,
    (forms, console): (&Forms, &Console),
) -> Result<(), Failure> {
    check(folder)?;
    let histories = histories(args, source, all, found)?;
    let mut count = Count::default();
    let runs = runs(folder, &histories, source.store, &mut count, (forms, console))?;
    let site = Site { histories: &histories, has_run: &|run| runs.contains(&page_of_run(run)) };
    site.files(&mut |path, content| put(&folder.join(path), content, &mut count))?;
    // The pages of a branch have already been written.
    let whole = histories.iter().filter(|history| history.branch.is_none() || histories.len() == 1);
    let benchmarks = whole.map(|history| history.trends.len()).sum::<usize>();
    let unchanged = match count.unchanged {
        0 => String::new(),
        n => format!(", {n} unchanged"),
    };
    console.note(&format!(
        "the site has {} and {}; {} written{unchanged}: {}",
        plural(benchmarks, "benchmark"),
        plural(runs.len(), "run"),
        plural(count.written, "file"),
        clean(&folder.join("index.html").to_string_lossy())
    ));
    Ok(())
}

fn histories(
    args: &HistoryShowArgs,
    source: &mut Source,
    all: &[Machine],
    found: &History,
) -> Result<Vec<History>, Failure> {
    let is_first = |one: &Machine| one.project == found.project && one.machine == found.machine;
    let is_asked = |one: &&Machine| match (&args.project, &args.machine) {
        (_, Some(_)) => is_first(one),
        (Some(project), None) => one.project == *project,
        (None, None) => true,
    };
    let mut machines: Vec<&Machine> = all.iter().filter(is_asked).collect();
    machines.sort_by_key(|one| (!is_first(one), one.project != found.project));
    let mut histories = Vec::new();
    for machine in machines {
        let is_there = is_first(machine) && args.cases.is_empty();
        histories.push(match is_there {
            true => found.clone(),
            false => source.read_of(machine, &[], args.branch.as_deref())?,
        });
        // A single branch is the same as the whole history.
        if args.branch.is_none() && machine.branches.len() > 1 {
            for (branch, _) in &machine.branches {
                histories.push(source.read_of(machine, &[], Some(branch))?);
            }
        }
    }
    histories.retain(|history| !history.runs.is_empty());
    Ok(histories)
}

/// Refuses a folder with pages that Tare did not write.
fn check(folder: &Path) -> Result<(), Failure> {
    let index = folder.join("index.html");
    let what = if folder.exists() && !folder.is_dir() {
        format!("`{}` is not a folder", clean(&folder.to_string_lossy()))
    } else if fs::read(&index).is_ok_and(|page| !tare_model::text::contains(&page, MARK.as_bytes())) {
        format!("`{}` was not written by Tare", clean(&index.to_string_lossy()))
    } else {
        return Ok(());
    };
    Err(Failure::Usage { what, hint: "name a folder of its own: `tare history --site public/benchmarks`".to_owned() })
}

/// Writes a page for each stored run, once, since runs never change. Returns the existing pages.
fn runs(
    folder: &Path,
    histories: &[History],
    store: &Store,
    count: &mut Count,
    (forms, console): (&Forms, &Console),
) -> Result<BTreeSet<String>, Failure> {
    let stored = store.list().map_err(Failure::Store)?.into_iter().map(|run| (run.id, run.created));
    let stored: BTreeSet<(String, String)> = stored.collect();
    let Some(html) = Exporter::of_name("html") else { return Ok(BTreeSet::new()) };
    let mut with_page = BTreeSet::new();
    for run in histories.iter().flat_map(|history| &history.runs) {
        let page = page_of_run(run);
        let path = folder.join(&page);
        if with_page.contains(&page) {
            continue;
        }
        if path.is_file() {
            count.unchanged += 1;
            with_page.insert(page);
            continue;
        }
        if !stored.contains(&(run.run.clone(), run.created.clone())) {
            continue;
        }
        match store.load(&RunRef::Prefix(run.run.clone())) {
            Ok(found) => {
                let report = tare_analysis::analyse(&found);
                let shown = output::shown(tare_report::of_run(&found, &report), true, &Gate::default(), forms, console);
                let Rendered::Text(text) = html.render(&shown) else { continue };
                put(&path, &text, count)?;
                with_page.insert(page);
            }
            Err(error) => console.warn(&format!("run `{}` has no page: {error}", clean(&run.run))),
        }
    }
    Ok(with_page)
}

/// Writes a file unless it already has this content.
fn put(path: &Path, content: &str, count: &mut Count) -> Result<(), Failure> {
    if fs::read(path).is_ok_and(|old| old == content.as_bytes()) {
        count.unchanged += 1;
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(Failure::writing(folder))?;
    write_atomically(path, MODE, |writer| writer.write_all(content.as_bytes())).map_err(Failure::writing(path))?;
    count.written += 1;
    Ok(())
}
