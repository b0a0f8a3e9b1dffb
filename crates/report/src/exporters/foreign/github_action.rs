//! The format `customSmallerIsBetter` of github-action-benchmark, which charts results over commits.
//!
//! A value is the time in the table, without the loop; for a comparison, the new side's. Cases without a time are left out, as the action
//! cannot represent them, and so are metrics for which more is better or no direction is known.

use super::{plain, pretty};
use crate::exporters::{exporter, Exporter, Needs, Render};
use crate::subjects::values::{Case, Row, Values};
use crate::words::number::{half_width, significant};
use crate::words::text::Glyphs;
use serde_json::{json, Value};
use tare_stats::interval::Interval;

pub(crate) const GITHUB_ACTION: Exporter = exporter(
    ["github-action", ".github-action.json", "JSON for github-action-benchmark"],
    Needs::Nothing,
    Render::Values(render),
    |_| "[]\n".to_owned(),
);

fn render(values: &Values) -> String {
    let entries: Vec<Value> = match values.is_of_rows {
        false => values.cases.iter().filter_map(of_case).collect(),
        true => values.rows.iter().filter_map(of_row).collect(),
    };
    pretty(&Value::Array(entries))
}

fn of_case(case: &Case) -> Option<Value> {
    let value = case.time_ns.or(case.below_ns)?;
    let interval = case.time_lower_ns.zip(case.time_upper_ns).map(|(lower, upper)| Interval { lower, upper });
    let mut extra = vec![format!("{} launches, {} visits", case.launches.len(), case.visits_valid)];
    if case.below_ns.is_some() {
        extra.push("less than this: it cannot be distinguished from an empty loop".to_owned());
    }
    if let (Some(base), Some(ratio)) = (&case.base, case.ratio) {
        let ratio = significant(ratio, 4);
        extra.push(format!("{}: {ratio} times the time of {}", case.verdict, plain(base)));
    }
    let mut entry = json!({
        "name": plain(&case.label),
        "unit": format!("ns/{}", plain(case.unit)),
        "value": value,
        "extra": extra.join("\n"),
    });
    if let Some(interval) = interval {
        entry["range"] = half_width(value, &interval, Glyphs::Unicode).into();
    }
    Some(entry)
}

fn of_row(row: &Row) -> Option<Value> {
    // A fall would be charted as an improvement.
    if !row.less_is_better {
        return None;
    }
    let (value, unit) = match row.metric.as_str() {
        "" => (row.new_ns?, "ns/op".to_owned()),
        unit => (row.new_metric?, plain(unit)),
    };
    let name = row.label.clone();
    let extra = row.ratio.map(|ratio| {
        let launches = format!("{} and {} launches", row.launches_base, row.launches_new);
        format!("{}: {} times the base\n{launches}", row.verdict, significant(ratio, 4))
    });
    Some(json!({ "name": plain(&name), "unit": unit, "value": value, "extra": extra.unwrap_or_default() }))
}
