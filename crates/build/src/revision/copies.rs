//! Packages of the repository that are installed in it as copies, not as links. A copy dates from its installation and is the same for all
//! revisions.

use super::git::Git;
use super::packages::places;
use crate::discover::last_name;
use crate::languages::Installed;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::files::{entries, files_below};

/// At most this many files of a copy are compared with their sources.
const FILES_MAX: usize = 4096;

/// The packages of a repository, as in the user's files.
pub(super) struct Own<'a> {
    installed: &'a Installed,
    root: &'a Path,
    /// By name: the folder in the repository and the version.
    packages: BTreeMap<String, (PathBuf, String)>,
    places: Vec<PathBuf>,
}

impl<'a> Own<'a> {
    pub(super) fn of(git: &Git, installed: &'a Installed, root: &'a Path) -> Own<'a> {
        let places = places(&git.at(root), installed);
        let named = |place: &PathBuf| {
            let (name, version) = facts(installed, &root.join(place));
            (name, (place.clone(), version))
        };
        let packages = places.iter().map(named).filter(|(name, _)| !name.is_empty()).collect();
        Own { installed, root, packages, places }
    }

    pub(super) fn places(&self) -> &[PathBuf] {
        &self.places
    }

    /// Where the sources of an installed package are in the repository, and whether it is a copy of them rather than a published version.
    pub(super) fn sources(&self, package: &Path, name: &str) -> Option<(&Path, bool)> {
        let (place, version) = self.packages.get(name).filter(|_| package.is_dir())?;
        Some((place.as_path(), !version.is_empty() && facts(self.installed, package).1 == *version))
    }

    /// A warning for each copy that differs from its sources, since the working tree runs the copy.
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

    /// Whether a path is one of the repository's own files rather than installed.
    pub(super) fn is_of_repository(&self, real: &Path) -> bool {
        let inside = real.strip_prefix(self.root);
        inside.is_ok_and(|inside| !inside.components().any(|part| part.as_os_str() == self.installed.folder))
    }

    fn differs(&self, copy: &Path, sources: &Path) -> bool {
        let files = files_below(copy, usize::MAX, &|path| !path.ends_with(self.installed.folder)).into_iter();
        let compared = files.filter(|path| !path.ends_with(self.installed.manifest)).take(FILES_MAX);
        let read =
            |path: PathBuf| Some((fs::read(sources.join(path.strip_prefix(copy).ok()?)).ok()?, fs::read(&path).ok()?));
        compared.filter_map(read).any(|(source, text)| source != text)
    }
}

/// The packages of a folder with their names. Scoped packages (`@owner/name`) lie in the folder of their owner.
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

fn facts(installed: &Installed, folder: &Path) -> (String, String) {
    fs::read_to_string(folder.join(installed.manifest)).map(|text| (installed.facts)(&text)).unwrap_or_default()
}
