//! A harness that `[harness.NAME]` of `tare.toml` describes: how to list its files and run one benchmark, and the form of its results.

use crate::command::filled;
use crate::harness::{escaped, one_of, About, Harness, List, Listed, Measured, Statistic};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;
use tare_model::text::split_words;
use tare_model::Parameter;

/// A table `[harness.NAME]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table such as `{ files = \"bench_*.py\", list = \"...{file}\", run = \"...{file} {name}\" }`"
)]
pub struct Declared {
    /// Pattern of its files: matches a name, or the end of a path.
    pub files: String,
    /// The command that prints the names of the benchmarks in `{file}`, one per line.
    pub list: String,
    /// Pattern of lines with names; default: all lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
    /// The command that runs the benchmark `{name}` of `{file}`. It prints its result or writes it to `{out}`.
    pub run: String,
    /// Which of several values of a process counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<Statistic>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Declared {
    pub fn runs(&self, file: &Path) -> bool {
        let path = file.to_string_lossy();
        match self.files.contains('/') {
            true => fits(&format!("*/{}", self.files.trim_start_matches("./")), &path),
            false => file.file_name().is_some_and(|name| fits(&self.files, &name.to_string_lossy())),
        }
    }

    pub fn wrong(&self) -> Option<String> {
        let missing = [("files", &self.files), ("list", &self.list), ("run", &self.run)];
        if let Some((key, _)) = missing.into_iter().find(|(_, text)| text.trim().is_empty()) {
            return Some(format!("`{key}` is empty"));
        }
        if let Some((key, _)) = missing[1..].iter().find(|(_, text)| split_words(text).is_err()) {
            return Some(format!("a quote of `{key}` is not closed"));
        }
        let chooses = ["{name}", "{name-regex}"].iter().any(|place| self.run.contains(place));
        (!chooses).then(|| "`run` needs `{name}` or `{name-regex}`: each process measures one benchmark".to_owned())
    }
}

/// Whether a text matches a pattern, in which `*` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

pub(crate) struct DeclaredHarness {
    pub(crate) name: String,
    pub(crate) declared: Declared,
}

impl DeclaredHarness {
    fn command(&self, suite: &Suite, text: &str, name: &str) -> Result<Command, Trouble> {
        let out = suite.place("out").display().to_string();
        let file = suite.program().unwrap_or_default();
        let regex = escaped(name);
        let places = [("file", file), ("name", name), ("name-regex", regex.as_str()), ("out", out.as_str())];
        let places = places.map(|(place, value)| Parameter::new(place, value));
        let words = split_words(text).map_err(|_| Trouble::new(format!("a quote of `{text}` is not closed")))?;
        let mut words = words.iter().map(|word| filled(word, &places));
        let program = words.next().ok_or_else(|| Trouble::new(format!("`[harness.{}]` has no command", self.name)))?;
        let mut command = Command::new(program);
        command.args(words);
        Ok(command)
    }
}

impl Harness for DeclaredHarness {
    fn about(&self) -> About<'_> {
        let language = self.declared.language.as_deref().unwrap_or("unknown");
        About { name: &self.name, title: &self.name, language, signs: &[] }
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        let done = suite.run(&mut self.command(suite, &self.declared.list, "")?)?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let is_name = |line: &&str| !line.is_empty() && self.declared.names.as_ref().is_none_or(|p| fits(p, line));
        let all: List = text.lines().map(str::trim).filter(is_name).map(Listed::of_name).collect();
        match all.benchmarks.is_empty() {
            true => {
                let lines = if text.trim().is_empty() { "no line" } else { "no line that fits `names`" };
                let message = format!("`list` of `[harness.{}]` has printed {lines}", self.name);
                Err(Trouble { message, output: done.text() })
            }
            false => Ok(all),
        }
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let name = of.name.as_str();
        let out = suite.place("out");
        // From an earlier process.
        let _ = std::fs::remove_file(&out);
        let done = suite.run(&mut self.command(suite, &self.declared.run, name)?)?;
        let text = match self.declared.run.contains("{out}") {
            true => suite.text(&out),
            false => String::from_utf8_lossy(&done.stdout).into_owned(),
        };
        let trouble = |message: String| Trouble { message, output: done.text() };
        let saved = tare_import::read("", text.as_bytes())
            .map_err(|error| trouble(format!("its result cannot be read: {}", error.problem)))?;
        Ok(Measured { saved: one_of(saved, name).map_err(trouble)?, iterations: None })
    }

    fn statistic(&self) -> Statistic {
        self.declared.statistic.unwrap_or(Statistic::Mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_of_names_or_of_ends_of_paths() {
        let of =
            |files: &str, path: &str| Declared { files: files.to_owned(), ..Declared::default() }.runs(Path::new(path));
        assert!(of("bench_*.py", "/a/bench_x.py") && !of("bench_*.py", "/a/test_bench_x.py"));
        assert!(of("target/benchmarks.jar", "/a/target/benchmarks.jar") && !of("target/*.jar", "/a/b.jar"));
        assert!(of("*", "/a/b") && !of("b", "/a/bb") && of("a*b*c", "/x/aXbYc") && !of("a*b*c", "/x/acb"));
    }

    #[test]
    fn a_table_without_a_choice_is_wrong() {
        let table = |run: &str| Declared {
            files: "*.jar".to_owned(),
            list: "java -jar {file} -l".to_owned(),
            run: run.to_owned(),
            ..Declared::default()
        };
        assert_eq!(table("java -jar {file} ^{name-regex}$ -rff {out}").wrong(), None);
        for (run, word) in [("java -jar {file}", "needs `{name}`"), ("'x {name}", "quote"), (" ", "`run` is empty")] {
            assert!(table(run).wrong().is_some_and(|why| why.contains(word)), "{run}");
        }
    }
}
