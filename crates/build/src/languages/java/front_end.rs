//! The front end of Java that is inside this program: its classes, compiled once for all versions.

use super::jdk::Jdk;
use crate::embedded::Files;
use crate::toolchain::cache::CacheError;
use crate::toolchain::context::{text, BuildContext, COMPILER};
use crate::toolchain::failure::BuildFailure;
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::helper::run;

/// `front-end.txt` says which.
static FILES: Files = Files::new(|| include!(concat!(env!("OUT_DIR"), "/java.rs")));
/// The oldest version of Java that its classes run on: each later compiler still makes them.
const RELEASE: &str = "11";
/// The folder of its classes.
const CLASSES: &str = "classes";

/// The folder of its classes: compiled, or found compiled.
pub(super) fn classes(context: &BuildContext, target: &str, jdk: &Jdk) -> Result<PathBuf, BuildFailure> {
    let of_cache = |error| BuildFailure::of_cache(target, &error);
    let folder = context.cache.front_end(super::LANGUAGE.name, &FILES).map_err(of_cache)?;
    let there = folder.join(CLASSES);
    if there.is_dir() {
        return Ok(there);
    }
    let scratch = context.cache.scratch().map_err(of_cache)?;
    let to = scratch.path.join(CLASSES);
    let mut command = context.variables.command(&jdk.javac(target)?);
    command
        .args([
            "--release",
            RELEASE,
            "-g",
            "-nowarn",
            "-proc:none",
            "-XDstringConcat=inline",
            "-Xlint:-options",
            "-encoding",
            "UTF-8",
            "-d",
        ])
        .arg(&to);
    command.args(FILES.iter().map(|(name, _)| folder.join(name)));
    let done = run(&mut command, COMPILER).map_err(|e| BuildFailure::of_start(target, &e))?;
    if !done.success {
        let shown = ["javac", "--release", RELEASE, "tare/*.java"].map(str::to_owned).to_vec();
        return Err(BuildFailure::of_compiler(target, shown, done.status.clone(), done.text()));
    }
    match fs::rename(&to, &there) {
        Err(_) if there.is_dir() => Ok(there),
        Err(e) => Err(of_cache(CacheError::new("write", &there, e))),
        Ok(()) => Ok(there),
    }
}

/// Whether a jar of the user brings the front end: then ours is taken all the same, since it speaks with this version.
pub(super) fn before(front_end: &Path, class_path: &[String]) -> String {
    std::iter::once(text(front_end)).chain(class_path.iter().cloned()).collect::<Vec<_>>().join(":")
}
