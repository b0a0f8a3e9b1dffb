//! Checks that the programs of a run are still those that were measured: otherwise it may not be resumed.

use super::cache::hash_file;
use super::harness::hash_now;
use super::program::{hash_of_command, COMMAND};
use crate::languages;
use std::io;
use std::path::{Path, PathBuf};
use tare_harness::program_of;
use tare_model::Artifact;
use thiserror::Error;

/// Why a run cannot continue with a program.
#[derive(Debug, Error)]
pub enum ProgramChange {
    #[error("`{}` no longer exists", .0.display())]
    Gone(PathBuf),
    #[error("cannot read `{}`: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("`{}` has changed since the run started: the rest would measure a different program", .0.display())]
    Changed(PathBuf),
}

/// Checks that the program and every layout of an artifact have the content that was measured.
pub fn is_as_measured(artifact: &Artifact) -> Result<(), ProgramChange> {
    if artifact.is_of_another_harness() {
        let path = PathBuf::from(program_of(&artifact.command).unwrap_or_default());
        // The hash of a program in the cache may be shortened.
        let hash =
            hash_now(artifact).map(|now| if now.starts_with(&artifact.hash) { artifact.hash.clone() } else { now });
        return compared(hash, artifact, path);
    }
    let is_run = |toolchain: &str| languages::all().any(|language| language.runs_by == Some(toolchain));
    if artifact.toolchain == COMMAND || is_run(&artifact.toolchain) {
        let path = PathBuf::from(artifact.command.join(" "));
        return compared(hash_of_command(&artifact.command, Path::new(&artifact.directory)), artifact, path);
    }
    let first = artifact.command.first().map(Path::new).filter(|path| path.is_absolute());
    let others = artifact.layouts.iter().map(Path::new).filter(|path| Some(*path) != first);
    for path in first.into_iter().chain(others) {
        let now = hash_file(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => ProgramChange::Gone(path.to_owned()),
            _ => ProgramChange::Unreadable { path: path.to_owned(), source },
        })?;
        let expected = if Some(path) == first { artifact.hash.as_str() } else { named_by(path) };
        if !now.starts_with(expected) {
            return Err(ProgramChange::Changed(path.to_owned()));
        }
        // It is in the cache: mark it as used, so that it is kept.
        if let Some(folder) = path.parent().filter(|folder| folder.file_name().is_some_and(|name| *name == *expected)) {
            super::retention::used(folder);
        }
    }
    Ok(())
}

fn compared(hash: io::Result<String>, artifact: &Artifact, path: PathBuf) -> Result<(), ProgramChange> {
    match hash {
        Ok(hash) if hash == artifact.hash => Ok(()),
        Ok(_) => Err(ProgramChange::Changed(path)),
        Err(source) if source.kind() == io::ErrorKind::NotFound => Err(ProgramChange::Gone(path)),
        Err(source) => Err(ProgramChange::Unreadable { path, source }),
    }
}

/// The shortened hash of a program in the cache, which is the name of its folder. A run stores no hashes of other layouts, which are always
/// in the cache.
fn named_by(path: &Path) -> &str {
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
    let is_hash = folder.len() == 16 && folder.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hash {
        folder
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::super::cache::{hash, Cache};
    use super::super::tests::help::Folder;
    use super::*;
    use std::fs;

    fn artifact(program: &Path, hash: String, layouts: Vec<String>) -> Artifact {
        Artifact {
            name: "bench".into(),
            language: "c".into(),
            toolchain: "file".into(),
            command: vec![program.to_str().expect("UTF-8").into(), "--bench".into()],
            directory: "/".into(),
            hash,
            layouts,
            ..Artifact::default()
        }
    }

    #[test]
    fn a_program_is_known_by_its_content() {
        let folder = Folder::new();
        let program = folder.path.join("bench");
        fs::write(&program, "one").expect("written");
        let artifact = artifact(&program, hash(b"one"), Vec::new());
        assert!(is_as_measured(&artifact).is_ok());
        // A change of the same length, then the original content.
        fs::write(&program, "two").expect("written");
        assert!(matches!(is_as_measured(&artifact), Err(ProgramChange::Changed(path)) if path == program));
        fs::write(&program, "one").expect("written");
        assert!(is_as_measured(&artifact).is_ok());
        fs::remove_file(&program).expect("removed");
        assert!(matches!(is_as_measured(&artifact), Err(ProgramChange::Gone(path)) if path == program));
    }

    #[test]
    fn every_layout_is_looked_at() {
        let folder = Folder::new();
        let cache = Cache::open(&folder.path.join("cache")).expect("a cache");
        let keep = |content: &str| {
            let built = folder.path.join("built");
            fs::write(&built, content).expect("written");
            cache.keep_program(&built, "bench").expect("kept")
        };
        let (first, second) = (keep("one"), keep("two"));
        let layouts = [&first, &second].map(|kept| kept.path.to_str().expect("UTF-8").to_owned());
        let artifact = artifact(&first.path, first.hash.clone(), layouts.to_vec());
        assert!(is_as_measured(&artifact).is_ok());
        fs::write(&second.path, "owt").expect("written");
        assert!(matches!(is_as_measured(&artifact), Err(ProgramChange::Changed(path)) if path == second.path));
    }
}
