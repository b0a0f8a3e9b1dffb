//! A program that builds: what tells it from another one, and that it is not there.

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

/// A tool that is not there, with the package that has it; None: it is called as the tool.
pub(crate) fn missing(name: &str, hint: Option<String>) -> BuildFailure {
    let usual = || match name.contains('/') {
        true => format!("check the path: `ls -l {name}`"),
        false => format!("check the name, or install it: `apt install {name}`"),
    };
    let status = format!("`{name}` was not found on the PATH");
    BuildFailure::lacking(status, hint.unwrap_or_else(usual))
}
