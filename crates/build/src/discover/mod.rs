//! What there is to build: from the paths of the command line to a list of targets. Reads files, starts no program.

mod above;
pub(crate) mod cargo;
pub(crate) mod cmake;
mod error;
mod options;
mod package;
mod sniff;
mod target;
mod unbuilt;
mod walk;

#[cfg(test)]
mod tests;

pub use cargo::{has_bench_section, missing_harness};
pub use error::DiscoverError;
pub use options::{DiscoverOptions, Survey};
pub use package::Features;
pub use target::{Language, ProjectTarget, ProjectTool, Skipped, Target, TargetKind};
pub use walk::{discover, survey};

pub(crate) use cargo::features_of;
pub(crate) use sniff::{
    contains, foreign_header, has_front_end, include_of, includes_tare_header, read_source, uses_tare_crate,
    uses_tare_namespace,
};
pub(crate) use target::ELSEWHERE;
pub(crate) use walk::absolute;
