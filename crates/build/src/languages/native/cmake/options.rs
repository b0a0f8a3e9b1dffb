//! Options of a CMake project, which users turn on by name like features of a package.

use crate::discover::{read_source, Features};
use crate::projects;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::files::files_below;

const DEPTH: usize = 8;
const PRESETS: &str = "CMakePresets.json";

/// The wanted files below a folder, without build output and hidden files.
pub(super) fn files(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let all = files_below(folder, DEPTH, &|path| !projects::is_hidden(path));
    all.into_iter().filter(|path| is_wanted(path)).collect()
}

pub(super) fn known(folder: &Path) -> BTreeSet<String> {
    let is_list = |path: &Path| path.ends_with("CMakeLists.txt") || path.extension().is_some_and(|e| e == "cmake");
    let texts = files(folder, &is_list).into_iter().filter_map(|path| read_source(&path).ok());
    texts.flat_map(|text| declared(&text)).collect()
}

/// Finds `option(NAME "..." OFF)`, also in `cmake_dependent_option`.
fn declared(text: &str) -> Vec<String> {
    let code: String = text.lines().flat_map(|line| [line.split('#').next().unwrap_or_default(), "\n"]).collect();
    let mut found = Vec::new();
    for (at, word) in code.to_ascii_lowercase().match_indices("option") {
        let name = code[at + word.len()..].trim_start().strip_prefix('(').map(str::trim_start).unwrap_or_default();
        let name: String = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        found.extend(Some(name).filter(|name| !name.is_empty()));
    }
    found
}

/// The named features that are options of the project: `NAME` or `NAME=VALUE`.
pub(super) fn wanted(folder: &Path, features: &Features) -> Vec<String> {
    if features.asked().next().is_none() {
        return Vec::new();
    }
    let known = known(folder);
    let is_known = |feature: &&String| known.contains(name_of(feature));
    features.asked().filter(is_known).cloned().collect()
}

fn name_of(feature: &str) -> &str {
    feature.split('=').next().unwrap_or_default()
}

pub(super) fn definition(feature: &str) -> String {
    let value = if feature.contains('=') { "" } else { "=ON" };
    format!("-D{feature}{value}")
}

/// Options that may enable benchmarks, and the preset that sets the first of them, if any.
pub(super) fn of_benchmarks(folder: &Path) -> (Vec<String>, Option<String>) {
    let known = known(folder);
    let named: Vec<&String> = known.iter().filter(|name| name.to_lowercase().contains("bench")).collect();
    let names: Vec<String> = match named.is_empty() {
        true => known.iter().filter(|name| name.to_lowercase().contains("test")).cloned().collect(),
        false => named.into_iter().cloned().collect(),
    };
    let presets: serde_json::Value =
        fs::read(folder.join(PRESETS)).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let sets = |preset: &&serde_json::Value| names.iter().any(|name| !preset["cacheVariables"][name].is_null());
    let preset = presets["configurePresets"].as_array().into_iter().flatten().find(sets);
    (names, preset.and_then(|preset| preset["name"].as_str()).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_features() {
        let text = "# option(OLD \"\" ON)\nOPTION( A_BENCH \"Build them\" OFF )\ncmake_dependent_option(\n  B \"b\" ON \"A\" OFF)\nset(option 1)\n";
        assert_eq!(declared(text), ["A_BENCH", "B"]);
        let folder = crate::toolchain::tests::help::Folder::new();
        folder.write("CMakeLists.txt", text);
        folder.write("CMakePresets.json", "{\"configurePresets\": [{\"name\": \"other\"}, {\"name\": \"bench\", \"cacheVariables\": {\"A_BENCH\": \"ON\"}}]}");
        let features =
            Features { named: ["A_BENCH", "simd", "B=2"].map(str::to_owned).to_vec(), ..Features::default() };
        assert_eq!(wanted(&folder.path, &features), ["A_BENCH", "B=2"]);
        assert_eq!((definition("A_BENCH"), definition("B=2")), ("-DA_BENCH=ON".to_owned(), "-DB=2".to_owned()));
        assert_eq!(of_benchmarks(&folder.path), (vec!["A_BENCH".to_owned()], Some("bench".to_owned())));
    }
}
