//! Where the parts of a run are measured, when it is not this machine: jobs of Slurm, submitted and watched by Slurm's own commands, and a
//! manifest for Kubernetes. Nothing here is a scheduler, and nothing here knows what a run is.
#![forbid(unsafe_code)]

mod kubernetes;
mod place;
mod slurm;
mod tools;

pub use kubernetes::{manifest, Manifest, Pod};
pub use place::Place;
pub use slurm::{End, Slurm, Submission, Task};
pub use tools::{Installed, Said, SchedulerError, Tools};
