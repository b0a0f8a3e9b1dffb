//! Build tools: a fingerprint of their state, and the failure if one is missing.

use super::failure::BuildFailure;
use std::fs;
use std::path::Path;
use tare_process::files::Stamp;

pub(crate) fn state(path: &Path) -> String {
    match fs::metadata(path) {
        Ok(facts) => {
            let Stamp { place, size, modified_ns, .. } = Stamp::of(&facts);
            format!("{} {size} {modified_ns} {}", path.display(), place.1)
        }
        Err(_) => format!("{} missing", path.display()),
    }
}

/// The failure for a missing tool. The hint names its package; None if the package has the tool's name.
pub(crate) fn missing(name: &str, hint: Option<String>) -> BuildFailure {
    let usual = || match name.contains('/') {
        true => format!("check the path: `ls -l {name}`"),
        false => format!("check the name, or install it: `apt install {name}`"),
    };
    let status = format!("`{name}` was not found on the PATH");
    BuildFailure::lacking(status, hint.unwrap_or_else(usual))
}
