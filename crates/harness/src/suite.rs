//! A program of a harness, and how its processes run.

use crate::values::wall_first;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tare_analysis::Saved;
use tare_process::files::files_below;
use tare_process::helper::{run, Done, Limits};

/// Variable of the host with a folder for the processes of a run, removed after the run.
const RUN_FOLDER: &str = "TARE_RUN_FOLDER";
/// The host has a limit of its own; this one is for children started by hand.
const HOURS: Duration = Duration::from_secs(24 * 3600);
/// Limit on the bytes kept from each stream.
const BYTES: usize = 32 << 20;
/// Limit on the size of result files that are read, bytes.
const FILE_BYTES_MAX: u64 = tare_import::BYTES_MAX as u64;

#[derive(Debug)]
pub struct Suite {
    words: Vec<String>,
    /// A folder for this process alone.
    scratch: PathBuf,
}

/// A failed process of a harness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    pub message: String,
    pub output: String,
}

impl Trouble {
    /// Trouble without output that would explain it.
    pub(crate) fn new(message: impl Into<String>) -> Trouble {
        Trouble { message: message.into(), output: String::new() }
    }
}

impl Suite {
    pub(crate) fn new(words: Vec<String>) -> Result<Suite, String> {
        let below = std::env::var_os(RUN_FOLDER).map_or_else(std::env::temp_dir, PathBuf::from);
        let scratch = below.join(format!("tare-harness-{}", std::process::id()));
        fs::create_dir_all(&scratch).map_err(|error| format!("cannot create `{}`: {error}", scratch.display()))?;
        Ok(Suite { words, scratch })
    }

    pub(crate) fn program(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }

    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.scratch.join(name)
    }

    /// A file shared by all processes of the run for this benchmark; None outside a run.
    pub(crate) fn kept(&self, name: &str) -> Option<PathBuf> {
        let folder = std::env::var_os(RUN_FOLDER)?;
        Some(PathBuf::from(folder).join(format!("tare-harness-length-{}", hashed(name))))
    }

    /// Shares the output of processes that measure several benchmarks at once. A launch takes the output of another launch's process if its
    /// own benchmark has not used that yet; otherwise it runs one. So each launch of a benchmark is a separate process, and no measurement
    /// is wasted.
    pub(crate) fn shared(
        &self,
        what: &str,
        benchmark: &str,
        make: impl FnOnce() -> Result<String, Trouble>,
    ) -> Result<String, Trouble> {
        match std::env::var_os(RUN_FOLDER) {
            Some(folder) => shared_in(Path::new(&folder), what, benchmark, make),
            None => make(),
        }
    }

    pub(crate) fn command(&self) -> Result<Command, Trouble> {
        let (program, own) = self.words.split_first().ok_or_else(|| Trouble::new("no program is named"))?;
        let mut command = Command::new(program);
        command.args(own);
        Ok(command)
    }

    pub(crate) fn run(&self, command: &mut Command) -> Result<Done, Trouble> {
        let done = self.ended(command, HOURS)?;
        match done.success {
            true => Ok(done),
            false => {
                let how = if done.status.starts_with("exit") { "ended with" } else { "was" };
                // The user can run the command again to find the reason.
                let message = format!("its process {how} {}: `{}`", done.status, shown(command));
                Err(Trouble { message, output: done.text() })
            }
        }
    }

    pub(crate) fn ended(&self, command: &mut Command, time: Duration) -> Result<Done, Trouble> {
        let ended = run(command, Limits { time, bytes: BYTES });
        ended.map_err(|error| Trouble::new(format!("`{}` could not be started: {error}", shown(command))))
    }

    /// Runs a process to its end, and reads the result that it printed or wrote to a file.
    pub(crate) fn result(&self, command: &mut Command, file: Option<&Path>) -> Result<Saved, Trouble> {
        // From an earlier process.
        file.iter().for_each(|file| _ = fs::remove_file(file));
        let done = self.run(command)?;
        let text = file.map_or_else(|| String::from_utf8_lossy(&done.stdout).into_owned(), |file| self.text(file));
        tare_import::read("", text.as_bytes()).map(wall_first).map_err(|error| Trouble {
            message: format!("its result cannot be read: it {}", error.problem),
            output: done.text(),
        })
    }

    pub(crate) fn files(&self, folder: &Path) -> Vec<(String, Vec<u8>)> {
        let is_small = |path: &PathBuf| fs::metadata(path).is_ok_and(|facts| facts.len() <= FILE_BYTES_MAX);
        let all = files_below(folder, usize::MAX, &|_| true).into_iter().filter(is_small);
        all.filter_map(|path| Some((path.to_string_lossy().into_owned(), fs::read(&path).ok()?))).collect()
    }

    /// The text of a file of results; empty if there is none.
    pub(crate) fn text(&self, path: &Path) -> String {
        let is_small = fs::metadata(path).is_ok_and(|facts| facts.len() <= FILE_BYTES_MAX);
        fs::read(path)
            .ok()
            .filter(|_| is_small)
            .map_or_else(String::new, |bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Suite {
    fn drop(&mut self) {
        // The rest is removed with the folder of the run.
        let _ = fs::remove_dir_all(&self.scratch);
    }
}

fn hashed(name: &str) -> String {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn shared_in(
    folder: &Path,
    what: &str,
    benchmark: &str,
    make: impl FnOnce() -> Result<String, Trouble>,
) -> Result<String, Trouble> {
    let result = |number: usize| folder.join(format!("tare-harness-shared-{}-{number}", hashed(what)));
    let mark = |number: usize| result(number).with_extension(hashed(benchmark));
    let mut number = 0;
    while let Ok(text) = fs::read_to_string(result(number)) {
        if fs::File::create_new(mark(number)).is_ok() {
            return Ok(text);
        }
        number += 1;
    }
    let text = make()?;
    // If this cannot be stored, the next launch runs a process of its own.
    if fs::File::create_new(mark(number)).is_ok() {
        _ = fs::write(result(number), &text);
    }
    Ok(text)
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> =
        words.map(|word| tare_model::text::shell_word(&word.to_string_lossy()).to_string()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_launch_of_a_benchmark_is_a_process_of_its_own_and_serves_the_others_once() {
        let place = std::env::temp_dir().join(format!("tare-shared-{}", std::process::id()));
        fs::create_dir_all(&place).expect("a folder");
        let mut processes = 0;
        let mut launch = |what: &str, benchmark: &str| {
            shared_in(&place, what, benchmark, || {
                processes += 1;
                Ok(processes.to_string())
            })
        };
        let launches = [("t", "a"), ("t", "b"), ("t", "b"), ("t", "a"), ("t", "a"), ("u", "a"), ("t", "c")];
        let found = launches.map(|(what, benchmark)| launch(what, benchmark).expect("a result"));
        assert_eq!(found, ["1", "1", "2", "2", "3", "4", "1"]);
        let failed = shared_in(&place, "v", "a", || Err(Trouble::new("it crashed")));
        assert!(failed.is_err() && shared_in(&place, "v", "b", || Ok("5".to_owned())).is_ok_and(|text| text == "5"));
        fs::remove_dir_all(&place).expect("removed");
    }
}
