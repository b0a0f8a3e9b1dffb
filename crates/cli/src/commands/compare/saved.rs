//! Comparison of two sides that were measured before.

use super::selection::Taken;
use crate::commands::why::told;
use crate::failure::Failure;
use crate::gate::{self, Least};
use crate::output;
use crate::request::Settings;
use crate::session::Session;
use crate::sides::{self, Sides};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use tare_analysis::why::why_saved;
use tare_analysis::{analyse, compare_saved, Comparison, Decide, Saved, SavedOptions};
use tare_model::ExitCode;
use tare_report::{ComparisonSubject, Subject, WhySubject};

pub fn compare(base: Saved, new: Saved, session: &Session) -> Result<ExitCode, Failure> {
    let taken = Taken::of(base, new, session.settings)?;
    let (base, new) = (&taken.base, &taken.new);
    let comparison = comparison(&taken, session)?;
    if comparison.rows.is_empty() && !base.cases.is_empty() && !new.cases.is_empty() {
        let names = |saved: &Saved| saved.cases.iter().map(|c| c.key.clone()).collect::<Vec<String>>();
        if session.settings.selection.is_empty() && is_disjoint(base, new, &taken.renames) {
            if let Some(side) = [base, new].into_iter().find(|side| side.jobs().len() > 1) {
                return Err(Failure::Usage {
                    what: format!(
                        "`{}` has results of {} jobs, and none of them matches the other side",
                        side.name,
                        side.jobs().len()
                    ),
                    hint: format!("choose one with `--job NAME`: `{}`", side.jobs().join("`, `")),
                });
            }
            let gated = !session.settings.gate.rules.is_empty();
            return Err(Failure::NothingInCommon { base: names(base), new: names(new), gated });
        }
    }
    match session.settings.diagnosing.asked.why {
        true => explain(comparison, &taken, session),
        false => show(Box::new(ComparisonSubject::saved(comparison)), session),
    }
}

fn show<'s>(subject: Box<dyn Subject + 's>, session: &Session) -> Result<ExitCode, Failure> {
    let shown = session.shown(subject, false, &session.settings.gate);
    output::show(&shown, &session.settings.forms, session.console)?;
    Ok(output::judged(&shown, session.console))
}

fn explain(comparison: Comparison, taken: &Taken, session: &Session) -> Result<ExitCode, Failure> {
    let settings = session.settings;
    let words = [settings.base.as_deref(), settings.new.as_deref()].map(Option::unwrap_or_default);
    let sides = Sides::of(session.store, Path::new(""));
    let [base, new] = [told(words[0], &sides)?, told(words[1], &sides)?];
    let reports = [&base, &new].map(analyse);
    let why = why_saved((&base, &reports[0]), (&new, &reports[1]), &comparison, &taken.renames);
    let sides = Some(words.map(str::to_owned));
    let request = &settings.request;
    let of = Box::new(ComparisonSubject::saved(comparison));
    show(Box::new(WhySubject { why, of, run: &new, sides, request }), session)
}

/// Whether no measured or failed benchmark has the same name on both sides.
fn is_disjoint(base: &Saved, new: &Saved, renames: &BTreeMap<String, String>) -> bool {
    let keys = |saved: &Saved| -> HashSet<String> {
        saved.cases.iter().map(|c| &c.key).chain(saved.failed.iter().map(|f| &f.key)).cloned().collect()
    };
    let renamed = |key: String| renames.get(&key).cloned().unwrap_or(key);
    let of_base: HashSet<String> = keys(base).into_iter().map(renamed).collect();
    of_base.is_disjoint(&keys(new))
}

fn comparison(taken: &Taken, session: &Session) -> Result<Comparison, Failure> {
    let Settings { saved, gate, request, .. } = session.settings;
    let defaults = SavedOptions::default();
    let options = SavedOptions {
        threshold: saved.threshold.unwrap_or(defaults.threshold),
        noise_ns: saved.noise.unwrap_or(defaults.noise_ns),
        renames: taken.renames.clone(),
    };
    gate::check(gate, options.threshold, Least::Threshold)?;
    let comparison = compare_saved(&taken.base, &taken.new, &options);
    Ok(Comparison { request: request.clone(), ..without_foreign_revisions(comparison) })
}

/// Removes the revisions of another repository, which `tare compare` would not find here.
fn without_foreign_revisions(mut comparison: Comparison) -> Comparison {
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let mut is_here = |name: &String| *known.entry(name.clone()).or_insert_with(|| sides::is_revision(name));
    for how in comparison.rows.iter_mut().filter_map(|row| row.decide_with.as_mut()) {
        if let Decide::Interleaved { sides: revisions @ Some(_), .. } = how {
            if !revisions.iter().flatten().all(&mut is_here) {
                *revisions = None;
            }
        }
    }
    comparison
}

#[cfg(test)]
mod tests {
    use super::is_disjoint;
    use std::collections::BTreeMap;
    use tare_analysis::{Saved, SavedCase};

    #[test]
    fn sides_are_disjoint_when_no_name_is_on_both() {
        let side = |key: &str| Saved { cases: vec![SavedCase::new(key, key)], ..Saved::default() };
        let (none, renames) = (BTreeMap::new(), BTreeMap::from([("b".to_owned(), "a".to_owned())]));
        assert!(!is_disjoint(&side("a"), &side("a"), &none));
        assert!(is_disjoint(&side("b"), &side("a"), &none));
        assert!(!is_disjoint(&side("b"), &side("a"), &renames));
    }
}
