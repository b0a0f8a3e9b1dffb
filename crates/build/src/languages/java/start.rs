//! The command that starts a program of classes.

use super::front_end::{self, FrontEnd};
use super::jdk::Jdk;
use super::project::file_of;
use super::source::Flags;
use super::TOOLCHAIN;
use crate::discover::Target;
use crate::toolchain::cache::{hash_file, Key};
use crate::toolchain::context::{text, BuildContext, BuildResult, Built};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::layout;
use crate::toolchain::program::hash_of_command;
use std::fs;
use std::path::Path;
use tare_model::Artifact;
use tare_process::files::files_below;

const MAIN: &str = "tare.child.Main";
/// The first version with compiler blackholes: calls of an empty method that keep their arguments alive.
const BLACKHOLES: u32 = 17;
/// The first version that writes crash reports to standard error.
const REPORTS: u32 = 13;

pub(super) struct Program<'a> {
    pub(super) jdk: &'a Jdk,
    pub(super) options: Vec<String>,
    /// Folders of classes and jars with benchmarks.
    pub(super) places: Vec<String>,
    pub(super) class_path: Vec<String>,
    /// The single source whose benchmarks are wanted, with the folders of its package: `p/A.java`.
    pub(super) file: Option<String>,
    pub(super) folder: &'a Path,
    pub(super) build_command: Vec<String>,
    pub(super) cached: bool,
}

/// Classes of the front end that are never compiled. Otherwise the JIT would compile them during a warm-up, which waits until compilation
/// ends, and their cost in a visit would change.
const INTERPRETED: [&str; 8] = ["Child", "Compiler", "Counters", "Json", "Machine", "Measurement", "Opened*", "Strays"];

/// Options that tell the virtual machine about the loops and sinks of the front end and of JMH.
fn own_options(version: u32) -> Vec<String> {
    let mut options = vec![
        "-XX:CompileCommand=quiet",
        "-XX:CompileCommand=dontinline,*TareLoop::run",
        "-XX:CompileCommand=exclude,*TarePlace::run",
    ];
    let own = INTERPRETED.map(|class| format!("-XX:CompileCommand=exclude,tare.child.{class}::*"));
    if version >= BLACKHOLES {
        options.extend([
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:CompileCommand=blackhole,tare.child.Sink::keep",
            "-XX:CompileCommand=blackhole,org.openjdk.jmh.infra.Blackhole::consumeCompiler",
            "-Dtare.blackhole=true",
            "-DcompilerBlackholesEnabled=true",
        ]);
    }
    if version >= REPORTS {
        // No messages if the archive of classes does not fit other options.
        options.extend(["-XX:+ErrorFileToStderr", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"]);
    }
    options.into_iter().map(str::to_owned).chain(own).collect()
}

impl<'a> Program<'a> {
    /// A module that a build tool has compiled, with its class path.
    pub(super) fn of_module(
        context: &BuildContext,
        target: &'a Target,
        jdk: &'a Jdk,
        (places, mut class_path): (Vec<String>, Vec<String>),
        build_command: Vec<String>,
    ) -> Program<'a> {
        let Flags { runtime: options, class_path: more, .. } = Flags::of(&context.options.job.flags, jdk.version);
        class_path.extend(more);
        let file = file_of(target);
        Program { jdk, options, places, class_path, file, folder: &target.path, build_command, cached: false }
    }

    pub(super) fn artifact(self, context: &BuildContext, target: &Target, front_end: &FrontEnd) -> BuildResult {
        let unreadable = |e: std::io::Error| BuildFailure::new(format!("its classes cannot be read: {e}"), None);
        let class_path: Vec<String> = self.places.iter().chain(&self.class_path).cloned().collect();
        let mut options = own_options(self.jdk.version);
        options.extend(front_end.archive.iter().map(|archive| format!("-XX:SharedArchiveFile={}", text(archive))));
        options.extend(self.jdk.options.iter().cloned());
        options.extend(self.options);
        // Folders of classes keep their names when rebuilt, so their content is part of the command's hash.
        let mut key = Key::new(TOOLCHAIN);
        for place in &class_path {
            key = key.with(content(Path::new(place), self.places.contains(place)).map_err(unreadable)?);
        }
        options.push(format!("-Dtare.classes={}", &key.finish()[..16]));
        options.extend(self.file.map(|file| format!("-Dtare.file={file}")));
        let mut command = vec![text(&self.jdk.java())];
        command.extend(options);
        command.extend(["-cp".to_owned(), front_end::before(&front_end.jar, &class_path), MAIN.to_owned()]);
        command.extend(self.places);
        let hash = hash_of_command(&command, self.folder).map_err(unreadable)?;
        let artifact = Artifact {
            build_command: self.build_command,
            layouts: layout::none(context, "the virtual machine chooses the place of code when it compiles it"),
            ..target.artifact(TOOLCHAIN, command, self.folder, hash)
        };
        Ok(Built { artifact, cached: self.cached })
    }
}

/// Identifies the content of a folder of classes or a jar. A class path may have hundreds of jars, so those without benchmarks count by
/// name and size.
fn content(place: &Path, has_benchmarks: bool) -> std::io::Result<String> {
    match place.is_dir() {
        true => hash_of_classes(place),
        false if has_benchmarks => hash_file(place),
        false => Ok(place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            + &fs::metadata(place).map(|facts| facts.len().to_string()).unwrap_or_default()),
    }
}

pub(super) fn hash_of_classes(folder: &Path) -> std::io::Result<String> {
    let mut key = Key::new("classes");
    for file in files_below(folder, usize::MAX, &|_| true) {
        let name = file.strip_prefix(folder).unwrap_or(&file);
        key = key.with(name.to_string_lossy().as_bytes()).with(hash_file(&file)?);
    }
    Ok(key.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_virtual_machine_gets_the_options_that_it_knows() {
        let has = |version: u32, word: &str| own_options(version).iter().any(|option| option.contains(word));
        assert!(!has(11, "blackhole") && has(17, "tare.blackhole") && has(17, "ErrorFileToStderr"));
        assert!(has(11, "dontinline"));
    }
}
