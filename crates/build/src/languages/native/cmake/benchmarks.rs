//! Benchmarks of CMake projects that are laid over a revision: their sources, and the commands about them.

use super::lists::{about, merged, words};
use super::{discover, CMAKE};
use crate::discover::Language;
use crate::projects::ProjectTool;
use crate::revision::{plain, Collector, Manifests, ToolBenchmarks};
use std::fs;
use std::path::Path;

pub(super) const BENCHMARKS: ToolBenchmarks =
    ToolBenchmarks { names_sources: true, of_manifest, above, merge, ..ToolBenchmarks::NONE };

/// The list of a folder of benchmarks goes with the folder, of another one only what is about them.
fn of_manifest(collector: &mut Collector, path: &Path) {
    let folder = path.parent().unwrap_or(Path::new(""));
    let text = collector.text(path);
    let files = collector.below(folder);
    let is_tare = text.to_lowercase().contains("tare");
    if !is_tare && !files.iter().any(|path| collector.has_benchmarks(path)) {
        return;
    }
    let is_own = !folder.as_os_str().is_empty()
        && (is_tare && !discover::is_project(&collector.root().join(folder))
            || files.iter().filter(|p| Language::of_source(p).is_some()).all(|p| collector.has_benchmarks(p)));
    if is_own {
        files.iter().for_each(|path| collector.add(path));
        return above(collector, folder);
    }
    let uses = |source: &str| plain(&folder.join(source)).is_some_and(|source| collector.has_benchmarks(&source));
    let commands = about(&text, &uses, &|_| false);
    for source in commands.iter().flat_map(|command| words(command)) {
        if let Some(path) = plain(&folder.join(source)).filter(|path| collector.has_benchmarks(path)) {
            collector.add(&path);
            collector.includes(&path);
        }
    }
    if !commands.is_empty() {
        *collector.part(ProjectTool(&CMAKE), path.to_owned()) = commands;
    }
}

fn above(collector: &mut Collector, folder: &Path) {
    for above in folder.ancestors().skip(1) {
        let path = above.join("CMakeLists.txt");
        if !collector.knows(&path) {
            continue;
        }
        let is_it = |named: &str| plain(&above.join(named)).is_some_and(|named| folder.starts_with(&named));
        let commands = about(&collector.text(&path), &|_| false, &is_it);
        if !commands.is_empty() {
            let known = collector.part(ProjectTool(&CMAKE), path);
            known.extend(commands.into_iter().filter(|command| !known.contains(command)).collect::<Vec<_>>());
        }
    }
}

/// The list of a checkout with the commands about the benchmarks.
fn merge(checkout: &Path, manifest: &Path, commands: &[String]) -> Manifests {
    let own = fs::read_to_string(checkout.join(manifest)).unwrap_or_default();
    Ok(vec![(manifest.to_owned(), merged(&own, commands))])
}
