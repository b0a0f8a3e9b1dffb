//! criterion's folders: `target/criterion/<directory>/<baseline>/{sample,estimates,benchmark}.json`. All samples are of one process.
//!
//! A sample of `iters` iterations took `times` ns: their quotient is the value. With linear sampling the first samples are short and
//! scatter more; the trimmed mean bears that. `base` is the run before, `new` the last one, others were saved by name. criterion
//! calls these files private; the forms of 0.3 to 0.8 are alike. They lack everything about machine, compiler and time.

use crate::builder::{parameter, parameter_suffix, Builder};
use crate::node::{Fault, Node};
use tare_analysis::{SavedCase, SavedDesign, SavedSummary};

/// The parsed files of one benchmark at one baseline.
#[derive(Default)]
pub(crate) struct Files {
    /// `sample.json`.
    pub sample: Option<Node>,
    /// `estimates.json`.
    pub estimates: Option<Node>,
    /// `benchmark.json`.
    pub benchmark: Option<Node>,
}

/// Adds a benchmark; `directory` stands for its name where `benchmark.json` is missing.
pub(crate) fn add(builder: &mut Builder, directory: &str, files: &Files) -> Result<(), Fault> {
    let about = files.benchmark.as_ref();
    let text = |field: &str| about.and_then(|b| b.text_at(field));
    let key = text("full_id").unwrap_or(directory);
    let value = text("value_str");
    let parameters: Vec<_> = value.map(|v| parameter("value", v)).into_iter().collect();
    let (group, name) = match (text("group_id"), text("function_id")) {
        (Some(group), Some(function)) => (group, function),
        // A benchmark without a group stands in one of its own name.
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
    if let Some(sample) = &files.sample {
        let (iterations, times) = (sample.need("iters")?, sample.need("times")?);
        let (counts, elapsed) = (iterations.numbers()?, times.numbers()?);
        if counts.len() != elapsed.len() {
            return Err(times.wrong("a list as long as `iters`"));
        }
        case.launches = vec![elapsed.iter().zip(&counts).map(|(ns, n)| ns / n).collect()];
    } else if let Some(estimates) = &files.estimates {
        let point = |field: &str| estimates.get(field).and_then(|e| e.number_at("point_estimate"));
        case.design = SavedDesign::Summary(SavedSummary {
            mean_ns: point("slope").or_else(|| point("mean")),
            median_ns: point("median"),
            sd_ns: point("std_dev"),
            values: None,
        });
    }
    builder.case(case, distinction)
}
