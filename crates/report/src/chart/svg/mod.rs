//! Charts as SVG without scripts: in a page, or as a file of its own.

mod density;
mod ecdf;
mod lines;
mod palette;
mod rows;
mod strip;
mod trend;
mod writer;

pub(crate) use palette::{page_colours, CHART_CSS};
pub(crate) use rows::dot_range;
pub(crate) use writer::{escape, num, tone, TONES};

use super::{Chart, Plot};
use writer::Svg;

/// A chart drawn for a page: its colours are those of the page.
pub(crate) fn chart(chart: &Chart) -> String {
    drawn(chart).inside()
}

/// The width of a chart: some need a whole line.
pub(crate) fn is_wide(chart: &Chart) -> bool {
    matches!(chart.plot, Plot::Strip(_) | Plot::Dots(_) | Plot::Boxes(_) | Plot::Trend(_))
}

fn drawn(chart: &Chart) -> Svg {
    match &chart.plot {
        Plot::Dots(plot) => rows::dots(chart, plot),
        Plot::Boxes(plot) => rows::boxes(chart, plot),
        Plot::Density(plot) => density::density(chart, plot),
        Plot::Ecdf(plot) => ecdf::ecdf(chart, plot),
        Plot::Strip(plot) => strip::strip(chart, plot),
        Plot::Lines(plot) => lines::lines(chart, plot),
        Plot::Trend(plot) => trend::trend(chart, plot),
    }
}

/// Charts below each other as a file of its own, with its colours, light and dark; `nothing` says why there are none.
pub(crate) fn picture([title, of]: &[String; 2], charts: &[Chart], nothing: &str) -> String {
    const GAP: f64 = 14.0;
    const HEAD: f64 = 48.0;
    /// Of a character of a heading.
    const TEXT_WIDTH: f64 = 6.8;
    let drawn: Vec<(&Chart, Svg)> = charts.iter().map(|chart| (chart, drawn(chart))).collect();
    // Texts above the charts may be wider than these.
    let texts = [of.as_str(), if charts.is_empty() { nothing } else { "" }];
    let text = texts.iter().map(|text| TEXT_WIDTH * crate::width(text) as f64).fold(360.0, f64::max);
    let width = drawn.iter().map(|(_, svg)| svg.width).fold(text, f64::max) + 24.0;
    let (mut body, mut y) = (String::new(), HEAD);
    for (chart, svg) in &drawn {
        y += GAP;
        let title = escape(&chart.title);
        body.push_str(&format!("<text class=\"title\" x=\"12\" y=\"{}\">{title}</text>\n", num(y)));
        y += 8.0;
        body.push_str(&format!("<g transform=\"translate(12 {})\">{}</g>\n", num(y), svg.body()));
        y += svg.height + GAP;
    }
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
