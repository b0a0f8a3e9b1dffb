//! A function with its blocks and loops; part of it may be the body in a measuring loop.

use crate::decode::x86::Held;
use crate::decode::{counting, Decoded};
use crate::flow::{Edges, Goes as Flow, Invocation, Loop};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct Shape<'a> {
    pub start: u64,
    pub end: u64,
    pub edges: &'a Edges,
    pub loops: &'a [Loop],
    /// What calls through registers reach.
    pub held: &'a Held,
    /// The body, if this is a measuring loop.
    pub body: Option<&'a Invocation>,
    /// Blocks that run once per process.
    pub once: &'a BTreeSet<usize>,
}

impl Shape<'_> {
    /// The shown blocks: those of the body, or all that are not just padding.
    pub fn kept(&self, code: &[Decoded]) -> Vec<usize> {
        let is_kept = |block: &usize| match self.body {
            _ if self.once.contains(block) => false,
            Some(body) => body.blocks.contains(block),
            None => !code[self.edges.blocks[*block].clone()].iter().all(Decoded::is_padding),
        };
        (0..self.edges.blocks.len()).filter(is_kept).collect()
    }

    /// Names for blocks that are targets of jumps.
    pub fn labels(&self, code: &[Decoded], kept: &[usize]) -> BTreeMap<u64, String> {
        let jumps = kept.iter().flat_map(|block| &code[self.edges.blocks[*block].clone()]).filter_map(|instruction| {
            match instruction.goes(self.start, self.end) {
                Flow::Maybe(to) | Flow::To(to) => Some(to),
                _ => None,
            }
        });
        let wanted: BTreeSet<u64> = jumps.collect();
        let starts = kept.iter().map(|block| code[self.edges.blocks[*block].start].ip());
        starts
            .filter(|start| wanted.contains(start))
            .zip(1..)
            .map(|(start, number)| (start, format!("L{number}")))
            .collect()
    }

    /// The addresses of instructions of the measuring loop itself, where it repeats or ends.
    pub fn counting(&self, code: &[Decoded]) -> BTreeSet<u64> {
        let Some(body) = self.body else { return BTreeSet::new() };
        let mut found = BTreeSet::new();
        for block in &body.blocks {
            let range = self.edges.blocks[*block].clone();
            // The step may precede a place at which the loop is entered.
            let before = block.checked_sub(1).filter(|before| body.blocks.contains(before));
            let joined = before.filter(|before| self.edges.next[*before].contains(block));
            let start = joined.map_or(range.start, |before| self.edges.blocks[before].start);
            let counted = counting(&code[start..range.end]);
            if !counted.is_empty() && self.may_end(*block, &body.of) {
                found.extend(counted.into_iter().map(|at| code[start + at].ip()));
            } else if body.cuts.contains(block) {
                let count = 2.min(range.len());
                found.extend(code[range.end - count..range.end].iter().map(Decoded::ip));
            }
        }
        found
    }

    fn may_end(&self, block: usize, of: &Loop) -> bool {
        self.edges.next[block].iter().any(|next| !of.blocks.contains(next))
    }

    /// Loops around a block, excluding the measuring loop.
    pub fn loops_around(&self, block: usize) -> u32 {
        let measuring = self.body.map(|body| body.of.head);
        self.loops.iter().filter(|of| of.blocks.contains(&block) && Some(of.head) != measuring).count() as u32
    }
}
