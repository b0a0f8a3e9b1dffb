//! Comparison of two sides that can be run: built separately, their children interleaved in waves.

use super::same_code;
use crate::failure::Failure;
use crate::gate::{self, Least};
use crate::pipeline;
use crate::recording;
use crate::renames::Names;
use crate::request;
use crate::session::{build_sides, distinct, not_paired, Session};
use crate::sides::Runnable;
use tare_analysis::gate::Gate;
use tare_engine::{filter_name, row_key, CatalogEntry};
use tare_model::ExitCode;

pub(super) fn compare(base: Runnable, new: Runnable, session: &Session) -> Result<ExitCode, Failure> {
    let Session { settings, console, .. } = *session;
    let usual = settings.amount.comparison_policy();
    // Checked before minutes of building, and again once it is known whether the layout can be varied.
    gate::check(&settings.gate, usual.minimum_effect, Least::MinimumEffect)?;
    let mut options = settings.jobs.apply(&settings.build)?;
    let typed = &settings.renames.typed;
    let same_commit = same_code::of_commit(&base, &new, typed);
    same_commit.iter().for_each(|text| console.note(text));
    let diagnosers = settings.diagnosing.prepared(&settings.gate.limits, &mut options, console)?;
    let [of_base, of_new] = build_sides([&base, &new], &options, usual.timeout_s, None, console)?;
    if same_commit.is_none() && typed.is_empty() {
        let same = same_code::of_programs([&base, &new], [&of_base.artifacts, &of_new.artifacts]);
        same.iter().for_each(|text| console.note(text));
    }
    // The reported build failures may be the only benchmarks in common.
    let trouble = pipeline::either(of_base.trouble, of_new.trouble);
    let renames = match settings.renames.of(&known(&of_base.entries), &known(&of_new.entries)) {
        Err(failure) => return session.without(trouble, failure),
        Ok(renames) => renames,
    };
    let mut paired = match session.pair([of_base, of_new], &renames, &settings.selection) {
        Err(error) => return session.without(trouble, not_paired(error, &settings.gate)),
        Ok(paired) => paired,
    };
    if !paired.unfitting.is_empty() {
        // The selected benchmark may be in a program that failed to build.
        let failure = Failure::NothingMatched {
            selection: request::selection_text(&paired.unfitting),
            of: distinct(&paired.all),
            nearest: Vec::new(),
            list: String::new(),
        };
        console.warn(&failure.what());
    }
    let is_project = settings.paths.is_empty() && [&base, &new].iter().all(|side| side.is_project);
    let scope = gate::scope(is_project, std::mem::take(&mut paired.all), &paired.taken);
    let gate = Gate { scope, ..settings.gate.clone() };
    let policy = session.policy_of(&paired);
    gate::check(&gate, policy.minimum_effect, Least::MinimumEffect)?;
    let benchmarks = paired.plan.cases.iter().map(|case| (case.artifact, &case.benchmark));
    let jobs = std::slice::from_ref(&options.job);
    let (diagnosers, diagnosis) =
        settings.diagnosing.settle(diagnosers, benchmarks, &mut paired.artifacts, jobs, policy.timeout_s, console)?;
    paired.plan.diagnosis = diagnosis;
    let (facts, code) = ([&base, &new].map(Runnable::facts), request::code_of(&new.paths).to_owned());
    let start = session.start_of_pairs(paired, facts, policy, &options.job, code);
    recording::note_invocations(&start.plan, &start.jobs, console);
    session.conclude(session.measure(start, diagnosers)?, &gate)
}

/// Names of benchmarks. Either form may be given; the form without parameters stands for all parameter values.
fn known(entries: &[CatalogEntry]) -> Names {
    let each = entries.iter().flat_map(|e| e.benchmarks.iter().map(move |b| (e, b)));
    let each = each.flat_map(|(entry, b)| [filter_name(b), b.full_name(), row_key(entry, b)]);
    Names::of(each.map(|name| (name, [])))
}
