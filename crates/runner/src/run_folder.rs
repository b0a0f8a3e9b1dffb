//! The folder of a run, for things that programs make once for all their launches (R27).
//!
//! The host locks a file in it. The system releases the lock however the host ends, so a later run recognises and removes the folder of a
//! host that was killed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// Tells a child its part of the folder.
pub(crate) const VARIABLE: &str = "TARE_RUN_FOLDER";
const TRIES: u32 = 100;
/// Prefix of the folders' names, before the host's process id and a number.
const PREFIX: &str = "tare-run-";
/// The file locked by the host. Kept folders have none.
const LOCK: &str = ".host";

/// The subfolder for a diagnoser's pass.
const SCRATCH: &str = "diagnoser";

/// A folder for things that the programs of one run make once. Removed with its content when dropped.
#[derive(Debug)]
pub struct RunFolder {
    /// None: the system provides no folder. A program that needs one then reports it.
    path: Option<PathBuf>,
    /// Held while in use. None: the system provides no lock, and the folder of a killed host stays.
    _lock: Option<File>,
}

impl RunFolder {
    /// Creates a folder below the temporary folder. The first one of a process removes those of killed hosts.
    pub fn new() -> RunFolder {
        static FIRST: Once = Once::new();
        // Absolute, since programs run in other working directories.
        let given = std::env::temp_dir();
        let below = std::path::absolute(&given).unwrap_or(given);
        let folder = RunFolder::below(&below);
        FIRST.call_once(|| folder.remove_abandoned());
        folder
    }

    fn below(below: &Path) -> RunFolder {
        let name = |number: u32| below.join(format!("{PREFIX}{}-{number}", std::process::id()));
        let path = (0..TRIES).map(name).find(|path| make(path));
        let lock = path.as_deref().and_then(locked);
        RunFolder { path, _lock: lock }
    }

    /// Removes sibling folders of the same user whose host is gone.
    fn remove_abandoned(&self) {
        use std::os::unix::fs::MetadataExt;
        let Some((below, own)) = self.path.as_deref().and_then(|path| path.parent().zip(path.symlink_metadata().ok()))
        else {
            return;
        };
        for entry in std::fs::read_dir(below).into_iter().flatten().flatten() {
            if !entry.file_name().to_str().is_some_and(is_name) {
                continue;
            }
            let path = entry.path();
            // A link is not followed. In a folder of the user's own, no other user can have put anything.
            let is_own =
                path.symlink_metadata().is_ok_and(|it| it.is_dir() && it.uid() == own.uid() && it.mode() & 0o077 == 0);
            if let Some(_lock) = is_own.then(|| abandoned(&path.join(LOCK))).flatten() {
                let _ = removed(&path);
            }
        }
    }

    /// The part of a program. Each side and each job builds and runs a program in its own way, so what they make may differ.
    pub fn of(&self, program: u32) -> Option<PathBuf> {
        let part = self.path.as_ref()?.join(program.to_string());
        (make(&part) || part.is_dir()).then_some(part)
    }

    /// An empty folder for a diagnoser's pass, removed when dropped.
    pub(crate) fn scratch(&self) -> Option<Scratch> {
        let path = self.path.as_ref()?.join(SCRATCH);
        make(&path).then_some(Scratch(path))
    }

    /// Keeps the folder if something was made in it; returns its path.
    pub fn keep(mut self) -> Option<PathBuf> {
        if !self.has_content() {
            return None;
        }
        let path = self.path.take()?;
        // Without the lock file, no later run takes it for an abandoned folder.
        let _ = std::fs::remove_file(path.join(LOCK));
        Some(path)
    }

    /// Removes it; on error, returns its remaining location too.
    pub fn remove(mut self) -> Result<(), (std::io::Error, PathBuf)> {
        self.path.take().map_or(Ok(()), |path| removed(&path).map_err(|error| (error, path)))
    }

    fn has_content(&self) -> bool {
        let entries = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten();
        self.path.iter().flat_map(|path| entries(path)).any(|part| entries(&part.path()).next().is_some())
    }
}

pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The rest is removed with the folder around it.
        let _ = removed(&self.0);
    }
}

impl Default for RunFolder {
    fn default() -> RunFolder {
        RunFolder::new()
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // The rest is left to the system's own clean-up of temporary files.
        self.path.take().map(|path| removed(&path));
    }
}

/// Whether this is the name of a run's folder.
fn is_name(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(process, number)| process.parse::<u32>().is_ok() && number.parse::<u32>().is_ok())
}

/// Locks a new folder. The file gets its name after it is locked, so that nothing else can lock it in between.
fn locked(folder: &Path) -> Option<File> {
    let before = folder.join(".host-new");
    let file = File::create_new(&before).ok()?;
    let is_ours = tare_process::try_lock(&file).unwrap_or(false);
    (is_ours && std::fs::rename(&before, folder.join(LOCK)).is_ok()).then_some(file)
}

/// Locks a folder whose host is gone.
fn abandoned(path: &Path) -> Option<File> {
    use std::os::unix::fs::MetadataExt;
    // Opening a pipe would wait for a writer. No other user can put one there, as the folder is private.
    path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let file = File::open(path).ok()?;
    if !tare_process::try_lock(&file).unwrap_or(false) {
        return None;
    }
    // Meanwhile another run may have removed it, and a third may have created one with the same name.
    let (open, there) = (file.metadata().ok()?, path.symlink_metadata().ok()?);
    ((open.dev(), open.ino()) == (there.dev(), there.ino())).then_some(file)
}

/// Removes a folder and its subfolders, including read-only ones.
fn removed(path: &Path) -> std::io::Result<()> {
    std::fs::remove_dir_all(path).or_else(|_| {
        open_up(path);
        std::fs::remove_dir_all(path)
    })
}

/// Makes a folder and its subfolders writable. Errors show up on removal.
fn open_up(folder: &Path) {
    let _ = std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        // The type of a link itself, not of its target.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

/// Creates a private folder; false if it exists or cannot be created.
fn make(path: &Path) -> bool {
    let mut builder = std::fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_with_what_was_made_unless_it_is_kept() {
        let folder = RunFolder::new();
        let part = folder.of(0).expect("a folder");
        assert_eq!(folder.of(0), Some(part.clone()), "the same for each launch of a program");
        assert_ne!(folder.of(1), Some(part.clone()));
        std::fs::write(part.join("made"), "x").expect("written");
        let other = RunFolder::new();
        assert_ne!(other.of(0), folder.of(0), "each run has its own");
        assert_eq!(other.keep(), None, "nothing was made");
        let kept = folder.keep().expect("something was made");
        assert!(part.join("made").is_file());
        assert!(!kept.join(LOCK).exists(), "no later run removes it");
        drop(RunFolder { path: Some(kept), _lock: None });
        // Another run may have a folder with this name by now.
        assert!(!part.join("made").is_file());
    }

    #[test]
    fn what_a_killed_host_left_is_removed_and_nothing_else() {
        use std::os::unix::fs::{symlink, PermissionsExt};
        let place = tempfile::tempdir().expect("a folder");
        let below = place.path();
        let (mut killed, used) = (RunFolder::below(below), RunFolder::below(below));
        let part = killed.of(0).expect("a part");
        std::fs::write(part.join("made"), "x").expect("written");
        let left = killed.path.take().expect("a folder");
        drop(killed);
        let elsewhere = below.join("elsewhere");
        std::fs::create_dir(&elsewhere).expect("a folder");
        std::fs::copy(left.join(LOCK), elsewhere.join(LOCK)).expect("copied");
        let others: Vec<PathBuf> = ["tare-run-1-0", "tare-run-2-0", "tare-run-5-0", "tare-run-3", "tare-run-x-0"]
            .iter()
            .map(|name| below.join(name))
            .collect();
        symlink(&elsewhere, &others[0]).expect("a link");
        for folder in &others[1..] {
            assert!(make(folder));
        }
        // Not a regular file, although it can be locked.
        symlink(elsewhere.join(LOCK), others[2].join(LOCK)).expect("a link");
        for folder in &others[3..] {
            std::fs::write(folder.join(LOCK), "").expect("written");
        }
        let open_to_all = below.join("tare-run-4-0");
        std::fs::create_dir(&open_to_all).expect("a folder");
        std::fs::write(open_to_all.join(LOCK), "").expect("written");
        std::fs::set_permissions(&open_to_all, PermissionsExt::from_mode(0o777)).expect("it is ours");
        used.remove_abandoned();
        assert!(!left.exists(), "its host is gone");
        assert!(used.of(0).is_some_and(|part| part.is_dir()), "it is in use");
        for path in others.iter().chain([&elsewhere.join(LOCK), &open_to_all]) {
            assert!(path.symlink_metadata().is_ok(), "{path:?} is no folder of a killed host");
        }
    }

    #[test]
    fn it_goes_with_folders_that_cannot_be_written_to() {
        use std::os::unix::fs::PermissionsExt;
        let folder = RunFolder::new();
        let (part, elsewhere) = (folder.of(0).expect("a folder"), folder.of(1).expect("a folder"));
        let inner = part.join("made/inner");
        std::fs::create_dir_all(&inner).expect("folders");
        std::fs::write(inner.join("file"), "x").expect("written");
        std::os::unix::fs::symlink(&elsewhere, inner.join("link")).expect("a link");
        let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        for path in [&inner, inner.parent().expect("a parent"), &elsewhere] {
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o500)).expect("it is ours");
        }
        // Root can remove them anyway.
        open_up(&part);
        assert_eq!((mode(&inner), mode(&elsewhere)), (0o700, 0o500), "a link is not followed");
        std::fs::set_permissions(&inner, PermissionsExt::from_mode(0o500)).expect("it is ours");
        // Another run may have a folder with this name by now.
        assert!(folder.remove().is_ok() && !inner.exists());
    }
}
