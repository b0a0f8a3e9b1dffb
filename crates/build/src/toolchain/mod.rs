//! From targets to artifacts: one file a toolchain. Builds run in parallel, and what one build says or how it fails never
//! stops the others.
//!
//! A single source file can say how it wants to be built, in comments that begin a line:
//!
//! ```text
//! // tare-flags: -std=c++20 -lz "-DTEXT=two words"     (C, C++, C#, Rust; paths are meant from the file's folder)
//! // tare-dependencies: rand = "0.9"                    (Rust; one a line, as in Cargo.toml)
//! // tare-edition: 2024                                 (Rust; 2021 without it)
//! ```
//!
//! | target | what runs | where it runs | what a second build does |
//! |---|---|---|---|
//! | C or C++ file | `g++ -std=c++17 -O2 ...` in the file's folder | the file's folder | looks at the files that were read: under 10 ms, no compiler |
//! | Rust file | `cargo build --release` of a package around it | the file's folder | the same |
//! | Cargo bench | `cargo bench --no-run`, output in the cache; the first takes dependencies over (`seed`) | the package's folder | Cargo's own check |
//! | C# file | `dotnet csc.dll -optimize+ ...` | the file's folder | looks at the file |
//! | .NET project, C# file with packages | `dotnet build -c Release`, output in the cache | the project's folder | the build tool's own check |
//! | CMake project | `cmake -S . -B CACHE`, `cmake --build` | the project's folder | the build tool's own check |
//! | program, command | nothing | where `tare` was started | hashes it |
//!
//! With [`BuildOptions::layouts`] each of them but a program becomes several programs with the same machine code in another
//! order: see `layout`.

mod build;
mod c_library;
pub(crate) mod cache;
pub(crate) mod cargo;
pub(crate) mod cmake;
mod cmake_api;
mod compiler;
mod consequences;
pub(crate) mod context;
mod depfile;
mod directive;
pub(crate) mod dotnet;
mod elf;
mod embedded;
mod entry;
mod failure;
mod hints;
mod inlining;
mod instruments;
mod job_flags;
mod layout;
mod measured;
mod messages;
pub(crate) mod native;
mod options;
pub(crate) mod program;
mod retention;
pub(crate) mod rust_file;
mod rustflags;
mod rustup;
mod seed;

#[cfg(test)]
pub(crate) mod tests;

#[cfg(test)]
pub(crate) use build::build_with;
pub use build::{build, needs_cache};
pub use c_library::c_library;
pub use dotnet::HOOKS as STARTUP_HOOKS;
pub use dotnet::{has_runtime, runtimes, version_and_architecture};
pub use entry::sources_of;
pub use failure::BuildFailure;
pub use inlining::note_inlining;
pub use instruments::note_instruments;
pub use measured::{is_as_measured, ProgramChange};
pub use options::{BuildEvent, BuildOptions};
pub use program::command_artifact;
pub use retention::{drop_unused, Dropped, CACHE_MAX};

/// A path or a text as one word of a shell.
pub(crate) fn shell_word(text: impl AsRef<std::ffi::OsStr>) -> String {
    tare_text::shell_word(&text.as_ref().to_string_lossy())
}
