//! The embedded front end for Java: its classes, compiled once for all versions.

use super::jdk::Jdk;
use crate::embedded::Files;
use crate::toolchain::cache::{CacheError, Key};
use crate::toolchain::context::{text, BuildContext, COMPILER};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::tool;
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::helper::run;

static FILES: Files = Files::new(|| include!(concat!(env!("OUT_DIR"), "/java.rs")));
/// The oldest version of Java that its classes run on; all later compilers still support it as a target.
const RELEASE: &str = "11";
/// The folder of its classes, and their jar: class data archives only support jars.
const CLASSES: &str = "classes";
const JAR: &str = "tare.jar";
/// The first version that can archive the classes of an application.
const ARCHIVES: u32 = 13;
/// The main class of the process that makes an archive.
const REHEARSAL: &str = "tare.child.Archive";

/// For `javac`, which ends before optimising its own code pays off: this halves its processor time.
pub(super) const SOON: [&str; 2] = ["-J-XX:+IgnoreUnrecognizedVMOptions", "-J-XX:TieredStopAtLevel=1"];

pub(super) struct FrontEnd {
    pub(super) jar: PathBuf,
    /// Archive of the front end's classes and those of the runtime that they need, as loaded by this JDK; None if the JDK makes no such
    /// archive.
    pub(super) archive: Option<PathBuf>,
}

pub(super) fn ready(context: &BuildContext, jdk: &Jdk) -> Result<FrontEnd, BuildFailure> {
    let folder = context.cache.front_end(super::LANGUAGE.name, &FILES)?;
    let jar = folder.join(JAR);
    if !jar.is_file() {
        compile(context, jdk, &folder)?;
    }
    let archive = archive(context, jdk, &folder);
    Ok(FrontEnd { jar, archive })
}

fn compile(context: &BuildContext, jdk: &Jdk, folder: &Path) -> Result<(), BuildFailure> {
    let scratch = context.cache.scratch()?;
    let (classes, jar) = (scratch.path.join(CLASSES), scratch.path.join(JAR));
    let mut compiler = context.variables.command(&jdk.javac()?);
    compiler.args(SOON).args([
        "--release",
        RELEASE,
        "-g",
        "-nowarn",
        "-proc:none",
        "-XDstringConcat=inline",
        "-Xlint:-options",
    ]);
    compiler.args(["-encoding", "UTF-8", "-d"]).arg(&classes);
    compiler.args(FILES.iter().map(|(name, _)| folder.join(name)));
    let mut packer = context.variables.command(&jdk.home.join("bin/jar"));
    packer.arg("cf").arg(&jar).arg("-C").arg(&classes).arg(".");
    let shown = ["javac", "--release", RELEASE, "tare/*.java"].map(str::to_owned);
    context.made(&shown, &mut compiler, COMPILER)?;
    context.made(&["jar", "cf", JAR, "."].map(str::to_owned), &mut packer, COMPILER)?;
    moved(&classes, &folder.join(CLASSES))?;
    Ok(moved(&jar, &folder.join(JAR))?)
}

fn moved(from: &Path, to: &Path) -> Result<(), CacheError> {
    match fs::rename(from, to) {
        Err(e) if !to.exists() => Err(CacheError::new("write", to, e)),
        _ => Ok(()),
    }
}

/// The archive for a JDK, made if necessary. Without it everything works, but processes take longer to start.
fn archive(context: &BuildContext, jdk: &Jdk, folder: &Path) -> Option<PathBuf> {
    if jdk.version < ARCHIVES {
        return None;
    }
    let key = Key::new("jsa").with(tool::state(&jdk.java())).finish();
    let there = folder.join(format!("{}.jsa", &key[..16]));
    if !there.is_file() {
        let scratch = context.cache.scratch().ok()?;
        let made = scratch.path.join("classes.jsa");
        let mut command = context.variables.command(&jdk.java());
        command.env_remove("JAVA_TOOL_OPTIONS").env_remove("JDK_JAVA_OPTIONS").env_remove("TARE_SAMPLES");
        command.arg(format!("-XX:ArchiveClassesAtExit={}", text(&made)));
        command.arg("-cp").arg(folder.join(JAR)).arg(REHEARSAL);
        let is_made = run(&mut command, COMPILER).is_ok_and(|done| done.success) && made.is_file();
        // A failure is recorded, so that it is not tried again.
        let is_kept = if is_made { moved(&made, &there).is_ok() } else { fs::write(&there, "").is_ok() };
        is_kept.then_some(())?;
    }
    fs::metadata(&there).is_ok_and(|facts| facts.len() > 0).then_some(there)
}

/// The class path with our front end first: it takes precedence over one in the user's jars, since it matches this version of the protocol.
pub(super) fn before(front_end: &Path, class_path: &[String]) -> String {
    std::iter::once(text(front_end)).chain(class_path.iter().cloned()).collect::<Vec<_>>().join(":")
}
