//! First benchmarks: files that `tare init` writes. Each is in the folder of its language and named in its `LANGUAGE`.

use super::{all, Source};
use crate::discover::last_name;
use std::fs;
use std::path::{Component, Path, PathBuf};
use tare_process::files::entries;

const NAME: &str = "@name@";
const LICENCE: &str = include_str!("../../../../LICENSE-MIT");

/// A first benchmark in a language, or in one of several languages that share a folder here.
pub(crate) struct First {
    pub(crate) words: &'static [&'static str],
    pub(crate) title: &'static str,
    pub(crate) alone: Option<fn(&NewProject) -> Draft>,
    pub(crate) project: Option<fn(&NewProject) -> Draft>,
    pub(crate) home: fn(&NewProject) -> Option<String>,
    pub(crate) inside: fn(&NewProject) -> Inside,
}

pub(crate) enum Inside {
    None,
    Project(String, Draft),
    Refused(Refusal),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub what: String,
    pub hint: String,
}

#[derive(Debug, Clone)]
pub struct NewProject {
    pub folder: PathBuf,
    /// A name for the project, in characters that every build tool accepts.
    pub name: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// Paths relative to the folder, each with its text.
    pub files: Vec<(String, String)>,
    /// The front end as source; its files are written only if missing.
    pub front_end: Option<FrontEndCopy>,
    /// Lines that the user has to add to existing files, which are not changed.
    pub additions: Vec<(String, String)>,
    /// Commands to call in the folder before the first run.
    pub before: Vec<String>,
    /// Arguments of `tare run`.
    pub run: String,
}

/// A copy of a front end that a project includes as source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontEndCopy {
    pub folder: String,
    /// Paths relative to that folder, each with its text.
    pub files: Vec<(String, String)>,
}

impl FrontEndCopy {
    /// With its licence, which a copy must have, and a page that explains the copy.
    pub(crate) fn new(folder: &str, page: &str, sources: impl IntoIterator<Item = (String, String)>) -> FrontEndCopy {
        let beside = [("README.md", page), ("LICENSE-MIT", LICENCE)];
        let beside = beside.map(|(name, text)| (name.to_owned(), text.to_owned()));
        FrontEndCopy { folder: folder.to_owned(), files: beside.into_iter().chain(sources).collect() }
    }
}

impl NewProject {
    pub fn new(folder: &Path) -> NewProject {
        let full = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let own = full.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let name: String = own.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let name = name.trim_matches('-').to_owned();
        // No tool accepts an empty name or one that begins with a digit.
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
        NewProject {
            folder: folder.to_owned(),
            name: if begins { name } else { format!("bench-{name}").trim_end_matches('-').to_owned() },
        }
    }

    pub fn shown(&self, name: &str) -> String {
        let path = self.folder.join(name);
        let plain: PathBuf = path.components().filter(|part| !matches!(part, Component::CurDir)).collect();
        if plain.as_os_str().is_empty() {
            ".".to_owned()
        } else {
            plain.display().to_string()
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.folder.join(name).is_file()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }

    pub(crate) fn files(&self) -> Vec<String> {
        entries(&self.folder).iter().filter(|path| path.is_file()).map(|path| last_name(path)).collect()
    }
}

impl Draft {
    pub(crate) fn new(place: &NewProject, files: &[(&str, &str)], run: &str) -> Draft {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.replace(NAME, &place.name))).collect();
        Draft { files, run: run.to_owned(), ..Draft::default() }
    }

    pub(crate) fn adding(mut self, file: &str, lines: &str) -> Draft {
        self.additions.push((file.to_owned(), lines.to_owned()));
        self
    }

    pub(crate) fn after(mut self, command: &str) -> Draft {
        self.before.push(command.to_owned());
        self
    }

    pub(crate) fn with(mut self, word: &str, value: &str) -> Draft {
        let copied = self.front_end.iter_mut().flat_map(|copy| &mut copy.files);
        for (path, text) in self.files.iter_mut().chain(copied) {
            *path = path.replace(word, value);
            *text = text.replace(word, value);
        }
        self
    }

    /// The paths that it writes, without duplicates; the front end counts as its folder.
    pub fn paths(&self) -> Vec<String> {
        let of_front_end = self.front_end.iter().map(|copy| format!("{}/", copy.folder));
        self.files.iter().map(|(path, _)| path.clone()).chain(of_front_end).collect()
    }
}

#[derive(Clone, Copy)]
pub struct Starter {
    source: &'static Source,
    first: &'static First,
}

pub fn starters() -> Vec<Starter> {
    all().flat_map(|source| source.first.iter().map(move |first| Starter { source, first })).collect()
}

impl Starter {
    pub fn named(word: &str) -> Option<Starter> {
        let word = word.to_lowercase();
        starters().into_iter().find(|starter| starter.first.words.contains(&word.as_str()))
    }

    pub fn word(self) -> &'static str {
        self.first.words[0]
    }

    pub fn words(self) -> &'static [&'static str] {
        self.first.words
    }

    pub fn title(self) -> &'static str {
        self.first.title
    }

    pub fn lack(self) -> Option<(String, &'static str)> {
        (self.source.lack)().map(|lack| (lack.why(), lack.instead))
    }

    pub fn home(self, place: &NewProject) -> Option<String> {
        (self.first.home)(place)
    }

    pub fn in_empty_folder(self, place: &NewProject) -> [Option<Draft>; 2] {
        [self.first.alone, self.first.project].map(|draft| draft.map(|draft| draft(place)))
    }

    pub fn draft(self, place: &NewProject, with_project: bool) -> Result<Draft, Refusal> {
        let refused = |what: String, hint: String| Err(Refusal { what, hint });
        match ((self.first.inside)(place), self.first.project, self.first.alone) {
            (Inside::Refused(refusal), ..) => Err(refusal),
            (Inside::Project(manifest, _), ..) if with_project => refused(
                format!("`{}` has a project already: `{manifest}`", place.shown("")),
                format!("write a benchmark into it: `tare init {}`", self.word()),
            ),
            (Inside::Project(_, draft), ..) => Ok(draft),
            (Inside::None, None, _) if with_project => refused(
                format!("{} has no project files of its own here", self.title()),
                format!("write one file: `tare init {}`", self.word()),
            ),
            (Inside::None, Some(project), alone) if with_project || alone.is_none() => Ok(project(place)),
            (Inside::None, _, Some(alone)) => Ok(alone(place)),
            (Inside::None, _, None) => refused(
                format!("no first benchmark in {}", self.title()),
                "list the languages: `tare init --list`".to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_word_asks_for_one_language() {
        let words: Vec<&str> = starters().iter().flat_map(|starter| starter.words().iter().copied()).collect();
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len(), "{words:?}");
        for word in &words {
            let starter = Starter::named(&word.to_uppercase()).expect("a language");
            assert!(starter.words().contains(word));
        }
        assert!(Starter::named("cobol").is_none());
    }

    #[test]
    fn every_language_has_one_that_is_complete() {
        let place = tempfile::tempdir().expect("a folder");
        for source in all() {
            assert!(!source.first.is_empty(), "{} has no first benchmark", source.name);
        }
        for starter in starters() {
            let drafts = starter.in_empty_folder(&NewProject::new(place.path()));
            assert!(drafts.iter().flatten().next().is_some(), "{}", starter.title());
            for draft in drafts.iter().flatten() {
                assert!(
                    !draft.files.is_empty() && !draft.run.is_empty() && draft.additions.is_empty(),
                    "{}",
                    starter.title()
                );
                for (path, text) in &draft.files {
                    assert!(!path.contains('@') && !text.contains(NAME) && text.ends_with('\n'), "{path}: {text}");
                    let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
                    assert!(widest <= 100, "{path}: {widest} columns");
                }
            }
        }
    }

    #[test]
    fn a_folder_gives_a_name_that_tools_take() {
        for (folder, name) in [
            ("/a/Shop", "shop"),
            ("/a/my shop!", "my-shop"),
            ("/a/2026", "bench-2026"),
            ("/", "bench"),
            ("/a/é", "bench"),
        ] {
            assert_eq!(NewProject::new(Path::new(folder)).name, name, "{folder}");
        }
    }
}
