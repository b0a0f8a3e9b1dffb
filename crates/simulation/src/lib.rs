//! A simulated machine: it answers the engine like real children, without processes and in simulated time, so that intervals and verdicts
//! can be checked thousands of times against a known truth. The noise is `tare_stats::noise`, plus preemption, a drifting clock, a
//! neighbour on the core, warm-up and failures. The seed of the [`Scene`] determines everything. Only tests and `xtask` use this crate.
#![forbid(unsafe_code)]

mod body;
mod calibration;
mod clock;
mod drive;
mod neighbour;
mod scene;
mod world;

pub use body::{Body, Collections, Fault, FaultAt, WarmUpShape};
pub use calibration::{
    beside, centre, comparison, comparison_in, coverage, coverage_in, suite, Beside, Comparison, Coverage,
};
pub use clock::{Clock, ClockModel};
pub use drive::{actions_max, drive, measure, Measured, Trace};
pub use neighbour::{Neighbour, Stretch, Timeline};
pub use scene::{Places, Preemption, Program, Scene, CYCLES_PER_ADDITION};
pub use world::World;
