//! From paths to artifacts: targets, toolchains, and the files of a git revision as a folder.
#![forbid(unsafe_code)]

pub mod discover;
mod embedded;
pub mod languages;
mod projects;
pub mod revision;
pub mod toolchain;
