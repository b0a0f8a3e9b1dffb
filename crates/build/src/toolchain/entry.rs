//! Inputs of a build: if all are unchanged, the program is reused and no compiler starts.

use super::cache::{hash_file, Cache, CacheError};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tare_process::files::Stamp;

/// Entries of other versions are ignored.
const VERSION: u32 = 1;
/// A file that changed less than this before it was read may change again within the same tick of its file system.
const SETTLED_NS: i128 = 2_000_000_000;

/// A file with its hash and cheap evidence that it is unchanged.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Input {
    path: PathBuf,
    hash: String,
    size: u64,
    inode: u64,
    modified_ns: i128,
    changed_ns: i128,
    /// It was unchanged for a while, so that its times suffice without a hash.
    settled: bool,
}

impl Input {
    /// Reads the state of a file; None if it cannot be read.
    pub(crate) fn of(path: &Path, now_ns: i128) -> Option<Input> {
        let facts = fs::metadata(path).ok()?;
        let Stamp { place, size, modified_ns, changed_ns } = Stamp::of(&facts);
        Some(Input {
            path: path.to_owned(),
            hash: hash_file(path).ok()?,
            size,
            inode: place.1,
            modified_ns,
            changed_ns,
            settled: now_ns - modified_ns.max(changed_ns) > SETTLED_NS,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn is_unchanged(&self) -> bool {
        let Ok(facts) = fs::metadata(&self.path) else { return false };
        let now = Stamp::of(&facts);
        let same = (self.size, self.inode) == (now.size, now.place.1)
            && (self.modified_ns, self.changed_ns) == (now.modified_ns, now.changed_ns);
        (same && self.settled) || (facts.len() == self.size && hash_file(&self.path).is_ok_and(|h| h == self.hash))
    }
}

/// The current time on the scale of file times.
pub(crate) fn now_ns() -> i128 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i128::try_from(since.as_nanos()).unwrap_or(i128::MAX)
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    version: u32,
    program: Input,
    inputs: Vec<Input>,
}

impl Entry {
    /// The path and hash of a program that was built with this key, if all its inputs are unchanged. A damaged entry is ignored.
    pub(crate) fn find(cache: &Cache, key: &str) -> Option<(PathBuf, String)> {
        let text = fs::read(cache.path(&file_name(key))).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        let good =
            entry.version == VERSION && entry.program.is_unchanged() && entry.inputs.iter().all(Input::is_unchanged);
        good.then_some((entry.program.path, entry.program.hash))
    }

    /// Stores a build that began at `began_ns`, unless a file has changed since: then it is unknown which version the compiler saw.
    pub(crate) fn store(
        cache: &Cache,
        key: &str,
        program: &Path,
        inputs: &[PathBuf],
        began_ns: i128,
    ) -> Result<(), CacheError> {
        let now = now_ns();
        let seen: Option<Vec<Input>> = inputs.iter().map(|path| Input::of(path, now)).collect();
        let (Some(inputs), Some(program)) = (seen, Input::of(program, now)) else { return Ok(()) };
        if inputs.iter().any(|input| input.modified_ns.max(input.changed_ns) > began_ns) {
            return Ok(());
        }
        let entry = Entry { version: VERSION, program, inputs };
        let text = serde_json::to_vec(&entry).unwrap_or_default();
        cache.write(&file_name(key), &text).map(|_| ())
    }
}

/// The source files of a program in the cache, if the build stored them: it does for single source files.
pub fn sources_of(cache: &Path, program_hash: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(cache.join("entries")).into_iter().flatten().flatten();
    let read = |path: PathBuf| serde_json::from_slice::<Entry>(&fs::read(path).ok()?).ok();
    let all = entries.filter_map(|entry| read(entry.path()));
    let of_program = all.filter(|entry| entry.version == VERSION && entry.program.hash == program_hash);
    of_program.flat_map(|entry| entry.inputs).map(|input| input.path).collect()
}

fn file_name(key: &str) -> String {
    format!("entries/{key}.json")
}
