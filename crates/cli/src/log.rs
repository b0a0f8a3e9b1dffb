//! The log of a run, from its events: what was built and how, which processes ran, what each of them printed, what failed.

use tare_model::{Event, LaunchOutcome, RunStatus};
use tare_report::{clean, failure_text, shell_word};

pub fn text(events: &[Event]) -> String {
    let mut log = Log::default();
    events.iter().map(|event| log.text(event)).collect()
}

#[derive(Debug, Default)]
struct Log {
    cases: Vec<String>,
    /// The case of each launch.
    launches: Vec<u32>,
}

impl Log {
    fn name(&self, case: u32) -> String {
        self.cases.get(case as usize).map_or_else(String::new, |key| clean(key))
    }

    fn of_launch(&self, launch: u32) -> String {
        let case = self.launches.get(launch as usize).copied().unwrap_or(u32::MAX);
        format!("launch {launch} of {}", self.name(case))
    }

    fn text(&mut self, event: &Event) -> String {
        match event {
            Event::RunStarted { id, created, tare, command, artifacts, plan, .. } => {
                self.cases = plan.cases.iter().map(|case| case.key.clone()).collect();
                let mut text = format!("run {id}, {created}, tare {tare}: {}\n", line(command));
                for artifact in artifacts.iter().filter(|artifact| !artifact.build_command.is_empty()) {
                    text.push_str(&format!("{} built by {}\n", clean(&artifact.name), line(&artifact.build_command)));
                }
                text
            }
            Event::RunResumed { at, .. } => format!("resumed, {at}\n"),
            Event::LaunchStarted { launch, case, wave, start_ns, .. } => {
                let at = *launch as usize;
                self.launches.resize(self.launches.len().max(at + 1), 0);
                self.launches[at] = *case;
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

fn line(words: &[String]) -> String {
    words.iter().map(|word| shell_word(&clean(word))).collect::<Vec<String>>().join(" ")
}

fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    | {}\n", clean(line))).collect()
}
