//! Stacks as a tree of frames, for one or two sides.

use crate::words::frames;
use crate::words::number::{bytes, count, percent};
use crate::words::text::{clean, Glyphs};
use std::collections::BTreeMap;
use tare_model::{Stacks, Weight};
use tare_stats::proportion;

/// A frame below its callers. Counts are [base, new]; the base's are 0 without a base.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    pub name: String,
    pub own: [u64; 2],
    /// Samples in it and its callees.
    pub total: [u64; 2],
    pub children: Vec<Node>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    pub roots: Vec<Node>,
    /// All samples. For exact counts, the larger count on both sides, so that equal amounts have equal widths.
    pub totals: [u64; 2],
    pub is_difference: bool,
    /// The unit, and the operations that were counted over.
    pub weight: Weight,
    pub operations: u64,
}

/// A function, regardless of its callers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Function {
    pub name: String,
    pub own: [u64; 2],
    pub total: [u64; 2],
    /// One of its callers also does something else, so it is more specific than that caller.
    pub is_turn: bool,
}

impl Tree {
    pub(crate) fn of(stacks: &Stacks, base: Option<&Stacks>, (weight, operations): (Weight, u64)) -> Tree {
        let mut root = Node::default();
        for (side, stacks) in [(0, base), (1, Some(stacks))] {
            for (frames, count) in stacks.into_iter().flat_map(Stacks::iter) {
                let mut at = &mut root;
                at.total[side] += count;
                for frame in frames {
                    at = at.child(frame);
                    at.total[side] += count;
                }
                at.own[side] += count;
            }
        }
        let greater = root.total[0].max(root.total[1]);
        let totals = if weight.is_exact() { [greater; 2] } else { root.total };
        Tree { totals, roots: root.children, is_difference: base.is_some(), weight, operations }
    }

    /// Growth of a part's share; None if there is none beyond chance.
    pub(crate) fn change(&self, [base, new]: [u64; 2]) -> Option<f64> {
        match self.weight.is_exact() {
            true => (base != new).then(|| (new as f64 - base as f64) / self.totals[1].max(1) as f64),
            false => proportion::change([base, new], self.totals),
        }
    }

    pub(crate) fn unit(&self) -> &'static str {
        match self.weight {
            Weight::Samples => "samples",
            Weight::Bytes => "bytes/op",
            Weight::Allocations => "alloc/op",
        }
    }

    /// A number of samples, or an amount per operation.
    pub(crate) fn amount(&self, counted: u64) -> String {
        match self.weight.is_exact() {
            true => count(self.each(counted)),
            false => counted.to_string(),
        }
    }

    pub(crate) fn words(&self, counted: u64) -> String {
        match self.weight {
            Weight::Samples if counted == 1 => "1 sample".to_owned(),
            Weight::Samples => format!("{} samples", count(counted as f64)),
            Weight::Bytes => format!("{} per operation", bytes(self.each(counted))),
            Weight::Allocations => format!("{} per operation", count(self.each(counted))),
        }
    }

    fn each(&self, counted: u64) -> f64 {
        counted as f64 / self.operations.max(1) as f64
    }

    /// The functions, by decreasing time.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let mut found: BTreeMap<&str, Function> = BTreeMap::new();
        let mut callers: Vec<&str> = Vec::new();
        self.roots.iter().for_each(|root| collect(root, self.totals, &mut callers, &mut found));
        let mut found: Vec<Function> = found.into_values().collect();
        let most = |function: &Function| function.own[1].max(function.own[0]);
        found.sort_by(|a, b| (most(b), b.total[1], &a.name).cmp(&(most(a), a.total[1], &b.name)));
        found
    }
}

impl Node {
    fn child(&mut self, name: &str) -> &mut Node {
        let at = match self.children.binary_search_by(|child| child.name.as_str().cmp(name)) {
            Ok(at) => at,
            Err(at) => {
                self.children.insert(at, Node { name: name.to_owned(), ..Node::default() });
                at
            }
        };
        &mut self.children[at]
    }

    /// The larger of both sides' shares, which decides whether it is worth a line.
    pub(crate) fn share(&self, totals: [u64; 2]) -> f64 {
        let share = |side: usize| self.total[side] as f64 / totals[side].max(1) as f64;
        share(0).max(share(1))
    }
}

/// Adds a frame and its callees. Recursive calls are counted once per sample.
fn collect<'t>(node: &'t Node, caller: [u64; 2], callers: &mut Vec<&'t str>, found: &mut BTreeMap<&'t str, Function>) {
    /// A branch has less than this share of its caller's samples.
    const MOST: f64 = 0.97;
    let plain = node.name.strip_suffix(Stacks::INLINED).unwrap_or(&node.name);
    let is_recursive = callers.contains(&plain);
    let function = found.entry(plain).or_insert_with(|| Function { name: plain.to_owned(), ..Function::default() });
    for side in [0, 1] {
        function.own[side] += node.own[side];
        function.total[side] += if is_recursive { 0 } else { node.total[side] };
    }
    function.is_turn |= !is_recursive && (node.total[1] as f64) < MOST * caller[1] as f64;
    callers.push(plain);
    node.children.iter().for_each(|child| collect(child, node.total, callers, found));
    callers.pop();
}

/// A frame as text: its share and amount on each side.
pub(crate) fn words(node: &Node, tree: &Tree) -> String {
    let one = |side: usize| {
        let share = node.total[side] as f64 / tree.totals[side].max(1) as f64;
        format!("{} ({})", percent(share), tree.words(node.total[side]))
    };
    match tree.is_difference {
        false => one(1),
        true => format!("before {}, now {}", one(0), one(1)),
    }
}

pub(crate) fn name(frame: &str, glyphs: Glyphs) -> String {
    let mark = if glyphs == Glyphs::Ascii { "(inlined) " } else { "↳ " };
    match frame.strip_suffix(Stacks::INLINED) {
        Some(name) => format!("{mark}{}", frames::short(&clean(name))),
        None => frames::short(&clean(frame)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: (Weight, u64) = (Weight::Samples, 1);

    fn stacks(text: &str) -> Stacks {
        Stacks::parse(text).expect("stacks")
    }

    #[test]
    fn a_function_that_calls_itself_is_counted_once_for_each_sample() {
        let tree = Tree::of(&stacks("a;f;f;g 3\na;f 2\na;g_[i] 1\n"), None, SAMPLES);
        let functions = tree.functions();
        let of = |name: &str| functions.iter().find(|f| f.name == name).map(|f| (f.own[1], f.total[1]));
        assert_eq!(tree.totals, [0, 6]);
        assert_eq!((of("a"), of("f"), of("g")), (Some((0, 6)), Some((2, 5)), Some((4, 4))));
        assert_eq!(functions.first().map(|f| f.name.as_str()), Some("g"));
    }

    #[test]
    fn two_sides_share_a_tree() {
        let tree = Tree::of(&stacks("a;new 5\na;same 5\n"), Some(&stacks("a;old 2\na;same 2\n")), SAMPLES);
        let names: Vec<_> = tree.roots[0].children.iter().map(|n| (n.name.as_str(), n.total)).collect();
        assert_eq!(names, [("new", [0, 5]), ("old", [2, 0]), ("same", [2, 5])]);
        assert_eq!((tree.totals, tree.is_difference), ([4, 10], true));
        assert_eq!(tree.roots[0].children[0].share(tree.totals), 0.5);
    }

    #[test]
    fn what_was_counted_exactly_is_compared_as_it_is() {
        let tree = Tree::of(&stacks("same 100\nmore 900\n"), Some(&stacks("same 100\n")), (Weight::Bytes, 10));
        let change = |name: &str| {
            let node = tree.roots.iter().find(|root| root.name == name).expect("a frame");
            (tree.change(node.total), node.share(tree.totals))
        };
        // Its share fell, but its allocations did not change.
        assert_eq!((change("same"), change("more")), ((None, 0.1), (Some(0.9), 0.9)));
        assert_eq!(
            (tree.amount(100), tree.words(900), tree.unit()),
            ("10".into(), "90 B per operation".into(), "bytes/op")
        );
    }
}
