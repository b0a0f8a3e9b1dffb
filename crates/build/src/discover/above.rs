//! From a subfolder of a project to the project above it, as Cargo looks for its manifest.

use super::options::{DiscoverOptions, Survey};
use super::walk::absolute;
use crate::projects;
use std::path::{Path, PathBuf};

const LEVELS: usize = 16;

pub(super) fn survey(folder: &Path, options: &DiscoverOptions) -> Option<Survey> {
    let full = absolute(folder).ok()?.canonicalize().ok()?;
    let project =
        |folder: PathBuf| projects::all().into_iter().find(|t| (t.tool().begins)(&folder)).map(|tool| (folder, tool));
    let (folder, tool) = above(&full).find_map(project)?;
    (tool.tool().find_above)(&folder, options)
}

pub(crate) fn above(folder: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    let mut inside = true;
    let within = folder.ancestors().take(LEVELS).take_while(move |folder| {
        let takes = inside;
        inside = !folder.join(".git").exists();
        takes
    });
    within.skip(1).map(Path::to_owned)
}
