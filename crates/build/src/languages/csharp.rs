//! C#: one file is compiled by the compiler of the SDK; a built assembly is run by `dotnet`.

use super::Source;
use crate::discover::{uses_tare_namespace, ProjectTool};
use crate::toolchain::dotnet;

pub(super) const CSHARP: Source = Source {
    name: "c#",
    suffixes: &["cs", "dll"],
    project: Some(ProjectTool::DOTNET),
    uses_tare: uses_tare_namespace,
    // What is written for BenchmarkDotNet is built with the compatibility assembly.
    foreign: |_| None,
    build: dotnet::build_file,
    native: None,
};
