//! `tare clean`: deletes old runs and unused programs.

use crate::args::{CleanArgs, KEPT_RUNS, UNUSED_DAYS};
use crate::console::Console;
use crate::failure::Failure;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tare_build::toolchain;
use tare_model::text::plural;
use tare_model::ExitCode;
use tare_report::{bytes, clean as clean_text, shell_word};
use tare_store::Store;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Ids of deleted runs that are listed: as many as fit a line.
const NAMED: usize = 6;

pub fn clean(args: &CleanArgs, console: &Console) -> Result<ExitCode, Failure> {
    // The cache belongs to no project, so it is trimmed even if no runs are deleted.
    let deleted = clean_runs(args, console);
    let trimmed = clean_cache(args, console);
    if let (Err(first), Err(_)) = (&deleted, &trimmed) {
        console.fail(first);
    }
    trimmed.and(deleted).map(|()| ExitCode::Ok)
}

fn clean_runs(args: &CleanArgs, console: &Console) -> Result<(), Failure> {
    let here = Path::new(".");
    let store = Store::find(here).map_err(Failure::Store)?;
    if !store.belongs_to(here) {
        return Err(of_another_folder(&store, args));
    }
    let dropped = store.clean(args.keep).map_err(Failure::Store)?;
    let more = dropped.len().saturating_sub(NAMED);
    let ids = match dropped[..dropped.len() - more].join(" ") {
        ids if more > 0 => format!(": {ids} and {more} more"),
        ids if ids.is_empty() => String::new(),
        ids => format!(": {ids}"),
    };
    console.result(&format!("deleted {}{ids}\n", plural(dropped.len(), "run")))
}

fn clean_cache(args: &CleanArgs, console: &Console) -> Result<(), Failure> {
    if let Some(cache) = tare_store::cache_dir() {
        let unused = DAY * args.unused;
        let unreadable = |source| Failure::CannotRead { path: cache.clone(), source };
        let gone = toolchain::drop_unused(&cache, unused, SystemTime::now()).map_err(unreadable)?;
        let counted = |n: usize, noun: &str| (n > 0).then(|| plural(n, noun));
        let parts = [counted(gone.programs, "cached program"), counted(gone.builds, "build folder")];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if !parts.is_empty() {
            let size = bytes(gone.bytes as f64);
            console.result(&format!("deleted {}: {size}\n", parts.join(" and ")))?;
        }
    }
    Ok(())
}

/// The runs shown in this folder belong to a folder above it, and no working copy contains both.
fn of_another_folder(store: &Store, args: &CleanArgs) -> Failure {
    let folder = clean_text(&store.root().parent().unwrap_or(Path::new("/")).display().to_string());
    let keep = if args.keep == KEPT_RUNS { String::new() } else { format!(" --keep {}", args.keep) };
    let unused = if args.unused == UNUSED_DAYS { String::new() } else { format!(" --unused {}", args.unused) };
    Failure::Usage {
        hint: format!("delete them there: `cd {} && tare clean{keep}{unused}`", shell_word(&folder)),
        what: format!("the runs that would be deleted belong to another folder, `{folder}`"),
    }
}
