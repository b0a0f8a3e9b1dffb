//! `tare compare`: two sides that can be run are measured interleaved, two that were saved are compared as far as they can
//! carry it.

mod build;
mod live;
mod matrix;
mod saved;

use super::output::{self, Shown};
use crate::args::CompareArgs;
use crate::config::Config;
use crate::console::Console;
use crate::failure::Failure;
use crate::gate;
use crate::request::{self, Output};
use crate::sides::{Given, Sides};
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_model::ExitCode;
use tare_store::Store;

/// Which of criterion's baselines holds the last run.
const CRITERION: &str = "new";

/// `tare compare`.
pub fn compare(args: &CompareArgs, console: &Console) -> Result<ExitCode, Failure> {
    refuse_meaningless(args)?;
    let outputs = request::outputs(&args.output)?;
    let config = Config::find(Path::new("."))?;
    let gate = gate::gate(&args.gate, &config);
    let _ = tare_process::install_interrupt_handler();
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let wish = Wish { args, config: &config, gate: &gate, outputs: &outputs, store: &store, console };
    if let Some(id) = &args.resume {
        return live::resume(id, &wish);
    }
    if let Some(folder) = &args.saved.matrix {
        return matrix::matrix(folder, &wish);
    }
    let cache = tare_store::cache_dir().ok_or(Failure::NoHome { variable: "XDG_CACHE_HOME" })?;
    let criterion = args.saved.criterion.as_deref().unwrap_or(CRITERION);
    let sides = Sides { store: &store, cache: &cache, criterion };
    let base = args.base.as_deref().unwrap_or_default();
    match sides.both(base, args.new.as_deref(), &args.paths)? {
        (Given::Runnable(base), Given::Runnable(new)) => live::compare(base, new, &wish),
        (Given::Saved(base), Given::Saved(new)) => saved::compare(&base, &new, &wish),
        (Given::Saved(saved), Given::Runnable(other)) => Err(mixed(&saved.name, &other.name)),
        (Given::Runnable(other), Given::Saved(saved)) => Err(mixed(&saved.name, &other.name)),
    }
}

/// Flags of runs that say nothing of a comparison.
fn refuse_meaningless(args: &CompareArgs) -> Result<(), Failure> {
    let usage = |what: &str, hint: &str| Err(Failure::Usage { what: what.to_owned(), hint: hint.to_owned() });
    if args.effort.precision.is_some() {
        return usage(
            "`--precision` is of `tare run`: a comparison goes on until every verdict is clear",
            "say which change matters: `--min-effect 0.5%`",
        );
    }
    if args.effort.launches == Some(1) {
        return usage("a comparison needs at least 2 launches a side", "`--launches 8`, or leave it to `tare`");
    }
    Ok(())
}

/// What was asked for, and where.
struct Wish<'a> {
    args: &'a CompareArgs,
    config: &'a Config,
    gate: &'a Gate,
    outputs: &'a [Output],
    store: &'a Store,
    console: &'a Console,
}

impl Wish<'_> {
    /// Shows a result in every form that was asked for; the code of the gate.
    fn show(&self, shown: Shown) -> Result<ExitCode, Failure> {
        let shown = shown.top(self.args.top.map(|n| n as usize)).judged(self.gate);
        output::print(&shown, self.args.format, self.console)?;
        output::write(&shown, self.outputs, self.console)?;
        Ok(shown.say_judgement(self.console))
    }

    /// Old and new names of benchmarks, those of the command line last.
    fn renames(&self) -> Vec<(String, String)> {
        let table = self.config.compare.rename.iter().map(|(old, new)| (old.clone(), new.clone()));
        table.chain(self.args.rename.iter().cloned()).collect()
    }
}

fn mixed(saved: &str, runnable: &str) -> Failure {
    Failure::Usage {
        what: format!("`{saved}` is a saved result and `{runnable}` is to be run: they would be minutes and a machine apart"),
        hint: format!(
            "compare what can be run on both sides, such as the revision of `{saved}`: `tare compare REVISION {runnable}`; \
             or measure first: `tare run {runnable}`, then `tare compare {saved} latest`"
        ),
    }
}
