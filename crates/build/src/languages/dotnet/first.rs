//! What `tare init c#` writes.

use super::{front_end, sdk, tool};
use crate::languages::first::{Draft, First, FrontEndCopy, Inside, NewProject};

const SOURCE: &str = include_str!("first/Parse.cs");
const PROJECT: &str = include_str!("first/Benchmarks.csproj.in");
const PROGRAM: &str = include_str!("first/Program.cs");
/// The folder of the copy of the front end, which is a project too, and stands for itself in the folders of others.
const COPY: &str = "tare";
const PAGE: &str = include_str!("first/copy.md.in");
const BESIDE: [(&str, &str); 3] = [
    ("Tare.csproj", include_str!("first/Tare.csproj.in")),
    ("Directory.Build.props", include_str!("first/Directory.Build.props")),
    (".editorconfig", include_str!("first/editorconfig")),
];
/// Where no SDK says a newer one.
const FRAMEWORK: &str = "net8.0";

pub(super) const FIRST: First = First {
    words: &["c#", "csharp", "cs", "dotnet", ".net"],
    title: "C#",
    alone: Some(|place| Draft::new(place, &[("parse.cs", SOURCE)], "parse.cs")),
    project: Some(|place| whole(place, "", "")),
    home: |place| projects(place).into_iter().next(),
    inside,
};

fn whole(place: &NewProject, folder: &str, reference: &str) -> Draft {
    let [project, source, program] =
        ["Benchmarks.csproj", "Parse.cs", "Program.cs"].map(|name| format!("{folder}{name}"));
    let run = if folder.is_empty() { "." } else { folder.trim_end_matches('/') };
    let beside = BESIDE.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let copy = FrontEndCopy::new(&format!("{folder}{COPY}"), PAGE, beside.into_iter().chain(front_end::copied()));
    let draft = Draft::new(place, &[(&project, PROJECT), (&source, SOURCE), (&program, PROGRAM)], run);
    Draft { front_end: Some(copy), ..draft }
        .with("@framework@", sdk::newest_framework().as_deref().unwrap_or(FRAMEWORK))
        .with("@reference@", reference)
}

/// In a project with benchmarks a file, else a project beside it: what it builds for its users has no benchmarks.
fn inside(place: &NewProject) -> Inside {
    let Some(manifest) = projects(place).into_iter().next() else { return Inside::None };
    if tool::has_benchmarks(&place.folder.join(&manifest)) {
        return Inside::Project(manifest, Draft::new(place, &[("Parse.cs", SOURCE)], "."));
    }
    if manifest.ends_with("proj") {
        let reference = format!("\n    <ProjectReference Include=\"../{manifest}\" />");
        let lines = "<ItemGroup>\n  <Compile Remove=\"benchmarks/**\" />\n</ItemGroup>\n";
        return Inside::Project(manifest.clone(), whole(place, "benchmarks/", &reference).adding(&manifest, lines));
    }
    Inside::Project(manifest, whole(place, "benchmarks/", ""))
}

fn projects(place: &NewProject) -> Vec<String> {
    let files = place.files();
    let ending = |ending: &str| files.iter().filter(|name| name.ends_with(ending)).cloned().collect::<Vec<_>>();
    [".csproj", ".slnx", ".sln"].iter().map(|suffix| ending(suffix)).find(|found| !found.is_empty()).unwrap_or_default()
}
