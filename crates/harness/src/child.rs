//! A child that speaks `spec/protocol.md` on behalf of a program of a harness.

use crate::command::{answer, Measures, Wrong};
use crate::declared::DeclaredHarness;
use crate::harness::{named, skipped, About, Harness, List, Listed, Measured, QuickLook, Statistic};
use crate::metrics::{declared, extras, rates, value_of, Extra};
use crate::spec::{parsed, OfBenchmark};
use crate::suite::{Suite, Trouble};
use crate::values::{value, Times};
use serde_json::{json, Value};
use std::collections::{BTreeSet, HashSet};
use std::io::{BufReader, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tare_analysis::{Code, Saved, SavedCase};
use tare_model::text::plural;
use tare_model::{FailureKind, Rate};

pub const CHILD: &str = "measure-suite";
const LINES: usize = 20;
/// Factor by which calls of a benchmark's function are made longer ...
const LONGER: u32 = 8;
/// ... up to this limit, while an iteration takes less than this share of its previous time.
const LONGEST: u32 = 512;
const FALLS: f64 = 0.9;
/// Time limit for looks at single benchmarks.
const LOOKS_TIME: Duration = Duration::from_secs(20);

/// Runs as a child if this process was started as one.
pub fn child() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != CHILD {
        return None;
    }
    let arguments: Vec<String> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    Some(serve(&arguments).map_or_else(
        |why| {
            eprintln!("error: {why}");
            ExitCode::from(2)
        },
        |()| ExitCode::SUCCESS,
    ))
}

fn serve(arguments: &[String]) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    let link = tare_process::child_link().map_err(text)?;
    let (requests, replies) =
        link.ok_or("this is the part of `tare` that runs benchmarks of other harnesses; use `tare run`")?;
    let (spec, words, of) = parsed(arguments)?;
    let declared = spec.declared.map(|declared| DeclaredHarness { name: spec.harness.clone(), declared });
    let harness = match &declared {
        Some(declared) => declared,
        None => named(&spec.harness).ok_or_else(|| format!("there is no harness `{}`", spec.harness))?,
    };
    let mut child = Child { harness, suite: Suite::new(words)?, of, listed: None, is_open: false };
    answer(&mut child, BufReader::new(requests), replies).map_err(text)
}

struct Child<'a> {
    harness: &'a dyn Harness,
    suite: Suite,
    /// The benchmark of a launch.
    of: Option<OfBenchmark>,
    /// The benchmarks, in the process that lists.
    listed: Option<Result<KnownBenchmarks, Trouble>>,
    is_open: bool,
}

struct KnownBenchmarks {
    found: Vec<FoundBenchmark>,
    /// Notes about the list for the user.
    notes: Vec<String>,
}

struct FoundBenchmark {
    listed: Listed,
    seen: Option<SavedCase>,
    computes: bool,
}

impl FoundBenchmark {
    fn extras(&self) -> Vec<Extra> {
        self.seen.as_ref().map(|case| extras(case, self.computes)).unwrap_or_default()
    }
}

/// After a look that a benchmark has ended, looks at each benchmark that it has not shown.
fn one_by_one(harness: &dyn Harness, suite: &Suite, listed: &List, mut look: QuickLook) -> Result<QuickLook, Trouble> {
    let end = Instant::now() + LOOKS_TIME;
    for one in &listed.benchmarks {
        if !one.skipped.is_empty() || look.saved.cases.iter().any(|case| is_of(case, one)) {
            continue;
        }
        if Instant::now() > end {
            look.notes.push(format!(
                "a benchmark ends its process, and so long were all looked at one by one that no more is known of some than their names, \
                 from `{}` on",
                one.full
            ));
            break;
        }
        let seen = harness.look(suite, Some(one))?.unwrap_or_default();
        look.saved.cases.extend(seen.saved.cases);
        look.saved.failed.extend(seen.saved.failed);
    }
    Ok(look)
}

/// Whether a result belongs to an entry of the list, or to one of several benchmarks behind it.
fn is_of(case: &SavedCase, one: &Listed) -> bool {
    case.key == one.key || case.stem == one.key
}

struct OneResult {
    case: SavedCase,
    iterations: f64,
    times: Times,
}

impl Child<'_> {
    fn found(&mut self) -> &Result<KnownBenchmarks, Trouble> {
        let (harness, suite) = (self.harness, &self.suite);
        self.listed.get_or_insert_with(|| {
            let listed = harness.list(suite)?;
            let seen = if listed.benchmarks.is_empty() { None } else { harness.look(suite, None)? };
            let seen = seen.unwrap_or_default();
            let seen = if seen.is_broken { one_by_one(harness, suite, &listed, seen)? } else { seen };
            Ok(known(harness, listed, seen))
        })
    }

    /// What it measures besides time: for its benchmark, or for any.
    fn metrics(&mut self) -> Vec<Extra> {
        if let Some(of) = &self.of {
            return of.metrics.clone();
        }
        let mut all: Vec<Extra> = Vec::new();
        for extra in self.found().iter().flat_map(|known| &known.found).flat_map(FoundBenchmark::extras) {
            if all.iter().all(|known| known.name != extra.name) {
                all.push(extra);
            }
        }
        all
    }

    fn computes(&self) -> bool {
        self.of.as_ref().is_some_and(|of| of.computes)
    }

    /// Results of a process of the harness. The length of calls is the one that the benchmark's first process has found.
    fn measured(&self, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let longer = |times| self.harness.measure_longer(&self.suite, of, times);
        let kept = self.suite.kept(&of.name);
        let known: Option<u32> = kept.as_ref().and_then(|file| std::fs::read_to_string(file).ok()?.parse().ok());
        if let Some(measured) = known.filter(|&times| times > 1).map(longer).transpose()?.flatten() {
            return Ok(measured);
        }
        let (mut found, mut times) = (self.harness.measure(&self.suite, of)?, 1);
        if known.is_some() {
            return Ok(found);
        }
        while times < LONGEST {
            // A failure of longer calls is not a failure of the benchmark.
            let Some(next) = longer(times * LONGER).ok().flatten() else { break };
            match [&found, &next].map(|measured| least_ns(measured, of)) {
                [Some(shorter), Some(longer)] if longer < FALLS * shorter => (found, times) = (next, times * LONGER),
                _ => break,
            }
        }
        // If this cannot be stored, the next process tries again.
        _ = kept.map(|file| std::fs::write(file, times.to_string()));
        Ok(found)
    }

    fn launch(&self) -> Result<OneResult, Wrong> {
        let of = self.of.as_ref().ok_or_else(|| Wrong::failed("body", "no benchmark was named"))?;
        let name = &of.name;
        let Measured { saved, iterations } = self.measured(of).map_err(told)?;
        let iterations = iterations.filter(|count| count.is_finite() && *count >= 1.0).unwrap_or(1.0);
        let Saved { mut cases, failed, .. } = saved;
        match (cases.is_empty(), failed.first()) {
            (false, _) => {
                let case = cases.swap_remove(0);
                let times = Times::of(&case, self.harness.statistic(), iterations, of.computes);
                Ok(OneResult { case, iterations, times })
            }
            (true, Some(failed)) => Err(Wrong::of_body(said(&failed.failure.cause))),
            (true, None) => Err(Wrong::failed("body", format!("it has no result of `{name}`"))),
        }
    }
}

/// The minimum time of an iteration, which other processes disturb least; the CPU time if that stands for the time.
fn least_ns(measured: &Measured, of: &OfBenchmark) -> Option<f64> {
    let case = measured.saved.cases.first()?;
    value(case.otherwise.as_deref().filter(|_| of.computes).unwrap_or(case), Statistic::Minimum)
}

impl OneResult {
    fn elapsed_ns(&self, each_ns: Option<f64>) -> Result<f64, Wrong> {
        let usable = each_ns.filter(|ns| ns.is_finite() && *ns >= 0.0);
        usable.map(|ns| ns * self.iterations).ok_or_else(|| Wrong::of_body("its result has no usable time"))
    }
}

fn said(cause: &FailureKind) -> String {
    match cause {
        FailureKind::Exception { message, .. } => message.clone(),
        FailureKind::Skipped { reason } => format!("skipped: {reason}"),
        other => other.text(),
    }
}

/// Combines the list with the results of a look. Group, name and parameters together are unique.
fn known(harness: &dyn Harness, listed: List, look: QuickLook) -> KnownBenchmarks {
    let QuickLook { saved, is_whole, names, notes: seen, .. } = look;
    let List { benchmarks: listed, mut notes } = listed;
    notes.extend(seen);
    let failed = |one: &Listed| saved.failed.iter().find(|failed| failed.key == one.key || failed.stem == one.key);
    let is_seen = |one: &Listed| !is_whole || saved.cases.iter().any(|case| is_of(case, one)) || failed(one).is_some();
    let (listed, beside): (Vec<Listed>, Vec<Listed>) = listed.into_iter().partition(is_seen);
    let mut taken = HashSet::new();
    let mut found = Vec::new();
    let named = |one: Listed| if names { named_by_results(one, &saved.cases) } else { vec![one] };
    for mut one in listed.into_iter().flat_map(named) {
        let identity = |one: &Listed| format!("{}\n{}\n{:?}", one.group, one.name, one.parameters);
        if !taken.insert(identity(&one)) {
            // Only settings in its full name distinguish it.
            one = Listed { name: one.full.clone(), parameters: Vec::new(), ..one };
            taken.insert(identity(&one));
        }
        let seen = saved.cases.iter().find(|case| is_of(case, &one)).cloned();
        if let Some(reason) = failed(&one).filter(|_| one.skipped.is_empty()).map(skipped) {
            one.skipped = reason;
        }
        let computes = harness.computes(&one);
        found.push(FoundBenchmark { listed: one, seen, computes });
    }
    notes.extend(beside.first().map(|first| {
        let lines = plural(beside.len() as u64, "line");
        format!("{lines} of the list are not benchmarks, such as `{}`", first.full)
    }));
    notes.extend(saved.findings.iter().filter(|f| f.code == Code::LeftOut).map(|f| f.evidence.to_string()));
    KnownBenchmarks { found, notes }
}

/// An entry of the list with names from its results: one benchmark, or the several behind it.
fn named_by_results(one: Listed, cases: &[SavedCase]) -> Vec<Listed> {
    let of_case = |case: &SavedCase| Listed { within: one.within.clone(), ..Listed::of_case(case) };
    if let Some(case) = cases.iter().find(|case| case.key == one.key) {
        return vec![of_case(case)];
    }
    let behind = cases.iter().filter(|case| case.stem == one.key);
    let all: Vec<Listed> =
        behind.map(|case| Listed { within: vec![one.full.clone()], ..Listed::of_case(case) }).collect();
    if all.is_empty() {
        vec![one]
    } else {
        all
    }
}

fn told(trouble: Trouble) -> Wrong {
    let lines: Vec<&str> = trouble.output.lines().collect();
    for line in &lines[lines.len().saturating_sub(LINES)..] {
        // The host shows it with the failure.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
    Wrong::failed("body", trouble.message)
}

impl Measures for Child<'_> {
    fn hello(&mut self) -> Value {
        let metrics: Vec<Value> = self.metrics().iter().map(declared).collect();
        let capabilities = match self.computes() {
            true => &["check", "cpu", "waits"][..],
            false => &["check"],
        };
        let About { title, language, .. } = self.harness.about();
        json!({
            "reply": "hello", "protocol": 1, "language": language, "front_end": title,
            "optimised": null, "clock": title, "clock_resolution_ns": self.harness.step_ns(), "unroll": 1,
            "capabilities": capabilities, "metrics": metrics,
        })
    }

    fn list(&mut self) -> Result<Vec<Value>, Wrong> {
        let note = format!(
            "{} measures, one process a launch: there is no correction for the clock, no windows, no cost of the loop and no \
             results to compare (`tare help existing-suites`)",
            self.harness.about().title
        );
        let KnownBenchmarks { found, notes: others } =
            self.found().as_ref().map_err(|trouble| told(trouble.clone()))?;
        let mut names = BTreeSet::new();
        let mut all: Vec<Value> = found.iter().enumerate().map(|(at, found)| line(at, found, &mut names)).collect();
        let mut notes = vec![note];
        notes.extend(others.iter().cloned());
        all.push(json!({"reply": "end", "count": all.len(), "notes": notes}));
        Ok(all)
    }

    fn open(&mut self, index: u64) -> Result<(), Wrong> {
        if self.of.is_none() {
            return Err(Wrong::refused("not-supported", format!("this process lists; it does not measure {index}")));
        }
        self.is_open = true;
        Ok(())
    }

    fn is_open(&self) -> bool {
        self.is_open
    }

    fn close(&mut self) {
        self.is_open = false;
    }

    fn check(&mut self) -> Result<(), Wrong> {
        Ok(())
    }

    fn measure(&mut self, which: &str, iterations: u64, _: u64, _: u64) -> Result<Value, Wrong> {
        if which == "overhead" {
            return Ok(json!({"reply": "measured", "elapsed_ns": vec![0.0; iterations as usize]}));
        }
        let all = (0..iterations).map(|_| self.launch()).collect::<Result<Vec<OneResult>, Wrong>>()?;
        let mut columns = serde_json::Map::new();
        for extra in self.metrics() {
            columns.insert(extra.name.clone(), all.iter().map(|one| value_of(&one.case, &extra)).collect());
        }
        let elapsed = all.iter().map(|one| one.elapsed_ns(one.times.wall_ns));
        let mut reply = json!({
            "reply": "measured", "elapsed_ns": elapsed.collect::<Result<Vec<f64>, Wrong>>()?, "metrics": columns,
            "operations": all.iter().map(|one| one.iterations).collect::<Vec<f64>>(),
        });
        if self.computes() {
            let cpu = all.iter().map(|one| one.elapsed_ns(one.times.cpu_ns));
            let cpu = cpu.collect::<Result<Vec<f64>, Wrong>>()?;
            reply["waits"] = all.iter().map(|one| u32::from(one.times.waits)).collect::<Vec<u32>>().into();
            reply["cpu_ns"] = cpu.into();
        }
        Ok(reply)
    }
}

fn line(index: usize, found: &FoundBenchmark, names: &mut BTreeSet<String>) -> Value {
    let FoundBenchmark { listed, seen, computes } = found;
    let parameters: Vec<Value> = listed
        .parameters
        .iter()
        .map(|p| {
            let kind = if p.value.parse::<i64>().is_ok() { "integer" } else { "text" };
            json!({"name": p.name, "value": p.value, "type": kind})
        })
        .collect();
    let rates: Vec<Rate> = seen.iter().flat_map(rates).collect();
    let unit = if listed.unit.is_empty() { "op" } else { &listed.unit };
    let of = OfBenchmark {
        name: listed.full.clone(),
        metrics: found.extras(),
        computes: *computes,
        within: listed.within.clone(),
    };
    let mut line = json!({
        "reply": "benchmark", "index": index, "group": listed.group, "name": listed.name, "parameters": parameters, "unit": unit,
        "threads": u32::from(*computes), "waits": !computes, "own_time": !computes, "strategy": "process", "invocations_max": 1, "rates": rates,
        "code": {"method": listed.name, "full": listed.full}, "launch": {"arguments": of.arguments()},
    });
    if let Some(description) = seen.as_ref().map(|case| &case.description).filter(|said| !said.is_empty()) {
        line["description"] = description.as_str().into();
    }
    if !listed.skipped.is_empty() {
        line["skipped"] = listed.skipped.as_str().into();
    }
    if !names.insert(listed.full.clone()) {
        line["invalid"] =
            format!("another benchmark is called `{}` too, so it cannot be run alone: rename one", listed.full).into();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_the_list_is_called_as_its_results_call_it() {
        let case = |key: &str, stem: &str, n: &str| SavedCase {
            stem: stem.to_owned(),
            parameters: vec![tare_model::Parameter::new("n", n)],
            ..SavedCase::new(key, "f")
        };
        let cases = [case("g/f/8", "g/f/8", "8"), case("t::t=1", "t", "1"), case("t::t=4", "t", "4")];
        let names = |one: &str| {
            let all = named_by_results(Listed::of_name(one), &cases).into_iter();
            all.map(|one| (one.full, one.name, one.parameters.len(), one.within.join(" "))).collect::<Vec<_>>()
        };
        let of = |full: &str, name: &str, parameters, within: &str| {
            (full.to_owned(), name.to_owned(), parameters, within.to_owned())
        };
        assert_eq!(names("g/f/8"), [of("g/f/8", "f", 1, "")]);
        assert_eq!(names("t"), [of("t::t=1", "f", 1, "t"), of("t::t=4", "f", 1, "t")]);
        assert_eq!(names("not seen"), [of("not seen", "not seen", 0, "")]);
    }
}
