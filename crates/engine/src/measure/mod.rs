//! Measures a plan, one wave after the other, each from the start of its children to their end.

mod answers;
mod budget;
mod calibration;
mod collections;
mod core;
mod draws;
mod engine;
mod failing;
mod forms;
mod leak;
mod pilot;
mod preparation;
mod record;
mod resume;
mod rounds;
mod schedule;
mod shape;
mod slices;
mod strategy;
mod trust;
mod visit_order;
mod warm_up;
mod wave;

pub use budget::{ANNOUNCED_S, LAUNCHES_ALWAYS};
pub use engine::{Engine, Resumption};
pub use shape::launch_ns;
