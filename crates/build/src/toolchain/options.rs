//! What the caller of a build says, and what it hears.

use super::failure::BuildFailure;
use crate::discover::{DiscoverOptions, Skipped};
use std::path::PathBuf;
use tare_model::{ContextEntry, Job, LaunchChange, Parameter};

#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// Folder of built programs, made when it is not there and closed to other users (mode 0700): what is in it is run.
    pub cache: PathBuf,
    /// What the cache may take, bytes.
    pub cache_max: u64,
    /// Builds at once, at least 1; also passed to Cargo and CMake.
    pub parallel: usize,
    /// The job that is built for. Its compilers have leading arguments, such as `clang++-14` or `ccache g++`; without one of C++:
    /// `$CXX`, else g++, clang++, c++; without one of C: `$CC`, else gcc, clang, cc. Its flags are for the compiler of every target,
    /// after all others, so that they win: for C and C++ the compiler's, for Rust those of rustc.
    pub job: Job,
    /// Align functions and loops to 64 bytes: cuts what is only luck of the code's place about four times (on by default).
    pub align: bool,
    /// Programs with the same code in another layout that each target gives, at most 64; 0 or 1: one, as it is linked.
    /// Targets that cannot be laid out anew give one program and a [`BuildEvent::Warned`] with the reason.
    pub layouts: u32,
    /// Which benches of projects, with which features and profile.
    pub discover: DiscoverOptions,
    /// Values that parameters of all programs are to have in place of the declared ones.
    pub given: Vec<Parameter>,
    /// What the user says of the run, for all programs.
    pub context: Vec<ContextEntry>,
    pub listed_with: LaunchChange,
    /// What a program that another library starts from its `Main` gets there; empty: what has it run all benchmarks.
    pub main_arguments: Vec<String>,
    /// Tell what compilers print when they succeed, as [`BuildEvent::Warned`].
    pub verbose: bool,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            cache: PathBuf::from(".tare/build"),
            cache_max: super::CACHE_MAX,
            parallel: std::thread::available_parallelism().map_or(1, usize::from),
            job: Job::default(),
            align: true,
            layouts: 1,
            discover: DiscoverOptions::default(),
            given: Vec::new(),
            context: Vec::new(),
            listed_with: LaunchChange::default(),
            main_arguments: Vec::new(),
            verbose: false,
        }
    }
}

impl BuildOptions {
    /// What to look for, for all of these jobs.
    pub fn discovery(of_jobs: &[BuildOptions]) -> DiscoverOptions {
        let chosen = of_jobs.iter().flat_map(|options| options.job.toolchain.keys().cloned()).collect();
        DiscoverOptions { chosen, ..of_jobs.first().map(|options| options.discover.clone()).unwrap_or_default() }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum BuildEvent {
    /// A compiler was started. A target that is in the cache has no such event.
    Started {
        target: String,
        command: Vec<String>,
    },
    Finished {
        target: String,
        seconds: f64,
        cached: bool,
    },
    /// It was built, and there is something to say about it.
    Warned {
        target: String,
        text: String,
    },
    /// It is none of ours, and has no result.
    Skipped {
        skipped: Skipped,
    },
    Failed {
        target: String,
        seconds: f64,
        failure: BuildFailure,
    },
}
