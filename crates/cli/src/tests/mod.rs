//! What a person meets, as snapshots: help pages, errors, progress; and what fuzzing calls.

#[cfg(test)]
mod documents;
#[cfg(test)]
mod failures;
pub mod fuzz;
#[cfg(test)]
mod help;
#[cfg(test)]
mod progress;
#[cfg(test)]
mod request;
