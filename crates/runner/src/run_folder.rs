//! The folder of a run, in which programs make once what all of their launches need (R27).

use std::path::{Path, PathBuf};

/// By this variable a child knows its part of the folder.
pub(crate) const VARIABLE: &str = "TARE_RUN_FOLDER";
/// Names that are tried for it.
const TRIES: u32 = 100;

/// A folder for what the programs of one run make once. It goes when it is dropped, with all that is in it.
#[derive(Debug)]
pub struct RunFolder {
    /// None: the system gives no folder. A program that needs one then names what is wrong.
    path: Option<PathBuf>,
}

impl RunFolder {
    /// A new one, below the folder for temporary files.
    pub fn new() -> RunFolder {
        // Programs run in other folders than this one.
        let given = std::env::temp_dir();
        let below = std::path::absolute(&given).unwrap_or(given);
        let name = |number: u32| below.join(format!("tare-run-{}-{number}", std::process::id()));
        let path = (0..TRIES).map(name).find(|path| make(path));
        RunFolder { path }
    }

    /// The part of a program: as each side and each job builds and runs a program in its own way, what they make may differ.
    pub fn of(&self, program: u32) -> Option<PathBuf> {
        let part = self.path.as_ref()?.join(program.to_string());
        (make(&part) || part.is_dir()).then_some(part)
    }

    /// Leaves the folder where it is, if something was made in it; its path.
    pub fn keep(mut self) -> Option<PathBuf> {
        if !self.has_content() {
            return None;
        }
        self.path.take()
    }

    /// Removes it; the error, and where it still is.
    pub fn remove(mut self) -> Result<(), (std::io::Error, PathBuf)> {
        self.path.take().map_or(Ok(()), |path| removed(&path).map_err(|error| (error, path)))
    }

    fn has_content(&self) -> bool {
        let entries = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten();
        self.path.iter().flat_map(|path| entries(path)).any(|part| entries(&part.path()).next().is_some())
    }
}

impl Default for RunFolder {
    fn default() -> RunFolder {
        RunFolder::new()
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, as everything in that place is.
        self.path.take().map(|path| removed(&path));
    }
}

/// Removes a folder, with folders in it that their maker may no longer write to.
fn removed(path: &Path) -> std::io::Result<()> {
    std::fs::remove_dir_all(path).or_else(|_| {
        open_up(path);
        std::fs::remove_dir_all(path)
    })
}

/// Lets the user write to a folder and all folders below it. What refuses fails to be removed.
fn open_up(folder: &Path) {
    #[cfg(unix)]
    let _ = std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        // The type is that of a link, not of what it leads to.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

/// Makes a folder that nobody else can look into; false where it is there, or cannot be made.
fn make(path: &Path) -> bool {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
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
        drop(RunFolder { path: Some(kept) });
        assert!(!part.exists());
    }

    #[cfg(unix)]
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
        // Root may remove them as they are.
        open_up(&part);
        assert_eq!((mode(&inner), mode(&elsewhere)), (0o700, 0o500), "a link is not followed");
        std::fs::set_permissions(&inner, PermissionsExt::from_mode(0o500)).expect("it is ours");
        assert!(folder.remove().is_ok() && !part.exists());
    }
}
