//! A child that speaks `spec/protocol.md` for commands.

use crate::command::link::{answer, Measures, Wrong};
use crate::command::spec::{Command, Ignored, Spec};
use crate::command::start::{connect, Ended, Start};
use serde_json::{json, Value};
use std::io::{self, BufRead, Write};
use tare_process::{ExitStatusKind, ProgramTimer};

pub const LANGUAGE: &str = "command";
/// Variable with the number of the run within its child, from 0, for a command that writes its own output in each.
const ITERATION: &str = "TARE_ITERATION";

pub fn serve(spec: &Spec, requests: impl BufRead, replies: impl Write) -> io::Result<()> {
    answer(&mut Child { spec, timer: ProgramTimer::new()?, opened: None, runs: 0 }, requests, replies)
}

struct Child<'a> {
    spec: &'a Spec,
    timer: ProgramTimer,
    opened: Option<Opened<'a>>,
    runs: u64,
}

struct Opened<'a> {
    command: &'a Command,
    start: Start,
    prepare: Option<Start>,
    conclude: Option<Start>,
    /// An empty command in the shell, if there is a shell.
    nothing: Option<Start>,
}

fn failed(step: &'static str) -> impl Fn(String) -> Wrong {
    move |message| Wrong::failed(step, message)
}

#[derive(Default)]
struct Used {
    elapsed_ns: f64,
    user_ns: f64,
    system_ns: f64,
    peak_bytes: f64,
}

impl Measures for Child<'_> {
    fn hello(&mut self) -> Value {
        let how = match self.spec.shell.as_slice() {
            [] => "started without a shell".to_owned(),
            shell => format!("run by `{} -c`", shell.join(" ")),
        };
        let metric =
            |name: &str, unit: &str| json!({"name": name, "unit": unit, "better": "lower", "per": "iteration"});
        json!({
            "reply": "hello", "protocol": 1, "language": LANGUAGE,
            "front_end": concat!("tare-command ", env!("CARGO_PKG_VERSION")), "compiler": how, "optimised": null,
            "clock": "CLOCK_MONOTONIC", "clock_resolution_ns": 1, "unroll": 1, "capabilities": ["check"],
            "metrics": [metric("user_time", "ns"), metric("system_time", "ns"), metric("peak_memory", "B")],
        })
    }

    fn list(&mut self) -> Result<Vec<Value>, Wrong> {
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
        Ok(all)
    }

    fn open(&mut self, index: u64) -> Result<(), Wrong> {
        let command = &self.spec.commands[index as usize];
        let shell = &self.spec.shell;
        let set_up = || failed("set-up");
        let step = |text: &Option<String>| text.as_deref().map(|text| Start::of_step(text, shell)).transpose();
        self.opened = Some(Opened {
            command,
            start: Start::of(&command.text, shell).map_err(set_up())?,
            prepare: step(&command.prepare).map_err(set_up())?,
            conclude: step(&command.conclude).map_err(set_up())?,
            nothing: (!shell.is_empty()).then(|| Start::of("", shell)).transpose().map_err(set_up())?,
        });
        Ok(())
    }

    fn is_open(&self) -> bool {
        self.opened.is_some()
    }

    fn close(&mut self) {
        self.opened = None;
    }

    fn check(&mut self) -> Result<(), Wrong> {
        for _ in 0..self.spec.warm_ups.max(1) {
            self.iteration(1)?;
        }
        Ok(())
    }

    fn measure(&mut self, which: &str, iterations: u64, invocations: u64, lead: u64) -> Result<Value, Wrong> {
        if which == "overhead" {
            return self.overhead(iterations, invocations);
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
}

impl Child<'_> {
    /// The overhead is the time of a shell that does nothing.
    fn overhead(&mut self, iterations: u64, invocations: u64) -> Result<Value, Wrong> {
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

    /// Runs the command this many times, with the steps before and after.
    fn iteration(&mut self, invocations: u64) -> Result<Used, Wrong> {
        let Some(opened) = &self.opened else {
            return Err(Wrong::refused("not-supported", "nothing is open"));
        };
        let step = |start: &Option<Start>, flag: &str, name: &'static str| match start {
            None => Ok(()),
            Some(start) => run(&self.timer, start, start.command(), &Ignored::None)
                .map(drop)
                .map_err(|message| Wrong::failed(name, format!("`{flag}`: {message}"))),
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

/// Runs a command once; an error if it ended in a way that is not ignored.
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

#[cfg(test)]
mod tests;
