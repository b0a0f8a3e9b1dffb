//! Two sides as pairs of benchmarks, whose children are measured in turn.

use super::Session;
use crate::console::Console;
use crate::failure::Failure;
use crate::jobs;
use crate::machine_profile;
use crate::pipeline::{self, Prepared};
use crate::recording::Start;
use crate::request;
use std::collections::HashSet;
use std::hash::Hash;
use std::path::PathBuf;
use tare_analysis::gate::Gate;
use tare_engine::{filter_name, pair, PairingError, Pairs, Selection, SideCatalog};
use tare_model::{Job, Missing, Plan, Policy, SideFacts, Sides};
use tare_report::percent_set;

impl Session<'_> {
    pub fn pair(
        &self,
        sides: [Prepared; 2],
        renames: &[(String, String)],
        selection: &Selection,
    ) -> Result<Pairs, PairingError> {
        let amount = &self.settings.amount;
        let catalog =
            |side: Prepared| SideCatalog { artifacts: side.artifacts, entries: side.entries, failed: side.failed };
        let [base, new] = sides.map(catalog);
        pair(base, new, renames, selection, amount.comparison_policy(), request::seed(amount))
    }

    pub fn policy_of(&self, pairs: &Pairs) -> Policy {
        let least = |least, varies| least_effect(least, varies, self.console);
        self.settings.amount.comparison_policy_of(&pairs.artifacts, pairs.plan.groups.len(), least)
    }

    /// The start of a comparison of two sides that share a job. `code`: the folder whose revision is recorded.
    pub fn start_of_pairs(
        &self,
        pairs: Pairs,
        sides: [SideFacts; 2],
        policy: Policy,
        job: &Job,
        code: PathBuf,
    ) -> Start {
        let [of_base, of_new] = pairs.missing;
        let [base, new] = sides;
        let (base, new) = (SideFacts { missing: of_base, ..base }, SideFacts { missing: of_new, ..new });
        let (mut plan, jobs) = (Plan { policy, ..pairs.plan }, vec![job.clone()]);
        jobs::set_strategies(&mut plan, &jobs);
        Start {
            artifacts: pairs.artifacts,
            jobs,
            sides: Some(Sides { base, new }),
            missing: Missing::default(),
            plan,
            request: self.settings.request.clone(),
            code,
        }
    }
}

/// The default minimum effect: larger if layout cannot be varied, or if the calibration of this machine requires it.
fn least_effect(by_layout: f64, varies_layout: bool, console: &Console) -> f64 {
    let least = machine_profile::calibration().map_or(by_layout, |c| c.minimum_effect(by_layout, varies_layout));
    let why = match (least > by_layout, varies_layout) {
        (true, _) => "this machine's calibration requires it",
        (false, false) => "the code layout cannot be varied enough",
        (false, true) => return least,
    };
    console.note(&format!("{why}, so the minimum effect is {}; `--min-effect` sets another", percent_set(least)));
    least
}

/// The number of distinct names, those on both sides counted once.
pub fn distinct<T: Eq + Hash>(names: impl IntoIterator<Item = T>) -> usize {
    names.into_iter().collect::<HashSet<T>>().len()
}

pub fn not_paired(error: PairingError, gate: &Gate) -> Failure {
    match error {
        PairingError::NothingInCommon { base, new } => {
            Failure::NothingInCommon { base, new, gated: !gate.rules.is_empty() }
        }
        PairingError::NothingMatched { entries, selection } => {
            let of = distinct(entries.iter().flat_map(|entry| &entry.benchmarks).map(filter_name));
            pipeline::nothing_matched_of(of, &entries, &selection, &pipeline::list_command(&[], &[]))
        }
    }
}
