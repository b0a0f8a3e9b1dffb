//! The runs of a project: create, find, read, list and delete.

mod documents;

pub use documents::RunInfo;

use crate::atomic::{create_new_private_dir, create_private_dir, write_atomically};
use crate::events::{each_event, read_events};
use crate::files::{foreign_owner, is_link, is_missing, Links};
use crate::lock::Lock;
use crate::{Attachments, RunRef, RunWriter, StoreError};
use documents::{begins_like_a_run, created, info, load_document};
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use tare_model::{Event, Run, RunStatus};

#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The store in `directory/.tare`, which is created with the first run.
    pub fn open(directory: &Path) -> Result<Store, StoreError> {
        let root = directory.join(".tare");
        // A repository may contain a link, and a parent folder may belong to anyone: neither may decide where Tare writes or what it runs
        // again.
        check_own_folder(&root)?;
        check_own_folder(&root.join("runs"))?;
        Ok(Store { root })
    }

    /// The store of the nearest parent of `directory` that has one, within the same working copy; else of `directory` itself.
    pub fn find(directory: &Path) -> Result<Store, StoreError> {
        // `.` has no parents; those of a missing folder do not matter.
        let directory = &directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        for folder in directory.ancestors() {
            // Unusable stores count too: skipping one silently would hide the runs expected there.
            if folder.join(".tare").is_dir() || is_link(&folder.join(".tare")) {
                return Store::open(folder);
            }
            if folder.join(".git").exists() {
                break;
            }
        }
        Store::open(directory)
    }

    /// The stored parts of a run, in its own folder.
    pub fn of_parts(folder: &Path) -> Store {
        Store { root: folder.to_owned() }
    }

    /// Like [`Store::find`], for a run that is not stored: an untrusted folder is no obstacle and is not read.
    pub fn find_unless(is_unused: bool, directory: &Path) -> Result<Store, StoreError> {
        match Store::find(directory) {
            // A path below a file, where nothing can exist.
            Err(StoreError::NotTrusted { .. }) if is_unused => Ok(Store { root: Path::new("/dev/null").join(".tare") }),
            found => found,
        }
    }

    /// Whether this store belongs to `directory` itself or its working copy. Outside a working copy, a store in a parent folder may be
    /// anyone's: it may be read from here, but not deleted.
    pub fn belongs_to(&self, directory: &Path) -> bool {
        let Some(folder) = self.root.parent() else { return false };
        let is_here = directory.canonicalize().is_ok_and(|directory| directory == folder);
        is_here || folder.ancestors().any(|above| above.join(".git").exists())
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    fn load_folder(&self, folder: &Path) -> Result<Run, StoreError> {
        let document = folder.join("run.json");
        match fs::symlink_metadata(&document) {
            Ok(_) => load_document(&document, Links::Refuse),
            Err(_) => Ok(read_events(&folder.join("events.jsonl"))?.0),
        }
    }

    pub fn runs_dir(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// An unused id: eight hexadecimal digits.
    pub fn fresh_id(&self) -> String {
        loop {
            // The standard library seeds its hash tables from system randomness, which saves a crate.
            let random = RandomState::new().build_hasher().finish();
            let id = format!("{:08x}", (random ^ (random >> 32)) as u32);
            if !self.runs_dir().join(&id).exists() {
                return id;
            }
        }
    }

    /// Creates the folder of a new run and writes its first event.
    pub fn create(&self, started: &Event) -> Result<RunWriter, StoreError> {
        let Event::RunStarted { id, .. } = started else {
            return Err(StoreError::damaged(self.runs_dir(), None, "the first event is not `run-started`"));
        };
        let (folder, lock) = self.new_folder(id)?;
        let begun =
            RunWriter::open(folder.clone(), id, lock, 0).and_then(|mut writer| writer.append(started).map(|()| writer));
        // A run whose first event did not fit on the disk could be neither shown nor resumed.
        begun.inspect_err(|_| drop(fs::remove_dir_all(&folder)))
    }

    /// Creates the folder of a finished run, such as a merged one, with a document and no events. Attachments are copied `from` the
    /// originals. Those that cannot be are marked in the run; returns their names and the reasons.
    pub fn keep(&self, run: &mut Run, from: &[Attachments]) -> Result<Vec<(String, String)>, StoreError> {
        let (folder, _lock) = self.new_folder(&run.id)?;
        let lost = Attachments::in_folder(&folder).take_over(run, from);
        let path = folder.join("run.json");
        let fill = |writer: &mut dyn io::Write| {
            run.write_json(writer)?;
            writer.write_all(b"\n")
        };
        if let Err(error) = write_atomically(&path, 0o600, fill) {
            let _ = fs::remove_dir_all(&folder);
            return Err(StoreError::writing(&path)(error));
        }
        Ok(lost)
    }

    fn new_folder(&self, id: &str) -> Result<(PathBuf, Lock), StoreError> {
        if !matches!(id.parse(), Ok(RunRef::Prefix(_))) {
            return Err(StoreError::BadReference { asked: id.to_owned() });
        }
        let runs = self.runs_dir();
        create_private_dir(&runs).map_err(StoreError::writing(&runs))?;
        self.ignore_in_git()?;
        let folder = runs.join(id);
        create_new_private_dir(&folder).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => StoreError::IdTaken { id: id.to_owned() },
            _ => StoreError::writing(&folder)(error),
        })?;
        let lock = Lock::take(&folder, id).inspect_err(|_| drop(fs::remove_dir_all(&folder)))?;
        Ok((folder, lock))
    }

    pub fn make(&self) -> Result<(), StoreError> {
        create_private_dir(&self.root).map_err(StoreError::writing(&self.root))?;
        self.ignore_in_git()
    }

    /// Runs are not code: `.tare/.gitignore` excludes them, unless the user wrote another one.
    fn ignore_in_git(&self) -> Result<(), StoreError> {
        let path = self.root.join(".gitignore");
        if path.exists() {
            return Ok(());
        }
        write_atomically(&path, 0o600, |file| file.write_all(b"*\n")).map_err(StoreError::writing(&path))
    }

    pub fn load(&self, run: &RunRef) -> Result<Run, StoreError> {
        let mut run = self.load_all(run)?;
        run.leave_out_strangers();
        Ok(run)
    }

    fn load_all(&self, run: &RunRef) -> Result<Run, StoreError> {
        let path = self.locate(run)?;
        if path.is_dir() {
            let is_there = |name| fs::symlink_metadata(path.join(name)).is_ok();
            return match is_there("run.json") || is_there("events.jsonl") {
                true => self.load_folder(&path),
                false => Err(StoreError::NotARun { path }),
            };
        }
        match load_document(&path, Links::Follow) {
            Err(StoreError::Damaged { .. }) if !begins_like_a_run(&path) => Err(StoreError::NotARun { path }),
            other => other,
        }
    }

    /// The events of a run; None for a merged run or a file.
    pub fn events(&self, run: &RunRef) -> Result<Option<Vec<Event>>, StoreError> {
        let path = self.locate(run)?;
        let folder = if path.is_dir() { &path } else { path.parent().unwrap_or(Path::new("")) };
        let (file, mut events) = (folder.join("events.jsonl"), Vec::new());
        if !file.is_file() {
            return Ok(None);
        }
        each_event(&file, |_, event| {
            events.push(event);
            Ok(())
        })?;
        Ok(Some(events))
    }

    pub fn attachments(&self, run: &RunRef) -> Result<Attachments, StoreError> {
        let path = self.locate(run)?;
        Ok(Attachments::in_folder(if path.is_dir() { &path } else { path.parent().unwrap_or(Path::new("")) }))
    }

    /// Reads an unfinished run and opens it for writing, without a torn last line.
    pub fn resume(&self, run: &RunRef) -> Result<(Run, RunWriter), StoreError> {
        let folder = self.locate(run)?;
        if !folder.is_dir() {
            return Err(StoreError::damaged(&folder, None, "only a run that still has its folder can be resumed"));
        }
        let id = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let lock = Lock::take(&folder, &id)?;
        let (run, length) = read_events(&folder.join("events.jsonl"))?;
        let document = folder.join("run.json");
        // A run killed between its last event and its document has nothing left to measure. It is resumed anyway, to write the document.
        if run.status == RunStatus::Finished && load_document(&document, Links::Refuse).is_ok() {
            return Err(StoreError::AlreadyFinished { id });
        }
        // The old document would hide the new measurements; the events contain all of it.
        match fs::remove_file(&document) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(StoreError::writing(&document)(error)),
            _ => {}
        }
        let writer = RunWriter::open(folder, &id, lock, length)?;
        Ok((run, writer))
    }

    /// The folder of a run, or the document at the given path.
    pub fn locate(&self, run: &RunRef) -> Result<PathBuf, StoreError> {
        let folders = || self.folders_newest_first();
        let known = |ids: Vec<(String, String)>| ids.into_iter().map(|(_, id)| id).collect::<Vec<String>>();
        let missing = |asked: String, ids| StoreError::NotFound { asked, runs: self.runs_dir(), known: known(ids) };
        match run {
            RunRef::Path(path) if path.exists() => Ok(path.clone()),
            RunRef::Path(path) => Err(missing(path.display().to_string(), folders()?)),
            RunRef::Latest(back) => {
                let all = folders()?;
                let id = all.get(*back).map(|(_, id)| id.clone());
                let asked = if *back == 0 { "latest".to_owned() } else { format!("latest~{back}") };
                id.map(|id| self.runs_dir().join(id)).ok_or_else(|| missing(asked, all))
            }
            RunRef::Prefix(prefix) => {
                let exact = self.runs_dir().join(prefix);
                if exact.is_dir() && !is_link(&exact) {
                    return Ok(exact);
                }
                let all = folders()?;
                let fitting: Vec<String> =
                    all.iter().filter(|(_, id)| id.starts_with(prefix)).map(|(_, id)| id.clone()).collect();
                match fitting.as_slice() {
                    [] => Err(missing(prefix.clone(), all)),
                    [one] => Ok(self.runs_dir().join(one)),
                    _ => Err(StoreError::Ambiguous { asked: prefix.clone(), candidates: fitting }),
                }
            }
        }
    }

    /// Creation time and id of every run with a readable start. Runs of the same second are ordered by the creation time of their folders,
    /// if known.
    fn folders_newest_first(&self) -> Result<Vec<(String, String)>, StoreError> {
        let runs = self.runs_dir();
        let entries = match fs::read_dir(&runs) {
            Err(error) if is_missing(&error) => return Ok(Vec::new()),
            other => other.map_err(StoreError::reading(&runs))?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(StoreError::reading(&runs))?;
            let id = entry.file_name().to_string_lossy().into_owned();
            // A link may lead to someone else's folder, which `clean` would empty.
            if entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                continue;
            }
            if let Some(created) = created(&entry.path()) {
                let made = entry.metadata().and_then(|data| data.created()).ok();
                found.push((created, made, id));
            }
        }
        found.sort();
        Ok(found.into_iter().rev().map(|(created, _, id)| (created, id)).collect())
    }

    /// All runs, newest first. Damaged folders are skipped, so that they do not hide the others.
    pub fn list(&self) -> Result<Vec<RunInfo>, StoreError> {
        let folders = self.folders_newest_first()?;
        Ok(folders.iter().filter_map(|(_, id)| info(&self.runs_dir().join(id)).ok()).collect())
    }

    /// Deletes all but the newest `keep` runs, except those that are named or being written; returns which.
    pub fn clean(&self, keep: usize) -> Result<Vec<String>, StoreError> {
        let named = self.baselines()?;
        let mut dropped = Vec::new();
        for (_, id) in self.folders_newest_first()?.into_iter().skip(keep) {
            let folder = self.runs_dir().join(&id);
            if !Lock::is_held(&folder) && !named.values().any(|baseline| baseline.run == id) {
                fs::remove_dir_all(&folder).map_err(StoreError::writing(&folder))?;
                dropped.push(id);
            }
        }
        Ok(dropped)
    }
}

/// Checks that a folder which Tare writes to is a folder owned by this user. A missing one is created later.
fn check_own_folder(path: &Path) -> Result<(), StoreError> {
    let not_trusted = |reason: String| Err(StoreError::NotTrusted { path: path.to_owned(), reason });
    let data = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other.map_err(StoreError::reading(path))?,
    };
    if data.file_type().is_symlink() {
        return not_trusted("it is a symbolic link".to_owned());
    }
    if !data.is_dir() {
        return Err(StoreError::damaged(path, None, "it is not a folder"));
    }
    match foreign_owner(&data) {
        Some(owner) => not_trusted(format!("it belongs to another user (uid {owner})")),
        None => Ok(()),
    }
}
