//! .NET: single C# files, projects of C#, F# and Visual Basic, and built assemblies. `dotnet` finds the SDK and runs what was built.

mod adapter;
mod file;
mod front_end;
mod msbuild;
mod project;
mod runtime;
mod sdk;
mod source;

pub(crate) use file::build_file;
pub use msbuild::HOOKS;
pub(crate) use project::build as build_project;
pub(crate) use runtime::of_command;
pub use runtime::{has_runtime, runtimes, version_and_architecture};
pub(crate) use sdk::is_installed;

/// The word of artifacts that `dotnet` runs.
pub(super) const TOOLCHAIN: &str = "dotnet";
