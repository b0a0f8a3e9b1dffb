//! Charts as SVG without scripts, for a page or a separate file.

mod density;
mod flame;
mod palette;
mod rows;
mod strip;
mod trend;
mod writer;

pub(crate) use palette::{page_colours, CHART_CSS};
pub use palette::{themed, Theme};
pub(crate) use rows::dot_range;
pub(crate) use writer::{escape, num, tone, TONES};

use super::{Chart, Plot};
use crate::words::text;
use crate::words::text::Glyphs;
use crate::words::text::{clean, cut_middle};
use writer::Svg;

pub(crate) fn chart(chart: &Chart) -> String {
    drawn(chart).inside()
}

pub(crate) fn is_wide(chart: &Chart) -> bool {
    matches!(
        chart.plot,
        Plot::Strip(_) | Plot::Dots(_) | Plot::Bars(_) | Plot::Boxes(_) | Plot::Trend(_) | Plot::Flame(_)
    )
}

fn drawn(chart: &Chart) -> Svg {
    match &chart.plot {
        Plot::Dots(plot) => rows::dots(chart, plot),
        Plot::Bars(plot) => rows::bars(chart, plot),
        Plot::Boxes(plot) => rows::boxes(chart, plot),
        Plot::Density(plot) => density::density(chart, plot),
        Plot::Strip(plot) => strip::strip(chart, plot),
        Plot::Lines(plot) => density::lines(chart, plot),
        Plot::Trend(plot) => trend::trend(chart, plot),
        Plot::Flame(plot) => flame::flame(chart, plot),
    }
}

/// Small charts of a picture share a row up to this width.
const PAGE: f64 = 760.0;
const BESIDE: f64 = 26.0;

fn width(row: &[(&Chart, Svg)]) -> f64 {
    row.iter().map(|(_, svg)| svg.width + BESIDE).sum::<f64>() - BESIDE
}

fn rows<'a, 'b>(mut charts: &'b [(&'a Chart, Svg)]) -> Vec<&'b [(&'a Chart, Svg)]> {
    let mut rows = Vec::new();
    while !charts.is_empty() {
        let fits = |n: &usize| width(&charts[..*n]) <= PAGE;
        let (row, rest) = charts.split_at((2..=charts.len()).take_while(fits).last().unwrap_or(1));
        rows.push(row);
        charts = rest;
    }
    rows
}

/// Charts as a separate file with light and dark colours; `nothing` explains why there are none.
pub(crate) fn picture([title, of]: &[String; 2], charts: &[Chart], nothing: &str) -> String {
    const GAP: f64 = 14.0;
    const EDGE: f64 = 12.0;
    const HEAD: f64 = 56.0;
    /// Width of a character in a heading, and in a chart's bold title.
    const TEXT_WIDTH: f64 = 6.8;
    const TITLE_WIDTH: f64 = 7.4;
    let drawn: Vec<(&Chart, Svg)> = charts.iter().map(|chart| (chart, drawn(chart).alone())).collect();
    let rows = rows(&drawn);
    // Texts above the charts may be wider.
    let texts = [of.as_str(), if charts.is_empty() { nothing } else { "" }];
    let text = texts.iter().map(|text| TEXT_WIDTH * text::width(text) as f64).fold(360.0, f64::max);
    let width = rows.iter().map(|row| width(row)).fold(text, f64::max);
    let (mut body, mut y) = (String::new(), HEAD);
    for row in rows {
        let mut x = EDGE;
        for (chart, svg) in row {
            // A title beside another chart is limited to its own chart's width.
            let room = if row.len() > 1 { svg.width } else { width } / TITLE_WIDTH;
            let title = escape(&cut_middle(&clean(&chart.title), room as usize, Glyphs::Unicode));
            body.push_str(&format!("<text class=\"title\" x=\"{}\" y=\"{}\">{title}</text>\n", num(x), num(y + GAP)));
            let moved = format!("translate({} {})", num(x), num(y + GAP + 8.0));
            body.push_str(&format!("<g transform=\"{moved}\">{}</g>\n", svg.body()));
            x += svg.width + BESIDE;
        }
        y += row.iter().map(|(_, svg)| svg.height).fold(0.0, f64::max) + 2.0 * GAP + 8.0;
    }
    let width = width + 2.0 * EDGE;
    if charts.is_empty() {
        body.push_str(&format!("<text class=\"title\" x=\"12\" y=\"76\">{}</text>\n", escape(nothing)));
        y += 44.0;
    }
    let (width, height) = (num(width), num(y));
    let (title, of) = (escape(title), escape(of));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"system-ui, sans-serif\">\n<title>{title}</title>\n<style>{}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n<text class=\"head\" x=\"12\" y=\"24\">{title}</text>\n\
         <text x=\"12\" y=\"42\">{of}</text>\n{body}</svg>\n",
        palette::file_colours()
    )
}
