//! Diagnosers: work that must never run beside timing. Each makes passes of its own, after all times were measured.
//!
//! A new diagnoser is a new file here, with its `mod` and its entry in [`ALL`]; `--diagnose`, `tare help diagnosers`, columns, limits,
//! findings and attachments follow from that. Programs can bring their own ([`Declared`]), and so can users ([`External`]).
#![forbid(unsafe_code)]
// Code that counts and samples on Linux is unused elsewhere.
#![cfg_attr(not(target_os = "linux"), allow(dead_code))]

mod allocations;
mod code;
mod counters;
mod declared;
mod denormals;
mod diagnoser;
mod differences;
mod events;
mod exceptions;
mod external;
#[cfg(all(any(test, fuzzing), target_os = "linux"))]
pub mod fuzz;
mod inlining;
mod instructions;
mod memory;
mod profile;
mod registry;
mod remarks;
mod runtime;
mod set;
mod sides;
mod syscalls;
mod threads;
mod told;
mod watched;

pub use code::NAME as CODE;
pub use counters::NAME as COUNTERS;
pub use declared::Declared;
pub use diagnoser::{
    Belongs, Diagnoser, File, Findings, Missing, Part, Pass, Signal, Subject, Took, Tools, Work, STEADY_S,
};
pub use differences::ROUND;
pub use external::External;
pub use inlining::NAME as INLINING;
pub use profile::NAME as PROFILE;
pub use registry::{entry, Cost, Entry, Need, ALL};
pub use set::{Diagnosers, Unknown};
