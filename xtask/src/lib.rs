//! Chores of the repository, as functions for the binary and for tests.

pub mod calibrate;
pub mod child;
pub mod documents;
pub mod schema;
pub mod site;
pub mod words;

use std::path::PathBuf;

pub fn root() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path
}
