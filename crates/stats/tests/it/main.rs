//! The tests of `tare-stats`, in one program: it is linked once.

mod common;
mod laws;
mod reference;
mod robustness;
mod sequential;
mod shapes;
mod simulation;
mod slow;
mod vectors;
