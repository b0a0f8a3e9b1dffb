//! What to do about what `dotnet` and its compiler said.

use crate::toolchain::hints::Hint;

pub(super) const HINTS: &[Hint] = &[
    (
        &["CS0246 ... 'BenchmarkAttribute'"],
        "add `using Tare;` at the top of the file, or `using BenchmarkDotNet.Attributes;` for BenchmarkDotNet",
    ),
    (
        &["Unable to load the service index"],
        "a package must be downloaded and there is no network: run `dotnet restore` with network access first",
    ),
    (
        &["Could not resolve SDK \"{}\""],
        "install the whole .NET SDK, which has `{}`, or name a version that can be downloaded: `#:sdk {}@VERSION` in a file",
    ),
    (
        &["NU1101", "NU1102"],
        "check the name and version of the package, and the sources that `dotnet nuget list source` shows",
    ),
    (&["NETSDK1045"], "the project is for a newer .NET: install that version, or change `<TargetFramework>`"),
    (
        &["CS0234 ... 'BenchmarkDotNet'"],
        "it may come with a package that the project does not name: `BenchmarkDotNet.Diagnostics.Windows`, for example",
    ),
    (
        &["Platform linker"],
        "native AOT needs a linker: install clang or gcc, with the headers of zlib; or measure without it: `--runtimes 10.0`",
    ),
    (&["CS5001"], "add a `Main` that calls `BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args)`"),
];

#[cfg(test)]
mod tests {
    use crate::toolchain::hints::of_output;

    #[test]
    fn what_the_compiler_of_csharp_says_has_its_hint() {
        let lacks = |name: &str| {
            of_output(&format!(
                "Parse.cs(7,6): error CS0246: The type or namespace name '{name}' could not be found (are you missing a using directive \
                 or an assembly reference?)\n"
            ))
        };
        assert!(lacks("BenchmarkAttribute").is_some_and(|hint| hint.starts_with("add `using Tare;`")));
        assert_eq!(lacks("Customer"), None);
    }
}
