//! Reads a text line by line: benchmarks that began, their results, and how they ended.

use super::name::split_processors;
use super::words::{configuration, is_beginning, named, pairs, result_at_end, unreadable};
use crate::json::number;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use tare_analysis::Better;

/// Keys that `go test` itself prints above the results of a process.
const PROCESS_KEYS: [&str; 4] = ["goos", "goarch", "pkg", "cpu"];
/// How the last message of a program may begin.
const LAST_WORDS: [&str; 5] = ["panic: ", "fatal error: ", "signal: ", "*** Test killed", "SIGQUIT: "];

pub(super) type Configuration = BTreeMap<String, String>;

pub(super) struct Line {
    pub package: String,
    pub name: String,
    pub process: usize,
    /// Number of calls that its values are the means of.
    pub calls: Option<f64>,
    pub ns: Option<f64>,
    /// Values in other units, in order.
    pub metrics: Vec<(String, f64)>,
    pub configuration: Rc<Configuration>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct UnitFacts {
    pub better: Option<Better>,
    pub is_exact: bool,
}

pub(super) struct Lost {
    pub package: String,
    pub name: String,
    /// Its own reason, or one from the text; empty if there is neither.
    pub why: String,
    pub is_skipped: bool,
}

struct Begun {
    package: String,
    name: String,
    has_result: bool,
}

#[derive(Default)]
pub(super) struct GoOutput {
    pub lines: Vec<Line>,
    pub lost: Vec<Lost>,
    pub packages: Vec<(String, String)>,
    /// Names of benchmarks with a repetition that has no result.
    pub repetitions: BTreeSet<String>,
    pub units: HashMap<String, UnitFacts>,
    pub configuration: Configuration,
    /// Values that no metric can have, by unit.
    pub odd_values: BTreeSet<String>,
    /// Values that are not numbers, with the names of their benchmarks.
    pub unreadable: Vec<Unreadable>,
    pub torn_events: usize,
}

pub(super) struct Unreadable {
    pub package: String,
    pub name: String,
    pub text: String,
    pub is_time: bool,
}

#[derive(Default)]
pub(super) struct Reader {
    found: GoOutput,
    package: String,
    process: usize,
    /// The header of a process is being read, before its first result.
    in_header: bool,
    configuration: Rc<Configuration>,
    /// A name whose numbers are still to come, and its index among those that began.
    pending: Option<(String, Option<usize>)>,
    begun: Vec<Begun>,
    /// Start indices of the lines, beginnings and losses that belong to a package without header, which its last line names.
    section: [usize; 3],
    /// The loss that the next indented line explains.
    unexplained: Option<usize>,
    /// Log of the benchmark that was named last: with `-v` it comes before its outcome.
    said: Option<String>,
    /// The packages with messages from their build, and the first message of each.
    builds: Vec<(String, Option<String>)>,
    failing_test: Option<String>,
    /// A program that was not started by `go test` ends with only `FAIL`.
    ends_with_fail: bool,
    last_words: Option<String>,
}

impl Reader {
    /// Reads the lines of a text; the last one may be truncated.
    pub fn take_all(&mut self, text: &str) {
        let is_cut = !text.ends_with('\n');
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            match is_cut && lines.peek().is_none() && self.has_lost_its_end(line) {
                true => self.take(line.trim_end_matches(|c: char| !c.is_whitespace())),
                false => self.take(line),
            }
        }
    }

    /// Begins the output of a package named by events.
    pub fn begin_package(&mut self, package: &str) {
        self.new_process();
        self.package = package.to_owned();
    }

    /// Whether a last line lacks `ns/op` although all others have it.
    fn has_lost_its_end(&self, line: &str) -> bool {
        let is_torn =
            named(line).is_some_and(|(_, rest)| pairs(rest).is_some_and(|p| p.iter().all(|(_, u)| *u != "ns/op")));
        is_torn && !self.found.lines.is_empty() && self.found.lines.iter().all(|l| l.ns.is_some())
    }

    fn take(&mut self, line: &str) {
        let line = line.trim_end();
        self.ends_with_fail |= line == "FAIL";
        if self.outcome(line) || self.end_of_package(line) {
            return;
        }
        if let Some(unit) = line.strip_prefix("Unit ") {
            self.unit(unit);
        } else if let Some((name, rest)) = named(line) {
            self.benchmark(name, rest);
        } else if let Some((name, begun)) = self.pending.clone() {
            match result_at_end(line) {
                Some(numbers) => self.result(&name, numbers, begun),
                None if unreadable(line).iter().any(|(_, unit)| is_time(unit)) => self.result(&name, line, begun),
                None => {}
            }
        } else if let Some((key, value)) = configuration(line).filter(|(key, _)| *key != "panic") {
            self.header(key, value);
        }
        self.remember(line);
    }

    /// `--- FAIL: BenchmarkPay-4`, alone or after the name that was printed when it began.
    fn outcome(&mut self, line: &str) -> bool {
        let outcomes = [("--- FAIL: ", false), ("--- SKIP: ", true)];
        let found = outcomes.iter().find_map(|(mark, is_skipped)| Some((line.split_once(mark)?.1, *is_skipped)));
        let Some((rest, is_skipped)) = found else { return false };
        let word = rest.split_whitespace().next().unwrap_or_default();
        match word.strip_prefix("Benchmark") {
            Some(name) => {
                let why = self.said.take().unwrap_or_default();
                self.found.lost.push(Lost { package: self.package.clone(), name: name.to_owned(), why, is_skipped });
                self.unexplained = Some(self.found.lost.len() - 1);
                self.settle(name);
            }
            None if line.starts_with("--- FAIL: ") => _ = self.failing_test.get_or_insert_with(|| word.to_owned()),
            None => {}
        }
        self.pending = None;
        true
    }

    fn settle(&mut self, name: &str) {
        let package = &self.package;
        let of_name = |begun: &&mut Begun| begun.package == *package && begun.name == name;
        if let Some(begun) = self.begun.iter_mut().rev().find(of_name) {
            begun.has_result = true;
        }
    }

    /// `ok PACKAGE TIME`, `FAIL PACKAGE TIME`, `FAIL PACKAGE [build failed]`.
    fn end_of_package(&mut self, line: &str) -> bool {
        let is_failed = line.starts_with("FAIL\t") || line.starts_with("FAIL ");
        if !is_failed && !line.starts_with("ok  \t") && !line.starts_with("ok  ") {
            return false;
        }
        let mut words = line.split_whitespace().skip(1);
        let Some(package) = words.next() else { return false };
        self.name_section(package);
        if is_failed {
            let how = words.collect::<Vec<&str>>().join(" ");
            let why = self.why_package_failed(package, &how);
            self.found.packages.push((package.to_owned(), why));
        }
        self.new_process();
        true
    }

    /// In a file without `pkg:` lines, the package is named after its results.
    fn name_section(&mut self, package: &str) {
        let [lines, begun, lost] = self.section;
        let names = self.found.lines[lines..].iter_mut().map(|l| &mut l.package);
        let names = names.chain(self.begun[begun..].iter_mut().map(|b| &mut b.package));
        let names = names.chain(self.found.lost[lost..].iter_mut().map(|l| &mut l.package));
        names.filter(|name| name.is_empty()).for_each(|name| *name = package.to_owned());
    }

    fn why_package_failed(&mut self, package: &str, how: &str) -> String {
        let said = |builds: &[(String, Option<String>)]| {
            let build =
                builds.iter().rev().find(|(name, _)| name == package || name.starts_with(&format!("{package}.")));
            build.and_then(|(_, said)| said.clone())
        };
        let because = |said: Option<String>| said.map(|said| format!(": {said}")).unwrap_or_default();
        match how {
            "[build failed]" | "[setup failed]" => format!("the package did not build{}", because(said(&self.builds))),
            _ => {
                let test = self.failing_test.take().map(|test| format!("`{test}` failed"));
                format!("the package failed{}", because(test.or_else(|| self.last_words.clone())))
            }
        }
    }

    fn new_process(&mut self) {
        self.in_header = false;
        self.pending = None;
        self.unexplained = None;
        self.process += 1;
        self.section = [self.found.lines.len(), self.begun.len(), self.found.lost.len()];
        // In a file without headers, the next process belongs to another package.
        if !self.configuration.contains_key("pkg") {
            self.package.clear();
        }
    }

    fn header(&mut self, key: &str, value: &str) {
        // The header of a process begins with `goos`, or with `pkg` after some tools have shortened it. Other keys come before it in this
        // format, or are output of a benchmark: they begin nothing.
        if PROCESS_KEYS.contains(&key) && !self.in_header {
            self.new_process();
            self.in_header = true;
        }
        if key == "pkg" {
            self.package = value.to_owned();
        }
        let configuration = Rc::make_mut(&mut self.configuration);
        match value.is_empty() {
            true => _ = configuration.remove(key),
            false => {
                configuration.insert(key.to_owned(), value.to_owned());
                self.found.configuration.entry(key.to_owned()).or_insert_with(|| value.to_owned());
            }
        }
    }

    fn benchmark(&mut self, name: &str, rest: &str) {
        (self.pending, self.said) = (None, None);
        let is_odd = || !unreadable(rest).is_empty();
        let numbers = pairs(rest).map(|_| rest).or_else(|| result_at_end(rest)).or_else(|| is_odd().then_some(rest));
        if let Some(numbers) = numbers {
            return self.result(name, numbers, None);
        }
        let is_begun = is_beginning(name, rest);
        if is_begun {
            self.begun.push(Begun { package: self.package.clone(), name: name.to_owned(), has_result: false });
        }
        if !name.ends_with(':') {
            self.pending = Some((name.to_owned(), is_begun.then(|| self.begun.len() - 1)));
        }
    }

    /// `NAME better=lower assume=exact`.
    fn unit(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        let Some(name) = words.next() else { return };
        for word in words {
            let facts = self.found.units.entry(name.to_owned()).or_default();
            match word.split_once('=') {
                Some(("better", "lower")) => facts.better = Some(Better::Lower),
                Some(("better", "higher")) => facts.better = Some(Better::Higher),
                Some(("better", _)) => facts.better = Some(Better::Unknown),
                Some(("assume", how)) => facts.is_exact = how == "exact",
                _ => {}
            }
        }
    }

    fn result(&mut self, name: &str, numbers: &str, begun: Option<usize>) {
        let (odd, found) = (unreadable(numbers), pairs(numbers).unwrap_or_default());
        let (package, has_values) = (self.package.clone(), !found.is_empty());
        self.found.unreadable.extend(odd.into_iter().map(|(value, unit)| Unreadable {
            package: package.clone(),
            name: name.to_owned(),
            text: format!("{value} {unit}").trim_end().to_owned(),
            is_time: is_time(unit),
        }));
        let (mut ns, mut metrics) = (None, Vec::new());
        let has_time = found.iter().any(|(_, unit)| is_time(unit));
        for (value, unit) in found {
            match unit {
                "ns/op" => ns = Some(value),
                "sec/op" => ns = Some(value * 1e9),
                "MB/s" | "B/s" if has_time => {}
                _ if value.is_finite() && value >= 0.0 => metrics.push((unit.to_owned(), value)),
                _ => _ = self.found.odd_values.insert(unit.to_owned()),
            }
        }
        if let Some(begun) = begun.and_then(|place| self.begun.get_mut(place)) {
            begun.has_result = true;
        }
        (self.in_header, self.pending) = (false, None);
        self.settle(name);
        if !has_values {
            return;
        }
        self.found.lines.push(Line {
            package,
            name: name.to_owned(),
            process: self.process,
            calls: numbers.split_whitespace().next().and_then(number),
            ns,
            metrics,
            configuration: Rc::clone(&self.configuration),
        });
    }

    /// Remembers lines that may explain a later loss.
    fn remember(&mut self, line: &str) {
        let is_indented = line.starts_with([' ', '\t']);
        // A program that ends in a benchmark says why behind its name.
        let last = named(line).map_or(line, |(_, rest)| rest.trim_start());
        if let Some(lost) = self.unexplained.take().filter(|_| is_indented) {
            let why = &mut self.found.lost[lost].why;
            why.push_str(if why.is_empty() { "" } else { ": " });
            why.push_str(line.trim());
        } else if is_indented && self.pending.is_some() {
            self.said = Some(line.trim().to_owned());
        } else if LAST_WORDS.iter().any(|start| last.starts_with(start)) {
            self.last_words.get_or_insert_with(|| last.to_owned());
        } else if let Some(build) = line.strip_prefix("# ") {
            self.builds.push((build.split_whitespace().next().unwrap_or_default().to_owned(), None));
        } else if let Some((_, said)) = self.builds.last_mut().filter(|(_, said)| said.is_none() && !line.is_empty()) {
            *said = Some(line.to_owned());
        }
    }

    /// A benchmark whose time is not a number has no result, unless another of its lines has one.
    fn lose_unreadable(&mut self) {
        let lines = &self.found.lines;
        let has_other = |u: &Unreadable| {
            let of_name = |l: &&Line| l.package == u.package && l.name == u.name;
            lines.iter().filter(of_name).any(|l| l.ns.is_some() || !u.is_time)
        };
        let (kept, lost): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.found.unreadable).into_iter().partition(has_other);
        self.found.unreadable = kept;
        self.found.lost.extend(lost.into_iter().map(|Unreadable { package, name, text, .. }| Lost {
            package,
            name,
            why: format!("its value cannot be read: `{text}`"),
            is_skipped: false,
        }));
    }

    /// All results; benchmarks that began but have no result are among the losses.
    pub fn finish(mut self) -> GoOutput {
        self.lose_unreadable();
        let last_words = self.last_words.as_deref().map(|words| format!(": {words}")).unwrap_or_default();
        for begun in self.begun.into_iter().filter(|begun| !begun.has_result) {
            let Begun { package, name, .. } = begun;
            let below = format!("{name}/");
            // `-v` prints bare names first, including those of parents of sub-benchmarks.
            let stands_for = |other: &str| split_processors(other).0 == name || other.starts_with(&below);
            let (lines, lost) = (&self.found.lines, &self.found.lost);
            if lines.iter().any(|l| l.package == package && l.name == name) {
                self.found.repetitions.insert(super::name::full_key(&package, &name));
            } else if !lines.iter().any(|l| l.package == package && stands_for(&l.name))
                && !lost.iter().any(|l| l.package == package && (l.name == name || stands_for(&l.name)))
            {
                let why = format!("it started but has no result{last_words}");
                self.found.lost.push(Lost { package, name, why, is_skipped: false });
            }
        }
        if self.ends_with_fail && self.found.packages.is_empty() {
            let test = self.failing_test.take().map(|test| format!(": `{test}` failed")).unwrap_or_default();
            let package = Some(self.package).filter(|package| !package.is_empty());
            let package = package.unwrap_or_else(|| "go test".to_owned());
            self.found.packages.push((package, format!("it ended with FAIL{test}")));
        }
        // Failures with a name have more information than their package.
        let lost = &self.found.lost;
        self.found.packages.retain(|(package, _)| lost.iter().all(|l| l.is_skipped || l.package != *package));
        self.found
    }
}

fn is_time(unit: &str) -> bool {
    ["ns/op", "sec/op"].contains(&unit)
}
