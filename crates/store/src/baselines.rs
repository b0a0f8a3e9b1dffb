//! Names for runs: `.tare/baselines.json`. `clean` never deletes a named run.

use crate::atomic::write_atomically;
use crate::files::{is_missing, read, Links};
use crate::{RunRef, Store, StoreError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

const VERSION: u32 = 1;
/// Longest name, bytes.
const NAME_MAX: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    pub run: String,
    /// When the name was given: UTC, RFC 3339.
    pub set: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Baselines {
    version: u32,
    baselines: BTreeMap<String, Baseline>,
}

/// Whether this is a valid baseline name: letters, digits, `.`, `_`, `-`, and not another way to name a run.
pub fn is_baseline_name(text: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let names_a_run = text.parse::<RunRef>().is_ok() || text.starts_with("latest") || text == "worktree";
    let starts_well = text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.len() <= NAME_MAX && starts_well && text.chars().all(allowed) && !names_a_run
}

impl Store {
    fn baselines_file(&self) -> PathBuf {
        self.root().join("baselines.json")
    }

    pub fn baselines(&self) -> Result<BTreeMap<String, Baseline>, StoreError> {
        let path = self.baselines_file();
        let text = match read(&path, Links::Refuse) {
            Err(error) if is_missing(&error) => return Ok(BTreeMap::new()),
            other => other.map_err(StoreError::reading(&path))?,
        };
        let file: Baselines =
            serde_json::from_slice(&text).map_err(|error| StoreError::damaged_json(&path, error.line(), &error))?;
        if file.version > VERSION {
            let found = file.version.to_string();
            return Err(StoreError::OtherSchema { path, found, known: "1", is_newer: true });
        }
        Ok(file.baselines)
    }

    pub fn set_baseline(&self, name: &str, baseline: Baseline) -> Result<(), StoreError> {
        if !is_baseline_name(name) {
            return Err(StoreError::BadReference { asked: name.to_owned() });
        }
        let mut all = self.baselines()?;
        all.insert(name.to_owned(), baseline);
        self.write_baselines(all)
    }

    /// Removes a name and keeps the run. False if the name does not exist.
    pub fn remove_baseline(&self, name: &str) -> Result<bool, StoreError> {
        let mut all = self.baselines()?;
        if all.remove(name).is_none() {
            return Ok(false);
        }
        self.write_baselines(all).map(|()| true)
    }

    /// Resolves a user's name for a run: a baseline, or anything that [`RunRef`] parses.
    pub fn reference(&self, text: &str) -> Result<RunRef, StoreError> {
        match text.parse::<RunRef>() {
            Ok(reference) => Ok(reference),
            Err(error) => match self.baselines()?.remove(text) {
                Some(baseline) => Ok(RunRef::Prefix(baseline.run)),
                None => Err(error),
            },
        }
    }

    fn write_baselines(&self, baselines: BTreeMap<String, Baseline>) -> Result<(), StoreError> {
        let path = self.baselines_file();
        let file = Baselines { version: VERSION, baselines };
        write_atomically(&path, 0o644, |writer| {
            serde_json::to_writer_pretty(&mut *writer, &file)?;
            writer.write_all(b"\n")
        })
        .map_err(StoreError::writing(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_do_not_collide_with_what_names_a_run() {
        for good in ["main", "v1.2", "release_2026-01", "zebra"] {
            assert!(is_baseline_name(good), "{good}");
        }
        for bad in
            ["", "latest", "latest~1", "latest-main", "7f3a", "beef", "a/b", "run.json", "a b", "-x", ".x", "worktree"]
        {
            assert!(!is_baseline_name(bad), "{bad}");
        }
    }

    #[test]
    fn a_name_is_set_moved_found_and_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(".tare")).expect("a folder");
        let store = Store::open(folder.path()).expect("a store");
        assert!(store.baselines().expect("none").is_empty());
        let of = |run: &str| Baseline { run: run.into(), set: "2026-02-03T04:05:06Z".into() };
        store.set_baseline("main", of("7f3a21bc")).expect("set");
        store.set_baseline("main", of("00000001")).expect("moved");
        assert!(store.set_baseline("beef", of("00000001")).is_err());
        assert_eq!(store.reference("main").expect("found"), RunRef::Prefix("00000001".into()));
        assert!(store.reference("other").is_err());
        assert!(store.remove_baseline("main").expect("removed"));
        assert!(!store.remove_baseline("main").expect("gone"));
    }
}
