//! CMake projects, configured and built in a folder of the cache, so that the user's tree does not change.

use super::api::{self, Executable};
use super::options;
use crate::discover::{has_front_end, read_source, Language, Skipped, Target, ELSEWHERE};
use crate::languages::native::compiler::Compiler;
use crate::languages::native::file::VARIABLES;
use crate::languages::native::{self, front_end, header, Native};
use crate::languages::{c, cpp};
use crate::projects::is_hidden;
use crate::toolchain::cache::{hash, hash_file, CacheError, Key};
use crate::toolchain::context::{text, BuildContext, BuildResult, Built, COMPILER};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::harness::{layouts_for, run_by};
use crate::toolchain::layout::{self, Notebook};
use crate::toolchain::retention;
use crate::toolchain::shell_word;
use crate::toolchain::tool::missing;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tare_model::Artifact;
use tare_process::files::files_below;
use tare_process::helper::Done;

/// Builds the project; one result for each executable that is a benchmark.
pub(crate) fn build(
    context: &BuildContext,
    target: &Target,
    source_dir: &Path,
    below: Option<&Path>,
) -> Vec<BuildResult> {
    let project = match Project::new(context, target, source_dir) {
        Ok(project) => project,
        Err(failure) => return vec![Err(failure)],
    };
    match project.configure().and_then(|()| project.benchmarks(below)) {
        Ok(executables) => project.build(&executables),
        Err(failure) => vec![Err(failure)],
    }
}

const INPUTS: &str = "tare-inputs";

struct Project<'a> {
    context: &'a BuildContext<'a>,
    target: &'a Target,
    source_dir: &'a Path,
    cmake: PathBuf,
    /// For C++ and C; None: CMake's choice.
    compilers: [Option<Compiler>; 2],
    options: Vec<String>,
    front_end: PathBuf,
    build_dir: PathBuf,
    /// Records links, if more than one layout is wanted.
    notes: Option<Notebook>,
}

impl<'a> Project<'a> {
    fn new(context: &'a BuildContext, target: &'a Target, source_dir: &'a Path) -> Result<Project<'a>, BuildFailure> {
        let cmake = context
            .variables
            .find("cmake")
            .ok_or_else(|| missing("cmake", Some("install it: `apt install cmake`".to_owned())))?;
        let named = |native: &Native| {
            let is_named = context.options.job.toolchain.contains_key(native.language)
                || context.variables.get(native.variable).is_some();
            is_named.then(|| Compiler::find(context, native)).transpose()
        };
        let compilers = [named(&cpp::NATIVE)?, named(&c::NATIVE)?];
        let front_end = front_end::write(&context.cache)?;
        let mut key = Key::new("cmake").with(text(source_dir)).with(text(&front_end)).with(text(&cmake));
        let variables = ["CXXFLAGS", "CFLAGS"].into_iter().chain(VARIABLES);
        key = key.with(flags(context));
        key = key.with_all(variables.map(|name| context.variables.get(name).unwrap_or_default()));
        let options = options::wanted(source_dir, &context.options.discover.features);
        key = key.with_all(options.iter()).with_all(compilers.iter().flatten().map(|c| &c.identity));
        let build_dir = context.cache.folder(&format!("cmake/{}", &key.finish()[..16]))?;
        retention::used(&build_dir);
        let notes = layout::wanted(context).then(|| Notebook::open(&context.cache, &build_dir.join("links")));
        let notes = notes.transpose()?;
        Ok(Project { context, target, source_dir, cmake, compilers, options, front_end, build_dir, notes })
    }

    fn command(&self) -> Command {
        let mut command = self.context.variables.command(&self.cmake);
        command.current_dir(self.source_dir);
        for flags_variable in ["CXXFLAGS", "CFLAGS"] {
            let theirs = self.context.variables.get(flags_variable).unwrap_or_default();
            command.env(flags_variable, format!("{theirs} {}", flags(self.context)).trim());
        }
        command
    }

    fn configure_words(&self) -> Vec<String> {
        let mut words = ["-S", &text(self.source_dir), "-B", &text(&self.build_dir)].map(str::to_owned).to_vec();
        if self.context.variables.get("CMAKE_GENERATOR").is_none() && self.context.variables.find("ninja").is_some() {
            words.extend(["-G", "Ninja"].map(str::to_owned));
        }
        words.push("-DCMAKE_BUILD_TYPE=Release".to_owned());
        words.extend(self.options.iter().map(|feature| options::definition(feature)));
        for (language, compiler) in ["CXX", "C"].iter().zip(&self.compilers) {
            if let Some(compiler) = compiler {
                // A CMake list: path and arguments may contain blanks.
                let list = [vec![text(&compiler.path)], compiler.arguments.clone()].concat().join(";");
                words.push(format!("-DCMAKE_{language}_COMPILER={list}"));
            }
        }
        words.push(format!("-Dtare_DIR={}", self.front_end.join("cmake").display()));
        words
    }

    fn inputs(&self) -> Option<String> {
        let files = api::inputs(&self.build_dir, self.source_dir).ok()?;
        let text_of = |file: &PathBuf| String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
        let texts: Vec<String> = files.iter().map(text_of).collect();
        let is_of_name = |c: char| c.is_alphanumeric() || "._-+".contains(c);
        let words: HashSet<&str> = texts.iter().flat_map(|text| text.split(|c| !is_of_name(c))).collect();
        let own = |folder: &Path| !folder.is_symlink() && !is_hidden(folder) && !folder.join("CMakeCache.txt").exists();
        let all = files_below(self.source_dir, usize::MAX, &own);
        let (sources, others): (Vec<PathBuf>, Vec<PathBuf>) =
            all.into_iter().partition(|file| Language::of_source(file).is_some());
        // A pattern stands for the files that were there.
        let has_pattern = texts.iter().any(|text| text.contains("GLOB"));
        let names = files.iter().chain(sources.iter().filter(|_| has_pattern)).map(|file| file.display().to_string());
        // The project may read the files and variables that it names.
        let is_named = |file: &&PathBuf| file.file_name().is_some_and(|name| words.contains(&*name.to_string_lossy()));
        let read = others.iter().filter(is_named).filter_map(|file| hash_file(file).ok());
        let variables =
            texts.iter().flat_map(|text| text.split("ENV{").skip(1)).filter_map(|rest| rest.split('}').next());
        let values = variables.map(|name| self.context.variables.get(name).unwrap_or_default().to_owned());
        let values: Vec<String> = values.collect();
        Some(Key::new("cmake inputs").with_all(names.chain(read).chain(values).chain(texts.iter().cloned())).finish())
    }

    /// Runs CMake the first time, and from scratch when a file of the project has changed: its cache would keep an option's old default.
    fn configure(&self) -> Result<(), BuildFailure> {
        let is_configured = self.build_dir.join("CMakeCache.txt").is_file()
            && ["build.ninja", "Makefile"].iter().any(|file| self.build_dir.join(file).is_file())
            && api::executables(&self.build_dir, self.source_dir).is_ok()
            && self.inputs() == fs::read_to_string(self.build_dir.join(INPUTS)).ok();
        if is_configured {
            return Ok(());
        }
        // The next configuration would trust the remains of a failed one. After a successful one, there are objects to keep.
        let failed = !self.build_dir.join(INPUTS).is_file();
        let _ = fs::remove_file(self.build_dir.join("CMakeCache.txt"));
        if failed {
            let _ = fs::remove_dir_all(self.build_dir.join("CMakeFiles"));
        }
        let _ = fs::remove_file(self.build_dir.join(INPUTS));
        api::ask(&self.build_dir).map_err(|e| CacheError::new("write", &self.build_dir, e))?;
        let words = self.configure_words();
        let shown: Vec<String> = [vec!["cmake".to_owned()], words.clone()].concat();
        let done = self.context.compile(&shown, self.command().args(&words))?;
        if !done.success {
            return Err(BuildFailure::of_compiler(shown, done.status.clone(), done.text()));
        }
        let written = fs::write(self.build_dir.join(INPUTS), self.inputs().unwrap_or_default());
        Ok(written.map_err(|e| CacheError::new("write", &self.build_dir, e))?)
    }

    /// Updates the build's model if a CMakeLists.txt has changed.
    fn refresh(&self) -> Result<(), BuildFailure> {
        // This target builds nothing else.
        let refresh =
            if self.build_dir.join("build.ninja").is_file() { "build.ninja" } else { "cmake_check_build_system" };
        let words = ["--build", &text(&self.build_dir), "--target", refresh].map(str::to_owned);
        let shown = [&["cmake".to_owned()], &words[..]].concat();
        self.context.made(&shown, self.command().args(&words), COMPILER).map(drop)
    }

    /// Executables that use tare; if there are none, those with `bench` in their names.
    fn benchmarks(&self, below: Option<&Path>) -> Result<Vec<Executable>, BuildFailure> {
        if self.refresh().is_err() {
            // Broken rules cannot update themselves, even if the project is correct by now.
            let _ = fs::remove_file(self.build_dir.join("CMakeCache.txt"));
            self.configure()?;
            self.refresh()?;
        }
        let all = api::executables(&self.build_dir, self.source_dir)
            .map_err(|e| BuildFailure::new(format!("cannot read the configuration from cmake: {e}"), None))?;
        let sources: Vec<PathBuf> = all.iter().flat_map(|executable| executable.sources.clone()).collect();
        let (all, named) = self.wanted(all, below)?;
        let all_are = all.iter().map(|e| format!("`{}`", e.name)).collect::<Vec<_>>().join(", ");
        let (mut foreign, own): (Vec<_>, Vec<_>) = all.into_iter().partition(|e| self.harness(e).is_some());
        let (mut with_tare, others): (Vec<_>, Vec<_>) = own.into_iter().partition(|e| named || self.uses_tare(e));
        // Users who are moving from another harness do not want everything built and measured twice.
        if named || with_tare.is_empty() {
            let can_run = |e: &Executable| self.harness(e).is_some_and(tare_harness::knows);
            let (runnable, rest): (Vec<_>, Vec<_>) = foreign.into_iter().partition(can_run);
            with_tare.extend(runnable);
            foreign = rest;
        }
        for executable in &foreign {
            self.skip(executable, &format!("uses {}", self.harness(executable).unwrap_or_default()));
        }
        // Skipped targets that were named have been reported already.
        if !with_tare.is_empty() || (named && !foreign.is_empty()) {
            return Ok(with_tare);
        }
        let named: Vec<Executable> = others.into_iter().filter(|e| e.name.to_lowercase().contains("bench")).collect();
        if !named.is_empty() {
            return Ok(named);
        }
        if let Some(failure) = self.left_out(&sources, below) {
            return Err(failure);
        }
        let status = match (all_are.as_str(), foreign.is_empty()) {
            ("", _) => "the project has no executable".to_owned(),
            (_, true) => format!("none of its executables contains a benchmark ({all_are})"),
            (_, false) => format!("none of its executables uses tare ({all_are})"),
        };
        let hint =
            "in CMakeLists.txt: find_package(tare REQUIRED), then target_link_libraries(NAME PRIVATE tare::tare)";
        Err(BuildFailure::new(status, Some(hint.to_owned())))
    }

    /// A source with benchmarks in the project that no target builds.
    fn left_out(&self, sources: &[PathBuf], below: Option<&Path>) -> Option<BuildFailure> {
        let has_benchmarks = |path: &Path| {
            let text = Language::of_source(path).and_then(|_| read_source(path).ok()).unwrap_or_default();
            header::includes_tare(&text) || header::foreign(&text).is_some_and(tare_harness::knows)
        };
        let found = options::files(below.unwrap_or(self.source_dir), &has_benchmarks);
        let source = found.into_iter().find(|path| !sources.contains(path))?;
        let shown = source.strip_prefix(self.source_dir).unwrap_or(&source).display();
        let status = format!("no target builds `{shown}`, which has benchmarks");
        if let Some(own) = super::project_of(&source).filter(|folder| folder != self.source_dir) {
            let hint = format!("it is in a project of its own: `tare run {}`", shell_word(&own));
            return Some(BuildFailure::new(status, Some(hint)));
        }
        let (names, preset) = options::of_benchmarks(self.source_dir);
        let turn_on = |name: &String| format!("`--features {name}`");
        let as_preset = preset.map_or_else(String::new, |name| format!(", as the preset `{name}` does"));
        let hint = match names.is_empty() {
            true => "add it to an executable: `add_executable(NAME FILE)` in CMakeLists.txt".to_owned(),
            false => format!(
                "turn on the option that it is behind{as_preset}: {}; `features = [...]` below `[build]` of `tare.toml` keeps it",
                names.iter().map(turn_on).collect::<Vec<_>>().join(" or ")
            ),
        };
        Some(BuildFailure::new(status, Some(hint)))
    }

    fn wanted(&self, all: Vec<Executable>, below: Option<&Path>) -> Result<(Vec<Executable>, bool), BuildFailure> {
        let inside = |e: &Executable| below.is_none_or(|folder| e.sources.iter().any(|s| s.starts_with(folder)));
        let names = &self.context.options.discover.benches;
        if names.is_empty() {
            return Ok((all.into_iter().filter(inside).collect(), false));
        }
        let known = all.iter().map(|e| format!("`{}`", e.name)).collect::<Vec<_>>().join(", ");
        let named: Vec<Executable> = all.into_iter().filter(|e| names.contains(&e.name)).collect();
        if named.is_empty() {
            let status = format!("it has no executable `{}`", names.join("` or `"));
            let hint = match known.is_empty() {
                true => "none is configured: turn on the option that it is behind, `--features OPTION`".to_owned(),
                false => format!("available: {known}"),
            };
            return Err(BuildFailure::new(status, Some(hint)));
        }
        Ok((named, true))
    }

    fn harness(&self, executable: &Executable) -> Option<&'static str> {
        let texts: Vec<String> = sources(executable).collect();
        match texts.iter().any(|text| header::includes_tare(text)) {
            true => None,
            false => texts.iter().find_map(|text| header::foreign(text)),
        }
    }

    fn uses_tare(&self, executable: &Executable) -> bool {
        executable.includes.iter().any(|folder| folder.starts_with(&self.front_end))
            || executable.dependencies.iter().any(|name| name == "tare")
            || sources(executable).any(|text| header::includes_tare(&text))
    }

    fn skip(&self, executable: &Executable, why: &str) {
        self.context.skip(Skipped {
            name: format!("{}/{}", self.target.name, executable.name),
            bench: executable.name.clone(),
            why: why.to_owned(),
            instead: match self.harness(executable).is_some_and(tare_harness::knows) {
                true => format!("`tare run --bench {}` runs it as it is", executable.name),
                false => ELSEWHERE.to_owned(),
            },
            missing: None,
        });
    }

    fn words(&self, executables: &[Executable]) -> Vec<String> {
        let mut words = ["--build", &text(&self.build_dir), "--parallel", &self.context.jobs.to_string()]
            .map(str::to_owned)
            .to_vec();
        words.push("--target".to_owned());
        words.extend(executables.iter().map(|e| e.name.clone()));
        words
    }

    fn shown(&self, executables: &[Executable]) -> Vec<String> {
        [vec!["cmake".to_owned()], self.words(executables)].concat()
    }

    fn run(&self, executables: &[Executable]) -> Result<Done, BuildFailure> {
        let (shown, mut command) = (self.shown(executables), self.command());
        command.args(self.words(executables));
        match &self.notes {
            Some(notes) => notes.compile(self.context, &shown, &mut command),
            None => self.context.compile(&shown, &mut command),
        }
    }

    /// Builds all at once; if that fails, each by itself, so that one failure does not stop the others.
    fn build(&self, executables: &[Executable]) -> Vec<BuildResult> {
        if executables.is_empty() {
            return Vec::new();
        }
        let before: Vec<Option<String>> = executables.iter().map(|e| hash_file(&e.path).ok()).collect();
        let done = match self.run(executables) {
            Ok(done) => done,
            Err(failure) => return vec![Err(failure)],
        };
        let each = executables.iter().zip(before);
        if done.success || executables.len() == 1 {
            return each.filter_map(|(e, before)| self.result(e, &done, before).transpose()).collect();
        }
        let alone = |(e, before): (&Executable, _)| {
            let done = self.run(std::slice::from_ref(e))?;
            self.result(e, &done, before)
        };
        each.filter_map(|one| alone(one).transpose()).collect()
    }

    /// None: it has no benchmarks of ours, which is reported as an event.
    fn result(
        &self,
        executable: &Executable,
        done: &Done,
        before: Option<String>,
    ) -> Result<Option<Built>, BuildFailure> {
        let context = self.context.named(&format!("{}/{}", self.target.name, executable.name));
        self.built(&context, executable, done, before).map_err(|failure| failure.of(&context.target))
    }

    fn built(
        &self,
        context: &BuildContext,
        executable: &Executable,
        done: &Done,
        before: Option<String>,
    ) -> Result<Option<Built>, BuildFailure> {
        let shown = self.shown(std::slice::from_ref(executable));
        if !done.success {
            return Err(BuildFailure::of_compiler(shown, done.status.clone(), done.text()));
        }
        let content = fs::read(&executable.path).map_err(|e| CacheError::new("read", &executable.path, e))?;
        // The front end may be in a shared library; then the sources tell.
        let has_tare = has_front_end(&content) || sources(executable).any(|text| header::includes_tare(&text));
        let harness = if has_tare { None } else { tare_harness::of_program(&content) };
        if !has_tare && harness.is_none() {
            self.skip(executable, "contains no Tare benchmark");
            return Ok(None);
        }
        // A copy, as the next build must not change what a run measures. Programs that load libraries from their own folder stay in place.
        let (path, hash, layouts) = match tare_model::text::contains(&content, b"$ORIGIN") {
            true => {
                let why = "it loads libraries from its own folder (`$ORIGIN`)";
                (executable.path.clone(), hash(&content), layout::none(context, why))
            }
            false => {
                let kept = context.cache.keep_program(&executable.path, &executable.name)?;
                let make = |notes| layout::make(context, notes, &executable.path, &kept.path, &kept.hash);
                let layouts = self.notes.as_ref().map(make).transpose()?.unwrap_or_default();
                (kept.path, kept.hash, layouts_for(harness, context, layouts))
            }
        };
        let cached = before.as_ref() == Some(&hash);
        let language = if executable.is_c { c::NATIVE.language } else { cpp::NATIVE.language };
        let artifact = Artifact {
            name: context.target.clone(),
            language: language.to_owned(),
            build_command: shown,
            layouts,
            ..self.target.artifact(super::CMAKE.name, vec![text(&path)], self.source_dir, hash)
        };
        let artifact = match harness {
            Some(harness) => run_by(artifact, harness)?,
            None => artifact,
        };
        Ok(Some(Built { artifact, cached }))
    }
}

fn sources(executable: &Executable) -> impl Iterator<Item = String> + '_ {
    let own = executable.sources.iter().filter(|source| Language::of_source(source).is_some());
    own.filter_map(|source| read_source(source).ok())
}

/// Our flags, with those of the user and of the project.
fn flags(context: &BuildContext) -> String {
    let of_job = native::flags(&context.options.job, "");
    let mut flags: Vec<&str> = vec!["-g1"];
    if context.options.align {
        flags.extend(["-falign-functions=64", "-falign-loops=64"]);
    }
    if layout::wanted(context) {
        flags.push("-ffunction-sections");
    }
    flags.extend(of_job.iter().map(String::as_str));
    flags.join(" ")
}
