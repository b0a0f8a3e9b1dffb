//! The blocks of a function, how they follow each other, and its loops.

use std::collections::BTreeSet;
use std::ops::Range;

/// How control leaves a block.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edges {
    /// Indices of the instructions of each block.
    pub blocks: Vec<Range<usize>>,
    /// The blocks that may follow each.
    pub next: Vec<Vec<usize>>,
}

/// Where control goes after an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goes {
    /// To the next one.
    On,
    /// To this address, or to the next one.
    Maybe(u64),
    /// To this address.
    To(u64),
    /// Out of the function, or nowhere.
    Out,
    /// To an address in a table.
    Table,
}

/// A loop: its first block, those that jump back to it, and all its blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loop {
    pub head: usize,
    pub back: Vec<usize>,
    pub blocks: BTreeSet<usize>,
}

impl Edges {
    /// For consecutive instructions with their addresses.
    pub(crate) fn new(code: &[(u64, Goes)]) -> Edges {
        let at = |address: u64| code.binary_search_by_key(&address, |(at, _)| *at).ok();
        let mut starts: BTreeSet<usize> = [0].into();
        for (index, (_, goes)) in code.iter().enumerate() {
            if let Goes::Maybe(to) | Goes::To(to) = goes {
                starts.extend(at(*to));
            }
            if *goes != Goes::On && index + 1 < code.len() {
                starts.insert(index + 1);
            }
        }
        let starts: Vec<usize> = starts.into_iter().filter(|start| *start < code.len()).collect();
        let ends = starts.iter().skip(1).copied().chain([code.len()]);
        let blocks: Vec<Range<usize>> = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
        let block_at = |address: u64| at(address).and_then(|index| starts.binary_search(&index).ok());
        let mut next: Vec<Vec<usize>> = Vec::with_capacity(blocks.len());
        for (index, block) in blocks.iter().enumerate() {
            let behind = (index + 1 < blocks.len()).then_some(index + 1);
            next.push(match code[block.end - 1].1 {
                Goes::On => behind.into_iter().collect(),
                Goes::Maybe(to) => behind.into_iter().chain(block_at(to)).collect(),
                Goes::To(to) => block_at(to).into_iter().collect(),
                Goes::Out | Goes::Table => Vec::new(),
            });
        }
        let mut edges = Edges { blocks, next };
        edges.follow_tables(code);
        edges
    }

    /// A jump through a table may go to every block that nothing else reaches.
    fn follow_tables(&mut self, code: &[(u64, Goes)]) {
        let reached: BTreeSet<usize> = self.next.iter().flatten().copied().chain([0]).collect();
        let others: Vec<usize> = (0..self.blocks.len()).filter(|block| !reached.contains(block)).collect();
        for (block, next) in self.blocks.iter().zip(&mut self.next) {
            if code[block.end - 1].1 == Goes::Table {
                next.extend(&others);
            }
        }
    }

    /// Whether, from here, the turn ends within a few blocks on every path, without a further check.
    fn ends_soon(&self, block: usize, end: usize, is_check: &dyn Fn(usize) -> bool) -> bool {
        const FEW: usize = 6;
        let (mut seen, mut open) = (BTreeSet::new(), vec![block]);
        while let Some(block) = open.pop() {
            if block == end || !seen.insert(block) {
                continue;
            }
            if is_check(block) || self.next[block].is_empty() || seen.len() > FEW {
                return false;
            }
            open.extend(&self.next[block]);
        }
        true
    }

    /// The immediate dominator of each block; `None` for unreachable blocks and the first.
    pub(crate) fn dominators(&self) -> Vec<Option<usize>> {
        let order = self.order();
        let mut rank = vec![usize::MAX; self.blocks.len()];
        order.iter().enumerate().for_each(|(at, block)| rank[*block] = at);
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.blocks.len()];
        for block in &order {
            self.next[*block].iter().for_each(|next| before[*next].push(*block));
        }
        let mut found: Vec<Option<usize>> = vec![None; self.blocks.len()];
        let Some(first) = order.first().copied() else { return found };
        found[first] = Some(first);
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for block in order.iter().skip(1) {
                let mut common: Option<usize> = None;
                for from in before[*block].iter().filter(|from| found[**from].is_some()) {
                    common = Some(common.map_or(*from, |other| meet(&found, &rank, *from, other)));
                }
                if found[*block] != common {
                    found[*block] = common;
                    is_changed = true;
                }
            }
        }
        found[first] = None;
        found
    }

    /// The reachable blocks, each before its successors, apart from loops.
    fn order(&self) -> Vec<usize> {
        let (mut seen, mut order) = (vec![false; self.blocks.len()], Vec::new());
        let mut open: Vec<(usize, usize)> = Vec::new();
        if !self.blocks.is_empty() {
            seen[0] = true;
            open.push((0, 0));
        }
        while let Some((block, at)) = open.pop() {
            match self.next[block].get(at) {
                Some(next) => {
                    open.push((block, at + 1));
                    if !std::mem::replace(&mut seen[*next], true) {
                        open.push((*next, 0));
                    }
                }
                None => order.push(block),
            }
        }
        order.reverse();
        order
    }

    /// All loops, by their first block.
    pub(crate) fn loops(&self, dominators: &[Option<usize>]) -> Vec<Loop> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.blocks.len()];
        for (block, next) in self.next.iter().enumerate() {
            next.iter().for_each(|next| before[*next].push(block));
        }
        let mut loops: Vec<Loop> = Vec::new();
        for head in 0..self.blocks.len() {
            let is_back =
                |block: &usize| (*block == 0 || dominators[*block].is_some()) && dominates(dominators, head, *block);
            let back: Vec<usize> = before[head].iter().copied().filter(is_back).collect();
            if back.is_empty() {
                continue;
            }
            let mut blocks: BTreeSet<usize> = [head].into();
            let mut open = back.clone();
            while let Some(block) = open.pop() {
                if blocks.insert(block) {
                    open.extend(before[block].iter().filter(|from| dominates(dominators, head, **from)));
                }
            }
            loops.push(Loop { head, back, blocks });
        }
        loops
    }
}

fn meet(found: &[Option<usize>], rank: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        let later = if rank[a] > rank[b] { &mut a } else { &mut b };
        match found[*later] {
            Some(up) if up != *later => *later = up,
            _ => return *later,
        }
    }
    a
}

/// Whether every path to `block` leads through `by`.
pub(crate) fn dominates(dominators: &[Option<usize>], by: usize, block: usize) -> bool {
    let mut at = block;
    loop {
        if at == by {
            return true;
        }
        match dominators[at] {
            Some(up) => at = up,
            None => return false,
        }
    }
}

/// The part of a measuring loop that is one invocation of the body.
#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    pub of: Loop,
    /// Its blocks that are the body, and the one that ends the turn.
    pub blocks: BTreeSet<usize>,
    /// The blocks after which the turn is left if only one invocation is wanted: one for each path through the body.
    pub cuts: BTreeSet<usize>,
}

/// The outermost loop whose code begins last, with those within; loops that are the function's own (`is_own`), not inlined ones, come
/// first.
pub(crate) fn last(edges: &Edges, loops: &[Loop], is_own: &dyn Fn(&Loop) -> bool) -> Vec<Loop> {
    let is_outermost = |of: &&Loop| !loops.iter().any(|other| other.head != of.head && other.blocks.contains(&of.head));
    let begin = |of: &Loop| edges.blocks[of.head].start;
    let last = loops.iter().filter(is_outermost).max_by_key(|of| (is_own(of), begin(of)));
    last.map(|last| loops.iter().filter(|of| last.blocks.contains(&of.head)).cloned().collect()).unwrap_or_default()
}

/// The blocks of a measuring loop that are one invocation of the body. The loop may have several copies of the body in each turn and a
/// check that leaves it after the first, like those of C and C++ (`is_check`: such a check ends this block). Of several loops, the one with
/// the least code has one copy.
pub(crate) fn invocation(
    edges: &Edges,
    dominators: &[Option<usize>],
    loops: &[Loop],
    is_check: &dyn Fn(usize) -> bool,
) -> Option<Invocation> {
    let size = |of: &Invocation| of.blocks.iter().map(|block| edges.blocks[*block].len()).sum::<usize>();
    let is_outermost = |of: &&Loop| !loops.iter().any(|other| other.head != of.head && other.blocks.contains(&of.head));
    let each = loops.iter().filter(is_outermost).map(|of| once(edges, dominators, of, is_check));
    each.min_by_key(|found| (size(found), found.of.head))
}

fn once(edges: &Edges, dominators: &[Option<usize>], of: &Loop, is_check: &dyn Fn(usize) -> bool) -> Invocation {
    let whole = || Invocation { of: of.clone(), blocks: of.blocks.clone(), cuts: BTreeSet::new() };
    let [end] = of.back[..] else { return whole() };
    if end == of.head {
        return whole();
    }
    // The check may come after another one, whether the result is wanted.
    let ends_soon = |block: &usize| edges.ends_soon(*block, end, is_check);
    let leaves = |block: &usize| {
        let mut next = edges.next[*block].iter().copied();
        let is_behind = |next: usize| dominators[next] == Some(*block) && is_check(next);
        is_check(*block) || next.clone().any(is_behind) && next.all(|next| is_behind(next) || ends_soon(&next))
    };
    let cuts = match dominators[end].filter(|cut| of.blocks.contains(cut) && leaves(cut)) {
        Some(cut) => BTreeSet::from([cut]),
        // A body with several ends has a check after each.
        None => of
            .blocks
            .iter()
            .copied()
            .filter(|block| is_check(*block) && edges.next[*block].iter().any(ends_soon))
            .collect(),
    };
    if cuts.is_empty() {
        return whole();
    }
    let (mut blocks, mut open) = (BTreeSet::from([end]), vec![of.head]);
    while let Some(block) = open.pop() {
        if of.blocks.contains(&block) && blocks.insert(block) && !cuts.contains(&block) {
            open.extend(&edges.next[block]);
        }
    }
    Invocation { of: of.clone(), blocks, cuts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_loops_are_found() {
        // 0: on; 1: on; 2: maybe back to 1; 3: maybe to 0; 4: out
        let code = [(0, Goes::On), (1, Goes::On), (2, Goes::Maybe(1)), (3, Goes::Maybe(0)), (4, Goes::Out)];
        let edges = Edges::new(&code);
        assert_eq!(edges.blocks, [0..1, 1..3, 3..4, 4..5]);
        assert_eq!(edges.next, [vec![1], vec![2, 1], vec![3, 0], vec![]]);
        let dominators = edges.dominators();
        assert_eq!(dominators, [None, Some(0), Some(1), Some(2)]);
        let loops = edges.loops(&dominators);
        assert_eq!(loops.iter().map(|of| (of.head, of.blocks.len())).collect::<Vec<_>>(), [(0, 3), (1, 1)]);
    }

    #[test]
    fn loops_that_set_up_stand_before_the_last() {
        // 0: on; 1: maybe to 0; 2: on; 3: maybe to 3; 4: maybe to 2; 5: out
        let code = [
            (0, Goes::On),
            (1, Goes::Maybe(0)),
            (2, Goes::On),
            (3, Goes::Maybe(3)),
            (4, Goes::Maybe(2)),
            (5, Goes::Out),
        ];
        let edges = Edges::new(&code);
        let dominators = edges.dominators();
        let loops = edges.loops(&dominators);
        let starts = |of: &[Loop]| of.iter().map(|of| edges.blocks[of.head].start).collect::<Vec<_>>();
        assert_eq!((starts(&loops), starts(&last(&edges, &loops, &|_| true))), (vec![0, 2, 3], vec![2, 3]));
        assert_eq!(
            starts(&last(&edges, &loops, &|of| edges.blocks[of.head].start == 0)),
            [0],
            "what is inlined behind it"
        );
    }

    #[test]
    fn a_turn_that_can_be_left_after_one_invocation_is_cut_there() {
        // 0 copy, 1 check -> 6; 2 copy, 3 check -> 6; 4 copy; 5 on; 6 back to 0; 7 out
        let code = [
            (0, Goes::On),
            (1, Goes::Maybe(6)),
            (2, Goes::On),
            (3, Goes::Maybe(6)),
            (4, Goes::On),
            (5, Goes::On),
            (6, Goes::Maybe(0)),
            (7, Goes::Out),
        ];
        let edges = Edges::new(&code);
        let dominators = edges.dominators();
        let loops = edges.loops(&dominators);
        let blocks = |is_check: bool| {
            let found = invocation(&edges, &dominators, &loops, &|_| is_check).expect("a loop").blocks;
            found.into_iter().map(|block| edges.blocks[block].clone()).collect::<Vec<_>>()
        };
        assert_eq!(blocks(true), [0..2, 6..7]);
        assert_eq!(blocks(false), [0..2, 2..4, 4..6, 6..7]);
    }

    #[test]
    fn the_check_may_stand_behind_another_one() {
        // 0 copy, 1 maybe to 8, 2 check -> 6; 3..5 copies; 6 back to 0; 7 out; 8 on; 9 to 6
        let mut code = vec![(0, Goes::On), (1, Goes::Maybe(8)), (2, Goes::Maybe(6)), (3, Goes::On), (4, Goes::On)];
        code.extend([(5, Goes::On), (6, Goes::Maybe(0)), (7, Goes::Out), (8, Goes::On), (9, Goes::To(6))]);
        let edges = Edges::new(&code);
        let dominators = edges.dominators();
        let loops = edges.loops(&dominators);
        let is_check = |block: usize| edges.blocks[block] == (2..3);
        let found = invocation(&edges, &dominators, &loops, &is_check).expect("a loop");
        let blocks: Vec<_> = found.blocks.iter().map(|block| edges.blocks[*block].clone()).collect();
        assert_eq!((blocks, found.cuts), (vec![0..2, 6..7], [0].into()));
    }

    #[test]
    fn a_body_with_two_ends_has_a_check_behind_each() {
        // 0 maybe to 4; 1 a loop of its own; 2 check -> 6; 3 further copy, to 6; 4 check -> 6; 5 further copy; 6 back to 0; 7 out
        let code = [
            (0, Goes::Maybe(4)),
            (1, Goes::Maybe(1)),
            (2, Goes::Maybe(6)),
            (3, Goes::To(6)),
            (4, Goes::Maybe(6)),
            (5, Goes::On),
            (6, Goes::Maybe(0)),
            (7, Goes::Out),
        ];
        let edges = Edges::new(&code);
        let dominators = edges.dominators();
        let loops = edges.loops(&dominators);
        let is_check = |block: usize| [2..3, 4..5].contains(&edges.blocks[block]);
        let found = invocation(&edges, &dominators, &loops, &is_check).expect("a loop");
        let blocks: Vec<_> = found.blocks.iter().map(|block| edges.blocks[*block].clone()).collect();
        assert_eq!(blocks, [0..1, 1..2, 2..3, 4..5, 6..7]);
        assert_eq!(found.cuts.len(), 2);
    }

    #[test]
    fn a_jump_by_a_table_reaches_what_nothing_else_does() {
        let code = [(0, Goes::Table), (1, Goes::To(3)), (2, Goes::To(3)), (3, Goes::Out)];
        assert_eq!(Edges::new(&code).next, [vec![1, 2], vec![3], vec![3], vec![]]);
        assert!(Edges::new(&[]).dominators().is_empty());
    }
}
