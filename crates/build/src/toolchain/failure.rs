use super::cache::CacheError;
use super::hints;
use std::fmt;
use std::io;
use std::path::Path;
use tare_model::text::shell_line;

/// EMFILE, on every Unix.
const TOO_MANY_FILES: i32 = 24;

/// A failed build, with everything needed to fix it. Its text is the error, the command, the compiler's output and a hint; the caller adds
/// `error:`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct BuildFailure {
    pub target: String,
    /// The command as a user would type it; empty if none was started.
    pub command: Vec<String>,
    /// How it ended: `exit status 1`, `g++ not found`, ...
    pub status: String,
    pub output: Box<str>,
    pub hint: Option<String>,
    /// The machine lacks something (a compiler, a permission, room for a process); the code is not to blame.
    pub lacking: bool,
}

impl BuildFailure {
    pub(crate) fn new(status: impl Into<String>, hint: impl Into<Option<String>>) -> BuildFailure {
        BuildFailure {
            target: String::new(),
            command: Vec::new(),
            status: status.into(),
            output: Box::default(),
            hint: hint.into(),
            lacking: false,
        }
    }

    pub(crate) fn lacking(status: impl Into<String>, hint: impl Into<String>) -> BuildFailure {
        let hint = Some(hint.into());
        BuildFailure { lacking: true, ..BuildFailure::new(status, hint) }
    }

    pub(crate) fn unreadable(path: &Path) -> impl Fn(io::Error) -> BuildFailure + Copy + '_ {
        move |error| BuildFailure::new(format!("cannot read `{}`: {error}", path.display()), None)
    }

    /// Sets the target, unless it is set already.
    pub(crate) fn of(mut self, target: &str) -> BuildFailure {
        if self.target.is_empty() {
            target.clone_into(&mut self.target);
        }
        self
    }

    /// A failure of the compiler; its output determines the hint.
    pub(crate) fn of_compiler(command: Vec<String>, status: String, output: String) -> BuildFailure {
        let hint = hints::of_output(&output);
        BuildFailure { command, output: output.into(), ..BuildFailure::new(status, hint) }
    }

    pub(crate) fn of_start(error: &io::Error) -> BuildFailure {
        let hint = match error.kind() {
            io::ErrorKind::WouldBlock => Some("the process limit is reached: raise it with `ulimit -u`"),
            _ if error.raw_os_error() == Some(TOO_MANY_FILES) => {
                Some("the limit of open files is reached: raise it with `ulimit -n 4096`")
            }
            _ => None,
        };
        let status = format!("could not be started: {error}");
        BuildFailure { lacking: true, ..BuildFailure::new(status, hint.map(str::to_owned)) }
    }

    /// Whether the compiler or a process that it started was killed, for example for lack of memory: the code need not be to blame.
    pub fn was_killed(&self) -> bool {
        // GCC, Clang, Cargo and ninja report this about processes that they start.
        const SAID: [&str; 4] = [
            "fatal error: Killed signal terminated program",
            "unable to execute command: Killed",
            "signal: 9, SIGKILL",
            "signal: 15, SIGTERM",
        ];
        ["killed by signal 9", "killed by signal 15"].contains(&self.status.as_str())
            || SAID.iter().any(|said| self.output.contains(said))
    }
}

impl From<CacheError> for BuildFailure {
    fn from(error: CacheError) -> BuildFailure {
        BuildFailure::lacking(error.to_string(), error.hint())
    }
}

impl fmt::Display for BuildFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.command.first().map(|c| c.rsplit('/').next().unwrap_or(c)) {
            None => write!(f, "could not build `{}`: {}", self.target, self.status)?,
            Some(tool) => {
                write!(
                    f,
                    "could not build `{}`: {tool}: {}\n  {}",
                    self.target,
                    self.status,
                    shell_line(&self.command)
                )?;
            }
        }
        if !self.output.trim().is_empty() {
            f.write_str("\n")?;
            for line in self.output.trim_end().lines() {
                match line.trim_end() {
                    "" => f.write_str("\n")?,
                    line => write!(f, "\n    {line}")?,
                }
            }
        }
        match &self.hint {
            Some(hint) => write!(f, "\n\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_compiler_is_no_mistake_of_the_code() {
        let of = |status: &str, output: &str| {
            BuildFailure::of_compiler(vec!["gcc".into()], status.to_owned(), output.to_owned()).was_killed()
        };
        assert!(of("killed by signal 9", ""));
        assert!(of(
            "exit status 1",
            "gcc: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n"
        ));
        let by_cargo = "error: could not compile `a` (lib)\n\nCaused by:\n  process didn't exit successfully: `rustc` (signal: 9, SIGKILL: kill)\n";
        assert!(of("exit status 101", by_cargo));
        // A compiler that crashes does so every time.
        assert!(!of("killed by signal 11", "") && !of("exit status 1", "a.c:1:1: error: expected `;`\n"));
    }

    #[test]
    fn text_has_command_output_and_hint() {
        let mut failure = BuildFailure::of_compiler(
            vec!["g++".into(), "a b.cpp".into(), "it's".into()],
            "exit status 1".into(),
            "a b.cpp:1:1: error: x\n\n   1 | y\n".into(),
        )
        .of("a b.cpp");
        failure.hint = Some("do z".into());
        assert_eq!(
            failure.to_string(),
            "could not build `a b.cpp`: g++: exit status 1\n  g++ 'a b.cpp' 'it'\\''s'\n\n    a b.cpp:1:1: error: x\n\n       1 | y\n\nhint: do z"
        );
    }
}
