//! Renders the SVG that Tare writes as PNG. It supports only the elements and styles in the charts of `tare-report`; [`unknown`] lists what
//! it would skip, and a test there checks every chart.
#![forbid(unsafe_code)]

mod draw;
mod encode;
mod font;
mod path;
mod raster;
mod style;
mod xml;

use draw::Drawing;
use raster::Canvas;
use std::collections::BTreeSet;
use std::fmt;

/// Pixels per point, enough for high-density screens and print.
const SCALE: f64 = 2.0;
/// Most pixels per side that viewers and browsers open.
const SIDE_MAX: f64 = 30_000.0;
const PIXELS_MAX: f64 = 64e6;

/// The picture has more pixels than viewers open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PictureError {
    pub width: f64,
    pub height: f64,
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PictureError { width, height } = self;
        write!(f, "the picture is too large for PNG: {width:.0} × {height:.0} pixels")
    }
}

impl std::error::Error for PictureError {}

/// A picture as PNG, in its light theme with two pixels per point, or one if it is long.
pub fn png(svg: &str) -> Result<Vec<u8>, PictureError> {
    let drawing = Drawing::read(svg);
    let fits = |scale: &f64| {
        let (width, height) = (drawing.width * scale, drawing.height * scale);
        width <= SIDE_MAX && height <= SIDE_MAX && width * height <= PIXELS_MAX
    };
    let error = PictureError { width: drawing.width, height: drawing.height };
    let scale = [SCALE, 1.0].into_iter().find(fits).ok_or(error)?;
    let mut canvas = Canvas::new((drawing.width * scale).ceil() as usize, (drawing.height * scale).ceil() as usize);
    drawing.paint(&mut canvas, scale);
    Ok(encode::png(&canvas, scale))
}

/// The letters of a picture that are drawn as boxes: neither Latin, Greek nor Cyrillic.
pub fn foreign(svg: &str) -> BTreeSet<char> {
    Drawing::read(svg).foreign()
}

/// Everything in a picture that would not be drawn: elements, attributes and properties, each once.
pub fn unknown(svg: &str) -> Vec<String> {
    Drawing::read(svg).unknown.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(height: f64) -> String {
        format!("<svg xmlns=\"x\" width=\"100\" height=\"{height}\"><path d=\"M10 10h20\" stroke=\"#000000\"/></svg>")
    }

    fn size(png: &[u8]) -> [u32; 2] {
        [16, 20].map(|at| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]))
    }

    #[test]
    fn a_picture_has_two_pixels_per_point_a_long_one_has_one_and_a_longer_one_is_refused() {
        assert_eq!(size(&png(&picture(50.0)).expect("a picture")), [200, 100]);
        assert_eq!(size(&png(&picture(20_000.0)).expect("a picture")), [100, 20_000]);
        let error = png(&picture(40_000.0)).expect_err("too large");
        assert_eq!(error.to_string(), "the picture is too large for PNG: 100 × 40000 pixels");
    }

    #[test]
    fn what_it_does_not_know_is_named() {
        let svg = "<svg width=\"9\" height=\"9\"><style>.a{filter:blur(1px);fill:none}</style><circle r=\"1\"/><path class=\"a\" d=\"M1 1C2 2 3 3 4 4\" z=\"\"/></svg>";
        assert_eq!(unknown(svg), ["<circle>", "attribute r", "attribute z", "path C", "property filter"]);
        assert!(png(svg).is_ok());
        // A truncated file is drawn as far as it goes.
        for svg in ["<svg width=\"9\" height=\"9\"><path d=\"M1", "", "<<>><&"] {
            assert!(png(svg).is_ok(), "{svg}");
        }
    }
}
