//! Common parts of C and C++: compilers, front end, CMake.

pub(super) mod cmake;
mod compiler;
mod file;
pub(super) mod first;
pub(crate) mod front_end;
mod header;
mod hints;
mod library;

use super::Source;
use crate::projects::ProjectTool;
use crate::toolchain::context::Variables;
use tare_model::Job;

pub(super) use file::build;
pub use library::c_library;

pub(crate) struct Native {
    pub(crate) language: &'static str,
    /// The environment variable that names a compiler.
    pub(crate) variable: &'static str,
    pub(crate) compilers: &'static [&'static str],
    /// The default flag for the language standard.
    pub(crate) standard: &'static str,
    pub(crate) main: &'static str,
    /// For compilers of GPU code.
    pub(crate) device: Option<&'static Device>,
}

/// A compiler for GPU code that calls another compiler for host code.
pub(crate) struct Device {
    /// Prefix of flags that it passes to the host compiler; `to_linker` is the one for the linker.
    pub(crate) to_host: &'static str,
    pub(crate) to_linker: &'static str,
    /// Its own flags, each with the prefixes of user flags that replace it.
    pub(crate) flags: &'static [(&'static str, &'static [&'static str])],
}

pub(super) fn lacks(native: &Native) -> bool {
    let variables = Variables::of_process();
    variables.get(native.variable).is_none() && native.compilers.iter().all(|name| variables.find(name).is_none())
}

pub(super) const SHARED: Source = Source {
    sign: "files that include tare.h",
    project: Some(ProjectTool(&cmake::CMAKE)),
    uses_tare: header::includes_tare,
    foreign: header::foreign,
    taken_in: header::quoted,
    hints: hints::HINTS,
    ..Source::NONE
};

/// Other files that affect the program, besides sources and files included from outside the project.
pub(super) const WATCHED: [&str; 13] =
    ["c++", "h++", "inl", "ipp", "tpp", "ixx", "cppm", "def", "s", "asm", "cmake", "txt", "in"];

/// Compiler flags from a job; `to_host` is the prefix of flags for the host compiler. The user's own flags come last, so that they win.
fn flags(job: &Job, to_host: &str) -> Vec<String> {
    let cpu = job.target_cpu.iter().map(|cpu| format!("{to_host}-march={cpu}"));
    let linker = job.linker.iter().map(|linker| format!("{to_host}-fuse-ld={linker}"));
    cpu.chain(linker).chain(job.flags.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_in_the_words_of_the_compiler() {
        let (target_cpu, linker) = (Some("native".to_owned()), Some("lld".to_owned()));
        let job = Job { target_cpu, linker, flags: vec!["-g".to_owned()], ..Job::default() };
        assert_eq!(flags(&job, ""), ["-march=native", "-fuse-ld=lld", "-g"]);
        assert_eq!(flags(&job, "-Xcompiler="), ["-Xcompiler=-march=native", "-Xcompiler=-fuse-ld=lld", "-g"]);
    }
}
