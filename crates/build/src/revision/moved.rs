//! The user's paths into the repository, in variables and flags: each checkout gets its own, or all sides would be built from one copy.

use super::checkout::inside;
use super::git::{Git, QUESTION};
use super::ignored::checkout_of;
use crate::toolchain::context::Variables;
use crate::toolchain::BuildOptions;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Ends of the names of variables that say where code is. Others, such as `PATH` and `HOME`, say where tools and the user's files are.
const OF_CODE: [&str; 5] = ["PATH", "FLAGS", "OPTIONS", "CC", "CXX"];

/// The settings of a build in a checkout.
pub(crate) struct Moved {
    pub(crate) variables: Variables,
    pub(crate) options: BuildOptions,
    /// The variables that differ from the user's.
    pub(crate) changed: BTreeMap<String, String>,
    /// Paths that stay those of the user: git ignores them, and the checkout lacks them.
    pub(crate) kept: BTreeSet<PathBuf>,
}

impl Moved {
    /// None outside a checkout.
    pub(crate) fn of(place: &Path, variables: &Variables, options: &BuildOptions) -> Option<Moved> {
        let (top, root) = checkout_of(place)?;
        let mut mover = Mover { top, root: &root, variables, kept: BTreeSet::new() };
        let mut options = options.clone();
        let job = &mut options.job;
        job.flags.iter_mut().chain(job.toolchain.values_mut()).for_each(|text| *text = mover.text(text));
        let of_code = variables.iter().filter(|(name, _)| is_of_code(name));
        let moved = of_code.map(|(name, value)| (name.to_owned(), mover.text(value), value));
        let changed: BTreeMap<String, String> =
            moved.filter(|(_, moved, value)| moved != value).map(|(name, moved, _)| (name, moved)).collect();
        let kept = mover.kept;
        Some(Moved { variables: variables.clone().with_all(&changed), options, changed, kept })
    }
}

fn is_of_code(name: &str) -> bool {
    name != "PATH" && (name.starts_with("CMAKE_") || OF_CODE.iter().any(|end| name.ends_with(end)))
}

struct Mover<'a> {
    top: &'a Path,
    root: &'a Path,
    variables: &'a Variables,
    kept: BTreeSet<PathBuf>,
}

impl Mover<'_> {
    /// The text with its absolute paths into the repository moved: a list of paths, or flags such as `-I/repo/include`.
    fn text(&mut self, text: &str) -> String {
        let is_end = |c: char| c.is_whitespace() || ":;,=\"'\x1f".contains(c);
        let (mut moved, mut rest) = (String::new(), text);
        while let Some(start) = rest.find('/') {
            let (before, from) = rest.split_at(start);
            // The path of the repository may contain blanks.
            let root = self.root.to_str().filter(|root| from.starts_with(root)).map_or(0, str::len);
            let (path, after) = from.split_at(from[root..].find(is_end).map_or(from.len(), |end| root + end));
            moved.push_str(before);
            moved.push_str(self.path(path).as_ref().and_then(|path| path.to_str()).unwrap_or(path));
            rest = after;
        }
        moved + rest
    }

    fn path(&mut self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path);
        let inside = inside(self.root, self.root, path).ok().filter(|_| !path.starts_with(self.top))?;
        let there = self.top.join(&inside);
        let is_ignored = || {
            let git = Git::find(self.variables, self.root).ok()?;
            git.text(&["check-ignore".as_ref(), "--".as_ref(), inside.as_os_str()], QUESTION).ok()
        };
        if !there.exists() && is_ignored().is_some() {
            self.kept.insert(path.into());
            return None;
        }
        // Without the `/` that joining nothing appends.
        Some(there.components().collect())
    }
}
