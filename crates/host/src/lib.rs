//! Everything that touches the world outside: finding and building targets, running children, reading the machine.
#![forbid(unsafe_code)]

pub mod conformance;
pub mod discover;
pub mod doctor;
pub mod environment;
mod languages;
mod projects;
pub mod revision;
pub mod runner;
pub mod toolchain;
