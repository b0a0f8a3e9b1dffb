//! The front ends that are inside this program, written into the cache when a build needs them.

use super::cache::{Cache, CacheError, Key};
use std::path::PathBuf;
use std::sync::{LazyLock, OnceLock};
use toml::{Table, Value};

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Paths and texts.
pub(crate) type Files = LazyLock<Vec<(&'static str, &'static str)>>;

/// Takes the texts of files with these lengths from their compressed form. They stay until the program ends.
fn unpacked(packed: &[u8], files: &[(&'static str, usize)]) -> Vec<(&'static str, &'static str)> {
    let texts = miniz_oxide::inflate::decompress_to_vec(packed).expect("it was compressed when this was built");
    let mut left: &'static str = String::from_utf8(texts).expect("sources are text").leak();
    let of_file = |&(name, length): &(&'static str, usize)| {
        let (text, others) = left.split_at(length);
        left = others;
        (name, text)
    };
    files.iter().map(of_file).collect()
}

/// A translation unit that supplies `main`. It is weak: a `main` of the user's goes before it.
const MAIN: &str = "#include <tare.h>\nTARE_MAIN()\n";
/// What `find_package(tare)` finds.
const CMAKE_CONFIG: &str = include_str!("tare-config.cmake");
const CMAKE_VERSION: &str = include_str!("tare-config-version.cmake");

/// Name of the folder of the C and C++ front end in the cache; another content, another name.
pub(crate) fn cpp_folder() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let key = Key::new("cpp").with_all(CPP_HEADERS.iter().flat_map(|(name, text)| [*name, *text]));
        format!("frontends/cpp-{}", key.with(MAIN).with(CMAKE_CONFIG).with(CMAKE_VERSION).finish())
    })
}

/// The same of the Rust front end.
pub(crate) fn rust_folder() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let key = Key::new("rust").with_all(RUST_CRATES.iter().flat_map(|(name, text)| [*name, *text]));
        format!("frontends/rust-{}", key.finish())
    })
}

/// Writes the C and C++ front end: `include/tare.h`, `main.cpp`, `main.c`, `cmake/`. Gives its folder.
pub(crate) fn write_cpp(cache: &Cache) -> Result<PathBuf, CacheError> {
    let folder = cpp_folder();
    for (name, text) in CPP_HEADERS.iter().filter(|(name, _)| name.starts_with("include/")) {
        cache.write(&format!("{folder}/{name}"), text.as_bytes())?;
    }
    let others = [
        ("main.cpp", MAIN),
        ("main.c", MAIN),
        ("cmake/tare-config.cmake", CMAKE_CONFIG),
        ("cmake/tare-config-version.cmake", CMAKE_VERSION),
    ];
    for (name, text) in others {
        cache.write(&format!("{folder}/{name}"), text.as_bytes())?;
    }
    Ok(cache.path(folder))
}

/// Writes the Rust crates `tare` and `tare-macros`, as a workspace of these two. Gives its folder.
pub(crate) fn write_rust(cache: &Cache) -> Result<PathBuf, CacheError> {
    let folder = rust_folder();
    for (name, text) in RUST_CRATES.iter() {
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
