//! criterion's folders: `target/criterion/<directory>/<baseline>/{sample,estimates,benchmark}.json`. All samples are from one process.
//!
//! The value of a sample is its `times` in ns divided by its `iters`. With linear sampling, the first samples are short and scatter more;
//! the trimmed mean tolerates that. `base` is the previous run, `new` the latest, others were saved by name. criterion calls these files
//! private; the forms of 0.3 to 0.8 are alike. They lack everything about machine, compiler and time.
//!
//! A throughput is a rate, which only repeats the time as long as an iteration processes the same amount.

use super::Format;
use crate::builder::{calls, parameter, parameter_suffix, Builder};
use crate::node::{Fault, Node};
use tare_analysis::{Better, SavedCase, SavedDesign, SavedSummary, ShownTime};

pub(crate) const FORMAT: Format = Format {
    tool: "criterion",
    known_as: "criterion (the folder `target/criterion`)",
    too_little: &[(&["time:   ["], "criterion's text, which is rounded", "compare its folder `target/criterion`")],
    ..Format::NONE
};

pub(crate) const SAMPLE: &str = "sample.json";

#[derive(Default)]
pub(crate) struct Files {
    pub sample: Option<Node>,
    pub estimates: Option<Node>,
    pub benchmark: Option<Node>,
    /// Names of unreadable files, and why.
    pub broken: Vec<(&'static str, String)>,
}

impl Files {
    pub fn has_values(&self) -> bool {
        self.sample.is_some() || self.estimates.is_some()
    }

    /// The unreadable files as text: ``its `sample.json` is cut off: ...``.
    pub fn broken_text(&self) -> Option<String> {
        let texts: Vec<String> = self.broken.iter().map(|(file, why)| format!("its `{file}` {why}")).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    pub fn full_name(&self) -> Option<&str> {
        self.benchmark.as_ref()?.text_at("full_id")
    }
}

/// Adds a benchmark; `directory` is its name if `benchmark.json` is missing.
pub(crate) fn add(builder: &mut Builder, directory: &str, files: &Files) -> Result<(), Fault> {
    let about = files.benchmark.as_ref();
    let text = |field: &str| about.and_then(|b| b.text_at(field));
    let key = text("full_id").unwrap_or(directory);
    let value = text("value_str");
    let parameters: Vec<_> = value.map(|v| parameter("value", v)).into_iter().collect();
    let (group, name) = match (text("group_id"), text("function_id")) {
        (Some(group), Some(function)) => (group, function),
        // A benchmark without a group is in one of its own name.
        (Some(group), None) => ("", group),
        (None, _) => ("", directory),
    };
    let mut case = SavedCase {
        group: group.to_owned(),
        language: "rust".to_owned(),
        design: SavedDesign::Iterations,
        ..SavedCase::new(key, name)
    };
    let distinction = parameter_suffix(&parameters);
    case.parameters = parameters;
    // criterion shows the slope over all samples if there is one, else the mean.
    let shown = files.estimates.as_ref().and_then(|estimates| summary(estimates).mean_ns);
    case.shown = shown.filter(|ns| *ns > 0.0).map(ShownTime::Time);
    if let Some(sample) = &files.sample {
        case.launches = vec![sampled(sample)?];
        case.calls = calls(sample.need("iters")?.numbers()?.into_iter().map(Some));
    } else if let Some(estimates) = &files.estimates {
        case.design = SavedDesign::Summary(summary(estimates));
    }
    case.metrics = about.map(|about| throughput(&case, about)).unwrap_or_default();
    builder.case(case, distinction)
}

/// Time of an iteration in each sample, ns.
pub(crate) fn sampled(sample: &Node) -> Result<Vec<f64>, Fault> {
    let times = sample.need("times")?;
    let (counts, elapsed) = (sample.need("iters")?.numbers()?, times.numbers()?);
    if counts.len() != elapsed.len() {
        return Err(times.wrong("a list as long as `iters`"));
    }
    Ok(elapsed.iter().zip(&counts).map(|(ns, n)| ns / n).collect())
}

fn summary(estimates: &Node) -> SavedSummary {
    let point = |name: &str| estimates.get(name).and_then(|e| e.number_at("point_estimate"));
    SavedSummary {
        mean_ns: point("slope").or_else(|| point("mean")),
        median_ns: point("median"),
        sd_ns: point("std_dev"),
        values: None,
    }
}

/// The amount that an iteration processes per second, if the benchmark states its amount.
fn throughput(case: &SavedCase, about: &Node) -> Vec<SavedCase> {
    let Some((kind, amount)) = about.get("throughput").and_then(|t| t.fields().first()) else { return Vec::new() };
    let amount = amount.plain_number().filter(|amount| amount.is_finite() && *amount > 0.0);
    let Some(amount) = amount.filter(|_| !case.launches.is_empty()) else { return Vec::new() };
    let unit = if kind.starts_with("Bytes") { "bytes/s".to_owned() } else { format!("{}/s", kind.to_lowercase()) };
    let rates = case.launches.iter().map(|launch| launch.iter().map(|ns| amount / (ns * 1e-9)).collect()).collect();
    vec![SavedCase { drifts: true, operations: Some(amount), ..Builder::metric(case, &unit, Better::Higher, rates) }]
}
