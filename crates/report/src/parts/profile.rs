//! Profiles from a run's attachments: call stacks with counts or allocations, as trees and tables.

use crate::elements::chart::tree::{Function, Tree};
use crate::words::frames;

use crate::elements::chart::{Chart, Plot};
use crate::elements::document::{Content, Document, Medium, More};
use crate::elements::table::{Cell, Filled};
use crate::parts::attachments::Attached;
use crate::parts::statistics::small_table;
use crate::words::again::show;
use crate::words::label::{selector, Naming};
use crate::words::number::{significant, Decimal};
use crate::words::text::{clean, plural, Role};
use std::collections::BTreeMap;
use tare_analysis::Report;
use tare_model::{Attachment, Stacks, Weight};

const ROWS: usize = 10;
const ROWS_VERBOSE: usize = 40;
/// Functions with a larger share of all samples, including callees, are shown even if they spend little time themselves.
const CALLER_SHARE: f64 = 0.1;

pub fn is_profile(attachment: &Attachment) -> bool {
    weight(attachment).is_some()
}

/// The unit of an attachment's stacks and the number of operations; None if it has no stacks.
fn weight(attachment: &Attachment) -> Option<(Weight, u64)> {
    Stacks::weight_of(&attachment.media_type).filter(|_| attachment.lost.is_none())
}

pub(crate) struct Profile {
    /// The case with what distinguishes it.
    pub label: String,
    /// The index of the case; for a pair, the new side's.
    pub case: u32,
    pub title: String,
    /// The unit of the stacks, and the number of operations.
    pub weight: Weight,
    pub operations: u64,
    pub stacks: Stacks,
    /// The other side of a comparison, with both names.
    pub base: Option<(Stacks, [String; 2])>,
}

pub(crate) fn profiles(report: &Report, attached: &Attached) -> Vec<Profile> {
    let naming = Naming::of(report);
    let mut found: Vec<Profile> = Vec::new();
    let mut places: BTreeMap<[String; 5], usize> = BTreeMap::new();
    for one in &report.attachments {
        let Some((weight, operations)) = weight(&one.attachment) else { continue };
        let content = one.path.as_ref().and_then(|path| attached.contents.get(path)?.as_ref().ok()?.as_deref());
        let stacks = content.and_then(|content| Stacks::parse(&String::from_utf8_lossy(content)).ok()).map(cleaned);
        let case = one.case.and_then(|at| Some((at, report.cases.get(at as usize)?)));
        let Some((stacks, (at, case))) = stacks.filter(|stacks| !stacks.is_empty()).zip(case) else { continue };
        let label = match weight.is_exact() {
            true => format!("{}, {}", naming.label(report, at), what(weight)),
            false => naming.label(report, at),
        };
        // The key that both sides of a benchmark share; their programs may have different names.
        let of = &one.attachment;
        let key = [&selector(case), &case.language, &case.job, &of.diagnoser, &of.name].map(Clone::clone);
        let side = clean(&case.side);
        let title = clean(&one.attachment.title);
        match places.get(&key).and_then(|place| found.get_mut(*place)).filter(|_| !side.is_empty()) {
            Some(other) if other.base.is_none() => {
                let before = std::mem::replace(&mut other.stacks, stacks);
                let before = match weight.is_exact() {
                    true => before.scaled(other.operations, operations),
                    false => before,
                };
                other.operations = operations;
                let named = std::mem::take(&mut other.title);
                if other.label != label {
                    let what = if weight.is_exact() { format!(", {}", what(weight)) } else { String::new() };
                    other.label = selector(case) + &what;
                }
                other.base = Some((before, [named, format!("{side}: {title}")]));
                other.case = at;
            }
            _ => {
                places.insert(key, found.len());
                let title = if side.is_empty() { title } else { format!("{side}: {title}") };
                found.push(Profile { label, case: at, title, weight, operations, stacks, base: None });
            }
        }
    }
    found
}

/// Removes control characters and bidirectional marks from names.
fn cleaned(stacks: Stacks) -> Stacks {
    let mut cleaned = Stacks::default();
    stacks.iter().for_each(|(frames, count)| cleaned.add(frames.iter().map(|frame| clean(frame)).collect(), count));
    cleaned
}

impl Attached {
    /// Keeps only the profiles of some cases, given the text that `--filter` matches.
    pub fn only_profiles_of(&mut self, report: &Report, is_wanted: impl Fn(&str) -> bool) {
        for one in report.attachments.iter().filter(|one| is_profile(&one.attachment)) {
            let case = one.case.and_then(|case| report.cases.get(case as usize));
            if let Some(path) = one.path.as_ref().filter(|_| !case.is_some_and(|case| is_wanted(&case.selector()))) {
                self.contents.remove(path);
            }
        }
    }
}

impl Document {
    pub fn of_profiles(report: &Report, attached: &Attached) -> Option<Document> {
        let mut document = Document::default();
        for profile in profiles(report, attached) {
            let head = [Content::Heading(profile.label.clone())].into_iter().chain(profile.notes());
            document.add(head.chain([Content::chart(profile.chart())]));
        }
        (!document.parts.is_empty()).then_some(document)
    }
}

impl Profile {
    pub(crate) fn tree(&self) -> Tree {
        Tree::of(&self.stacks, self.base.as_ref().map(|(base, _)| base), (self.weight, self.operations))
    }

    pub(crate) fn about(&self) -> String {
        match &self.base {
            None => self.title.clone(),
            Some((_, [base, new])) => format!("{base}; {new}"),
        }
    }

    fn notes(&self) -> Vec<Content> {
        let texts = self.base.as_ref().map_or_else(|| vec![&self.title], |(_, both)| both.iter().collect());
        texts.into_iter().map(|text| Content::Note(text.clone())).collect()
    }

    pub(crate) fn chart(&self) -> Chart {
        let reading = match (&self.base, self.weight.is_exact()) {
            (None, false) => "as wide as their share of the samples, each below its caller; a function that was inlined has ↳",
            (None, true) => "as wide as their share, each below its caller; a function that was inlined has ↳",
            (Some(_), false) => {
                "as wide as their share of the samples of the new side, or of the base if that was greater; ▲ grew, ▼ shrank by more than chance"
            }
            (Some(_), true) => "as wide as on the side on which they are greater, of all that side allocates; ▲ grew, ▼ shrank",
        };
        Chart {
            title: self.label.clone(),
            reading: format!("{reading}. {}", self.about()),
            plot: Plot::Flame(self.tree()),
        }
    }

    fn top(&self, medium: &Medium) -> Vec<Content> {
        let tree = self.tree();
        let mut rows = tree.functions();
        let all = rows.len();
        let most = if medium.is_verbose() || medium.is_page { ROWS_VERBOSE } else { ROWS };
        // With much inlining, callers say more than the small functions.
        let mut at = 0;
        rows.retain(|row| {
            at += 1;
            at <= most || row.is_turn && row.total[1] as f64 > CALLER_SHARE * tree.totals[1] as f64
        });
        let names: Vec<String> = rows.iter().map(|row| clean(&row.name)).collect();
        let names = frames::distinct(&names);
        let cells = |of: &dyn Fn(&Function) -> Cell| -> Vec<Cell> { rows.iter().map(of).collect() };
        let amount = |row: &Function| Cell::number(Decimal::of(&tree.amount(row.own[1])), Role::Quiet, "");
        // The interval of a function's own share, if it has one.
        let reach_cell = |row: &Function| match row.own[1] {
            0 => Cell::Empty,
            own => Cell::styled(reach(own, tree.totals[1]), Role::Quiet),
        };
        let mut columns = vec![
            Filled::right("self", 0, cells(&|row| share(row.own[1], tree.totals[1], Role::Value))),
            Filled::right("±", 3, cells(&reach_cell)),
            Filled::right(tree.unit(), 2, cells(&amount)),
            Filled::right("total", 1, cells(&|row| share(row.total[1], tree.totals[1], Role::Plain))),
        ];
        if self.weight.is_exact() {
            columns.remove(1);
        }
        if self.base.is_some() {
            let before = |row: &Function| share(row.own[0], tree.totals[0], Role::Quiet);
            columns.insert(0, Filled::right("self before", 1, cells(&before)));
            columns.push(Filled::right("", 0, cells(&|row| change(tree.change(row.own)))));
        }
        let heading = match self.weight {
            Weight::Samples => format!("where the time of {} goes", self.label),
            Weight::Bytes | Weight::Allocations => format!("who allocates in {}", self.label),
        };
        let mut contents = vec![Content::Heading(heading), Content::Table(small_table("function", names, columns))];
        let hidden = all - rows.len();
        contents.extend(self.notes());
        contents.extend((hidden > 0).then(|| Content::Note(plural(hidden, "more function"))));
        contents
    }
}

/// Adds a table for each profile, and on a page with drawings a flame graph.
pub(crate) fn add_to(document: &mut Document, report: &Report, attached: &Attached, medium: &Medium, draws: bool) {
    let (mut parts, all) = (Document::default(), profiles(report, attached));
    let shown = all.len().min(medium.most());
    for profile in &all[..shown] {
        parts.add(profile.top(medium));
        if draws {
            parts.add([Content::chart(profile.chart())]);
        }
    }
    let more = More { text: plural(all.len() - shown, "more profile"), command: show(&report.run, "-v") };
    parts.add((shown < all.len()).then_some(Content::More(more)));
    document.before_closing(parts);
}

fn share(samples: u64, all: u64, role: Role) -> Cell {
    if samples == 0 {
        return Cell::Empty;
    }
    let percent = 100.0 * samples as f64 / all.max(1) as f64;
    Cell::number(Decimal::of(&format!("{percent:.1}")), role, "%")
}

/// Half of the 95 % interval of a share (Wilson), in percent.
fn reach(samples: u64, all: u64) -> String {
    const Z: f64 = 1.96;
    let (n, p) = (all.max(1) as f64, samples as f64 / all.max(1) as f64);
    let reach = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    format!("±{}", significant(100.0 * reach, 2))
}

fn change(grew: Option<f64>) -> Cell {
    match grew {
        Some(grew) if grew > 0.0 => Cell::styled("grew", Role::Bad),
        Some(_) => Cell::styled("shrank", Role::Good),
        None => Cell::Empty,
    }
}

fn what(weight: Weight) -> &'static str {
    if weight == Weight::Bytes {
        "allocated bytes"
    } else {
        "allocated blocks"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_says_how_well_it_is_known() {
        assert_eq!(reach(500, 1000), "±3.1");
        assert_eq!(reach(0, 1000), "±0.19");
    }
}
