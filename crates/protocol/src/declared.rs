//! A child's declarations: metrics, diagnosers and rates.

use crate::reply::{member, DecodeError};
use serde::Deserialize;
use tare_model::{Columns, Diagnoser, Metric, Per, Policy, PolicyOverlay, Rate};

#[derive(Deserialize)]
pub(crate) struct MetricLine {
    name: String,
    #[serde(default)]
    unit: String,
    better: Option<String>,
    per: Option<String>,
}

/// The metrics of a child. Those with a `per` unknown to this version are skipped.
pub(crate) fn metrics(lines: Vec<MetricLine>) -> Result<Vec<Metric>, DecodeError> {
    let mut found: Vec<Metric> = Vec::new();
    for MetricLine { name, unit, better, per } in lines {
        let shown: String = name.chars().take(60).collect();
        if !Metric::is_name(&name) {
            let rule = format!("the name of a metric {}", Metric::NAME_RULE);
            return Err(member("hello", format!("{rule}; not {shown:?}")));
        }
        if Columns::default().fixed().iter().any(|(column, _)| *column == name) || OTHER_COLUMNS.contains(&&*name) {
            return Err(member("hello", format!("the metric `{name}` has the name of a column in `measured`")));
        }
        if found.iter().any(|metric| metric.name == name) {
            return Err(member("hello", format!("two metrics have the name `{name}`")));
        }
        if let Some(per) = per.as_deref().map_or(Some(Per::default()), tare_model::named) {
            found.push(Metric {
                name,
                unit,
                better: better.as_deref().and_then(tare_model::named).unwrap_or_default(),
                per,
                exact: false,
            });
        }
    }
    Ok(found)
}

/// Columns of `measured` besides the optional ones with fixed names.
const OTHER_COLUMNS: [&str; 5] = ["elapsed_ns", "window_ns", "width_ns", "metrics", "events"];

#[derive(Deserialize)]
pub(crate) struct DiagnoserLine {
    name: String,
    metrics: Vec<MetricLine>,
    #[serde(default)]
    gives: Vec<String>,
}

/// The diagnosers of a child, given whether it has the capability.
pub(crate) fn diagnosers(lines: Vec<DiagnoserLine>, capability: bool) -> Result<Vec<Diagnoser>, DecodeError> {
    let wrong = |reason: String| Err(member("hello", format!("R23: {reason}")));
    if capability == lines.is_empty() {
        return wrong("the capability `diagnose` and the member `diagnosers` go together".to_owned());
    }
    let mut found: Vec<Diagnoser> = Vec::new();
    for DiagnoserLine { name, metrics: lines, gives } in lines {
        let shown: String = name.chars().take(60).collect();
        if !Metric::is_name(&name) {
            let rule = format!("the name of a diagnoser {}", Metric::NAME_RULE);
            return wrong(format!("{rule}; not {shown:?}"));
        }
        if found.iter().any(|diagnoser| diagnoser.name == name) {
            return wrong(format!("two diagnosers have the name `{name}`"));
        }
        if lines.is_empty() && gives.is_empty() {
            return wrong(format!("the diagnoser `{name}` has no metrics"));
        }
        found.push(Diagnoser { name, metrics: metrics(lines)?, gives });
    }
    Ok(found)
}

#[derive(Deserialize)]
pub(crate) struct RateLine {
    name: String,
    unit: Option<String>,
    per_invocation: serde_json::Number,
}

/// The amount that an invocation processes; Err: what is wrong with it.
pub(crate) fn amount(name: &str, given: &serde_json::Number) -> Result<f64, String> {
    let found = given.as_f64().filter(|amount| amount.is_finite() && *amount >= 0.0);
    found.ok_or_else(|| format!("the amount of the rate `{name}` is {given}; it must be a number of at least 0"))
}

/// The rates of a benchmark; Err: what is wrong with one.
pub(crate) fn rates(lines: Vec<RateLine>) -> Result<Vec<Rate>, String> {
    let mut found: Vec<Rate> = Vec::new();
    for RateLine { name, unit, per_invocation } in lines {
        if !Metric::is_name(&name) {
            let shown: String = name.chars().take(60).collect();
            let rule = format!("the name of a rate {}", Metric::NAME_RULE);
            return Err(format!("{rule}; not {shown:?}"));
        }
        if found.iter().any(|rate| rate.name == name) {
            return Err(format!("two rates have the name `{name}`"));
        }
        let per_invocation = amount(&name, &per_invocation)?;
        let unit = unit.unwrap_or_else(|| if name == Rate::BYTES { "B".to_owned() } else { String::new() });
        found.push(Rate { name, unit, per_invocation });
    }
    Ok(found)
}

#[derive(Default, Deserialize)]
pub(crate) struct PolicyLine {
    invocations: Option<serde_json::Number>,
    warmup_ns: Option<serde_json::Number>,
    visit_ns: Option<serde_json::Number>,
    memory_randomization: Option<bool>,
}

/// The measuring rules in a declaration; Err: what is wrong with one.
pub(crate) fn policy(line: PolicyLine) -> Result<PolicyOverlay, String> {
    fn checked<T>(
        name: &str,
        given: Option<serde_json::Number>,
        rule: &str,
        read: impl Fn(&serde_json::Number) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let read = |given| read(&given).ok_or_else(|| format!("`{name}` of `policy` is {given}; it must be {rule}"));
        given.map(read).transpose()
    }
    let number = |from: &'static dyn Fn(f64) -> bool| {
        move |given: &serde_json::Number| given.as_f64().filter(|ns| *ns <= Policy::TIME_MAX_NS && from(*ns))
    };
    let whole = |given: &serde_json::Number| given.as_u64().filter(|n| *n >= 1);
    Ok(PolicyOverlay {
        invocations: checked("invocations", line.invocations, "a whole number of at least 1", whole)?,
        warmup_ns: checked("warmup_ns", line.warmup_ns, "a number from 0 to 1e13", number(&|ns| ns >= 0.0))?,
        visit_ns: checked("visit_ns", line.visit_ns, "a number above 0, up to 1e13", number(&|ns| ns > 0.0))?,
        memory_randomization: line.memory_randomization,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{decode, Reply};
    use tare_model::Better;
    use tare_model::ChildFacts;

    fn hello(members: &str) -> Result<ChildFacts, String> {
        let line = format!(
            r#"{{"reply":"hello","protocol":1,"language":"c","front_end":"x","optimised":null,"clock":"c",
                "clock_resolution_ns":1,"unroll":1,{members}}}"#
        );
        match decode(line.as_bytes()) {
            Ok(Reply::Hello(facts)) => Ok(*facts),
            other => Err(other.expect_err("refused").to_string()),
        }
    }

    fn with_metrics(metrics: &str) -> Result<Vec<Metric>, String> {
        hello(&format!(r#""capabilities":[],"metrics":[{metrics}]"#)).map(|facts| facts.metrics)
    }

    #[test]
    fn metrics_are_what_the_child_says() {
        let found = with_metrics(
            r#"{"name":"allocated_bytes","unit":"B","better":"lower","per":"operation"},{"name":"depth","per":"iteration"},
                {"name":"x-mood","better":"greener"},{"name":"of_the_future","per":"planet"}"#,
        );
        let metric = |name: &str, unit: &str, better, per| Metric {
            name: name.into(),
            unit: unit.into(),
            better,
            per,
            exact: false,
        };
        let expected = [
            metric("allocated_bytes", "B", Better::Lower, Per::Operation),
            metric("depth", "", Better::Unknown, Per::Iteration),
            metric("x-mood", "", Better::Unknown, Per::Operation),
        ];
        assert_eq!(found.expect("metrics"), expected);
        for (metrics, part) in [
            (r#"{"name":"cache misses"}"#, "the name of a metric has"),
            (r#"{"name":"cpu_ns"}"#, "has the name of a column"),
            (r#"{"name":"window_ns"}"#, "has the name of a column"),
            (r#"{"name":"a"},{"name":"a"}"#, "two metrics have the name `a`"),
        ] {
            let error = with_metrics(metrics).expect_err("refused");
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn diagnosers_go_with_their_capability() {
        let with = |capability: &str, diagnosers: &str| {
            hello(&format!(r#""capabilities":[{capability}],"diagnosers":[{diagnosers}]"#))
                .map(|facts| facts.diagnosers)
        };
        let (can, memory) =
            (r#""diagnose""#, r#"{"name":"memory","metrics":[{"name":"peak","unit":"B","per":"iteration"}]}"#);
        let found = with(can, memory).expect("a diagnoser");
        assert_eq!((found[0].name.as_str(), found[0].metrics[0].per), ("memory", Per::Iteration));
        let found = with(can, r#"{"name":"profile","metrics":[],"gives":["stacks"]}"#).expect("a diagnoser");
        assert_eq!((found[0].metrics.len(), found[0].gives.as_slice()), (0, &["stacks".to_owned()][..]));
        for (capability, diagnosers, part) in [
            (can, "", "go together"),
            ("", memory, "go together"),
            (can, r#"{"name":"two words","metrics":[{"name":"a"}]}"#, "the name of a diagnoser"),
            (can, r#"{"name":"a","metrics":[]}"#, "`a` has no metrics"),
            (can, &format!("{memory},{memory}"), "two diagnosers have the name `memory`"),
        ] {
            let error = with(capability, diagnosers).expect_err("refused");
            assert!(error.contains("R23: ") && error.contains(part), "{error}");
        }
    }
}
