//! Converts the elements of a picture to coloured areas.

use crate::font::{Font, Text};
use crate::path::{lines, Coordinates, Line};
use crate::raster::Canvas;
use crate::style::{ElementStyle, Sheet};
use crate::xml::{pieces, Piece};
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Lines(Vec<Line>),
    Text(Coordinates, String),
}

#[derive(Debug)]
pub struct Drawing {
    pub width: f64,
    pub height: f64,
    pub unknown: BTreeSet<String>,
    shapes: Vec<(ElementStyle, Shape)>,
}

/// An open element: its look and the translation of its content.
struct Around {
    name: String,
    look: ElementStyle,
    moved: Coordinates,
    at: Coordinates,
}

impl Drawing {
    pub fn read(svg: &str) -> Drawing {
        let mut drawing = Drawing { width: 1.0, height: 1.0, unknown: BTreeSet::new(), shapes: Vec::new() };
        let mut sheet = Sheet::default();
        let mut open: Vec<Around> = Vec::new();
        for piece in pieces(svg) {
            match piece {
                Piece::Start { name, attributes, closed } => {
                    let around = drawing.start(name, &attributes, &sheet, open.last());
                    if !closed {
                        open.push(around);
                    }
                }
                Piece::End => drop(open.pop()),
                Piece::Text(text) => match open.last() {
                    Some(around) if around.name == "style" => sheet = Sheet::read(&text),
                    Some(around) if around.name == "text" => {
                        drawing.shapes.push((around.look.clone(), Shape::Text(around.at, text)));
                    }
                    _ => {}
                },
            }
        }
        drawing
    }

    fn start(&mut self, name: &str, attributes: &[(&str, String)], sheet: &Sheet, around: Option<&Around>) -> Around {
        let attribute =
            |wanted: &str| attributes.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str());
        let (mut look, mut moved) = around.map_or((ElementStyle::default(), (0.0, 0.0)), |a| (a.look.clone(), a.moved));
        for (own, value) in attributes {
            let is_place = ["x", "y", "width", "height", "d", "class", "transform", "viewBox", "xmlns", "role", "id"]
                .contains(own);
            if !is_place && !own.starts_with("aria-") && !look.set(own, value) {
                self.leave_out(format!("attribute {own}"));
            }
        }
        let look = sheet.look(&look, name, attribute("class").unwrap_or_default(), &mut self.unknown);
        let number = |name: &str| attribute(name).and_then(|value| value.parse::<f64>().ok()).filter(|v| v.is_finite());
        let at = (moved.0 + number("x").unwrap_or(0.0), moved.1 + number("y").unwrap_or(0.0));
        match name {
            "svg" if around.is_none() => {
                self.width = number("width").unwrap_or(1.0).max(1.0);
                self.height = number("height").unwrap_or(1.0).max(1.0);
            }
            "g" => {
                let by = attribute("transform").map(translation);
                match by {
                    Some(Some((x, y))) => moved = (moved.0 + x, moved.1 + y),
                    Some(None) => self.leave_out("transform".to_owned()),
                    None => {}
                }
            }
            "path" => {
                let mut found = lines(attribute("d").unwrap_or_default(), &mut self.unknown);
                let places = found.iter_mut().flat_map(|line| &mut line.places);
                places.for_each(|place| *place = (place.0 + moved.0, place.1 + moved.1));
                self.shapes.push((look.clone(), Shape::Lines(found)));
            }
            "rect" => {
                let size =
                    |name: &str, all: f64| if attribute(name) == Some("100%") { Some(all) } else { number(name) };
                let (width, height) =
                    (size("width", self.width).unwrap_or(0.0), size("height", self.height).unwrap_or(0.0));
                let (right, bottom) = (at.0 + width, at.1 + height);
                let places = vec![at, (right, at.1), (right, bottom), (at.0, bottom)];
                self.shapes.push((look.clone(), Shape::Lines(vec![Line { places, closed: true }])));
            }
            "text" | "title" | "style" => {}
            other => self.leave_out(format!("<{other}>")),
        }
        Around { name: name.to_owned(), look, moved, at }
    }

    fn leave_out(&mut self, what: String) {
        self.unknown.insert(what);
    }

    /// Its letters that the fonts lack.
    pub fn foreign(&self) -> BTreeSet<char> {
        let font = Font::new();
        let words = self.shapes.iter().filter_map(|(_, shape)| match shape {
            Shape::Text(_, words) => Some(words),
            Shape::Lines(_) => None,
        });
        words.flat_map(|words| words.chars()).filter(|letter| font.lacks(*letter)).collect()
    }

    pub fn paint(&self, canvas: &mut Canvas, scale: f64) {
        let font = Font::new();
        for (look, shape) in &self.shapes {
            match shape {
                Shape::Lines(lines) => paint_lines(canvas, look, lines, scale),
                Shape::Text(at, words) => paint_text(canvas, look, *at, words, &font, scale),
            }
        }
    }
}

fn paint_lines(canvas: &mut Canvas, look: &ElementStyle, lines: &[Line], scale: f64) {
    let scaled = |line: &Line| Line {
        places: line.places.iter().map(|(x, y)| (x * scale, y * scale)).collect(),
        closed: line.closed,
    };
    if let Some(colour) = look.colour_of(look.fill) {
        let areas: Vec<Vec<Coordinates>> = lines.iter().map(|line| scaled(line).places).collect();
        canvas.paint(&areas, colour, look.fill_opacity);
    }
    if let Some(colour) = look.colour_of(look.stroke) {
        let dashes: Vec<f64> = look.dashes.iter().map(|dash| dash * scale).collect();
        let dashed = lines.iter().flat_map(|line| scaled(line).dashed(&dashes));
        let areas: Vec<Vec<Coordinates>> =
            dashed.flat_map(|line| line.stroked(look.width * scale, look.round)).collect();
        canvas.paint(&areas, colour, look.stroke_opacity);
    }
}

fn paint_text(canvas: &mut Canvas, look: &ElementStyle, (x, y): Coordinates, words: &str, font: &Font, scale: f64) {
    let Some(colour) = look.colour_of(look.fill) else { return };
    let text = Text { words, size: look.size * scale, bold: look.bold, italic: look.italic };
    let before = look.before * font.width(&text);
    canvas.paint(&font.areas(&text, (x * scale - before, y * scale)), colour, look.fill_opacity);
}

fn translation(value: &str) -> Option<Coordinates> {
    let (x, y) = value.strip_prefix("translate(")?.strip_suffix(')')?.split_once(' ')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg width=\"20\" height=\"10\"><style>.paper{fill:#ffffff}.t{color:#ff0000}.b{fill:none;stroke:currentColor;stroke-width:2}</style>\
                       <rect class=\"paper\" width=\"100%\" height=\"100%\"/><g transform=\"translate(5 0)\" class=\"t\"><path class=\"b\" d=\"M0 5h10\"/>\
                       <g transform=\"translate(0 8)\"><rect x=\"1\" y=\"0\" width=\"2\" height=\"1\" fill=\"#0000ff\"/></g></g></svg>";

    #[test]
    fn groups_move_what_is_in_them_and_pass_their_look_on() {
        let drawing = Drawing::read(SVG);
        assert!(drawing.unknown.is_empty(), "{:?}", drawing.unknown);
        let mut canvas = Canvas::new(20, 10);
        drawing.paint(&mut canvas, 1.0);
        let pixel = |x: usize, y: usize| &canvas.pixels[(y * 20 + x) * 3..][..3];
        assert_eq!(
            (pixel(4, 4), pixel(5, 4), pixel(14, 5), pixel(15, 5)),
            (&[255; 3][..], &[255, 0, 0][..], &[255, 0, 0][..], &[255; 3][..])
        );
        assert_eq!((pixel(6, 8), pixel(8, 8), pixel(6, 9)), (&[0, 0, 255][..], &[255; 3][..], &[255; 3][..]));
    }

    #[test]
    fn a_text_stands_where_it_is_anchored() {
        let at = |anchor: &str| {
            let svg = format!(
                "<svg width=\"60\" height=\"20\"><text x=\"30\" y=\"15\" text-anchor=\"{anchor}\">lll</text></svg>"
            );
            let drawing = Drawing::read(&svg);
            assert!(drawing.unknown.is_empty());
            let mut canvas = Canvas::new(60, 20);
            drawing.paint(&mut canvas, 1.0);
            let dark = |at: &usize| canvas.pixels[at * 3] < 128;
            let columns: Vec<usize> = (0..60 * 20).filter(dark).map(|at| at % 60).collect();
            (columns.iter().min().copied().unwrap_or(99), columns.iter().max().copied().unwrap_or(0))
        };
        let (start, middle, end) = (at("start"), at("middle"), at("end"));
        assert!(start.0 >= 30 && middle.0 < 30 && middle.1 >= 30 && end.1 <= 30, "{start:?} {middle:?} {end:?}");
    }
}
