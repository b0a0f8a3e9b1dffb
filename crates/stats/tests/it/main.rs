//! The tests of `tare-stats`, in one program: it is linked once.

mod bisection;
mod common;
mod creep;
mod last_looks;
mod laws;
mod overhead;
mod proportion;
mod reference;
mod robustness;
mod sequential;
mod shapes;
mod sharing;
mod simulation;
mod slow;
mod steps;
mod vectors;
