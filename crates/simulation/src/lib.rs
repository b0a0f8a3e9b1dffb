//! An invented machine: it answers what the engine asks as real children would, without a process and in simulated time.
//!
//! Intervals and verdicts can only be checked against a known truth, thousands of times; a run with real children takes
//! seconds and its truth is unknown. Here a run takes milliseconds. The noise is that of the method
//! (`tare_stats::noise`); what it lacks is added: preemption that shows as a gap between wall and CPU time, a drifting core
//! clock with the probe that sees it, a neighbour on the core with the probe that sees it, warm-up, loops, iteration set-ups, blocking, growing memory, and failures.
//!
//! Pure: the seed of the [`Scene`] decides everything. Only tests and `xtask` use this crate.
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
