//! The child's side of the Tare protocol, version 1: see `spec/protocol.md`, whose rules (R1 ...) are cited here.

mod declarations;
mod json;
mod link;
mod replies;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};

use crate::guard::{install_hook, Failure};
use crate::instance::{Cuts, Instance, Which};
use crate::memory::{self, Counter};
use crate::registry::{cases_with, having, Case, Given};
use crate::select::Selection;
use declarations::{describe, hello};
use json::Json;
use replies::{error, failed, measured, opened_with, operations, outcome};

/// R9: a request that the host would not send.
fn unknown(request: &str) -> ! {
    eprintln!("error: tare cannot answer `{request}` here");
    std::process::exit(2)
}

fn number(word: &str) -> u64 {
    word.parse().unwrap_or_else(|_| unknown(word))
}

/// Decodes a word of `set`.
fn unquoted(word: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = if word == "%" { "" } else { word };
    while let Some(byte) = rest.bytes().next() {
        let length = if byte == b'%' { 3 } else { 1 };
        let piece = rest.get(..length).unwrap_or_else(|| unknown(word));
        bytes.push(if byte == b'%' { u8::from_str_radix(&piece[1..], 16).unwrap_or(byte) } else { byte });
        rest = &rest[length..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

struct Child {
    selection: Selection,
    /// Values of parameters that the host has set.
    given: Given,
    cases: &'static [Case],
    opened: Option<Instance<'static>>,
    finished: bool,
}

impl Child {
    /// Lists the cases again. The old ones are leaked: the host sets parameters once, before it opens a case.
    fn list_anew(&mut self) {
        let mut cases = cases_with(&self.given);
        cases.retain(|case| self.selection.takes(&case.full_name()));
        self.cases = Vec::leak(cases);
    }

    /// R22.
    fn set(&mut self, words: &[&str]) -> String {
        let texts: Vec<String> = words.iter().map(|word| unquoted(word)).collect();
        let (name, values) = (texts[0].clone(), texts[1..].to_vec());
        match having(&name, &values) {
            Err(why) => error("bad-value", &why),
            Ok(count) => {
                if count != 0 {
                    self.given.retain(|(known, _)| *known != name);
                    self.given.push((name, values));
                    self.list_anew();
                }
                Json::new("set").member("benchmarks", &count).line()
            }
        }
    }

    /// The reply to a request (for `list`, all lines).
    fn answer(&mut self, request: &str) -> String {
        let words: Vec<&str> = request.split(' ').collect();
        let (verb, rest) = (words[0], &words[1..]);
        match (verb, &self.opened) {
            ("hello", _) => greet(rest[0]),
            ("list", None) => {
                let mut lines = String::new();
                for (index, case) in self.cases.iter().enumerate() {
                    lines.push_str(&describe(index, case));
                }
                lines.push_str(&Json::new("end").member("count", &self.cases.len()).line());
                lines
            }
            ("set", None) => self.set(rest),
            ("open", None) => self.open(rest),
            ("bye", _) => {
                self.finished = true;
                self.opened = None;
                Json::new("bye").line()
            }
            _ => self.opened(verb, rest),
        }
    }

    fn open(&mut self, words: &[&str]) -> String {
        let seed = number(words[1]);
        // Mostly it is in the same place as in the list of the host.
        let at = self.cases.get(number(words[0]) as usize);
        let is_it = |case: &&Case| words.get(2).map_or(true, |key| case.key() == *key);
        let Some(case) = at.into_iter().chain(self.cases).find(is_it) else {
            let why = "this process does not declare it: declare the same ones each time";
            return failed(&Failure::new("set-up", why));
        };
        let opened = Instance::open(case, seed).and_then(|instance| Ok((instance.amounts()?, instance)));
        match opened {
            Ok((amounts, mut instance)) => {
                // For a cold start, nothing that the first invocation meets may be warm.
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
        let Some(mut instance) = self.opened.take() else { unknown(verb) };
        if verb == "close" {
            return outcome("closed", instance.close());
        }
        let reply = match verb {
            "check" => match instance.check() {
                Ok(shown) => match shown.text {
                    Some(text) => {
                        Json::new("checked").text("digest", &format!("{:016x}", shown.hash)).text("text", &text).line()
                    }
                    None => Json::new("checked").member("digest", &"null").member("text", &"null").line(),
                },
                Err(failure) => failed(&failure),
            },
            "randomize" => outcome("randomized", instance.randomize(number(rest[0]))),
            "diagnose" => diagnose(&mut instance, rest),
            "measure" => measure(&mut instance, rest),
            _ => unknown(verb),
        };
        self.opened = Some(instance);
        reply
    }
}

fn greet(version: &str) -> String {
    if number(version) == 1 {
        return hello();
    }
    let mut json = Json::new("error");
    json.text("kind", "version").text("message", "this child speaks version 1").member("versions", &"[1]").line()
}

/// R23: `memory` is the only diagnoser.
fn diagnose(instance: &mut Instance<'_>, rest: &[&str]) -> String {
    let (iterations, invocations, lead) = (number(rest[1]), number(rest[2]), number(rest[3]));
    let counter = match Counter::find() {
        Ok(counter) => counter,
        Err(why) => return error("not-supported", why),
    };
    let (counts, samples) = match instance.count(counter, iterations as usize, invocations, lead) {
        Ok(counts) => counts,
        Err(failure) => return failed(&failure),
    };
    let mut json = Json::new("diagnosed");
    operations(&mut json, &samples);
    json.name("metrics").object(|json| {
        for (at, (name, ..)) in memory::METRICS.into_iter().enumerate() {
            json.values(name, counts.iter().map(|counts| counts[at]));
        }
    });
    json.line()
}

fn measure(instance: &mut Instance<'_>, rest: &[&str]) -> String {
    let which = match rest[0] {
        "workload" => Which::Workload,
        "rolled" => Which::Rolled,
        "overhead" => Which::Overhead,
        "single" => Which::Single,
        "single-overhead" => Which::SingleOverhead,
        other => unknown(other),
    };
    let (iterations, invocations, lead) = (number(rest[1]), number(rest[2]), number(rest[3]));
    let windows = rest.get(4).map_or(0, |word| number(word));
    let mut cuts = Cuts::new(iterations as usize, windows as usize);
    match instance.measure_cut(which, iterations as usize, invocations, lead, &mut cuts) {
        Ok(samples) => measured(which, &samples, &cuts),
        Err(failure) => failed(&failure),
    }
}

/// Reads a request, without its line ending.
fn read(input: &mut BufReader<File>) -> String {
    let mut line = String::new();
    match input.read_line(&mut line) {
        Ok(_) if line.pop() == Some('\n') => line,
        _ => link::leave(), // R4
    }
}

/// Speaks the protocol on the link that `text` names, until the end of the process.
pub(crate) fn serve(text: &str) -> ! {
    let Some((input, mut output)) = link::open(text) else {
        eprintln!("tare: TARE_LINK=`{text}` is not `fd:R,W` with two open descriptors");
        std::process::exit(2);
    };
    std::env::remove_var("TARE_LINK"); // R2
    install_hook();
    let mut child =
        Child { selection: Selection::inherited(), given: Given::new(), cases: &[], opened: None, finished: false };
    child.list_anew();
    let mut input = BufReader::new(input);
    while !child.finished {
        let reply = child.answer(&read(&mut input));
        if output.write_all(reply.as_bytes()).is_err() {
            link::leave();
        }
    }
    let _ = std::io::stdout().flush();
    crate::once::remove_own();
    std::process::exit(0)
}
