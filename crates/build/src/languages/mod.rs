//! The languages whose source files are built: one file each. A further language is a further file and its line in [`ALL`].

mod c;
mod cpp;
mod csharp;
mod program;
mod rust;

use crate::discover::{ProjectTool, Target};
use crate::toolchain::context::{BuildContext, BuildResult};
use std::path::Path;

/// All of them.
const ALL: [Language; 4] = [Language(&c::C), Language(&cpp::CPP), Language(&csharp::CSHARP), Language(&rust::RUST)];

/// A language.
#[derive(Clone, Copy)]
pub struct Language(&'static Source);

/// What is to be known of a language.
pub(crate) struct Source {
    /// The word that artifacts and children use, in small letters.
    pub(crate) name: &'static str,
    /// Of its source files.
    pub(crate) suffixes: &'static [&'static str],
    /// The tool whose projects build their own source files: within one they are no targets.
    pub(crate) project: Option<ProjectTool>,
    /// Whether a text has benchmarks of Tare.
    pub(crate) uses_tare: fn(&str) -> bool,
    /// Whose benchmarks a text has that has none of Tare; not looked for where projects tell.
    pub(crate) foreign: fn(&str) -> Option<&'static str>,
    /// Builds one file, or finds it built.
    pub(crate) build: fn(&BuildContext, &Target) -> BuildResult,
    /// How a compiler makes a program of one file, where one call does.
    pub(crate) native: Option<Native>,
}

/// The compilers of a language.
pub(crate) struct Native {
    /// The variable of the environment that names one.
    pub(crate) variable: &'static str,
    /// Those that are looked for.
    pub(crate) compilers: [&'static str; 3],
    /// The flag of the standard, where nobody says another.
    pub(crate) standard: &'static str,
    /// The file with `main`.
    pub(crate) main: &'static str,
}

impl Language {
    /// C.
    pub const C: Language = Language(&c::C);
    /// C++.
    pub const CPP: Language = Language(&cpp::CPP);
    /// C#, and assemblies of .NET.
    pub const CSHARP: Language = Language(&csharp::CSHARP);
    /// F#.
    pub const FSHARP: Language = Language(&csharp::FSHARP);
    /// Visual Basic.
    pub const VISUAL_BASIC: Language = Language(&csharp::VISUAL_BASIC);
    /// Rust.
    pub const RUST: Language = Language(&rust::RUST);
    /// Of a built program: its child will say.
    pub const UNKNOWN: Language = Language(&program::PROGRAM);

    /// The word that artifacts and children use: `c`, `c++`, `c#`, `f#`, `rust`, `unknown`, `vb`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The language of a source file that this version builds, by its suffix.
    pub fn of_source(path: &Path) -> Option<Language> {
        let suffix = path.extension()?.to_str()?;
        ALL.into_iter().find(|language| language.0.suffixes.contains(&suffix))
    }

    /// Whether it runs on .NET.
    pub(crate) fn is_dotnet(self) -> bool {
        self.0.project == Some(ProjectTool::DOTNET)
    }

    pub(crate) fn source(self) -> &'static Source {
        self.0
    }
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
    use std::collections::BTreeSet;

    #[test]
    fn every_name_and_suffix_is_of_one_language() {
        let names: BTreeSet<&str> = ALL.iter().map(|language| language.name()).collect();
        let suffixes: Vec<&str> = ALL.iter().flat_map(|language| language.0.suffixes).copied().collect();
        assert_eq!((names.len(), suffixes.iter().collect::<BTreeSet<_>>().len()), (ALL.len(), suffixes.len()));
        for language in ALL {
            for suffix in language.0.suffixes {
                let found = Language::of_source(Path::new(&format!("a.{suffix}")));
                assert_eq!(found, Some(language), "{suffix}");
            }
        }
        assert_eq!(Language::of_source(Path::new("a.out")), None);
    }
}
