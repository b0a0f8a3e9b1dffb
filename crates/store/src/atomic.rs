//! A file is there whole or not at all.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that a reader, also after a crash, sees the old content or the new one: a temporary file beside it,
/// synced, then renamed over it. `fill` writes the content.
pub fn write_atomically(path: &Path, mode: u32, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // A name that nobody can guess, and a file that is not there yet: in a folder that others write to, a link could wait for us.
    let random = RandomState::new().build_hasher().finish();
    let temporary = path.with_file_name(format!(".{name}.{}-{random:x}", std::process::id()));
    let result = write_new(&temporary, mode, fill).and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        // The first error is what counts; what is left of the temporary file harms nobody.
        let _ = fs::remove_file(&temporary);
        return result;
    }
    if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        // The rename is on the disk only when the folder is. Some file systems refuse; the content is safe all the same.
        let _ = File::open(folder).and_then(|f| f.sync_all());
    }
    Ok(())
}

/// Whether [`write_atomically`] could write this file now, as far as can be known before.
pub fn can_write(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.try", std::process::id()));
    let tried = OpenOptions::new().write(true).create_new(true).open(&beside);
    // What cannot be removed could be made, and that is what was asked.
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

/// Creates a folder that only this user may enter, and its parents.
pub(crate) fn create_private_dir(path: &Path) -> io::Result<()> {
    private().recursive(true).create(path)
}

/// The same for a folder that must not be there yet.
pub(crate) fn create_new_private_dir(path: &Path) -> io::Result<()> {
    private().create(path)
}

fn private() -> fs::DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = fs::DirBuilder::new();
    builder.mode(0o700);
    builder
}
