//! The Rust front end that is inside this program, written into the cache when a build needs it.

use crate::embedded::Files;
use crate::toolchain::cache::{Cache, CacheError, Key};
use std::path::PathBuf;
use std::sync::OnceLock;
use toml::{Table, Value};

/// `front-end.txt` says which.
static CRATES: Files = Files::new(|| include!(concat!(env!("OUT_DIR"), "/rust.rs")));

/// Name of its folder in the cache; another content, another name.
pub(crate) fn folder() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let key = Key::new("rust").with_all(CRATES.iter().flat_map(|(name, text)| [*name, *text]));
        format!("frontends/rust-{}", key.finish())
    })
}

/// Writes the Rust crates `tare` and `tare-macros`, as a workspace of these two. Gives its folder.
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
