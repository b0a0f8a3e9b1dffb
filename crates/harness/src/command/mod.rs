//! Whole commands as benchmarks. `tare time` starts `tare` again as an ordinary child with one benchmark for each command; an invocation is
//! a process from start to end. See `docs/decisions/0019-children-of-tare.md`.

mod child;
mod link;
mod parameters;
mod shell;
mod spec;
mod start;

pub use child::{serve, LANGUAGE};
pub use link::{answer, Measures, Wrong};
pub use parameters::{filled, product, values};
pub use shell::shell_syntax;
pub use spec::{Command, Ignored, Sink, Spec};
pub use start::{process_ns, resolved, step, why_not, StepError};
