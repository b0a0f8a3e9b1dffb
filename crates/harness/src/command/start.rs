//! How a command is started.

use crate::command::shell::shell_syntax;
use crate::command::spec::Sink;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tare_model::text::split_words;
use tare_process::files::{is_program, program_in};
use tare_process::helper::{self, Limits};
use tare_process::{set_name, ProgramTimer};

/// A set-up or clean-up that takes longer hangs.
const STEP_TIME: Duration = Duration::from_secs(24 * 3600);
/// Limit on the output kept from each stream of a set-up or clean-up, bytes.
const STEP_BYTES: usize = 64 << 10;
/// Exit status of a shell that finds no such program.
const NOT_FOUND: i32 = 127;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Start {
    program: PathBuf,
    /// The program's own name (`argv[0]`), then its arguments.
    words: Vec<String>,
    text: String,
}

impl Start {
    /// A command that the shell runs, or that is started directly if `shell` is empty.
    pub(crate) fn of(text: &str, shell: &[String]) -> Result<Start, String> {
        let mut all = match shell {
            [] => split_words(text).map_err(|_| format!("a quote of `{text}` is not closed"))?,
            shell => shell.to_vec(),
        };
        if !shell.is_empty() {
            all.extend(["-c".to_owned(), text.to_owned()]);
        }
        let first = all.first().ok_or("the command is empty")?;
        let program = resolved(first).ok_or_else(|| why_not(first))?;
        Ok(Start { program, words: all, text: text.to_owned() })
    }

    /// A step around the measurements, run by the shell if it needs one.
    pub(crate) fn of_step(text: &str, shell: &[String]) -> Result<Start, String> {
        let needs_shell = shell.is_empty() && shell_syntax(text).is_some();
        match needs_shell {
            true => Start::of(text, &["sh".to_owned()]),
            false => Start::of(text, shell),
        }
    }

    /// The command with empty input, and no output except standard error.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        let (name, arguments) = self.words.split_first().map_or(("", &[][..]), |(name, rest)| (name.as_str(), rest));
        set_name(&mut command, name);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// How it failed; `None`: it did not.
    pub(crate) fn failed(&self, how: &Ended) -> Option<String> {
        let text = &self.text;
        Some(match how {
            Ended::Status(0) => return None,
            Ended::Status(NOT_FOUND) => format!("`{text}` exited with status {NOT_FOUND}: a program was not found"),
            Ended::Status(status) => format!("`{text}` exited with status {status}"),
            Ended::Signal(signal) => {
                format!("`{text}` was killed by {} (signal {signal})", tare_process::signal_name(*signal))
            }
            Ended::NotStarted(reason) => format!("`{text}` could not be started: {reason}"),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    Status(i32),
    Signal(i32),
    NotStarted(String),
}

/// Connects a command's input and output afresh, as for each run.
pub(crate) fn connect(command: &mut Command, stdin: Option<&str>, stdout: &Sink) -> io::Result<()> {
    if let Some(path) = stdin {
        command.stdin(File::open(path).map_err(|error| named(error, path))?);
    }
    match stdout {
        Sink::Null => {}
        Sink::Pipe => {
            command.stdout(Stdio::piped());
        }
        Sink::File(path) => {
            command.stdout(File::create(path).map_err(|error| named(error, path))?);
        }
        Sink::Shown(process) => {
            let path = format!("/proc/{process}/fd/2");
            let shown = OpenOptions::new().append(true).open(&path).map_err(|error| named(error, &path))?;
            command.stdout(shown.try_clone()?).stderr(shown);
        }
    }
    Ok(())
}

fn named(error: io::Error, path: &str) -> io::Error {
    io::Error::new(error.kind(), format!("cannot open `{path}`: {error}"))
}

/// Where the system finds a program: a path is kept, a name is searched on the `PATH`.
pub fn resolved(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| is_program(path));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|folder| program_in(&folder, program))
}

/// Why the system cannot start this as a program.
pub fn why_not(program: &str) -> String {
    match Path::new(program).metadata() {
        Ok(facts) if facts.is_dir() => format!("`{program}` is a folder, not a program"),
        // Without `/`, only folders of `PATH` are searched.
        Ok(_) if program.contains('/') => format!("`{program}` is not executable"),
        Ok(_) => format!("program `{program}` not found: write `./{program}` for the file in this folder"),
        Err(_) => format!("program `{program}` not found"),
    }
}

/// Time of a program that does nothing (`true`), ns: the cost of a process. `None` if there is no such program.
pub fn process_ns() -> Option<f64> {
    /// The median of this many runs is used.
    const RUNS: usize = 9;
    let timer = ProgramTimer::new().ok()?;
    let start = Start::of("true", &[]).ok()?;
    let mut times: Vec<u64> = (0..RUNS).filter_map(|_| Some(timer.run(start.command()).ok()?.elapsed_ns)).collect();
    times.sort_unstable();
    times.get(times.len() / 2).map(|ns| *ns as f64)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepError {
    pub status: String,
    /// The last lines of its output.
    pub output: Vec<String>,
}

pub fn step(text: &str, shell: &[String]) -> Result<(), StepError> {
    /// Lines of output that are shown.
    const LINES: usize = 12;
    let error = |status: String| StepError { status, output: Vec::new() };
    let start = Start::of_step(text, shell).map_err(error)?;
    let mut command = start.command();
    if tare_process::interrupted() {
        // Clean-up steps still run after an interrupt; a second one ends them.
        let status = command.status().map_err(|reason| error(reason.to_string()))?;
        return if status.success() { Ok(()) } else { Err(error(status.to_string())) };
    }
    let done = helper::run(&mut command, Limits { time: STEP_TIME, bytes: STEP_BYTES });
    let done = done.map_err(|reason| error(reason.to_string()))?;
    if done.success {
        return Ok(());
    }
    let text = done.text();
    let lines: Vec<&str> = text.lines().collect();
    let output = lines[lines.len().saturating_sub(LINES)..].iter().map(|line| (*line).to_owned()).collect();
    Err(StepError { status: done.status, output })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_started_as_it_is_or_by_a_shell() {
        let words = |text: &str, shell: &[&str]| {
            let shell: Vec<String> = shell.iter().map(|&word| word.to_owned()).collect();
            Start::of(text, &shell).map(|start| start.words.join("|"))
        };
        assert_eq!(words("sh -x 'a b'", &[]).as_deref(), Ok("sh|-x|a b"));
        assert_eq!(words("true; false", &["sh", "-e"]).as_deref(), Ok("sh|-e|-c|true; false"));
        assert_eq!(
            words("no-such-program-of-anybody", &[]),
            Err("program `no-such-program-of-anybody` not found".into())
        );
        assert!(words("sh 'a", &[]).is_err() && words("", &[]).is_err());
        let refused = |text: &str| Start::of(text, &[]).expect_err("it is no program");
        assert_eq!(refused("/tmp"), "`/tmp` is a folder, not a program");
        assert_eq!(refused("/etc/passwd"), "`/etc/passwd` is not executable");
        let step = |text: &str| Start::of_step(text, &[]).map(|start| start.words.join("|"));
        assert_eq!((step("true"), step("cd /; ls")), (Ok("true".into()), Ok("sh|-c|cd /; ls".into())));
    }

    #[test]
    fn a_step_that_fails_says_how() {
        assert_eq!(step("true", &[]), Ok(()));
        let error = step("echo one; echo two >&2; exit 3", &[]).expect_err("it fails");
        assert_eq!((error.status.as_str(), error.output.join("|").as_str()), ("exit status 3", "one|two"));
    }
}
