//! One row a benchmark with every figure at full precision (RFC 4180); what could not be compared has rows too.

use crate::csv::{record, Fields};
use tare_analysis::{Comparison, ComparisonRow, CountRow};

/// The comparison as CSV: a line of names, then a line a benchmark in the order of the new side. Times are in ns an operation,
/// shares from 0 to 1.
pub fn comparison_csv(comparison: &Comparison) -> String {
    let mut rows: Vec<Fields> = comparison.rows.iter().map(|row| compared(comparison, row)).collect();
    rows.extend(comparison.counted.iter().map(|count| counted(comparison, count)));
    let missing = [
        ("only-base", &comparison.only_base),
        ("only-new", &comparison.only_new),
        ("not-measured", &comparison.not_measured),
    ];
    for (state, names) in missing {
        let why = |name| comparison.why_not.get(name).map_or("", String::as_str);
        rows.extend(names.iter().map(|name| other(comparison, state, name, why(name))));
    }
    rows.extend(comparison.skipped.iter().map(|row| other(comparison, "skipped", &row.key, &row.text())));
    for failed in &comparison.failed {
        let state = if failed.side == 0 { "failed-base" } else { "failed-new" };
        rows.push(other(comparison, state, &failed.key, &failed.failure.cause.text()));
    }
    let names = rows.first().map(|f| record(&f.names)).unwrap_or_else(|| record(&names()));
    rows.iter().fold(names, |text, row| text + &record(&row.values))
}

fn compared(comparison: &Comparison, row: &ComparisonRow) -> Fields {
    let mut f = start(comparison, "compared", &row.key);
    let parameters: Vec<String> = row.parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
    f.put("group", &row.group);
    f.put("name", &row.name);
    f.put("parameters", parameters.join(", "));
    f.put("language", &row.language);
    f.number("base_ns", row.base_ns);
    f.number("new_ns", row.new_ns);
    f.number("ratio", Some(row.ratio));
    f.interval("ratio", row.interval.as_ref());
    f.put("verdict", row.verdict.word());
    f.number("p", row.p);
    f.number("q", row.q);
    f.number("certified_margin", row.certified_margin);
    f.number("minimum_effect", Some(row.minimum_effect).filter(|e| e.is_finite()));
    f.put("looks", row.looks);
    f.put("launches_base", row.launches[0]);
    f.put("launches_new", row.launches[1]);
    f.put("several_modes", row.several_modes);
    f.put("remark", &row.remark);
    let metric = row.metric.as_ref();
    f.put("metric", metric.map_or("", |m| &m.unit));
    f.number("base_metric", metric.map(|m| m.base));
    f.number("new_metric", metric.map(|m| m.new));
    f.put(
        "decide_with",
        row.decide_with.as_ref().map(|how| crate::again::decide(&comparison.request, how)).unwrap_or_default(),
    );
    f
}

/// What is counted and not judged: its values alone.
fn counted(comparison: &Comparison, count: &CountRow) -> Fields {
    let mut f = start(comparison, "counted", &count.key);
    let CountRow { metric, launches, .. } = count;
    for name in REST {
        match name {
            "metric" => f.put(name, &metric.unit),
            "base_metric" => f.number(name, Some(metric.base)),
            "new_metric" => f.number(name, Some(metric.new)),
            "launches_base" => f.put(name, launches[0]),
            "launches_new" => f.put(name, launches[1]),
            _ => f.put(name, ""),
        }
    }
    f
}

fn start(comparison: &Comparison, state: &str, key: &str) -> Fields {
    let mut f = Fields::new();
    f.put("run", &comparison.run);
    f.put("base", &comparison.base.name);
    f.put("new", &comparison.new.name);
    f.put("state", state);
    f.put("benchmark", key);
    f
}

/// Columns behind those that every row has.
const REST: [&str; 23] = [
    "group",
    "name",
    "parameters",
    "language",
    "base_ns",
    "new_ns",
    "ratio",
    "ratio_lower",
    "ratio_upper",
    "verdict",
    "p",
    "q",
    "certified_margin",
    "minimum_effect",
    "looks",
    "launches_base",
    "launches_new",
    "several_modes",
    "remark",
    "metric",
    "base_metric",
    "new_metric",
    "decide_with",
];

fn names() -> Vec<String> {
    ["run", "base", "new", "state", "benchmark"].iter().chain(&REST).map(|name| (*name).to_owned()).collect()
}

fn other(comparison: &Comparison, state: &str, key: &str, remark: &str) -> Fields {
    let mut f = start(comparison, state, key);
    for name in REST {
        f.put(name, if name == "remark" { remark } else { "" });
    }
    f
}
