//! From targets to artifacts, as far as it is common to all languages. Builds run in parallel; warnings or failures of one never stop the
//! others. Build settings in source files are in `directive`.

mod build;
pub(crate) mod cache;
pub(crate) mod context;
pub(crate) mod depfile;
pub(crate) mod directive;
mod elf;
pub(crate) mod entry;
pub(crate) mod failure;
pub(crate) mod harness;
pub(crate) mod hints;
mod inlining;
mod instruments;
pub(crate) mod layout;
mod measured;
mod options;
mod prepare;
pub(crate) mod program;
pub(crate) mod retention;
pub(crate) mod tool;

#[cfg(test)]
pub(crate) mod tests;

#[cfg(test)]
pub(crate) use build::build_with;
pub use build::{build, needs_cache};
pub use entry::sources_of;
pub use failure::BuildFailure;
pub use inlining::note_inlining;
pub use instruments::note_instruments;
pub use measured::{is_as_measured, ProgramChange};
pub use options::{BuildEvent, BuildOptions};
pub use prepare::prepare;
pub use program::command_artifact;
pub use retention::{drop_unused, Dropped, CACHE_MAX};

/// Quotes a path or text as one word of a shell.
pub(crate) fn shell_word(text: impl AsRef<std::ffi::OsStr>) -> String {
    tare_model::text::shell_word(&text.as_ref().to_string_lossy())
}
