//! Pictures: SVG files without scripts, one kind of chart each.

use super::{Exporter, Needs, NoResult, Presentation, Rendered};
use crate::chart::{boxes, densities, means, picture, scaling, strips, timeline, Chart, Panel, Source};
use crate::subjects::Picture;
use tare_analysis::traces;

const fn exporter(
    name: &'static str,
    extension: &'static str,
    about: &'static str,
    details: &'static str,
    render: for<'a> fn(&'a Presentation<'a>) -> Rendered<'a>,
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
        needs: Needs::Picture,
        render,
        render_failure,
    }
}

pub(super) const DOTS: Exporter = exporter(
    "svg",
    ".svg",
    "a picture: every case with its interval",
    "a picture of every case with its 95 % interval: ratios if there is a baseline, otherwise times; the minimum effect is shaded",
    |shown| {
        let Picture { title, charts, why } = shown.subject.dots();
        rendered(shown, title, charts, why)
    },
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
        let has_intervals = shown.subject.bars_have_intervals();
        let kind = if has_intervals { "times with their 95 % intervals" } else { "times" };
        draw(shown, kind, None, |panels, _| shown.subject.bars(panels))
    },
);
pub(super) const MEAN: Exporter = exporter(
    "mean",
    ".mean.svg",
    "a picture: the mean after each launch",
    "a picture of the mean of every case after each launch, with its 95 % interval: once it is flat, more launches change little",
    |shown| {
        draw(shown, "mean after each launch", Some(FEW_LAUNCHES), |panels, source| {
            source.map_or_else(Vec::new, |source| means(panels, source.report))
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

/// Charts of the panels of a subject, which only what was measured has.
fn draw<'a>(
    shown: &'a Presentation<'a>,
    kind: &str,
    why: Option<&'static str>,
    make: impl Fn(&[Panel], Option<&Source>) -> Vec<Chart>,
) -> Rendered<'a> {
    let measured = shown.subject.measured();
    let visits = measured.map(|(run, _)| traces(run)).unwrap_or_default();
    let source = measured.map(|(_, report)| Source { report, traces: &visits });
    let panels = source.as_ref().map(|source| shown.subject.panels(source)).unwrap_or_default();
    rendered(shown, kind, make(&panels, source.as_ref()), why.filter(|_| measured.is_some()))
}

fn draw_source<'a>(
    shown: &'a Presentation<'a>,
    kind: &str,
    why: Option<&'static str>,
    make: impl Fn(&Source) -> Vec<Chart>,
) -> Rendered<'a> {
    draw(shown, kind, why, |_, source| source.into_iter().flat_map(&make).collect())
}

/// The picture of some charts; without any it says why.
pub(super) fn rendered<'a>(
    shown: &Presentation,
    kind: &str,
    charts: Vec<Chart>,
    why: Option<&'static str>,
) -> Rendered<'a> {
    let why = why.unwrap_or(match shown.subject.measured() {
        Some(_) => "nothing to draw: nothing was measured",
        None => "nothing to draw: the single measurements are unknown",
    });
    let text = picture(&[kind.to_owned(), shown.subject.about()], &charts, why);
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

/// A picture that says so.
fn render_failure(failure: &NoResult) -> String {
    picture(&["nothing was measured".to_owned(), String::new()], &[], &failure.error)
}
