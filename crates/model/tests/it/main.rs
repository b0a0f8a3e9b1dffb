//! The tests of `tare-model`, in one program: the crate is compiled once.

mod artifact;
mod calibration;
mod case;
mod draw;
mod job;
mod json;
mod merge;
mod metric;
mod plan;
mod remarks;
mod series;
mod stacks;
mod text;
mod visit;
