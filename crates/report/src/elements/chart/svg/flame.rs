//! Flame graphs with the root at the top, so that the body comes first.

use super::super::Chart;
use super::writer::Svg;
use crate::elements::chart::tree::{name, words, Node, Tree};
use crate::words::text::{cut_end, Glyphs};

const WIDTH: f64 = 1000.0;
const LINE: f64 = 17.0;
const LETTER: f64 = 6.2;
const NARROW: f64 = 0.4;
const DEPTH_MAX: usize = 90;

pub(super) fn flame(chart: &Chart, tree: &Tree) -> Svg {
    let mut svg = Svg::new(WIDTH, LINE, &chart.title);
    let mut drawing = Drawing { svg: &mut svg, tree, deepest: 0, hidden: 0 };
    let all: f64 = tree.roots.iter().map(|root| root.share(tree.totals)).sum();
    drawing.row(&tree.roots, 0, 0.0, WIDTH / all.max(1.0));
    let (deepest, hidden) = (drawing.deepest, drawing.hidden);
    svg.height = LINE * (deepest + 1) as f64;
    if hidden > 0 {
        svg.note(0.0, vec![format!("{hidden} frames are too narrow or too deep to be drawn")]);
    }
    svg
}

struct Drawing<'a> {
    svg: &'a mut Svg,
    tree: &'a Tree,
    deepest: usize,
    hidden: usize,
}

impl Drawing<'_> {
    /// Frames with the same caller, widest first. `scale`: the width of all samples.
    fn row(&mut self, nodes: &[Node], depth: usize, mut x: f64, scale: f64) {
        let totals = self.tree.totals;
        let mut sorted: Vec<&Node> = nodes.iter().collect();
        sorted.sort_by(|a, b| b.share(totals).total_cmp(&a.share(totals)).then_with(|| a.name.cmp(&b.name)));
        for node in sorted {
            let width = node.share(totals) * scale;
            if width < NARROW || depth > DEPTH_MAX {
                self.hidden += 1;
                continue;
            }
            self.deepest = self.deepest.max(depth);
            self.frame(node, depth, x, width);
            // When both sides' shares are drawn, callees may be wider than their caller.
            let below: f64 = node.children.iter().map(|child| child.share(totals) * scale).sum();
            self.row(&node.children, depth + 1, x, if below > width { scale * width / below } else { scale });
            x += width;
        }
    }

    fn frame(&mut self, node: &Node, depth: usize, x: f64, width: f64) {
        let tree = self.tree;
        let is_difference = tree.is_difference;
        let grew = is_difference.then(|| tree.change(node.total)).flatten();
        let (class, mark) = match grew {
            Some(grew) if grew > 0.0 => ("f-grew", "▲ "),
            Some(_) => ("f-shrank", "▼ "),
            None if is_difference => ("f-same", ""),
            None => (["f-0", "f-1", "f-2"][hue(&node.name)], ""),
        };
        let name = name(&node.name, Glyphs::Unicode);
        let title = format!("{mark}{name}: {}", words(node, tree));
        let letters = ((width - 6.0) / LETTER).max(0.0) as usize;
        let label =
            if letters < 3 { String::new() } else { cut_end(&format!("{mark}{name}"), letters, Glyphs::Unicode) };
        let y = LINE * depth as f64;
        self.svg.frame(class, [x, y, width, LINE - 1.0], &title, (x + 3.0, y + 12.0, &label));
    }
}

/// One of three colours, consistently per function.
fn hue(name: &str) -> usize {
    name.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte))) / 7 % 3
}
