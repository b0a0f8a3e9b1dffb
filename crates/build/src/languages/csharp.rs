//! The languages of .NET. Of C# one file is compiled by the compiler of the SDK, and a built assembly is run by `dotnet`; the others are
//! built as projects.

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

pub(super) const FSHARP: Source = Source { name: "f#", suffixes: &[], ..CSHARP };

pub(super) const VISUAL_BASIC: Source = Source { name: "vb", suffixes: &[], ..CSHARP };
