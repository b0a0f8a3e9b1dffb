//! The log of a run, from its events: builds, processes with their output, and failures.

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
            Event::Diagnosed { diagnosis } => {
                let (name, diagnoser) = (self.name(diagnosis.case), clean(&diagnosis.diagnoser));
                let failure = diagnosis.failure.as_ref();
                let failed = failure.map(|of| format!("{name}: the diagnosis failed {}\n", failure_text(of)));
                let lines = failure.map_or(&diagnosis.output, |of| &of.output);
                let printed =
                    (!lines.is_empty()).then(|| format!("{name} printed to `{diagnoser}`:\n{}", indented(lines)));
                failed.into_iter().chain(printed).collect()
            }
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

#[cfg(test)]
mod tests {
    use super::Log;
    use tare_model::{Diagnosis, Event, Failure, FailureKind, Step};

    #[test]
    fn what_a_program_printed_to_a_diagnoser_is_in_the_log() {
        let mut log = Log { cases: vec!["a.py:f".to_owned()], ..Log::default() };
        let mut diagnosis = Diagnosis::new(0, "profile", 0, 1);
        diagnosis.output = vec!["hello".to_owned()];
        let mut text = |diagnosis: &Diagnosis| log.text(&Event::Diagnosed { diagnosis: Box::new(diagnosis.clone()) });
        assert_eq!(text(&diagnosis), "a.py:f printed to `profile`:\n    | hello\n");
        let cause = FailureKind::Diagnoser { reason: "no".to_owned() };
        diagnosis.failure = Some(Failure { cause, step: Step::Body, output: vec!["last words".to_owned()] });
        let failed = text(&diagnosis);
        assert!(failed.contains("the diagnosis failed") && failed.ends_with("    | last words\n"), "{failed}");
    }
}
