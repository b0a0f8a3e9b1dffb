//! Cargo packages: which bench targets speak Tare. The manifests are read here and Cargo is not started: a bench target
//! without libtest must be written down (`harness = false`), and what Cargo would tell of it takes a hundred times longer.

use super::error::DiscoverError;
use super::sniff::{read_source, uses_tare_crate};
use super::target::{Language, Target, TargetKind};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Members of a workspace that are looked at.
const MEMBER_LIMIT: usize = 10_000;

/// What a folder with a `Cargo.toml` has.
pub(super) struct CargoProject {
    pub(super) targets: Vec<Target>,
    /// What it lacks, when it has no target.
    pub(super) lack: String,
}

/// The bench targets of the package or workspace in `folder`.
pub(super) fn project(folder: &Path) -> Result<CargoProject, DiscoverError> {
    let manifest = read(&folder.join("Cargo.toml"))?;
    let mut targets = package(folder, &manifest)?;
    if let Some(workspace) = manifest.get("workspace").and_then(Value::as_table) {
        for member in members(folder, workspace) {
            targets.extend(package(&member, &read(&member.join("Cargo.toml"))?)?);
        }
    }
    let path = folder.join("Cargo.toml");
    let lack = format!("`{}` has no bench target with `harness = false` that depends on `tare`", path.display());
    Ok(CargoProject { targets, lack })
}

/// The bench target whose source this is (`benches/NAME.rs`, `benches/NAME/main.rs`): by itself it would lack its package.
pub(super) fn bench_of_file(path: &Path) -> Option<Target> {
    let source = if path.ends_with("main.rs") { path.parent()? } else { path };
    let benches = source.parent().filter(|folder| folder.ends_with("benches"))?;
    let name = source.file_stem()?.to_str()?;
    let folder = benches.parent()?;
    let targets = package(folder, &read(&folder.join("Cargo.toml")).ok()?).ok()?;
    targets.into_iter().find(|t| matches!(&t.kind, TargetKind::CargoBench { bench, .. } if bench == name))
}

/// Whether the bench target would be run by libtest instead of Tare: `harness = false` is missing. None when the manifest
/// cannot be read.
pub fn missing_harness(package_dir: &Path, bench: &str) -> Option<bool> {
    let manifest = read(&package_dir.join("Cargo.toml")).ok()?;
    let is_declared = declared(&manifest).any(|(name, harness)| name == bench && !harness);
    Some(!is_declared)
}

fn read(path: &Path) -> Result<Table, DiscoverError> {
    let text =
        fs::read_to_string(path).map_err(|source| DiscoverError::Unreadable { path: path.to_owned(), source })?;
    text.parse::<Table>().map_err(|e| {
        let line = e.span().map(|s| text[..s.start.min(text.len())].matches('\n').count() + 1);
        let place = line.map(|l| format!("line {l}: ")).unwrap_or_default();
        DiscoverError::Manifest { path: path.to_owned(), reason: format!("{place}{}", e.message()) }
    })
}

/// The `[[bench]]` entries: name and harness.
fn declared(manifest: &Table) -> impl Iterator<Item = (&str, bool)> {
    let entries = manifest.get("bench").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    entries.iter().filter_map(Value::as_table).filter_map(|entry| {
        let name = entry.get("name")?.as_str()?;
        Some((name, entry.get("harness").and_then(Value::as_bool).unwrap_or(true)))
    })
}

/// The bench targets of one package.
fn package(folder: &Path, manifest: &Table) -> Result<Vec<Target>, DiscoverError> {
    let Some(name) = manifest.get("package").and_then(|p| p.get("name")).and_then(Value::as_str) else {
        return Ok(Vec::new());
    };
    if !depends_on_tare(manifest) {
        return Ok(Vec::new());
    }
    let mut benches: BTreeSet<String> = declared(manifest).filter(|(_, h)| !h).map(|(n, _)| n.to_owned()).collect();
    // A bench target that uses tare and lacks the line is a target too: building it tells what is missing.
    let on_disk = in_benches_folder(folder);
    benches.extend(
        on_disk.into_iter().filter(|(_, path)| read_source(path).is_ok_and(|t| uses_tare_crate(&t))).map(|(n, _)| n),
    );
    let path = super::walk::absolute(folder)?;
    let target = |bench: String| Target {
        name: format!("{name}/{bench}"),
        kind: TargetKind::CargoBench { package_dir: path.clone(), package: name.to_owned(), bench },
        path: path.clone(),
        language: Language::Rust,
    };
    Ok(benches.into_iter().map(target).collect())
}

/// Any dependency table that names `tare`, also under another name, also of one platform alone.
fn depends_on_tare(manifest: &Table) -> bool {
    let kinds = ["dependencies", "dev-dependencies", "dev_dependencies"];
    let names_it = |table: &Table| {
        kinds.iter().filter_map(|k| table.get(*k)?.as_table()).any(|dependencies| {
            dependencies.iter().any(|(key, value)| {
                value.get("package").and_then(Value::as_str).map_or(key == "tare", |package| package == "tare")
            })
        })
    };
    let platforms = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(|t| t.values());
    names_it(manifest) || platforms.filter_map(Value::as_table).any(names_it)
}

/// `benches/NAME.rs` and `benches/NAME/main.rs`, which Cargo finds by itself.
fn in_benches_folder(folder: &Path) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder.join("benches")) else { return Vec::new() };
    let named = entries.filter_map(Result::ok).filter_map(|entry| {
        let path = entry.path();
        let name = path.file_stem()?.to_str()?.to_owned();
        match path.is_dir() {
            true => Some((name, path.join("main.rs"))).filter(|(_, main)| main.is_file()),
            false => Some((name, path.clone())).filter(|_| path.extension().is_some_and(|e| e == "rs")),
        }
    });
    named.collect()
}

/// Folders of the members of a workspace, sorted, without the root itself.
fn members(root: &Path, workspace: &Table) -> Vec<PathBuf> {
    let list = |key: &str| -> Vec<&str> {
        workspace.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let excluded: Vec<PathBuf> = list("exclude").into_iter().map(|e| root.join(e)).collect();
    let mut found = BTreeSet::new();
    for pattern in list("members") {
        expand(root, pattern, &mut found);
    }
    let not_excluded = |folder: &PathBuf| !excluded.iter().any(|e| folder.starts_with(e));
    found.into_iter().filter(|f| f != root && f.join("Cargo.toml").is_file()).filter(not_excluded).collect()
}

/// Folders that match a pattern of path components, in which `*` stands for any characters of one name.
fn expand(root: &Path, pattern: &str, found: &mut BTreeSet<PathBuf>) {
    let mut folders = vec![root.to_owned()];
    for part in pattern.split('/').filter(|p| !p.is_empty() && *p != ".") {
        if !part.contains(['*', '?']) {
            folders = folders.into_iter().map(|f| f.join(part)).collect();
            continue;
        }
        let inside = folders.iter().filter_map(|f| fs::read_dir(f).ok()).flatten().filter_map(Result::ok);
        folders = inside
            .filter(|e| e.file_name().to_str().is_some_and(|name| matches(part, name)))
            .map(|e| e.path())
            .filter(|p| p.is_dir())
            .take(MEMBER_LIMIT)
            .collect();
    }
    found.extend(folders);
}

/// `*` any characters, `?` one character.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.chars().next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = &pattern[1..];
            matches(rest, name)
                || name.char_indices().skip(1).any(|(at, _)| matches(rest, &name[at..]))
                || matches(rest, "")
        }
        Some('?') => name.chars().next().is_some_and(|c| matches(&pattern[1..], &name[c.len_utf8()..])),
        Some(c) => name.strip_prefix(c).is_some_and(|rest| matches(&pattern[c.len_utf8()..], rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_names() {
        for (pattern, name) in [("*", "x"), ("a*", "a"), ("a*c", "abc"), ("*-b?", "x-b1"), ("é*", "éa")] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a*c", "ab"), ("?", ""), ("a", "b"), ("a?", "a")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn dependencies_by_any_road() {
        let depends = |text: &str| depends_on_tare(&text.parse::<Table>().unwrap_or_default());
        assert!(depends("[dev-dependencies]\ntare = \"0.1\""));
        assert!(depends("[dependencies]\nt = { package = \"tare\", path = \"x\" }"));
        assert!(depends("[dev-dependencies]\ntare.workspace = true"));
        assert!(depends("[target.'cfg(unix)'.dev-dependencies]\ntare = \"1\""));
        assert!(!depends("[dependencies]\ntare = { package = \"other\" }"));
        assert!(!depends("[dependencies]\nserde = \"1\""));
    }
}
