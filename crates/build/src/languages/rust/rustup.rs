//! Determines the Rust toolchain behind `cargo` without starting it: rustup's `cargo` is the same file for all of them.

use crate::toolchain::cache::{hash_file, Key};
use crate::toolchain::context::BuildContext;
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::tool::{missing, state};
use std::path::{Path, PathBuf};
use tare_process::files::entries;

/// Cargo and the identity of the toolchain that it uses in a folder.
pub(crate) struct Cargo {
    pub(crate) path: PathBuf,
    pub(crate) identity: String,
}

impl Cargo {
    pub(crate) fn find(context: &BuildContext, folder: &Path) -> Result<Cargo, BuildFailure> {
        let path = context.variables.find("cargo").ok_or_else(|| {
            missing("cargo", Some("install Rust: see https://rustup.rs, or `apt install cargo`".to_owned()))
        })?;
        let mut key = Key::new("cargo").with(state(&path));
        for name in ["RUSTUP_TOOLCHAIN", "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
            key = key.with(context.variables.get(name).unwrap_or_default());
        }
        for prefix in ["CARGO_BUILD_", "CARGO_PROFILE_", "CARGO_TARGET_"] {
            key = key.with_all(context.variables.starting_with(prefix));
        }
        key = key.with(context.variables.find("rustc").map(|p| state(&p)).unwrap_or_default());
        for above in folder.ancestors() {
            let names = ["rust-toolchain", "rust-toolchain.toml", ".cargo/config", ".cargo/config.toml"];
            let files = names.iter().filter_map(|name| hash_file(&above.join(name)).ok());
            key = key.with_all(files);
        }
        let home = |variable: &str, default: &str| match context.variables.get(variable) {
            Some(path) => Some(PathBuf::from(path)),
            None => Some(Path::new(context.variables.get("HOME")?).join(default)),
        };
        if let Some(cargo_home) = home("CARGO_HOME", ".cargo") {
            key = key.with(hash_file(&cargo_home.join("config.toml")).unwrap_or_default());
        }
        if let Some(rustup) = home("RUSTUP_HOME", ".rustup") {
            key = key.with(hash_file(&rustup.join("settings.toml")).unwrap_or_default());
            key = key.with_all(entries(&rustup.join("toolchains")).iter().map(|path| state(&path.join("bin/rustc"))));
        }
        Ok(Cargo { path, identity: key.finish() })
    }
}
