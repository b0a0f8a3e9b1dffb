//! All details of a row of saved data, for pages on which rows can be opened.

use crate::elements::document::{Content, Document, Fact};
use crate::parts::charts::value_charts;
use crate::parts::comparison::{ratio_text, rows_of, ORDER};
use crate::parts::statistics::probability;
use crate::parts::tabulate::anchor_of;
use crate::words::number::{duration, percent, percent_set, ratio, ratio_interval};
use crate::words::text::{clean, plural, Glyphs};
use tare_analysis::{Comparison, ComparisonRow};

/// Most rows that can be opened: with more, the page would load slowly.
const ROWS_MAX: usize = 150;

/// The rows of saved data that can be opened, with the numbers in their anchors.
pub(crate) fn saved_rows(comparison: &Comparison) -> Vec<(&ComparisonRow, u32)> {
    let rows = ORDER.into_iter().flat_map(|verdict| rows_of(comparison, verdict, None).0);
    rows.filter(|row| row.metric.is_none()).take(ROWS_MAX).zip(0..).collect()
}

pub(crate) fn add_saved(document: &mut Document, comparison: &Comparison, row: &ComparisonRow, number: u32) {
    let mut contents = Vec::new();
    if !row.remark.is_empty() {
        contents.push(Content::Note(clean(&row.remark)));
    }
    let names = [clean(&comparison.base.name), clean(&comparison.new.name)];
    let values = comparison.values.get(&row.key);
    if let Some(sides) = values {
        let charts = value_charts(names.each_ref().map(String::as_str), sides);
        contents.extend(charts.into_iter().map(Content::chart));
    }
    contents.push(Content::Sheet(facts(row, values)));
    if values.is_none_or(|sides| sides.iter().flatten().all(Vec::is_empty)) {
        contents.push(Content::Note("the results have no single values, so no distribution can be drawn".to_owned()));
    }
    document.fold_at(clean(&comparison.labels().of(row)), anchor_of(number), contents);
}

fn facts(row: &ComparisonRow, values: Option<&[Vec<Vec<f64>>; 2]>) -> Vec<Fact> {
    let glyphs = Glyphs::Unicode;
    let side = |at: usize, ns: Option<f64>| {
        let mut items = vec![ns.map_or("not distinguishable from zero".to_owned(), |ns| duration(ns, glyphs))];
        items.extend(row.own_errors.map(|errors| format!("±{} according to the tool", percent(errors[at]))));
        items.push(plural(row.launches[at], "process"));
        let kept: usize = values.map_or(0, |sides| sides[at].iter().map(Vec::len).sum());
        if kept > 0 {
            items.push(plural(kept, "value"));
        }
        items
    };
    let mut judged = vec![row.verdict.word().to_owned()];
    judged.push(match &row.interval {
        _ if row.has_no_ratio() => ratio_text(row),
        Some(interval) => format!("{}, 95 % {}", ratio(row.ratio, interval), ratio_interval(interval)),
        None => format!("{:.3}, without an interval", row.ratio),
    });
    judged.extend(row.p.map(|p| format!("p {}", probability(p))));
    judged.extend(row.q.map(|q| format!("q {}", probability(q))));
    if row.minimum_effect.is_finite() {
        judged.push(format!("minimum effect {}", percent_set(row.minimum_effect)));
    }
    judged.extend(row.certified_margin.filter(|m| m.is_finite()).map(|m| format!("the same within {}", percent(m))));
    vec![Fact::new("base", side(0, row.base_ns)), Fact::new("new", side(1, row.new_ns)), Fact::new("ratio", judged)]
}
