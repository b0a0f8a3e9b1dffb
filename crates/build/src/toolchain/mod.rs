//! From targets to artifacts, as far as all languages have it in common. Builds run in parallel, and what one build says or how it fails never
//! stops the others.
//!
//! A single source file can say how it wants to be built, in comments that begin a line:
//!
//! ```text
//! // tare-flags: -std=c++20 -lz "-DTEXT=two words"     (C, C++, C#, Java, Rust; paths are meant from the file's folder)
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
//! | Java file | `javac -g ...`, classes in the cache | the file's folder | looks at the files that were read |
//! | Maven project | `mvn test-compile`, and its class path | the module's folder | the build tool's own check |
//! | jar | nothing | where `tare` was started | hashes it |
//! | program, command | nothing; of another harness `tare` itself runs it | where `tare` was started | hashes it |
//!
//! With [`BuildOptions::layouts`] each of them but a program becomes several programs with the same machine code in another
//! order: see `layout`.

mod build;
pub(crate) mod cache;
pub(crate) mod context;
pub(crate) mod depfile;
pub(crate) mod directive;
mod elf;
pub(crate) mod entry;
pub(crate) mod failure;
pub(crate) mod harness;
pub(crate) mod hints;
mod inlining;
mod instruments;
pub(crate) mod layout;
mod measured;
mod options;
mod prepare;
pub(crate) mod program;
pub(crate) mod retention;
pub(crate) mod tool;

#[cfg(test)]
pub(crate) mod tests;

#[cfg(test)]
pub(crate) use build::build_with;
pub use build::{build, needs_cache};
pub use entry::sources_of;
pub use failure::BuildFailure;
pub use inlining::note_inlining;
pub use instruments::note_instruments;
pub use measured::{is_as_measured, ProgramChange};
pub use options::{BuildEvent, BuildOptions};
pub use prepare::prepare;
pub use program::command_artifact;
pub use retention::{drop_unused, Dropped, CACHE_MAX};

/// A path or a text as one word of a shell.
pub(crate) fn shell_word(text: impl AsRef<std::ffi::OsStr>) -> String {
    tare_model::text::shell_word(&text.as_ref().to_string_lossy())
}
