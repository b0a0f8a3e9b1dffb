use super::failure::BuildFailure;
use crate::discover::{DiscoverOptions, Skipped};
use std::path::PathBuf;
use tare_model::{ContextEntry, Job, LaunchChange, Parameter};

#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// Folder of built programs, created if necessary and closed to other users (mode 0700), since its programs are executed.
    pub cache: PathBuf,
    /// Size limit of the cache, bytes.
    pub cache_max: u64,
    /// Builds at once, at least 1; also passed to Cargo and CMake.
    pub parallel: usize,
    /// The job that is built. Its compilers may have leading words and arguments, such as `clang++-14` or `ccache g++`. Defaults for C++:
    /// `$CXX`, else g++, clang++, c++; for C: `$CC`, else gcc, clang, cc. Its flags go to the compiler of every target (for Rust, to
    /// rustc), after all others, so that they win.
    pub job: Job,
    /// Align functions and loops to 64 bytes, which reduces effects of code placement about fourfold (on by default).
    pub align: bool,
    /// Programs for each target with the same code in other layouts, at most 64; 0 or 1: only the program as linked. Targets without other
    /// layouts give one program and a [`BuildEvent::Warned`] with the reason.
    pub layouts: u32,
    /// Which benches of projects, with which features and profile.
    pub discover: DiscoverOptions,
    /// Values of parameters that override those declared in programs.
    pub given: Vec<Parameter>,
    /// Context from the user, for all programs.
    pub context: Vec<ContextEntry>,
    pub listed_with: LaunchChange,
    /// Arguments for the `Main` of a program that another library starts; if empty, those that run all benchmarks.
    pub main_arguments: Vec<String>,
    /// Report the output of successful compilers as [`BuildEvent::Warned`].
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
    pub fn discovery(of_jobs: &[BuildOptions]) -> DiscoverOptions {
        let chosen = of_jobs.iter().flat_map(|options| options.job.toolchain.keys().cloned()).collect();
        DiscoverOptions { chosen, ..of_jobs.first().map(|options| options.discover.clone()).unwrap_or_default() }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum BuildEvent {
    /// A compiler was started. Targets found in the cache have no such event.
    Started {
        target: String,
        command: Vec<String>,
    },
    Finished {
        target: String,
        seconds: f64,
        cached: bool,
    },
    /// It was built, with a warning.
    Warned {
        target: String,
        text: String,
    },
    /// It has no benchmarks for Tare, and gives no result.
    Skipped {
        skipped: Skipped,
    },
    Failed {
        target: String,
        seconds: f64,
        failure: BuildFailure,
    },
}
