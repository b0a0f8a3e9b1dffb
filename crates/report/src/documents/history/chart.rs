use crate::documents::history::{creep_text, left_out, step_text, value_text};
use crate::elements::chart::{Axis, Chart, Measure, Plot, TrendCut, TrendMark, TrendPlot};
use crate::words::number::ratio;
use crate::words::text::{clean, Glyphs};
use tare_analysis::history::{Basis, History, Trend, TrendPoint};

/// Values, levels and steps; None without values. `is_spoken`: marks have tooltips, which make up most of a chart's size.
pub(crate) fn trend_chart(history: &History, trend: &Trend, is_spoken: bool) -> Option<Chart> {
    trend.points.iter().find_map(|point| trend.value(point))?;
    let (what, axis) = match &trend.basis {
        Basis::Ratio { base } => {
            let base = clean(base);
            (format!("ratio to {base}, measured in the same waves"), Axis::log("ratio", Measure::Ratio))
        }
        Basis::Time => ("time at the reference clock".to_owned(), Axis::log("time", Measure::Time)),
    };
    let mark = |point: &TrendPoint| {
        let run = history.runs.get(point.run);
        let day = run.map_or("", |run| run.created.split('T').next().unwrap_or_default());
        let text = || {
            let why = point.left_out.map(|why| format!("; {}", left_out(why))).unwrap_or_default();
            format!("{}{why}", value_text(history, trend, point, Glyphs::Unicode))
        };
        TrendMark {
            day: clean(day),
            value: trend.value(point),
            interval: trend.interval(point),
            is_used: point.left_out.is_none(),
            text: if is_spoken { text() } else { String::new() },
        }
    };
    let cut = |step: &tare_analysis::history::TrendStep| TrendCut {
        at: step.after,
        verdict: step.verdict,
        confirmed: step.confirmed,
        label: format!(
            "{} {}{}",
            step.verdict.word(),
            ratio(step.ratio, &step.interval),
            if step.confirmed { "" } else { "?" }
        ),
        text: step_text(history, trend, step),
    };
    let of_creep = |creep: &tare_analysis::history::TrendCreep| TrendCut {
        at: creep.first,
        verdict: creep.verdict,
        confirmed: true,
        label: format!("creep {}", ratio(creep.ratio, &creep.interval)),
        text: creep_text(history, trend, creep),
    };
    Some(Chart {
        title: clean(&trend.name),
        reading: format!(
            "{what}; one mark per run with its 95 % interval, one line per level; grey marks are not used to find steps"
        ),
        plot: Plot::Trend(TrendPlot {
            y: axis,
            marks: trend.points.iter().map(mark).collect(),
            levels: trend.levels.iter().map(|level| (level.first, level.last, level.value)).collect(),
            cuts: trend.steps.iter().map(cut).chain(trend.creep.iter().map(of_creep)).collect(),
        }),
    })
}
