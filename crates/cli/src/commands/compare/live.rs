//! Two sides that can be run: built apart, their children interleaved in waves.

use super::super::no_result;
use super::super::run::Ending;
use super::{build, same_code, CompareContext};
use crate::cluster;
use crate::console::Console;
use crate::diagnose;
use crate::failure::Failure;
use crate::gate::{self, Least};
use crate::jobs;
use crate::machine_profile;
use crate::pipeline::{self, Prepared};
use crate::recording::{self, Done, Recorded, Start};
use crate::renames::{self, Names};
use crate::request::{self, PlanRequest};
use crate::sides::Runnable;
use std::collections::HashSet;
use std::hash::Hash;
use tare_analysis::gate::Gate;
use tare_analysis::RowOrder;
use tare_engine::{filter_name, pair, row_key, CatalogEntry, PairingError, SideCatalog};
use tare_model::ExitCode;
use tare_report::{percent_set, Volume};

pub(super) fn compare(base: Runnable, new: Runnable, context: &CompareContext) -> Result<ExitCode, Failure> {
    let (args, console) = (context.args, context.console);
    let amount = PlanRequest::of(&args.effort, None)?;
    let policy = amount.effort.comparison_policy();
    // Once before minutes of building, and once more when it is known whether the layout can be varied.
    gate::check(context.gate, policy.minimum_effect, Least::MinimumEffect)?;
    let mut options =
        request::build_options(&args.build, &args.select.param, (&[], &[]), console.volume == Volume::Verbose)?;
    options.main_arguments.clone_from(&args.arguments);
    jobs::apply(args.saved.job.as_deref(), &args.build.known_jobs, &mut options)?;
    let same_commit = same_code::of_commit(&base, &new, &args.rename);
    same_commit.iter().for_each(|text| console.note(text));
    options.layouts = args.layouts.unwrap_or(amount.effort.layouts());
    let known = &args.build.known_diagnosers;
    let asked = diagnose::Asked {
        diagnose: &args.diagnose,
        counters: &args.watched.counters,
        is_why: args.why,
        // What was named is looked at too where it did not change.
        of_all: !args.select.filter.is_empty(),
    };
    let mut diagnosers = diagnose::prepared(&asked, &context.gate.limits, known, &mut options, console)?;
    let [of_base, of_new] = build::both([&base, &new], &options, policy.timeout_s, None, console)?;
    if same_commit.is_none() && args.rename.is_empty() {
        let same = same_code::of_programs([&base, &new], [&of_base.artifacts, &of_new.artifacts]);
        same.iter().for_each(|text| console.note(text));
    }
    let seed = amount.seed();
    let selection = request::selection(&args.select);
    let trouble = pipeline::either(of_base.trouble, of_new.trouble);
    let renames = match renames(&of_base.entries, &of_new.entries, context) {
        Err(failure) if trouble.is_some() => return Ok(pipeline::after(trouble, &failure, console)),
        renames => renames?,
    };
    let paired =
        pair(side_catalog(of_base), side_catalog(of_new), &renames, &selection, policy, seed).map_err(not_paired);
    let mut paired = match paired {
        // What could not be built, as was said, may be all that both have.
        Err(failure) if trouble.is_some() => {
            no_result::write(&failure, &context.forms.outputs, console);
            return Ok(pipeline::after(trouble, &failure, console));
        }
        paired => paired?,
    };
    if !paired.unfitting.is_empty() {
        // It may be of what could not be built.
        let failure = Failure::NothingMatched {
            selection: request::selection_text(&paired.unfitting),
            of: distinct(&paired.all),
            nearest: Vec::new(),
            list: String::new(),
        };
        console.warn(&failure.what());
    }
    let is_project = args.paths.is_empty() && [&base, &new].iter().all(|side| side.is_project);
    let gate =
        Gate { scope: gate::scope(is_project, std::mem::take(&mut paired.all), &paired.taken), ..context.gate.clone() };
    let context = &CompareContext { gate: &gate, ..*context };
    let pairs = paired.plan.groups.len();
    let mut policy =
        amount.comparison_policy(&paired.artifacts, pairs, |least, varies| least_effect(least, varies, console));
    gate::check(context.gate, policy.minimum_effect, Least::MinimumEffect)?;
    let benchmarks = paired.plan.cases.iter().map(|case| (case.artifact, &case.benchmark));
    let programs = (&mut paired.artifacts[..], std::slice::from_ref(&options.job));
    diagnose::declared(&mut diagnosers, benchmarks, programs, (known, &options), policy.timeout_s)?;
    diagnose::watched(&args.watched, &diagnosers, &mut policy, console);
    let names = diagnose::settled(&diagnosers, &mut paired.artifacts, known)?;
    asked.plan(names, &mut policy);
    let facts = [&base, &new].map(Runnable::facts);
    let start = Start::of_pairs(paired, facts, policy, options.job, (context.request, request::code_of(&new.paths)));
    recording::note_invocations(&start.plan, &start.jobs, console);
    let started = recording::started(start, context.store, console);
    let how = Recorded::kept(!args.no_save);
    conclude(cluster::measure(&args.cluster, started, diagnosers, context.store, how, console)?, context)
}

/// The default minimum effect: larger if layout cannot be varied, or if the calibration of this machine requires it.
pub fn least_effect(by_layout: f64, varies_layout: bool, console: &Console) -> f64 {
    let least = machine_profile::calibration().map_or(by_layout, |c| c.minimum_effect(by_layout, varies_layout));
    let why = match (least > by_layout, varies_layout) {
        (true, _) => "this machine's calibration requires it",
        (false, false) => "the code layout cannot be varied enough",
        (false, true) => return least,
    };
    console.note(&format!("{why}, so the minimum effect is {}; `--min-effect` sets another", percent_set(least)));
    least
}

pub(super) fn resume(id: &str, context: &CompareContext) -> Result<ExitCode, Failure> {
    let done = recording::measure_rest(
        id,
        (context.gate, &context.args.build.known_diagnosers),
        context.store,
        Recorded::kept(true),
        context.console,
    )?;
    let gate = gate::of_run(context.gate.clone(), &done.run);
    conclude(done, &CompareContext { gate: &gate, ..*context })
}

fn conclude(done: Done, context: &CompareContext) -> Result<ExitCode, Failure> {
    let CompareContext { args, request, gate, forms, console, .. } = *context;
    let top = args.top.map(|n| n as usize);
    Ending { request, forms, order: RowOrder::Declared, gate, top }.conclude(done, console)
}

pub fn side_catalog(prepared: Prepared) -> SideCatalog {
    SideCatalog { artifacts: prepared.artifacts, entries: prepared.entries, failed: prepared.failed }
}

/// How many there are, those of both sides counted once.
fn distinct<T: Eq + Hash>(names: impl IntoIterator<Item = T>) -> usize {
    names.into_iter().collect::<HashSet<T>>().len()
}

pub fn not_paired(error: PairingError) -> Failure {
    match error {
        PairingError::NothingInCommon { base, new } => Failure::NothingInCommon { base, new },
        PairingError::NothingMatched { entries, selection } => {
            let of = distinct(entries.iter().flat_map(|entry| &entry.benchmarks).map(filter_name));
            pipeline::nothing_matched_of(of, &entries, &selection, &pipeline::list_command(&[], &[]))
        }
    }
}

/// The renames of the command line, which must fit, and those of `tare.toml`, which may be of other revisions.
fn renames(
    base: &[CatalogEntry],
    new: &[CatalogEntry],
    context: &CompareContext,
) -> Result<Vec<(String, String)>, Failure> {
    // Either name of a benchmark stands for itself: that without parameters is of all that have some.
    let known = |entries: &[CatalogEntry]| {
        let each = entries.iter().flat_map(|e| e.benchmarks.iter().map(move |b| (e, b)));
        let each = each.flat_map(|(entry, b)| [filter_name(b), b.full_name(), row_key(entry, b)]);
        Names::of(each.map(|name| (name, [])))
    };
    let mut all = context.args.usual_renames.clone();
    if !context.args.rename.is_empty() {
        let (base, new) = (known(base), known(new));
        for rename in &context.args.rename {
            all.push(renames::resolve(rename, &base, &new)?);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benchmarks_of_both_sides_are_counted_once() {
        assert_eq!(distinct(["a", "b", "c", "a", "b", "c"]), 3);
    }
}
