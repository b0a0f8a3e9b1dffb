//! Every screen as a snapshot: look at them when they change.

use crate::reports;
use tare_analysis::Report;
use tare_report::{screen, Glyphs, View, Volume};

pub fn text(report: &Report, view: &View) -> String {
    let lines: Vec<String> = screen(report, view).iter().map(|line| line.plain()).collect();
    lines.join("\n") + "\n"
}

fn check(name: &str, report: &Report, volume: Volume, widths: &[usize]) {
    for &columns in widths {
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            let view = View { columns, glyphs, volume, saved: true };
            let glyphs = if glyphs == Glyphs::Unicode { "unicode" } else { "ascii" };
            insta::assert_snapshot!(format!("{name}-{columns}-{glyphs}"), text(report, &view));
        }
    }
}

#[test]
fn everything() {
    check("everything", &reports::everything(), Volume::Default, &[60, 80, 100, 120]);
}

#[test]
fn simple() {
    check("simple", &reports::simple(), Volume::Default, &[60, 80, 100]);
}

#[test]
fn compared() {
    check("compared", &reports::compared(), Volume::Default, &[80, 100]);
}

#[test]
fn verbose() {
    check("verbose", &reports::simple(), Volume::Verbose, &[60, 100]);
}

#[test]
fn quiet() {
    check("quiet", &reports::everything(), Volume::Quiet, &[80, 120]);
}

#[test]
fn interrupted() {
    let mut report = reports::simple();
    report.status = tare_model::RunStatus::Interrupted;
    report.resume_with = Some(format!("tare run --resume {}", report.run));
    report.cases[2].outcome = tare_analysis::Outcome::NotMeasured;
    check("interrupted", &report, Volume::Default, &[80]);
}
