//! Benchmarks written for another harness. `tare` is started once more as a child that speaks the protocol, and each launch of it is one
//! process of the harness, which measures one benchmark. So plans, waves, verdicts and reports are what they are for Tare's own
//! benchmarks, and none of them knows a harness. See `docs/decisions/0019-children-of-tare.md`.
//!
//! A harness is a file, a [`Harness`] and its line in [`ALL`]: how its programs are recognised, listed and run. What comes out is read by
//! `tare-import`, as saved results are.
#![forbid(unsafe_code)]

mod catch2;
mod child;
pub mod command;
mod criterion;
mod declared;
mod divan;
mod google_benchmark;
mod harness;
mod libtest;
mod metrics;
mod small;
mod spec;
mod suite;
mod values;

pub use child::{child, CHILD};
pub use declared::Declared;
pub use harness::{knows, of_program, About, Harness, List, Listed, Measured, QuickLook, Statistic};
pub use metrics::Extra;
pub use spec::{program_of, words, OfBenchmark, Spec};
pub use suite::{Suite, Trouble};

/// All harnesses that are recognised. A further one is a file and its line.
const ALL: &[&dyn Harness] = &[
    &google_benchmark::GoogleBenchmark,
    &criterion::Criterion,
    &divan::Divan,
    &catch2::Catch2,
    &small::CELERO,
    &small::NANOBENCH,
    // Programs of the others may have its tests beside.
    &libtest::Libtest,
];
