//! A program that somebody else built.

use super::cache::hash_file;
use super::failure::BuildFailure;
use super::layout;
use super::shop::{text, BuildResult, Built, Shop};
use crate::discover::Target;
use tare_model::Artifact;

/// Nothing to build; it runs where `tare` was started, as it would from the shell.
pub(crate) fn build(shop: &Shop, target: &Target) -> BuildResult {
    let hash = hash_file(&target.path)
        .map_err(|e| BuildFailure::new(&target.name, format!("cannot read `{}`: {e}", target.path.display()), None))?;
    let directory = std::env::current_dir().map_err(|e| {
        BuildFailure::new(
            &target.name,
            format!("the current folder cannot be used: {e}"),
            Some("change to another folder".into()),
        )
    })?;
    let artifact = Artifact {
        name: target.name.clone(),
        language: target.language.name().to_owned(),
        toolchain: "program".to_owned(),
        command: vec![text(&target.path)],
        directory: text(&directory),
        build_command: Vec::new(),
        hash,
        layouts: layout::none(shop, &target.name, "it was built elsewhere"),
        child: None,
    };
    Ok(Built { artifact, cached: true })
}
