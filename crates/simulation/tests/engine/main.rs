//! The engine against invented machines.

mod agreement;
mod by_wall;
mod collecting;
mod comparison;
mod coverage;
mod faults;
mod levels;
mod loops;
mod neighbour;
mod periods;
mod resume;
mod runs;
mod support;
mod warm_up;
