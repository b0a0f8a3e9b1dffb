//! The machine of a run, and what makes it unfit for measurements.
#![forbid(unsafe_code)]

pub mod doctor;
pub mod environment;
#[cfg(test)]
mod root;
