//! Google Benchmark's JSON. Its repetitions are iterations of one process; several files of several processes are launches.
//!
//! Traps: bare `NaN` and `Infinity`; aggregates, complexities and their errors as rows among the measurements; counters next to the fixed
//! fields under any name; settings within the name; repetitions in random order with `--benchmark_enable_random_interleaving`; two
//! benchmarks of one name, which versions before 1.5.3 do not number, so that the repetitions start over; failures with a time of 0. It
//! lacks: model of the processor, system, compiler, flags, revision (cpp.md 4.1); `library_build_type` is how the *library* was built.
//!
//! The wall time is used, as everywhere, unless the name asks for the CPU time of the process; the other time is kept with it, so that
//! verdicts do not contradict it. Counters are metrics. A rate of bytes or items only repeats the time, as long as an invocation processes
//! the same amount.

use super::google_name::{take_apart, Name};
use super::google_rows::{is_complexity, without_aggregate, Rows, CPU_TIME, WALL_BEYOND_CPU};
use super::{Format, Read};
use crate::builder::Builder;
use crate::node::{Fault, Node};
use std::collections::{BTreeSet, HashMap};
use tare_analysis::{fact, Code, Means, Saved, SavedCase, Sentence, Severity};

type Benchmarks<'a> = Vec<Benchmark<'a>>;

struct Benchmark<'a> {
    run_name: &'a str,
    name: Name,
    rows: Rows,
}

pub(crate) const FORMAT: Format = Format {
    tool: "google-benchmark",
    known_as: "Google Benchmark (`--benchmark_out=FILE`)",
    is_json: |head| head.has(&["context", "benchmarks"]) && !head.has(&["machine_info"]),
    read: Read::Json(read),
    too_little: &[
        (&["name,iterations,real_time"], "Google Benchmark's CSV", INSTEAD),
        (&["Benchmark", "Time", "CPU", "Iterations"], "Google Benchmark's table, which is rounded", INSTEAD),
    ],
    broken: Some(
        "let the program write the file itself with `--benchmark_out=FILE`, so that its own output is not mixed in",
    ),
    ..Format::NONE
};
const INSTEAD: &str = "run the program with `--benchmark_out=FILE --benchmark_out_format=json`";

fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("google-benchmark");
    let context = root.get("context").unwrap_or(&Node::NOTHING);
    facts(&mut builder, context);
    let divides = !context.text_at("library_version").is_some_and(is_undivided);
    let benchmarks = benchmarks(root, &mut builder)?;
    let (mut waited, mut unusable, mut pooled, mut partly) = (Vec::new(), BTreeSet::new(), Vec::new(), Vec::new());
    for Benchmark { run_name, name, rows } in &benchmarks {
        let mut case = rows.case(name);
        if divides && name.parameters.iter().any(|p| p.name == "threads" && p.value != "1") {
            let wall = if case.quantity == CPU_TIME { case.otherwise.as_deref_mut() } else { Some(&mut case) };
            wall.into_iter().for_each(|wall| DIVIDED.clone_into(&mut wall.quantity));
        }
        if let Some(error) = rows.mostly_failed() {
            builder.lost(&case, error);
            continue;
        }
        if let (Some(reason), false) = (&rows.skipped, rows.has_times()) {
            builder.skipped(&case, reason);
            continue;
        }
        if let Some(error) = rows.error.as_ref().or(rows.skipped.as_ref()) {
            partly.push(format!("{run_name} ({error})"));
        }
        if rows.waited()
            && case.quantity != CPU_TIME
            && !name.is_real_time
            && !name.parameters.iter().any(|p| p.name == "threads")
        {
            waited.push(*run_name);
        }
        if rows.may_be_several() {
            pooled.push((*run_name).to_owned());
        }
        unusable.extend(rows.unusable.iter().cloned());
        builder.case(case, name.settings.as_str())?;
    }
    said(&mut builder, &waited, benchmarks.len(), pooled);
    if !partly.is_empty() {
        let evidence = Sentence::new("some repetitions failed or were skipped: {names}").names("names", partly);
        builder.finding(Code::LeftOut, Severity::Warning, evidence, "fix it and measure again");
    }
    builder.metrics_left_out(unusable, "some values are negative or not finite", "compare them by hand");
    let version = context.text_at("library_version").map(|v| format!(" {v}")).unwrap_or_default();
    let when = context.text_at("date").map(|d| format!(", {d}")).unwrap_or_default();
    builder.finish(format!("Google Benchmark{version}{when}"))
}

/// The kind of time of benchmarks with several threads before 1.9.0: time of one thread divided by the number of threads.
const DIVIDED: &str = "wall time divided by threads";

/// `v1.9.0` and later.
fn is_undivided(version: &str) -> bool {
    let mut parts = version.trim_start_matches('v').split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    (parts.next(), parts.next()) >= (Some(1), Some(9))
}

/// The rows of each benchmark. An unreadable row affects only its own benchmark.
fn benchmarks<'a>(root: &'a Node, builder: &mut Builder) -> Result<Benchmarks<'a>, Fault> {
    let mut places: HashMap<(&str, String), usize> = HashMap::new();
    let mut benchmarks: Benchmarks = Vec::new();
    let mut last = None;
    for (at, row) in root.need("benchmarks")?.list()?.iter().enumerate() {
        let name = match row.need("name").and_then(Node::text) {
            Ok(name) => name,
            Err(fault) => {
                let nameless = format!("benchmarks[{at}]");
                builder.unreadable(&SavedCase::new(nameless.clone(), nameless), fault, root)?;
                continue;
            }
        };
        if is_complexity(row, name) {
            continue;
        }
        let run_name = row.text_at("run_name").unwrap_or_else(|| without_aggregate(name));
        // Two benchmarks may have the same name: numbers distinguish them, if present.
        let number = |field: &str| row.number_at(field).unwrap_or(-1.0);
        let instance = format!("{} {}", number("family_index"), number("per_family_instance_index"));
        let known = places.get(&(run_name, instance.clone())).copied();
        let is_its = |place: &usize| !benchmarks[*place].rows.are_of_another(row, name, last != Some(*place));
        let place = known.filter(is_its).unwrap_or_else(|| {
            benchmarks.push(Benchmark { run_name, name: take_apart(run_name), rows: Rows::default() });
            benchmarks.len() - 1
        });
        places.insert((run_name, instance), place);
        last = Some(place);
        let benchmark = &mut benchmarks[place];
        if let Err(fault) = benchmark.rows.take(row, name, &benchmark.name) {
            builder.unreadable(&benchmark.rows.case(&benchmark.name), fault, root)?;
        }
    }
    // Benchmarks without any readable row have been reported.
    benchmarks.retain(|benchmark| !benchmark.rows.is_empty());
    Ok(benchmarks)
}

fn said(builder: &mut Builder, waited: &[&str], benchmarks: usize, pooled: Vec<String>) {
    if let Some(first) = waited.first() {
        let evidence = Sentence::new(
            "the wall time of {waited} of {benchmarks} benchmarks, such as `{first}`, is more than {times} times their CPU time: they \
             waited, or other programs used the processor",
        )
        .count("waited", waited.len())
        .count("benchmarks", benchmarks)
        .name("first", *first)
        .text("times", WALL_BEYOND_CPU.to_string());
        let advice = Sentence::new(
            "measure on a machine that does nothing else; for benchmarks that compute and do not wait, compare {cpu-time}",
        )
        .means("cpu-time", Means::CpuTime);
        builder.finding(Code::NoisyHost, Severity::Note, evidence, advice);
    }
    if !pooled.is_empty() {
        let evidence =
            Sentence::new("several rows have the same name, and are treated as repetitions of one benchmark: {names}")
                .names("names", pooled);
        let advice = "give each benchmark its own name, or measure with a newer Google Benchmark";
        builder.finding(Code::SameName, Severity::Warning, evidence, advice);
    }
}

fn facts(builder: &mut Builder, context: &Node) {
    // Strings from `--benchmark_context` with the names of known facts.
    for known in [fact::CPU, fact::OS, fact::COMPILER, fact::FLAGS, fact::GOVERNOR, fact::REVISION] {
        builder.fact(known, context.text_at(known));
    }
    builder.fact(fact::DATE, context.text_at("date"));
    builder.fact(fact::TOOL_VERSION, context.text_at("library_version"));
    let program = context.text_at("executable").and_then(|path| path.rsplit(['/', '\\']).next());
    builder.fact(fact::PROGRAM, program);
    builder.fact(fact::TOOL_BUILD, context.text_at("library_build_type"));
    builder.fact(fact::PROCESSORS, context.get("num_cpus").and_then(Node::plain));
    // On systems that do not report the nominal clock it is read from the running one: the last digits are noise.
    builder.fact(fact::FREQUENCY, context.number_at("mhz_per_cpu").map(|mhz| format!("{:.1} GHz", mhz / 1e3)));
    let on = |field: &str| context.get(field).map(|_| if context.is_true(field) { "on" } else { "off" });
    builder.fact(fact::ASLR, on("aslr_enabled"));
    if context.text_at(fact::GOVERNOR).is_none() {
        builder.fact(fact::GOVERNOR, on("cpu_scaling_enabled").map(|scaling| format!("frequency scaling {scaling}")));
    }
}
