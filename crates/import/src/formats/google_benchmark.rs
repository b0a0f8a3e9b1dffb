//! Google Benchmark's JSON. Its repetitions are iterations of one process; several files of several processes are launches.
//!
//! Traps: bare `NaN` and `Infinity`; aggregates, complexities and their errors as rows among the measurements; counters beside the
//! fixed fields under any name; settings within the name; repetitions in random order with `--benchmark_enable_random_interleaving`;
//! failures with a time of 0. It lacks: model of the processor, system, compiler, flags, revision (cpp.md 4.1); `library_build_type`
//! is how the *library* was built. The wall time is taken, as everywhere; the CPU time is kept beside it: a verdict on the one must
//! not be contradicted by the other.

use super::google_name::{take_apart, Name};
use crate::builder::{unit_ns, Builder};
use crate::node::{Fault, Node};
use std::collections::HashMap;
use tare_analysis::{fact, Saved, SavedCase, SavedDesign, SavedSummary};
use tare_analysis::{Code, Means, Sentence, Severity};

/// Wall time beyond this multiple of CPU time means that a single thread waited or was preempted.
const WALL_BEYOND_CPU: f64 = 1.25;
/// Ends of names of aggregates, for versions that do not mark them.
const AGGREGATES: [&str; 6] = ["_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"];

/// What is known of one benchmark from its rows.
#[derive(Default)]
struct Rows {
    wall_ns: Vec<f64>,
    cpu_ns: Vec<f64>,
    wall: Aggregates,
    cpu: Aggregates,
    repetitions: Option<f64>,
    error: Option<String>,
    skipped: Option<String>,
}

/// What stands in a file in place of its single values, of one kind of time.
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

pub(crate) fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("google-benchmark");
    let context = root.need("context")?;
    facts(&mut builder, context);
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    let mut benchmarks: Vec<(String, Rows)> = Vec::new();
    for row in root.need("benchmarks")?.list()? {
        let name = row.need("name")?.text()?;
        let run_name = row.text_at("run_name").unwrap_or_else(|| without_aggregate(name));
        // Two benchmarks may have one name: their numbers tell them apart.
        let number = |field: &str| row.number_at(field).unwrap_or(-1.0);
        let instance = format!("{} {}", number("family_index"), number("per_family_instance_index"));
        // The aggregates of a complexity belong to a family, not to one of its benchmarks.
        if is_complexity(row, name) {
            continue;
        }
        let place = *places.entry((run_name.to_owned(), instance)).or_insert_with(|| {
            benchmarks.push((run_name.to_owned(), Rows::default()));
            benchmarks.len() - 1
        });
        benchmarks[place].1.take(row, name)?;
    }
    let mut waited = Vec::new();
    for (run_name, rows) in &benchmarks {
        let name = take_apart(run_name);
        if let (Some(error), true) = (&rows.error, rows.wall_ns.is_empty()) {
            builder.failed(&name.key, error.as_str());
            continue;
        }
        if let (Some(reason), true) = (&rows.skipped, rows.wall_ns.is_empty()) {
            let evidence = Sentence::new("`{benchmark}` was skipped: {reason}")
                .text("benchmark", run_name.as_str())
                .text("reason", reason.as_str());
            builder.finding(Code::LeftOut, Severity::Note, evidence, "measure it where it can run");
            continue;
        }
        if rows.waited() && !name.is_real_time && !name.parameters.iter().any(|p| p.name == "threads") {
            waited.push(run_name.as_str());
        }
        let settings = name.settings.clone();
        builder.case(rows.case(name), settings)?;
    }
    if let Some(first) = waited.first() {
        let evidence = Sentence::new(
            "the wall time of {waited} of {benchmarks} benchmarks, such as `{first}`, is more than {times} times their CPU time: they \
             waited, or other programs used the processor",
        )
        .count("waited", waited.len())
        .count("benchmarks", benchmarks.len())
        .text("first", *first)
        .text("times", WALL_BEYOND_CPU.to_string());
        let advice = Sentence::new(
            "measure on a machine that does nothing else; of what computes and does not wait by itself, compare {cpu-time}",
        )
        .means("cpu-time", Means::CpuTime);
        builder.finding(Code::NoisyHost, Severity::Note, evidence, advice);
    }
    let version = context.text_at("library_version").map(|v| format!(" {v}")).unwrap_or_default();
    let when = context.text_at("date").map(|d| format!(", {d}")).unwrap_or_default();
    builder.finish(format!("Google Benchmark{version}{when}"))
}

fn without_aggregate(name: &str) -> &str {
    AGGREGATES.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

fn aggregate<'a>(row: &'a Node, name: &'a str) -> Option<&'a str> {
    match row.text_at("run_type") {
        Some("aggregate") => Some(row.text_at("aggregate_name").unwrap_or_default()),
        Some(_) => None,
        None => AGGREGATES.iter().find(|end| name.ends_with(**end)).map(|end| &end[1..]),
    }
}

fn is_complexity(row: &Node, name: &str) -> bool {
    matches!(aggregate(row, name), Some("BigO" | "RMS"))
}

impl Rows {
    fn take(&mut self, row: &Node, name: &str) -> Result<(), Fault> {
        if row.is_true("error_occurred") {
            self.error = Some(row.text_at("error_message").unwrap_or("the benchmark reported an error").to_owned());
            return Ok(());
        }
        if row.is_true("skipped") {
            self.skipped = Some(row.text_at("skip_message").unwrap_or("no reason given").to_owned());
            return Ok(());
        }
        let aggregate = aggregate(row, name);
        // A coefficient of variation is no time, and the user's own aggregates are anything.
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
                self.cpu_ns.extend(cpu_ns);
            }
        }
        Ok(())
    }

    fn waited(&self) -> bool {
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        self.cpu_ns.len() == self.wall_ns.len() && sum(&self.wall_ns) > WALL_BEYOND_CPU * sum(&self.cpu_ns)
    }

    /// The wall time, with the CPU time beside it where every repetition has one above 0.
    fn case(&self, name: Name) -> SavedCase {
        let wall = self.case_of(&self.wall_ns, &self.wall, &name);
        let mut cpu = self.case_of(&self.cpu_ns, &self.cpu, &name);
        cpu.quantity = "CPU time".to_owned();
        let is_whole = self.cpu_ns.len() == self.wall_ns.len() && crate::builder::unusable(&cpu).is_none();
        SavedCase { otherwise: is_whole.then(|| Box::new(cpu)), ..wall }
    }

    fn case_of(&self, values_ns: &[f64], aggregates: &Aggregates, name: &Name) -> SavedCase {
        let mut case = SavedCase {
            language: "c++".to_owned(),
            design: SavedDesign::Iterations,
            ..SavedCase::new(name.key.clone(), name.bare.clone())
        };
        case.parameters.clone_from(&name.parameters);
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

fn facts(builder: &mut Builder, context: &Node) {
    // Strings that the user added with `--benchmark_context`, where they have the name of something that counts.
    for known in [fact::CPU, fact::OS, fact::COMPILER, fact::FLAGS, fact::GOVERNOR, fact::REVISION] {
        builder.fact(known, context.text_at(known));
    }
    builder.fact(fact::DATE, context.text_at("date"));
    builder.fact(fact::TOOL_VERSION, context.text_at("library_version"));
    builder.fact(fact::TOOL_BUILD, context.text_at("library_build_type"));
    builder.fact(fact::PROCESSORS, context.get("num_cpus").and_then(Node::plain));
    // Read from the running clock where the system does not report the nominal one: the last digits are noise.
    builder.fact(fact::FREQUENCY, context.number_at("mhz_per_cpu").map(|mhz| format!("{:.1} GHz", mhz / 1e3)));
    let on = |field: &str| context.get(field).map(|_| if context.is_true(field) { "on" } else { "off" });
    builder.fact(fact::ASLR, on("aslr_enabled"));
    if context.text_at(fact::GOVERNOR).is_none() {
        builder.fact(fact::GOVERNOR, on("cpu_scaling_enabled").map(|scaling| format!("frequency scaling {scaling}")));
    }
}
