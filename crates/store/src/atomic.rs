//! Atomic file writes.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file atomically: readers see the old or the new content, even after a crash. The content from `fill` goes to a temporary file
/// in the same folder, which is synced and renamed.
pub fn write_atomically(path: &Path, mode: u32, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // An unpredictable name and a new file: in a folder that others can write to, a link could be waiting.
    let random = RandomState::new().build_hasher().finish();
    let temporary = path.with_file_name(format!(".{name}.{}-{random:x}", std::process::id()));
    let result = write_new(&temporary, mode, fill).and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        // The first error is reported; a leftover temporary file is harmless.
        let _ = fs::remove_file(&temporary);
        return result;
    }
    if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        // The rename is durable only once the folder is synced. Some file systems refuse; the content is safe anyway.
        let _ = File::open(folder).and_then(|f| f.sync_all());
    }
    Ok(())
}

/// Checks whether [`write_atomically`] is likely to succeed.
pub fn can_write(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.try", std::process::id()));
    let tried = OpenOptions::new().write(true).create_new(true).open(&beside);
    // Creating it was the test, so removal may fail.
    let _ = fs::remove_file(&beside);
    tried.map(drop)
}

fn write_new(path: &Path, mode: u32, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    with_mode(&mut options, mode);
    let mut writer = io::BufWriter::new(options.open(path)?);
    fill(&mut writer)?;
    writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

pub(crate) fn with_mode(options: &mut OpenOptions, mode: u32) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(mode);
}

/// Creates a folder and its parents, private to this user.
pub(crate) fn create_private_dir(path: &Path) -> io::Result<()> {
    private().recursive(true).create(path)
}

/// The same for a folder that must not exist yet.
pub(crate) fn create_new_private_dir(path: &Path) -> io::Result<()> {
    private().create(path)
}

fn private() -> fs::DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = fs::DirBuilder::new();
    builder.mode(0o700);
    builder
}
