//! What to do about what `dotnet` and its compiler said.

use crate::toolchain::hints::{first, naming, rule, Rule};

const RULES: &[Rule] = &[
    rule(
        &["Unable to load the service index"],
        "a package must be downloaded and there is no network: run `dotnet restore` with network access first",
    ),
    naming(
        &["Could not resolve SDK \""],
        ("Could not resolve SDK \"", "\""),
        "install the whole .NET SDK, which has `{}`, or name a version that can be downloaded: `#:sdk {}@VERSION` in a file",
    ),
    rule(&["NU1101"], "check the name of the package, and the sources that `dotnet nuget list source` shows"),
    rule(&["NU1102"], "check the version of the package, and the sources that `dotnet nuget list source` shows"),
    rule(&["NETSDK1045"], "the project is for a newer .NET: install that version, or change `<TargetFramework>`"),
    rule(
        &["CS0234", "'BenchmarkDotNet'"],
        "it may come with a package that the project does not name: `BenchmarkDotNet.Diagnostics.Windows`, for example",
    ),
    rule(&["CS5001"], "add a `Main` that calls `BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args)`"),
];

/// The hint for what was printed, where one is known.
pub(super) fn of(output: &str) -> Option<String> {
    first(RULES, output)
}
