//! Pictures: SVG files without scripts, one kind of chart each.

use super::{exporter, Exporter, Needs, NoResult, Render, Rendered};
use crate::elements::chart::svg::picture;
use crate::elements::chart::Chart;
use crate::parts::charts::{boxes, densities, means, scaling, strips, timeline, Panel, Source};
use crate::subjects::presentation::Presentation;
use crate::subjects::Picture;
use tare_analysis::traces;

const fn picture_of(words: [&'static str; 3], render: for<'a> fn(&'a Presentation<'a>) -> Rendered<'a>) -> Exporter {
    exporter(words, Needs::Picture, Render::Any(render), render_failure)
}

pub(super) const DOTS: Exporter = picture_of(["svg", ".svg", "a picture: every case with its interval"], |shown| {
    let Picture { title, charts, why } = shown.subject.dots();
    rendered(shown, title, charts, why)
});
pub(super) const BOXES: Exporter = picture_of(["box", ".box.svg", "a picture: quartiles of the visits"], |shown| {
    draw(shown, "quartiles of the visits", None, |panels, _| boxes(panels))
});
pub(super) const BARS: Exporter = picture_of(["bars", ".bars.svg", "a picture: times as bars from zero"], |shown| {
    let kind = if shown.subject.measured().is_some() { "times with their 95 % intervals" } else { "times" };
    draw(shown, kind, None, |panels, _| shown.subject.bars(panels))
});
pub(super) const MEAN: Exporter = picture_of(["mean", ".mean.svg", "a picture: the mean after each launch"], |shown| {
    draw(shown, "mean after each launch", Some(FEW_LAUNCHES), |panels, source| {
        source.map_or_else(Vec::new, |source| means(panels, source.report))
    })
});
pub(super) const DENSITY: Exporter =
    picture_of(["density", ".density.svg", "a picture: distributions of the visits"], |shown| {
        draw(shown, "distributions of the visits", None, |panels, _| densities(panels))
    });
pub(super) const STRIP: Exporter =
    picture_of(["strip", ".strip.svg", "a picture: every visit of every launch"], |shown| {
        draw(shown, "every visit", None, |panels, _| strips(panels))
    });
pub(super) const TIMELINE: Exporter =
    picture_of(["timeline", ".timeline.svg", "a picture: launches over the time of the run"], |shown| {
        draw_source(shown, "timeline", None, |source| timeline(source).into_iter().collect())
    });
pub(super) const SCALING: Exporter =
    picture_of(["scaling", ".scaling.svg", "a picture: time over numeric parameters"], |shown| {
        draw_source(shown, "scaling", Some(NO_PARAMETER), |source| scaling(source.report))
    });

/// Charts of a subject's panels, which need measurements.
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

/// The picture of some charts, or the reason why there are none.
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

/// A line needs three values of a parameter.
const NO_PARAMETER: &str = "nothing to draw: no numeric parameter has three values or more";

/// The interval of a mean needs four launches.
const FEW_LAUNCHES: &str = "nothing to draw: no case has four launches or more";

fn render_failure(failure: &NoResult) -> String {
    picture(&["nothing was measured".to_owned(), String::new()], &[], &failure.error)
}
