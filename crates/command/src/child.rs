//! The child: `spec/protocol.md` spoken for commands.

use crate::spec::{Command, Ignored, Spec};
use crate::start::{connect, Ended, Start};
use serde_json::{json, Value};
use std::io::{self, BufRead, Write};
use tare_process::{ExitStatusKind, ProgramTimer};

/// What the child calls its language.
pub const LANGUAGE: &str = "command";
/// Longest request with its line end, bytes (R6).
const REQUEST_BYTES_MAX: usize = 255;
/// Most iterations of a request.
const ITERATIONS_MAX: u64 = 100_000;
/// The number of the run within its child, from 0, for a command that writes something of its own in each.
const ITERATION: &str = "TARE_ITERATION";

/// Answers requests until `bye` or the end of the link.
///
/// # Errors
/// When the link cannot be read or written.
pub fn serve(spec: &Spec, mut requests: impl BufRead, mut replies: impl Write) -> io::Result<()> {
    let mut child = Child { spec, timer: ProgramTimer::new()?, greeted: false, opened: None, runs: 0 };
    let mut line = Vec::new();
    loop {
        line.clear();
        if requests.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let request = String::from_utf8_lossy(&line);
        let is_long = line.len() > REQUEST_BYTES_MAX;
        let answers = child.answer(if is_long { "" } else { request.trim_end_matches('\n') });
        for answer in &answers {
            serde_json::to_writer(&mut replies, answer)?;
            replies.write_all(b"\n")?;
        }
        replies.flush()?;
        if answers.last().is_some_and(|answer| answer["reply"] == "bye") {
            return Ok(());
        }
    }
}

struct Child<'a> {
    spec: &'a Spec,
    timer: ProgramTimer,
    greeted: bool,
    opened: Option<Opened<'a>>,
    runs: u64,
}

/// The command that is measured.
struct Opened<'a> {
    command: &'a Command,
    start: Start,
    prepare: Option<Start>,
    conclude: Option<Start>,
    /// The shell with nothing to do, where there is one.
    nothing: Option<Start>,
}

/// A refusal or a failure: kind, step, message.
struct Wrong(&'static str, Option<&'static str>, String);

type Answer = Result<Value, Wrong>;

fn wrong<T>(kind: &'static str, message: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong(kind, None, message.into()))
}

fn failed(step: &'static str) -> impl Fn(String) -> Wrong {
    move |message| Wrong("failed", Some(step), message)
}

/// What a run used.
#[derive(Default)]
struct Used {
    elapsed_ns: f64,
    user_ns: f64,
    system_ns: f64,
    peak_bytes: f64,
}

impl Child<'_> {
    fn answer(&mut self, request: &str) -> Vec<Value> {
        if request == "list" && self.greeted && self.opened.is_none() {
            return self.list();
        }
        let answer = self.one(request).unwrap_or_else(|Wrong(kind, step, message)| {
            let mut error = json!({"reply": "error", "kind": kind, "message": message});
            if let Some(step) = step {
                error["step"] = step.into();
            }
            if kind == "version" {
                error["versions"] = json!([1]);
            }
            error
        });
        vec![answer]
    }

    fn one(&mut self, request: &str) -> Answer {
        let mut words = request.split(' ');
        let verb = words.next().unwrap_or_default();
        let arguments: Vec<&str> = words.collect();
        if verb == "hello" {
            return self.hello(&arguments);
        }
        if !self.greeted {
            return wrong("bad-state", "the first request is `hello`");
        }
        let is_open = self.opened.is_some();
        match verb {
            "list" | "open" if is_open => wrong("bad-state", format!("`{verb}` while a benchmark is open")),
            "check" | "measure" | "close" if !is_open => wrong("bad-state", format!("`{verb}` before `open`")),
            "open" => self.open(&numbers(&arguments, 2)?),
            "check" if arguments.is_empty() => self.check(),
            "measure" => self.measure(&arguments),
            "close" | "bye" if arguments.is_empty() => {
                self.opened = None;
                Ok(json!({"reply": if verb == "bye" { "bye" } else { "closed" }}))
            }
            "list" | "check" | "close" | "bye" => wrong("bad-request", format!("`{verb}` has no arguments")),
            "" => wrong("bad-request", "the request is empty or too long"),
            _ => wrong("unknown-request", format!("unknown request `{verb}`")),
        }
    }

    fn hello(&mut self, arguments: &[&str]) -> Answer {
        let version = arguments.first().map(|word| number(word)).transpose()?;
        match version {
            Some(1) => {}
            Some(version) => return wrong("version", format!("version {version} is not supported")),
            None => return wrong("bad-request", "`hello` needs a version"),
        }
        self.greeted = true;
        let how = match self.spec.shell.as_slice() {
            [] => "started without a shell".to_owned(),
            shell => format!("run by `{} -c`", shell.join(" ")),
        };
        let metric =
            |name: &str, unit: &str| json!({"name": name, "unit": unit, "better": "lower", "per": "iteration"});
        Ok(json!({
            "reply": "hello", "protocol": 1, "language": LANGUAGE,
            "front_end": concat!("tare-command ", env!("CARGO_PKG_VERSION")), "compiler": how, "optimised": null,
            "clock": "CLOCK_MONOTONIC", "clock_resolution_ns": 1, "unroll": 1, "capabilities": ["check"],
            "metrics": [metric("user_time", "ns"), metric("system_time", "ns"), metric("peak_memory", "B")],
        }))
    }

    fn list(&self) -> Vec<Value> {
        let one = |(index, command): (usize, &Command)| {
            let whole = |value: &str| value.parse::<i64>().is_ok_and(|n| n.to_string() == value);
            let kind = |value: &str| if whole(value) { "integer" } else { "text" };
            let parameters: Vec<Value> = command
                .parameters
                .iter()
                .map(|p| json!({"name": p.name, "value": p.value, "type": kind(&p.value)}))
                .collect();
            let steps = [(&command.prepare, "iteration"), (&command.conclude, "iteration-clean-up")];
            let set_ups: Vec<&str> = steps.iter().filter(|(step, _)| step.is_some()).map(|(_, name)| *name).collect();
            let description = if command.name == command.text { "" } else { &command.text };
            json!({
                "reply": "benchmark", "index": index, "group": "", "name": command.name, "parameters": parameters,
                "baseline": command.baseline, "set_ups": set_ups, "returns": false, "threads": 0, "waits": true,
                "invocations_max": 1, "description": description,
            })
        };
        let mut all: Vec<Value> = self.spec.commands.iter().enumerate().map(one).collect();
        all.push(json!({"reply": "end", "count": all.len()}));
        all
    }

    fn open(&mut self, arguments: &[u64]) -> Answer {
        let command = usize::try_from(arguments[0]).ok().and_then(|index| self.spec.commands.get(index));
        let Some(command) = command else {
            return wrong("bad-request", format!("there is no command {}", arguments[0]));
        };
        let shell = &self.spec.shell;
        let set_up = || failed("set-up");
        let step = |text: &Option<String>| text.as_deref().map(|text| Start::of_step(text, shell)).transpose();
        self.opened = Some(Opened {
            command,
            start: Start::of(&command.text, shell).map_err(set_up())?,
            prepare: step(&command.prepare).map_err(set_up())?,
            conclude: step(&command.conclude).map_err(set_up())?,
            nothing: (!shell.is_empty()).then(|| Start::of_nothing(shell)).transpose().map_err(set_up())?,
        });
        Ok(json!({"reply": "opened"}))
    }

    fn check(&mut self) -> Answer {
        for _ in 0..self.spec.warm_ups.max(1) {
            self.iteration(1)?;
        }
        Ok(json!({"reply": "checked", "digest": null, "text": null}))
    }

    fn measure(&mut self, arguments: &[&str]) -> Answer {
        let (which, counts) = arguments.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
        let counts = numbers(counts, 3)?;
        let (iterations, invocations, lead) = (counts[0], counts[1], counts[2]);
        if !(1..=ITERATIONS_MAX).contains(&iterations) || invocations == 0 {
            return wrong("bad-request", "iterations are 1 to 100000, invocations at least 1");
        }
        match which {
            "workload" => {}
            "overhead" => return self.overhead(iterations, invocations),
            "rolled" => return wrong("not-supported", "there is no rolled loop"),
            other => return wrong("bad-request", format!("there is no loop `{other}`")),
        }
        if lead > 0 {
            self.iteration(lead)?;
        }
        let all = (0..iterations).map(|_| self.iteration(invocations)).collect::<Result<Vec<Used>, Wrong>>()?;
        let each = |of: fn(&Used) -> f64| all.iter().map(of).collect::<Vec<f64>>();
        Ok(json!({
            "reply": "measured", "elapsed_ns": each(|used| used.elapsed_ns),
            "metrics": {
                "user_time": each(|used| used.user_ns), "system_time": each(|used| used.system_ns),
                "peak_memory": each(|used| used.peak_bytes),
            },
        }))
    }

    /// The shell with nothing to do is what it costs to have one.
    fn overhead(&mut self, iterations: u64, invocations: u64) -> Answer {
        let mut elapsed = Vec::new();
        for _ in 0..iterations {
            let mut sum = 0.0;
            for _ in 0..invocations {
                let Some(nothing) = self.opened.as_ref().and_then(|opened| opened.nothing.as_ref()) else { break };
                sum += run(&self.timer, nothing, nothing.command(), &Ignored::None).map_err(failed("body"))?.elapsed_ns;
            }
            elapsed.push(sum);
        }
        Ok(json!({"reply": "measured", "elapsed_ns": elapsed}))
    }

    /// Runs the command so often, with what is to be done before and after.
    fn iteration(&mut self, invocations: u64) -> Result<Used, Wrong> {
        let Some(opened) = &self.opened else { return wrong("bad-state", "nothing is open") };
        let step = |start: &Option<Start>, flag: &str, name: &'static str| match start {
            None => Ok(()),
            Some(start) => run(&self.timer, start, start.command(), &Ignored::None)
                .map(drop)
                .map_err(|message| Wrong("failed", Some(name), format!("`{flag}`: {message}"))),
        };
        step(&opened.prepare, "--prepare", "iteration-set-up")?;
        let mut sum = Used::default();
        for _ in 0..invocations {
            let mut command = opened.start.command();
            connect(&mut command, opened.command.stdin.as_deref(), &opened.command.stdout)
                .map_err(|error| failed("body")(error.to_string()))?;
            command.env(ITERATION, self.runs.to_string());
            self.runs += 1;
            let used = run(&self.timer, &opened.start, command, &self.spec.ignored).map_err(failed("body"))?;
            sum.elapsed_ns += used.elapsed_ns;
            sum.user_ns += used.user_ns / invocations as f64;
            sum.system_ns += used.system_ns / invocations as f64;
            sum.peak_bytes = sum.peak_bytes.max(used.peak_bytes);
        }
        step(&opened.conclude, "--conclude", "iteration-clean-up")?;
        Ok(sum)
    }
}

/// Runs a command once; an error where it ended as it must not.
fn run(timer: &ProgramTimer, start: &Start, command: std::process::Command, ignored: &Ignored) -> Result<Used, String> {
    let ended = timer.run(command);
    let how = match &ended {
        Ok(finished) => match finished.exit.status {
            ExitStatusKind::Code(status) => Ended::Status(status),
            ExitStatusKind::Signal(signal) => Ended::Signal(signal),
        },
        Err(error) => Ended::NotStarted(error.to_string()),
    };
    let is_ignored = match (ignored, &how) {
        (_, Ended::NotStarted(_)) => false,
        (Ignored::All, _) => true,
        (Ignored::Statuses(statuses), Ended::Status(status)) => statuses.contains(status),
        _ => false,
    };
    match (start.failed(&how).filter(|_| !is_ignored), ended) {
        (None, Ok(finished)) => Ok(Used {
            elapsed_ns: finished.elapsed_ns as f64,
            user_ns: finished.exit.user_ns as f64,
            system_ns: finished.exit.system_ns as f64,
            peak_bytes: finished.exit.peak_memory_bytes.unwrap_or(0) as f64,
        }),
        (Some(failure), _) => Err(failure),
        (None, Err(error)) => Err(error.to_string()),
    }
}

fn number(word: &str) -> Result<u64, Wrong> {
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    match word.parse().ok().filter(|_| digits) {
        Some(number) => Ok(number),
        None => wrong("bad-request", format!("`{word}` is not a number")),
    }
}

fn numbers(words: &[&str], count: usize) -> Result<Vec<u64>, Wrong> {
    if words.len() != count {
        return wrong("bad-request", format!("{count} numbers are needed"));
    }
    words.iter().map(|word| number(word)).collect()
}

#[cfg(test)]
mod tests;
