//! The engine against invented machines.

mod comparison;
mod coverage;
mod faults;
mod resume;
mod sessions;
mod support;
mod warm_up;
