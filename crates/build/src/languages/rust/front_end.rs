//! The embedded Rust front end, written into the cache when a build needs it.

use crate::embedded::Files;
use crate::toolchain::cache::{Cache, CacheError, Key};
use std::path::PathBuf;
use std::sync::OnceLock;
use toml::{Table, Value};

static CRATES: Files = Files::new(|| include!(concat!(env!("OUT_DIR"), "/rust.rs")));

/// Name of its folder in the cache, which depends on its content.
pub(crate) fn folder() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let key = Key::new("rust").with_all(CRATES.iter().flat_map(|(name, text)| [*name, *text]));
        format!("frontends/rust-{}", key.finish())
    })
}

/// Writes the Rust crates `tare` and `tare-macros` as a workspace. Returns its folder.
pub(crate) fn write(cache: &Cache) -> Result<PathBuf, CacheError> {
    let folder = folder();
    for (name, text) in CRATES.iter() {
        let text = if *name == "Cargo.toml" { workspace_of_two(text) } else { (*text).to_owned() };
        cache.write(&format!("{folder}/{name}"), text.as_bytes())?;
    }
    Ok(cache.path(folder))
}

/// The workspace's manifest without the members that are not embedded.
fn workspace_of_two(text: &str) -> String {
    let Ok(mut manifest) = text.parse::<Table>() else { return text.to_owned() };
    if let Some(workspace) = manifest.get_mut("workspace").and_then(Value::as_table_mut) {
        let members = ["tare", "tare-macros"].map(|m| Value::String(m.to_owned()));
        workspace.insert("members".to_owned(), Value::Array(members.to_vec()));
        workspace.remove("exclude");
    }
    manifest.to_string()
}

/// The same crates for inclusion in a project: their manifests need no workspace around them, so that they can join any.
pub(crate) fn standalone() -> Vec<(String, String)> {
    let shared = CRATES.iter().find(|(name, _)| *name == "Cargo.toml").and_then(|(_, text)| text.parse::<Table>().ok());
    let shared = shared.and_then(|root| root.get("workspace")?.get("package")?.as_table().cloned()).unwrap_or_default();
    let crates = CRATES.iter().filter(|(name, _)| *name != "Cargo.toml");
    let of = |(name, text): &(&str, &str)| {
        let is_manifest = name.ends_with("/Cargo.toml");
        ((*name).to_owned(), if is_manifest { without_workspace(text, &shared) } else { (*text).to_owned() })
    };
    crates.map(of).collect()
}

/// Replaces `NAME.workspace = true` in a manifest by the values of the workspace.
fn without_workspace(text: &str, shared: &Table) -> String {
    let Ok(mut manifest) = text.parse::<Table>() else { return text.to_owned() };
    manifest.remove("lints");
    if let Some(package) = manifest.get_mut("package").and_then(Value::as_table_mut) {
        package.remove("readme");
        for (name, value) in package.iter_mut().filter(|(_, value)| value.get("workspace").is_some()) {
            if let Some(own) = shared.get(name) {
                *value = own.clone();
            }
        }
    }
    manifest.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_for_a_project_needs_no_workspace() {
        let files = standalone();
        let manifests: Vec<_> = files.iter().filter(|(name, _)| name.ends_with("Cargo.toml")).collect();
        assert_eq!(manifests.len(), 2, "{manifests:?}");
        for (name, text) in manifests {
            assert!(!text.contains("workspace") && text.contains("edition = \"2021\""), "{name}: {text}");
        }
        assert!(files.iter().any(|(name, _)| name == "tare/src/lib.rs"));
    }
}
