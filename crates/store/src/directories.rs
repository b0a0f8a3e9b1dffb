//! The folders of the user, as the XDG base directory specification has them.

use std::path::PathBuf;

/// Where things are kept that can be built again: `$XDG_CACHE_HOME/tare`, else `~/.cache/tare`. None without a home.
pub fn cache_dir() -> Option<PathBuf> {
    user_dir("XDG_CACHE_HOME", ".cache")
}

/// Where the machine profile is kept: `$XDG_STATE_HOME/tare`, else `~/.local/state/tare`. None without a home.
pub fn state_dir() -> Option<PathBuf> {
    user_dir("XDG_STATE_HOME", ".local/state")
}

fn user_dir(variable: &str, below_home: &str) -> Option<PathBuf> {
    // The specification: a path that is not absolute is to be ignored.
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let base = absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(below_home)))?;
    Some(base.join("tare"))
}
