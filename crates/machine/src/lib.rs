//! The machine: what a run is made on, and what makes it unfit to measure on.
#![forbid(unsafe_code)]

pub mod doctor;
pub mod environment;
#[cfg(test)]
mod root;
