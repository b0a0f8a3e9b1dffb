//! From paths to targets: what a path is, and the walk through folders.

use super::above;
use super::error::DiscoverError;
use super::options::{DiscoverOptions, Survey};
use super::sniff::{harness_in, is_script, read_source, speaks_protocol};
use super::target::{Skipped, Statements, Target, TargetKind, ELSEWHERE};
use crate::languages::{self, Language, Unbuilt};
use crate::projects::{self, Folder, ProjectTool};
use crate::revision::ignored_of;
use crate::toolchain::shell_word;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tare_process::files::is_executable;

const DEPTH_LIMIT: usize = 16;
const ENTRY_LIMIT: usize = 200_000;

/// The targets of the paths, in the order of the paths and sorted within each; without a path, those of `.`. A target named by two paths is
/// listed once.
pub fn discover(paths: &[PathBuf]) -> Result<Vec<Target>, DiscoverError> {
    survey(paths, &DiscoverOptions::default()).map(|survey| survey.targets)
}

/// [`discover`] with what was skipped, and only what `options` ask for.
pub fn survey(paths: &[PathBuf], options: &DiscoverOptions) -> Result<Survey, DiscoverError> {
    let here = [PathBuf::from(".")];
    let is_named = !paths.is_empty() || !options.command.is_empty() || options.statements.is_some();
    let paths = if is_named { paths } else { &here[..] };
    let mut found: Vec<(Target, &Path)> =
        command(&options.command).map(|target| (target, Path::new("."))).into_iter().collect();
    if let Some(statements) = &options.statements {
        found.push((statements_target(statements)?, Path::new(".")));
    }
    let mut skipped: Vec<Skipped> = Vec::new();
    for path in paths {
        let survey = discover_one(path, options)?;
        found.extend(survey.targets.into_iter().map(|target| (target, path.as_path())));
        skipped.extend(survey.skipped.into_iter().filter(|s| !skipped.contains(s)).collect::<Vec<_>>());
    }
    let mut known = BTreeSet::new();
    found.retain(|(target, _)| known.insert((target.path.clone(), format!("{:?}", target.kind))));
    let survey = options.narrow(Survey { targets: with_unique_names(found), skipped })?;
    match survey.targets.is_empty() {
        true => {
            let path = paths.first().unwrap_or(&here[0]).clone();
            Err(DiscoverError::AllSkipped { path, skipped: survey.skipped })
        }
        false => Ok(survey),
    }
}

/// The command after `--`. It is named after its program, or after its script if the program is found through the `PATH`, as an interpreter
/// is.
fn command(words: &[String]) -> Option<Target> {
    let (program, arguments) = words.split_first()?;
    let is_interpreter = !program.contains('/');
    let script = arguments.iter().find(|word| is_interpreter && Path::new(word).is_file());
    let path = PathBuf::from(script.unwrap_or(program));
    let kind = TargetKind::Command { words: words.to_vec() };
    Some(Target { name: last_name(&path), kind, path, language: Language::UNKNOWN })
}

/// The statements of the command line; their imports are resolved from the current folder.
fn statements_target(statements: &Statements) -> Result<Target, DiscoverError> {
    let language = statements.language;
    let name = format!("statements of {}", language.source().facts().title);
    Ok(Target { name, kind: TargetKind::Statements(statements.clone()), path: absolute(Path::new("."))?, language })
}

fn discover_one(path: &Path, options: &DiscoverOptions) -> Result<Survey, DiscoverError> {
    if let Some(folder) = projects::all_below(path) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        return discover_one(folder, options);
    }
    let facts = match fs::metadata(path) {
        Ok(facts) => facts,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return match languages::named(path) {
                Some(found) => discover_one(&found, options),
                None => Err(DiscoverError::NotFound { path: path.to_owned() }),
            };
        }
        Err(source) => return Err(DiscoverError::Unreadable { path: path.to_owned(), source }),
    };
    let is_manifest = |name: &&str| projects::is_manifest(name);
    let manifest = path.file_name().and_then(|name| name.to_str()).filter(|_| !facts.is_dir()).filter(is_manifest);
    let path = match path.parent() {
        Some(parent) if manifest.is_some() && parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) if manifest.is_some() => parent,
        _ if !facts.is_dir() => return file(path, &facts, options),
        _ => path,
    };
    let mut walk = Walk { manifest, ..Walk::new(path, options) };
    walk.folder(path, 0, &Inside::default())?;
    if walk.found.targets.is_empty() && walk.found.skipped.is_empty() {
        return match above::survey(path, options) {
            Some(survey) => Ok(survey),
            None => Err(DiscoverError::Nothing {
                path: path.to_owned(),
                seen: walk.seen,
                sources: walk.sources,
                unbuilt: walk.unbuilt,
            }),
        };
    }
    Ok(without_missing(without_outputs(walk.found, path), options))
}

/// Leaves out the files that git ignores beside one of the same language and name, which they were compiled or copied from.
fn without_outputs(mut found: Survey, folder: &Path) -> Survey {
    let mut alike: BTreeMap<(&str, &OsStr), Vec<&Target>> = BTreeMap::new();
    for target in found.targets.iter().filter(|target| target.kind == TargetKind::File) {
        let stem = target.path.file_stem().unwrap_or_default();
        alike.entry((target.language.name(), stem)).or_default().push(target);
    }
    alike.retain(|_, group| group.len() > 1);
    if alike.is_empty() {
        return found;
    }
    let ignored = ignored_of(folder, &alike.values().flatten().map(|target| target.path.as_path()).collect::<Vec<_>>());
    let mut sources = BTreeMap::new();
    for group in alike.values() {
        let (outputs, kept): (Vec<&Target>, Vec<&Target>) = group.iter().partition(|one| ignored.contains(&one.path));
        let source = kept.first().map(|source| source.name.clone());
        sources.extend(source.into_iter().flat_map(|of| outputs.iter().map(move |one| (one.name.clone(), of.clone()))));
    }
    found.targets.retain(|target| !sources.contains_key(&target.name));
    found.skipped.extend(sources.into_iter().map(|(name, source)| Skipped {
        why: format!("needs to be named: `{source}` has the same name, and git does not ignore it"),
        instead: format!("`tare run {}`", shell_word(folder.join(&name))),
        bench: name.clone(),
        name,
        missing: None,
    }));
    found
}

fn without_missing(found: Survey, options: &DiscoverOptions) -> Survey {
    let Survey { targets, mut skipped } = found;
    let is_chosen = |target: &Target| options.chosen.contains(target.language.name());
    let lack = |target: &Target| (target.language.source().lack)().filter(|_| !is_chosen(target));
    let (missing, there): (Vec<Target>, Vec<Target>) = targets.into_iter().partition(|target| lack(target).is_some());
    if there.is_empty() {
        return Survey { targets: missing, skipped };
    }
    skipped.extend(missing.into_iter().filter_map(|target| {
        let lack = lack(&target)?;
        let title = target.language.source().facts().title;
        Some(Skipped {
            bench: target.name.clone(),
            name: target.name,
            why: lack.why(),
            instead: lack.instead.to_owned(),
            missing: Some(format!("{title} (no `{}`)", lack.program)),
        })
    }));
    Survey { targets: there, skipped }
}

fn file(path: &Path, facts: &Metadata, options: &DiscoverOptions) -> Result<Survey, DiscoverError> {
    let of = |target| Survey { targets: vec![target], skipped: Vec::new() };
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let opened = || {
        fs::File::open(path).map_err(|source| DiscoverError::Unreadable { path: path.to_owned(), source })?;
        absolute(path)
    };
    let program = |name, kind| Ok(of(Target { name, kind, path: opened()?, language: Language::UNKNOWN }));
    if facts.is_file() && options.harness_of(&absolute(path)?).is_some() {
        return program(name, TargetKind::Program);
    }
    let of_file = || language_of(path, facts, options).or_else(|| Language::of_script(path));
    if let Some(language) = facts.is_file().then(of_file).flatten() {
        let full = opened()?;
        return Ok(match target_of_file(&full, language, options) {
            Some(Ok(target)) => of(of_file_alone(target, name, full)),
            Some(Err(skipped)) => Survey { targets: Vec::new(), skipped: vec![skipped] },
            None => match foreign(&full, language) {
                Some(skipped) => Survey { targets: Vec::new(), skipped: vec![skipped] },
                None => of(Target { name, kind: TargetKind::File, path: full, language }),
            },
        });
    }
    if facts.is_file() && options.interpreted(path).is_some() {
        let kind = options.interpreted(&absolute(path)?).unwrap_or(TargetKind::Program);
        return program(name, kind);
    }
    if facts.is_file() && is_executable(facts) {
        return program(name, TargetKind::Program);
    }
    let speaks = facts.is_file() && is_script(path);
    Err(DiscoverError::NotBuilt { path: path.to_owned(), speaks })
}

fn target_of_file(full: &Path, language: Language, options: &DiscoverOptions) -> Option<Result<Target, Skipped>> {
    (language.source().project?.tool().target_of_file)(full, &options.features)
}

/// Narrows a project's target to the benchmarks of the file that the user named, if its tool supports that.
fn of_file_alone(mut target: Target, name: String, file: PathBuf) -> Target {
    if let TargetKind::Project(project) = &mut target.kind {
        if project.tool.tool().tells_files {
            (project.below, target.name) = (Some(file), name);
        }
    }
    target
}

fn foreign(path: &Path, language: Language) -> Option<Skipped> {
    let text = read_source(path).ok().filter(|text| !(language.source().uses_tare)(text))?;
    let name = last_name(path);
    let why = format!("uses {}", (language.source().foreign)(&text)?);
    Some(Skipped { bench: name.clone(), name, why, instead: ELSEWHERE.to_owned(), missing: None })
}

/// The path without symbolic links in its folders, in UTF-8. The last component is not resolved, for links like `/usr/bin/g++` and programs
/// that look at their own name.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, DiscoverError> {
    let unreadable = |source| DiscoverError::Unreadable { path: path.to_owned(), source };
    let full = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !parent.as_os_str().is_empty() => {
            parent.canonicalize().map_err(unreadable)?.join(name)
        }
        (Some(_), Some(name)) => Path::new(".").canonicalize().map_err(unreadable)?.join(name),
        _ => path.canonicalize().map_err(unreadable)?,
    };
    match full.to_str() {
        Some(_) => Ok(full),
        None => Err(DiscoverError::NotUtf8 { path: full }),
    }
}

pub(crate) fn last_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "/".to_owned(), |n| n.to_string_lossy().into_owned())
}

/// The tools of the projects around the current folder: loose files of a project belong to the project.
#[derive(Clone, Default)]
struct Inside {
    tools: Vec<ProjectTool>,
    /// Tools among them that found targets: they have looked below, and programs there are their output.
    givers: Vec<ProjectTool>,
}

impl Inside {
    fn builds(&self, language: Language) -> bool {
        language.source().project.is_some_and(|tool| self.tools.contains(&tool))
    }
}

struct Walk<'a> {
    root: &'a Path,
    /// Name of the manifest, if the user named it rather than its folder.
    manifest: Option<&'a str>,
    options: &'a DiscoverOptions,
    found: Survey,
    seen: Vec<String>,
    sources: Vec<Language>,
    /// A file of a language without a front end, preferably one with the name of a benchmark.
    unbuilt: Option<PathBuf>,
    /// Device and inode of each folder, so that cyclic links are not followed.
    visited: BTreeSet<(u64, u64)>,
    /// Those of each source, with its name.
    listed: BTreeMap<(u64, u64), String>,
    entries: usize,
    is_in_repository: bool,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Path, options: &'a DiscoverOptions) -> Walk<'a> {
        Walk {
            root,
            manifest: None,
            options,
            found: Survey::default(),
            seen: Vec::new(),
            sources: Vec::new(),
            unbuilt: None,
            visited: BTreeSet::new(),
            listed: BTreeMap::new(),
            entries: 0,
            is_in_repository: root
                .canonicalize()
                .is_ok_and(|root| root.ancestors().any(|above| above.join(".git").exists())),
        }
    }

    fn folder(&mut self, folder: &Path, depth: usize, inside: &Inside) -> Result<(), DiscoverError> {
        let listing = fs::metadata(folder).and_then(|facts| Ok((facts, fs::read_dir(folder)?)));
        let (facts, entries) = match listing {
            Ok(listing) => listing,
            Err(source) if depth == 0 => return Err(DiscoverError::Unreadable { path: folder.to_owned(), source }),
            Err(source) => {
                self.seen.push(format!("`{}` cannot be read: {source}", folder.display()));
                return Ok(());
            }
        };
        if !self.visited.insert((facts.dev(), facts.ino())) {
            return Ok(());
        }
        let mut names: Vec<PathBuf> = entries.filter_map(Result::ok).map(|e| e.path()).collect();
        names.sort();
        let mut inside = inside.clone();
        self.projects(folder, &names, depth, &mut inside)?;
        if self.manifest.is_some() && !inside.givers.is_empty() {
            return Ok(());
        }
        for path in names {
            self.entries += 1;
            if self.entries > ENTRY_LIMIT {
                self.seen.push(format!("only the first {ENTRY_LIMIT} files were searched"));
                return Ok(());
            }
            self.entry(&path, depth, &inside)?;
        }
        Ok(())
    }

    /// The projects at the folder itself.
    fn projects(
        &mut self,
        folder: &Path,
        files: &[PathBuf],
        depth: usize,
        inside: &mut Inside,
    ) -> Result<(), DiscoverError> {
        let before = self.found.targets.len();
        for of_project in projects::all() {
            let tool = of_project.tool();
            let is_manifest = |path: &PathBuf| {
                path.file_name().and_then(|name| name.to_str()).is_some_and(tool.is_manifest) && path.is_file()
            };
            let is_done = inside.givers.contains(&of_project) || inside.tools.contains(&of_project) && !tool.nests;
            if is_done || !files.iter().any(is_manifest) {
                continue;
            }
            let is_first = self.found.targets.len() == before;
            let name = self.short_name(folder);
            let (is_named, options) = (depth == 0, self.options);
            let manifest = self.manifest.filter(|_| is_named);
            match (tool.find)(&Folder { path: folder, name, is_named, manifest, is_first, options }) {
                Ok(project) => {
                    if project.targets.is_empty() && !project.lack.is_empty() {
                        self.seen.push(project.lack);
                    }
                    inside.givers.extend((!project.targets.is_empty()).then_some(of_project));
                    self.found.targets.extend(project.targets);
                    self.found.skipped.extend(project.skipped);
                }
                Err(e) if depth == 0 => return Err(e),
                Err(e) => self.seen.push(e.to_string()),
            }
            inside.tools.push(of_project);
        }
        Ok(())
    }

    fn entry(&mut self, path: &Path, depth: usize, inside: &Inside) -> Result<(), DiscoverError> {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let Ok(facts) = fs::metadata(path) else { return Ok(()) };
        if name.starts_with('.') {
            return Ok(());
        }
        if facts.is_dir() {
            if projects::is_hidden(path) || depth >= DEPTH_LIMIT {
                return Ok(());
            }
            return match self.is_in_repository && is_working_copy(path) {
                true => self.working_copy(path),
                false => self.folder(path, depth + 1, inside),
            };
        }
        if !facts.is_file() {
            return Ok(());
        }
        let of_content = || Language::of_script(path).filter(|_| is_executable(&facts));
        let of_language = || language_of(path, &facts, self.options).or_else(of_content);
        let (kind, language) = match of_language().filter(|_| self.options.harness_of(path).is_none()) {
            Some(language) if inside.builds(language) => return Ok(()),
            Some(language) if self.uses_tare(path, language) => (TargetKind::File, language),
            Some(language) => {
                if !self.sources.contains(&language) {
                    self.sources.push(language);
                }
                return Ok(());
            }
            None if self.options.interpreted(path).is_some() && is_script(path) => {
                (self.options.interpreted(&absolute(path)?).unwrap_or(TargetKind::Program), Language::UNKNOWN)
            }
            None if self.options.harness_of(path).is_some()
                || inside.givers.is_empty() && is_program(path, &name, &facts) =>
            {
                (TargetKind::Program, Language::UNKNOWN)
            }
            None => {
                let is_better = self.unbuilt.is_none() || name.to_lowercase().contains("bench");
                if is_better && Unbuilt::of(path).is_some() {
                    self.unbuilt = Some(path.to_owned());
                }
                return Ok(());
            }
        };
        let full = absolute(path)?;
        if kind == TargetKind::File {
            let name = self.short_name(path);
            if let Some(listed) = self.listed.get(&(facts.dev(), facts.ino())) {
                let why = format!("needs to be named: `{listed}` is the same file");
                let instead = format!("`tare run {}`", shell_word(path));
                self.found.skipped.push(Skipped { bench: name.clone(), name, why, instead, missing: None });
                return Ok(());
            }
            self.listed.insert((facts.dev(), facts.ino()), name);
        }
        match target_of_file(&full, language, self.options) {
            Some(Ok(target)) => self.found.targets.push(target),
            Some(Err(skipped)) => self.found.skipped.push(skipped),
            None => self.found.targets.push(Target { name: self.short_name(path), kind, path: full, language }),
        }
        Ok(())
    }

    /// Another checkout or clone inside the folder: its files do not belong to those around it.
    fn working_copy(&mut self, path: &Path) -> Result<(), DiscoverError> {
        let mut walk = Walk::new(path, self.options);
        walk.folder(path, 1, &Inside::default())?;
        self.entries += walk.entries;
        if !walk.found.targets.is_empty() {
            let name = self.short_name(path);
            let instead = format!("`tare run {}`", shell_word(path));
            let why = "needs to be named, like any other working copy of git".to_owned();
            self.found.skipped.push(Skipped { bench: name.clone(), name, why, instead, missing: None });
        }
        Ok(())
    }

    fn uses_tare(&mut self, path: &Path, language: Language) -> bool {
        match read_source(path) {
            Ok(text) => (language.source().uses_tare)(&text) || (language.source().is_suite)(path, &text),
            Err(source) => {
                self.seen.push(format!("`{}` cannot be read: {source}", path.display()));
                false
            }
        }
    }

    fn short_name(&self, path: &Path) -> String {
        path.strip_prefix(self.root).unwrap_or(path).to_string_lossy().into_owned()
    }
}

/// Whether it is the top of a git clone or worktree; a submodule belongs to the files around it.
fn is_working_copy(folder: &Path) -> bool {
    let git = folder.join(".git");
    git.join("HEAD").is_file()
        || fs::read_to_string(git).is_ok_and(|text| text.starts_with("gitdir:") && !text.contains("/modules/"))
}

/// The language of a source, by its suffix. A script that speaks the protocol itself is a program if it is executable or if the user names
/// an interpreter for it.
fn language_of(path: &Path, facts: &Metadata, options: &DiscoverOptions) -> Option<Language> {
    let is_run = || is_executable(facts) && speaks_protocol(path).unwrap_or(false);
    let uses_tare = |language: Language| read_source(path).is_ok_and(|text| (language.source().uses_tare)(&text));
    Language::of_source(path).filter(|language| !(options.is_interpreted(path) || is_run() && !uses_tare(*language)))
}

/// Folders are full of scripts with side effects, so a program in one is run only if it clearly speaks the protocol or has benchmarks of a
/// known harness.
fn is_program(path: &Path, name: &str, facts: &Metadata) -> bool {
    is_executable(facts)
        && !name.contains(".so")
        && !name.ends_with(".o")
        && (speaks_protocol(path).unwrap_or(false) || harness_in(path).is_some())
}

/// Prefixes duplicate names with the path that the user gave or, if that does not suffice, appends a number.
fn with_unique_names(found: Vec<(Target, &Path)>) -> Vec<Target> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (target, _) in &found {
        *counts.entry(target.name.clone()).or_default() += 1;
    }
    let mut used = BTreeSet::new();
    let mut targets = Vec::with_capacity(found.len());
    for (mut target, root) in found {
        if counts.get(&target.name).is_some_and(|n| *n > 1) {
            let is_file = matches!(target.kind, TargetKind::File | TargetKind::Program | TargetKind::Command { .. })
                && !root.is_dir();
            let longer = if is_file { root.to_owned() } else { root.join(&target.name) };
            target.name = longer.to_string_lossy().into_owned();
        }
        let base = target.name.clone();
        let mut number = 2;
        while !used.insert(target.name.clone()) {
            target.name = format!("{base} ({number})");
            number += 1;
        }
        targets.push(target);
    }
    targets
}
