//! What a person meets, as snapshots: help pages, errors, progress.

mod documents;
mod failures;
mod help;
mod progress;
mod request;
