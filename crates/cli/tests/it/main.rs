//! End to end: the real binary with real children, as users meet it.
//!
//! What needs a tool that is not there says `skipped: ...` on stderr and passes. Nothing here compares times with fixed
//! numbers: the tests run on machines that are busy with other things. `TARE_TEST_LONG=1` makes more of what is random.

mod absence;
mod again;
mod agreement;
mod any_program;
mod benchmarks_from;
mod bisect;
mod budget;
mod ci_files;
mod cluster;
mod code;
mod command;
mod compare;
mod conformance;
mod context;
mod declared;
mod diagnose;
mod diagnosers;
mod doctor;
mod errors;
mod examples;
mod exporters;
mod faults;
mod foreign_files;
mod foreign_values;
mod forms;
mod front_ends;
mod go;
mod gpu;
mod harnesses;
mod history;
mod inlining;
mod inside;
mod instructions;
mod jobs;
mod killed;
mod machine_profile;
mod memory;
mod merge;
mod metrics;
mod misbehaving;
mod moving;
mod names;
mod not_built;
mod once;
mod page;
mod placement;
mod places;
mod profile;
mod rates;
mod replaced;
mod safety;
mod saved_gates;
mod scale;
#[cfg(unix)]
mod shared_history;
mod sides;
mod stopped;
mod support;
mod surroundings;
mod ways;
mod whole_commands;
mod whole_job;
mod why;
