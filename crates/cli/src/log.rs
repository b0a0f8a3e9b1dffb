//! The log of a run: `log.txt` in its folder. What was built and how, which processes ran, what each of them printed, what failed.
//!
//! It is for people who look for the reason of something. Programs read `run.json`, and no screen depends on it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tare_build::toolchain::BuildEvent;
use tare_model::{Event, LaunchOutcome, Plan, RunStatus};
use tare_report::{clean, failure_text, shell_word};
use tare_store::RunWriter;

/// What was said before the run had a folder: builds, notes, warnings.
#[derive(Debug, Clone, Default)]
pub struct EarlyLog(Arc<Mutex<String>>);

impl EarlyLog {
    /// Takes a text that may have several lines.
    pub fn say(&self, text: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.trim_end().lines() {
            all.push_str(&clean(line));
            all.push('\n');
        }
    }

    /// Takes what happened in a build.
    pub fn build(&self, event: &BuildEvent) {
        match event {
            BuildEvent::Started { target, command } => {
                let words: Vec<String> = command.iter().map(|word| shell_word(word)).collect();
                self.say(&format!("building {target}: {}", words.join(" ")));
            }
            BuildEvent::Finished { target, cached: true, .. } => self.say(&format!("{target}: built before")),
            BuildEvent::Finished { target, seconds, .. } => self.say(&format!("built {target} in {seconds:.1} s")),
            // The console writes it.
            BuildEvent::Warned { .. } => {}
            BuildEvent::Skipped { skipped } => self.say(&format!("skipped {}, which {}", skipped.name, skipped.why)),
            // Its text is that of the failure, which is said when it ends.
            BuildEvent::Failed { target, seconds, .. } => self.say(&format!("{target} failed after {seconds:.1} s")),
        }
    }

    /// What was said; it is forgotten then.
    fn take(&self) -> String {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The log of a run that is being measured.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: BufWriter<File>,
    cases: Vec<String>,
    /// The case of each launch.
    launches: Vec<u32>,
    /// Something failed, so that a user may want to look.
    has_failures: bool,
    broken: Option<io::Error>,
}

impl Log {
    /// Begins the log of a run, or goes on with it.
    pub fn begin(writer: &RunWriter, early: &EarlyLog) -> io::Result<Log> {
        let (path, file) = writer.log()?;
        let (cases, launches) = (Vec::new(), Vec::new());
        let mut log = Log { path, file: BufWriter::new(file), cases, launches, has_failures: false, broken: None };
        log.write(&early.take());
        Ok(log)
    }

    /// What it is called, where something failed.
    pub fn of_failures(&self) -> Option<String> {
        self.has_failures.then(|| clean(&self.path.to_string_lossy()))
    }

    /// The run that it goes on with.
    pub fn resume(&mut self, plan: &Plan, launches: impl Iterator<Item = u32>) {
        self.cases = plan.cases.iter().map(|case| case.key.clone()).collect();
        self.launches = launches.collect();
    }

    /// Takes an event.
    pub fn event(&mut self, event: &Event) {
        if let Event::RunStarted { plan, .. } = event {
            self.resume(plan, std::iter::empty());
        }
        if let Event::LaunchStarted { launch, case, .. } = event {
            let launch = *launch as usize;
            self.launches.resize(self.launches.len().max(launch + 1), 0);
            self.launches[launch] = *case;
        }
        let text = self.text(event);
        self.write(&text);
        // A child may take the machine with it: what failed so far is on the disk then.
        if matches!(event, Event::CaseFailed { .. } | Event::RunFinished { .. }) {
            self.has_failures |= matches!(event, Event::CaseFailed { failure, .. } if failure.skipped().is_none());
            self.flush();
        }
    }

    fn write(&mut self, text: &str) {
        if self.broken.is_none() {
            self.broken = self.file.write_all(text.as_bytes()).err();
        }
    }

    fn flush(&mut self) {
        if self.broken.is_none() {
            self.broken = self.file.flush().err();
        }
    }

    /// Why it is not whole, where it is not.
    pub fn take_error(&mut self) -> Option<String> {
        self.flush();
        let error = self.broken.take()?;
        Some(format!("`{}` is not complete: {error}", clean(&self.path.to_string_lossy())))
    }

    fn name(&self, case: u32) -> String {
        self.cases.get(case as usize).map_or_else(String::new, |key| clean(key))
    }

    fn of_launch(&self, launch: u32) -> String {
        let case = self.launches.get(launch as usize).copied().unwrap_or(u32::MAX);
        format!("launch {launch} of {}", self.name(case))
    }

    fn text(&self, event: &Event) -> String {
        let indented =
            |lines: &[String]| -> String { lines.iter().map(|line| format!("    | {}\n", clean(line))).collect() };
        match event {
            Event::RunStarted { id, created, tare, command, .. } => {
                let words: Vec<String> = command.iter().map(|word| shell_word(&clean(word))).collect();
                format!("run {id}, {created}, tare {tare}: {}\n", words.join(" "))
            }
            Event::RunResumed { at, .. } => format!("resumed, {at}\n"),
            Event::LaunchStarted { launch, wave, start_ns, .. } => {
                format!("{:9.3} s  {}, wave {}\n", start_ns / 1e9, self.of_launch(*launch), wave + 1)
            }
            Event::LaunchFinished { launch, outcome, .. } if *outcome != LaunchOutcome::Finished => {
                format!("{} failed\n", self.of_launch(*launch))
            }
            Event::Output { launch, lines } => {
                format!("{} printed:\n{}", self.of_launch(*launch), indented(lines))
            }
            Event::CaseFailed { case, failure } => match failure.skipped() {
                Some(reason) => format!("{}: skipped: {}\n", self.name(*case), clean(reason)),
                None => {
                    let output = match failure.output.is_empty() {
                        true => String::new(),
                        false => format!("  its output:\n{}", indented(&failure.output)),
                    };
                    format!("{} failed {}\n{output}", self.name(*case), failure_text(failure))
                }
            },
            Event::CaseRepeated { case, failure } => {
                format!("{} failed {}; to be measured again alone\n", self.name(*case), failure_text(failure))
            }
            Event::Diagnosed { diagnosis } => match &diagnosis.failure {
                Some(failure) => {
                    format!("{}: the diagnosis failed {}\n", self.name(diagnosis.case), failure_text(failure))
                }
                None => String::new(),
            },
            Event::RunFinished { status, elapsed_s, .. } => {
                let how = if *status == RunStatus::Finished { "finished" } else { "stopped" };
                format!("{how} after {elapsed_s:.1} s\n")
            }
            _ => String::new(),
        }
    }
}
