//! Flame graphs as an indented tree, with the share of each frame.

use super::super::FlamePlot;
use crate::profile::{name, Node};
use crate::{cut_middle, percent, Glyphs, Line, Role, View};

/// Frames below this share are left out.
const LEAST: f64 = 0.005;
/// Deeper frames are not indented further, so that names have room.
const INDENT_MAX: usize = 24;

pub(super) fn lines(plot: &FlamePlot, indent: usize, view: &View) -> Vec<Line> {
    let mut tree = Lines { plot, indent, view, lines: Vec::new(), hidden: 0 };
    tree.rows(&plot.tree.roots, 0);
    let Lines { mut lines, hidden, .. } = tree;
    if hidden > 0 {
        let text = format!("{hidden} frames below {} are left out", percent(LEAST));
        lines.push(Line::of(Role::Quiet, " ".repeat(indent) + &text));
    }
    lines
}

struct Lines<'a> {
    plot: &'a FlamePlot,
    indent: usize,
    view: &'a View,
    lines: Vec<Line>,
    hidden: usize,
}

impl Lines<'_> {
    fn rows(&mut self, nodes: &[Node], depth: usize) {
        let totals = self.plot.tree.totals;
        let mut sorted: Vec<&Node> = nodes.iter().collect();
        sorted.sort_by(|a, b| b.share(totals).total_cmp(&a.share(totals)).then_with(|| a.name.cmp(&b.name)));
        for node in sorted {
            if node.share(totals) < LEAST {
                self.hidden += 1;
                continue;
            }
            self.lines.push(self.row(node, depth));
            self.rows(&node.children, depth + 1);
        }
    }

    /// `  42.1 %    321  name`, with the share of the base before it where there is one.
    fn row(&self, node: &Node, depth: usize) -> Line {
        let tree = &self.plot.tree;
        let share = |side: usize| {
            let percent = 100.0 * node.total[side] as f64 / tree.totals[side].max(1) as f64;
            format!("{percent:5.1} %")
        };
        let mut line = Line::of(Role::Plain, " ".repeat(self.indent));
        if tree.is_difference {
            line.push(Role::Quiet, format!("{}  ", share(0)));
        }
        line.push(Role::Value, share(1));
        line.push(Role::Quiet, format!(" {:>7}  ", tree.amount(node.total[1])));
        if tree.is_difference {
            let grew = tree.change(node.total);
            let [up, down] = if self.view.glyphs == Glyphs::Ascii { ["+", "-"] } else { ["▲", "▼"] };
            match grew {
                Some(grew) if grew > 0.0 => line.push(Role::Bad, format!("{up} ")),
                Some(_) => line.push(Role::Good, format!("{down} ")),
                None => line.push(Role::Plain, "  "),
            };
        }
        line.push(Role::Quiet, " ".repeat(depth.min(INDENT_MAX)));
        let room = self.view.columns.saturating_sub(line.width()).max(12);
        line.push(Role::Plain, cut_middle(&name(&node.name, self.view.glyphs), room, self.view.glyphs));
        line
    }
}
