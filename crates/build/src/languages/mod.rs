//! The languages whose programs can be built, each in a folder with everything specific to it. A new language needs a folder, and entries
//! here and in `tare_model::LanguageFacts`.
//!
//! `facts.rs` in a folder has facts for crates that build nothing; it is compiled in `tare_model`, which all crates use.

pub(crate) mod c;
pub(crate) mod cpp;
pub(crate) mod cuda;
pub(crate) mod dotnet;
pub mod first;
pub(crate) mod go;
pub(crate) mod hip;
pub(crate) mod java;
pub(crate) mod javascript;
mod native;
mod program;
pub(crate) mod python;
pub(crate) mod rust;
mod unbuilt;

use crate::discover::Target;
use crate::projects::ProjectTool;
use crate::toolchain::context::{BuildContext, BuildResult};
use crate::toolchain::hints::Hint;
use crate::toolchain::BuildFailure;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tare_model::{Artifact, LanguageFacts};

pub use crate::projects::is_manifest;
pub use dotnet::runtime as runtimes;
pub use native::c_library;
pub(crate) use unbuilt::Unbuilt;
pub use unbuilt::{interpreter_of, without_front_end};

/// Tools and hints of languages are tried in this order.
const ALL: &[Language] = &[
    Language(&rust::LANGUAGE),
    Language(&cpp::LANGUAGE),
    Language(&c::LANGUAGE),
    Language(&cuda::LANGUAGE),
    Language(&hip::LANGUAGE),
    Language(&dotnet::LANGUAGE),
    Language(&go::LANGUAGE),
    Language(&java::LANGUAGE),
    Language(&javascript::LANGUAGE),
    Language(&python::LANGUAGE),
];

#[derive(Clone, Copy)]
pub struct Language(&'static Source);

/// Properties of a language. Those that it lacks are as in [`Source::NONE`].
pub(crate) struct Source {
    pub(crate) name: &'static str,
    pub(crate) suffixes: &'static [&'static str],
    /// Programs that the first line of a script may name (`#!/usr/bin/env NAME`): such a file needs no suffix.
    pub(crate) interpreters: &'static [&'static str],
    /// Suffixes of programs that only its runtime can run.
    pub(crate) programs: &'static [&'static str],
    /// Suffixes of other files that a source may include.
    pub(crate) includes: &'static [&'static str],
    /// Suffixes of other files that determine how its programs are built.
    pub(crate) settings: &'static [&'static str],
    /// How its sources are recognised, for messages: `files that use tare`.
    pub(crate) sign: &'static str,
    /// The tool whose projects build its source files: within a project they are not targets.
    pub(crate) project: Option<ProjectTool>,
    pub(crate) uses_tare: fn(&str) -> bool,
    /// Whether a file found in a folder has benchmarks of another library that the front end runs as they are.
    pub(crate) is_suite: fn(&Path, &str) -> bool,
    /// The other harness whose benchmarks a text without Tare has; not searched where projects tell.
    pub(crate) foreign: fn(&str) -> Option<&'static str>,
    /// The file or folder of a name that is not a path: `package.module`.
    pub(crate) named: fn(&str) -> Option<PathBuf>,
    /// The file that a line of a source includes.
    pub(crate) taken_in: fn(&str) -> Option<&str>,
    /// What this machine lacks to build or run any of its programs.
    pub(crate) lack: fn() -> Option<Lack>,
    pub(crate) build: fn(&BuildContext, &Target) -> BuildResult,
    /// The toolchain of its artifacts if an interpreter or runtime runs them.
    pub(crate) runs_by: Option<&'static str>,
    pub(crate) has_statements: bool,
    /// The command of a ready-made program, adapted to the job; None if it is not a program of this language or needs no change.
    pub(crate) command: fn(&BuildContext, &[String]) -> Option<CommandResult>,
    /// Whether the front end runs in front of a program that is written for another library.
    pub(crate) is_in_front: fn(&Artifact) -> bool,
    /// Folders of the cache with its build output; each entry in them can be made again.
    pub(crate) shelves: &'static [&'static str],
    /// Packages that its package manager installs among the files of a project.
    pub(crate) installed: Option<&'static Installed>,
    pub(crate) first: &'static [first::First],
    pub(crate) hints: &'static [Hint],
}

pub(crate) struct Installed {
    /// The file that lists the wanted packages.
    pub(crate) manifest: &'static str,
    pub(crate) locks: &'static [&'static str],
    pub(crate) folder: &'static str,
    pub(crate) programs: &'static str,
    pub(crate) wanted: fn(&str) -> Vec<String>,
    /// Name and version of a package, from the text of its manifest.
    pub(crate) facts: fn(&str) -> (String, String),
}

/// The words of a command, or why there is none.
pub(crate) type CommandResult = Result<Vec<String>, BuildFailure>;

/// Why no program of a language can be built or run here.
pub(crate) struct Lack {
    pub(crate) needs: &'static str,
    pub(crate) program: &'static str,
    pub(crate) instead: &'static str,
}

impl Lack {
    pub(crate) fn why(&self) -> String {
        format!("needs {}, which is not installed", self.needs)
    }
}

impl Source {
    pub(crate) const NONE: Source = Source {
        name: "",
        suffixes: &[],
        interpreters: &[],
        programs: &[],
        includes: &[],
        settings: &[],
        sign: "",
        project: None,
        uses_tare: |_| false,
        is_suite: |_, _| false,
        foreign: |_| None,
        named: |_| None,
        taken_in: |_| None,
        lack: || None,
        build: crate::toolchain::program::build,
        runs_by: None,
        has_statements: false,
        command: |_, _| None,
        is_in_front: |_| false,
        shelves: &[],
        installed: None,
        first: &[],
        hints: &[],
    };

    pub(crate) fn facts(&self) -> &'static LanguageFacts {
        LanguageFacts::of_any(self.name)
    }
}

impl Language {
    /// Of a ready-made program: its child reports the language.
    pub const UNKNOWN: Language = Language(&program::PROGRAM);

    /// A language with a front end, by the name that artifacts and children use.
    pub fn named(name: &str) -> Option<Language> {
        ALL.iter().copied().find(|language| language.name() == name)
    }

    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The language of a file that this version can build or run, by its suffix.
    pub fn of_source(path: &Path) -> Option<Language> {
        let suffix = path.extension()?.to_str()?;
        let has = |language: &Language| language.0.suffixes.contains(&suffix) || language.0.programs.contains(&suffix);
        ALL.iter().copied().find(has)
    }

    /// The language of a script with benchmarks of Tare, by its first line and its text.
    pub(crate) fn of_script(path: &Path) -> Option<Language> {
        let interpreter = crate::discover::interpreter_of(path)?;
        let language = ALL.iter().copied().find(|language| language.0.interpreters.contains(&interpreter.as_str()))?;
        crate::discover::read_source(path).is_ok_and(|text| (language.0.uses_tare)(&text)).then_some(language)
    }

    pub fn with_statements() -> Option<Language> {
        ALL.iter().copied().find(|language| language.0.has_statements)
    }

    pub(crate) fn source(self) -> &'static Source {
        self.0
    }
}

pub(crate) fn all() -> impl Iterator<Item = &'static Source> {
    ALL.iter().map(|language| language.source())
}

pub fn suffixes() -> BTreeSet<&'static str> {
    let of = |source: &'static Source| source.suffixes.iter().chain(source.includes).chain(source.settings);
    all().flat_map(of).copied().chain(unbuilt::suffixes()).collect()
}

/// Whether a source may include files of this suffix by their path.
pub(crate) fn is_taken_in(suffix: &str) -> bool {
    all().any(|source| source.includes.contains(&suffix))
}

pub(crate) fn named(name: &Path) -> Option<PathBuf> {
    let name = name.to_str()?;
    all().find_map(|source| (source.named)(name))
}

/// The languages that this version builds, for messages: `Rust (.rs), C++ (.cpp .cc .cxx)`.
pub(crate) fn titles() -> String {
    let of = |source: &Source| format!("{} ({})", source.facts().title, dotted(source.suffixes));
    all().map(of).collect::<Vec<_>>().join(", ")
}

/// How sources of these languages are recognised: `.rs files that use tare`. Languages with the same sign are grouped.
pub(crate) fn signs_of(languages: &[Language]) -> String {
    let mut signs: Vec<(&str, Vec<&str>)> = Vec::new();
    for source in all().filter(|source| languages.iter().any(|language| language.name() == source.name)) {
        match signs.iter_mut().find(|(sign, _)| *sign == source.sign) {
            Some((_, suffixes)) => suffixes.extend(source.suffixes),
            None => signs.push((source.sign, source.suffixes.to_vec())),
        }
    }
    signs.iter().map(|(sign, suffixes)| format!("{} {sign}", dotted(suffixes))).collect::<Vec<_>>().join(", ")
}

fn dotted(suffixes: &[&str]) -> String {
    suffixes.iter().map(|suffix| format!(".{suffix}")).collect::<Vec<_>>().join(" ")
}

/// Whether the front end runs in front of a program that is written for another library, whose command line it takes over.
pub fn is_in_front(program: &Artifact) -> bool {
    all().any(|language| (language.is_in_front)(program))
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Language {}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_suffix_is_of_one_language() {
        let names: BTreeSet<&str> = all().map(|source| source.name).collect();
        let suffixes: Vec<&str> = all().flat_map(|s| s.suffixes.iter().chain(s.programs)).copied().collect();
        assert_eq!((names.len(), suffixes.iter().collect::<BTreeSet<_>>().len()), (ALL.len(), suffixes.len()));
        for language in ALL {
            assert_eq!(Language::named(language.name()), Some(*language));
            for suffix in language.0.suffixes.iter().chain(language.0.programs) {
                let found = Language::of_source(Path::new(&format!("a.{suffix}")));
                assert_eq!(found, Some(*language), "{suffix}");
            }
        }
        assert_eq!(Language::of_source(Path::new("a.out")), None);
    }

    #[test]
    fn a_language_is_found_by_its_name_and_by_those_of_the_same_runtime() {
        for source in all() {
            let found = LanguageFacts::of(source.name).map(|facts| facts.name);
            assert_eq!(found, Some(source.facts().name), "{}", source.name);
            let facts = source.facts();
            for said in [facts.title, facts.operations, facts.main, facts.declaring, source.sign] {
                assert!(!said.is_empty(), "{}", source.name);
            }
        }
        let names: Vec<&str> = tare_model::ToolchainSetting::all().map(|setting| setting.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    }
}
