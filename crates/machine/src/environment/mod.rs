//! The machine and the system that a run is made on: read from `/proc` and `/sys`, and from git.
//!
//! What cannot be seen is None. A virtual machine or a container hides much of it, and "not visible" must not look like "fine".

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
