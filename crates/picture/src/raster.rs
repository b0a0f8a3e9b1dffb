//! Rasterises areas: exact coverage for straight edges, with alpha blending.

use crate::path::Coordinates;
use crate::style::Colour;

pub struct Canvas {
    pub width: usize,
    pub height: usize,
    /// Red, green and blue of each pixel, row by row.
    pub pixels: Vec<u8>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Canvas {
        let (width, height) = (width.max(1), height.max(1));
        Canvas { width, height, pixels: vec![255; width * height * 3] }
    }

    /// Paints areas as one: overlaps with the same orientation are painted once, those with opposite orientation are holes.
    pub fn paint(&mut self, areas: &[Vec<Coordinates>], colour: Colour, opacity: f32) {
        let Some(bounds) = Bounds::of(areas, self.width, self.height) else { return };
        for top in (bounds.top..bounds.bottom).step_by(BAND) {
            let bottom = bounds.bottom.min(top + BAND);
            let mut mask = Mask::new(Bounds { top, bottom, ..bounds });
            areas.iter().for_each(|area| mask.add(area));
            self.mix(&mask, colour, opacity);
        }
    }

    fn mix(&mut self, mask: &Mask, colour: Colour, opacity: f32) {
        let Bounds { left, top, .. } = mask.bounds;
        for (row, cells) in mask.cells.chunks_exact(mask.stride()).enumerate() {
            let first = ((top + row) * self.width + left) * 3;
            let pixels = self.pixels[first..].chunks_exact_mut(3);
            let mut covered = 0.0_f32;
            for (cell, pixel) in cells[..mask.width()].iter().zip(pixels) {
                covered += cell;
                let share = covered.abs().min(1.0) * opacity;
                if share > LEAST {
                    for (below, above) in pixel.iter_mut().zip(colour) {
                        let mixed = f32::from(*below) + (f32::from(above) - f32::from(*below)) * share;
                        *below = (mixed + 0.5) as u8;
                    }
                }
            }
        }
    }
}

/// Rows painted together, so that a long picture needs little memory beyond its pixels.
const BAND: usize = 1024;

const LEAST: f32 = 1.0 / 512.0;

#[derive(Debug, Clone, Copy)]
struct Bounds {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Bounds {
    fn of(areas: &[Vec<Coordinates>], width: usize, height: usize) -> Option<Bounds> {
        let mut ends = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        for (x, y) in areas.iter().flatten() {
            ends = [ends[0].min(*x), ends[1].min(*y), ends[2].max(*x), ends[3].max(*y)];
        }
        // A cast turns negative numbers and NaN into 0.
        let (left, top) = (ends[0].floor() as usize, ends[1].floor() as usize);
        let (right, bottom) = ((ends[2].ceil() as usize).min(width), (ends[3].ceil() as usize).min(height));
        (left < right && top < bottom).then_some(Bounds { left, top, right, bottom })
    }
}

/// Coverage of each pixel of a part of the canvas, as differences along each row.
struct Mask {
    bounds: Bounds,
    cells: Vec<f32>,
}

impl Mask {
    fn new(bounds: Bounds) -> Mask {
        let mut mask = Mask { bounds, cells: Vec::new() };
        mask.cells = vec![0.0; mask.stride() * (bounds.bottom - bounds.top)];
        mask
    }

    fn width(&self) -> usize {
        self.bounds.right - self.bounds.left
    }

    /// Cells per row, including two for what starts at or beyond its right end.
    fn stride(&self) -> usize {
        self.width() + 2
    }

    fn add(&mut self, area: &[Coordinates]) {
        let place = |(x, y): &Coordinates| ((x - self.bounds.left as f64) as f32, (y - self.bounds.top as f64) as f32);
        let places: Vec<(f32, f32)> = area.iter().map(place).collect();
        for (from, to) in places.iter().zip(places.iter().cycle().skip(1)) {
            self.edge(*from, *to);
        }
    }

    /// Adds an edge, which covers the area to its right in each row that it crosses.
    fn edge(&mut self, from: (f32, f32), to: (f32, f32)) {
        if !(from.0.is_finite() && from.1.is_finite() && to.0.is_finite() && to.1.is_finite()) || from.1 == to.1 {
            return;
        }
        let (sign, upper, lower) = if from.1 < to.1 { (1.0, from, to) } else { (-1.0, to, from) };
        let slope = (lower.0 - upper.0) / (lower.1 - upper.1);
        let stride = self.stride();
        let right = self.width() as f32;
        let first = upper.1.max(0.0) as usize;
        let last = (lower.1.ceil().max(0.0) as usize).min(self.bounds.bottom - self.bounds.top);
        for row in first..last {
            let (begin, end) = (upper.1.max(row as f32), lower.1.min(row as f32 + 1.0));
            let height = (end - begin) * sign;
            let (a, b) = (upper.0 + (begin - upper.1) * slope, upper.0 + (end - upper.1) * slope);
            let (a, b) = (a.min(b).clamp(0.0, right), a.max(b).clamp(0.0, right));
            slice(&mut self.cells[row * stride..][..stride], a, b, height);
        }
    }
}

/// Adds the part of an edge in a row, from `a` to `b` horizontally, as increases in coverage from pixel to pixel.
fn slice(cells: &mut [f32], a: f32, b: f32, height: f32) {
    let (from, to) = (a.floor(), b.ceil());
    let (first, last) = (from as usize, to as usize);
    if last <= first + 1 {
        let left = 0.5 * (a + b) - from;
        cells[first] += height * (1.0 - left);
        cells[first + 1] += height * left;
        return;
    }
    // For each pixel, the share of its area to the right of the edge.
    let per_pixel = 1.0 / (b - a);
    let mut before = 0.0;
    for (at, cell) in cells.iter_mut().enumerate().take(last).skip(first) {
        let (x0, x1) = (at as f32, at as f32 + 1.0);
        let (enters, leaves) = (a.max(x0), b.min(x1));
        let above = (enters - a) * per_pixel;
        let inside = (leaves - enters) * per_pixel;
        let covered = above + inside * (x1 - 0.5 * (enters + leaves));
        *cell += height * (covered - before);
        before = covered;
    }
    cells[last] += height * (1.0 - before);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shades(areas: &[Vec<Coordinates>], width: usize, height: usize) -> Vec<u8> {
        let mut canvas = Canvas::new(width, height);
        canvas.paint(areas, [0; 3], 1.0);
        canvas.pixels.chunks(3).map(|pixel| 255 - pixel[0]).collect()
    }

    fn square(x0: f64, y0: f64, x1: f64, y1: f64) -> Vec<Coordinates> {
        vec![(x0, y0), (x0, y1), (x1, y1), (x1, y0)]
    }

    #[test]
    fn a_pixel_is_as_dark_as_it_is_covered() {
        assert_eq!(shades(&[square(1.0, 0.0, 2.5, 1.0)], 4, 1), [0, 255, 127, 0]);
        assert_eq!(shades(&[square(0.0, 0.5, 1.0, 1.25)], 1, 3), [127, 64, 0]);
        // A triangle: half of each pixel on the diagonal, and all pixels below.
        let triangle = vec![(0.0, 0.0), (0.0, 3.0), (3.0, 3.0)];
        assert_eq!(shades(&[triangle], 3, 3), [127, 0, 0, 255, 127, 0, 255, 255, 127]);
        // A flat edge crosses several pixels in one row.
        assert_eq!(shades(&[vec![(0.0, 0.0), (0.0, 1.0), (4.0, 1.0)]], 4, 1), [223, 159, 96, 32]);
    }

    #[test]
    fn overlaps_count_once_and_what_turns_the_other_way_is_a_hole() {
        assert_eq!(shades(&[square(0.0, 0.0, 2.0, 1.0), square(1.0, 0.0, 3.0, 1.0)], 4, 1), [255, 255, 255, 0]);
        let hole = square(1.0, 0.0, 2.0, 1.0).into_iter().rev().collect();
        assert_eq!(shades(&[square(0.0, 0.0, 3.0, 1.0), hole], 4, 1), [255, 0, 255, 0]);
    }

    #[test]
    fn what_lies_outside_is_cut_off() {
        assert_eq!(shades(&[square(-5.0, -5.0, 1.0, 9.0)], 2, 2), [255, 0, 255, 0]);
        assert_eq!(shades(&[square(1.0, 0.0, 99.0, 1.0)], 2, 1), [0, 255]);
        assert_eq!(shades(&[square(-9.0, 0.0, -3.0, 1.0), square(50.0, 50.0, 60.0, 60.0)], 2, 1), [0, 0]);
        assert_eq!(shades(&[vec![(f64::NAN, 0.0), (1.0, f64::INFINITY)]], 2, 1), [0, 0]);
        assert_eq!(shades(&[square(50.0, 50.0, 60.0, 60.0)], 2, 1), [0, 0]);
    }
}
