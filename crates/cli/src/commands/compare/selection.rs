//! Which benchmarks of saved results are compared: filters, categories, renames, one kind of time.

use super::CompareContext;
use crate::args::Direction;
use crate::failure::Failure;
use crate::renames::{self, Names};
use crate::request;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use tare_analysis::Saved;
use tare_engine::{matches, Selection};
use tare_report::clean;

/// What is asked of two sides, and which parts of it fitted.
pub struct Asked<'a> {
    context: &'a CompareContext<'a>,
    selection: Selection,
    /// Filters, categories and renames that fit something of the sides so far: of several machines not all have everything.
    fitting: HashSet<String>,
    /// Names that may have been meant.
    names: Vec<String>,
    /// The first reason why a rename fits nothing.
    wrong_rename: BTreeMap<String, Failure>,
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
        let selection = request::selection(&context.args.select);
        Asked { context, selection, fitting: HashSet::new(), names: Vec::new(), wrong_rename: BTreeMap::new() }
    }

    /// What is compared of two sides.
    pub fn take(&mut self, base: Saved, new: Saved) -> Result<Taken, Failure> {
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
        let renames = self.renames(&base, &new);
        self.note_fitting(&base, &new);
        if self.selection.is_empty() {
            return Ok(Taken { base, new, renames });
        }
        let (base, new) = (selected(base, &self.selection, &renames), selected(new, &self.selection, &renames));
        Ok(Taken { base, new, renames })
    }

    /// Whether everything that was asked for fits something.
    pub fn check(mut self) -> Result<(), Failure> {
        let first_wrong = self.context.args.rename.iter().find(|rename| !self.fitting.contains(&format!("={rename}")));
        if let Some(failure) = first_wrong.and_then(|rename| self.wrong_rename.remove(rename)) {
            return Err(failure);
        }
        let unfitting = |mark: &str, patterns: &[String]| -> Vec<String> {
            patterns.iter().filter(|p| !self.fitting.contains(&format!("{mark}{p}"))).cloned().collect()
        };
        let wrong = Selection {
            filters: unfitting("f", &self.selection.filters),
            categories: unfitting("c", &self.selection.categories),
            all_categories: unfitting("c", &self.selection.all_categories),
            ..Selection::default()
        };
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(self.nothing_matched(&wrong)),
        }
    }

    /// The failure that a selection leaves nothing.
    pub fn nothing_left(context: &CompareContext, base: &Saved, new: &Saved) -> Failure {
        let mut asked = Asked::new(context);
        asked.names = keys(base).chain(keys(new)).map(str::to_owned).collect();
        let selection = asked.selection.clone();
        asked.nothing_matched(&selection)
    }

    fn nothing_matched(&self, selection: &Selection) -> Failure {
        let mut seen = HashSet::new();
        let names: Vec<String> = self.names.iter().filter(|name| seen.insert(*name)).cloned().collect();
        let nearest = selection.filters.iter().flat_map(|p| tare_model::text::nearest(p, &names, 3)).collect();
        Failure::NothingMatched {
            selection: request::selection_text(selection),
            is_other_syntax: request::has_other_syntax(selection),
            of: names.len(),
            nearest,
            list: String::new(),
        }
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
        let Some(time) = self.context.args.saved.time else { return Ok(side) };
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
    fn renames(&mut self, base: &Saved, new: &Saved) -> BTreeMap<String, String> {
        let table = &self.context.args.usual_renames;
        let typed = &self.context.args.rename;
        if table.is_empty() && typed.is_empty() {
            return BTreeMap::new();
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
            match renames::resolve(rename, &base, &new) {
                Ok((old, to)) => {
                    self.fitting.insert(format!("={rename}"));
                    all.insert(old, to);
                }
                Err(failure) => _ = self.wrong_rename.entry(rename.clone()).or_insert(failure),
            }
        }
        all
    }

    fn note_fitting(&mut self, base: &Saved, new: &Saved) {
        let sides = [base, new];
        for pattern in &self.selection.filters {
            let of_side = |side: &Saved| {
                side.cases.iter().any(|c| fits(pattern, &[&c.key, &c.name, &c.selector()]))
                    || side.failed.iter().any(|f| fits(pattern, &[&f.key, &f.name]))
            };
            if sides.into_iter().any(of_side) {
                self.fitting.insert(format!("f{pattern}"));
            }
        }
        for category in self.selection.categories.iter().chain(&self.selection.all_categories) {
            if sides.iter().any(|side| side.categories.values().any(|all| all.contains(category))) {
                self.fitting.insert(format!("c{category}"));
            }
        }
        if !self.selection.is_empty() {
            self.names.extend(sides.into_iter().flat_map(keys).map(str::to_owned));
        }
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
