//! Maintenance tasks of the repository, as functions that its tests use too.

pub mod calibrate;
pub mod child;
pub mod documents;
pub mod schema;
pub mod site;
pub mod words;

use std::path::PathBuf;

/// The root of the repository.
pub fn root() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path
}
