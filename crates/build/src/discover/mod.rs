//! From the paths of the command line to a list of targets. Reads files, starts no program.

mod above;
mod error;
mod options;
mod similar;
mod sniff;
mod target;
mod walk;

#[cfg(test)]
mod tests;

pub use error::DiscoverError;
pub use options::{DiscoverOptions, Features, Survey};
pub use target::{Language, ProjectTarget, ProjectTool, Skipped, Statements, Target, TargetKind};
pub use walk::{discover, survey};

pub(crate) use above::above;
pub(crate) use similar::similar;
pub(crate) use sniff::{harness_in, has_front_end, interpreter_of, read_source, without_comments};
pub(crate) use target::ELSEWHERE;
pub(crate) use walk::{absolute, last_name};
