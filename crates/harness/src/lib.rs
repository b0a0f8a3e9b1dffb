//! Benchmarks written for another harness. `tare` is started again as a child that speaks the protocol, and each launch is one process of
//! the harness, which measures one benchmark. Plans, waves, verdicts and reports therefore work as for Tare's own benchmarks, and none of
//! them knows about harnesses. See `docs/decisions/0019-children-of-tare.md`.
//!
//! A harness is a file with a [`Harness`], and an entry in [`ALL`]: how to recognise, list and run its programs. `tare-import` reads the
//! output, as it does for saved results.
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

const ALL: &[&dyn Harness] = &[
    &google_benchmark::GoogleBenchmark,
    &criterion::Criterion,
    &divan::Divan,
    &catch2::Catch2,
    &small::CELERO,
    &small::NANOBENCH,
    // Last, since programs of other harnesses may contain libtest's tests.
    &libtest::Libtest,
];
