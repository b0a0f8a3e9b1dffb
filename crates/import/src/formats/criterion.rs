//! criterion's folders: `target/criterion/<directory>/<baseline>/{sample,estimates,benchmark}.json`. All samples are of one process.
//!
//! A sample of `iters` iterations took `times` ns: their quotient is the value. With linear sampling the first samples are short and
//! scatter more; the trimmed mean bears that. `base` is the run before, `new` the last one, others were saved by name. criterion
//! calls these files private; the forms of 0.3 to 0.8 are alike. Before 0.3 a sample was a list of two lists and the names of
//! estimates began with capitals; versions up to 0.3 wrote `raw.csv` too, which is read where there is no sample. They lack everything
//! about machine, compiler and time.
//!
//! A throughput is a rate: it says what the time says, as long as an iteration processes as much.

use crate::builder::{calls, parameter, parameter_suffix, Builder};
use crate::node::{Fault, Node, Value};
use tare_analysis::{Better, SavedCase, SavedDesign, SavedSummary, ShownTime};

/// The name of the file with the samples.
pub(crate) const SAMPLE: &str = "sample.json";

/// The parsed files of one benchmark at one baseline.
#[derive(Default)]
pub(crate) struct Files {
    /// `sample.json`.
    pub sample: Option<Node>,
    /// `estimates.json`.
    pub estimates: Option<Node>,
    /// `benchmark.json`.
    pub benchmark: Option<Node>,
    /// `raw.csv`.
    pub raw: Option<String>,
    /// Names of those that cannot be read, and why.
    pub broken: Vec<(&'static str, String)>,
}

impl Files {
    /// There is something to compare.
    pub fn has_values(&self) -> bool {
        self.sample.is_some() || self.estimates.is_some() || self.raw.is_some()
    }

    /// What cannot be read, in words: ``its `sample.json` is cut off: ...``.
    pub fn broken_text(&self) -> Option<String> {
        let texts: Vec<String> = self.broken.iter().map(|(file, why)| format!("its `{file}` {why}")).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    /// The name of the benchmark, where criterion noted it.
    pub fn full_name(&self) -> Option<&str> {
        self.benchmark.as_ref()?.text_at("full_id")
    }
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
    let of_raw = files.raw.as_deref().and_then(raw_values);
    // It shows the slope where all samples together have one, else the mean.
    let shown = files.estimates.as_ref().and_then(|estimates| summary(estimates).mean_ns);
    case.shown = shown.filter(|ns| *ns > 0.0).map(ShownTime::Time);
    if let Some(sample) = &files.sample {
        case.launches = vec![sampled(sample)?];
        let (iterations, _) = columns(sample)?;
        case.calls = calls(iterations.numbers()?.into_iter().map(Some));
    } else if let Some(values) = of_raw {
        case.launches = vec![values];
    } else if let Some(estimates) = &files.estimates {
        case.design = SavedDesign::Summary(summary(estimates));
    }
    case.metrics = about.map(|about| throughput(&case, about)).unwrap_or_default();
    builder.case(case, distinction)
}

/// Time of an iteration of each sample, ns.
pub(crate) fn sampled(sample: &Node) -> Result<Vec<f64>, Fault> {
    let (iterations, times) = columns(sample)?;
    let (counts, elapsed) = (iterations.numbers()?, times.numbers()?);
    if counts.len() != elapsed.len() {
        return Err(times.wrong("a list as long as `iters`"));
    }
    Ok(elapsed.iter().zip(&counts).map(|(ns, n)| ns / n).collect())
}

/// Iterations and times.
fn columns(sample: &Node) -> Result<(&Node, &Node), Fault> {
    match &sample.value {
        Value::List(lists) => match &lists[..] {
            [iterations, times] => Ok((iterations, times)),
            _ => Err(sample.wrong("a list of iterations and one of times")),
        },
        _ => Ok((sample.need("iters")?, sample.need("times")?)),
    }
}

/// The same of `raw.csv`; None where it holds no times.
fn raw_values(text: &str) -> Option<Vec<f64>> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let heads: Vec<&str> = lines.next()?.split(',').map(str::trim).collect();
    let place = |names: &[&str]| heads.iter().position(|head| names.contains(head));
    let value = place(&["sample_measured_value", "sample_time_nanos"])?;
    let (count, unit) = (place(&["iteration_count"])?, place(&["unit"]));
    let from_end = |place: usize| heads.len() - 1 - place;
    let values = lines.map(|line| {
        // Names may hold commas, and stand in front.
        let cells: Vec<&str> = line.rsplit(',').map(str::trim).collect();
        let number = |place: usize| cells.get(from_end(place))?.parse::<f64>().ok();
        let ns = match unit.and_then(|unit| cells.get(from_end(unit))) {
            Some(unit) => crate::builder::unit_ns(unit)?,
            None => 1.0,
        };
        Some(number(value)? * ns / number(count)?)
    });
    values.collect::<Option<Vec<f64>>>().filter(|values| !values.is_empty())
}

fn summary(estimates: &Node) -> SavedSummary {
    let point = |names: [&str; 2]| {
        let estimate = names.iter().find_map(|name| estimates.get(name));
        estimate.and_then(|e| e.number_at("point_estimate"))
    };
    SavedSummary {
        mean_ns: point(["slope", "Slope"]).or_else(|| point(["mean", "Mean"])),
        median_ns: point(["median", "Median"]),
        sd_ns: point(["std_dev", "StdDev"]),
        values: None,
    }
}

/// What an iteration processes for a second, where the benchmark says how much that is.
fn throughput(case: &SavedCase, about: &Node) -> Vec<SavedCase> {
    let Some((kind, amount)) = about.get("throughput").and_then(|t| t.fields().first()) else { return Vec::new() };
    let amount = amount.plain_number().filter(|amount| amount.is_finite() && *amount > 0.0);
    let Some(amount) = amount.filter(|_| !case.launches.is_empty()) else { return Vec::new() };
    let unit = if kind.starts_with("Bytes") { "bytes/s".to_owned() } else { format!("{}/s", kind.to_lowercase()) };
    let rates = case.launches.iter().map(|launch| launch.iter().map(|ns| amount / (ns * 1e-9)).collect()).collect();
    vec![SavedCase { drifts: true, operations: Some(amount), ..Builder::metric(case, &unit, Better::Higher, rates) }]
}
