//! Badges: small pictures for a README.

use crate::chart::svg::escape;
use crate::label::short;
use crate::{clean, duration, ratio, width, Glyphs};
use tare_analysis::history::{Basis, History, Trend};
use tare_analysis::Verdict;

/// Runs in which a step counts as recent, as for a gate.
const RECENT_RUNS: usize = tare_analysis::gate::RECENT_RUNS;
/// Width of a letter and of the space beside a text, px.
const LETTER: usize = 7;
const BESIDE: usize = 12;

/// How many benchmarks have changed recently.
pub(super) fn of_history(history: &History) -> String {
    let recent: Vec<Verdict> = history.trends.iter().filter_map(|trend| recent(history, trend)).collect();
    let count = |verdict| recent.iter().filter(|other| **other == verdict).count();
    let (slower, faster) = (count(Verdict::Slower), count(Verdict::Faster));
    match (slower, faster) {
        (0, 0) => badge("benchmarks", "no recent step", None),
        (0, faster) => badge("benchmarks", &format!("{faster} faster"), Some(Verdict::Faster)),
        (slower, 0) => badge("benchmarks", &format!("{slower} slower"), Some(Verdict::Slower)),
        (slower, faster) => badge("benchmarks", &format!("{slower} slower, {faster} faster"), Some(Verdict::Slower)),
    }
}

/// The newest value of a benchmark, coloured by a recent change.
pub(super) fn of_benchmark(history: &History, trend: &Trend) -> String {
    let used = trend.points.iter().rev().filter(|point| point.left_out.is_none());
    let value = used.filter_map(|point| Some((trend.value(point)?, trend.interval(point)))).next();
    let text = match (value, &trend.basis) {
        (None, _) => "no value".to_owned(),
        (Some((value, _)), Basis::Time) => duration(value, Glyphs::Unicode),
        (Some((value, Some(interval))), Basis::Ratio { base }) => {
            format!("{} of {}", ratio(value, &interval), short(&clean(base)))
        }
        (Some((value, None)), Basis::Ratio { .. }) => format!("ratio {}", crate::significant(value, 3)),
    };
    badge(&short(&clean(&trend.name)), &text, recent(history, trend))
}

/// The verdict of a change that is recent.
fn recent(history: &History, trend: &Trend) -> Option<Verdict> {
    let step = trend.steps.iter().rev().find(|step| step.confirmed && !step.accepted);
    let step = step.filter(|step| history.runs_since(trend, step) <= RECENT_RUNS).map(|step| step.verdict);
    trend.creep.filter(|creep| !creep.accepted).map(|creep| creep.verdict).or(step)
}

fn badge(label: &str, text: &str, verdict: Option<Verdict>) -> String {
    let colour = match verdict {
        Some(Verdict::Slower) => "#b3261e",
        Some(Verdict::Faster) => "#1b7f3b",
        _ => "#4b5563",
    };
    let room = |text: &str| width(text) * LETTER + BESIDE;
    let (left, right) = (room(label), room(text));
    let all = left + right;
    let (label, text) = (escape(label), escape(text));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"20\" role=\"img\" aria-label=\"{label}: {text}\">\n\
         <title>{label}: {text}</title>\n\
         <rect width=\"{left}\" height=\"20\" fill=\"#24292f\"/><rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{colour}\"/>\n\
         <g fill=\"#ffffff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n\
         <text x=\"{}\" y=\"14\">{label}</text><text x=\"{}\" y=\"14\">{text}</text>\n</g>\n</svg>\n",
        left / 2,
        left + right / 2
    )
}
