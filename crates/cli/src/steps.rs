//! Set-ups and clean-ups of a run of commands: each runs once, before the first measurement or after the last.

use crate::console::Console;
use crate::failure::Failure;
use tare_harness::command::{step, Spec, StepError};
use tare_model::{ExitCode, Run};

/// First argument of the child that measures commands.
pub const CHILD: &str = "measure-commands";

#[derive(Debug, Default)]
pub struct Steps {
    set_ups: Vec<String>,
    clean_ups: Vec<String>,
    shell: Vec<String>,
}

impl Steps {
    pub fn of_spec(spec: &Spec) -> Steps {
        let once = |texts: Vec<&String>| {
            let mut found: Vec<String> = Vec::new();
            for text in texts {
                if !found.contains(text) {
                    found.push(text.clone());
                }
            }
            found
        };
        Steps {
            set_ups: once(spec.commands.iter().filter_map(|command| command.set_up.as_ref()).collect()),
            clean_ups: once(spec.commands.iter().filter_map(|command| command.clean_up.as_ref()).collect()),
            shell: spec.shell.clone(),
        }
    }

    /// The steps of a stored run; none if it has no commands.
    pub fn of(run: &Run) -> Steps {
        let specs = run.artifacts.iter().filter(|artifact| artifact.command.get(1).is_some_and(|word| word == CHILD));
        let mut specs = specs.filter_map(|artifact| Spec::parse(&artifact.command.get(2..)?.concat()).ok());
        specs.next().map(|spec| Steps::of_spec(&spec)).unwrap_or_default()
    }

    /// Runs the set-ups in order. If one fails, everything is cleaned up.
    pub fn set_up(&self, console: &Console) -> Result<(), Failure> {
        for text in &self.set_ups {
            if let Err(error) = step(text, &self.shell) {
                let failure = match tare_process::interrupted() {
                    true => Failure::Interrupted,
                    false => failure("--setup", text, error),
                };
                self.clean_up(console);
                return Err(failure);
            }
        }
        Ok(())
    }

    pub fn clean_up(&self, console: &Console) -> ExitCode {
        let mut code = ExitCode::Ok;
        for text in &self.clean_ups {
            if let Err(error) = step(text, &self.shell) {
                let failure = failure("--cleanup", text, error);
                code = failure.exit_code();
                console.fail(&failure);
            }
        }
        code
    }
}

fn failure(flag: &'static str, text: &str, error: StepError) -> Failure {
    Failure::Step { flag, command: text.to_owned(), status: error.status, output: error.output }
}
