//! What C and C++ have in common: the compilers, the front end, and CMake.

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
    /// The variable of the environment that names one.
    pub(crate) variable: &'static str,
    pub(crate) compilers: &'static [&'static str],
    /// The flag of the standard, where nobody says another.
    pub(crate) standard: &'static str,
    pub(crate) main: &'static str,
    /// Of a compiler for code of a GPU.
    pub(crate) device: Option<&'static Device>,
}

/// A compiler that makes code for a GPU, and has another one make that of the host.
pub(crate) struct Device {
    /// What stands before a flag that it passes on to the other compiler, and to the linker.
    pub(crate) to_host: &'static str,
    pub(crate) to_linker: &'static str,
    /// Its own flags, each with the beginnings of the flags in whose presence it is left out.
    pub(crate) flags: &'static [(&'static str, &'static [&'static str])],
}

/// Whether no compiler is there, where the environment names none.
pub(super) fn lacks(native: &Native) -> bool {
    let variables = Variables::of_process();
    variables.get(native.variable).is_none() && native.compilers.iter().all(|name| variables.find(name).is_none())
}

/// What both languages have.
pub(super) const SHARED: Source = Source {
    sign: "files that include tare.h",
    project: Some(ProjectTool(&cmake::CMAKE)),
    uses_tare: header::includes_tare,
    foreign: header::foreign,
    taken_in: header::quoted,
    hints: hints::HINTS,
    ..Source::NONE
};

/// Files whose change means another program, beside sources and what they include from beside the project.
pub(super) const WATCHED: [&str; 13] =
    ["c++", "h++", "inl", "ipp", "tpp", "ixx", "cppm", "def", "s", "asm", "cmake", "txt", "in"];

/// Flags for a compiler that a job says, with what stands before one for the host's. Those that the user wrote stand last, so that they
/// win.
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
