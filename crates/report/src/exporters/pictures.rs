//! Pictures: SVG files without scripts, one kind of chart each.

use super::{Exporter, NoResult, Rendered, Shown, Subject};
use crate::chart::{
    bars_of_pairs, bars_of_rows, bars_of_run, boxes, comparison_dots, densities, means, panels_of_comparison,
    panels_of_run, picture, run_dots, scaling, strips, timeline, Chart, Panel, Plot, Source,
};
use crate::clean;
use crate::header::machine_line;
use tare_analysis::{traces, CaseTrace};

const fn exporter(
    name: &'static str,
    extension: &'static str,
    about: &'static str,
    details: &'static str,
    render: for<'a> fn(&'a Shown<'a>) -> Rendered<'a>,
) -> Exporter {
    Exporter {
        name,
        extension,
        about,
        details,
        schema: "",
        readers: "browsers, documents, slides",
        // The summary of a command has one picture, the help all of them.
        common: matches!(extension.as_bytes(), b".svg"),
        needs_run: false,
        render,
        render_failure,
    }
}

pub(super) const DOTS: Exporter = exporter(
    "svg",
    ".svg",
    "a picture: every case with its interval",
    "a picture of every case with its 95 % interval: ratios if there is a baseline, otherwise times; the minimum effect is shaded",
    |shown| draw(shown, "every case with its 95 % interval", None, |_, shown| dots(shown)),
);
pub(super) const BOXES: Exporter = exporter(
    "box",
    ".box.svg",
    "a picture: quartiles of the visits",
    "a picture of the quartiles of every case's visits, with whiskers to Tukey's fences",
    |shown| draw(shown, "quartiles of the visits", None, |panels, _| boxes(panels)),
);
pub(super) const BARS: Exporter = exporter(
    "bars",
    ".bars.svg",
    "a picture: times as bars from zero",
    "a picture of the time of every case as a bar from zero, with its 95 % interval",
    |shown| {
        let is_saved = matches!(shown.subject, Subject::Comparison(_, None));
        let kind = if is_saved { "times" } else { "times with their 95 % intervals" };
        draw(shown, kind, None, |panels, shown| match &shown.subject {
            Subject::Run(_, report) => bars_of_run(report),
            Subject::Comparison(saved, None) => bars_of_rows(saved),
            _ => bars_of_pairs(panels),
        })
    },
);
pub(super) const MEAN: Exporter = exporter(
    "mean",
    ".mean.svg",
    "a picture: the mean after each launch",
    "a picture of the mean of every case after each launch, with its 95 % interval: once it is flat, more launches change little",
    |shown| {
        draw(shown, "mean after each launch", Some(FEW_LAUNCHES), |panels, shown| {
            shown.subject.report().map_or_else(Vec::new, |report| means(panels, report))
        })
    },
);
pub(super) const DENSITY: Exporter = exporter(
    "density",
    ".density.svg",
    "a picture: distributions of the visits",
    "a picture of the distributions of visits, with both sides, or all cases of a group, on one axis",
    |shown| draw(shown, "distributions of the visits", None, |panels, _| densities(panels)),
);
pub(super) const STRIP: Exporter = exporter(
    "strip",
    ".strip.svg",
    "a picture: every visit of every launch",
    "a picture of every visit of every launch in the order of the run, including dropped visits and why they were dropped",
    |shown| draw(shown, "every visit", None, |panels, _| strips(panels)),
);
pub(super) const TIMELINE: Exporter = exporter(
    "timeline",
    ".timeline.svg",
    "a picture: launches over the time of the run",
    "a picture of all launches over the time of the run, each relative to the median of its case",
    |shown| draw_source(shown, "timeline", None, |source| timeline(source).into_iter().collect()),
);
pub(super) const SCALING: Exporter = exporter(
    "scaling",
    ".scaling.svg",
    "a picture: time over numeric parameters",
    "a picture of the time over each numeric parameter, with the order of growth that fits best",
    |shown| draw_source(shown, "scaling", Some(NO_PARAMETER), |source| scaling(source.report)),
);

/// What a picture shows, and what it was measured with.
fn title(shown: &Shown, kind: &str) -> [String; 2] {
    let of = match &shown.subject {
        Subject::Run(_, report) => format!("run {}; {}", clean(&report.run), machine_line(report)),
        Subject::Comparison(c, run) => {
            let machine = run.map(|(_, report)| format!("; {}", machine_line(report))).unwrap_or_default();
            format!("{} against {}{machine}", clean(&c.new.name), clean(&c.base.name))
        }
        Subject::Matrix(..) => String::new(),
    };
    [kind.to_owned(), of]
}

/// Charts of the panels of a subject, which only a run has.
fn draw<'a>(
    shown: &'a Shown<'a>,
    kind: &str,
    why: Option<&'static str>,
    make: impl Fn(&[Panel], &Shown) -> Vec<Chart>,
) -> Rendered<'a> {
    let visits = of_run(shown);
    let source = shown.subject.report().map(|report| Source { report, traces: &visits });
    let panels = match (&shown.subject, &source) {
        (Subject::Run(..), Some(source)) => panels_of_run(source),
        (Subject::Comparison(c, _), Some(source)) => panels_of_comparison(c, source),
        _ => Vec::new(),
    };
    rendered(&title(shown, kind), &make(&panels, shown), nothing(shown, why))
}

fn draw_source<'a>(
    shown: &'a Shown<'a>,
    kind: &str,
    why: Option<&'static str>,
    make: impl Fn(&Source) -> Vec<Chart>,
) -> Rendered<'a> {
    let visits = of_run(shown);
    let source = shown.subject.report().map(|report| Source { report, traces: &visits });
    let charts = source.iter().flat_map(make).collect::<Vec<Chart>>();
    rendered(&title(shown, kind), &charts, nothing(shown, why))
}

/// The picture of some charts; without any `why` is what it says.
pub(crate) fn rendered<'a>(title: &[String; 2], charts: &[Chart], why: &'static str) -> Rendered<'a> {
    let text = picture(title, charts, why);
    if charts.is_empty() {
        Rendered::Nothing { text, why }
    } else {
        Rendered::Text(text)
    }
}

/// A line takes three values of a parameter.
const NO_PARAMETER: &str = "nothing to draw: no numeric parameter has three values or more";

/// A mean has an interval from four launches on.
const FEW_LAUNCHES: &str = "nothing to draw: no case has four launches or more";

/// Why there is no chart.
fn nothing(shown: &Shown, why: Option<&'static str>) -> &'static str {
    match shown.subject.run() {
        Some(_) => why.unwrap_or("nothing to draw: nothing was measured"),
        None => "nothing to draw: the single measurements are unknown",
    }
}

fn of_run(shown: &Shown) -> Vec<CaseTrace> {
    shown.subject.run().map(traces).unwrap_or_default()
}

fn dots(shown: &Shown) -> Vec<Chart> {
    match &shown.subject {
        Subject::Run(_, report) => run_dots(report),
        Subject::Comparison(comparison, _) => {
            let chart = |plot| Chart {
                title: "ratio of each benchmark with its 95 % interval".to_owned(),
                reading: "the shaded strip around 1 is the minimum effect".to_owned(),
                plot: Plot::Dots(plot),
            };
            comparison_dots(comparison).map(chart).into_iter().collect()
        }
        Subject::Matrix(..) => Vec::new(),
    }
}

/// A picture that says so.
fn render_failure(failure: &NoResult) -> String {
    picture(&["nothing was measured".to_owned(), String::new()], &[], &failure.error)
}
