//! What `tare init c#` writes.

use super::{sdk, tool};
use crate::languages::first::{Draft, First, Inside, Place};

const SOURCE: &str = include_str!("first/Parse.cs");
const PROJECT: &str = include_str!("first/Benchmarks.csproj.in");
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

fn whole(place: &Place, folder: &str, reference: &str) -> Draft {
    let (project, source) = (format!("{folder}Benchmarks.csproj"), format!("{folder}Parse.cs"));
    let run = if folder.is_empty() { "." } else { folder.trim_end_matches('/') };
    Draft::new(place, &[(&project, PROJECT), (&source, SOURCE)], run)
        .with("@framework@", sdk::newest_framework().as_deref().unwrap_or(FRAMEWORK))
        .with("@reference@", reference)
}

/// In a project with benchmarks a file, else a project beside it: what it builds for its users has no benchmarks.
fn inside(place: &Place) -> Inside {
    let Some(manifest) = projects(place).into_iter().next() else { return Inside::None };
    if tool::has_benchmarks(&place.folder.join(&manifest)) {
        return Inside::Project(manifest, Draft::new(place, &[("Parse.cs", SOURCE)], "."));
    }
    if manifest.ends_with("proj") {
        let reference = format!("\n  <ItemGroup>\n    <ProjectReference Include=\"../{manifest}\" />\n  </ItemGroup>");
        let lines = "<ItemGroup>\n  <Compile Remove=\"benchmarks/**\" />\n</ItemGroup>\n";
        return Inside::Project(manifest.clone(), whole(place, "benchmarks/", &reference).adding(&manifest, lines));
    }
    Inside::Project(manifest, whole(place, "benchmarks/", ""))
}

fn projects(place: &Place) -> Vec<String> {
    let files = place.files();
    let ending = |ending: &str| files.iter().filter(|name| name.ends_with(ending)).cloned().collect::<Vec<_>>();
    [".csproj", ".slnx", ".sln"].iter().map(|suffix| ending(suffix)).find(|found| !found.is_empty()).unwrap_or_default()
}
