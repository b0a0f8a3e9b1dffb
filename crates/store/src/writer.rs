//! Writes one run: events as they happen, the document at the end.

use crate::atomic::{with_mode, write_atomically};
use crate::files::{self, Links};
use crate::lock::Lock;
use crate::{Attachments, StoreError};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tare_model::{Event, Run};

/// The only writer of a run's folder.
#[derive(Debug)]
pub struct RunWriter {
    id: String,
    folder: PathBuf,
    events: File,
    /// Length of the whole lines in the file, in bytes.
    length: u64,
    _lock: Lock,
}

impl RunWriter {
    pub(crate) fn open(folder: PathBuf, id: &str, lock: Lock, length: u64) -> Result<RunWriter, StoreError> {
        let path = folder.join("events.jsonl");
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        // A run contains commands, paths and program output, which are private.
        with_mode(&mut options, 0o600);
        let events = files::open(&mut options, &path, Links::Refuse).map_err(StoreError::writing(&path))?;
        let there = events.metadata().map_err(StoreError::reading(&path))?.len();
        if there > length {
            events.set_len(length).map_err(StoreError::writing(&path))?;
        }
        Ok(RunWriter { id: id.to_owned(), folder, events, length, _lock: lock })
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn attachments(&self) -> Attachments {
        Attachments::in_folder(&self.folder)
    }

    /// Copies a run's attachments from other folders. Those found in none are marked as lost; returns their names and the reasons.
    pub fn take_over(&self, run: &mut Run, from: &[Attachments]) -> Vec<(String, String)> {
        self.attachments().take_over(run, from)
    }

    pub fn append(&mut self, event: &Event) -> Result<(), StoreError> {
        let result = event.to_json().map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.events.write_all(&line).map(|()| line.len() as u64)
        });
        match result {
            Ok(bytes) => {
                self.length += bytes;
                Ok(())
            }
            Err(source) => {
                let _ = self.events.set_len(self.length);
                Err(self.cannot_write("events.jsonl", source))
            }
        }
    }

    /// Writes `run.json` and releases the lock.
    pub fn finish(self, run: &Run) -> Result<PathBuf, StoreError> {
        let path = self.folder.join("run.json");
        let fill = |writer: &mut dyn Write| {
            run.write_json(writer)?;
            writer.write_all(b"\n")
        };
        // Events first, so that whichever file survives a power cut is complete.
        self.events.sync_all().map_err(|e| self.cannot_write("events.jsonl", e))?;
        write_atomically(&path, 0o600, fill).map_err(|e| self.cannot_write("run.json", e))?;
        Ok(path)
    }

    fn cannot_write(&self, name: &str, source: io::Error) -> StoreError {
        let safe = match self.length {
            0 => String::new(),
            _ => format!(
                "the measurements so far are safe in `{}`; free disk space, then `tare run --resume {}`",
                self.folder.display(),
                self.id
            ),
        };
        StoreError::CannotWrite { path: self.folder.join(name), safe, source }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// `/dev/full` behaves like a full disk.
    #[test]
    fn a_full_disk_is_named_with_what_is_safe() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = Lock::take(folder.path(), "fa000001").expect("a lock");
        let mut writer = RunWriter::open(folder.path().to_owned(), "fa000001", lock, 0).expect("a writer");
        writer.events = OpenOptions::new().append(true).open("/dev/full").expect("/dev/full");
        let event = Event::CaseFinished { case: 0 };
        match writer.append(&event) {
            Err(StoreError::CannotWrite { safe, source, .. }) => {
                assert_eq!((safe.as_str(), source.kind()), ("", io::ErrorKind::StorageFull));
            }
            other => panic!("{other:?}"),
        }
        writer.length = 100;
        match writer.append(&event) {
            Err(StoreError::CannotWrite { safe, .. }) => assert!(safe.contains("tare run --resume fa000001"), "{safe}"),
            other => panic!("{other:?}"),
        }
    }
}
