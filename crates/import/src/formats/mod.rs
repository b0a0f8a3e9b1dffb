//! The forms of results: each is a file, and an entry in [`ALL`].

mod benchmarkdotnet;
pub(crate) mod catch2;
mod celero;
pub(crate) mod criterion;
mod format;
mod go;
mod google_benchmark;
pub(crate) mod google_name;
mod google_rows;
mod hyperfine;
mod jmh;
mod nanobench;
mod pyperf;
mod pytest_benchmark;
mod refused;
mod table;
mod tare_run;

pub(crate) use format::{known, too_little, Format, Head, Read, TooLittle};
pub(crate) use go::is_end as is_go_end;
pub(crate) use refused::refused;

/// All forms, in the order in which users see them.
pub(crate) const ALL: [&Format; 15] = [
    &tare_run::FORMAT,
    &google_benchmark::FORMAT,
    &benchmarkdotnet::FORMAT,
    &criterion::FORMAT,
    &jmh::FORMAT,
    &pyperf::FORMAT,
    &pytest_benchmark::FORMAT,
    &hyperfine::FORMAT,
    &go::FORMAT,
    &go::EVENTS,
    &nanobench::FORMAT,
    &nanobench::EMPTY,
    &nanobench::TABLE,
    &catch2::FORMAT,
    &celero::FORMAT,
];
