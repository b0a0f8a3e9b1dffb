//! What a person meets, as snapshots: help pages, errors, progress.

mod failures;
mod help;
mod progress;
