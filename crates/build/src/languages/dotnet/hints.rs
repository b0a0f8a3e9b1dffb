//! What to do about what `dotnet` and its compiler said.

use crate::toolchain::hints::Hint;
use tare_model::text::nearest;

/// What `[Benchmark]` may say.
const MEMBERS: [&str; 3] = ["Baseline", "Description", "OperationsPerInvoke"];

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
    (&["CS5001"], "add a `Main` that calls `BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args)`"),
];

pub(super) fn misspelt(output: &str) -> Option<String> {
    let (_, rest) = output.split_once("error CS0246: The type or namespace name '")?;
    let near = nearest(rest.split('\'').next()?, &MEMBERS.map(str::to_owned), 1).pop()?;
    Some(format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::MEMBERS;
    use crate::toolchain::hints::of_output;

    #[test]
    fn what_the_compiler_of_csharp_says_has_its_hint() {
        let lacks = |name: &str| {
            of_output(&format!(
                "Parse.cs(7,6): error CS0246: The type or namespace name '{name}' could not be found (are you missing a using directive \
                 or an assembly reference?)\n"
            ))
        };
        assert_eq!(lacks("basline").as_deref(), Some("did you mean `Baseline`?"));
        assert!(lacks("BenchmarkAttribute").is_some_and(|hint| hint.starts_with("add `using Tare;`")));
        assert_eq!(lacks("Customer"), None);
    }

    #[test]
    fn the_members_are_those_of_the_attribute() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../frontends/csharp/Tare/Attributes.cs");
        let source = std::fs::read_to_string(path).expect("the front end");
        let of_benchmark =
            source.split("class BenchmarkAttribute").nth(1).and_then(|rest| rest.split("\n    }\n").next());
        let of_benchmark = of_benchmark.expect("the attribute");
        let settable = of_benchmark.matches("{ get; set; }").count();
        assert!(
            MEMBERS.iter().all(|name| of_benchmark.contains(&format!(" {name} {{ get; set; }}"))),
            "{of_benchmark}"
        );
        assert_eq!(settable, MEMBERS.len(), "{of_benchmark}");
    }
}
