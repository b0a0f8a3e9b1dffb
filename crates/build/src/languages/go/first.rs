use crate::languages::first::{Draft, First, Inside, NewProject};

const SOURCE: &str = include_str!("first/parse_test.go.in");
const MODULE: &str = include_str!("first/go.mod.in");
const MANIFEST: &str = "go.mod";
const PREFIX: &str = "bench";
/// In a package with sources, where others may have tests with the usual name.
const FILE: &str = "parse_bench_test.go";

pub(super) const FIRST: First = First {
    words: &["go", "golang"],
    title: "Go",
    alone: None,
    project: Some(|place| {
        let place = &named(place);
        let package = identifier(&place.name);
        Draft::new(place, &[(MANIFEST, MODULE), ("parse_test.go", SOURCE)], &run(".")).with("@package@", &package)
    }),
    home: |place| place.has(MANIFEST).then(|| MANIFEST.to_owned()),
    inside,
};

/// In the package of the folder, or in a package of its own if the module has none at its top.
fn inside(place: &NewProject) -> Inside {
    let sources: Vec<String> = place.files().into_iter().filter(|name| name.ends_with(".go")).collect();
    let package = sources.iter().find_map(|name| package(&place.read(name)));
    // If the function exists already, its file is named and nothing is written.
    let file =
        sources.iter().find(|name| place.read(name).contains("func BenchmarkParse(")).map_or(FILE, String::as_str);
    match (package, place.has(MANIFEST)) {
        (Some(package), _) => {
            let draft = Draft::new(place, &[(file, SOURCE)], &run(".")).with("@package@", &package);
            Inside::Project(if place.has(MANIFEST) { MANIFEST.to_owned() } else { sources[0].clone() }, draft)
        }
        (None, true) => {
            let draft =
                Draft::new(place, &[("bench/parse_test.go", SOURCE)], &run("./bench")).with("@package@", "bench");
            Inside::Project(MANIFEST.to_owned(), draft)
        }
        (None, false) => Inside::None,
    }
}

/// The package that a source declares, without the `_test` of external tests.
fn package(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("package "))?;
    let name = line.split_whitespace().next()?;
    Some(name.strip_suffix("_test").unwrap_or(name).to_owned())
}

/// The alternatives are a parameter in the names of the sub-benchmarks.
fn run(packages: &str) -> String {
    format!("{packages} --baseline impl=library")
}

/// Module names without a dot are reserved for Go's own packages, of which each version adds more; keywords and device names are refused
/// too. None of them has this prefix.
fn named(place: &NewProject) -> NewProject {
    let name = match place.name == PREFIX || place.name.starts_with(&format!("{PREFIX}-")) {
        true => place.name.clone(),
        false => format!("{PREFIX}-{}", place.name),
    };
    NewProject { name, ..place.clone() }
}

fn identifier(name: &str) -> String {
    name.replace('-', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_module_has_a_name_that_go_takes() {
        for (folder, module, package) in [
            ("go", "bench-go", "benchgo"),
            ("func", "bench-func", "benchfunc"),
            ("std", "bench-std", "benchstd"),
            ("strconv", "bench-strconv", "benchstrconv"),
            ("My.Shop_2", "bench-my-shop-2", "benchmyshop2"),
            ("bench", "bench", "bench"),
            ("2go", "bench-2go", "bench2go"),
            ("nul", "bench-nul", "benchnul"),
        ] {
            let draft = (FIRST.project.expect("a project"))(&NewProject::new(Path::new(folder)));
            let text = |name: &str| draft.files.iter().find(|(path, _)| path == name).map_or("", |(_, text)| text);
            assert!(text("go.mod").starts_with(&format!("module {module}\n")), "{folder}: {}", text("go.mod"));
            assert!(text("parse_test.go").contains(&format!("\npackage {package}\n")), "{folder}");
        }
    }
}
