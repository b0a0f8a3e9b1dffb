//! The child of the Tare protocol, version 1: see `spec/protocol.md`, whose rules (R1 ...) are quoted here.

mod declarations;
mod json;
mod link;
mod replies;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};

use crate::clock;
use crate::guard::install_hook;
use crate::instance::{Cuts, Instance, Which};
use crate::memory::{self, Counter};
use crate::registry::{cases_with, having, Case, Given};
use crate::select::Selection;
use declarations::{describe, hello};
use json::Json;
use replies::{error, failed, measured, opened_with, outcome};

/// R6: a request has at most so many bytes.
const LONGEST: u64 = 255;
/// `measure`: at most so many iterations.
const MOST_ITERATIONS: u64 = 100_000;
/// ... each of at most so many windows.
const MOST_WINDOWS: u64 = 1024;

/// R6: decimal digits and nothing else.
fn number(word: &str) -> Option<u64> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        word.parse().ok()
    } else {
        None
    }
}

/// The text that a word of `set` stands for.
fn unquoted(word: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = if word == "%" { "" } else { word };
    while let Some(byte) = rest.bytes().next() {
        let length = if byte == b'%' { 3 } else { 1 };
        let piece = rest.get(..length)?;
        bytes.push(if byte == b'%' { u8::from_str_radix(&piece[1..], 16).ok()? } else { byte });
        rest = &rest[length..];
    }
    String::from_utf8(bytes).ok()
}

/// The state of the conversation.
struct Child {
    selection: Selection,
    /// Values of parameters that the host has set.
    given: Given,
    cases: &'static [Case],
    greeted: bool,
    opened: Option<Instance<'static>>,
    finished: bool,
}

impl Child {
    /// Lists the cases anew. They live as long as the process: the host sets parameters once, before it opens one.
    fn list_anew(&mut self) {
        let mut cases = cases_with(&self.given);
        cases.retain(|case| self.selection.takes(&case.full_name()));
        self.cases = Vec::leak(cases);
    }

    /// R22.
    fn set(&mut self, words: &[&str]) -> String {
        let Some(texts) = words.iter().map(|word| unquoted(word)).collect::<Option<Vec<String>>>() else {
            return error("bad-request", "an argument is not valid UTF-8");
        };
        let (name, values) = (texts[0].clone(), texts[1..].to_vec());
        match having(&name, &values) {
            Err(why) => error("bad-request", &why),
            Ok(count) => {
                if count != 0 {
                    self.given.retain(|(known, _)| *known != name);
                    self.given.push((name, values));
                    self.list_anew();
                }
                Json::new("set").number("benchmarks", count).line()
            }
        }
    }

    /// The reply to a request (for `list`: all of its lines).
    fn answer(&mut self, request: &str) -> String {
        let words: Vec<&str> = request.split(' ').collect();
        let (verb, rest) = (words[0], &words[1..]);
        if !self.greeted && verb != "hello" {
            return error("bad-state", "the first request is `hello`"); // R10
        }
        let arguments: usize = match verb {
            "hello" | "randomize" => 1,
            "open" => 2,
            // Windows may be asked for, or not.
            "measure" if clock::HAS_PROBE && rest.len() == 5 => 5,
            "measure" => 4,
            "diagnose" if memory::is_possible() => 4,
            "set" => rest.len().max(2),
            "list" | "check" | "close" | "bye" => 0,
            _ => return error("unknown-request", &format!("unknown request `{verb}`")), // R9
        };
        // What the host can stands behind the version of `hello`; nothing of it matters here.
        let rest = if verb == "hello" { rest.get(..1).unwrap_or_default() } else { rest };
        match (verb, self.opened.is_some()) {
            ("list" | "open" | "set", true) => return error("bad-state", "a benchmark is open: `close` it first"),
            ("check" | "measure" | "diagnose" | "randomize" | "close", false) => {
                return error("bad-state", "no benchmark is open")
            }
            _ => {}
        }
        if rest.len() != arguments {
            return error("bad-request", &format!("`{verb}` takes {arguments} arguments, not {}", rest.len()));
        }
        match verb {
            "hello" => self.hello(rest[0]),
            "list" => {
                let mut lines = String::new();
                for (index, case) in self.cases.iter().enumerate() {
                    lines.push_str(&describe(index, case));
                }
                lines.push_str(&Json::new("end").number("count", self.cases.len() as u64).line());
                lines
            }
            "set" => self.set(rest),
            "open" => self.open(rest[0], rest[1]),
            "bye" => {
                self.finished = true;
                self.opened = None;
                Json::new("bye").line()
            }
            _ => self.opened(verb, rest),
        }
    }

    fn hello(&mut self, version: &str) -> String {
        match number(version) {
            Some(1) => {
                self.greeted = true;
                hello()
            }
            Some(_) => {
                let json = Json::new("error").text("kind", "version").text("message", "this child speaks version 1");
                json.bare("versions", "[1]").line()
            }
            None => error("bad-request", "the version is a number"),
        }
    }

    fn open(&mut self, index: &str, seed: &str) -> String {
        let (Some(index), Some(seed)) = (number(index), number(seed)) else {
            return error("bad-request", "`open` takes two numbers");
        };
        let Some(case) = usize::try_from(index).ok().and_then(|index| self.cases.get(index)) else {
            return error("bad-request", &format!("no benchmark {index}: there are {}", self.cases.len()));
        };
        let opened = Instance::open(case, seed).and_then(|instance| Ok((instance.amounts()?, instance)));
        match opened {
            Ok((amounts, mut instance)) => {
                // Of a cold start nothing may be warm that the first invocation meets.
                let input_bytes =
                    if case.bench.manner.strategy == "cold-start" { None } else { instance.input_bytes() };
                let loop_address = instance.loop_address();
                self.opened = Some(instance);
                opened_with(case, amounts, input_bytes, loop_address)
            }
            Err(failure) => failed(&failure),
        }
    }

    /// The requests that need an open benchmark.
    fn opened(&mut self, verb: &str, rest: &[&str]) -> String {
        let Some(mut instance) = self.opened.take() else {
            return error("bad-state", "no benchmark is open");
        };
        if verb == "close" {
            return outcome("closed", instance.close());
        }
        let reply = match verb {
            "check" => match instance.check() {
                Ok(shown) => match shown.text {
                    Some(text) => {
                        Json::new("checked").text("digest", &format!("{:016x}", shown.hash)).text("text", &text).line()
                    }
                    None => Json::new("checked").bare("digest", "null").bare("text", "null").line(),
                },
                Err(failure) => failed(&failure),
            },
            "randomize" => match number(rest[0]) {
                Some(seed) => outcome("randomized", instance.randomize(seed)),
                None => error("bad-request", "the seed is a number"),
            },
            "diagnose" => diagnose(&mut instance, rest),
            _ => measure(&mut instance, rest),
        };
        self.opened = Some(instance);
        reply
    }
}

/// R23.
fn diagnose(instance: &mut Instance<'_>, rest: &[&str]) -> String {
    let (Some(iterations), Some(invocations), Some(lead)) = (number(rest[1]), number(rest[2]), number(rest[3])) else {
        return error("bad-request", "`diagnose` takes a name and three numbers");
    };
    if iterations == 0 || iterations > MOST_ITERATIONS || invocations == 0 {
        return error("bad-request", "iterations are 1 to 100000, invocations at least 1");
    }
    if rest[0] != "memory" {
        return error("not-supported", "the only diagnoser here is `memory`");
    }
    let counter = match Counter::find() {
        Ok(counter) => counter,
        Err(why) => return error("not-supported", why),
    };
    let (counts, samples) = match instance.count(counter, iterations as usize, invocations, lead) {
        Ok(counts) => counts,
        Err(failure) => return failed(&failure),
    };
    let mut json = Json::new("diagnosed").counted(&samples);
    json.name("metrics");
    json.0.push('{');
    for (at, (name, ..)) in memory::METRICS.into_iter().enumerate() {
        if at != 0 {
            json.0.push(',');
        }
        json.quote(name);
        json.0.push(':');
        json = json.values(&mut counts.iter().map(|counts| counts[at]));
    }
    json.0.push('}');
    json.line()
}

fn measure(instance: &mut Instance<'_>, rest: &[&str]) -> String {
    let which = match rest[0] {
        "workload" => Which::Workload,
        "rolled" => Which::Rolled,
        "overhead" => Which::Overhead,
        "single" => Which::Single,
        "single-overhead" => Which::SingleOverhead,
        _ => {
            return error("bad-request", "the loop is `workload`, `overhead`, `rolled`, `single` or `single-overhead`")
        }
    };
    let (Some(iterations), Some(invocations), Some(lead)) = (number(rest[1]), number(rest[2]), number(rest[3])) else {
        return error("bad-request", "`measure` takes a loop and three numbers");
    };
    if iterations == 0 || iterations > MOST_ITERATIONS || invocations == 0 {
        return error("bad-request", "iterations are 1 to 100000, invocations at least 1");
    }
    let windows = match rest.get(4).map(|word| number(word)) {
        None => 0,
        Some(Some(windows @ 1..=MOST_WINDOWS)) if windows * iterations <= MOST_ITERATIONS => windows,
        Some(_) => return error("bad-request", "windows are 1 to 1024, and at most 100000 in all iterations"),
    };
    let mut cuts = Cuts::new(iterations as usize, windows as usize);
    match instance.measure_cut(which, iterations as usize, invocations, lead, &mut cuts) {
        Ok(samples) => measured(which, &samples, &cuts),
        Err(failure) => failed(&failure),
    }
}

/// Reads a request without its end of line; `Ok(None)`: the line was too long or not printable ASCII.
fn read(input: &mut BufReader<File>, line: &mut Vec<u8>) -> Option<String> {
    line.clear();
    match input.by_ref().take(LONGEST).read_until(b'\n', line) {
        Ok(length) if length != 0 => {}
        _ => link::leave(), // R4
    }
    if line.pop() != Some(b'\n') {
        // Too long, or cut off by the end: the rest is of no use.
        loop {
            line.clear();
            match input.by_ref().take(LONGEST).read_until(b'\n', line) {
                Ok(length) if length != 0 => {}
                _ => link::leave(),
            }
            if line.last() == Some(&b'\n') {
                return None;
            }
        }
    }
    if line.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        String::from_utf8(line.clone()).ok()
    } else {
        None
    }
}

/// Speaks the protocol on the link that `text` names, to the end.
pub(crate) fn serve(text: &str) -> ! {
    let Some((input, mut output)) = link::open(text) else {
        eprintln!("tare: TARE_LINK=`{text}` is not `fd:R,W` with two open descriptors");
        std::process::exit(2);
    };
    std::env::remove_var("TARE_LINK"); // R2
    install_hook();
    let mut child = Child {
        selection: Selection::inherited(),
        given: Given::new(),
        cases: &[],
        greeted: false,
        opened: None,
        finished: false,
    };
    child.list_anew();
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while !child.finished {
        let reply = match read(&mut input, &mut line) {
            Some(request) => child.answer(&request),
            None if !child.greeted => error("bad-state", "the first request is `hello`"),
            None => error("bad-request", "a request is at most 255 bytes of printable ASCII"),
        };
        if output.write_all(reply.as_bytes()).is_err() {
            link::leave();
        }
    }
    let _ = std::io::stdout().flush();
    std::process::exit(0)
}
