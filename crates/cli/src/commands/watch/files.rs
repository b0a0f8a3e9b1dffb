//! The watched files and which of them changed, by content: touching a file is not a change.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};
use tare_build::languages;

const FILES_MAX: usize = 20_000;
/// Larger files are compared by size and time only, bytes.
const READ_MAX: u64 = 4 << 20;
/// Source suffixes in addition to those of the supported languages.
const SOURCES: [&str; 6] = ["mod", "kt", "proto", "json", "y", "l"];
/// Folders of generated files.
const MADE: [&str; 4] = ["target", "node_modules", "obj", "CMakeFiles"];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Watched {
    folders: Vec<PathBuf>,
    /// Folders watched without their subfolders.
    beside: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    content: u64,
}

impl Stamp {
    /// Matches no file.
    const OTHER: Stamp = Stamp { length: u64::MAX, modified: None, content: 0 };
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    files: BTreeMap<PathBuf, Stamp>,
    pub is_cut: bool,
}

impl Watched {
    pub fn add(&mut self, path: &Path) {
        let path = &whole(path);
        let list = if path.is_dir() { &mut self.folders } else { &mut self.files };
        if !list.iter().any(|known| known == path) {
            list.push(path.clone());
        }
    }

    /// Adds a source file and its folder: its includes are known only after a build.
    pub fn add_source(&mut self, path: &Path) {
        let path = &whole(path);
        self.add(path);
        if let Some(folder) = path.parent().filter(|folder| !self.beside.iter().any(|known| known == folder)) {
            self.beside.push(folder.to_owned());
        }
    }

    /// The current state of the files. Unchanged files keep what was read before.
    pub fn look(&self, before: &Snapshot) -> Snapshot {
        let mut found = Snapshot::default();
        for file in &self.files {
            found.take(file, before);
        }
        let all = self.folders.iter().map(|folder| (folder.clone(), true));
        let mut folders: Vec<(PathBuf, bool)> = all.chain(self.beside.iter().map(|f| (f.clone(), false))).collect();
        while let Some((folder, is_deep)) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                let hidden = name.as_encoded_bytes().first() == Some(&b'.');
                // Links are not followed, since they may form cycles.
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && is_deep && !hidden && !is_made(&name) => folders.push((path, true)),
                    Ok(kind) if !kind.is_dir() && !hidden && is_source(&path) => found.take(&path, before),
                    _ => {}
                }
            }
            if found.files.len() >= FILES_MAX {
                found.is_cut = true;
                break;
            }
        }
        found
    }
}

fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn is_made(folder: &OsStr) -> bool {
    MADE.iter().any(|made| folder == *made)
}

/// Whether a build may have written it: a file in a build folder, or a list of build products.
fn is_product(path: &Path) -> bool {
    path.extension().is_some_and(|suffix| suffix == "lock") || path.iter().any(is_made)
}

fn is_source(path: &Path) -> bool {
    static SUFFIXES: LazyLock<BTreeSet<&str>> =
        LazyLock::new(|| languages::suffixes().into_iter().chain(SOURCES).collect());
    let suffix = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    suffix.is_some_and(|suffix| SUFFIXES.contains(suffix.as_str()))
}

impl Snapshot {
    fn take(&mut self, path: &Path, before: &Snapshot) {
        let Ok(facts) = fs::metadata(path) else { return };
        let (length, modified) = (facts.len(), facts.modified().ok());
        let known = before.files.get(path).filter(|known| (known.length, known.modified) == (length, modified));
        let content = match known {
            Some(known) => known.content,
            None if length <= READ_MAX => fs::read(path).map_or(0, |bytes| hash(&bytes)),
            None => {
                modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map_or(0, |since| since.as_nanos() as u64)
            }
        };
        self.files.insert(path.to_owned(), Stamp { length, modified, content });
    }

    /// Adds files that were not watched before, after a build started at `began`. One written since then counts as changed, because the
    /// build may have read its older content.
    pub fn learn(&mut self, watched: &Watched, began: SystemTime) {
        for (path, stamp) in watched.look(self).files {
            let is_newer = stamp.modified.is_some_and(|at| at > began) && !is_product(&path);
            self.files.entry(path).or_insert(if is_newer { Stamp::OTHER } else { stamp });
        }
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn changed_since(&self, before: &Snapshot) -> Vec<PathBuf> {
        let content = |files: &BTreeMap<PathBuf, Stamp>, path: &Path| files.get(path).map(|s| (s.length, s.content));
        let differs = |path: &&PathBuf| content(&self.files, path) != content(&before.files, path);
        let gone = before.files.keys().filter(|path| !self.files.contains_key(*path));
        self.files.keys().filter(differs).chain(gone).cloned().collect()
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_another_content_is_changed_and_what_was_touched_is_not() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().canonicalize().expect("it is there");
        fs::create_dir(folder.join("target")).expect("a folder");
        let write = |name: &str, text: &str| fs::write(place.path().join(name), text).expect("written");
        write("a.c", "one");
        write("notes.md", "one");
        write("target/made.c", "one");
        let mut watched = Watched::default();
        watched.add(&folder);
        let before = watched.look(&Snapshot::default());
        assert_eq!(before.len(), 1, "{before:?}");
        write("notes.md", "two");
        write("target/made.c", "two");
        write("a.c", "one");
        assert!(watched.look(&before).changed_since(&before).is_empty());
        write("a.c", "two");
        write("b.h", "");
        let after = watched.look(&before);
        assert_eq!(after.changed_since(&before), [folder.join("a.c"), folder.join("b.h")]);
        fs::remove_file(folder.join("b.h")).expect("removed");
        assert_eq!(watched.look(&after).changed_since(&after), [folder.join("b.h")]);
    }

    #[test]
    fn what_is_written_while_it_is_built_is_changed() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().canonicalize().expect("it is there");
        let began = SystemTime::now();
        let second = std::time::Duration::from_secs(1);
        let mut watched = Watched::default();
        for (name, at) in [("old.h", began - second), ("new.h", began + second), ("Cargo.lock", began + second)] {
            let path = folder.join(name);
            fs::write(&path, "").expect("written");
            fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(at)).expect("a time");
            watched.add(&path);
        }
        let mut seen = Snapshot::default();
        seen.learn(&watched, began);
        let after = watched.look(&seen);
        assert_eq!(after.changed_since(&seen), [folder.join("new.h")]);
        assert!(watched.look(&after).changed_since(&after).is_empty(), "it is a change once");
    }
}
