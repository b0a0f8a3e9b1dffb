//! The child of the Tare protocol, version 1: see `spec/protocol.md`, whose rules (R1 ...) are quoted here.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::time::Duration;

use crate::clock;
use crate::instance::{install_hook, Cuts, Failure, Instance, Sample, Which};
use crate::loops::{ROLLED, UNROLL};
use crate::memory::{self, Counter};
use crate::metric::metrics;
use crate::registry::{cases_with, having, Case, Given, Manner};
use crate::select::Selection;
use crate::vtable::Amounts;

/// R6: a request has at most so many bytes.
const LONGEST: u64 = 255;
/// `measure`: at most so many iterations.
const MOST_ITERATIONS: u64 = 100_000;
/// ... each of at most so many windows.
const MOST_WINDOWS: u64 = 1024;

/// A JSON object that is being written. (Nothing here is generic or inlined, for the sake of build time.)
struct Json(String);

impl Json {
    #[inline(never)]
    fn new(reply: &str) -> Json {
        let mut json = Json(String::from("{"));
        json.quote("reply");
        json.0.push(':');
        json.quote(reply);
        json
    }

    #[inline(never)]
    fn quote(&mut self, text: &str) {
        self.0.push('"');
        for c in text.chars() {
            match c {
                '"' => self.0.push_str("\\\""),
                '\\' => self.0.push_str("\\\\"),
                '\n' => self.0.push_str("\\n"),
                '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{2028}' | '\u{2029}' => {
                    let _ = write!(self.0, "\\u{:04x}", u32::from(c));
                }
                c => self.0.push(c),
            }
        }
        self.0.push('"');
    }

    #[inline(never)]
    fn name(&mut self, name: &str) {
        self.0.push(',');
        self.quote(name);
        self.0.push(':');
    }

    #[inline(never)]
    fn text(mut self, name: &str, text: &str) -> Json {
        self.name(name);
        self.quote(text);
        self
    }

    /// A number, a boolean, null or a list of numbers.
    #[inline(never)]
    fn bare(mut self, name: &str, value: &str) -> Json {
        self.name(name);
        self.0.push_str(value);
        self
    }

    #[inline(never)]
    fn number(mut self, name: &str, value: u64) -> Json {
        self.name(name);
        let _ = write!(self.0, "{value}");
        self
    }

    fn truth(self, name: &str, value: bool) -> Json {
        self.bare(name, if value { "true" } else { "false" })
    }

    #[inline(never)]
    fn texts(mut self, name: &str, texts: &[&str]) -> Json {
        self.name(name);
        self.0.push('[');
        for (number, text) in texts.iter().enumerate() {
            if number != 0 {
                self.0.push(',');
            }
            self.quote(text);
        }
        self.0.push(']');
        self
    }

    #[inline(never)]
    fn list(mut self, name: &str, numbers: &mut dyn Iterator<Item = u64>) -> Json {
        self.name(name);
        self.values(numbers)
    }

    #[inline(never)]
    /// R25: the operations of each iteration, where the benchmark counts them.
    fn counted(mut self, samples: &[Sample]) -> Json {
        if samples.iter().any(|sample| sample.operations > 0.0) {
            self.name("operations");
            for (at, sample) in samples.iter().enumerate() {
                let _ = write!(self.0, "{}{}", if at == 0 { '[' } else { ',' }, sample.operations);
            }
            self.0.push(']');
        }
        self
    }

    fn values(mut self, numbers: &mut dyn Iterator<Item = u64>) -> Json {
        self.0.push('[');
        for (position, number) in numbers.enumerate() {
            if position != 0 {
                self.0.push(',');
            }
            let _ = write!(self.0, "{number}");
        }
        self.0.push(']');
        self
    }

    /// An object of numbers.
    #[inline(never)]
    fn numbered(mut self, members: &mut dyn Iterator<Item = (&str, u64)>) -> Json {
        self.0.push('{');
        for (position, (name, number)) in members.enumerate() {
            if position != 0 {
                self.0.push(',');
            }
            self.quote(name);
            let _ = write!(self.0, ":{number}");
        }
        self.0.push('}');
        self
    }

    #[inline(never)]
    fn numbers(self, name: &str, samples: &[Sample], column: fn(&Sample) -> u64) -> Json {
        self.list(name, &mut samples.iter().map(column))
    }

    /// A member of a list of metrics.
    #[inline(never)]
    fn metric(mut self, number: usize, name: &str, unit: &str, better: &str, per: &str) -> Json {
        self.0.push_str(if number == 0 { "{\"name\":" } else { ",{\"name\":" });
        self.quote(name);
        self = self.text("unit", unit);
        if !better.is_empty() {
            self = self.text("better", better);
        }
        self = self.text("per", per);
        self.0.push('}');
        self
    }

    fn line(mut self) -> String {
        self.0.push_str("}\n");
        self.0
    }
}

fn error(kind: &str, message: &str) -> String {
    Json::new("error").text("kind", kind).text("message", message).line()
}

fn failed(failure: &Failure) -> String {
    if failure.skipped {
        return error("skipped", &failure.message);
    }
    let mut json = Json::new("error").text("kind", "exception").text("step", failure.step);
    json = json.text("message", &failure.message).text("type", if failure.panic { "panic" } else { "Err" });
    if let Some((file, line)) = &failure.place {
        json = json.text("file", file).number("line", u64::from(*line));
    }
    json.line()
}

fn outcome(reply: &str, result: Result<(), Failure>) -> String {
    match result {
        Ok(()) => Json::new(reply).line(),
        Err(failure) => failed(&failure),
    }
}

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

fn hello() -> String {
    let mut capabilities = vec!["rolled", "check", "randomize", "parameters"];
    if clock::HAS_CPU {
        capabilities.extend(["cpu", "process-cpu", "switches", "waits"]);
    }
    if clock::HAS_PROBE {
        capabilities.extend(["probe", "windows"]);
    }
    let counts = memory::is_possible();
    if counts {
        capabilities.push("diagnose");
    }
    let flags = if cfg!(panic = "abort") { "panic=abort" } else { "panic=unwind" };
    let mut json = Json::new("hello").number("protocol", 1).text("language", "rust");
    json = json.text("front_end", concat!("tare-rust ", env!("CARGO_PKG_VERSION"))).text("runtime", "std");
    if let Some(compiler) = crate::compiler::name() {
        json = json.text("compiler", &compiler);
    }
    json = json.text("flags", flags).truth("optimised", !cfg!(debug_assertions)).truth("debugger", debugger());
    json = json.text("clock", if cfg!(target_os = "linux") { "CLOCK_MONOTONIC" } else { "std::time::Instant" });
    json = json.number("clock_resolution_ns", clock::resolution_ns()).number("unroll", UNROLL);
    json = json.number("rolled_unroll", ROLLED);
    if clock::HAS_PROBE {
        json = json.number("probe_cycles", clock::PROBE_CYCLES).number("width_additions", clock::WIDTH_ADDITIONS);
    }
    json.name("metrics");
    json.0.push('[');
    for (number, metric) in metrics().into_iter().enumerate() {
        let per = if metric.per_iteration { "iteration" } else { "operation" };
        json = json.metric(number, metric.name, metric.unit, metric.better, per);
    }
    json.0.push(']');
    if counts {
        json.name("diagnosers");
        json.0.push_str("[{\"name\":\"memory\",\"metrics\":[");
        for (number, (name, unit, per)) in memory::METRICS.into_iter().enumerate() {
            json = json.metric(number, name, unit, "lower", per);
        }
        json.0.push_str("]}]");
    }
    json.texts("capabilities", &capabilities).line()
}

/// Whether somebody traces this process.
fn debugger() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|pid| pid.trim() != "0")
}

fn describe(index: usize, case: &Case) -> String {
    let bench = case.bench;
    let mut json =
        Json::new("benchmark").number("index", index as u64).text("group", case.group()).text("name", &case.name);
    json.name("parameters");
    json.0.push('[');
    for (number, (name, value)) in case.parameters.iter().enumerate() {
        if number != 0 {
            json.0.push(',');
        }
        json.0.push_str("{\"name\":");
        json.quote(name);
        json = json.text("value", value).text("type", case.types[number]);
        json.0.push('}');
    }
    json.0.push(']');
    json = json.text("file", bench.file).number("line", u64::from(bench.line)).truth("baseline", bench.baseline);
    json = json.number("operations", case.operations).text("unit", bench.unit);
    if !case.rates.is_empty() {
        json.name("rates");
        for (number, rate) in case.rates.iter().enumerate() {
            json.0.push_str(if number == 0 { "[{\"name\":" } else { ",{\"name\":" });
            json.quote(rate.name);
            json = json.text("unit", rate.unit).number("per_invocation", rate.amount.unwrap_or(0));
            json.0.push('}');
        }
        json.0.push(']');
    }
    json = json.texts("categories", bench.categories);
    if !bench.description.is_empty() {
        json = json.text("description", bench.description);
    }
    let vtable = &case.vtable;
    let mut set_ups = Vec::new();
    for (has, name) in [
        (vtable.set_up, "global"),
        (vtable.clean_up.is_some(), "global-clean-up"),
        // An invocation is an iteration then, whose set-up is ours.
        (vtable.iteration_set_up.is_some() || bench.manner.cold_caches, "iteration"),
        (vtable.iteration_clean_up.is_some(), "iteration-clean-up"),
    ] {
        if has {
            set_ups.push(name);
        }
    }
    json = json.texts("set_ups", &set_ups);
    json = json.truth("returns", bench.returns).number("threads", u64::from(case.threads));
    if let Some(reason) = &case.skipped {
        json = json.text("skipped", reason);
    }
    if vtable.own.is_some() {
        json = json.truth("own_time", true);
    }
    if let Some(fault) = &case.fault {
        json = json.text("invalid", fault);
    }
    manner(json, &bench.manner).line()
}

/// What a benchmark says of how it is run, where it does.
fn manner(mut json: Json, manner: &Manner) -> Json {
    if manner.waits {
        json = json.truth("waits", true);
    }
    if manner.strategy != "throughput" {
        json = json.text("strategy", manner.strategy);
    }
    if manner.results != "same" {
        json = json.text("results", manner.results);
    }
    if let Some(most) = manner.most() {
        json = json.number("invocations_max", most);
    }
    let ns = |time: Option<Duration>| time.map(|time| time.as_nanos() as u64);
    let rules = [
        ("visit_ns", ns(manner.visit_time)),
        ("warmup_ns", ns(manner.warm_up_time)),
        ("invocations", manner.invocations),
    ];
    let mut rules = rules.into_iter().filter_map(|(name, number)| number.map(|number| (name, number))).peekable();
    if rules.peek().is_some() || manner.memory_randomization {
        json.name("policy");
        json = json.numbered(&mut rules);
        if manner.memory_randomization {
            json.0.pop();
            json.0.push_str(if json.0.ends_with('{') { "" } else { "," });
            json.0.push_str("\"memory_randomization\":true}");
        }
    }
    if manner.environment.is_empty() && manner.arguments.is_empty() {
        return json;
    }
    json.name("launch");
    json.0.push_str("{\"environment\":{");
    for (number, (name, value)) in manner.environment.iter().enumerate() {
        if number != 0 {
            json.0.push(',');
        }
        json.quote(name);
        json.0.push(':');
        json.quote(value);
    }
    json.0.push('}');
    json = json.texts("arguments", manner.arguments);
    json.0.push('}');
    json
}

fn measured(which: Which, samples: &[Sample], cuts: &Cuts) -> String {
    let mut json = Json::new("measured").numbers("elapsed_ns", samples, |sample| sample.elapsed_ns);
    if which != Which::Overhead {
        if clock::HAS_CPU {
            json = json.numbers("cpu_ns", samples, |sample| sample.cpu_ns);
            json = json.numbers("process_cpu_ns", samples, |sample| sample.process_cpu_ns);
            json = json.numbers("switches", samples, |sample| sample.switches);
            json = json.numbers("waits", samples, |sample| sample.waits);
        }
        if clock::HAS_PROBE {
            json = json.numbers("probe_before_ns", samples, |sample| sample.probe_before_ns);
            json = json.numbers("probe_after_ns", samples, |sample| sample.probe_after_ns);
        }
    }
    if cuts.windows != 0 {
        json = json.list("window_ns", &mut cuts.window_ns.iter().copied());
        json = json.list("width_ns", &mut cuts.width_ns.iter().copied());
    }
    if which != Which::Overhead {
        json = json.counted(samples);
    }
    let metrics = metrics();
    if which != Which::Overhead && !metrics.is_empty() {
        json.name("metrics");
        for (at, metric) in metrics.iter().enumerate() {
            json.0.push(if at == 0 { '{' } else { ',' });
            json.quote(metric.name);
            json.0.push_str(":[");
            for (number, value) in cuts.metrics.iter().skip(at).step_by(metrics.len()).enumerate() {
                let comma = if number == 0 { "" } else { "," };
                let _ = write!(json.0, "{comma}{value}");
            }
            json.0.push(']');
        }
        json.0.push('}');
    }
    json.line()
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
            Ok((amounts, instance)) => {
                self.opened = Some(instance);
                opened_with(case, amounts)
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

/// R25: what only the instance knows.
fn opened_with(case: &Case, amounts: Option<Amounts>) -> String {
    let mut json = Json::new("opened");
    let Some(amounts) = amounts else { return json.line() };
    if let Some(operations) = amounts.operations {
        json = json.number("operations", operations);
    }
    if !amounts.rates.is_empty() {
        json.name("rates");
        let threads = if case.bench.team { u64::from(case.threads) } else { 1 };
        json =
            json.numbered(&mut amounts.rates.into_iter().map(|(name, amount)| (name, amount.saturating_mul(threads))));
    }
    json.line()
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
        _ => return error("bad-request", "the loop is `workload`, `rolled` or `overhead`"),
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

#[cfg(unix)]
mod link {
    use std::ffi::c_int;
    use std::fs::File;
    use std::os::fd::FromRawFd;

    extern "C" {
        fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
        fn _exit(status: c_int) -> !;
    }

    const F_GETFD: c_int = 1;
    const F_SETFD: c_int = 2;
    const FD_CLOEXEC: c_int = 1;

    /// The two ends that `fd:R,W` names.
    pub(super) fn open(text: &str) -> Option<(File, File)> {
        let (read, write) = text.strip_prefix("fd:")?.split_once(',')?;
        let (read, write) = (super::number(read)?, super::number(write)?);
        let (read, write) = (c_int::try_from(read).ok()?, c_int::try_from(write).ok()?);
        if read == write {
            return None;
        }
        for end in [read, write] {
            // SAFETY: `fcntl` with these commands takes and changes nothing but the descriptor's flag; on a descriptor
            // that is not open it fails.
            unsafe {
                if fcntl(end, F_GETFD) < 0 || fcntl(end, F_SETFD, FD_CLOEXEC) < 0 {
                    return None;
                }
            }
        }
        // SAFETY: both are open, as was just seen, and the host gave them to us and nobody else.
        Some(unsafe { (File::from_raw_fd(read), File::from_raw_fd(write)) })
    }

    /// Ends the process without running anything more.
    pub(super) fn leave() -> ! {
        // SAFETY: `_exit` takes any status.
        unsafe { _exit(0) }
    }
}

#[cfg(not(unix))]
mod link {
    use std::fs::File;

    pub(super) fn open(_text: &str) -> Option<(File, File)> {
        None
    }

    pub(super) fn leave() -> ! {
        std::process::exit(0)
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
