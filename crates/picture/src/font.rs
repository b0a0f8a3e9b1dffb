//! Text as areas. The letters are those of Noto Sans, in which all digits have the same width: Latin, Greek and Cyrillic. Any other letter
//! is a box.

use crate::path::Place;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

const REGULAR: &[u8] = include_bytes!("../fonts/NotoSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/NotoSans-SemiBold.ttf");

/// How far a slanted letter leans.
const SLANT: f64 = 0.2;
/// Straight pieces of a curve.
const PIECES: usize = 4;

/// The letters of both weights.
pub struct Font {
    regular: Option<Face<'static>>,
    bold: Option<Face<'static>>,
}

/// A text in its size.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// What it says.
    pub words: &'a str,
    /// Height of its line.
    pub size: f64,
    /// Semi-bold.
    pub bold: bool,
    /// Slanted.
    pub italic: bool,
}

impl Font {
    /// Both weights.
    pub fn new() -> Font {
        Font { regular: Face::parse(REGULAR, 0).ok(), bold: Face::parse(BOLD, 0).ok() }
    }

    fn face(&self, bold: bool) -> Option<&Face<'static>> {
        if bold {
            self.bold.as_ref()
        } else {
            self.regular.as_ref()
        }
    }

    /// How wide a text is.
    pub fn width(&self, text: &Text) -> f64 {
        let Some(face) = self.face(text.bold) else { return 0.0 };
        let advance = |letter: char| f64::from(face.glyph_hor_advance(glyph(face, letter)).unwrap_or(0));
        text.words.chars().map(advance).sum::<f64>() * text.size / f64::from(face.units_per_em())
    }

    /// The areas of a text whose line starts there.
    pub fn areas(&self, text: &Text, (x, y): Place) -> Vec<Vec<Place>> {
        let Some(face) = self.face(text.bold) else { return Vec::new() };
        let scale = text.size / f64::from(face.units_per_em());
        let slant = if text.italic { SLANT } else { 0.0 };
        let mut pen = Pen { areas: Vec::new(), area: Vec::new(), x, y, scale, slant };
        for letter in text.words.chars() {
            let glyph = glyph(face, letter);
            face.outline_glyph(glyph, &mut pen);
            pen.x += f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        }
        pen.areas
    }
}

/// The picture of a letter; a box for one that the font has not.
fn glyph(face: &Face, letter: char) -> GlyphId {
    face.glyph_index(letter).unwrap_or_default()
}

struct Pen {
    areas: Vec<Vec<Place>>,
    area: Vec<Place>,
    x: f64,
    y: f64,
    scale: f64,
    slant: f64,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> Place {
        let (x, y) = (f64::from(x), f64::from(y));
        (self.x + (x + self.slant * y) * self.scale, self.y - y * self.scale)
    }

    /// A curve between here and there, as straight pieces; `at` gives its places from 0 to 1.
    fn curve(&mut self, at: impl Fn(f64) -> Place) {
        self.area.extend((1..=PIECES).map(|n| at(n as f64 / PIECES as f64)));
    }

    fn last(&self) -> Place {
        self.area.last().copied().unwrap_or((self.x, self.y))
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let place = self.place(x, y);
        self.area = vec![place];
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let place = self.place(x, y);
        self.area.push(place);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (a, b, c) = (self.last(), self.place(x1, y1), self.place(x, y));
        let mix = |t: f64, a: f64, b: f64, c: f64| (1.0 - t).powi(2) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
        self.curve(|t| (mix(t, a.0, b.0, c.0), mix(t, a.1, b.1, c.1)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (a, b, c, d) = (self.last(), self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        let mix = |t: f64, a: f64, b: f64, c: f64, d: f64| {
            let s = 1.0 - t;
            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        };
        self.curve(|t| (mix(t, a.0, b.0, c.0, d.0), mix(t, a.1, b.1, c.1, d.1)));
    }

    fn close(&mut self) {
        self.areas.push(std::mem::take(&mut self.area));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str, bold: bool) -> Text<'_> {
        Text { words, size: 10.0, bold, italic: false }
    }

    #[test]
    fn digits_have_one_width_and_semi_bold_is_wider() {
        let font = Font::new();
        for bold in [false, true] {
            let one = font.width(&text("1", bold));
            assert!("023456789".chars().all(|digit| (font.width(&text(&digit.to_string(), bold)) - one).abs() < 1e-9));
        }
        assert!(font.width(&text("slower", true)) > font.width(&text("slower", false)));
    }

    #[test]
    fn every_sign_that_charts_use_has_a_letter() {
        let font = Font::new();
        for face in [font.face(false), font.face(true)].map(|face| face.expect("a font")) {
            for letter in "azAZ09 .,:;…±×·−<>µ%²³⁰⁶⁹'\"`’“”–—/[]()=+*#&@éßñłžΩλЖя\u{a0}".chars()
            {
                assert!(face.glyph_index(letter).is_some(), "{letter:?}");
            }
        }
        let areas = font.areas(&text("漢i", false), (0.0, 0.0));
        assert!(areas.len() >= 3, "a box, which has two edges, and a letter");
    }

    #[test]
    fn a_slanted_letter_leans_to_the_right() {
        let font = Font::new();
        let right = |italic| {
            let areas = font.areas(&Text { words: "l", size: 10.0, bold: false, italic }, (0.0, 0.0));
            areas.iter().flatten().map(|place| place.0).fold(0.0, f64::max)
        };
        assert!(right(true) > right(false) + 1.0);
    }
}
