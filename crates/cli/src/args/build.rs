//! How programs are built.

use crate::diagnose::KnownDiagnosers;
use crate::jobs::KnownJobs;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tare_build::discover::{DiscoverOptions, Features};
use tare_harness::Declared;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "How to build")]
pub struct BuildArgs {
    /// C++ compiler, arguments allowed [default: $CXX, g++, clang++, c++]
    #[arg(long, hide_short_help = true, value_name = "PROGRAM")]
    pub cxx: Option<String>,
    /// C compiler [default: $CC, gcc, clang, cc]
    #[arg(long, hide_short_help = true, value_name = "PROGRAM")]
    pub cc: Option<String>,
    /// Extra compiler flags, appended last, such as '-O3 -DX'
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// Leave the alignment of functions and loops to the compiler
    #[arg(long, hide_short_help = true)]
    pub no_align: bool,
    /// Cargo features or CMake options, comma-separated
    #[arg(long, hide_short_help = true, value_name = "FEATURES", value_delimiter = ',')]
    pub features: Vec<String>,
    /// Enable all Cargo features
    #[arg(long, hide_short_help = true)]
    pub all_features: bool,
    /// Disable the default Cargo features
    #[arg(long, hide_short_help = true)]
    pub no_default_features: bool,
    /// Cargo profile [default: bench]
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub profile: Option<String>,
    /// Only this package of a Cargo workspace (repeatable)
    #[arg(long, short, hide_short_help = true, value_name = "NAME", help_heading = "Which benchmarks")]
    pub package: Vec<String>,
    /// Only this Cargo bench target or CMake executable (repeatable)
    #[arg(long, hide_short_help = true, value_name = "NAME", help_heading = "Which benchmarks")]
    pub bench: Vec<String>,
    /// Flags of the project, which stand before those that are given here.
    #[arg(skip)]
    pub usual_flags: Vec<String>,
    /// Commands of the project that run scripts, by their suffix.
    #[arg(skip)]
    pub interpreters: BTreeMap<String, Vec<String>>,
    /// The harnesses that the project describes.
    #[arg(skip)]
    pub harnesses: BTreeMap<String, Declared>,
    /// The jobs that the project declares.
    #[arg(skip)]
    pub known_jobs: KnownJobs,
    /// Those of `tare.toml`, where the command line has none.
    #[arg(skip)]
    pub usual_features: Vec<String>,
    /// The line of a shell that makes what git ignores on each side of a comparison, and the folder of the project.
    #[arg(skip)]
    pub prepare: Option<(String, PathBuf)>,
    /// The diagnosers that the project declares.
    #[arg(skip)]
    pub known_diagnosers: KnownDiagnosers,
}

impl BuildArgs {
    /// Which targets of projects, and how Cargo builds them.
    pub fn discover_options(&self) -> DiscoverOptions {
        let features = Features {
            named: self.features.iter().flat_map(|f| f.split_whitespace()).map(str::to_owned).collect(),
            usual: self.usual_features.clone(),
            all: self.all_features,
            no_default: self.no_default_features,
        };
        DiscoverOptions {
            packages: self.package.clone(),
            benches: self.bench.clone(),
            features,
            profile: self.profile.clone(),
            ..DiscoverOptions::default()
        }
    }
}
