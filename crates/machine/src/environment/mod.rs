//! The machine and system of a run: read from `/proc`, `/sys` and git.
//!
//! Invisible facts are None. Virtual machines and containers hide many of them, and "not visible" must not look like "fine".

mod cpu;
mod git;
mod gpus;
mod limits;
mod noise;
mod read;
pub(crate) mod tree;
mod width;

#[cfg(test)]
mod tests;

pub use git::git_state;
pub use noise::{noise_start, Noise, NoiseStart};
pub use read::{read, read_from};
pub use width::core_width;
