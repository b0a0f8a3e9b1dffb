//! Packages of the repository that are installed among its files as copies, not as links. A copy is from the day of its installation, and the
//! same for all revisions.

use super::git::Git;
use super::packages::places;
use crate::discover::last_name;
use crate::languages::{Installed, PackageFacts};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::files::entries;

/// Files of a copy that are compared with their sources.
const FILES_MAX: usize = 4096;

/// The packages of a repository, as the user's files have them.
pub(super) struct Own<'a> {
    installed: &'a Installed,
    root: &'a Path,
    /// By name: the folder in the repository, and the version.
    packages: BTreeMap<String, (PathBuf, String)>,
    /// Names that some manifest takes from a folder.
    local: BTreeSet<String>,
    places: Vec<PathBuf>,
}

impl<'a> Own<'a> {
    pub(super) fn of(git: &Git, installed: &'a Installed, root: &'a Path) -> Own<'a> {
        let places = places(&git.at(root), installed);
        let (mut packages, mut local) = (BTreeMap::new(), BTreeSet::new());
        for place in &places {
            let facts = facts(installed, &root.join(place));
            local.extend(facts.local);
            if !facts.name.is_empty() {
                packages.insert(facts.name, (place.clone(), facts.version));
            }
        }
        Own { installed, root, packages, local, places }
    }

    pub(super) fn places(&self) -> &[PathBuf] {
        &self.places
    }

    /// Where in the repository the sources of an installed package are, and whether it is a copy of them: not what was published once.
    pub(super) fn sources(&self, package: &Path, name: &str) -> Option<(&Path, bool)> {
        let (place, version) = self.packages.get(name).filter(|_| package.is_dir())?;
        let is_same = || !version.is_empty() && facts(self.installed, package).version == *version;
        Some((place.as_path(), self.local.contains(name) || is_same()))
    }

    /// A warning for each copy that differs from its sources: the working tree runs the copy.
    pub(super) fn old_copies(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for place in &self.places {
            let folder = place.join(self.installed.folder);
            for (name, package) in packages_in(&self.root.join(&folder)) {
                let is_linked = package.canonicalize().is_ok_and(|real| self.is_of_repository(&real));
                let Some((sources, true)) = self.sources(&package, &name).filter(|_| !is_linked) else { continue };
                if self.differs(&package, &self.root.join(sources)) {
                    warnings.push(format!(
                        "`{}` is an old copy of `{}`, and the copy is what runs: install it again",
                        folder.join(&name).display(),
                        sources.display()
                    ));
                }
            }
        }
        warnings
    }

    /// Whether a path is one of the repository's own files, and not installed among them.
    pub(super) fn is_of_repository(&self, real: &Path) -> bool {
        let inside = real.strip_prefix(self.root);
        inside.is_ok_and(|inside| !inside.components().any(|part| part.as_os_str() == self.installed.folder))
    }

    fn differs(&self, copy: &Path, sources: &Path) -> bool {
        let (mut folders, mut count) = (vec![copy.to_owned()], 0);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let is_skipped = [self.installed.folder, self.installed.manifest].map(Into::into);
                count += 1;
                if is_skipped.contains(&entry.file_name()) || count > FILES_MAX {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let source = path.strip_prefix(copy).ok().and_then(|inside| fs::read(sources.join(inside)).ok());
                if source.is_some_and(|source| fs::read(&path).is_ok_and(|text| text != source)) {
                    return true;
                }
            }
        }
        false
    }
}

/// The packages of a folder with their names; those of one owner are in a folder.
pub(super) fn packages_in(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    for path in entries(folder) {
        let name = last_name(&path);
        match name.starts_with('@') {
            true => {
                all.extend(entries(&path).into_iter().map(|inner| (format!("{name}/{}", last_name(&inner)), inner)))
            }
            false => all.push((name, path)),
        }
    }
    all.sort();
    all
}

fn facts(installed: &Installed, folder: &Path) -> PackageFacts {
    fs::read_to_string(folder.join(installed.manifest)).map(|text| (installed.facts)(&text)).unwrap_or_default()
}
