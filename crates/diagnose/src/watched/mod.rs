//! C libraries that inspect a benchmark from inside its process, and share a file with the host.

use crate::{Subject, Tools};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tare_model::LaunchChange;

/// The common beginning of all of them.
const SHARED: &str = include_str!("shared.h");

/// A library, and the variable that tells it the path of the file.
pub(crate) struct Library {
    pub name: &'static str,
    pub variable: &'static str,
    pub source: &'static str,
}

impl Library {
    /// Builds it, and returns its path.
    pub(crate) fn build(&self, tools: &dyn Tools) -> Result<String, String> {
        let path = tools.c_library(self.name, &format!("{SHARED}{}", self.source))?;
        Ok(path.display().to_string())
    }

    /// Creates a zeroed file of `bytes` bytes, and the change to a launch that shares it.
    pub(crate) fn begin(&self, path: &str, subject: &Subject, bytes: u64) -> Result<(Shared, LaunchChange), String> {
        let shared = Shared::create(subject.folder.as_deref(), self.name, bytes)?;
        let environment = [(self.variable.to_owned(), shared.path.display().to_string())].into();
        Ok((shared, LaunchChange { preload: vec![path.to_owned()], environment, ..LaunchChange::default() }))
    }
}

/// Offsets of whether the process is being inspected, and of what the library can do.
const WANTED: u64 = 0;
const WORKS: u64 = 4;

pub(crate) struct Shared {
    file: File,
    pub path: PathBuf,
}

impl Shared {
    /// Creates a zeroed file of `bytes` bytes.
    pub(crate) fn create(folder: Option<&Path>, name: &str, bytes: u64) -> Result<Shared, String> {
        let path = folder.ok_or("there is no folder for its files")?.join(name);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.and_then(|file| file.set_len(bytes).map(|()| file));
        let file = file.map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        Ok(Shared { file, path })
    }

    /// Says whether an iteration runs.
    pub(crate) fn want(&mut self, is_wanted: bool) -> Result<(), String> {
        self.say(u32::from(is_wanted))
    }

    /// Says that no other iteration will run.
    pub(crate) fn is_over(&mut self) -> Result<(), String> {
        self.say(2)
    }

    fn say(&mut self, wanted: u32) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", self.path.display());
        self.file.seek(SeekFrom::Start(WANTED)).map_err(failed)?;
        self.file.write_all(&wanted.to_ne_bytes()).map_err(failed)
    }

    /// The library's state; 0 if it was not loaded.
    pub(crate) fn works(&mut self) -> Result<u32, String> {
        self.number(WORKS)
    }

    /// A 32-bit number.
    pub(crate) fn number(&mut self, at: u64) -> Result<u32, String> {
        let bytes = self.bytes(at, 4)?;
        Ok(bytes.try_into().map_or(0, u32::from_ne_bytes))
    }

    /// Consecutive 64-bit numbers.
    pub(crate) fn numbers(&mut self, at: u64, count: usize) -> Result<Vec<u64>, String> {
        let bytes = self.bytes(at, 8 * count)?;
        Ok(bytes.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_ne_bytes)).collect())
    }

    pub(crate) fn bytes(&mut self, at: u64, count: usize) -> Result<Vec<u8>, String> {
        let failed = |error: std::io::Error| format!("cannot read `{}`: {error}", self.path.display());
        self.file.seek(SeekFrom::Start(at)).map_err(failed)?;
        let mut bytes = vec![0; count];
        self.file.read_exact(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::Shared;

    #[test]
    fn both_sides_read_what_the_other_wrote() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut shared = Shared::create(Some(folder.path()), "shared", 32).expect("a file");
        assert_eq!((shared.works(), shared.numbers(8, 3)), (Ok(0), Ok(vec![0; 3])));
        shared.want(true).expect("written");
        assert_eq!((shared.number(0), shared.number(4)), (Ok(1), Ok(0)));
        shared.want(false).expect("written");
        assert_eq!(shared.number(0), Ok(0));
        shared.is_over().expect("written");
        assert_eq!(shared.number(0), Ok(2));
        assert!(shared.numbers(8, 4).is_err() && Shared::create(None, "shared", 1).is_err());
    }
}
