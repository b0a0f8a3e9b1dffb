//! `dotnet build`, of a project and of a file that stands for one: with the front end of this `tare` in place of the package that it
//! names, and with an output of its own.

use super::file::is_self_contained;
use super::front_end::{FrontEnd, TARE};
use super::sdk::Sdk;
use crate::toolchain::cache::{hash_file, CacheError, Key};
use crate::toolchain::context::{text, BuildContext};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::retention;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tare_model::Artifact;
use tare_process::files::{files_below, make_executable};
use tare_process::helper::Done;

/// Folders of an output that are looked into: languages and runtimes have folders of their own.
const DEPTH: usize = 6;
const FACTS: &str = "facts";
const RESPONSE: &str = "flags.rsp";
const OUTPUT: &str = "bin";
const PUBLISHED: &str = "published";
/// The variable with what the runtime calls before `Main`: programs of another library have the front end there.
const HOOKS: &str = "DOTNET_STARTUP_HOOKS";
/// What makes the library's own command line take all benchmarks and ask nothing.
const ALL: [&str; 2] = ["--filter", "*"];

pub(super) struct Order<'a> {
    pub(super) context: &'a BuildContext<'a>,
    pub(super) sdk: &'a Sdk,
    pub(super) front_end: &'a FrontEnd,
    pub(super) path: &'a Path,
    pub(super) words: Vec<String>,
    pub(super) others: Vec<PathBuf>,
    flags: &'a [String],
    command: &'static str,
    /// The output of the build, which the next one finds.
    folder: PathBuf,
}

pub(super) struct Output {
    pub(super) words: Vec<String>,
    pub(super) environment: BTreeMap<String, String>,
    /// Where BenchmarkDotNet starts it: the folder of the program, with the data that the build copied there.
    pub(super) folder: Option<PathBuf>,
    /// The project is published ahead of time, and nothing else says how it is measured.
    pub(super) is_ahead: bool,
    pub(super) cached: bool,
    pub(super) shown: Vec<String>,
}

impl<'a> Order<'a> {
    pub(super) fn new(
        context: &'a BuildContext<'a>,
        sdk: &'a Sdk,
        front_end: &'a FrontEnd,
        path: &'a Path,
        words: Vec<String>,
        flags: &'a [String],
    ) -> Result<Order<'a>, BuildFailure> {
        let folder = PathBuf::new();
        Order { context, sdk, front_end, path, words, others: Vec::new(), flags, command: "build", folder }.in_folder()
    }

    /// The same project, compiled ahead of time.
    pub(super) fn publish(&self) -> Result<Order<'a>, BuildFailure> {
        let (words, others) = (self.words.clone(), self.others.clone());
        Order { words, others, command: "publish", folder: PathBuf::new(), ..*self }.in_folder()
    }

    /// Its output has a folder of its own.
    fn in_folder(self) -> Result<Order<'a>, BuildFailure> {
        let key = Key::new("dotnet-project-3").with(text(self.path)).with(&self.front_end.key).with_all(&self.words);
        let key = key.with_all(self.flags).with(self.command).finish();
        let folder = self.context.cache.folder(&format!("dotnet/{}", &key[..16]))?;
        retention::used(&folder);
        let order = Order { folder, ..self };
        let quoted: Vec<String> = order.flags.iter().map(|flag| format!("\"{flag}\"\n")).collect();
        let (to, content) = (order.file(RESPONSE), quoted.concat());
        // Written only when it changes: the compiler looks at its time.
        if !order.flags.is_empty() && fs::read_to_string(&to).ok().as_deref() != Some(content.as_str()) {
            fs::write(&to, content).map_err(|e| CacheError::new("write", &to, e))?;
        }
        Ok(order)
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn shown(&self) -> Vec<String> {
        let fixed = ["dotnet", self.command, &text(self.path), "-c", "Release"].map(str::to_owned);
        [fixed.to_vec(), self.words.clone()].concat()
    }

    /// Runs it, with more words that say how. A failure of the compiler is no error of the run.
    pub(super) fn run(&self, more: &[String]) -> Result<Done, BuildFailure> {
        let shown = self.shown();
        let mut words = shown[1..].to_vec();
        words.extend(["-nologo", "-v", "quiet", "-clp:NoSummary"].map(str::to_owned));
        words.push(format!("-p:TareProject={}", self.path.display()));
        words.push(format!("-p:TareFolder={}/", self.folder.display()));
        // A semicolon would begin another property.
        let others: Vec<String> = self.others.iter().map(|path| format!("%3B{}", path.display())).collect();
        words.push(format!("-p:TareOthers={}%3B", others.concat()));
        words.extend(self.front_end.imports());
        if !self.flags.is_empty() {
            words.push(format!("-p:TareResponse={}", self.file(RESPONSE).display()));
        }
        words.extend(more.iter().cloned());
        // Servers that stay behind would work beside the measurement.
        words.push("-p:UseSharedCompilation=false".to_owned());
        let mut command = self.context.variables.command(&self.sdk.dotnet);
        // No flag for it: with one that only MSBuild knows a file is taken for a project.
        command.env("MSBUILDDISABLENODEREUSE", "1");
        command.current_dir(self.path.parent().unwrap_or(Path::new("/")));
        self.context.compile(&shown, command.args(&words))
    }

    pub(super) fn failure(&self, done: &Done) -> BuildFailure {
        BuildFailure::of_compiler(self.shown(), done.status.clone(), errors_first(&done.text()))
    }

    /// What the build said of the program.
    fn fact(&self, name: &str) -> String {
        let facts = fs::read_to_string(self.folder.join(FACTS)).unwrap_or_default();
        let own = facts.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        own.unwrap_or_default().to_owned()
    }

    /// A copy of what was published, with the program in it.
    pub(super) fn keep_published(&self) -> Result<(PathBuf, bool), BuildFailure> {
        let output = self.folder.join(PUBLISHED);
        let assembly = self.fact("assembly");
        let program = Path::new(&assembly).file_stem().unwrap_or_default();
        if !output.join(program).is_file() {
            let hint = "check the output of `dotnet publish` for the project".to_owned();
            return Err(BuildFailure::new("the build produced no program", Some(hint)));
        }
        let (place, cached) = keep_all(self.context, &output)?;
        let program = self.context.cache.path(&place).join(program);
        make_executable(&program).map_err(|e| CacheError::new("make executable", &program, e))?;
        Ok((program, cached))
    }

    /// A copy of all that came out: the next build must not change what a run measures.
    pub(super) fn keep(&self) -> Result<Output, BuildFailure> {
        let failed = |status: String, hint: &str| Err(BuildFailure::new(status, Some(hint.to_owned())));
        let (assembly, framework) = (self.fact("assembly"), self.fact("framework"));
        let output = self.folder.join(OUTPUT);
        if assembly.is_empty() || !output.join(&assembly).is_file() {
            return failed(
                "the build produced no program".to_owned(),
                "check the output of `dotnet build` for the project",
            );
        }
        if framework.starts_with("netstandard") {
            let status = format!("the project is a library for `{framework}`, which is not a runtime");
            return failed(
                status,
                "add a framework that can run: `<TargetFrameworks>netstandard2.0;net10.0</TargetFrameworks>`",
            );
        }
        if is_self_contained(&output.join(&assembly)) {
            let status = "the project includes its own runtime, and `dotnet` cannot run its program".to_owned();
            return failed(status, "add `<SelfContained>false</SelfContained>` to it");
        }
        let is_library = self.fact("has-main") != "true";
        if is_library {
            as_starter(&output, &assembly)?;
        }
        let (place, cached) = keep_all(self.context, &output)?;
        let at = |name: &str| text(&self.context.cache.path(&place).join(name));
        let has_library = self.fact("has-library") == "true";
        let starter = at(&format!("{TARE}.dll"));
        let mut words = match is_library {
            true => vec![starter.clone(), assembly],
            false => vec![at(&assembly)],
        };
        let mut environment = BTreeMap::default();
        // Its own `Main` runs when it lists, and the front end answers when that has ended.
        if has_library && !is_library {
            match &self.context.options.main_arguments[..] {
                [] => words.extend(ALL.map(str::to_owned)),
                given => words.extend_from_slice(given),
            }
            environment = hooks(self.context, &starter);
        }
        let folder = has_library.then(|| self.context.cache.path(&place));
        let is_ahead = self.fact("ahead") == "true";
        Ok(Output { words, environment, folder, is_ahead, cached, shown: self.shown() })
    }
}

/// Whether a program is written for another library: the front end is loaded before its `Main`, or starts it where it has none, in the
/// folder in which both are.
pub(super) fn is_in_front(artifact: &Artifact) -> bool {
    let starter = Path::new(&artifact.directory).join(format!("{TARE}.dll"));
    artifact.environment.contains_key(HOOKS) || artifact.command.iter().any(|word| Path::new(word) == starter)
}

/// The variable by which the runtime loads the front end before `Main`, and what else the user has there.
pub(super) fn hooks(context: &BuildContext, front_end: &str) -> BTreeMap<String, String> {
    let others = context.variables.get(HOOKS);
    let all: Vec<&str> = [front_end].into_iter().chain(others).collect();
    BTreeMap::from([(HOOKS.to_owned(), all.join(":"))])
}

/// What the runtime must know of a library lies beside it under its name, and is read under that of the assembly that is started.
fn as_starter(output: &Path, assembly: &str) -> Result<(), CacheError> {
    let stem = Path::new(assembly).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for suffix in ["deps.json", "runtimeconfig.json"] {
        let (from, to) = (output.join(format!("{stem}.{suffix}")), output.join(format!("{TARE}.{suffix}")));
        fs::copy(&from, &to).map_err(|e| CacheError::new("write", &to, e))?;
    }
    Ok(())
}

/// Copies all files of the output. Gives the place of the copies, and whether they were there.
fn keep_all(context: &BuildContext, output: &Path) -> Result<(String, bool), CacheError> {
    let files = files_below(output, DEPTH, &|_| true);
    let mut key = Key::new("dotnet-output");
    for file in &files {
        let hash = hash_file(file).map_err(|e| CacheError::new("read", file, e))?;
        key = key.with(text(file.strip_prefix(output).unwrap_or(file))).with(hash);
    }
    let place = format!("programs/{}", &key.finish()[..16]);
    let mut cached = true;
    for file in &files {
        let name = text(file.strip_prefix(output).unwrap_or(file));
        let content = fs::read(file).map_err(|e| CacheError::new("read", file, e))?;
        cached &= context.cache.write(&format!("{place}/{name}"), &content)?;
    }
    Ok((place, cached))
}

/// What a build said: each error once and before the warnings, without the summary, which says all of it again.
pub(super) fn errors_first(said: &str) -> String {
    let before = said.split_once("\nBuild FAILED.").map(|(before, _)| before);
    let said = before.filter(|before| before.contains("error")).unwrap_or(said);
    // A message of several lines: the others are indented.
    let mut messages: Vec<Vec<&str>> = Vec::new();
    for line in said.lines().filter(|line| !line.trim().is_empty()) {
        match messages.last_mut() {
            Some(message) if line.starts_with(char::is_whitespace) => message.push(line),
            _ => messages.push(vec![line]),
        }
    }
    let mut known = std::collections::HashSet::new();
    messages.retain(|message| known.insert(message.clone()));
    let is_warning = |message: &Vec<&str>| {
        let first = message.first().copied().unwrap_or_default();
        first.contains(": warning ") || first.starts_with("warning ")
    };
    let (warnings, errors): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_warning);
    let lines: Vec<&str> = errors.into_iter().chain(warnings).flatten().collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_once_and_before_the_warnings() {
        let said = "/p/a.cs(1,1): warning CS0168: unused [/p/p.csproj]\n/x.targets(2,5): warning MSB3277: two versions\n  \
                    one\n  other\n/p/a.cs(3,1): error CS0103: The name 'x' does not exist [/p/p.csproj]\n\nBuild FAILED.\n\n\
                    /p/a.cs(1,1): warning CS0168: unused [/p/p.csproj]\n/p/a.cs(3,1): error CS0103: The name 'x' does not exist [/p/p.csproj]\n    \
                    2 Warning(s)\n    1 Error(s)\n";
        let lines: Vec<String> = errors_first(said).lines().map(str::to_owned).collect();
        assert!(lines[0].contains("error CS0103") && lines[1].contains("CS0168"), "{lines:?}");
        assert_eq!(lines[2..], ["/x.targets(2,5): warning MSB3277: two versions", "  one", "  other"]);
        assert_eq!(errors_first("a.cs(1,1): error CS1: x\na.cs(1,1): error CS1: x\n"), "a.cs(1,1): error CS1: x\n");
    }
}
