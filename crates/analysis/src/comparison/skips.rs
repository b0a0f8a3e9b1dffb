//! Intentionally skipped benchmarks: skipped on both sides they are listed and nothing is lost; against values on the other side they are
//! not compared.

use super::pairing::Pairing;
use crate::report::{SkippedOn, SkippedRow};
use crate::saved::{Saved, SavedCase, SavedFailure};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Removes from the benchmarks of one side those that failed on the other: they exist there, as failures.
pub(super) fn failures(base: &Saved, new: &Saved, renames: &BTreeMap<String, String>, pairing: &mut Pairing) {
    let Pairing { identities, only_base, only_new, .. } = pairing;
    let renamed = |key: &String, stem: &String| renames.get(key).unwrap_or(stem).clone();
    for (side, other, alone) in [(base, new, only_new), (new, base, only_base)] {
        let mut failed: HashMap<String, Vec<&str>> = HashMap::new();
        for failure in side.failed.iter().filter(|failure| failure.failure.skipped().is_none()) {
            failed.entry(renamed(&failure.key, &failure.stem)).or_default().push(&failure.job);
        }
        let is_job = |case: &SavedCase, job: &&str| {
            !identities.several_jobs || job.is_empty() || case.job.is_empty() || *job == case.job
        };
        let has_failed = |case: &&SavedCase| {
            let jobs = failed.get(&renamed(&case.key, &case.stem));
            jobs.is_some_and(|jobs| jobs.iter().any(|job| is_job(case, job)))
        };
        let names: HashSet<String> = other.cases.iter().filter(has_failed).map(|case| identities.name(case)).collect();
        alone.retain(|name| !names.contains(name));
    }
}

/// Benchmarks without values on either side. Those with values on one side are removed from its unmatched benchmarks, and not compared.
pub(super) fn skips(
    base: &Saved,
    new: &Saved,
    renames: &BTreeMap<String, String>,
    pairing: &mut Pairing,
) -> Vec<SkippedRow> {
    let Pairing { identities, only_base, only_new, not_compared, .. } = pairing;
    let stem = |failed: &SavedFailure| renames.get(&failed.key).unwrap_or(&failed.stem).clone();
    let is = |stem: &str, job: &str, other: (&str, &str)| {
        let is_job = !identities.several_jobs || job.is_empty() || other.1.is_empty() || job == other.1;
        stem == other.0 && is_job
    };
    let mut rows = Vec::new();
    for (on, side, other) in [(SkippedOn::Base, base, new), (SkippedOn::New, new, base)] {
        for skipped in &side.failed {
            let Some(reason) = skipped.failure.skipped() else { continue };
            let (own, job) = (stem(skipped), skipped.job.as_str());
            let is_failed = |f: &SavedFailure| f.failure.skipped().is_none() && is(&own, job, (&stem(f), &f.job));
            if side.failed.iter().chain(&other.failed).any(is_failed) {
                continue;
            }
            let is_case = |case: &&SavedCase| {
                let stem = renames.get(&case.key).unwrap_or(&case.stem);
                is(&own, job, (stem, &case.job))
            };
            let measured = other.cases.iter().find(is_case);
            let of_both = other.failed.iter().any(|f| is(&own, job, (&stem(f), &f.job)));
            match measured.filter(|_| !side.cases.iter().any(|case| is_case(&case))) {
                Some(case) => {
                    let name = identities.name(case);
                    only_base.retain(|alone| *alone != name);
                    only_new.retain(|alone| *alone != name);
                    not_compared.push((case.selector(), SkippedRow::not_compared(on, reason)));
                }
                None if of_both && on == SkippedOn::New => {}
                None => rows.push(SkippedRow {
                    key: skipped.key.clone(),
                    name: skipped.name.clone(),
                    on: if of_both { SkippedOn::Both } else { on },
                    reason: reason.to_owned(),
                }),
            }
        }
    }
    rows
}
