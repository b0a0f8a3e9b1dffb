//! How programs are built.

use clap::Args;

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
}
