//! The rows of one benchmark of Google Benchmark: its repetitions, its aggregates, its counters.

use super::google_name::{Name, HOW_MUCH};
use crate::builder::{calls, unit_ns, Builder};
use crate::node::{Fault, Node};
use std::collections::{BTreeSet, HashSet};
use tare_analysis::{Better, SavedCase, SavedDesign, SavedSummary};

/// Wall time beyond this multiple of CPU time means that a single thread waited or was preempted.
pub(super) const WALL_BEYOND_CPU: f64 = 1.25;
pub(super) const CPU_TIME: &str = "CPU time";
/// Suffixes of aggregates, for versions that do not mark them.
const AGGREGATES: [&str; 6] = ["_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"];
/// Numbers in a row that are not counters.
const NO_COUNTERS: [&str; 12] = [
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "repetition_index",
    "threads",
    "iterations",
    "real_time",
    "cpu_time",
    "cpu_coefficient",
    "real_coefficient",
    "rms",
    "big_o",
];
/// Counters that Google Benchmark derives from the amount that a benchmark says it processed: per second of its time.
const RATES: [&str; 2] = ["bytes_per_second", "items_per_second"];
/// Counters of its memory manager.
const COSTS: [&str; 4] = ["allocs_per_iter", "max_bytes_used", "total_allocated_bytes", "net_heap_growth"];
/// Suffixes of the processor's counters, for which less is better.
const EVENTS: [&str; 3] = ["CYCLES", "INSTRUCTIONS", "MISSES"];

#[derive(Default)]
pub(super) struct Rows {
    wall_ns: Vec<f64>,
    cpu_ns: Vec<f64>,
    /// Number of iterations in each of their means.
    calls: Vec<Option<f64>>,
    wall: Aggregates,
    cpu: Aggregates,
    repetitions: Option<f64>,
    pub error: Option<String>,
    failed: usize,
    pub skipped: Option<String>,
    label: String,
    /// Indices of repetitions, and aggregates, seen so far.
    indices: HashSet<u64>,
    aggregates: HashSet<String>,
    counters: Vec<Counter>,
    /// Counters with values that cannot be compared.
    pub unusable: BTreeSet<String>,
}

/// A counter with its values and, for rates, amounts per invocation.
struct Counter {
    name: String,
    values: Vec<f64>,
    amounts: Vec<f64>,
    /// From a mean, if there are no single values.
    of_mean: bool,
}

/// Aggregates of one kind of time, for files without single values.
#[derive(Default)]
struct Aggregates {
    mean_ns: Option<f64>,
    median_ns: Option<f64>,
    sd_ns: Option<f64>,
}

impl Aggregates {
    fn take(&mut self, aggregate: &str, ns: Option<f64>) {
        match aggregate {
            "mean" => self.mean_ns = ns,
            "median" => self.median_ns = ns,
            _ => self.sd_ns = ns,
        }
    }
}

pub(super) fn without_aggregate(name: &str) -> &str {
    AGGREGATES.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

fn aggregate<'a>(row: &'a Node, name: &'a str) -> Option<&'a str> {
    match row.text_at("run_type") {
        Some("aggregate") => Some(row.text_at("aggregate_name").unwrap_or_default()),
        Some(_) => None,
        None => AGGREGATES.iter().find(|end| name.ends_with(**end)).map(|end| &end[1..]),
    }
}

/// The aggregates of a complexity belong to a family, not to one of its benchmarks.
pub(super) fn is_complexity(row: &Node, name: &str) -> bool {
    matches!(aggregate(row, name), Some("BigO" | "RMS"))
}

impl Rows {
    /// Whether this row begins another benchmark of the same name: repetitions or aggregates that start over. `is_apart`: there are rows of
    /// others in between.
    pub fn are_of_another(&self, row: &Node, name: &str, is_apart: bool) -> bool {
        match (aggregate(row, name), row.number_at("repetition_index")) {
            (Some(aggregate), _) => self.aggregates.contains(aggregate),
            (None, Some(index)) => self.indices.contains(&(index as u64)),
            (None, None) => !self.aggregates.is_empty() || (is_apart && !self.wall_ns.is_empty()),
        }
    }

    /// Whether several rows may be from different benchmarks, since nothing marks them as repetitions of one.
    pub fn may_be_several(&self) -> bool {
        self.wall_ns.len() > 1 && self.indices.is_empty() && self.aggregates.is_empty()
    }

    pub fn take(&mut self, row: &Node, full: &str, name: &Name) -> Result<(), Fault> {
        let aggregate = aggregate(row, full);
        match aggregate {
            Some(aggregate) => _ = self.aggregates.insert(aggregate.to_owned()),
            None => self.indices.extend(row.number_at("repetition_index").map(|index| index as u64)),
        }
        if row.is_true("error_occurred") {
            self.failed += 1;
            self.error = Some(row.text_at("error_message").unwrap_or("the benchmark reported an error").to_owned());
            return Ok(());
        }
        if row.is_true("skipped") {
            self.skipped = Some(row.text_at("skip_message").unwrap_or_default().to_owned());
            return Ok(());
        }
        if let Some(label) = row.text_at("label") {
            label.clone_into(&mut self.label);
        }
        // A coefficient of variation is not a time, and the user's own aggregates may be anything.
        if aggregate.is_some_and(|a| !["mean", "median", "stddev"].contains(&a)) {
            return Ok(());
        }
        let unit =
            row.get("time_unit").map(|u| unit_ns(u.text()?).ok_or_else(|| u.wrong("ns, us, ms or s"))).transpose()?;
        let unit = unit.unwrap_or(1.0);
        let wall_ns = row.need("real_time")?.number()? * unit;
        self.repetitions = row.number_at("repetitions").or(self.repetitions);
        let cpu_ns = row.number_at("cpu_time").map(|t| t * unit);
        match aggregate {
            Some(aggregate) => {
                self.wall.take(aggregate, Some(wall_ns));
                self.cpu.take(aggregate, cpu_ns);
            }
            None => {
                self.wall_ns.push(wall_ns);
                self.calls.push(row.number_at("iterations"));
                self.cpu_ns.extend(cpu_ns);
            }
        }
        if aggregate.is_none_or(|a| a == "mean") {
            let clock_ns = cpu_ns.filter(|_| !name.is_real_time).unwrap_or(wall_ns);
            self.count(row, clock_ns, aggregate.is_some());
        }
        Ok(())
    }

    /// Takes the counters of a row whose rates refer to this time.
    fn count(&mut self, row: &Node, clock_ns: f64, of_mean: bool) {
        let fields = row.fields().iter().filter(|(name, _)| !NO_COUNTERS.contains(&name.as_str()));
        for (name, value) in fields.filter_map(|(name, node)| Some((name, node.plain_number()?))) {
            if !(value.is_finite() && value >= 0.0) {
                self.unusable.insert(name.clone());
                continue;
            }
            let place = self.counters.iter().position(|c| c.name == *name && c.of_mean == of_mean);
            let place = place.unwrap_or_else(|| {
                self.counters.push(Counter { name: name.clone(), values: Vec::new(), amounts: Vec::new(), of_mean });
                self.counters.len() - 1
            });
            self.counters[place].values.push(value);
            if RATES.contains(&name.as_str()) {
                self.counters[place].amounts.push(value * clock_ns * 1e-9);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        let known = self.has_times() || self.wall.mean_ns.or(self.wall.median_ns).is_some();
        !known && self.error.is_none() && self.skipped.is_none()
    }

    pub fn has_times(&self) -> bool {
        !self.wall_ns.is_empty()
    }

    /// The error, if more repetitions failed than succeeded: then the others say little.
    pub fn mostly_failed(&self) -> Option<&str> {
        self.error.as_deref().filter(|_| self.failed > self.wall_ns.len())
    }

    pub fn waited(&self) -> bool {
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        let is_usable = self.wall_ns.iter().all(|ns| ns.is_finite() && *ns > 0.0);
        is_usable && self.cpu_ns.len() == self.wall_ns.len() && sum(&self.wall_ns) > WALL_BEYOND_CPU * sum(&self.cpu_ns)
    }

    /// The wall time and the counters, with the CPU time if every repetition has one above 0.
    pub fn case(&self, name: &Name) -> SavedCase {
        let wall = self.case_of(&self.wall_ns, &self.wall, name);
        let mut cpu = self.case_of(&self.cpu_ns, &self.cpu, name);
        CPU_TIME.clone_into(&mut cpu.quantity);
        let is_whole = self.cpu_ns.len() == self.wall_ns.len() && crate::builder::unusable(&cpu).is_none();
        let of_mean = self.wall_ns.is_empty();
        let counters = self.counters.iter().filter(|c| c.of_mean == of_mean && !self.unusable.contains(&c.name));
        let metrics: Vec<SavedCase> = counters.map(|counter| counter.metric(&wall)).collect();
        let allocations = metrics.iter().find(|m| m.quantity == COSTS[0]).and_then(|m| m.launches[0].first().copied());
        // The time that the name asks for: wall time, or CPU time of the process.
        let cpu_is_meant = name.is_process_time && !name.is_real_time && is_whole;
        let (own, other) = if cpu_is_meant { (cpu, Some(wall)) } else { (wall, is_whole.then_some(cpu)) };
        SavedCase {
            description: self.label.clone(),
            otherwise: other.map(Box::new),
            metrics,
            allocations,
            wall_is_meant: name.is_real_time,
            ..own
        }
    }

    fn case_of(&self, values_ns: &[f64], aggregates: &Aggregates, name: &Name) -> SavedCase {
        let mut case = SavedCase {
            language: "c++".to_owned(),
            design: SavedDesign::Iterations,
            ..SavedCase::new(name.key.clone(), name.bare.clone())
        };
        case.parameters.clone_from(&name.parameters);
        case.settings = HOW_MUCH.iter().map(|setting| (*setting, name.setting(setting).to_owned())).collect();
        case.calls = calls(self.calls.iter().copied());
        if values_ns.is_empty() {
            case.design = SavedDesign::Summary(SavedSummary {
                mean_ns: aggregates.mean_ns,
                median_ns: aggregates.median_ns,
                sd_ns: aggregates.sd_ns,
                values: self.repetitions.filter(|r| *r >= 1.0).map(|r| r as u64),
            });
        } else {
            case.launches = vec![values_ns.to_vec()];
        }
        case
    }
}

impl Counter {
    fn metric(&self, case: &SavedCase) -> SavedCase {
        let is_rate = RATES.contains(&self.name.as_str());
        let is_cost = COSTS.contains(&self.name.as_str()) || EVENTS.iter().any(|end| self.name.ends_with(end));
        let better = match (is_rate, is_cost) {
            (true, _) => Better::Higher,
            (_, true) => Better::Lower,
            _ => Better::Unknown,
        };
        let amount = self.amounts.iter().sum::<f64>() / self.amounts.len().max(1) as f64;
        SavedCase {
            drifts: is_rate,
            operations: Some(amount).filter(|amount| is_rate && *amount > 0.0),
            ..Builder::metric(case, &self.name, better, vec![self.values.clone()])
        }
    }
}
