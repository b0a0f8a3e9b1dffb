//! What there is to build: from the paths of the command line to a list of targets. Reads files, starts no program.

mod cargo;
mod cmake;
mod error;
mod sniff;
mod target;
mod walk;

#[cfg(test)]
mod tests;

pub use cargo::missing_harness;
pub use error::DiscoverError;
pub use target::{Language, Target, TargetKind};
pub use walk::discover;

pub(crate) use sniff::{contains, includes_tare_header, read_source};
