//! CMake: the executables of a project are programs, and are known only after it was configured.

use super::{Folder, Found, OfTarget, Tool};
use crate::discover::{cmake as discover, DiscoverError, Survey, Target};
use crate::toolchain::cmake as toolchain;
use crate::toolchain::context::BuildContext;

pub(super) const CMAKE: Tool = Tool {
    name: "cmake",
    is_manifest: |name| name == "CMakeLists.txt",
    begins: discover::is_project,
    nests: false,
    find,
    find_above: |folder, _| {
        let target = discover::project_above(folder)?;
        Some(Survey { targets: vec![target], skipped: Vec::new() })
    },
    target_of_file: |_, _| None,
    build,
};

fn find(folder: &Folder) -> Result<Found, DiscoverError> {
    let is_asked_for = folder.is_named && folder.is_first;
    let name = (!folder.is_named).then_some(folder.name.as_str());
    let target = discover::find(folder.path, name, is_asked_for)?;
    let manifest = folder.path.join("CMakeLists.txt");
    let lack = format!("`{}` mentions neither tare nor a bench", manifest.display());
    Ok(Found { targets: target.into_iter().collect(), skipped: Vec::new(), lack })
}

fn build(context: &BuildContext, targets: &[&Target]) -> Vec<OfTarget> {
    let of_each = targets.iter().enumerate().filter_map(|(at, target)| Some((at, target, target.project()?)));
    let built = of_each.flat_map(|(at, target, project)| {
        toolchain::build(context, target, &project.folder, project.below.as_deref()).into_iter().map(move |r| (at, r))
    });
    built.collect()
}
