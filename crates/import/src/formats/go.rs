//! The text of `go test -bench`, also as the events of `go test -json`, also several of them in one file.
//!
//! The lines of one `go test` of one package are of one process, however many `-count` made; a new header is a new process, so a
//! file that several runs were appended to holds launches. Traps: `-8` behind a name is GOMAXPROCS, and another number is
//! another benchmark: the key keeps it; user output tears a line in two, and so do the events; custom metrics stand beside or instead
//! of `ns/op`. Every other unit is a metric, as in benchstat, and so is what says which values are better: a line `Unit NAME
//! better=lower`, else what benchstat knows. `MB/s` is `ns/op` again, and left out. It lacks: single iterations (a line is the mean of
//! N), time, revision, system, compiler.

use crate::builder::{parameter, Builder};
use crate::error::Problem;
use crate::json;
use crate::node::Fault;
use std::collections::{BTreeSet, HashMap};
use tare_analysis::{fact, Better, Saved, SavedCase, SavedDesign, SavedSession};
use tare_analysis::{Code, Sentence, Severity};
use tare_model::Parameter;

/// Keys that `go test` itself prints above the results of a process.
const PROCESS_KEYS: [&str; 4] = ["goos", "goarch", "pkg", "cpu"];

/// One line of result.
struct Line {
    package: String,
    name: String,
    process: usize,
    ns: f64,
    /// Values in other units, in their order.
    metrics: Vec<(String, f64)>,
}

/// What the lines so far say.
#[derive(Default)]
struct Reader {
    package: String,
    process: usize,
    /// Header lines belong to a process that has not shown a result yet.
    in_header: bool,
    /// A name whose numbers have not come yet.
    pending: Option<String>,
    lines: Vec<Line>,
    failed: BTreeSet<(String, String)>,
    failed_packages: BTreeSet<String>,
    without_time: BTreeSet<String>,
    /// What the file says of units.
    better: HashMap<String, Better>,
    facts: HashMap<&'static str, String>,
    /// Events that are not whole.
    torn: usize,
}

pub(crate) fn read(text: &str) -> Result<Saved, Problem> {
    let mut reader = Reader::default();
    text.lines().for_each(|line| reader.take(line));
    reader.finish().map_err(problem)
}

/// Joins what the events print, package by package, before it is read.
pub(crate) fn read_json(text: &str) -> Result<Saved, Problem> {
    let mut packages: Vec<(String, String)> = Vec::new();
    let mut torn = 0;
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        // Build errors and user output may stand between events.
        let Ok(event) = json::parse(line, "go") else {
            torn += usize::from(line.starts_with('{'));
            continue;
        };
        let Some(output) = event.text_at("Output") else { continue };
        let package = event.text_at("Package").or_else(|| event.text_at("ImportPath")).unwrap_or_default();
        match packages.iter_mut().rev().find(|(name, _)| name == package) {
            Some((_, all)) => all.push_str(output),
            None => packages.push((package.to_owned(), output.to_owned())),
        }
    }
    let mut reader = Reader { torn, ..Reader::default() };
    for (package, output) in packages {
        reader.package = package;
        output.lines().for_each(|line| reader.take(line));
    }
    reader.finish().map_err(problem)
}

fn problem(fault: Fault) -> Problem {
    match fault {
        Fault::TooManyValues => Problem::TooMany { what: "measured values", limit: crate::VALUES_MAX },
        _ => Problem::NoBenchmarks { tool: "go test" },
    }
}

impl Reader {
    fn take(&mut self, line: &str) {
        let line = line.trim_end();
        if let Some((key, value)) = line.split_once(": ").filter(|(key, _)| is_header_key(key)) {
            self.header(key, value.trim());
        } else if let Some(rest) = line.trim_start().strip_prefix("--- FAIL: Benchmark") {
            let name = rest.split_whitespace().next().unwrap_or_default();
            self.failed.insert((self.package.clone(), name.to_owned()));
        } else if let Some(rest) = line.strip_prefix("FAIL\t") {
            self.failed_packages.insert(rest.split_whitespace().next().unwrap_or_default().to_owned());
            self.new_process();
        } else if line.starts_with("ok  \t") {
            self.new_process();
        } else if let Some(unit) = line.strip_prefix("Unit ") {
            self.unit(unit);
        } else if line.starts_with("Benchmark") {
            self.benchmark(line);
        } else if line.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            if let Some(name) = self.pending.take() {
                self.result(&name, line);
            }
        }
    }

    fn new_process(&mut self) {
        self.in_header = false;
        self.pending = None;
        self.process += 1;
    }

    fn header(&mut self, key: &str, value: &str) {
        // The header of a process begins with `goos`; tools that shorten it leave `pkg`. Other keys stand before it, as the format has
        // it, or are words of a benchmark: they begin nothing.
        if PROCESS_KEYS.contains(&key) && !self.in_header {
            self.new_process();
            self.in_header = true;
        }
        let known = match key {
            "pkg" => {
                self.package = value.to_owned();
                return;
            }
            "goos" => fact::OS,
            "goarch" => fact::ARCHITECTURE,
            "cpu" => fact::CPU,
            "toolchain" => fact::COMPILER,
            "commit" => fact::REVISION,
            _ => return,
        };
        self.facts.entry(known).or_insert_with(|| value.to_owned());
    }

    fn benchmark(&mut self, line: &str) {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let name = &name["Benchmark".len()..];
        // `Benchmarking` is a word of prose.
        if name.starts_with(char::is_lowercase) {
            return;
        }
        self.pending = None;
        if !self.result(name, rest) {
            self.pending = Some(name.to_owned());
        }
    }

    /// `NAME better=lower assume=exact`.
    fn unit(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        let Some(name) = words.next() else { return };
        for better in words.filter_map(|word| word.strip_prefix("better=")) {
            let better = match better {
                "lower" => Better::Lower,
                "higher" => Better::Higher,
                _ => Better::Unknown,
            };
            self.better.insert(name.to_owned(), better);
        }
    }

    /// Iterations, then pairs of value and unit; false when the line does not hold them.
    fn result(&mut self, name: &str, numbers: &str) -> bool {
        let mut words = numbers.split_whitespace();
        if words.next().is_none_or(|n| n.parse::<u64>().is_err()) {
            return false;
        }
        let (mut ns, mut metrics, mut count) = (None, Vec::new(), 0);
        while let (Some(value), Some(unit)) = (words.next(), words.next()) {
            let Ok(value) = value.parse::<f64>() else { break };
            count += 1;
            match unit {
                "ns/op" => ns = Some(value),
                "sec/op" => ns = Some(value * 1e9),
                "MB/s" | "B/s" => {}
                _ if value.is_finite() && value >= 0.0 => metrics.push((unit.to_owned(), value)),
                _ => {}
            }
        }
        if count == 0 {
            return false;
        }
        self.in_header = false;
        match ns {
            Some(ns) => self.lines.push(Line {
                package: self.package.clone(),
                name: name.to_owned(),
                process: self.process,
                ns,
                metrics,
            }),
            None => _ = self.without_time.insert(name.to_owned()),
        }
        true
    }

    fn finish(self) -> Result<Saved, Fault> {
        let mut builder = Builder::new("go");
        for (name, value) in &self.facts {
            builder.fact(name, Some(value.as_str()));
        }
        let suffix = common_suffix(&self.lines);
        if let Some(processors) = suffix {
            builder.fact(fact::SETTINGS, Some(format!("GOMAXPROCS {processors}")));
        }
        let several = suffix.is_none() && self.lines.iter().any(|l| split_processors(&l.name).1.is_some());
        for case in cases(&self.lines, suffix.is_some(), several, &self.better) {
            builder.case(case, "")?;
        }
        for (package, name) in &self.failed {
            builder.failed(&full_key(package, name), "failed: see the output of `go test`");
        }
        let found =
            |what: &str, names: &BTreeSet<String>| Sentence::new(what).names("names", names.iter().cloned().collect());
        if !self.failed_packages.is_empty() {
            let evidence = found("packages failed: {names}", &self.failed_packages);
            builder.finding(Code::LeftOut, Severity::Warning, evidence, "see the output of `go test`");
        }
        if !self.without_time.is_empty() {
            let evidence = found("without `ns/op`, and left out: {names}", &self.without_time);
            builder.finding(Code::LeftOut, Severity::Note, evidence, "compare other metrics with `benchstat`");
        }
        if self.torn > 0 {
            let evidence = Sentence::new("{count} events are incomplete and were left out").count("count", self.torn);
            builder.finding(Code::LeftOut, Severity::Warning, evidence, "measure again and let `go test` finish");
        }
        builder.finish("go test -bench".to_owned())
    }
}

/// Lower-case words of the header, not any text with a colon.
fn is_header_key(key: &str) -> bool {
    const MAX: usize = 24;
    !key.is_empty() && key.len() <= MAX && key.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c == '_')
}

/// `Sort-8` is `Sort` on 8 processors.
fn split_processors(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once('-') {
        Some((front, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
            (front, Some(digits))
        }
        _ => (name, None),
    }
}

/// The suffix that all lines have.
fn common_suffix(lines: &[Line]) -> Option<&str> {
    let first = split_processors(&lines.first()?.name).1?;
    lines.iter().all(|l| split_processors(&l.name).1 == Some(first)).then_some(first)
}

/// Which values of a unit are better, where the file does not say: as benchstat has it.
fn usual(unit: &str) -> Better {
    match unit {
        "B/op" | "allocs/op" => Better::Lower,
        _ => Better::Unknown,
    }
}

fn cases(lines: &[Line], drop_suffix: bool, several: bool, better: &HashMap<String, Better>) -> Vec<SavedCase> {
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let mut cases: Vec<Gathered> = Vec::new();
    for line in lines {
        let place = *places.entry((&line.package, &line.name)).or_insert_with(|| {
            let case = new_case(line, drop_suffix, several);
            cases.push(Gathered { case, times: ByProcess::default(), metrics: Vec::new() });
            cases.len() - 1
        });
        cases[place].take(line);
    }
    cases.into_iter().map(|gathered| gathered.finish(better)).collect()
}

/// The values of a benchmark by process.
struct Gathered {
    case: SavedCase,
    times: ByProcess,
    metrics: Vec<(String, ByProcess)>,
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

    /// Every process of a file is a session: each ran all benchmarks of its package.
    fn fill(self, case: SavedCase) -> SavedCase {
        let processes = self.launches.len();
        let (design, sessions) = match processes {
            0 | 1 => (SavedDesign::Iterations, Vec::new()),
            _ => (SavedDesign::Launches, vec![SavedSession { launches: 1, date: None }; processes]),
        };
        SavedCase { design, sessions, launches: self.launches, ..case }
    }
}

impl Gathered {
    fn take(&mut self, line: &Line) {
        self.times.push(line.process, line.ns);
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

    fn finish(self, better: &HashMap<String, Better>) -> SavedCase {
        let worst = |unit: &str| {
            let values = self.metrics.iter().find(|(known, _)| known == unit)?.1.launches.iter().flatten();
            values.copied().reduce(f64::max)
        };
        let (allocated_bytes, allocations) = (worst("B/op"), worst("allocs/op"));
        let metric = |(unit, values): (String, ByProcess)| {
            let better = better.get(&unit).copied().unwrap_or_else(|| usual(&unit));
            values.fill(SavedCase { quantity: unit, better, ..self.case.clone() })
        };
        let metrics = self.metrics.into_iter().map(metric).collect();
        SavedCase { metrics, allocated_bytes, allocations, ..self.times.fill(self.case) }
    }
}

fn new_case(line: &Line, drop_suffix: bool, several: bool) -> SavedCase {
    let (front, processors) = split_processors(&line.name);
    let name = if drop_suffix || several { front } else { line.name.as_str() };
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut bare = String::new();
    for part in name.split('/') {
        match part.split_once('=') {
            Some((key, value)) if !bare.is_empty() => parameters.push(parameter(key, value)),
            _ if bare.is_empty() => bare.push_str(part),
            _ => bare.push_str(&format!("/{part}")),
        }
    }
    if several {
        parameters.push(parameter("processors", processors.unwrap_or("1")));
    }
    SavedCase {
        group: line.package.clone(),
        parameters,
        language: "go".to_owned(),
        ..SavedCase::new(full_key(&line.package, &line.name), bare)
    }
}

fn full_key(package: &str, name: &str) -> String {
    if package.is_empty() {
        name.to_owned()
    } else {
        format!("{package}.{name}")
    }
}
