//! From targets to artifacts: one file a toolchain. Builds run in parallel, and what one build says or how it fails never
//! stops the others.
//!
//! A single source file can say how it wants to be built, in comments that begin a line:
//!
//! ```text
//! // tare-flags: -std=c++20 -lz "-DTEXT=two words"     (C, C++, Rust; paths are meant from the file's folder)
//! // tare-dependencies: rand = "0.9"                    (Rust; one a line, as in Cargo.toml)
//! // tare-edition: 2024                                 (Rust; 2021 without it)
//! ```
//!
//! | target | what runs | where it runs | what a second build does |
//! |---|---|---|---|
//! | C or C++ file | `g++ -std=c++17 -O2 ...` in the file's folder | the file's folder | looks at the files that were read: under 10 ms, no compiler |
//! | Rust file | `cargo build --release` of a package around it | the file's folder | the same |
//! | Cargo bench | `cargo bench --no-run`, output in the cache | the package's folder | Cargo's own check |
//! | CMake project | `cmake -S . -B CACHE`, `cmake --build` | the project's folder | the build tool's own check |
//! | program | nothing | where `tare` was started | hashes it |

mod build;
mod cache;
mod cargo;
mod cmake;
mod cmake_api;
mod compiler;
mod depfile;
mod directive;
mod embedded;
mod entry;
mod failure;
mod hints;
mod messages;
mod native;
mod options;
mod program;
pub(crate) mod run;
mod rust_file;
mod rustflags;
mod rustup;
mod shop;

#[cfg(test)]
pub(crate) mod tests;

pub use build::build;
pub use failure::BuildFailure;
pub use options::{BuildEvent, BuildOptions};
