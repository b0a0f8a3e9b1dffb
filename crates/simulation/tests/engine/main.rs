//! The engine against invented machines.

mod agreement;
mod by_wall;
mod comparison;
mod coverage;
mod faults;
mod neighbour;
mod resume;
mod sessions;
mod support;
mod warm_up;
