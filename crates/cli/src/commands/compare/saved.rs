//! Two sides that were measured before.

use super::super::output::{Shown, Subject};
use super::Wish;
use crate::failure::Failure;
use crate::gate::{self, Least};
use crate::request;
use std::collections::HashSet;
use tare_analysis::{compare_saved, Comparison, Saved, SavedOptions};
use tare_engine::matches;
use tare_model::ExitCode;

/// Compares and shows.
pub fn compare(base: &Saved, new: &Saved, wish: &Wish) -> Result<ExitCode, Failure> {
    let comparison = comparison(base, new, wish)?;
    if comparison.rows.is_empty() {
        let select = &wish.args.select;
        let selects = select.filter.len() + select.exclude.len() + select.category.len() > 0;
        let names = |saved: &Saved| saved.cases.iter().map(|c| c.key.clone()).collect::<Vec<String>>();
        if !selects && !base.cases.is_empty() && !new.cases.is_empty() && is_disjoint(base, new, &wish.renames()) {
            return Err(Failure::NothingInCommon { base: names(base), new: names(new) });
        }
    }
    wish.show(Shown::new(Subject::Comparison(Box::new(comparison), None), false))
}

/// No name of one side, be it of what was measured or of what failed, is one of the other.
fn is_disjoint(base: &Saved, new: &Saved, renames: &[(String, String)]) -> bool {
    let keys = |saved: &Saved| -> HashSet<String> {
        saved.cases.iter().map(|c| &c.key).chain(saved.failed.iter().map(|f| &f.key)).cloned().collect()
    };
    let renamed = |key: String| renames.iter().rev().find(|(old, _)| *old == key).map_or(key, |(_, new)| new.clone());
    let of_base: HashSet<String> = keys(base).into_iter().map(renamed).collect();
    of_base.is_disjoint(&keys(new))
}

/// The comparison of the benchmarks that the filters take.
pub fn comparison(base: &Saved, new: &Saved, wish: &Wish) -> Result<Comparison, Failure> {
    let categories = &wish.args.select.category;
    if let Some(without) = [base, new].into_iter().find(|s| !categories.is_empty() && s.categories.is_empty()) {
        return Err(Failure::Usage {
            what: format!("`--category` cannot be used: `{}` knows no categories", without.name),
            hint: "take benchmarks by name: `--filter GLOB`".to_owned(),
        });
    }
    let table = &wish.config.compare;
    let saved = &wish.args.saved;
    let defaults = SavedOptions::default();
    let options = SavedOptions {
        threshold: saved.threshold.or(table.threshold.map(|t| t.0)).unwrap_or(defaults.threshold),
        noise_ns: saved.noise.or(table.noise.map(|n| n.0)).unwrap_or(defaults.noise_ns),
        renames: wish.renames().into_iter().collect(),
        ..defaults
    };
    gate::check(wish.gate, options.threshold, Least::Threshold)?;
    let mut comparison = compare_saved(&selected(base, wish), &selected(new, wish), &options);
    let kept = tare_analysis::kept(&request::command_line());
    for command in comparison.rows.iter_mut().filter_map(|row| row.decide_with.as_mut()).filter(|_| !kept.is_empty()) {
        *command = format!("{command} {kept}");
    }
    Ok(comparison)
}

/// Saved results keep the names of their tool; the patterns are over them, over the keys, and over `group/name[n=10]`.
fn selected(saved: &Saved, wish: &Wish) -> Saved {
    let select = &wish.args.select;
    let fits = |patterns: &[String], names: &[&str]| {
        patterns.iter().any(|pattern| names.iter().any(|name| matches(pattern, name)))
    };
    let of_category = |key: &str| {
        let known = saved.categories.get(key);
        select.category.is_empty() || known.is_some_and(|all| select.category.iter().any(|c| all.contains(c)))
    };
    let taken = |names: &[&str]| {
        of_category(names[0])
            && (select.filter.is_empty() || fits(&select.filter, names))
            && !fits(&select.exclude, names)
    };
    let mut taken_of = saved.clone();
    // A renamed benchmark has two names, and only one of them may fit: then both stay.
    let renames = wish.renames();
    let other = |key: &str| {
        renames.iter().find_map(|(old, new)| match key {
            k if k == old => Some(new.clone()),
            k if k == new => Some(old.clone()),
            _ => None,
        })
    };
    let takes = |key: &str, name: &str, selector: &str| {
        taken(&[key, name, selector]) || other(key).is_some_and(|key| taken(&[&key]))
    };
    taken_of.cases.retain(|c| takes(&c.key, &c.name, &c.selector()));
    taken_of.failed.retain(|f| takes(&f.key, &f.name, &f.name));
    taken_of
}

#[cfg(test)]
mod tests {
    use super::is_disjoint;
    use tare_analysis::{Saved, SavedCase};

    #[test]
    fn sides_are_disjoint_when_no_name_is_on_both() {
        let side = |key: &str| Saved { cases: vec![SavedCase::new(key, key)], ..Saved::default() };
        let renames = [("b".to_owned(), "a".to_owned())];
        assert!(!is_disjoint(&side("a"), &side("a"), &[]));
        assert!(is_disjoint(&side("b"), &side("a"), &[]));
        assert!(!is_disjoint(&side("b"), &side("a"), &renames));
    }
}
