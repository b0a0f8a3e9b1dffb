//! Styles: the rules of a style sheet and attributes of elements.

use std::collections::BTreeSet;

pub type Colour = [u8; 3];

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Paint {
    None,
    Current,
    Of(Colour),
}

/// The style of an element; unset properties are inherited.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementStyle {
    /// The colour for [`Paint::Current`].
    pub colour: Colour,
    pub fill: Paint,
    pub fill_opacity: f32,
    pub stroke: Paint,
    pub stroke_opacity: f32,
    pub width: f64,
    pub round: bool,
    /// Alternating lengths of dashes and gaps; empty: solid.
    pub dashes: Vec<f64>,
    pub size: f64,
    pub bold: bool,
    pub italic: bool,
    /// The share of a text's width to the left of its position.
    pub before: f64,
}

impl Default for ElementStyle {
    fn default() -> ElementStyle {
        ElementStyle {
            colour: [0; 3],
            fill: Paint::Of([0; 3]),
            fill_opacity: 1.0,
            stroke: Paint::None,
            stroke_opacity: 1.0,
            width: 1.0,
            round: false,
            dashes: Vec::new(),
            size: 16.0,
            bold: false,
            italic: false,
            before: 0.0,
        }
    }
}

const BOLD: f64 = 600.0;

impl ElementStyle {
    pub fn colour_of(&self, paint: Paint) -> Option<Colour> {
        match paint {
            Paint::None => None,
            Paint::Current => Some(self.colour),
            Paint::Of(colour) => Some(colour),
        }
    }

    /// Sets a property; false if it is unknown.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        let number = || value.trim_end_matches("px").parse::<f64>().ok().filter(|v| v.is_finite());
        match name {
            "color" => put(&mut self.colour, colour(value)),
            "fill" => put(&mut self.fill, paint(value)),
            "stroke" => put(&mut self.stroke, paint(value)),
            "fill-opacity" => put(&mut self.fill_opacity, number().map(|opacity| opacity as f32)),
            "stroke-opacity" => put(&mut self.stroke_opacity, number().map(|opacity| opacity as f32)),
            "stroke-width" => put(&mut self.width, number()),
            "stroke-linecap" => put(&mut self.round, Some(value == "round")),
            "stroke-dasharray" => put(&mut self.dashes, value.split(' ').map(|dash| dash.parse().ok()).collect()),
            "font-size" => put(&mut self.size, number()),
            "font-weight" => put(&mut self.bold, number().map(|weight| weight >= BOLD)),
            "font-style" => put(&mut self.italic, Some(value == "italic")),
            "text-anchor" => put(&mut self.before, before(value)),
            // Corners are always round, and all digits have the same width.
            "stroke-linejoin" | "font-variant-numeric" | "font-family" => true,
            _ => false,
        }
    }
}

fn put<T>(place: &mut T, value: Option<T>) -> bool {
    value.map(|value| *place = value).is_some()
}

fn before(anchor: &str) -> Option<f64> {
    let found = ["start", "middle", "end"].iter().position(|known| *known == anchor)?;
    Some(0.5 * found as f64)
}

fn paint(value: &str) -> Option<Paint> {
    match value {
        "none" => Some(Paint::None),
        "currentColor" => Some(Paint::Current),
        other => colour(other).map(Paint::Of),
    }
}

fn colour(value: &str) -> Option<Colour> {
    let digits = value.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let part = |at: usize| digits.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok());
    Some([part(0)?, part(2)?, part(4)?])
}

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    /// `.name` for a class, `name` for an element.
    of: String,
    properties: Vec<(String, String)>,
}

/// The rules of a file for the light theme; later rules win.
#[derive(Debug, Default)]
pub struct Sheet {
    rules: Vec<Rule>,
}

impl Sheet {
    /// Parses a style sheet. Rules in `@media` are for other themes and skipped.
    pub fn read(text: &str) -> Sheet {
        let mut rules = Vec::new();
        let mut rest = text;
        while let Some((selector, after)) = rest.split_once('{') {
            if selector.trim_start().starts_with('@') {
                rest = behind_block(after);
                continue;
            }
            let (body, after) = after.split_once('}').unwrap_or((after, ""));
            let properties = body.split(';').filter_map(|one| one.split_once(':'));
            rules.push(Rule {
                of: selector.split_whitespace().last().unwrap_or_default().to_owned(),
                properties: properties.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect(),
            });
            rest = after;
        }
        Sheet { rules }
    }

    pub fn look(
        &self,
        around: &ElementStyle,
        name: &str,
        classes: &str,
        unknown: &mut BTreeSet<String>,
    ) -> ElementStyle {
        let mut look = around.clone();
        let is_of = |rule: &&Rule| match rule.of.strip_prefix('.') {
            Some(class) => classes.split(' ').any(|own| own == class),
            None => rule.of == name,
        };
        for (name, value) in self.rules.iter().filter(is_of).flat_map(|rule| &rule.properties) {
            if !look.set(name, value) {
                unknown.insert(format!("property {name}"));
            }
        }
        look
    }
}

fn behind_block(text: &str) -> &str {
    let mut depth = 1;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_elements_and_classes_count_in_their_order_and_the_dark_ones_do_not() {
        let text = ".c text{fill:#010203;font-size:11px}\n.c .b{fill:none;stroke:currentColor;stroke-dasharray:3 4}\n\
                    .t{color:#0a0b0c}\n@media (x){\n.c text{fill:#ffffff}\n}\n.c .l{font-style:italic}";
        let sheet = Sheet::read(text);
        let mut unknown = BTreeSet::new();
        let found = sheet.look(&ElementStyle::default(), "text", "l", &mut unknown);
        assert_eq!((found.fill, found.size, found.italic), (Paint::Of([1, 2, 3]), 11.0, true));
        let found = sheet.look(&ElementStyle::default(), "path", "b t", &mut unknown);
        assert_eq!((found.colour_of(found.fill), found.colour_of(found.stroke)), (None, Some([10, 11, 12])));
        assert_eq!((found.dashes, unknown.len()), (vec![3.0, 4.0], 0));
    }
}
