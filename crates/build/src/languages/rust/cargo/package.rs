//! Bench targets and features in a `Cargo.toml`.

use crate::discover::Features;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tare_process::files::entries;
use toml::{Table, Value};

pub(super) struct Bench {
    pub(super) name: String,
    pub(super) source: PathBuf,
    /// `harness = false`: its own `main` runs, not libtest's.
    pub(super) is_own_harness: bool,
    pub(super) required: Vec<String>,
}

/// The declared and automatically discovered bench targets of a package, sorted by name.
pub(super) fn benches(folder: &Path, manifest: &Table) -> Vec<Bench> {
    let entries = manifest.get("bench").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut all: Vec<Bench> = entries.iter().filter_map(|e| declared(folder, e.as_table()?)).collect();
    let finds_more =
        manifest.get("package").and_then(|p| p.get("autobenches")).and_then(Value::as_bool).unwrap_or(true);
    if finds_more {
        for (name, source) in in_benches_folder(folder) {
            if !all.iter().any(|bench| bench.name == name) {
                all.push(Bench { name, source, is_own_harness: false, required: Vec::new() });
            }
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn declared(folder: &Path, entry: &Table) -> Option<Bench> {
    let name = entry.get("name")?.as_str()?.to_owned();
    let file = folder.join(format!("benches/{name}.rs"));
    let usual = if file.is_file() { file } else { folder.join(format!("benches/{name}/main.rs")) };
    Some(Bench {
        source: entry.get("path").and_then(Value::as_str).map_or(usual, |path| folder.join(path)),
        is_own_harness: entry.get("harness").and_then(Value::as_bool) == Some(false),
        required: strings(entry.get("required-features")).map(str::to_owned).collect(),
        name,
    })
}

pub(super) fn in_benches_folder(folder: &Path) -> Vec<(String, PathBuf)> {
    let named = entries(&folder.join("benches")).into_iter().filter_map(|path| {
        let name = path.file_stem()?.to_str()?.to_owned();
        match path.is_dir() {
            true => Some((name, path.join("main.rs"))).filter(|(_, main)| main.is_file()),
            false => Some((name, path.clone())).filter(|_| path.extension().is_some_and(|e| e == "rs")),
        }
    });
    named.collect()
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

impl Features {
    /// Features enabled in a package, including those that they enable in turn.
    pub(super) fn enabled(&self, manifest: &Table, package: &str) -> BTreeSet<String> {
        let table = manifest.get("features").and_then(Value::as_table);
        let mut next: Vec<String> = self.of(package, manifest);
        if !self.no_default {
            next.push("default".to_owned());
        }
        if self.all {
            next.extend(known(manifest));
        }
        let mut enabled = BTreeSet::new();
        while let Some(feature) = next.pop() {
            let turned_on = strings(table.and_then(|t| t.get(&feature))).map(str::to_owned);
            next.extend(turned_on.filter(|f| !enabled.contains(f)));
            enabled.insert(feature);
        }
        enabled
    }

    /// The named features that a package has: in a workspace, each package gets its own.
    pub(super) fn of(&self, package: &str, manifest: &Table) -> Vec<String> {
        let known = known(manifest);
        let own = self.asked().filter_map(|feature| match feature.split_once('/') {
            Some((of, own)) if of == package => Some(own.to_owned()),
            Some((of, _)) => Some(feature.clone()).filter(|_| has_dependency(manifest, of.trim_end_matches('?'))),
            None => Some(feature.clone()).filter(|f| known.contains(f)),
        });
        own.collect()
    }
}

/// Named features of a package, including optional dependencies.
pub(super) fn known(manifest: &Table) -> BTreeSet<String> {
    let table = manifest.get("features").and_then(Value::as_table).into_iter().flat_map(|t| t.keys().cloned());
    let is_optional = |value: &Value| value.get("optional").and_then(Value::as_bool) == Some(true);
    let optional = dependencies(manifest).filter(|(_, value)| is_optional(value)).map(|(name, _)| name.clone());
    table.chain(optional).collect()
}

fn has_dependency(manifest: &Table, name: &str) -> bool {
    dependencies(manifest).any(|(key, _)| key == name)
}

pub(super) fn dependencies(manifest: &Table) -> impl Iterator<Item = (&String, &Value)> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "dev_dependencies"];
    let platforms = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let tables = std::iter::once(manifest).chain(platforms.filter_map(Value::as_table));
    tables.flat_map(|t| KINDS.iter().filter_map(|kind| t.get(*kind)?.as_table())).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str =
        "[features]\ndefault = [\"std\"]\nstd = [\"alloc\"]\nalloc = []\nsimd = [\"dep:x\", \"wide\"]\n\
                            wide = []\n[dependencies]\nserde = { version = \"1\", optional = true }\nrand = \"0.9\"\n";

    #[test]
    fn features_turn_on_others() {
        let manifest: Table = MANIFEST.parse().unwrap();
        let on = |features: Features| features.enabled(&manifest, "p").into_iter().collect::<Vec<_>>().join(" ");
        let named = |list: &[&str]| list.iter().map(|f| (*f).to_owned()).collect();
        assert_eq!(on(Features::default()), "alloc default std");
        assert_eq!(
            on(Features { named: named(&["simd", "other"]), no_default: true, ..Features::default() }),
            "dep:x simd wide"
        );
        assert!(on(Features { all: true, ..Features::default() }).contains("serde simd std wide"));
        let of_others = Features { named: named(&["p/wide", "rand/std", "q/wide", "serde"]), ..Features::default() };
        assert_eq!(of_others.of("p", &manifest), ["wide", "rand/std", "serde"]);
    }
}
