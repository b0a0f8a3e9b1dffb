//! Which benchmarks of saved results are compared: filters, categories, renames, one kind of time.

use crate::args::Direction;
use crate::failure::Failure;
use crate::renames::Names;
use crate::request::{self, Settings};
use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::Saved;
use tare_engine::{matches, Selection};
use tare_report::clean;

pub struct Taken {
    pub base: Saved,
    pub new: Saved,
    /// Keys of the base to keys of the new side.
    pub renames: BTreeMap<String, String>,
}

impl Taken {
    pub fn of(base: Saved, new: Saved, settings: &Settings) -> Result<Taken, Failure> {
        let selection = &settings.selection;
        let [mut base, mut new] = [in_time(base, settings)?, in_time(new, settings)?];
        direct(&mut base, &mut new, settings)?;
        if let Some(without) =
            [&base, &new].into_iter().find(|s| selection.is_of_categories() && s.categories.is_empty())
        {
            return Err(Failure::Usage {
                what: format!("`--category` cannot be used: `{}` has no categories", clean(&without.name)),
                hint: "choose benchmarks by name: `--filter GLOB`".to_owned(),
            });
        }
        let renames = renames(&base, &new, settings)?;
        if selection.is_empty() {
            return Ok(Taken { base, new, renames });
        }
        let names: BTreeSet<String> = keys(&base).chain(keys(&new)).map(str::to_owned).collect();
        let wrong = unfitting(selection, [&base, &new]);
        if !wrong.is_empty() {
            return Err(nothing_matched(&wrong, names));
        }
        let [base, new] = [base, new].map(|side| selected(side, selection, &renames));
        let is_left = [&base, &new].into_iter().any(|side| keys(side).next().is_some());
        match is_left || names.is_empty() {
            true => Ok(Taken { base, new, renames }),
            false => Err(nothing_matched(selection, names)),
        }
    }
}

fn unfitting(selection: &Selection, sides: [&Saved; 2]) -> Selection {
    let is_name = |pattern: &String| {
        sides.iter().any(|side| {
            side.cases.iter().any(|c| fits(pattern, &[&c.key, &c.name, &c.selector()]))
                || side.failed.iter().any(|f| fits(pattern, &[&f.key, &f.name]))
        })
    };
    let is_category =
        |category: &String| sides.iter().any(|side| side.categories.values().any(|all| all.contains(category)));
    let without = |patterns: &[String], fits: &dyn Fn(&String) -> bool| {
        patterns.iter().filter(|pattern| !fits(pattern)).cloned().collect()
    };
    Selection {
        filters: without(&selection.filters, &is_name),
        categories: without(&selection.categories, &is_category),
        all_categories: without(&selection.all_categories, &is_category),
        ..Selection::default()
    }
}

fn nothing_matched(selection: &Selection, names: BTreeSet<String>) -> Failure {
    let names: Vec<String> = names.into_iter().collect();
    let nearest = selection.filters.iter().flat_map(|p| tare_model::text::nearest(p, &names, 3)).collect();
    Failure::NothingMatched {
        selection: request::selection_text(selection),
        of: names.len(),
        nearest,
        list: String::new(),
    }
}

fn direct(base: &mut Saved, new: &mut Saved, settings: &Settings) -> Result<(), Failure> {
    for Direction { metric, better } in &settings.saved.better {
        let is_known = [&mut *base, &mut *new].map(|side| side.direct(metric, *better)).contains(&true);
        if !is_known {
            let names: BTreeSet<&str> = base.metric_names().chain(new.metric_names()).collect();
            let names: Vec<String> = names.into_iter().map(|name| format!("`{}`", clean(name))).collect();
            let hint = match names.is_empty() {
                true => "the results hold times alone: leave it out".to_owned(),
                false => format!("metrics of these results: {}", names.join(", ")),
            };
            let what = format!("`--better` names a metric that no benchmark has: `{}`", clean(metric));
            return Err(Failure::Usage { what, hint });
        }
    }
    Ok(())
}

fn in_time(side: Saved, settings: &Settings) -> Result<Saved, Failure> {
    let Some(time) = settings.saved.time else { return Ok(side) };
    if side.has_time(time) {
        return Ok(side.in_time(time));
    }
    let (kind, side) = (time.quantity(), clean(&side.name));
    Err(Failure::Usage {
        what: format!("`--time` cannot be used: `{side}` has no {kind}"),
        hint: "results of Google Benchmark and runs of `tare` have both kinds of time".to_owned(),
    })
}

fn renames(base: &Saved, new: &Saved, settings: &Settings) -> Result<BTreeMap<String, String>, Failure> {
    if settings.renames.is_empty() {
        return Ok(BTreeMap::new());
    }
    let names = |side: &Saved| {
        let cases = side.cases.iter().map(|c| (c.key.clone(), [c.selector(), c.name.clone()]));
        let failed = side.failed.iter().map(|f| (f.key.clone(), [f.name.clone(), f.name.clone()]));
        Names::of(cases.chain(failed))
    };
    Ok(settings.renames.of(&names(base), &names(new))?.into_iter().collect())
}

fn keys(side: &Saved) -> impl Iterator<Item = &str> {
    side.cases.iter().map(|c| c.key.as_str()).chain(side.failed.iter().map(|f| f.key.as_str()))
}

fn fits(pattern: &str, names: &[&str]) -> bool {
    names.iter().any(|name| matches(pattern, name))
}

/// Saved results keep the names of their tool. Patterns match those names, the keys, and `group/name[n=10]`.
fn selected(mut saved: Saved, selection: &Selection, renames: &BTreeMap<String, String>) -> Saved {
    let one_of = |patterns: &[String], names: &[&str]| patterns.iter().any(|pattern| fits(pattern, names));
    let categories = std::mem::take(&mut saved.categories);
    let of_category = |key: &str| selection.takes_categories(categories.get(key).map_or(&[], Vec::as_slice));
    let taken = |names: &[&str]| {
        of_category(names[0])
            && (selection.filters.is_empty() || one_of(&selection.filters, names))
            && !one_of(&selection.exclusions, names)
    };
    // A renamed benchmark has two names and is kept if either matches.
    let back: BTreeMap<&str, &str> = renames.iter().map(|(old, new)| (new.as_str(), old.as_str())).collect();
    let other = |key: &str| renames.get(key).map(String::as_str).or_else(|| back.get(key).copied());
    let takes = |key: &str, name: &str, selector: &str| {
        taken(&[key, name, selector]) || other(key).is_some_and(|key| taken(&[key]))
    };
    saved.cases.retain(|c| takes(&c.key, &c.name, &c.selector()));
    saved.failed.retain(|f| takes(&f.key, &f.name, &f.name));
    Saved { categories, ..saved }
}
