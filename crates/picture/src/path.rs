//! Lines: from path data to points, dashes, and the areas that a pen covers.

use std::collections::BTreeSet;

pub type Coordinates = (f64, f64);

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    pub places: Vec<Coordinates>,
    pub closed: bool,
}

/// The lines of a path. Supports only straight lines and stops at anything else.
pub fn lines(data: &str, unknown: &mut BTreeSet<String>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut line = Line::default();
    let (mut at, mut start) = ((0.0, 0.0), (0.0, 0.0));
    let mut numbers = Numbers { rest: data };
    let mut command = ' ';
    while let Some(next) = numbers.command() {
        // Numbers without a command repeat the previous one.
        command = next.unwrap_or(command);
        let to = match command {
            'M' | 'L' => numbers.pair(),
            'm' | 'l' => numbers.pair().map(|(x, y)| (at.0 + x, at.1 + y)),
            'H' => numbers.number().map(|x| (x, at.1)),
            'h' => numbers.number().map(|x| (at.0 + x, at.1)),
            'V' => numbers.number().map(|y| (at.0, y)),
            'v' => numbers.number().map(|y| (at.0, at.1 + y)),
            'Z' | 'z' => Some(start),
            other => {
                unknown.insert(format!("path {other}"));
                None
            }
        };
        let Some(to) = to else { break };
        at = to;
        match command {
            'M' | 'm' => {
                finish(&mut lines, &mut line);
                start = at;
                line.places.push(at);
                command = if command == 'M' { 'L' } else { 'l' };
            }
            'Z' | 'z' => {
                line.closed = true;
                finish(&mut lines, &mut line);
                command = ' ';
            }
            _ => {
                if line.places.is_empty() {
                    line.places.push(start);
                }
                line.places.push(at);
            }
        }
    }
    finish(&mut lines, &mut line);
    lines
}

fn finish(lines: &mut Vec<Line>, line: &mut Line) {
    if !line.places.is_empty() {
        lines.push(std::mem::take(line));
    }
}

struct Numbers<'a> {
    rest: &'a str,
}

impl Numbers<'_> {
    /// The next command; `Some(None)` before a number, None at the end.
    fn command(&mut self) -> Option<Option<char>> {
        self.rest = self.rest.trim_start_matches([' ', ',', '\n']);
        let first = self.rest.chars().next()?;
        if !first.is_ascii_alphabetic() {
            return Some(None);
        }
        self.rest = &self.rest[1..];
        Some(Some(first))
    }

    fn number(&mut self) -> Option<f64> {
        let text = self.rest.trim_start_matches([' ', ',', '\n']);
        let mut has_point = false;
        let mut end = 0;
        for (at, letter) in text.char_indices() {
            let goes_on = match letter {
                '-' | '+' => at == 0,
                '.' => !std::mem::replace(&mut has_point, true),
                other => other.is_ascii_digit(),
            };
            if !goes_on {
                break;
            }
            end = at + letter.len_utf8();
        }
        let (number, rest) = text.split_at(end);
        self.rest = rest;
        number.parse().ok().filter(|value: &f64| value.is_finite())
    }

    fn pair(&mut self) -> Option<Coordinates> {
        Some((self.number()?, self.number()?))
    }
}

impl Line {
    /// Splits it into dashes; without a dash pattern, the line itself.
    pub fn dashed(self, dashes: &[f64]) -> Vec<Line> {
        if dashes.is_empty() || dashes.iter().any(|dash| *dash <= 0.0) {
            return vec![self];
        }
        let mut found = Vec::new();
        let mut own = Line::default();
        let (mut dash, mut left) = (0, dashes[0]);
        let ends = if self.closed { self.places.first().copied() } else { None };
        let places: Vec<Coordinates> = self.places.into_iter().chain(ends).collect();
        own.places.extend(places.first());
        for pair in places.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let length = (x1 - x0).hypot(y1 - y0);
            let mut done = 0.0;
            while length - done > left {
                done += left;
                let at = (x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length);
                if dash % 2 == 0 {
                    own.places.push(at);
                    finish(&mut found, &mut own);
                } else {
                    own.places = vec![at];
                }
                dash = (dash + 1) % (2 * dashes.len());
                left = dashes[dash % dashes.len()];
            }
            left -= length - done;
            if dash % 2 == 0 {
                own.places.push((x1, y1));
            }
        }
        if dash % 2 == 0 {
            finish(&mut found, &mut own);
        }
        found
    }

    /// The areas covered by a pen of this width, all with the same orientation, so that overlaps add up.
    pub fn stroked(&self, width: f64, round: bool) -> Vec<Vec<Coordinates>> {
        let radius = width / 2.0;
        let mut areas = Vec::new();
        let ends = if self.closed { self.places.first().copied() } else { None };
        let places: Vec<Coordinates> = self.places.iter().copied().chain(ends).collect();
        for pair in places.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let length = (x1 - x0).hypot(y1 - y0);
            if length > 0.0 {
                let (dx, dy) = ((x1 - x0) / length * radius, (y1 - y0) / length * radius);
                areas.push(vec![(x0 - dy, y0 + dx), (x0 + dy, y0 - dx), (x1 + dy, y1 - dx), (x1 - dy, y1 + dx)]);
            }
        }
        let is_dot = areas.is_empty();
        // Corners are always round, ends only on request.
        let inner = if self.closed || round {
            &places[..]
        } else {
            places.get(1..places.len().saturating_sub(1)).unwrap_or(&[])
        };
        if is_dot {
            areas.extend(places.first().filter(|_| round).map(|at| circle(*at, radius)));
        } else {
            areas.extend(inner.iter().map(|at| circle(*at, radius)));
        }
        areas
    }
}

/// A circle as a polygon with the same orientation as the areas of lines.
fn circle((x, y): Coordinates, radius: f64) -> Vec<Coordinates> {
    let corners = (radius * 6.0).clamp(8.0, 32.0).round() as usize;
    let angle = |n: usize| std::f64::consts::TAU * n as f64 / corners as f64;
    (0..corners).map(|n| (x + radius * angle(n).cos(), y + radius * angle(n).sin())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(data: &str) -> Vec<Line> {
        lines(data, &mut BTreeSet::new())
    }

    fn line(places: &[Coordinates], closed: bool) -> Line {
        Line { places: places.to_vec(), closed }
    }

    fn area(places: &[Coordinates]) -> f64 {
        let next = places.iter().cycle().skip(1);
        places.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>() / 2.0
    }

    #[test]
    fn paths_are_lines() {
        assert_eq!(
            of("M1 2H3V-4.5h.5l1-1"),
            [line(&[(1.0, 2.0), (3.0, 2.0), (3.0, -4.5), (3.5, -4.5), (4.5, -5.5)], false)]
        );
        assert_eq!(of("M1 1zm2-.5z"), [line(&[(1.0, 1.0)], true), line(&[(3.0, 0.5)], true)]);
        assert_eq!(of("M1 1L2 2 3 1Z"), [line(&[(1.0, 1.0), (2.0, 2.0), (3.0, 1.0)], true)]);
        assert_eq!(
            of("m1 1l4 4m0-4l-4 4"),
            [line(&[(1.0, 1.0), (5.0, 5.0)], false), line(&[(5.0, 1.0), (1.0, 5.0)], false)]
        );
        assert_eq!((of("M1"), of("7 8"), of("M1 1Lx")), (vec![], vec![], vec![line(&[(1.0, 1.0)], false)]));
    }

    #[test]
    fn dashes_go_around_corners() {
        let found = line(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)], false).dashed(&[3.0, 2.0]);
        assert_eq!(found, [line(&[(0.0, 0.0), (3.0, 0.0)], false), line(&[(4.0, 1.0), (4.0, 4.0)], false)]);
    }

    #[test]
    fn all_that_a_pen_covers_turns_the_same_way() {
        let mut all = line(&[(0.0, 0.0), (10.0, 0.0), (3.0, 7.0), (-4.0, -9.0)], true).stroked(2.0, true);
        all.extend(line(&[(5.0, 5.0)], true).stroked(3.0, true));
        assert_eq!(all.len(), 4 + 5 + 1);
        assert!(all.iter().all(|places| area(places) < 0.0) || all.iter().all(|places| area(places) > 0.0));
        assert!(line(&[(5.0, 5.0)], false).stroked(3.0, false).is_empty(), "a point without round ends is nothing");
    }
}
