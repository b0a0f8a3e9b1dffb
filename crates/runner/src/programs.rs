//! Detects a program that was replaced during a run. A build in another terminal may replace it between two launches, and one row would mix
//! two programs. Only the content counts: rewriting a file with the same content is fine.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use tare_model::{Artifact, FailureKind};
use tare_process::files::Stamp;

/// File metadata; while it stays the same, so does the content.
fn stamp_of(path: &Path) -> Option<Stamp> {
    std::fs::metadata(path).ok().map(|facts| Stamp::of(&facts))
}

#[derive(Debug, Default)]
pub struct Programs {
    known: HashMap<PathBuf, (Stamp, blake3::Hash)>,
}

impl Programs {
    pub fn new(artifacts: &[Artifact]) -> Programs {
        let mut programs = Programs::default();
        for artifact in artifacts {
            let layouts = artifact.layouts.iter().chain(artifact.command.first());
            for path in layouts.map(|program| resolved(artifact, program)).chain(script(artifact)) {
                if let Some((stamp, hash)) = stamp_of(&path).zip(content(&path)) {
                    programs.known.insert(path, (stamp, hash));
                }
            }
        }
        programs
    }

    /// The failure of a launch whose program was replaced since the run began.
    pub fn replaced(&mut self, artifact: &Artifact, program: &str) -> Option<FailureKind> {
        std::iter::once(resolved(artifact, program))
            .chain(script(artifact))
            .find(|path| self.is_other(path))
            .map(|path| FailureKind::Replaced { program: path.display().to_string() })
    }

    fn is_other(&mut self, path: &Path) -> bool {
        let Some((stamp, hash)) = self.known.get_mut(path) else { return false };
        let now = stamp_of(path);
        if now == Some(*stamp) {
            return false;
        }
        match now.zip(content(path)) {
            Some((now, content)) if content == *hash => {
                *stamp = now;
                false
            }
            _ => true,
        }
    }
}

fn resolved(artifact: &Artifact, program: &str) -> PathBuf {
    Path::new(&artifact.directory).join(program)
}

/// The script of an interpreter: the first argument that names a file.
fn script(artifact: &Artifact) -> Option<PathBuf> {
    let arguments = artifact.command.iter().skip(1);
    arguments.map(|argument| resolved(artifact, argument)).find(|path| path.is_file())
}

fn content(path: &Path) -> Option<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut File::open(path).ok()?, &mut hasher).ok()?;
    Some(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(directory: &Path, command: &[&str]) -> Artifact {
        Artifact {
            name: "p".to_owned(),
            toolchain: "program".to_owned(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            directory: directory.display().to_string(),
            ..Artifact::default()
        }
    }

    #[test]
    fn the_content_decides() {
        let place = tempfile::tempdir().expect("a folder");
        let at = |name: &str| place.path().join(name);
        let write = |name: &str, text: &str| std::fs::write(at(name), text).expect("written");
        write("program", "one");
        write("script.py", "one");
        for command in [&["./program", "--bench"][..], &["python3", "script.py", "x"]] {
            let artifact = artifact(place.path(), command);
            let file = if command.len() == 2 { "program" } else { "script.py" };
            let mut programs = Programs::new(std::slice::from_ref(&artifact));
            assert_eq!(programs.replaced(&artifact, command[0]), None);
            // Rewritten, then replaced by a rename, with the same content.
            write("new", "one");
            std::fs::rename(at("new"), at(file)).expect("renamed");
            assert_eq!(programs.replaced(&artifact, command[0]), None);
            // The same length.
            write("new", "two");
            std::fs::rename(at("new"), at(file)).expect("renamed");
            let failure = programs.replaced(&artifact, command[0]).expect("another program");
            assert_eq!(failure.code(), "replaced");
            assert!(failure.text().contains(file) && failure.text().contains("was replaced"), "{}", failure.text());
        }
    }
}
