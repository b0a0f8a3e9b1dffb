//! The user's folders, according to the XDG base directory specification.

use std::path::PathBuf;

/// For data that can be rebuilt: `$XDG_CACHE_HOME/tare`, else `~/.cache/tare`. None without a home.
pub fn cache_dir() -> Option<PathBuf> {
    user_dir("XDG_CACHE_HOME", ".cache")
}

/// For the machine profile: `$XDG_STATE_HOME/tare`, else `~/.local/state/tare`. None without a home.
pub fn state_dir() -> Option<PathBuf> {
    user_dir("XDG_STATE_HOME", ".local/state")
}

fn user_dir(variable: &str, below_home: &str) -> Option<PathBuf> {
    // The specification says to ignore relative paths.
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let base = absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(below_home)))?;
    Some(base.join("tare"))
}
