//! What every build needs: options, cache, environment variables, and a listener.

use super::cache::Cache;
use super::failure::BuildFailure;
use super::options::{BuildEvent, BuildOptions};
use crate::discover::Skipped;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tare_model::Artifact;
use tare_process::files::{is_program, program_in};
use tare_process::helper::{run, Done, Limits};

/// For compilers: an hour, and more text than anyone reads.
pub(crate) const COMPILER: Limits = Limits { time: Duration::from_secs(3600), bytes: 1 << 20 };

/// The environment of compilers. A value rather than the process's own environment, so that tests can hide compilers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables(BTreeMap<OsString, OsString>);

impl Variables {
    pub(crate) fn of_process() -> Variables {
        Variables(std::env::vars_os().collect())
    }

    #[cfg(test)]
    pub(crate) fn with(mut self, name: &str, value: impl AsRef<OsStr>) -> Variables {
        self.0.insert(name.into(), value.as_ref().to_owned());
        self
    }

    #[cfg(test)]
    pub(crate) fn without(mut self, names: &[&str]) -> Variables {
        self.0.retain(|name, _| !names.iter().any(|n| name == OsStr::new(n)));
        self
    }

    pub(crate) fn with_all(mut self, changed: &BTreeMap<String, String>) -> Variables {
        self.0.extend(changed.iter().map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// Those that are UTF-8.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)))
    }

    /// None when it is not set, empty, or not UTF-8.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(OsStr::new(name))?.to_str().filter(|v| !v.is_empty())
    }

    pub(crate) fn get_os(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    pub(crate) fn starting_with(&self, prefix: &str) -> Vec<String> {
        let named =
            self.0.iter().map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy()));
        named.filter(|text| text.starts_with(prefix)).collect()
    }

    pub(crate) fn names_starting_with<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a OsStr> {
        self.0.keys().map(OsString::as_os_str).filter(move |name| name.to_string_lossy().starts_with(prefix))
    }

    /// Finds a program on the PATH; a name with a `/` is a path.
    pub(crate) fn find(&self, program: &str) -> Option<PathBuf> {
        if program.contains('/') {
            return std::path::absolute(program).ok().filter(|path| is_program(path));
        }
        let path = self.0.get(OsStr::new("PATH"))?;
        std::env::split_paths(path)
            .filter(|folder| folder.is_absolute())
            .find_map(|folder| program_in(&folder, program))
    }

    /// A command with this environment, in plain English without colour: hints search its output for words.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(&self.0);
        for name in ["LC_ALL", "LANGUAGE", "CLICOLOR_FORCE", "FORCE_COLOR", "GCC_COLORS", "TARE_LINK"] {
            command.env_remove(name);
        }
        // Set by a git hook that started tare: a build that calls git must find the repository around it.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C.UTF-8").env("CARGO_TERM_COLOR", "never").env("NO_COLOR", "1");
        command
    }
}

pub(crate) struct Built {
    pub(crate) artifact: Artifact,
    pub(crate) cached: bool,
}

pub(crate) type BuildResult = Result<Built, BuildFailure>;

pub(crate) enum Message {
    Event(BuildEvent),
    /// An artifact or failure of the target with this index, and the build time in s.
    Result(usize, Box<BuildResult>, f64),
}

pub(crate) struct BuildContext<'a> {
    pub(crate) target: String,
    pub(crate) options: &'a BuildOptions,
    pub(crate) variables: &'a Variables,
    pub(crate) cache: Cache,
    /// Processes that one build tool may use.
    pub(crate) jobs: usize,
    pub(crate) messages: Sender<Message>,
}

impl BuildContext<'_> {
    pub(crate) fn named(&self, target: &str) -> BuildContext<'_> {
        let (cache, messages) = (self.cache.clone(), self.messages.clone());
        BuildContext { target: target.to_owned(), cache, messages, ..*self }
    }

    pub(crate) fn say(&self, event: BuildEvent) {
        // The listener outlives the builds.
        let _ = self.messages.send(Message::Event(event));
    }

    pub(crate) fn warn(&self, text: impl Into<String>) {
        self.say(BuildEvent::Warned { target: self.target.clone(), text: text.into() });
    }

    /// Warns of settings of the job that only apply to compilers to machine code.
    pub(crate) fn warn_of_native_settings(&self) {
        let job = &self.options.job;
        for (name, value) in [("target-cpu", &job.target_cpu), ("linker", &job.linker)] {
            if value.is_some() {
                self.warn(format!("`{name}` of the job applies to C, C++ and Rust, and is ignored here"));
            }
        }
    }

    pub(crate) fn skip(&self, skipped: Skipped) {
        self.say(BuildEvent::Skipped { skipped });
    }

    pub(crate) fn run(&self, shown: &[String], command: &mut Command, limits: Limits) -> Result<Done, BuildFailure> {
        run(command, limits).map_err(|e| BuildFailure { command: shown.to_vec(), ..BuildFailure::of_start(&e) })
    }

    pub(crate) fn made(&self, shown: &[String], command: &mut Command, limits: Limits) -> Result<Done, BuildFailure> {
        let done = self.run(shown, command, limits)?;
        match done.success {
            true => Ok(done),
            false => Err(BuildFailure::of_compiler(shown.to_vec(), done.status.clone(), done.text())),
        }
    }

    /// Runs a compiler to its end, whether it succeeds or not. `shown` is the command as a user would type it.
    pub(crate) fn compile(&self, shown: &[String], command: &mut Command) -> Result<Done, BuildFailure> {
        self.say(BuildEvent::Started { target: self.target.clone(), command: shown.to_vec() });
        let done = self.run(shown, command, COMPILER)?;
        if done.success && self.options.verbose && !done.stderr.is_empty() {
            self.warn(String::from_utf8_lossy(&done.stderr).trim_end());
        }
        Ok(done)
    }
}

/// The path as text; paths of targets and of the cache are checked to be UTF-8 on entry.
pub(crate) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
