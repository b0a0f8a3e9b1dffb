//! Results of other tools, and runs of Tare, read into [`Saved`]: one side of a comparison of saved data.
//!
//! People already have results of Google Benchmark, BenchmarkDotNet, criterion, JMH, pyperf, pytest-benchmark, hyperfine, Go, nanobench,
//! Catch2 and Celero. Each of these forms has traps (a file that is not JSON, throughput instead of time, aggregates among measurements,
//! one process that looks like many), which are handled here so that `tare compare` need not know them. Missing information is left out,
//! never guessed.
//!
//! Pure: bytes in, values out. The form is recognised by content, not by file name. Every input has an answer within limits ([`BYTES_MAX`],
//! [`DEPTH_MAX`], [`NODES_MAX`], [`VALUES_MAX`]): values, or an [`ImportError`] that says what was found, where, and what to do. Nothing
//! panics.
#![forbid(unsafe_code)]

mod builder;
mod criterion_tree;
mod documents;
mod error;
mod folder;
mod formats;
mod json;
mod node;
mod sniff;
mod text;
mod xml;

pub use error::{ImportError, Problem, TextPlace};
pub use folder::{criterion_baselines, is_result, read_folder, wants};
pub use formats::catch2::catch2_tests;
pub use formats::google_name::{take_apart as google_name, Name as GoogleName};

use tare_analysis::Saved;

/// Limit on the size of a file, bytes.
pub const BYTES_MAX: usize = 64 << 20;
/// Limit on the nesting of lists and objects; the forms need 9.
pub const DEPTH_MAX: usize = 64;
pub const NODES_MAX: usize = 4_000_000;
/// Limit on measured values in a file: more add nothing to the statistics and take long.
pub const VALUES_MAX: usize = 1_000_000;

/// The result in one file. `name_hint` is the user's name for it, used as [`Saved::name`] and in errors; the form is recognised by content.
pub fn read(name_hint: &str, bytes: &[u8]) -> Result<Saved, ImportError> {
    let fail = |problem| ImportError { file: name_hint.to_owned(), problem };
    let text = text::decode(bytes).map_err(fail)?;
    let mut saved = documents::read(&text).map_err(fail)?;
    saved.name = name_hint.to_owned();
    Ok(saved)
}
