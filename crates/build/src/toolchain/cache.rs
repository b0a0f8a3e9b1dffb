//! The folder of built programs. Everything is written beside its place and renamed into it, so that two `tare` at once, a crash or a full
//! disk never leave partial files. Programs are named by their content: one that runs never changes.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use tare_process::files;
use thiserror::Error;

#[derive(Debug, Error)]
#[error("cannot {action} `{}`: {source}", .path.display())]
pub(crate) struct CacheError {
    pub(crate) action: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) source: io::Error,
}

impl CacheError {
    pub(crate) fn new(action: &'static str, path: &Path, source: io::Error) -> CacheError {
        CacheError { action, path: path.to_owned(), source }
    }

    pub(crate) fn hint(&self) -> String {
        let path = self.path.display();
        match self.source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                format!("the disk is full: free some space, see `df -h {path}`")
            }
            io::ErrorKind::PermissionDenied => {
                format!("the cache folder must be yours and private: see `ls -ld {path}`, or use another")
            }
            io::ErrorKind::ReadOnlyFilesystem => "use another cache folder".to_owned(),
            _ => format!("check `{path}`, or use another cache folder"),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Cache {
    root: PathBuf,
}

impl Cache {
    /// Opens the cache, creates it if necessary, and closes it to other users.
    pub(crate) fn open(path: &Path) -> Result<Cache, CacheError> {
        let fail = |action, source| CacheError::new(action, path, source);
        files::make_private_folder(path).map_err(|e| fail("create the cache", e))?;
        let root = path.canonicalize().map_err(|e| fail("open the cache", e))?;
        if root.to_str().is_none() {
            return Err(fail(
                "use as cache",
                io::Error::new(io::ErrorKind::InvalidInput, "the path is not valid UTF-8"),
            ));
        }
        // Programs in the cache are executed, so no other user may write to it. Only its owner can set this.
        files::close_to_others(&root).map_err(|e| fail("close to other users", e))?;
        Ok(Cache { root })
    }

    /// A cache for builds that write nothing to it.
    pub(crate) fn unopened(path: &Path) -> Cache {
        Cache { root: path.to_owned() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf, CacheError> {
        let path = self.root.join(name);
        fs::create_dir_all(&path).map_err(|e| CacheError::new("create", &path, e))?;
        Ok(path)
    }

    pub(crate) fn scratch(&self) -> Result<Scratch, CacheError> {
        let path = self.folder("tmp")?.join(unique());
        fs::create_dir(&path).map_err(|e| CacheError::new("create", &path, e))?;
        Ok(Scratch { path })
    }

    /// Writes the files of a front end, by their relative paths, unless they exist already. The folder depends on their content. Returns
    /// the folder.
    pub(crate) fn front_end(&self, language: &str, files: &[(&str, &str)]) -> Result<PathBuf, CacheError> {
        let key = Key::new(language).with_all(files.iter().flat_map(|(name, text)| [*name, *text])).finish();
        let folder = format!("frontends/{language}-{key}");
        for (name, text) in files {
            self.write(&format!("{folder}/{name}"), text.as_bytes())?;
        }
        Ok(self.path(&folder))
    }

    /// Writes a file atomically; true if it already existed with the same content.
    pub(crate) fn write(&self, name: &str, content: &[u8]) -> Result<bool, CacheError> {
        self.write_with_mode(name, content, 0o600)
    }

    pub(crate) fn write_program(&self, name: &str, content: &[u8]) -> Result<bool, CacheError> {
        self.write_with_mode(name, content, 0o700)
    }

    fn write_with_mode(&self, name: &str, content: &[u8], mode: u32) -> Result<bool, CacheError> {
        let path = self.root.join(name);
        if fs::metadata(&path).is_ok_and(|m| m.len() == content.len() as u64)
            && fs::read(&path).is_ok_and(|c| c == content)
        {
            return Ok(true);
        }
        let fail = |e| CacheError::new("write", &path, e);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(fail)?;
        }
        let beside = path.with_file_name(format!(".{}", unique()));
        let written = write_new(&beside, content, mode).and_then(|()| fs::rename(&beside, &path));
        written.map_err(|e| {
            // Best effort: the earlier error is the one to report.
            let _ = fs::remove_file(&beside);
            fail(e)
        })?;
        Ok(false)
    }

    /// Puts a built program into the cache under its hash. `from` is kept.
    pub(crate) fn keep_program(&self, from: &Path, name: &str) -> Result<Kept, CacheError> {
        let content = fs::read(from).map_err(|e| CacheError::new("read", from, e))?;
        let hash = hash(&content);
        let place = format!("programs/{}/{name}", &hash[..16]);
        self.write_with_mode(&place, &content, 0o700)?;
        let path = self.root.join(place);
        files::make_executable(&path).map_err(|e| CacheError::new("make executable", &path, e))?;
        Ok(Kept { path, hash })
    }
}

pub(crate) struct Kept {
    pub(crate) path: PathBuf,
    pub(crate) hash: String,
}

/// A folder that is removed on drop.
pub(crate) struct Scratch {
    pub(crate) path: PathBuf,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // In the worst case it is left behind until `tare clean` removes it.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn write_new(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    let mut file = files::create_new(path, mode)?;
    file.write_all(content)?;
    file.flush()
}

pub(crate) fn unique() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    format!("{}-{}-{since:x}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn hash(content: &[u8]) -> String {
    blake3::hash(content).to_hex().to_string()
}

pub(crate) fn hash_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Hash of several texts, each delimited from the next.
#[derive(Default)]
pub(crate) struct Key {
    hasher: blake3::Hasher,
}

impl Key {
    pub(crate) fn new(kind: &str) -> Key {
        Key::default().with(kind)
    }

    pub(crate) fn with(mut self, part: impl AsRef<[u8]>) -> Key {
        let part = part.as_ref();
        self.hasher.update(&(part.len() as u64).to_le_bytes());
        self.hasher.update(part);
        self
    }

    pub(crate) fn with_all<T: AsRef<[u8]>>(self, parts: impl IntoIterator<Item = T>) -> Key {
        parts.into_iter().fold(self, Key::with).with(b"end")
    }

    /// 32 hexadecimal digits.
    pub(crate) fn finish(self) -> String {
        self.hasher.finalize().to_hex()[..32].to_owned()
    }
}
