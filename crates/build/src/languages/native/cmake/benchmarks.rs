//! Benchmarks of CMake projects laid over a revision: a folder with its `CMakeLists.txt`, and the commands that include it.

use super::{discover, CMAKE};
use crate::discover::Language;
use crate::projects::ProjectTool;
use crate::revision::{plain, Collector, Manifests, ToolBenchmarks};
use std::fs;
use std::path::Path;

pub(super) const BENCHMARKS: ToolBenchmarks =
    ToolBenchmarks { names_sources: true, of_manifest, above, merge, ..ToolBenchmarks::NONE };

/// The `CMakeLists.txt` in a folder of benchmarks goes with the folder. Others stay unchanged: only CMake can tell which of their commands
/// are about benchmarks.
fn of_manifest(collector: &mut Collector, path: &Path) {
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_tare = collector.text(path).to_lowercase().contains("tare");
    let files = collector.below(folder);
    let with_benchmarks: Vec<_> = files.iter().filter(|path| collector.has_benchmarks(path)).collect();
    let sources = files.iter().filter(|path| Language::of_source(path).is_some()).count();
    let is_own = !folder.as_os_str().is_empty()
        && (is_tare && !discover::is_project(&collector.root().join(folder))
            || !with_benchmarks.is_empty() && sources == with_benchmarks.len());
    if is_own {
        files.iter().for_each(|path| collector.add(path));
        return above(collector, folder);
    }
    for path in with_benchmarks {
        collector.add(path);
        collector.includes(path);
    }
}

/// The `add_subdirectory` of a folder of benchmarks, in the lists above it.
fn above(collector: &mut Collector, folder: &Path) {
    for above in folder.ancestors().skip(1) {
        let path = above.join("CMakeLists.txt");
        if !collector.knows(&path) {
            continue;
        }
        let is_it = |named: &str| plain(&above.join(named)).is_some_and(|named| folder.starts_with(&named));
        let text = collector.text(&path);
        let commands: Vec<&str> = text.lines().map(code).filter(|line| added(line).is_some_and(is_it)).collect();
        if !commands.is_empty() {
            let known = collector.part(ProjectTool(&CMAKE), path);
            known.extend(commands.into_iter().map(str::to_owned));
            known.sort();
            known.dedup();
        }
    }
}

fn code(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

/// The folder of a line `add_subdirectory(FOLDER ...)`.
fn added(line: &str) -> Option<&str> {
    let (command, rest) = line.split_once('(')?;
    let is_it = command.trim().eq_ignore_ascii_case("add_subdirectory");
    rest.split([' ', ')']).find(|word| !word.is_empty()).map(|word| word.trim_matches('"')).filter(|_| is_it)
}

/// The list of a checkout with the commands for the benchmarks added.
fn merge(checkout: &Path, manifest: &Path, commands: &[String]) -> Manifests {
    let own = fs::read_to_string(checkout.join(manifest)).unwrap_or_default();
    let lacks = |command: &&String| !own.lines().any(|line| code(line) == command.as_str());
    let lacking: Vec<&str> = commands.iter().filter(lacks).map(String::as_str).collect();
    let text = if lacking.is_empty() { own.clone() } else { format!("{}\n\n{}\n", own.trim_end(), lacking.join("\n")) };
    Ok(vec![(manifest.to_owned(), text)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_added_once() {
        assert_eq!(added(code("  Add_Subdirectory( \"bench\" out) # fast")), Some("bench"));
        assert_eq!((added("add_executable(bench a.cpp)"), added("# add_subdirectory(bench)")), (None, None));
        let place = tempfile::tempdir().expect("a folder");
        let list = Path::new("CMakeLists.txt");
        let commands = ["add_subdirectory(bench)".to_owned()];
        let merged = |own: &str| {
            fs::write(place.path().join(list), own).expect("written");
            merge(place.path(), list, &commands).expect("it is text").remove(0).1
        };
        let with = merged("project(lib CXX)\n");
        assert_eq!(with, "project(lib CXX)\n\nadd_subdirectory(bench)\n");
        assert_eq!(merged(&with), with);
    }
}
