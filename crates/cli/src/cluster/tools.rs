//! The commands of a scheduler, run to their end.

use std::io;
use std::process::{Command, Stdio};

/// What a command said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// It ended with exit status 0.
    pub success: bool,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

/// Why a scheduler could not be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchedulerError {
    /// Its commands are not installed.
    #[error("`{tool}` cannot be started: {source}")]
    NotThere {
        /// Which.
        tool: String,
        /// The system's reason.
        source: io::Error,
    },
    /// It refused what was asked.
    #[error("`{tool}` failed: {text}")]
    Refused {
        /// Which command.
        tool: String,
        /// What it said.
        text: String,
    },
}

/// Runs commands.
pub trait Tools {
    /// Runs one to its end.
    ///
    /// # Errors
    /// It cannot be started.
    fn run(&self, tool: &str, arguments: &[String]) -> Result<Said, SchedulerError>;
}

/// The commands on the PATH.
#[derive(Debug, Clone, Copy)]
pub struct Installed;

impl Tools for Installed {
    fn run(&self, tool: &str, arguments: &[String]) -> Result<Said, SchedulerError> {
        let mut command = Command::new(tool);
        command.args(arguments).stdin(Stdio::null());
        // A group of its own: Ctrl-C must not end `sbatch` between the job and its number, nor `scancel`.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let output = command.output().map_err(|source| SchedulerError::NotThere { tool: tool.to_owned(), source })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Said { success: output.status.success(), out: text(&output.stdout), err: text(&output.stderr) })
    }
}

impl Said {
    /// What it printed, if it ended well.
    pub(crate) fn good(self, tool: &str) -> Result<String, SchedulerError> {
        if self.success {
            return Ok(self.out);
        }
        let said = if self.err.trim().is_empty() { &self.out } else { &self.err };
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let text = match lines.as_slice() {
            [] => "it did not say why".to_owned(),
            lines => lines.join("; ").replace(&format!("{tool}: error: "), ""),
        };
        Err(SchedulerError::Refused { tool: tool.to_owned(), text })
    }
}
