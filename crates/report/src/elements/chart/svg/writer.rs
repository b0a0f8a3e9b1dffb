//! SVG building blocks: compact numbers, escaped texts, axes with ticks.

use super::super::axis::labels;
use super::super::{Axis, Measure, Scale, Tone};
use crate::words::text;
use crate::words::text::Glyphs;
use crate::words::text::{clean, cut_middle};
use tare_analysis::Verdict;

#[derive(Debug, Clone)]
pub(crate) struct Svg {
    pub width: f64,
    pub height: f64,
    title: String,
    body: String,
    /// Sentences below it. Pages show them as HTML text, readable at any size.
    notes: Vec<(f64, String)>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// Escapes foreign text for XML, without control characters.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in clean(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Not allowed in XML, even as references.
            '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A coordinate with at most one decimal.
pub(crate) fn num(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded == rounded.trunc() {
        return format!("{:.0}", rounded + 0.0);
    }
    let text = format!("{rounded:.1}");
    match (text.strip_prefix("0."), text.strip_prefix("-0.")) {
        (Some(rest), _) => format!(".{rest}"),
        (_, Some(rest)) => format!("-.{rest}"),
        _ => text,
    }
}

/// Points as relative steps, which are shorter than coordinates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Points {
    path: String,
    at: Option<(f64, f64)>,
}

impl Points {
    /// Adds a point, with x rounded to a tenth and y to a whole number.
    pub fn add(&mut self, x: f64, y: f64) {
        self.go(x, y);
        self.path.push('z');
    }

    pub fn add_cross(&mut self, x: f64, y: f64) {
        self.go(x - 2.0, y - 2.0);
        self.path.push_str("l4 4m0-4l-4 4");
        self.at = self.at.map(|(x, y)| (x, y + 4.0));
    }

    pub fn add_bar(&mut self, x: f64, y: f64, height: f64) {
        self.go(x, y);
        let height = height.ceil();
        self.path.push_str(&format!("v-{height}"));
        self.at = self.at.map(|(x, y)| (x, y - height));
    }

    fn go(&mut self, x: f64, y: f64) {
        let (x, y) = ((x * 10.0).round() / 10.0, y.round());
        let (from_x, from_y) = self.at.unwrap_or_default();
        let (dx, dy) = (num(x - from_x), num(y - from_y));
        let space = if dy.starts_with('-') { "" } else { " " };
        self.path.push_str(&format!("{}{dx}{space}{dy}", if self.at.is_some() { 'm' } else { 'M' }));
        self.at = Some((x, y));
    }

    pub fn path(self) -> String {
        self.path
    }
}

pub(crate) fn tone(tone: Tone) -> String {
    match tone {
        Tone::Base => "t-base".to_owned(),
        Tone::New => "t-new".to_owned(),
        Tone::Nth(n) => format!("t-{}", n % TONES),
        Tone::Verdict(Verdict::Faster) => "t-faster".to_owned(),
        Tone::Verdict(Verdict::Slower) => "t-slower".to_owned(),
        Tone::Verdict(Verdict::Same) => "t-same".to_owned(),
        Tone::Verdict(Verdict::Unclear) => "t-unclear".to_owned(),
    }
}

pub(crate) const TONES: usize = 6;

impl Svg {
    pub fn new(width: f64, height: f64, title: &str) -> Svg {
        Svg { width, height, title: title.to_owned(), body: String::new(), notes: Vec::new() }
    }

    pub fn body(&self) -> &str {
        &self.body
    }

    /// Puts sentences below it, starting at `left` if they are drawn.
    pub fn note(&mut self, left: f64, notes: Vec<String>) {
        self.notes = notes.into_iter().map(|note| (left, note)).collect();
    }

    pub fn alone(mut self) -> Svg {
        const NOTE: f64 = 15.0;
        for (left, note) in std::mem::take(&mut self.notes) {
            self.height += NOTE;
            self.text("label", "start", (left, self.height - 5.0), &note);
        }
        self
    }

    /// The drawing for a page, with its notes as paragraphs below.
    pub fn inside(self) -> String {
        let (width, height) = (num(self.width), num(self.height));
        let title = escape(&self.title);
        format!(
            "<svg class=\"chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">{}</svg>{}",
            self.body,
            self.notes.iter().map(|(_, note)| format!("<p class=\"below\">{}</p>", escape(note))).collect::<String>()
        )
    }

    pub fn path(&mut self, class: &str, path: &str) {
        if !path.is_empty() {
            self.body.push_str(&format!("<path class=\"{class}\" d=\"{path}\"/>"));
        }
    }

    pub fn path_with_title(&mut self, class: &str, path: &str, title: &str) {
        if !path.is_empty() {
            self.body
                .push_str(&format!("<path class=\"{class}\" d=\"{path}\"><title>{}</title></path>", escape(title)));
        }
    }

    /// A rectangle, given two opposite corners in any order.
    pub fn rect(&mut self, class: &str, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) {
        let (x, y) = (num(x0.min(x1)), num(y0.min(y1)));
        let (w, h) = (num((x1 - x0).abs()), num((y1 - y0).abs()));
        self.body.push_str(&format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>"));
    }

    /// A frame of a flame graph: a rectangle with a label and a tooltip.
    pub fn frame(&mut self, class: &str, place: [f64; 4], title: &str, (x, y, label): (f64, f64, &str)) {
        let ([left, top, width, height], [x, y]) = (place.map(num), [x, y].map(num));
        self.body.push_str(&format!(
            "<g class=\"frame\"><title>{}</title><rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/><text class=\"f\" x=\"{x}\" y=\"{y}\">{}</text></g>",
            escape(title),
            escape(label)
        ));
    }

    /// A text; `anchor` is `start`, `middle` or `end`.
    pub fn text(&mut self, class: &str, anchor: &str, (x, y): (f64, f64), text: &str) {
        let anchor = if anchor == "start" { String::new() } else { format!(" text-anchor=\"{anchor}\"") };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        self.body.push_str(&format!("<text{class}{anchor} x=\"{}\" y=\"{}\">{}</text>", num(x), num(y), escape(text)));
    }

    /// The x axis: ticks below the frame, grid lines, title at the right end.
    pub fn x_axis(&mut self, frame: Frame, axis: &Axis, scale: &Scale, most: usize) {
        let mut ticks = scale.ticks(most);
        if axis.measure == Measure::Count {
            ticks.retain(|tick| (tick - tick.round()).abs() < 1e-6);
        }
        let labels = labels(axis, &ticks);
        let lines: String =
            ticks.iter().map(|t| format!("M{} {}V{}", num(scale.at(*t)), num(frame.top), num(frame.bottom))).collect();
        self.path("grid", &lines);
        self.body.push_str(&format!("<g class=\"x\" transform=\"translate(0 {})\">", num(frame.bottom + 14.0)));
        let mut end = f64::NEG_INFINITY;
        for (tick, label) in ticks.iter().zip(&labels.ticks) {
            let (x, half) = (scale.at(*tick).round(), 3.2 * text::width(label) as f64);
            // Labels that would touch the previous one are skipped.
            if x - half > end {
                self.body.push_str(&format!("<text x=\"{x}\">{}</text>", escape(label)));
                end = x + half + 3.0;
            }
        }
        self.body.push_str("</g>");
        self.text("label", "end", (frame.right, frame.bottom + 28.0), &labels.title);
    }

    /// The y axis: ticks left of the frame, grid lines, title above.
    pub fn y_axis(&mut self, frame: Frame, axis: &Axis, scale: &Scale, most: usize) {
        let ticks = scale.ticks(most);
        let labels = labels(axis, &ticks);
        let lines: String =
            ticks.iter().map(|t| format!("M{} {}H{}", num(frame.left), num(scale.at(*t)), num(frame.right))).collect();
        self.path("grid", &lines);
        self.body.push_str(&format!("<g class=\"y\" transform=\"translate({} 4)\">", num(frame.left - 6.0)));
        for (tick, label) in ticks.iter().zip(&labels.ticks) {
            self.body.push_str(&format!("<text y=\"{}\">{}</text>", scale.at(*tick).round(), escape(label)));
        }
        self.body.push_str("</g>");
        self.text("label", "start", (0.0, frame.top - 8.0), &labels.title);
    }

    pub fn legend(&mut self, right: f64, names: &[(String, Tone)]) {
        for (line, names) in legend_lines(names, right).into_iter().enumerate() {
            let mut x = right - names.iter().map(|(name, _)| legend_width(name)).sum::<f64>();
            let y = 12.0 + LEGEND_LINE * line as f64;
            for (name, of) in names {
                self.path(&format!("key {}", tone(of)), &format!("M{} {}h8", num(x + 14.0), num(y - 4.0)));
                self.text("", "start", (x + 28.0, y), &name);
                x += legend_width(&name);
            }
        }
    }
}

pub(crate) const LEGEND_LINE: f64 = 16.0;

/// The names of a legend, truncated, as many per line as fit.
pub(crate) fn legend_lines(names: &[(String, Tone)], width: f64) -> Vec<Vec<(String, Tone)>> {
    const COLUMNS_MAX: usize = 38;
    let mut lines: Vec<Vec<(String, Tone)>> = Vec::new();
    let mut free = 0.0;
    for (name, of) in names {
        let name = cut_middle(&clean(name), COLUMNS_MAX, Glyphs::Unicode);
        let own = legend_width(&name);
        if own > free {
            lines.push(Vec::new());
            free = width;
        }
        free -= own;
        lines.last_mut().into_iter().for_each(|line| line.push((name.clone(), *of)));
    }
    lines
}

fn legend_width(name: &str) -> f64 {
    6.3 * text::width(name) as f64 + 30.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let short: Vec<String> = [1.0, 0.5, -0.5, 10.04, -0.01, 100.25, 10.55].into_iter().map(num).collect();
        assert_eq!(short, ["1", ".5", "-.5", "10", "0", "100.3", "10.6"]);
    }

    #[test]
    fn text_of_others_is_text() {
        assert_eq!(escape("<b a=\"x\">&'\u{1b}\u{202e}"), "&lt;b a=&quot;x&quot;&gt;&amp;&#39;??");
    }
}
