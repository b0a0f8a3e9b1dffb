//! The parts of a Cargo manifest about benchmarks: `[[bench]]` entries and their dependencies.

use super::package::in_benches_folder;
use crate::revision::{plain, Manifests};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The tables of a manifest that benchmarks need.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Package {
    manifest: Table,
    /// Values of `NAME.workspace = true`, from the workspace.
    shared: Table,
}

fn table_of(path: &Path) -> Option<Table> {
    fs::read_to_string(path).ok()?.parse().ok()
}

fn entries(manifest: &Table) -> Vec<Value> {
    manifest.get("bench").and_then(Value::as_array).cloned().unwrap_or_default()
}

fn name_of(entry: &Value) -> Option<&str> {
    entry.get("name").and_then(Value::as_str)
}

pub(super) fn bench_files(root: &Path, folder: &Path) -> Vec<PathBuf> {
    let Some(manifest) = table_of(&root.join(folder).join("Cargo.toml")) else { return Vec::new() };
    let declared = entries(&manifest);
    let declared = declared.iter().filter_map(|entry| entry.get("path").and_then(Value::as_str)).map(PathBuf::from);
    let full = root.join(folder);
    let found =
        in_benches_folder(&full).into_iter().filter_map(|(_, path)| Some(path.strip_prefix(&full).ok()?.to_owned()));
    declared.chain(found).filter_map(|path| plain(&folder.join(path))).collect()
}

/// The table of dev-dependencies, and its old spelling.
const DEV: &str = "dev-dependencies";
const OLD: &str = "dev_dependencies";

fn entry<'a>(table: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    table.entry(name).or_insert_with(|| Value::Table(Table::new())).as_table_mut()
}

fn platforms(manifest: &Table) -> impl Iterator<Item = &str> {
    manifest.get("target").and_then(Value::as_table).into_iter().flatten().map(|(platform, _)| platform.as_str())
}

fn dev_dependencies<'a>(manifest: &'a Table, platform: Option<&str>) -> Option<&'a Table> {
    let table = match platform {
        None => manifest,
        Some(platform) => manifest.get("target")?.get(platform)?.as_table()?,
    };
    table.get(DEV).or_else(|| table.get(OLD))?.as_table()
}

impl Package {
    pub(super) fn read(root: &Path, folder: &Path) -> Option<Package> {
        let manifest = table_of(&root.join(folder).join("Cargo.toml"))?;
        manifest.get("package")?;
        let above =
            folder.ancestors().filter_map(|above| Some((above, table_of(&root.join(above).join("Cargo.toml"))?)));
        let mut above = above.filter_map(|(above, table)| Some((above, table.get("workspace")?.as_table()?.clone())));
        let shared = above.next().map(|(workspace, table)| {
            let dependencies = table.get("dependencies").and_then(Value::as_table).cloned().unwrap_or_default();
            let depth = folder.components().count() - workspace.components().count();
            dependencies.into_iter().map(|(name, value)| (name, from_below(value, depth))).collect()
        });
        Some(Package { manifest, shared: shared.unwrap_or_default() })
    }

    pub(super) fn texts(&self) -> Vec<String> {
        [&self.manifest, &self.shared].map(ToString::to_string).to_vec()
    }

    fn of(texts: &[String]) -> Package {
        let table = |at: usize| texts.get(at).and_then(|text| text.parse().ok()).unwrap_or_default();
        Package { manifest: table(0), shared: table(1) }
    }

    /// The manifest, for a revision that has none.
    fn whole(&self) -> String {
        let mut manifest = self.manifest.clone();
        self.all_alone(&mut manifest);
        let targets = manifest.get_mut("target").and_then(Value::as_table_mut).into_iter().flatten();
        targets.filter_map(|(_, table)| table.as_table_mut()).for_each(|table| self.all_alone(table));
        manifest.to_string()
    }

    fn all_alone(&self, manifest: &mut Table) {
        for kind in ["dependencies", DEV, "build-dependencies"] {
            if let Some(table) = manifest.get_mut(kind).and_then(Value::as_table_mut) {
                table.iter_mut().for_each(|(name, value)| *value = self.alone(name, value));
            }
        }
    }

    fn alone(&self, name: &str, value: &Value) -> Value {
        let is_shared = value.get("workspace").and_then(Value::as_bool) == Some(true);
        let Some(shared) = self.shared.get(name).filter(|_| is_shared) else { return value.clone() };
        let mut table = match shared {
            Value::Table(table) => table.clone(),
            version => Table::from_iter([("version".to_owned(), version.clone())]),
        };
        for (key, own) in value.as_table().into_iter().flatten().filter(|(key, _)| *key != "workspace") {
            match (table.get_mut(key).and_then(Value::as_array_mut), own.as_array()) {
                (Some(features), Some(more)) => features.extend(more.iter().cloned()),
                _ => _ = table.insert(key.clone(), own.clone()),
            }
        }
        Value::Table(table)
    }

    /// The manifest of a revision in which the benchmarks of this package replace those of the same names; unchanged if nothing differs.
    fn merged(&self, own: &str) -> Result<String, String> {
        let before: Table = own.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
        let mut manifest = before.clone();
        let ours = entries(&self.manifest);
        let mut benches = entries(&manifest);
        benches.retain(|entry| ours.iter().all(|ours| name_of(ours) != name_of(entry)));
        benches.extend(ours);
        if !benches.is_empty() {
            manifest.insert("bench".to_owned(), Value::Array(benches));
        }
        // Platform-specific ones too: Cargo resolves all of them.
        for platform in [None].into_iter().chain(platforms(&self.manifest).map(Some)) {
            let theirs = dev_dependencies(&self.manifest, platform).cloned().unwrap_or_default();
            for (name, value) in theirs {
                let table = match platform {
                    None => Some(&mut manifest),
                    Some(platform) => entry(&mut manifest, "target").and_then(|target| entry(target, platform)),
                };
                let kind = if table.as_ref().is_some_and(|table| table.contains_key(OLD)) { OLD } else { DEV };
                if let Some(table) = table.and_then(|table| entry(table, kind)) {
                    table.insert(name.clone(), self.alone(&name, &value));
                }
            }
        }
        let autobenches = self.manifest.get("package").and_then(|package| package.get("autobenches")).cloned();
        if let (Some(value), Some(package)) = (autobenches, manifest.get_mut("package").and_then(Value::as_table_mut)) {
            package.insert("autobenches".to_owned(), value);
        }
        Ok(if manifest == before { own.to_owned() } else { manifest.to_string() })
    }
}

/// A dependency of a workspace, rewritten for a package `depth` folders below it.
fn from_below(value: Value, depth: usize) -> Value {
    let Value::Table(mut table) = value else { return value };
    if let Some(Value::String(path)) = table.get_mut("path") {
        *path = "../".repeat(depth) + path;
    }
    Value::Table(table)
}

/// The manifest of a workspace with one more member; None if it already is a member, or there is no workspace.
fn with_member(workspace: &str, member: &Path) -> Option<String> {
    let mut manifest: Table = workspace.parse().ok()?;
    let table = manifest.get_mut("workspace")?.as_table_mut()?;
    let name = member.to_str()?.to_owned();
    let members = table.entry("members").or_insert_with(|| Value::Array(Vec::new())).as_array_mut()?;
    let covers = |pattern: &str| {
        pattern == name || pattern.strip_suffix("/*").is_some_and(|above| member.parent() == Some(Path::new(above)))
    };
    if members.iter().filter_map(Value::as_str).any(covers) {
        return None;
    }
    members.push(Value::String(name));
    Some(manifest.to_string())
}

/// The changed manifests of a checkout with a package's benchmarks: its own, and that of the workspace that must list it as a member.
pub(super) fn merge(folder: &Path, manifest: &Path, texts: &[String]) -> Manifests {
    let (path, package) = (manifest.to_owned(), manifest.parent().unwrap_or(Path::new("")));
    let of_package = Package::of(texts);
    let read = |path: &Path| fs::read_to_string(folder.join(path)).ok();
    if let Some(own) = read(&path) {
        return match of_package.merged(&own) {
            Ok(text) => Ok(vec![(path, text)]),
            Err(reason) => Err((path, reason)),
        };
    }
    let above = package.ancestors().skip(1).find_map(|above| {
        let list = above.join("Cargo.toml");
        Some((above, read(&list)?, list))
    });
    let with_member = above.and_then(|(above, own, list)| {
        let member = package.strip_prefix(above).unwrap_or(package);
        Some((list, with_member(&own, member)?))
    });
    Ok([(path, of_package.whole())].into_iter().chain(with_member).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_and_dependencies_of_benchmarks_are_merged() {
        let manifest: Table = "[package]\nname = \"p\"\n[dependencies]\nnew = \"1\"\n[dev-dependencies]\ntare.workspace = true\nrand = \"0.9\"\n\
             [[bench]]\nname = \"speed\"\nharness = false\n"
            .parse()
            .unwrap();
        let shared: Table = "tare = { path = \"../../tare\", features = [\"a\"] }".parse().unwrap();
        let package = Package { manifest, shared };
        let old = "[package]\nname = \"p\"\nversion = \"0.1.0\"\n[dev-dependencies]\nrand = \"0.8\"\n[[bench]]\nname = \"speed\"\n[[bench]]\nname = \"old\"\n";
        let merged: Table = package.merged(old).unwrap().parse().unwrap();
        let benches: Vec<(Option<&str>, Option<bool>)> = merged["bench"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| (name_of(entry), entry.get("harness").and_then(Value::as_bool)))
            .collect();
        assert_eq!(benches, [(Some("old"), None), (Some("speed"), Some(false))]);
        assert_eq!(merged["dev-dependencies"]["rand"].as_str(), Some("0.9"));
        assert_eq!(merged["dev-dependencies"]["tare"]["path"].as_str(), Some("../../tare"));
        assert!(!merged.contains_key("dependencies"), "the library stays as it was");
        assert!(package.merged("[broken").is_err());
        // A manifest that has everything is not changed, not even its comments.
        let same = "# ours\n[package]\nname = \"p\"\n[dev-dependencies]\nrand = \"0.9\"\ntare = { path = \"../../tare\", features = [\"a\"] }\n\
                    [[bench]]\nharness = false\nname = \"speed\"\n";
        assert_eq!(package.merged(same).unwrap(), same);
        let of_platform = "[target.'cfg(not(miri))'.dev-dependencies]\ncriterion = \"0.5\"\n";
        let package = Package { manifest: of_platform.parse().unwrap(), ..package };
        let merged: Table = package.merged(old).unwrap().parse().unwrap();
        assert_eq!(merged["target"]["cfg(not(miri))"][DEV]["criterion"].as_str(), Some("0.5"));
    }

    #[test]
    fn a_package_becomes_a_member_once() {
        let workspace = "[workspace]\nmembers = [\"a\", \"crates/*\"]\n";
        assert!(
            with_member(workspace, Path::new("a")).is_none() && with_member(workspace, Path::new("crates/b")).is_none()
        );
        assert!(with_member(workspace, Path::new("bench")).unwrap().contains("bench"));
        assert!(with_member("[package]\nname = \"p\"\n", Path::new("bench")).is_none());
    }
}
