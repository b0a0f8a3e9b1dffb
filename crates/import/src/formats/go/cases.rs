//! From the lines to the cases of a side.

use super::name::{full_key, key_of, split_processors, Processors};
use super::reader::{Configuration, GoOutput, Line, UnitFacts};
use crate::builder::{calls, parameter, parameter_suffix, Builder};
use crate::node::Fault;
use std::collections::{BTreeSet, HashMap};
use tare_analysis::{fact, Better, Saved, SavedCase, SavedDesign, SavedSession};
use tare_analysis::{Code, Sentence, Severity};
use tare_model::Parameter;

/// Keys of the header about time, which do not distinguish benchmarks.
const WHEN: [&str; 3] = ["date", "time", "timestamp"];

pub(super) fn saved(found: GoOutput) -> Result<Saved, Fault> {
    let mut builder = Builder::new("go");
    facts(&mut builder, &found.configuration);
    let names = Names::of(&found);
    for case in cases(&found, &names) {
        builder.case(case, "")?;
    }
    for lost in &found.lost {
        let full = names.with_processors(&lost.name);
        let split = names.processors.split_all(&[((), full.as_str())])[0];
        let case = names.case(&lost.package, &full, split, Vec::new());
        match lost.is_skipped {
            true => builder.skipped(&case, &lost.why),
            false if lost.why.is_empty() => builder.lost(&case, "no reason given"),
            false => builder.lost(&case, &lost.why),
        }
    }
    for (package, why) in &found.packages {
        builder.failed(package, why);
    }
    if !names.differing.is_empty() {
        let keys: Vec<String> = names.differing.iter().map(|key| format!("{key}:")).collect();
        let what = "configuration lines differ within the file and separate benchmarks with the same name: {names}";
        let advice = "if a benchmark prints them, print to standard error instead";
        builder.finding(Code::SameName, Severity::Note, Sentence::new(what).names("names", keys), advice);
    }
    remarks(&mut builder, &found);
    builder.finish("go test -bench".to_owned())
}

fn facts(builder: &mut Builder, configuration: &Configuration) {
    for (key, value) in configuration.iter().filter(|(key, _)| *key != "pkg") {
        let name = match key.as_str() {
            "goos" => fact::OS,
            "goarch" => fact::ARCHITECTURE,
            "toolchain" => fact::COMPILER,
            "commit" => fact::REVISION,
            key if WHEN.contains(&key) => fact::DATE,
            key => key,
        };
        builder.fact(name, Some(value.as_str()));
    }
}

fn remarks(builder: &mut Builder, found: &GoOutput) {
    let named =
        |what: &str, names: &BTreeSet<String>| Sentence::new(what).names("names", names.iter().cloned().collect());
    if !found.repetitions.is_empty() {
        let evidence = named("started once more often than they have results: {names}", &found.repetitions);
        let advice = "see the output of `go test`: a repetition was killed, or its line was not recognised";
        builder.finding(Code::LeftOut, Severity::Warning, evidence, advice);
    }
    if !found.odd_values.is_empty() {
        let evidence = named("negative or infinite values were left out, in {names}", &found.odd_values);
        builder.finding(Code::LeftOut, Severity::Note, evidence, "compare such metrics with `benchstat`");
    }
    if !found.unreadable.is_empty() {
        let of = |u: &super::reader::Unreadable| format!("{} of {}", u.text, full_key(&u.package, &u.name));
        let names = found.unreadable.iter().map(of).collect();
        let evidence = Sentence::new("values that cannot be read were left out: {names}").names("names", names);
        builder.finding(
            Code::LeftOut,
            Severity::Warning,
            evidence,
            "run the program with `LC_ALL=C`, or find out what wrote them",
        );
    }
    if found.torn_events > 0 {
        let evidence =
            Sentence::new("{count} events are incomplete and were left out").count("count", found.torn_events);
        builder.finding(Code::LeftOut, Severity::Warning, evidence, "measure again and let `go test` finish");
    }
}

struct Names {
    processors: Processors,
    /// Keys of the header whose values differ within the file.
    differing: BTreeSet<String>,
}

impl Names {
    fn of(found: &GoOutput) -> Names {
        let lines = &found.lines;
        let keys: BTreeSet<&String> = lines.iter().flat_map(|l| l.configuration.keys()).collect();
        let differs = |key: &str| lines.iter().any(|l| l.configuration.get(key) != lines[0].configuration.get(key));
        let separates = |key: &&&String| key.as_str() != "pkg" && !WHEN.contains(&key.as_str()) && differs(key);
        Names {
            processors: Processors::of(lines.iter().map(|l| l.name.as_str())),
            differing: keys.iter().filter(separates).map(|key| (*key).clone()).collect(),
        }
    }

    /// The configuration that distinguishes a line from others of its name.
    fn configuration(&self, line: &Line) -> Vec<Parameter> {
        let value = |key: &String| Some(parameter(key.as_str(), line.configuration.get(key)?.as_str()));
        self.differing.iter().filter_map(value).collect()
    }

    /// The name in results: with `-v` it is first printed without its processors.
    fn with_processors(&self, name: &str) -> String {
        match &self.processors {
            Processors::One(one) if split_processors(name).1 != Some(one) => format!("{name}-{one}"),
            _ => name.to_owned(),
        }
    }

    /// The case of a full name that was split into name and processors.
    fn case(
        &self,
        package: &str,
        full: &str,
        (name, processors): (&str, Option<&str>),
        configuration: Vec<Parameter>,
    ) -> SavedCase {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut bare = String::new();
        for part in name.split('/') {
            match part.split_once('=') {
                Some((key, value)) if !bare.is_empty() => parameters.push(parameter(key, value)),
                _ if bare.is_empty() => bare.push_str(part),
                _ => bare.push_str(&format!("/{part}")),
            }
        }
        parameters.extend(processors.map(|number| parameter("processors", number)));
        let key = format!("{}{}", key_of(package, full, name), parameter_suffix(&configuration));
        // If all names end in the same number of processors, it is the machine's.
        let of_machine = match &self.processors {
            Processors::One(one) => Some(one.as_str()),
            Processors::None => Some("1"),
            _ => None,
        };
        let portable = format!("{}{}", full_key(package, name), parameter_suffix(&configuration));
        parameters.extend(configuration);
        SavedCase {
            group: package.to_owned(),
            parameters,
            language: "go".to_owned(),
            settings: of_machine.map(|number| ("GOMAXPROCS", number.to_owned())).into_iter().collect(),
            portable_key: of_machine.map(|_| portable).unwrap_or_default(),
            ..SavedCase::new(key, bare)
        }
    }
}

/// Benchstat's default direction of a unit, for files that do not state one.
fn usual(unit: &str) -> Better {
    match unit {
        "B/op" | "allocs/op" => Better::Lower,
        "MB/s" | "B/s" => Better::Higher,
        _ => Better::Unknown,
    }
}

fn cases(found: &GoOutput, names: &Names) -> Vec<SavedCase> {
    let function = |line: &Line| line.name.split('/').next().unwrap_or_default().to_owned();
    let lines: Vec<_> =
        found.lines.iter().map(|l| ((l.process, l.package.as_str(), function(l)), l.name.as_str())).collect();
    let mut places: HashMap<_, usize> = HashMap::new();
    let mut cases: Vec<Gathered> = Vec::new();
    for (line, split) in found.lines.iter().zip(names.processors.split_all(&lines)) {
        let configuration = names.configuration(line);
        let place = *places.entry((line.package.as_str(), split, configuration.clone())).or_insert_with(|| {
            let case = names.case(&line.package, &line.name, split, configuration);
            cases.push(Gathered { case, times: ByProcess::default(), metrics: Vec::new(), calls: Vec::new() });
            cases.len() - 1
        });
        cases[place].take(line);
    }
    cases.into_iter().map(|gathered| gathered.finish(&found.units)).collect()
}

struct Gathered {
    case: SavedCase,
    times: ByProcess,
    metrics: Vec<(String, ByProcess)>,
    calls: Vec<Option<f64>>,
}

#[derive(Default)]
struct ByProcess {
    launches: Vec<Vec<f64>>,
    last: Option<usize>,
}

impl ByProcess {
    fn push(&mut self, process: usize, value: f64) {
        if self.last.replace(process) != Some(process) {
            self.launches.push(Vec::new());
        }
        if let Some(launch) = self.launches.last_mut() {
            launch.push(value);
        }
    }

    /// Every process in a file is a session: each ran all benchmarks of its package.
    fn fill(self, case: SavedCase) -> SavedCase {
        let processes = self.launches.len();
        let (design, sessions) = match processes {
            0 => (SavedDesign::Launches, Vec::new()),
            1 => (SavedDesign::Iterations, Vec::new()),
            _ => (SavedDesign::Launches, vec![SavedSession { launches: 1, date: None }; processes]),
        };
        SavedCase { design, sessions, launches: self.launches, ..case }
    }
}

impl Gathered {
    fn take(&mut self, line: &Line) {
        if let Some(ns) = line.ns {
            self.times.push(line.process, ns);
            self.calls.push(line.calls);
        }
        for (unit, value) in &line.metrics {
            match self.metrics.iter_mut().find(|(known, _)| known == unit) {
                Some((_, values)) => values.push(line.process, *value),
                None => {
                    let mut values = ByProcess::default();
                    values.push(line.process, *value);
                    self.metrics.push((unit.clone(), values));
                }
            }
        }
    }

    fn finish(self, units: &HashMap<String, UnitFacts>) -> SavedCase {
        let worst = |unit: &str| {
            let values = self.metrics.iter().find(|(known, _)| known == unit)?.1.launches.iter().flatten();
            values.copied().reduce(f64::max)
        };
        let (allocated_bytes, allocations) = (worst("B/op"), worst("allocs/op"));
        let metric = |(unit, values): (String, ByProcess)| {
            let facts = units.get(&unit).copied().unwrap_or_default();
            let better = facts.better.unwrap_or_else(|| usual(&unit));
            values.fill(SavedCase { quantity: unit, better, exact: facts.is_exact, ..self.case.clone() })
        };
        let metrics = self.metrics.into_iter().map(metric).collect();
        let calls = calls(self.calls);
        SavedCase { metrics, allocated_bytes, allocations, calls, ..self.times.fill(self.case) }
    }
}
