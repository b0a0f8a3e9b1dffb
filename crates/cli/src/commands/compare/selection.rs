//! Which benchmarks of saved results are compared: filters, categories, renames, one kind of time.

use super::CompareContext;
use crate::args::{Direction, TimeKind};
use crate::failure::Failure;
use crate::renames::{self, Names};
use crate::request;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use tare_analysis::{Saved, SavedTime};
use tare_engine::{matches, Selection};
use tare_report::clean;

/// What is asked of two sides.
pub struct Asked<'a> {
    context: &'a CompareContext<'a>,
    selection: Selection,
}

/// Two sides as they are compared.
pub struct Taken {
    pub base: Saved,
    pub new: Saved,
    /// Keys of the base to keys of the new side.
    pub renames: BTreeMap<String, String>,
}

impl<'a> Asked<'a> {
    pub fn new(context: &'a CompareContext<'a>) -> Asked<'a> {
        Asked { context, selection: request::selection(&context.args.select) }
    }

    /// What is compared of two sides.
    ///
    /// # Errors
    /// What fits nothing of what was asked for.
    pub fn take(&self, base: Saved, new: Saved) -> Result<Taken, Failure> {
        let [mut base, mut new] = [self.in_time(base)?, self.in_time(new)?];
        self.direct(&mut base, &mut new)?;
        if let Some(without) =
            [&base, &new].into_iter().find(|s| self.selection.is_of_categories() && s.categories.is_empty())
        {
            return Err(Failure::Usage {
                what: format!("`--category` cannot be used: `{}` has no categories", clean(&without.name)),
                hint: "choose benchmarks by name: `--filter GLOB`".to_owned(),
            });
        }
        let renames = self.renames(&base, &new)?;
        self.check(&base, &new)?;
        if self.selection.is_empty() {
            return Ok(Taken { base, new, renames });
        }
        let (base, new) = (selected(base, &self.selection, &renames), selected(new, &self.selection, &renames));
        Ok(Taken { base, new, renames })
    }

    /// Whether every filter and category fits something.
    fn check(&self, base: &Saved, new: &Saved) -> Result<(), Failure> {
        let sides = [base, new];
        let is_of_side = |pattern: &str, side: &Saved| {
            side.cases.iter().any(|c| fits(pattern, &[&c.key, &c.name, &c.selector()]))
                || side.failed.iter().any(|f| fits(pattern, &[&f.key, &f.name]))
        };
        let fits_no_case = |pattern: &&String| !sides.into_iter().any(|side| is_of_side(pattern, side));
        let is_no_category =
            |name: &&String| !sides.iter().any(|side| side.categories.values().any(|all| all.contains(name)));
        let wrong = Selection {
            filters: self.selection.filters.iter().filter(fits_no_case).cloned().collect(),
            categories: self.selection.categories.iter().filter(is_no_category).cloned().collect(),
            all_categories: self.selection.all_categories.iter().filter(is_no_category).cloned().collect(),
            ..Selection::default()
        };
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(nothing_matched(&wrong, sides)),
        }
    }

    /// The failure that a selection leaves nothing.
    pub fn nothing_left(context: &CompareContext, base: &Saved, new: &Saved) -> Failure {
        nothing_matched(&request::selection(&context.args.select), [base, new])
    }

    /// Gives metrics the directions that the user says they have.
    fn direct(&self, base: &mut Saved, new: &mut Saved) -> Result<(), Failure> {
        for Direction { metric, better } in &self.context.args.saved.better {
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

    fn in_time(&self, side: Saved) -> Result<Saved, Failure> {
        let time = match self.context.args.saved.time {
            None => return Ok(side),
            Some(TimeKind::Wall) => SavedTime::Wall,
            Some(TimeKind::Cpu) => SavedTime::Cpu,
        };
        if side.has_time(time) {
            return Ok(side.in_time(time));
        }
        let (kind, side) = (time.quantity(), clean(&side.name));
        Err(Failure::Usage {
            what: format!("`--time` cannot be used: `{side}` has no {kind}"),
            hint: "results of Google Benchmark and runs of `tare` have both kinds of time".to_owned(),
        })
    }

    /// Those of the command line, which must fit, and those of `tare.toml`, which may be of other results.
    fn renames(&self, base: &Saved, new: &Saved) -> Result<BTreeMap<String, String>, Failure> {
        let table = &self.context.args.usual_renames;
        let typed = &self.context.args.rename;
        if table.is_empty() && typed.is_empty() {
            return Ok(BTreeMap::new());
        }
        let names = |side: &Saved| {
            let cases = side.cases.iter().map(|c| (c.key.clone(), [c.selector(), c.name.clone()]));
            let failed = side.failed.iter().map(|f| (f.key.clone(), [f.name.clone(), f.name.clone()]));
            Names::of(cases.chain(failed))
        };
        let (base, new) = (names(base), names(new));
        let of_table = |(old, to): &(String, String)| {
            renames::resolve(&format!("{old}={to}"), &base, &new).unwrap_or_else(|_| (old.clone(), to.clone()))
        };
        let mut all: BTreeMap<String, String> = table.iter().map(of_table).collect();
        for rename in typed {
            let (old, to) = renames::resolve(rename, &base, &new)?;
            all.insert(old, to);
        }
        Ok(all)
    }
}

fn nothing_matched(selection: &Selection, sides: [&Saved; 2]) -> Failure {
    let mut seen = HashSet::new();
    let names: Vec<String> =
        sides.into_iter().flat_map(keys).filter(|&name| seen.insert(name)).map(str::to_owned).collect();
    let nearest = selection.filters.iter().flat_map(|p| tare_model::text::nearest(p, &names, 3)).collect();
    Failure::NothingMatched {
        selection: request::selection_text(selection),
        is_other_syntax: request::has_other_syntax(selection),
        of: names.len(),
        nearest,
        list: String::new(),
    }
}

fn keys(side: &Saved) -> impl Iterator<Item = &str> {
    side.cases.iter().map(|c| c.key.as_str()).chain(side.failed.iter().map(|f| f.key.as_str()))
}

fn fits(pattern: &str, names: &[&str]) -> bool {
    names.iter().any(|name| matches(pattern, name))
}

/// Saved results keep the names of their tool; the patterns are over them, over the keys, and over `group/name[n=10]`.
fn selected(mut saved: Saved, selection: &Selection, renames: &BTreeMap<String, String>) -> Saved {
    let one_of = |patterns: &[String], names: &[&str]| patterns.iter().any(|pattern| fits(pattern, names));
    let categories = std::mem::take(&mut saved.categories);
    let of_category = |key: &str| selection.takes_categories(categories.get(key).map_or(&[], Vec::as_slice));
    let taken = |names: &[&str]| {
        of_category(names[0])
            && (selection.filters.is_empty() || one_of(&selection.filters, names))
            && !one_of(&selection.exclusions, names)
    };
    // A renamed benchmark has two names, and only one of them may fit: then both stay.
    let back: BTreeMap<&str, &str> = renames.iter().map(|(old, new)| (new.as_str(), old.as_str())).collect();
    let other = |key: &str| renames.get(key).map(String::as_str).or_else(|| back.get(key).copied());
    let takes = |key: &str, name: &str, selector: &str| {
        taken(&[key, name, selector]) || other(key).is_some_and(|key| taken(&[key]))
    };
    saved.cases.retain(|c| takes(&c.key, &c.name, &c.selector()));
    saved.failed.retain(|f| takes(&f.key, &f.name, &f.name));
    Saved { categories, ..saved }
}
