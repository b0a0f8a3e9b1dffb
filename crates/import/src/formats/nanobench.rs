//! nanobench's JSON (`templates::json()`): epochs of one process, in seconds for one iteration; an iteration does `batch` operations.
//!
//! Own templates may leave out the list's object, epochs or medians: what is there is read, and a result without any time fails alone.
//!
//! It lacks: machine, compiler, flags, version, time. A counter that the kernel refused is written as 0, so none is read. Names are
//! not escaped, which breaks the JSON; `nan` stands bare in it (cpp.md 3).

use crate::builder::{parameter, parameter_suffix, Builder};
use crate::node::{Fault, Node};
use tare_analysis::{fact, Saved, SavedCase, SavedDesign, SavedSummary};

const NS: f64 = 1e9;

pub(crate) fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("nanobench");
    let results = match root.list() {
        Ok(results) => results,
        Err(_) => root.need("results")?.list()?,
    };
    if let Some(first) = results.first() {
        builder.fact(fact::SETTINGS, settings(first));
    }
    for result in results {
        let name = result.need("name")?.text()?;
        let title = result.text_at("title").unwrap_or_default();
        let batch = result.number_at("batch").filter(|b| *b > 0.0).unwrap_or(1.0);
        let size = result.number_at("complexityN").filter(|n| *n > 0.0);
        let parameters: Vec<_> = size.map(|n| parameter("N", n.to_string())).into_iter().collect();
        let group = if title == "benchmark" { "" } else { title };
        let full = if group.is_empty() { name.to_owned() } else { format!("{group}/{name}") };
        let mut case = SavedCase {
            group: group.to_owned(),
            language: "c++".to_owned(),
            unit: result.text_at("unit").unwrap_or("op").to_owned(),
            operations: Some(batch),
            design: SavedDesign::Iterations,
            ..SavedCase::new(format!("{full}{}", parameter_suffix(&parameters)), name)
        };
        case.parameters = parameters;
        match result.get("measurements") {
            Some(measurements) => {
                let elapsed = measurements.list()?.iter().map(|m| m.need("elapsed")?.number());
                let values = elapsed.map(|s| s.map(|s| s * NS / batch)).collect::<Result<Vec<f64>, Fault>>()?;
                case.launches = vec![values];
            }
            None if result.get("median(elapsed)").is_none() => {
                builder.lost(&case, "neither epochs nor a median was rendered");
                continue;
            }
            None => {
                let median = result.need("median(elapsed)")?.number()? * NS / batch;
                let error = result.number_at("medianAbsolutePercentError(elapsed)");
                case.design = SavedDesign::Summary(SavedSummary {
                    mean_ns: None,
                    median_ns: Some(median),
                    // The median absolute deviation of a normal sample is 0.6745 standard deviations.
                    sd_ns: error.map(|e| e * median / 0.6745),
                    values: result.number_at("epochs").map(|n| n as u64),
                });
            }
        }
        // `b/c` of title `a` and `c` of title `a/b` are two: their titles tell them apart.
        builder.case(case, format!("@{title}"))?;
    }
    builder.finish("nanobench".to_owned())
}

/// What changes how an epoch is measured.
fn settings(result: &Node) -> Option<String> {
    let fields = ["epochs", "minEpochTime", "minEpochIterations", "epochIterations", "warmup"];
    let parts: Vec<String> = fields.iter().filter_map(|f| Some(format!("{f} {}", result.get(f)?.plain()?))).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
