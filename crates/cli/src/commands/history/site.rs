//! `tare history --site`: the history as a folder of pages. What has not changed is not written again.

use super::super::output;
use crate::console::Console;
use crate::failure::Failure;
use crate::forms::Forms;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_analysis::history::History;
use tare_report::{clean, page_of_run, Exporter, Rendered, Site};
use tare_store::{write_atomically, RunRef, Store};
use tare_text::plural;

/// Rights of the files: another user may publish them.
const MODE: u32 = 0o644;
/// What is on every page of Tare.
const MARK: &str = "made by <b>Tare</b>";

/// Files of a site: how many were written, and how many were there already.
#[derive(Default)]
struct Count {
    written: usize,
    unchanged: usize,
}

/// Writes the site of these histories, one for each machine.
pub(super) fn write(
    folder: &Path,
    histories: &[History],
    store: &Store,
    (forms, console): (&Forms, &Console),
) -> Result<(), Failure> {
    check(folder)?;
    let mut count = Count::default();
    let runs = runs(folder, histories, store, &mut count, (forms, console))?;
    let site = Site { machines: histories, has_run: &|run| runs.contains(run) };
    site.files(&mut |path, content| put(&folder.join(path), content, &mut count))?;
    let benchmarks = histories.iter().map(|history| history.trends.len()).sum::<usize>();
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

/// A folder with pages that Tare has not written is somebody else's.
fn check(folder: &Path) -> Result<(), Failure> {
    let index = folder.join("index.html");
    let what = if folder.exists() && !folder.is_dir() {
        format!("`{}` is not a folder", clean(&folder.to_string_lossy()))
    } else if fs::read(&index).is_ok_and(|page| !tare_text::contains(&page, MARK.as_bytes())) {
        format!("`{}` was not written by Tare", clean(&index.to_string_lossy()))
    } else {
        return Ok(());
    };
    Err(Failure::Usage { what, hint: "name a folder of its own: `tare history --site public/benchmarks`".to_owned() })
}

/// Writes a page for each run that is still stored, once: a run never changes. Gives the runs that have a page.
fn runs(
    folder: &Path,
    histories: &[History],
    store: &Store,
    count: &mut Count,
    (forms, console): (&Forms, &Console),
) -> Result<BTreeSet<String>, Failure> {
    let stored: BTreeSet<String> = store.list().map_err(Failure::Store)?.into_iter().map(|run| run.id).collect();
    let Some(html) = Exporter::of_name("html") else { return Ok(BTreeSet::new()) };
    let mut with_page = BTreeSet::new();
    for run in histories.iter().flat_map(|history| &history.runs) {
        let path = folder.join(page_of_run(&run.run));
        if path.is_file() {
            count.unchanged += 1;
            with_page.insert(run.run.clone());
            continue;
        }
        if !stored.contains(&run.run) {
            continue;
        }
        match store.load(&RunRef::Prefix(run.run.clone())) {
            Ok(found) => {
                let report = tare_analysis::analyse(&found);
                let shown = output::shown(tare_report::of_run(&found, &report), true, &Gate::default(), forms, console);
                let Rendered::Text(text) = (html.render)(&shown) else { continue };
                put(&path, &text, count)?;
                with_page.insert(run.run.clone());
            }
            Err(error) => console.warn(&format!("run `{}` has no page: {error}", clean(&run.run))),
        }
    }
    Ok(with_page)
}

/// Writes a file, unless it is there with this content.
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
