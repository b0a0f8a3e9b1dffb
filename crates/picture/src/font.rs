//! Text as areas. The font is Noto Sans, whose digits all have the same width: Latin, Greek and Cyrillic. Other letters become boxes.

use crate::path::Coordinates;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

const REGULAR: &[u8] = include_bytes!("../fonts/NotoSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/NotoSans-SemiBold.ttf");

const SLANT: f64 = 0.2;
const PIECES: usize = 4;

pub struct Font {
    regular: Option<Face<'static>>,
    bold: Option<Face<'static>>,
}

#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    pub words: &'a str,
    pub size: f64,
    pub bold: bool,
    pub italic: bool,
}

impl Font {
    pub fn new() -> Font {
        Font { regular: Face::parse(REGULAR, 0).ok(), bold: Face::parse(BOLD, 0).ok() }
    }

    pub fn lacks(&self, letter: char) -> bool {
        let own = self.regular.as_ref().and_then(|face| face.glyph_index(letter));
        own.is_none() && !is_unseen(letter)
    }

    /// The glyph of a letter: a box if no font has it, None if it is invisible.
    fn glyph(&self, bold: bool, letter: char) -> Option<(&Face<'static>, GlyphId)> {
        let face = if bold { &self.bold } else { &self.regular }.as_ref()?;
        let glyph = face.glyph_index(letter).unwrap_or(GlyphId(0));
        (glyph != GlyphId(0) || !is_unseen(letter)).then_some((face, glyph))
    }

    pub fn width(&self, text: &Text) -> f64 {
        let glyphs = text.words.chars().filter_map(|letter| self.glyph(text.bold, letter));
        glyphs.map(|(face, glyph)| advance(face, glyph)).sum::<f64>() * text.size
    }

    pub fn areas(&self, text: &Text, (x, y): Coordinates) -> Vec<Vec<Coordinates>> {
        let slant = if text.italic { SLANT } else { 0.0 };
        let mut pen = Pen { areas: Vec::new(), area: Vec::new(), x, y, scale: 1.0, slant };
        for (face, glyph) in text.words.chars().filter_map(|letter| self.glyph(text.bold, letter)) {
            pen.scale = text.size / f64::from(face.units_per_em());
            face.outline_glyph(glyph, &mut pen);
            pen.x += advance(face, glyph) * text.size;
        }
        pen.areas
    }
}

/// Distance to the next letter, for a line of height 1.
fn advance(face: &Face, glyph: GlyphId) -> f64 {
    f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) / f64::from(face.units_per_em())
}

/// Marks that are invisible themselves but change their neighbours.
fn is_unseen(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}

struct Pen {
    areas: Vec<Vec<Coordinates>>,
    area: Vec<Coordinates>,
    x: f64,
    y: f64,
    scale: f64,
    slant: f64,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> Coordinates {
        let (x, y) = (f64::from(x), f64::from(y));
        (self.x + (x + self.slant * y) * self.scale, self.y - y * self.scale)
    }

    /// A curve from the current point as straight pieces; `at` gives its points for 0 to 1.
    fn curve(&mut self, at: impl Fn(f64) -> Coordinates) {
        self.area.extend((1..=PIECES).map(|n| at(n as f64 / PIECES as f64)));
    }

    fn last(&self) -> Coordinates {
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
        for face in [&font.regular, &font.bold].map(|face| face.as_ref().expect("a font")) {
            for letter in "azAZ09 .,:;…±×·−<>µ%²³⁰⁶⁹'\"`’“”–—/[]()=+*#&@éßñłžΩλЖя\u{a0}".chars()
            {
                assert!(face.glyph_index(letter).is_some(), "{letter:?}");
            }
        }
        let areas = font.areas(&text("漢i", false), (0.0, 0.0));
        assert!(areas.len() >= 3, "a box, which has two edges, and a letter");
        assert!(font.lacks('漢') && !font.lacks('i'));
        // A variation selector is not drawn as a box.
        assert!(!font.lacks('\u{fe0f}'));
        assert_eq!(font.width(&text("i\u{fe0f}\u{200d}", false)), font.width(&text("i", false)));
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
