//! Each subject in the two forms that people read.

use tare_analysis::Report;
use tare_report::{Compared, Document, Glyphs, Line, Medium, View, Volume};

pub fn screen(report: &Report, view: &View) -> Vec<Line> {
    tare_report::screen(&Document::of_run(report, None, &Medium::screen(view)), view)
}

pub fn markdown(report: &Report, glyphs: Glyphs) -> String {
    tare_report::markdown(&Document::of_run(report, None, &Medium::page(Volume::Default, glyphs)), glyphs, None)
}

pub fn comparison_screen(compared: &Compared, view: &View) -> Vec<Line> {
    tare_report::screen(&Document::of_comparison(compared, &Medium::screen(view)), view)
}

pub fn comparison_markdown(compared: &Compared, glyphs: Glyphs) -> String {
    tare_report::markdown(&Document::of_comparison(compared, &Medium::page(Volume::Default, glyphs)), glyphs, None)
}
